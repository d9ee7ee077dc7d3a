#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench_layers.sh OBJECTS...: the rooms of bench/ stand on each other: common/, rows/, then textbook/ and tune/, peers/, and the
# mains on top. A file includes headers of its own room and of those below. No file calls up, and none calls itself
# by way of others (by the names that OBJECTS define and use).
set -eu
cd "$(dirname "$0")/../bench"
rooms='common rows peers textbook tune main'
calls=$(mktemp)
bad=$(mktemp)
trap 'rm -f "$calls" "$bad"' EXIT

# may_use FROM TO
may_use() {
    case $1,$2 in
        main,* | *,common | rows,rows | peers,rows | textbook,rows | tune,rows) ;;
        peers,peers | textbook,textbook | tune,tune | peers,textbook) ;;
        *) return 1 ;;
    esac
}
grep -o '^#include "[a-z]*/' ./*.c common/*.[ch] rows/*.[ch] peers/*.[ch] textbook/*.[ch] tune/*.[ch] |
    sed 's|^\./[a-z_]*\.c:|main/:|; s|/[a-z_]*\.[ch]:|/:|; s|/:#include "| |; s|/$||' | sort -u | while read -r from to; do
    case " $rooms " in *" $to "*) may_use "$from" "$to" || echo "bench/$from includes a header of bench/$to" ;; esac
done >>"$bad"

for object in "$@"; do
    file=$(echo "$object" | sed -n 's|.*\.dir/\(\./\)*\([a-z]*/\{0,1\}[a-z0-9_]*\)\.c\.o.*|\2|p')
    [ -z "$file" ] || nm "$object" | awk -v file="$file" 'NF == 2 && $1 == "U" { print file, "uses", $2 }
        NF == 3 && $2 ~ /[TDRBS]/ { print file, "defines", $3 }'
done >"$calls"
[ -s "$calls" ] || echo "no object of bench/ among: $*" >>"$bad"

# tsort names the files of each circle on its standard error.
awk 'NR == FNR { if ($2 == "defines") home[$3] = $1; next }
    $2 == "uses" && $3 in home && home[$3] != $1 { print $1 ".c", home[$3] ".c" }' "$calls" "$calls" |
    tsort 2>>"$bad" >/dev/null || true
if [ -s "$bad" ]; then
    cat "$bad"
    exit 1
fi
echo "bench_layers: $# files, $(grep -c uses "$calls") uses, no circle"
