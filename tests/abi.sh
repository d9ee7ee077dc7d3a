#!/bin/sh
# SPDX-License-Identifier: MIT
#
# abi.sh DIR [--write]: the interface that the library exports, beside tests/abi/clfold.abi, by libabigail: nothing is
# gone, and nothing has another type. What is new is no failure. The library is built in DIR, with debug information.
# --write makes that file anew, for a release. Exit status 77: no abidiff here.
set -eu
mkdir -p "$1"
dir=$(cd "$1" && pwd)
library=$dir/libclfold.so
cd "$(dirname "$0")/.."
baseline=tests/abi/clfold.abi
command -v abidiff >/dev/null || { echo "abi.sh: no abidiff (abigail-tools)" && exit 77; }
if ! { cmake -S . -B "$dir" -DCMAKE_BUILD_TYPE=Debug -DCLFOLD_TESTS=OFF -DCLFOLD_BENCH=OFF &&
    cmake --build "$dir" --target clfold; } >"$dir/build.log" 2>&1; then
    cat "$dir/build.log"
    exit 1
fi
abidw --exported-interfaces-only --headers-dir include --drop-private-types --no-show-locs --no-comp-dir-path \
    --no-corpus-path --no-parameter-names --no-write-default-sizes --no-elf-needed "$library" >"$dir/described.abi"
# The same wherever it was built; and a line for each symbol, function and struct, so that a difference shows which one it
# is. Other types stand before the first of these that follows.
sed "s|path='$PWD/|path='|" "$dir/described.abi" | awk '
    function flush() {
        if (own ~ /^ +<(elf-symbol|function-decl|enum-decl|class-decl.*<data)/) { print others own; others = "" }
        else { sub(/^ +/, "", own); others = others own }
        own = ""
    }
    /^    <\// { own = own substr($0, 5); next }
    /^     / { sub(/^ +/, ""); own = own $0; next }
    { flush() }
    /^    </ { own = $0; next }
    /^  </ { others = others $0; next }
    { print others $0; others = "" }' >"$dir/clfold.abi"
if [ "${2:-}" = --write ]; then
    cp "$dir/clfold.abi" "$baseline"
    exit
fi
# Two descriptions: in a library, beside one without places in files, abidiff takes every type for a private one.
abidiff --no-added-syms "$baseline" "$dir/clfold.abi"
