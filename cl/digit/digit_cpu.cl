/* SPDX-License-Identifier: MIT */
/*
 * digit_cpu: elements split by digits on CPU devices, in two passes as in digit_two_pass.cl. A work-group is one
 * work-item, with a tile of consecutive elements, which it writes one by one, interleaved over the digits.
 *
 * needs: elements, a->places, a->tile_counts
 * provides: clf_digit_cpu_down_body, clf_digit_cpu_up_body
 */
#include "digit/digit_lines.cl"

typedef uchar clf_digit_cpu_up_storage; /* none needed */
typedef uchar clf_digit_cpu_down_storage;

CLF_INLINE void clf_digit_cpu_up_body(const clf_arguments *a, __local clf_digit_cpu_up_storage *s)
{
    const clf_digit_tile tile = clf_digit_tile_at(a, (uint)get_group_id(0));
    uint counts[CLF_PARTS];
    clf_elements e;
    if (!clf_elements_open(a, &e))
        return;
    CLF_LOOP for (uint digit = 0; digit < CLF_PARTS; ++digit)
        counts[digit] = 0;
    uint k = 0;
    for (; k + 8 <= tile.count; k += 8)
        CLF_UNROLL for (uint j = 0; j < 8; ++j)
            ++counts[clf_digit_at(&e, tile.first + k + j)];
    for (; k < tile.count; ++k)
        ++counts[clf_digit_at(&e, tile.first + k)];
    for (uint digit = 0; digit < clf_digits(a); ++digit)
        a->tile_counts[clf_digit_cell(a, &tile, digit)] = counts[digit];
}

CLF_INLINE void clf_digit_cpu_down_body(const clf_arguments *a, __local clf_digit_cpu_down_storage *s)
{
    const clf_digit_tile tile = clf_digit_tile_at(a, (uint)get_group_id(0));
    clf_digit_lines lines;
    clf_elements e;
    if (!clf_elements_open(a, &e))
        return;
    clf_digit_target target;
    clf_digit_target_open(&target, clf_elements_out(&e), a->size * CLF_ELEMENT_BYTES > CLF_DIGIT_MUCH);
    for (uint digit = 0; digit < clf_digits(a); ++digit)
        lines.from[digit] = lines.to[digit] = a->places[clf_digit_cell(a, &tile, digit)];
    CLF_LOOP for (uint k = 0; k < tile.count; ++k) {
        const ulong i = tile.first + k;
        const clf_element x = clf_element_at(&e, i);
        clf_digit_lines_put(&lines, clf_element_digit(&e, x, i), clf_element_value(&e, x, i), &target);
    }
    clf_digit_lines_close(&lines, clf_digits(a), &target);
}
