#!/bin/sh
# SPDX-License-Identifier: MIT
#
# uninstall.sh CMAKE BUILD DIR: two installs of one build folder under two prefixes in DIR. Each is removed by itself,
# with its folders, and nothing else is; what is said are the prefix and the number of files.
set -eu
cmake=$1 build=$2 dir=$3

rm -rf "${dir:?}"
mkdir -p "$dir/one"
echo mine >"$dir/one/mine"
for prefix in one two; do
    "$cmake" --install "$build" --prefix "$dir/$prefix" >"$dir/log"
done
"$cmake" --install "$build" --prefix "$dir/one" >"$dir/log" # again: no file is counted twice
files=$(find "$dir/two" -type f -o -type l | wc -l)
[ "$files" -gt 50 ]

remove()
{
    "$cmake" -DPREFIX="$dir/$1" -P "$build/uninstall.cmake" >"$dir/said" 2>&1
}
remove one
cat "$dir/said"
grep -qx "$dir/one: $((files)) files removed" "$dir/said"
[ "$(find "$dir/one" -mindepth 1)" = "$dir/one/mine" ]
[ "$(find "$dir/two" -type f -o -type l | wc -l)" = "$files" ]

# A second time there is nothing, and that is said.
if remove one; then exit 1; fi
grep -q 'Nothing was installed under' "$dir/said"

# A file that somebody removed is no error.
rm "$dir/two/include/clfold/scan.h"
remove two
grep -qx "$dir/two: $((files - 1)) files removed" "$dir/said"
[ -z "$(find "$dir/two" -mindepth 1)" ]
