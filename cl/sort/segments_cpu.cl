/* SPDX-License-Identifier: MIT */
/*
 * segments_cpu: segments sorted on CPU devices (segments.cl). Each work-group is one work-item, which has a tile. What
 * networks leave (segments_network_cpu.cl) is sorted otherwise. In a small segment each element counts those before it,
 * which compilers vectorise. A larger one is split by the digits of its keys, the lowest first, alternating between the
 * two arrays of the merge passes.
 *
 * needs: a->pass
 * provides: clf_segments_merge_body, clf_segments_tiles_body
 */
#include "sort/segments_network_cpu.cl"

/* So many elements are few: up to 2 KiB of them. */
#define CLF_SEGMENTS_FEW (CLF_VALUE_BYTES > 128 ? 16 : CLF_VALUE_BYTES > 16 ? 2048 / CLF_VALUE_BYTES : 128)

/* The elements begin … begin + count - 1 of the input, in order. */
static inline void clf_segment_rank(const clf_arguments *a, ulong begin, uint count, const clf_outputs *to)
{
    clf_value values[CLF_SEGMENTS_FEW];
    clf_key_bits keys[CLF_SEGMENTS_FEW];
    CLF_LOOP for (uint k = 0; k < count; ++k) {
        values[k] = clf_sorted_input(a, begin + k);
        keys[k] = clf_sorted_key(values[k] CLF_LESS_A);
    }
    CLF_LOOP for (uint k = 0; k < count; ++k) {
        uint before = 0;
        for (uint other = 0; other < k; ++other)
            before += CLF_KEY_AT_MOST(keys[other], keys[k]);
        for (uint other = k + 1; other < count; ++other)
            before += CLF_KEY_LESS(keys[other], keys[k]);
        clf_output_at(to, begin + before, values[k]);
    }
}

/* ---- Digit by digit ------------------------------------------------------------------------------------- */

typedef struct {
    uint counts[CLF_KEY_BYTES][CLF_PLACES_DIGITS];
} clf_digit_table;

static inline void clf_digits_count(const clf_arguments *a, ulong begin, ulong end, clf_digit_table *t)
{
    for (uint pass = 0; pass < CLF_KEY_BYTES; ++pass)
        for (uint digit = 0; digit < CLF_PLACES_DIGITS; ++digit)
            t->counts[pass][digit] = 0;
    CLF_LOOP for (ulong i = begin; i < end; ++i) {
        const clf_key_bits key = clf_sorted_key(clf_sorted_input(a, i) CLF_LESS_A);
        for (uint pass = 0; pass < CLF_KEY_BYTES; ++pass)
            ++t->counts[pass][clf_key_digit(key, pass)];
    }
}

/* A pass: from the input, or from an array. */
static inline void clf_digits_deal(const clf_arguments *a, ulong begin, ulong end, const clf_outputs *from, bool first,
                                   uint pass, uint counts[CLF_PLACES_DIGITS], const clf_outputs *to)
{
    clf_digit_places(counts, CLF_PLACES_DIGITS);
    CLF_LOOP for (ulong i = begin; i < end; ++i) {
        clf_value v;
        if (first)
            v = clf_sorted_input(a, i);
        else
            v = clf_result_at(from, i);
        clf_output_at(to, begin + counts[clf_key_digit(clf_sorted_key(v CLF_LESS_A), pass)]++, v);
    }
}

/* Digits that all keys share move none. */
static inline void clf_segment_deal(const clf_arguments *a, ulong begin, ulong end, bool second)
{
    clf_digit_table t;
    clf_outputs from, to;
    uint turns = 0;
    clf_digits_count(a, begin, end, &t);
    const clf_key_bits some = clf_sorted_key(clf_sorted_input(a, begin) CLF_LESS_A);
    for (uint pass = 0; pass < CLF_KEY_BYTES; ++pass) {
        if (t.counts[pass][clf_key_digit(some, pass)] == end - begin)
            continue;
        clf_take_arrays(a, clf_deal_is_second(turns), &from);
        clf_take_arrays(a, clf_deal_is_second(turns + 1), &to);
        if (turns == 0)
            clf_digits_deal(a, begin, end, &from, true, pass, t.counts[pass], &to);
        else
            clf_digits_deal(a, begin, end, &from, false, pass, t.counts[pass], &to);
        ++turns;
    }
    clf_take_arrays(a, clf_deal_is_second(turns), &from);
    clf_take_arrays(a, second, &to);
    if (turns == 0) {
        CLF_LOOP for (ulong i = begin; i < end; ++i)
            clf_output_at(&to, i, clf_sorted_input(a, i));
    } else if (second != clf_deal_is_second(turns)) {
        CLF_LOOP for (ulong i = begin; i < end; ++i)
            clf_output_at(&to, i, clf_result_at(&from, i));
    }
}

/* ---- Merging -------------------------------------------------------------------------------------------- */

/* [left, left_end) and [right, right_end) as one, from `at` on. */
static inline void clf_run_merge(const clf_outputs *from, ulong left, ulong left_end, ulong right, ulong right_end,
                                 const clf_outputs *to, ulong at CLF_LESS_PARAMETER)
{
    const clf_key_bits none = (clf_key_bits)0;
    clf_key_bits left_key = left < left_end ? clf_sorted_key_at(from, left CLF_LESS_C) : none;
    clf_key_bits right_key = right < right_end ? clf_sorted_key_at(from, right CLF_LESS_C) : none;
    CLF_LOOP while (left < left_end && right < right_end)
        if (CLF_KEY_AT_MOST(left_key, right_key)) {
            clf_output_at(to, at++, clf_result_at(from, left++));
            left_key = left < left_end ? clf_sorted_key_at(from, left CLF_LESS_C) : none;
        } else {
            clf_output_at(to, at++, clf_result_at(from, right++));
            right_key = right < right_end ? clf_sorted_key_at(from, right CLF_LESS_C) : none;
        }
    CLF_LOOP while (left < left_end)
        clf_output_at(to, at++, clf_result_at(from, left++));
    CLF_LOOP while (right < right_end)
        clf_output_at(to, at++, clf_result_at(from, right++));
}

/* ---- Kernels -------------------------------------------------------------------------------------------- */

/* A segment, or the part of it in a tile, from the input to a->out or a->second. */
static inline void clf_segment_sort(const clf_arguments *a, ulong begin, ulong end, bool second)
{
    clf_outputs to;
    clf_take_arrays(a, second, &to);
    if (end - begin <= CLF_SEGMENTS_FEW)
        clf_segment_rank(a, begin, (uint)(end - begin), &to);
    else
        clf_segment_deal(a, begin, end, second);
}

typedef uchar clf_segments_tiles_storage; /* none needed */
CLF_INLINE void clf_segments_tiles_body(const clf_arguments *a, __local clf_segments_tiles_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    const ulong end = clf_tile_end(a, tile);
    const clf_segments_turned turned = clf_segments_turned_of(a, tile);
    clf_network n;
    clf_network_batch b;
    CLF_LOOP for (ulong i = clf_tile_begin(a, tile); i < end; i = b.starts[b.count]) {
        const uint left = clf_network_next(a, i, end, &turned, &n, &b);
        CLF_LOOP for (uint s = 0; s < b.count; ++s)
            if (left >> s & 1)
                clf_segment_sort(a, b.starts[s], b.starts[s + 1], clf_goes_to_second(&turned, b.starts[s]));
    }
}

typedef uchar clf_segments_merge_storage; /* none needed */
CLF_INLINE void clf_segments_merge_body(const clf_arguments *a, __local clf_segments_merge_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    for (uint k = 0; k < CLF_PIECES; ++k) {
        const clf_segments_piece piece = clf_segments_piece_of(a, tile, k, a->pass);
        clf_outputs from, to;
        if (piece.begin >= piece.end || piece.turns <= a->pass)
            continue;
        clf_take_arrays(a, clf_segments_piece_is_second(&piece, a->pass), &from);
        clf_take_arrays(a, !clf_segments_piece_is_second(&piece, a->pass), &to);
        if (piece.joined) {
            const clf_segments_cut cut = clf_segments_cut_of(a, tile, k, &piece);
            const ulong count = piece.end - piece.begin, lefts = cut.left_end - cut.left;
            clf_run_merge(&from, cut.left, cut.left_end, cut.right, cut.right + (count - lefts), &to,
                          piece.begin CLF_LESS_A);
        } else
            clf_piece_copy(&piece, &from, &to);
    }
}
