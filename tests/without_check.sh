#!/bin/sh
# SPDX-License-Identifier: MIT
#
# without_check.sh CMAKE SOURCE DIR CC: where pkg-config finds no Check, the plain build still makes library and tools,
# and says what the tests need.
set -eu
cmake=$1 source=$2 dir=$3 cc=$4

rm -rf "$dir"
mkdir -p "$dir/none"
PKG_CONFIG_LIBDIR=$dir/none
PKG_CONFIG_PATH=
export PKG_CONFIG_LIBDIR PKG_CONFIG_PATH
"$cmake" -S "$source" -B "$dir" -DCMAKE_C_COMPILER="$cc" -DCLFOLD_PEERS=OFF \
    >"$dir/configure.log" 2>&1 || { cat "$dir/configure.log"; exit 1; }
grep 'apt install pkg-config check' "$dir/configure.log"
"$cmake" --build "$dir" -j 2
"$dir/bench/clfold-info" --help
[ ! -e "$dir/tests/clfold-tests" ]
