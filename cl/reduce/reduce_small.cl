/* SPDX-License-Identifier: MIT */
/*
 * reduce_small: many segments, none longer than a stretch: each unit (lane.cl) takes as many whole
 * ones as fit. No messages, no flags, no scan: which work-item combines what is plain arithmetic.
 *
 * Short segments go to one work-item each, in turns; longer ones to a run of several with an equal share each. The host
 * deals them out (src/primitives/reduce.c): a->segments is how many a unit takes, a->width how many work-items a
 * segment. One 64-bit multiplication per work-item, all else in 32 bits.
 *
 *   clf_reduce_small   any such segments
 *   clf_reduce_tiny    of elements of 1 or 2 bytes, a power of two that fits a vector
 *
 * needs: a->segments, a->width
 * provides: clf_reduce_small_body, clf_reduce_tiny_body
 */
#define CLF_STRETCH_PAD 4
#include "group/range.cl"

typedef clf_stretch_storage clf_reduce_small_storage;
typedef struct {
    uint none;
} clf_reduce_tiny_storage;

/* Which work-item combines what. */
typedef struct {
    uint size, segments; /* of the unit */
    uint width;          /* work-items per segment */
    uint from, to;       /* this work-item's part of each segment */
} clf_small;

/*
 * Short segments of small elements have code of their own for each size, and those of whole chunks, where an operator
 * is cheap: what is left to do per segment is little. Not where an input is as wide as a word: its stretch
 * (CLF_X_PITCH) has no room for so much padding.
 */
#define CLF_ADD_WIDE(f, type, move, bytes, name) + (bytes >= 4)
#define CLF_WIDE_INPUTS (0 CLF_INPUT_FIELDS(CLF_ADD_WIDE))
#define CLF_SIZES_APART \
    (CLF_STRETCH_PACK_WORDS && CLF_STRETCH_PACK > 1 && CLF_CHUNK == 4 * CLF_STRETCH_PACK && CLF_LANE_WIDTH > 1 && \
     CLF_VALUE_WORDS <= 2 && \
     CLF_WIDE_INPUTS == 0)

/* Padding for runs of `length` elements, one after the other, of segments of `size`. */
#if CLF_STRETCH_PACK_WORDS && CLF_STRETCH_PACK > 1

/* A vector after each 8 for chunks; a word for others of some words, and where vectors are spread over elements. */
static inline uint clf_small_pad(const clf_arguments *a, ulong first, uint size, uint length)
{
    const bool apart = clf_inputs_head(&a->in, first) != 0;
    if (CLF_SIZES_APART && size == length && size % CLF_CHUNK == 0 && !apart)
        return 4;
    return apart || length % (4 * CLF_STRETCH_PACK) == 0;
}

#else

/* Every 31 words, and one of padding, would be all in one bank. */
static inline uint clf_small_pad(const clf_arguments *a, ulong first, uint size, uint length)
{
    return length % 31 && (size % 31 || size > 93);
}

#endif

#if CLF_SIZES_APART

/* Segments of `size` elements, a constant where this is inlined. */
static inline void clf_small_few(const clf_arguments *a, clf_small u, uint size, ulong first, ulong segment,
                                 __local clf_stretches *data)
{
    for (uint k = clf_unit_lane(); k < u.segments; k += CLF_UNIT)
        clf_segment_done(a, segment + k, clf_run_few(a, first, k * size, size, 0, data));
}

#endif

/* Combines this work-item's parts: a value for each segment that it has alone, or one of all. */
static inline clf_value clf_small_combine(const clf_arguments *a, clf_small u, ulong first, ulong segment, uint pad,
                                          __local clf_stretches *data)
{
    clf_value v = clf_neutral();
#if CLF_SIZES_APART
    if (pad == 0 && u.size - 1 < CLF_APART_MOST) {
        CLF_UNROLL for (uint n = 1; n <= CLF_APART_MOST; ++n)
            if (n == u.size)
                clf_small_few(a, u, n, first, segment, data);
        return v;
    }
    if (pad == 4) {
        for (uint k = clf_unit_lane(); k < u.segments; k += CLF_UNIT)
            clf_segment_done(a, segment + k, clf_chunks_reduce(a, first, k * u.size, u.size, pad, data));
        return v;
    }
#endif
    for (uint k = clf_unit_lane() / u.width; k < u.segments; k += CLF_UNIT / u.width) {
        v = clf_run_reduce(a, first, k * u.size + u.from, k * u.size + u.to, pad, data);
        if (u.width == 1)
            clf_segment_done(a, segment + k, v);
    }
    return v;
}

CLF_INLINE void clf_reduce_small_body(const clf_arguments *a, __local clf_reduce_small_storage *s)
{
    const uint size = (uint)a->size, lane = clf_unit_lane(), width = a->width;
    const ulong segment = min(((ulong)get_group_id(0) * CLF_UNITS + clf_unit_id()) * a->segments, a->count);
    const uint segments = (uint)min(a->count - segment, (ulong)a->segments);
    const ulong first = segment * size;
    const uint share = (size + width - 1) / width;
    const uint length = CLF_STRETCH_PACK_WORDS ? (share + CLF_STRETCH_PACK - 1) / CLF_STRETCH_PACK * CLF_STRETCH_PACK
                                               : share;
    const uint pad = clf_small_pad(a, first, size, CLF_STRETCH_PACK_WORDS && width == 1 ? size : length);
    clf_value v;
#if CLF_STRETCH_PACK_WORDS && CLF_STRETCH_PACK > 1 && CLF_LANE_WIDTH > 1
    if (pad == 4)
        clf_stretches_fetch(&a->in, first, segments * size, 4, &s->data);
    else if (pad)
        clf_stretches_fetch(&a->in, first, segments * size, 1, &s->data);
    else
        clf_stretches_fetch(&a->in, first, segments * size, 0, &s->data);
    clf_unit_sync();
#else
    clf_stretches_fetch(&a->in, first, segments * size, pad, &s->data);
    clf_unit_sync();
#endif
    const uint run = lane / width, part = lane % width, from = min(part * length, size);
    const clf_small u = {size, segments, width, from, min(from + length, size)};
#if CLF_STRETCH_PACK_WORDS && CLF_STRETCH_PACK > 1 && CLF_LANE_WIDTH > 1
    if (pad == 4)
        v = clf_small_combine(a, u, first, segment, 4, &s->data);
    else if (pad)
        v = clf_small_combine(a, u, first, segment, 1, &s->data);
    else
        v = clf_small_combine(a, u, first, segment, 0, &s->data);
#else
    v = clf_small_combine(a, u, first, segment, pad, &s->data);
#endif
    v = clf_run_total(v, part, &s->reduce CLF_COMBINE_A);
    if (width > 1 && part == width - 1 && run < segments)
        clf_segment_done(a, segment + run, v);
    if (CLF_HAS_EXTRA) {
        clf_unit_sync();
        clf_stretches_flush(&a->out, first, segments * size, pad, &s->data);
    }
}

/* ---- Segments that fit a vector ------------------------------------------------------------------------ */

#if CLF_STRIPED && CLF_STRETCH_PACK_WORDS && CLF_STRETCH_PACK > 1

/* Each 1 << shift neighbours combined: results in the first places. */
static inline void clf_chunk_fold(clf_value v[CLF_CHUNK], uint shift CLF_COMBINE_PARAMETER)
{
    CLF_UNROLL for (uint d = 1; d < CLF_CHUNK; d <<= 1)
        if (d >> shift == 0)
            CLF_UNROLL for (uint j = 0; j < CLF_CHUNK / 2; ++j)
                if (j * 2 * d < CLF_CHUNK)
                    v[j] = clf_combine(v[2 * j], v[2 * j + 1]);
}

/* The segments of chunk c. */
static inline void clf_chunk_done(const clf_arguments *a, const clf_packed *chunk, ulong c, uint shift)
{
    clf_input x[CLF_CHUNK];
    clf_value v[CLF_CHUNK];
    clf_extra extra;
    clf_packed_split(chunk, x);
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        v[k] = clf_map_at(a, x[k], c * CLF_CHUNK + k CLF_NUMBERED_AT(a, c * CLF_CHUNK + k), &extra);
    clf_chunk_fold(v, shift CLF_COMBINE_A);
    if (a->flags & CLF_ARG_INITIAL)
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            if (k < CLF_CHUNK >> shift)
                v[k] = clf_combine(clf_initial(a), v[k]);
    CLF_WHERE_FINISHED(clf_result finished[CLF_CHUNK];
                       CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) if (k < CLF_CHUNK >> shift)
                           finished[k] = clf_finish_sum(a, v[k], (c * CLF_CHUNK >> shift) + k);)
    clf_results_store_some(&a->out, c * CLF_CHUNK >> shift, CLF_CHUNK >> shift, CLF_FINISHED(finished, v));
}

/* Chunks first, first + CLF_GROUP … before `end`, by a work-item. */
static inline void clf_chunks_done(const clf_arguments *a, ulong first, ulong end, uint shift)
{
    enum { AT_A_TIME = 4 };
    for (; first < end; first += AT_A_TIME * CLF_GROUP) {
        clf_packed x[AT_A_TIME];
        CLF_UNROLL for (uint j = 0; j < AT_A_TIME; ++j)
            if (first + j * CLF_GROUP < end)
                clf_packed_load(&a->in, (first + j * CLF_GROUP) * CLF_CHUNK, true, &x[j]);
        CLF_UNROLL for (uint j = 0; j < AT_A_TIME; ++j)
            if (first + j * CLF_GROUP < end)
                clf_chunk_done(a, &x[j], first + j * CLF_GROUP, shift);
    }
}

/* Do segments fit chunks, and chunks the arrays? */
static inline bool clf_chunks_fit(const clf_arguments *a)
{
    return a->size - 1 < CLF_CHUNK && (a->size & (a->size - 1)) == 0 && clf_inputs_head(&a->in, 0) == 0 &&
           clf_inputs_aligned(&a->in, 0) && clf_results_aligned(&a->out, 0);
}

#endif

/*
 * Every chunk (tile.cl) has whole segments, which are combined in registers, and their results are stored together.
 * The group has CLF_TILE elements. What is left behind the chunks goes segment by segment, and so does everything
 * where arrays are aligned otherwise.
 */
CLF_INLINE void clf_reduce_tiny_body(const clf_arguments *a, __local clf_reduce_tiny_storage *s)
{
    ulong done = 0;
#if CLF_STRIPED && CLF_STRETCH_PACK_WORDS && CLF_STRETCH_PACK > 1
    if (clf_chunks_fit(a)) {
        const uint shift = clf_highest((uint)a->size), each = CLF_TILE / CLF_CHUNK;
        const ulong chunks = a->count * a->size / CLF_CHUNK, first = get_group_id(0) * each;
#if CLF_SIZES_APART
        switch (shift) {
        case 0: clf_chunks_done(a, first + clf_local_id(), min(first + each, chunks), 0); break;
        case 1: clf_chunks_done(a, first + clf_local_id(), min(first + each, chunks), 1); break;
        case 2: clf_chunks_done(a, first + clf_local_id(), min(first + each, chunks), 2); break;
        case 3: clf_chunks_done(a, first + clf_local_id(), min(first + each, chunks), 3); break;
        default: clf_chunks_done(a, first + clf_local_id(), min(first + each, chunks), 4);
        }
#else
        clf_chunks_done(a, first + clf_local_id(), min(first + each, chunks), shift);
#endif
        done = chunks * CLF_CHUNK >> shift;
    }
#endif
    const ulong mine = get_group_id(0) * CLF_GROUP + clf_local_id(), all = get_num_groups(0) * CLF_GROUP;
    for (ulong k = done + mine; k < a->count; k += all) {
        clf_value v = clf_neutral();
        for (ulong i = 0; i < a->size; ++i)
            v = clf_combine(v, clf_value_at(a, k * a->size + i));
        clf_segment_done(a, k, v);
    }
}
