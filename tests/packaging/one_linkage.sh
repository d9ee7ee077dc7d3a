#!/bin/sh
# SPDX-License-Identifier: MIT
#
# one_linkage.sh CMAKE CC PREFIX DIR VERSION: cmake/packaging/one_linkage.cmake on copies of what is installed in PREFIX.
# With either library alone the consumer builds by find_package and by pkg-config, with clfold::clfold and the same flags.
set -eu
cmake=$1 cc=$2 prefix=$3 dir=$4 version=$5
here=$(cd "$(dirname "$0")" && pwd)
script=$here/../../cmake/packaging/one_linkage.cmake

for kind in shared static; do
    rm -rf "${dir:?}/$kind"
    mkdir -p "$dir/$kind"
    cp -R "$prefix" "$dir/$kind/prefix"
    "$cmake" -DPREFIX="$dir/$kind/prefix" -DKEEP=$kind -P "$script"
    "$cmake" -S "$here/consumer" -B "$dir/$kind/build" -DHOW=found -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_PREFIX_PATH="$dir/$kind/prefix" >"$dir/$kind/log"
    "$cmake" --build "$dir/$kind/build" >>"$dir/$kind/log" || { cat "$dir/$kind/log"; exit 1; }
    "$dir/$kind/build/consumer" "$version"
    sh "$here/pkg_config.sh" "$cc" "$dir/$kind/prefix" "$here/consumer/main.c" "$dir/$kind" "$version"
    # A second time there is nothing to take away, and that is said.
    if "$cmake" -DPREFIX="$dir/$kind/prefix" -DKEEP=$kind -P "$script" >"$dir/$kind/log" 2>&1; then
        echo "one_linkage.cmake took away what was not there"
        exit 1
    fi
done
[ -z "$(find "$dir/shared" -name '*clfold*.a')" ]
[ -z "$(find "$dir/static" -name 'libclfold.so*' -o -name 'libclfold*.dylib')" ]
