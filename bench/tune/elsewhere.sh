#!/bin/sh
# SPDX-License-Identifier: MIT
#
# elsewhere.sh CLFOLD-TUNE DIR PROFILE... [-- OPTION...]: what profiles that were made on other devices do on this one. Each
# is applied as if it were for any device, three times, and measured beside the model; logs go to DIR. Prints, for each
# profile, the time in parts of the model's: the geometric mean over primitives and types, the least and the most.
#
# The options are clfold-tune's: --device, --type, primitives. A profile that says nothing to a device leaves it what is
# shipped for it, or else the model's parameters, and then has 1. Logs of an earlier run are begun anew.
set -eu
[ $# -ge 3 ] || { sed -n '4,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
tune=$1 dir=$2
shift 2
mkdir -p "$dir"

# The profile for whatever device there is: nothing in its header is true of one alone.
for_any() {
    sed -E 's/^(device|vendor|type) *=.*/\1 = */; /^(platform|architecture|driver|score) *=/d' "$1"
}

profiles=
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    name=$(basename "$1" .profile)
    for_any "$1" >"$dir/$name.any"
    rm -f "$dir/$name"-[123].jsonl # a search goes on with a log, whatever profile that is of
    profiles="$profiles $name"
    shift
done
[ $# -eq 0 ] || shift

# A search of one point is the model's, and what the profile makes of it beside.
for pass in 1 2 3; do
    for name in $profiles; do
        CLFOLD_PROFILE=$dir/$name.any "$tune" --quick --time 3600 --evaluations 1 --log "$dir/$name-$pass.jsonl" "$@" >/dev/null
    done
done

printf '%-40s %8s %8s %8s\n' profile mean least most
for name in $profiles; do
    "$tune" --report "$dir/$name"-[123].jsonl | sed 's/^.\{25\}//' | awk -v name="$name" 'NR > 1 {
        ratio = $4 == "-" ? 1 : $4
        sum += log(ratio)
        if (NR == 2 || ratio < least) least = ratio
        if (NR == 2 || ratio > most) most = ratio
    } END { printf "%-40s %8.3f %8.3f %8.3f\n", name, exp(sum / (NR - 1)), least, most }'
done
