/* SPDX-License-Identifier: MIT */
/*
 * segments_cpu: segments sorted on CPU devices (segments.cl), where each work-group is one work-item, which has a tile:
 * a few elements at a time are put in order, and these runs merged, to and fro between where they are to be and the
 * other array.
 */
#include "sort/segments.cl"

enum { CLF_RUN = 16 };

/* The elements first … first + count - 1 of the input, in order. */
static inline void clf_run_sort(const clf_arguments *a, ulong first, uint count, const clf_outputs *to)
{
    clf_value values[CLF_RUN];
    clf_key_bits keys[CLF_RUN];
    uint places[CLF_RUN];
    CLF_LOOP for (uint k = 0; k < count; ++k) {
        values[k] = clf_sorted_input(a, first + k);
        const clf_key_bits key = clf_sorted_key(values[k]);
        uint at = k;
        CLF_LOOP while (at > 0 && key < keys[at - 1]) {
            keys[at] = keys[at - 1];
            places[at] = places[at - 1];
            --at;
        }
        keys[at] = key;
        places[at] = k;
    }
    CLF_LOOP for (uint k = 0; k < count; ++k)
        clf_output_at(to, first + k, values[places[k]]);
}

/* [left, left_end) and [right, right_end) as one, from `at` on. */
static inline void clf_run_merge(const clf_outputs *from, ulong left, ulong left_end, ulong right, ulong right_end,
                                 const clf_outputs *to, ulong at)
{
    clf_key_bits left_key = left < left_end ? clf_sorted_key_at(from, left) : 0;
    clf_key_bits right_key = right < right_end ? clf_sorted_key_at(from, right) : 0;
    CLF_LOOP while (left < left_end && right < right_end)
        if (left_key <= right_key) {
            clf_output_at(to, at++, clf_result_at(from, left++));
            left_key = left < left_end ? clf_sorted_key_at(from, left) : 0;
        } else {
            clf_output_at(to, at++, clf_result_at(from, right++));
            right_key = right < right_end ? clf_sorted_key_at(from, right) : 0;
        }
    CLF_LOOP while (left < left_end)
        clf_output_at(to, at++, clf_result_at(from, left++));
    CLF_LOOP while (right < right_end)
        clf_output_at(to, at++, clf_result_at(from, right++));
}

/* A segment, or the part of it in a tile, from the input to a->out or a->second. */
static inline void clf_segment_sort(const clf_arguments *a, ulong begin, ulong end, bool second)
{
    const ulong count = end - begin;
    const uint merges = count > CLF_RUN ? clf_log2_ceiling((uint)((count + CLF_RUN - 1) / CLF_RUN)) : 0;
    clf_outputs to;
    bool at_second = merges % 2 == 1 ? !second : second;
    clf_take_arrays(a, at_second, &to);
    CLF_LOOP for (ulong i = begin; i < end; i += CLF_RUN)
        clf_run_sort(a, i, (uint)min(end - i, (ulong)CLF_RUN), &to);
    CLF_LOOP for (ulong width = CLF_RUN; width < count; width *= 2) {
        clf_outputs from;
        clf_take_arrays(a, at_second, &from);
        at_second = !at_second;
        clf_take_arrays(a, at_second, &to);
        CLF_LOOP for (ulong i = begin; i < end; i += 2 * width)
            clf_run_merge(&from, i, min(i + width, end), min(i + width, end), min(i + 2 * width, end), &to, i);
    }
}

/* Where the segment of element i, which begins there, ends, or the tile does. */
static inline ulong clf_segment_end(const clf_arguments *a, ulong i, ulong end)
{
#if CLF_SEGMENT == 1
    return a->tiles > 1 ? end : min(i + a->size, end);
#else
    return i + 1 < end ? clf_next_head(a, i + 1, end) : end;
#endif
}

typedef uchar clf_segments_tiles_storage; /* none needed */
CLF_INLINE void clf_segments_tiles_body(const clf_arguments *a, __local clf_segments_tiles_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    const ulong end = clf_tile_end(a, tile);
    clf_piece piece[2];
    clf_join join;
    clf_pieces_of(a, tile, 0, piece, &join);
    CLF_LOOP for (ulong i = clf_tile_begin(a, tile), next; i < end; i = next) {
        next = clf_segment_end(a, i, end);
        const bool second = (i < piece[0].end && piece[0].turns % 2 == 1) ||
                            (i >= piece[1].begin && piece[1].turns % 2 == 1);
        clf_segment_sort(a, i, next, second);
    }
}

typedef uchar clf_segments_merge_storage; /* none needed */
CLF_INLINE void clf_segments_merge_body(const clf_arguments *a, __local clf_segments_merge_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    clf_piece piece[2];
    clf_join join;
    if (a->cuts[tile] == CLF_CUT_NONE)
        return;
    clf_pieces_of(a, tile, a->pass, piece, &join);
    for (uint k = 0; k < 2; ++k) {
        clf_outputs from, to;
        if (piece[k].begin >= piece[k].end || piece[k].turns <= a->pass)
            continue;
        clf_take_arrays(a, clf_piece_is_second(&piece[k], a->pass), &from);
        clf_take_arrays(a, !clf_piece_is_second(&piece[k], a->pass), &to);
        if (piece[k].joined) {
            const clf_cut cut = clf_cut_of(a, tile, &piece[k], &join);
            const ulong count = piece[k].end - piece[k].begin, lefts = cut.left_end - cut.left;
            clf_run_merge(&from, cut.left, cut.left_end, cut.right, cut.right + (count - lefts), &to, piece[k].begin);
        } else {
            CLF_LOOP for (ulong i = piece[k].begin; i < piece[k].end; ++i)
                clf_output_at(&to, i, clf_result_at(&from, i));
        }
    }
}
