#!/bin/sh
# SPDX-License-Identifier: MIT
#
# layers.sh OBJECTS...: code stands in layers, the folders of src/ and of cl/, and uses what is below alone.
#
#   src/    a file includes its own layer's headers, and a header others of its layer and that of a layer below; no
#           call goes up, and within a layer none goes round in a circle (by the names that OBJECTS define and use)
#           src/distributed/ is a client of the public headers alone
#   cl/     a file includes its own folder's and those of folders below; its head says what it needs and provides, and a
#           name has one meaning, or belongs to an interface (cl_names.py)
set -eu
cd "$(dirname "$0")/.."

bad=$(mktemp)
calls=$(mktemp)
trap 'rm -f "$bad" "$calls"' EXIT

# rank LIST NAME: its place in the list
rank() { printf '%s\n' "$1" | tr ' ' '\n' | grep -nxF "$2" | cut -d: -f1; }

# ---- Includes ------------------------------------------------------------------------------------------------------

src='base operator device tuning layout program probe core explore primitives'
below='"clfold/clfold\.h"'
for layer in $src; do
    [ -d "src/$layer" ] || echo "src/$layer, a layer of tests/layers.sh, is not there" >>"$bad"
    grep -Hn '^#include "' src/"$layer"/*.c | grep -v "\"$layer/[a-z]*.h\"" >>"$bad" || true
    grep -Hn '^#include "' src/"$layer"/*.h | grep -vE "$below|\"$layer/[a-z]*\.h\"" >>"$bad" || true
    [ "$layer" = base ] && below= # clfold.h comes by base.h alone
    below="${below:+$below|}\"$layer/$layer\.h\""
done

# Libraries beside clfold are clients of its public headers.
grep -HnE '^#include' src/distributed/*.[ch] |
    grep -vE '<[a-z]+\.h>|<clfold/clfold_(distributed|mpi)\.h>|"distributed/distributed\.h"' >>"$bad" || true

# Primitives do not include each other; what tests a device stands on its words alone.
shared='device memory group segments chain cpu digit program probe'
leaves="program probe $(cd cl && ls -d */ | tr -d / | grep -vxE "$(echo "$shared" | tr ' ' '|')" | tr '\n' ' ')"
cl="${shared% program probe} $leaves"
for file in cl/*/*.cl; do
    folder=$(basename "$(dirname "$file")")
    own=$(rank "$cl" "$folder")
    [ -n "$own" ] || echo "$file: cl/$folder is in no layer of tests/layers.sh" >>"$bad"
    for used in $(sed -n 's|^#include "\([a-z_]*\)/.*|\1|p' "$file"); do
        other=$(rank "$cl" "$used")
        leaf=$(rank "$leaves" "$used")
        if [ -z "$other" ] || [ "$other" -gt "$own" ] || { [ -n "$leaf" ] && [ "$used" != "$folder" ]; }; then
            echo "$file includes a file of cl/$used" >>"$bad"
        fi
    done
done

if command -v python3 >/dev/null; then
    python3 -B tests/cl_names.py --check >>"$bad" || true
fi

# What sizes launches is measured: only these know what a driver says of its units.
grep -ln compute_units src/*/*.[ch] | grep -vxE 'src/device/device\.[ch]|src/probe/units\.c' |
    sed 's/$/: reads compute_units, which units.c judges/' >>"$bad" || true

# ---- Calls ---------------------------------------------------------------------------------------------------------

# "layer/file defines|uses name"
for object in "$@"; do
    file=$(echo "$object" | sed -n 's|.*src/\([a-z]*/[a-z0-9_]*\)\.c\.o.*|\1|p')
    [ -n "$file" ] || continue
    nm "$object" | awk -v file="$file" 'NF == 2 && $1 == "U" { print file, "uses", $2 }
        NF == 3 && $2 ~ /[TDRB]/ { print file, "defines", $3 }'
done >"$calls"
[ ! $# -eq 0 ] && [ ! -s "$calls" ] && echo "no object of src/ among: $*" >>"$bad"

awk -v layers="$src" '
    BEGIN { count = split(layers, names, " "); for (i = 1; i <= count; i++) rank[names[i]] = i }
    NR == FNR { if ($2 == "defines") home[$3] = $1; next }
    $2 == "uses" && $3 in home && home[$3] != $1 {
        split($1, from, "/"); split(home[$3], to, "/")
        if (rank[to[1]] > rank[from[1]]) print $1 ".c calls up: " $3 " of " home[$3] ".c"
        edge[$1 " " home[$3]] = $3; node[$1]; node[home[$3]]
    }
    # Files that call nobody who is left, again and again: what stays is a circle.
    END {
        do {
            gone = 0
            for (n in node) {
                calls = 0
                for (e in edge) { split(e, ends, " "); if (ends[1] == n && ends[2] in node) calls = 1 }
                if (!calls) { delete node[n]; gone = 1 }
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
echo "layers: $(ls src/*/*.c | wc -l) files of src, $(ls cl/*/*.cl | wc -l) of cl, $(grep -c uses "$calls" || true) uses"
