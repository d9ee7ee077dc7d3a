/* SPDX-License-Identifier: MIT */
/* All primitives that there are rows of, file by file. */
#include "rows/rows.h"

#include <string.h>

static const bench_primitive *const files[] = {
    bench_scan_rows, bench_scan_form_rows, bench_segmented_scan_rows, bench_irregular_scan_rows, bench_reduce_rows,
    bench_irregular_reduce_rows, bench_transpose_rows, bench_filter_rows, bench_gather_rows, bench_merge_rows,
    bench_reduce_by_key_rows, bench_split_rows, bench_sort_rows, bench_segmented_sort_rows, bench_merge_sort_rows,
    bench_top_k_rows, bench_histogram_rows, bench_adjacent_difference_rows, bench_expand_rows, bench_softmax_rows,
};

const bench_primitive *bench_primitive_number(unsigned number)
{
    for (size_t f = 0; f < sizeof files / sizeof files[0]; ++f)
        for (const bench_primitive *p = files[f]; p->name; ++p)
            if (number-- == 0)
                return p;
    return NULL;
}

const bench_primitive *bench_find_primitive(const char *name)
{
    const bench_primitive *p;
    for (unsigned i = 0; (p = bench_primitive_number(i)); ++i)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}
