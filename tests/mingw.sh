#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mingw.sh DIR: builds the library, its tools and the install tree for Windows into DIR, warnings being errors. Nothing
# is run: there is no OpenCL to link with, so an import library is made of the functions that CL/cl.h declares.
set -eu
mkdir -p "$1/cl/CL"
dir=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
prefix=x86_64-w64-mingw32

# A copy of the headers: the folder they lie in is full of headers of this system.
headers=$(dirname "$(echo '#include <CL/cl.h>' | cc -E - | sed -n 's/.*"\(.*\/CL\/cl\.h\)".*/\1/p' | head -n 1)")
cp "$headers"/*.h "$dir/cl/CL"
{
    echo 'LIBRARY OpenCL.dll'
    echo EXPORTS
    sed -n 's/^\(cl[A-Z][A-Za-z0-9]*\)(.*/\1/p' "$dir/cl/CL/cl.h"
} >"$dir/OpenCL.def"
$prefix-dlltool -d "$dir/OpenCL.def" -l "$dir/libOpenCL.a"

cmake -S . -B "$dir/build" -G Ninja -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=$prefix-gcc \
    -DOpenCL_INCLUDE_DIR="$dir/cl" -DOpenCL_LIBRARY="$dir/libOpenCL.a" \
    -DCLFOLD_WERROR=ON -DCLFOLD_TESTS=OFF -DCLFOLD_PEERS=OFF
cmake --build "$dir/build"
cmake --install "$dir/build" --prefix "$dir/prefix"

# The functions of the headers, and those alone, are in the DLL.
sed -n 's/^CLF_API .*[ *]\(clf_[a-z0-9_]*\)(.*/\1/p' include/clfold/*.h | sort -u >"$dir/declared"
$prefix-objdump -p "$dir/prefix/bin/libclfold.dll" |
    awk '/Name Pointer\] Table/ { names = 1 } names && /\[ *[0-9]+\]/ { print $NF } names && /^$/ { exit }' | sort -u >"$dir/exported"
diff "$dir/declared" "$dir/exported"
for tool in info bench tune bench-distributed; do
    ls "$dir/prefix/bin/clfold-$tool.exe"
done
