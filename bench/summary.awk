# SPDX-License-Identifier: MIT
#
# Sums up rows of clfold-bench --json: at how many of the cases that another library has, too, clfold is the fastest, and
# where it is not, the worst first.
#
#     awk -f bench/summary.awk DEVICE.json

function field(name,    at) {
    at = match($0, "\"" name "\": (\"[^\"]*\"|[^,}]*)")
    if (!at) return ""
    at = substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4)
    gsub(/"/, "", at)
    return at == "null" ? "" : at
}

function size(n,    power) {
    n += 0
    for (power = 0; 2 ^ power < n; power++)
        ;
    return power >= 10 && 2 ^ power == n ? "2^" power : n
}

# primitive, operator of type, shape
function name_of(    shape) {
    shape = size(field("segment_size"))
    if (field("segments") != 1) shape = size(field("segments")) "x" shape
    if (field("batch")) shape = size(field("batch")) "x" shape
    if (field("bins")) shape = shape " in " size(field("bins"))
    return field("primitive") ", " (field("op") == "-" ? "" : field("op") " of ") field("type") ", " shape
}

field("us") + 0 > 0 && !field("forced") && !field("define") {
    us = field("us") + 0
    name = name_of()
    peer = field("peer")
    if (!peer) {
        if (!(name in ours)) order[++cases] = name
        if (!(name in ours) || us < ours[name]) ours[name] = us
    } else if (!(name in theirs) || us < theirs[name]) {
        theirs[name] = us
        who[name] = peer
    }
}

END {
    for (i = 1; i <= cases; i++) {
        name = order[i]
        if (!(name in theirs)) continue
        both++
        if (ours[name] <= theirs[name]) won++
        else lost[++losses] = name
    }
    if (!both) {
        print cases + 0 " cases measured; no other library here has them."
        exit
    }
    printf "clfold is the fastest in %d of the %d cases that another library has, too (%d more have none).\n", won, both, cases - both
    for (i = 2; i <= losses; i++) # few: by insertion
        for (j = i; j > 1 && ours[lost[j]] / theirs[lost[j]] > ours[lost[j - 1]] / theirs[lost[j - 1]]; j--) {
            name = lost[j]; lost[j] = lost[j - 1]; lost[j - 1] = name
        }
    if (losses) print "Another is faster at:"
    for (i = 1; i <= losses && (i <= 12 || losses <= 15); i++) {
        name = lost[i]
        printf "    %-50s %9.1f us, %s %.1f: %.2f x its time\n", name, ours[name], who[name], theirs[name], ours[name] / theirs[name]
    }
    if (i <= losses) printf "    and at %d more by less\n", losses - i + 1
}
