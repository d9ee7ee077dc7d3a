#!/bin/sh
# SPDX-License-Identifier: MIT
#
# readme.sh PAGE PREFIX DIR EXAMPLE: the first program of the manual's getting_started.md, compiled and run in DIR by that
# page's own two commands, with the copy installed in PREFIX. EXAMPLE is the same program among the tests.
set -eu
page=$1 prefix=$2 dir=$3 example=$4

rm -rf "$dir"
mkdir -p "$dir"
# shellcheck disable=SC2016 # backquotes of Markdown
awk '/^```c$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$page" >"$dir/scan.c"
diff "$dir/scan.c" "$example"
sed -n '/^    cc scan\.c /,/^$/s/^    //p' "$page" >"$dir/commands"
[ "$(wc -l <"$dir/commands")" = 2 ]

lib=$(dirname "$(dirname "$(find "$prefix" -name clfold.pc)")")
cd "$dir"
export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib" DYLD_LIBRARY_PATH="$lib"
sh -eux ./commands >output
cat output
[ "$(cat output)" = '1 2 4 7 11 16 22 31 ' ]

# Without a driver the sample says what is missing.
mkdir none
status=0
OCL_ICD_VENDORS=$PWD/none OCL_ICD_FILENAMES='' ./scan 2>message || status=$?
cat message
[ $status = 1 ] && grep -q platform message
