/* SPDX-License-Identifier: MIT */
/*
 * split_cpu: a partition by a digit for CPU devices: work-groups of one work-item, each with a tile of consecutive
 * elements, whose parts go out side by side, element by element.
 */
#include "split/split.cl"

typedef uchar clf_split_cpu_up_storage; /* none needed */
typedef uchar clf_split_cpu_down_storage;

static inline void clf_split_cpu_up_body(const clf_arguments *a, __local clf_split_cpu_up_storage *s)
{
    const uint tile = clf_split_tile(), count = clf_split_count(a, tile);
    const ulong first = clf_split_first(tile);
    uint counts[CLF_PARTS];
    CLF_LOOP for (uint part = 0; part < CLF_PARTS; ++part)
        counts[part] = 0;
    CLF_LOOP for (uint k = 0; k < count; ++k)
        ++counts[clf_digit_at(a, first + k)];
    for (uint part = 0; part < a->parts; ++part)
        a->tile_counts[clf_split_cell(part, tile)] = counts[part];
}

static inline void clf_split_cpu_down_body(const clf_arguments *a, __local clf_split_cpu_down_storage *s)
{
    const uint tile = clf_split_tile(), count = clf_split_count(a, tile);
    const ulong first = clf_split_first(tile);
    ulong places[CLF_PARTS];
    clf_split_tell(a);
    for (uint part = 0; part < a->parts; ++part)
        places[part] = a->places[clf_split_cell(part, tile)];
    CLF_LOOP for (uint k = 0; k < count; ++k) {
        const ulong i = first + k;
        const clf_input x = clf_input_at(&a->in, i);
        clf_extra none;
        clf_output_at(&a->out, places[clf_digit(a, x, i)]++, clf_map_at(a, x, i, &none));
    }
}
