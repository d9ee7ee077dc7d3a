#!/bin/sh
# SPDX-License-Identifier: MIT
#
# subproject.sh CMAKE CC SOURCE DIR VERSION: clfold within a project of many warnings that are errors, and without a
# build type: it compiles, and is optimised unless the project says how. And what CMake says where there is no OpenCL.
set -eu
cmake=$1 cc=$2 source=$3 dir=$4 version=$5
here=$(cd "$(dirname "$0")" && pwd)
strict='-Wall -Wextra -Wconversion -pedantic -Werror'

rm -rf "${dir:?}"
mkdir -p "$dir"
configure()
{
    "$cmake" -S "$here/consumer" -B "$dir/$1" -DHOW=subdirectory -DCLFOLD_SOURCE="$source" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS="$2" >"$dir/log"
}
# Commands that compile the library's C, with -O2 or without.
optimised() { grep '"command"' "$dir/$1/compile_commands.json" | grep 'src/core/plan\.c' | grep -c -- '-O2 ' || true; }

configure strict "$strict"
grep -q 'clfold itself is compiled with -O2' "$dir/log"
[ "$(optimised strict)" = 1 ]
"$cmake" --build "$dir/strict" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }
"$dir/strict/consumer" "$version"

configure own -O1
[ "$(optimised own)" = 0 ]

if "$cmake" -S "$source" -B "$dir/none" -DCMAKE_C_COMPILER="$cc" -DCMAKE_DISABLE_FIND_PACKAGE_OpenCL=ON >"$dir/log" 2>&1; then
    echo "configured without OpenCL"
    exit 1
fi
tr -s ' \n' ' ' <"$dir/log" | grep -q "clfold needs OpenCL's headers and loader.*ocl-icd-opencl-dev"
