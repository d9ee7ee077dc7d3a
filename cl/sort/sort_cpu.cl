/* SPDX-License-Identifier: MIT */
/*
 * sort_cpu: a radix sort on CPU devices, where each work-group is one work-item (digit/digit_cpu.cl). What fits one
 * tile takes one launch:
 *
 *   tile   all passes by one work-item; what the others leave in scratch for each other it has to itself
 *
 * needs: nothing
 * provides: clf_sort_tile_body
 */
#include "sort/control.cl"
#include "sort/sort_keys.cl"
#include "digit/digit_cpu.cl"
#include "digit/places_cpu.cl"
#include "sort/buckets_cpu.cl"

/* A pass: counts of digits become the places where they begin, and elements go there. */
static inline void clf_sort_tile_pass(const clf_elements *e, __private uint *counts)
{
    clf_digit_places(counts, CLF_PLACES_DIGITS);
    CLF_LOOP for (ulong i = 0; i < e->a->size; ++i) {
        const clf_element x = clf_element_at(e, i);
        clf_output_at(&e->to, counts[clf_element_digit(e, x, i)]++, x);
    }
}

typedef uchar clf_sort_tile_storage; /* none needed */
CLF_INLINE void clf_sort_tile_body(const clf_arguments *a, __local clf_sort_tile_storage *s)
{
    clf_sort_counts own;
    clf_elements e;
    bool needed[CLF_PASSES];
    uint turn = 0, turns = 0;
    if (a->size == 0)
        return;
    for (uint k = 0; k < CLF_PASSES * CLF_PARTS; ++k)
        own.counts[k] = 0;
    clf_elements_begin(a, 0, 1, &e);
    clf_sort_count_all(&e, 0, a->size, 0, 1, &own);
    const clf_key_bits some = clf_key_ordered(clf_value_key(clf_element_at(&e, 0) CLF_LESS_A));
    for (uint pass = 0; pass < CLF_PASSES; ++pass) {
        needed[pass] = own.counts[pass * CLF_PARTS + clf_key_digit(some, pass)] < a->size;
        turns += needed[pass];
    }
    for (uint pass = 0; pass < CLF_PASSES; ++pass)
        if (needed[pass]) {
            clf_elements_begin(a, turn++, turns, &e);
            e.pass = pass;
            clf_sort_tile_pass(&e, own.counts + pass * CLF_PARTS);
        }
    clf_sort_finish_turns(a, turns);
}
