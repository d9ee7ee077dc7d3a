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

# Files that call nobody who is left, or whom nobody calls, are taken away, again and again: what stays is a circle.
awk 'NR == FNR { if ($2 == "defines") home[$3] = $1; next }
    $2 == "uses" && $3 in home && home[$3] != $1 { edge[$1 " " home[$3]] = $3; node[$1]; node[home[$3]] }
    END {
        do {
            gone = 0
            for (n in node) {
                calls = called = 0
                for (e in edge) {
                    split(e, ends, " ")
                    calls = calls || (ends[1] == n && ends[2] in node)
                    called = called || (ends[2] == n && ends[1] in node)
                }
                if (!calls || !called) { delete node[n]; gone = 1 }
            }
        } while (gone)
        for (e in edge) {
            split(e, ends, " ")
            if (ends[1] in node && ends[2] in node) print "in a circle: " ends[1] ".c calls " edge[e] " of " ends[2] ".c"
        }
    }' "$calls" "$calls" >>"$bad"
if [ -s "$bad" ]; then
    cat "$bad"
    exit 1
fi
echo "bench_layers: $# files, $(grep -c uses "$calls") uses, no circle"
