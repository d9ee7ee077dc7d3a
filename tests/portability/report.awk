# SPDX-License-Identifier: MIT
#
# Lines of kernels.awk as a table in Markdown: a row per kernel, a column per GPU, the most over all programs that have it.
!($1 in known) { known[$1] = 1; gpus[++count] = $1 }
!($2 in programs) { programs[$2] = 0 }
{
    key = $2 SUBSEP $1
    seen[key]++
    if (seen[key] > programs[$2]) programs[$2] = seen[key]
    if ($3 > registers[key]) registers[key] = $3
    if ($4 > memory[$2]) memory[$2] = $4
    if ($5 > scratch[key]) scratch[key] = $5
    spilling[key] += $5 > 0
}

function cell(key) {
    if (!seen[key]) return ""
    if (!scratch[key]) return registers[key] ? registers[key] : "–"
    return (registers[key] ? registers[key] ", " : "") scratch[key] " B in " spilling[key]
}

END {
    head = "| kernel | programs | local memory |"
    rule = "|---|---|---|"
    for (g = 1; g <= count; g++) { head = head " " gpus[g] " |"; rule = rule "---|" }
    print head "\n" rule
    for (k in programs) {
        line = "| `" k "` | " programs[k] " | " memory[k] + 0 " |"
        for (g = 1; g <= count; g++) line = line " " cell(k SUBSEP gpus[g]) " |"
        print line | "sort"
    }
}
