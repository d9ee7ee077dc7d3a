#!/bin/sh
# SPDX-License-Identifier: MIT
#
# installed.sh PREFIX VERSION: tools that run, their manual pages with every option of --help, licence and examples.
set -eu
prefix=$1 version=$2

for tool in clfold-info clfold-bench clfold-bench-distributed clfold-tune; do
    [ "$("$prefix/bin/$tool" --version)" = "$tool $version" ]
    page=$prefix/share/man/man1/$tool.1
    for option in $("$prefix/bin/$tool" --help | grep -o -- '--[a-z]*' | sort -u); do
        sed 's/\\-/-/g' "$page" | grep -q -- "$option" || { echo "$page lacks $option"; exit 1; }
    done
done
doc=$(dirname "$(find "$prefix" -path '*doc*' -name LICENSE)")
ls "$prefix/share/man/man3/clfold.3" "$doc/README.md" "$doc/CHANGELOG.md" "$doc/examples/argmax_tuple.c" "$doc/examples/example.h" \
    "$doc/examples/prelude.h" "$doc/examples/prelude.hpp"
if command -v man >/dev/null; then
    for page in "$prefix"/share/man/man?/clfold*; do
        [ -z "$(man --warnings -l "$page" 2>&1 >/dev/null)" ] || { man --warnings -l "$page" >/dev/null; exit 1; }
    done
fi
