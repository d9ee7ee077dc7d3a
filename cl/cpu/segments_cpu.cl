/* SPDX-License-Identifier: MIT */
/*
 * segments_cpu: segments by the vector, for operators with a vector form (vector.cl), which commute. The results of
 * CLF_VECTOR_WIDTH neighbouring segments are made at a time.
 *
 * Each segment gets an equal slot in one of several vectors. These are combined pairwise: neighbours within a vector
 * are combined, and two vectors become one, until one vector has the results in order. A slot has the next power of two
 * of elements, and its rest is neutral. From half a vector on, a slot is a whole vector, into which a segment of any
 * length is combined first.
 *
 * For other operators CLF_STREAMS short segments are combined side by side (side.cl).
 *
 * Vectors are read from where their first segment starts. That reads up to a vector less one element too far, so other
 * code takes the segments at the end of the array.
 *
 * needs: nothing
 * provides: clf_segments_reduce
 */
#include "cpu/range_cpu.cl"

#ifdef CLF_VECTOR_WIDTH

/* Elements of a vector, in slots that the neutral n fills up. */
#define CLF_SLOTS_1(v, n) (v)
#define CLF_SLOTS_2(v, n) (v)
#define CLF_SLOTS_4(v, n) (v)
#if CLF_VECTOR_WIDTH == 16
#define CLF_SLOTS_3(v, n) \
    (v.s0, v.s1, v.s2, n, v.s3, v.s4, v.s5, n, v.s6, v.s7, v.s8, n, v.s9, v.sa, v.sb, n)
#define CLF_SLOTS_5(v, n) \
    (v.s0, v.s1, v.s2, v.s3, v.s4, n, n, n, v.s5, v.s6, v.s7, v.s8, v.s9, n, n, n)
#define CLF_SLOTS_6(v, n) \
    (v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, n, n, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, n, n)
#define CLF_SLOTS_7(v, n) \
    (v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, n, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, n)
#define CLF_SLOTS_8(v, n) (v)
#else
#define CLF_SLOTS_3(v, n) (v.s0, v.s1, v.s2, n, v.s3, v.s4, v.s5, n)
#endif

/* Of two vectors one, a's places where the number has no bit d and b's elsewhere: elements d apart meet. */
#define CLF_SLOTS_MEET(d)                                                                \
    static inline clf_vector clf_slots_meet_##d(clf_vector a, clf_vector b)              \
    {                                                                                    \
        const clf_numbers second = (CLF_VECTOR_PLACES & (clf_number)d) != (clf_number)0; \
        const clf_vector here = second ? b : a, there = second ? a : b;                  \
        return clf_vector_combine(here, (clf_vector)CLF_VECTOR_SWAP_##d(there));         \
    }
CLF_SLOTS_MEET(1)
CLF_SLOTS_MEET(2)
CLF_SLOTS_MEET(4)
#if CLF_VECTOR_WIDTH == 16
CLF_SLOTS_MEET(8)
#endif

/* Vectors from number k on, each as read(p, k) gives it, made one. */
#define CLF_SLOTS_JOIN_1(read, p, k) read(p, k)
#define CLF_SLOTS_JOIN_2(read, p, k) clf_slots_meet_1(read(p, k), read(p, (k) + 1))
#define CLF_SLOTS_JOIN_4(read, p, k) \
    clf_slots_meet_2(CLF_SLOTS_JOIN_2(read, p, k), CLF_SLOTS_JOIN_2(read, p, (k) + 2))
#define CLF_SLOTS_JOIN_8(read, p, k) \
    clf_slots_meet_4(CLF_SLOTS_JOIN_4(read, p, k), CLF_SLOTS_JOIN_4(read, p, (k) + 4))
#define CLF_SLOTS_JOIN_16(read, p, k) \
    clf_slots_meet_8(CLF_SLOTS_JOIN_8(read, p, k), CLF_SLOTS_JOIN_8(read, p, (k) + 8))

/* The number of a place rotated by a bit. A vector's slots ended up as many places apart as there were vectors. */
#define CLF_SLOTS_TURN_1(v) (v)
#define CLF_SLOTS_TURN_2(v) clf_slots_turn(v)
#define CLF_SLOTS_TURN_4(v) clf_slots_turn(clf_slots_turn(v))
#define CLF_SLOTS_TURN_8(v) clf_slots_turn(clf_slots_turn(clf_slots_turn(v)))
static inline clf_vector clf_slots_turn(clf_vector v)
{
#if CLF_VECTOR_WIDTH == 16
    return (clf_vector)(v.s0, v.s2, v.s4, v.s6, v.s8, v.sa, v.sc, v.se, v.s1, v.s3, v.s5, v.s7, v.s9, v.sb, v.sd, v.sf);
#else
    return (clf_vector)(v.s0, v.s2, v.s4, v.s6, v.s1, v.s3, v.s5, v.s7);
#endif
}

/* Segments of `size` elements in slots of `slot`, as far as they fill vectors; returns the first that does not. */
#define CLF_SLOTS_FUNCTION(size, slot)                                                                      \
    static inline clf_vector clf_slots_read_##size(__global const CLF_VECTOR_ELEMENT *p, uint k)            \
    {                                                                                                       \
        const clf_vector v = clf_vector_whole(p + k * (CLF_VECTOR_WIDTH / slot * size));                    \
        return (clf_vector)CLF_SLOTS_##size(v, clf_neutral().CLF_VECTOR_FIELD);                             \
    }                                                                                                       \
    static inline ulong clf_slots_reduce_##size(const clf_arguments *a, ulong segment, ulong last)          \
    {                                                                                                       \
        const clf_vector initial = clf_vector_of(clf_initial(a));                                           \
        for (; last - segment >= CLF_VECTOR_WIDTH; segment += CLF_VECTOR_WIDTH) {                           \
            __global const CLF_VECTOR_ELEMENT *const p = a->in.p0 + segment * size;                         \
            const clf_vector v = CLF_SLOTS_TURN_##slot(CLF_SLOTS_JOIN_##slot(clf_slots_read_##size, p, 0)); \
            clf_vector_store(clf_vector_combine(initial, v), a->out.p0 + segment);                          \
        }                                                                                                   \
        return segment;                                                                                     \
    }
CLF_SLOTS_FUNCTION(1, 1)
CLF_SLOTS_FUNCTION(2, 2)
CLF_SLOTS_FUNCTION(3, 4)
CLF_SLOTS_FUNCTION(4, 4)
#if CLF_VECTOR_WIDTH == 16
CLF_SLOTS_FUNCTION(5, 8)
CLF_SLOTS_FUNCTION(6, 8)
CLF_SLOTS_FUNCTION(7, 8)
CLF_SLOTS_FUNCTION(8, 8)
#endif

/* Longer segments, each in a vector of its own. */
typedef struct {
    __global const CLF_VECTOR_ELEMENT *p;
    ulong size;
    clf_numbers rest; /* places for what does not fill a vector */
} clf_segments_rows;

static inline clf_vector clf_segments_row_end(const clf_segments_rows *r, ulong at)
{
    return r->rest ? CLF_VECTOR_LOAD(0, r->p + at) : clf_vector_of(clf_neutral());
}

/* Up to a vector. */
static inline clf_vector clf_segments_row_short(const clf_segments_rows *r, uint k)
{
    return clf_segments_row_end(r, k * r->size);
}

static inline clf_vector clf_segments_row_long(const clf_segments_rows *r, uint k)
{
    const ulong at = k * r->size, rest = r->size % CLF_VECTOR_WIDTH;
    const clf_vector sum = clf_vectors_reduce(r->p + at, r->size);
    return rest ? clf_vector_combine(sum, clf_segments_row_end(r, at + r->size - rest)) : sum;
}

static inline clf_vector clf_segments_row_read(const clf_vector *row, uint k)
{
    return row[k];
}

static inline clf_vector clf_segments_rows_reduce(const clf_segments_rows *r)
{
    clf_vector row[CLF_VECTOR_WIDTH];
    if (r->size <= CLF_VECTOR_WIDTH)
        return CLF_PASTE(CLF_SLOTS_JOIN_, CLF_VECTOR_WIDTH)(clf_segments_row_short, r, 0);
    for (uint k = 0; k < CLF_VECTOR_WIDTH; ++k)
        row[k] = clf_segments_row_long(r, k);
    return CLF_PASTE(CLF_SLOTS_JOIN_, CLF_VECTOR_WIDTH)(clf_segments_row_read, row, 0);
}

static inline ulong clf_segments_rows_reduce_all(const clf_arguments *a, ulong segment, ulong last)
{
    const clf_vector initial = clf_vector_of(clf_initial(a));
    const clf_numbers rest = CLF_VECTOR_PLACES <= (clf_number)((a->size - 1) % CLF_VECTOR_WIDTH);
    for (; last - segment >= CLF_VECTOR_WIDTH; segment += CLF_VECTOR_WIDTH) {
        const clf_segments_rows r = {a->in.p0 + segment * a->size, a->size, rest};
        clf_vector_store(clf_vector_combine(initial, clf_segments_rows_reduce(&r)), a->out.p0 + segment);
    }
    return segment;
}

static inline ulong clf_segments_reduce(const clf_arguments *a, ulong segment, ulong last)
{
    const ulong total = a->count * a->size;
    if (total < CLF_VECTOR_WIDTH || a->size == 0)
        return segment;
    last = max(segment, min(last, (total - CLF_VECTOR_WIDTH) / a->size)); /* no vector ends beyond the array */
    switch (a->size) {
    case 1: return clf_slots_reduce_1(a, segment, last);
    case 2: return clf_slots_reduce_2(a, segment, last);
    case 3: return clf_slots_reduce_3(a, segment, last);
    case 4: return clf_slots_reduce_4(a, segment, last);
#if CLF_VECTOR_WIDTH == 16
    case 5: return clf_slots_reduce_5(a, segment, last);
    case 6: return clf_slots_reduce_6(a, segment, last);
    case 7: return clf_slots_reduce_7(a, segment, last);
    case 8: return clf_slots_reduce_8(a, segment, last);
#endif
    default: return clf_segments_rows_reduce_all(a, segment, last);
    }
}

#else

/* One field alone is cheaper to combine one by one than to lay out; and extra outputs would be scattered. */
static inline ulong clf_segments_reduce(const clf_arguments *a, ulong segment, ulong last)
{
    enum { LONGEST = 64 };
    const ulong longest = CLF_HAS_EXTRA ? 0 : CLF_VALUE_COUNT > 1 ? LONGEST : 0;
    const ulong near = min(a->size & -a->size, (ulong)CLF_SIDE_NEAR), many = near < 4 ? 0 : a->size / near;
    const bool is_near = many - 1 < (CLF_STREAMS > 1 ? CLF_STREAMS : 0);
    if ((CLF_EXTREMES && a->size == 0) || a->size > min(longest, is_near ? (ulong)LONGEST : CLF_SIDE_ROWS))
        return segment;
    for (; last - segment >= CLF_STREAMS; segment += CLF_STREAMS) {
        clf_sides part;
        if (is_near)
            clf_sides_near_segments(a, segment * a->size, (uint)many, (uint)near, &part);
        else
            clf_sides_segments(a, segment * a->size, &part);
        for (uint k = 0; k < CLF_STREAMS; ++k)
            clf_output_at(&a->out, segment + k,
                          CLF_FINISHED(clf_finish_sum(a, clf_side_get(&part, k), segment + k), clf_side_get(&part, k)));
    }
    return segment;
}

#endif
