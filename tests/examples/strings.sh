#!/bin/sh
# Strings by clf_merge_sort, beside sort(1), whose order is to be the same:
#
#     sh tests/examples/strings.sh PROGRAM FOLDER COUNT FILE...
set -eu
program=$1 folder=$2
shift 2
now() { date +%s%N | sed 's/N$/000000000/'; }
mkdir -p "$folder"
"$program" --lines "$folder/made" "$folder/sorted" "$@"
begin=$(now)
LC_ALL=C sort -o "$folder/by_sort" "$folder/made"
echo "sort: $((($(now) - begin) / 1000000)) ms"
cmp "$folder/sorted" "$folder/by_sort"
rm -r "$folder"
