#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pkg_config.sh CC PREFIX SOURCE DIR VERSION: builds and runs the consumer by pkg-config alone. The consumer calls
# OpenCL itself, so it names OpenCL too. Then the headers by themselves, as C99 and as C++.
set -eu
cc=$1 prefix=$2 source=$3 dir=$4 version=$5

pc=$(dirname "$(find "$prefix" -name clfold.pc)")
lib=$(dirname "$pc")
PKG_CONFIG_PATH=$pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion clfold)" = "$version" ]

opencl=-lOpenCL
if pkg-config --exists OpenCL; then opencl=$(pkg-config --libs OpenCL); fi
# shellcheck disable=SC2046,SC2086 # flags are words
"$cc" -std=c11 -Wall -Werror "$source" $(pkg-config --cflags --libs clfold) $opencl -o "$dir/pkg_config_consumer"
LD_LIBRARY_PATH=$lib DYLD_LIBRARY_PATH=$lib "$dir/pkg_config_consumer" "$version"

# Every header alone, as C and as C++.
folder=$(pkg-config --variable=includedir clfold)/clfold
headers=$(cd "$folder" && ls | grep '\.h$' | grep -v clfold_)
for language in c:c99 c++:c++11; do
    "$cc" -x "${language%:*}" -fsyntax-only /dev/null 2>/dev/null || continue # no C++ here
    for header in $headers; do
        # shellcheck disable=SC2046
        echo "#include <clfold/$header>" | "$cc" -x "${language%:*}" -std="${language#*:}" -Wall -Wextra -Wpedantic -Werror \
            -fsyntax-only $(pkg-config --cflags clfold) -
    done
done
if "$cc" -x c++ -std=c++17 -fsyntax-only /dev/null 2>/dev/null; then
    # shellcheck disable=SC2046
    echo '#include <clfold/clfold.hpp>' | "$cc" -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
        $(pkg-config --cflags clfold) -
fi

# Arrays are counted, in every language; pointers, and in C11 and C++ what is no clf_array, do not compile.
counts=$(dirname "$0")/counts.c
for language in c:c99 c:c11 c++:c++11 c++:c++17; do
    "$cc" -x "${language%:*}" -fsyntax-only /dev/null 2>/dev/null || continue
    # shellcheck disable=SC2046
    count() { "$cc" -x "${language%:*}" -std="${language#*:}" "$@" $(pkg-config --cflags clfold) "$counts" -x none; }
    count -Wall -Wextra -Wconversion -pedantic -Werror -o "$dir/counts"
    "$dir/counts"
    for wrong in POINTER ADDRESS MEMORY; do
        [ "$language$wrong" != c:c99MEMORY ] || continue
        if count -D$wrong -fsyntax-only 2>/dev/null; then echo "$wrong compiles as $language"; exit 1; fi
    done
done

# Older C++ gets one sentence.
if "$cc" -x c++ -std=c++14 -fsyntax-only /dev/null 2>/dev/null; then
    # shellcheck disable=SC2046
    echo '#include <clfold/clfold.hpp>' | "$cc" -x c++ -std=c++14 -fsyntax-only $(pkg-config --cflags clfold) - 2>"$dir/said" &&
        exit 1
    [ "$(grep -c 'error:' "$dir/said")" = 1 ] && grep -q 'clfold.hpp needs C++17' "$dir/said"
fi
