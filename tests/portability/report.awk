# SPDX-License-Identifier: MIT
#
# What llvm-readelf says of AMD kernels, as a table in Markdown: one row per kernel, over all programs that have it.
/^    \.name: / { name = $2 }
/^    \.vgpr_count: / { registers = $2 }
/^    \.group_segment_fixed_size: / { memory = $2 }
/^    \.private_segment_fixed_size: / { scratch = $2 }
/^    \.wavefront_size: / { count(name) }

function count(k) {
    if (!(k in programs) || registers < least[k]) least[k] = registers
    if (registers > most[k]) most[k] = registers
    if (memory > local[k]) local[k] = memory
    if (scratch > stack[k]) stack[k] = scratch
    with[k] += scratch > 0
    programs[k]++
}

END {
    print "| kernel | programs | registers | local memory | scratch | programs with scratch |"
    print "|---|---|---|---|---|---|"
    for (k in programs)
        printf "| `%s` | %d | %d to %d | %d | %d | %d |\n", k, programs[k], least[k], most[k], local[k], stack[k], with[k] | "sort"
}
