/* SPDX-License-Identifier: MIT */
/*
 * side: elements combined side by side by one work-item of a CPU, whatever the operator.
 *
 * CLF_STREAMS values lie field by field in arrays (clf_sides). Combinations in a loop over them are independent, so
 * compilers vectorise it. There are three uses:
 *
 *   in order    a value is the aggregate of CLF_SIDE_NEAR neighbouring elements (compilers read vectors of elements
 *               that many apart, but no more); then CLF_SIDE_NEAR neighbouring values are combined
 *   any order   for many elements: each goes to the next value, round-robin
 *   segments    each short segment has a value
 *
 * needs: CLF_SIDE_ELEMENT, CLF_STREAMS
 * provides: CLF_SIDE_FIELD, clf_input_*, clf_side_*, CLF_SIDE_NEAR, CLF_SIDE_ROWS, clf_sides, clf_sides_*segments
 */
#include "memory/wrapper.cl"

#if defined(CLF_STREAMS) && CLF_STREAMS > 0

/* Neighbours: compilers know how to read 4 of 8 bytes, or 8 of up to 4; others they gather one by one. */
enum {
    CLF_SIDE_SIZES = 0 CLF_INPUT_FIELDS(CLF_OR_BYTES) CLF_VALUE_FIELDS(CLF_OR_BYTES),
    CLF_SIDE_NEAR = CLF_SIDE_SIZES < 8 ? 8 : 4
};

#define CLF_SIDE_FIELD(f, type, move, bytes, name) type name[CLF_STREAMS];
#define CLF_SIDE_GET(f, type, move, bytes, name) v.name = s->name[k];
#define CLF_SIDE_SET(f, type, move, bytes, name) s->name[k] = v.name;

/* Values side by side. */
typedef struct {
    CLF_VALUE_FIELDS(CLF_SIDE_FIELD)
} clf_sides;

static inline clf_value clf_side_get(const clf_sides *s, ulong k)
{
    clf_value v;
    CLF_VALUE_FIELDS(CLF_SIDE_GET)
    return v;
}

static inline void clf_side_set(clf_sides *s, ulong k, clf_value v)
{
    CLF_VALUE_FIELDS(CLF_SIDE_SET)
}

/* Inputs side by side. */
typedef struct {
    CLF_INPUT_FIELDS(CLF_SIDE_FIELD) CLF_INPUT_NONE
} clf_input_sides;

static inline clf_input clf_input_side_get(const clf_input_sides *s, ulong k)
{
    clf_input v;
    CLF_INPUT_FIELDS(CLF_SIDE_GET)
    return v;
}

static inline void clf_input_side_set(clf_input_sides *s, ulong k, clf_input v)
{
    CLF_INPUT_FIELDS(CLF_SIDE_SET)
}

/* Elements, at most, of segments that are combined side by side: their inputs take 64 KB at most. */
enum {
    CLF_SIDE_FIT = 65535 / sizeof(clf_input_sides) + 1,
    CLF_SIDE_ROWS = CLF_SIDE_FIT < 63 ? CLF_SIDE_FIT : 63
};

/* What ranges are combined of. */
#ifndef CLF_SIDE_ELEMENT
#define CLF_SIDE_ELEMENT clf_element_reduce
#endif

/* The value of element i, which is x; its extra outputs are written. */
static inline clf_value clf_input_reduce(const clf_arguments *a, clf_input x, ulong i)
{
    clf_extra extra;
    const clf_value v = clf_map_at(a, x, i CLF_NUMBERED_AT(a, i), &extra);
    clf_extra_at(&a->out, i, extra);
    return v;
}

static inline clf_value clf_element_reduce(const clf_arguments *a, ulong i)
{
    return clf_input_reduce(a, clf_input_at(&a->in, i), i);
}

static inline clf_value clf_elements_reduce(const clf_arguments *a, ulong at, ulong end, clf_value sum)
{
    for (; at < end; ++at)
        sum = clf_combine(sum, CLF_SIDE_ELEMENT(a, at));
    return sum;
}

/* Neighbours from i on combined in order, each as get(p, i) gives it. */
#define CLF_NEAR_2(get, p, i) clf_combine(get(p, i), get(p, (i) + 1))
#define CLF_NEAR_4(get, p, i) clf_combine(CLF_NEAR_2(get, p, i), CLF_NEAR_2(get, p, (i) + 2))
#define CLF_NEAR_8(get, p, i) clf_combine(CLF_NEAR_4(get, p, i), CLF_NEAR_4(get, p, (i) + 4))
#define CLF_NEAR_ALL(get, p, i) (CLF_SIDE_NEAR == 4 ? CLF_NEAR_4(get, p, i) : CLF_NEAR_8(get, p, i))

/* The first `count` values combined in order, behind a sum. */
static inline clf_value clf_sides_total(const clf_sides *part, uint count, clf_value sum CLF_COMBINE_PARAMETER)
{
    const uint most = count / CLF_SIDE_NEAR;
    clf_sides near;
    for (ulong k = 0; k < most; ++k)
        clf_side_set(&near, k, CLF_NEAR_ALL(clf_side_get, part, k * CLF_SIDE_NEAR));
    for (uint k = 0; k < most; ++k)
        sum = clf_combine(sum, clf_side_get(&near, k));
    for (uint k = most * CLF_SIDE_NEAR; k < count; ++k)
        sum = clf_combine(sum, clf_side_get(part, k));
    return sum;
}

/* CLF_SIDE_NEAR times `count` elements combined in order, behind a sum. */
static inline clf_value clf_sides_reduce(const clf_arguments *a, ulong at, uint count, clf_value sum)
{
    clf_sides part;
    for (ulong k = 0; k < count; ++k)
        clf_side_set(&part, k, CLF_NEAR_ALL(CLF_SIDE_ELEMENT, a, at + k * CLF_SIDE_NEAR));
    return clf_sides_total(&part, count, sum CLF_COMBINE_A);
}

/* Any elements in order. */
static inline clf_value clf_near_reduce(const clf_arguments *a, ulong at, ulong end)
{
    enum { BLOCK = CLF_STREAMS * CLF_SIDE_NEAR };
    clf_value sum = clf_neutral();
    for (; end - at >= BLOCK; at += BLOCK)
        sum = clf_sides_reduce(a, at, CLF_STREAMS, sum);
    const uint count = (uint)(end - at) / CLF_SIDE_NEAR;
    sum = clf_sides_reduce(a, at, count, sum);
    return clf_elements_reduce(a, at + count * CLF_SIDE_NEAR, end, sum);
}

/* Adds `count` elements, one to each value. */
static inline void clf_sides_add(const clf_arguments *a, ulong at, uint count, clf_sides *part)
{
    for (ulong k = 0; k < count; ++k)
        clf_side_set(part, k, clf_combine(clf_side_get(part, k), CLF_SIDE_ELEMENT(a, at + k)));
}

/* All values in any order: those CLF_STREAMS / CLF_SIDE_NEAR apart meet, and what is left is combined one by one. */
static inline clf_value clf_sides_meet(clf_sides *part CLF_COMBINE_PARAMETER)
{
    enum { FEW = CLF_STREAMS / CLF_SIDE_NEAR };
    clf_value sum = clf_neutral();
    for (ulong j = FEW; j < FEW * CLF_SIDE_NEAR; j += FEW)
        for (ulong k = 0; k < FEW; ++k)
            clf_side_set(part, k, clf_combine(clf_side_get(part, k), clf_side_get(part, j + k)));
    for (uint k = 0; k < FEW; ++k)
        sum = clf_combine(sum, clf_side_get(part, k));
    for (uint k = FEW * CLF_SIDE_NEAR; k < CLF_STREAMS; ++k)
        sum = clf_combine(sum, clf_side_get(part, k));
    return sum;
}

/* Many elements in any order. */
static inline clf_value clf_far_reduce(const clf_arguments *a, ulong at, ulong end)
{
    clf_sides part;
    for (ulong k = 0; k < CLF_STREAMS; ++k)
        clf_side_set(&part, k, clf_neutral());
    for (; end - at >= CLF_STREAMS; at += CLF_STREAMS)
        clf_sides_add(a, at, CLF_STREAMS, &part);
    clf_sides_add(a, at, (uint)(end - at), &part);
    return clf_sides_meet(&part CLF_COMBINE_A);
}

/* Elements of a block; for one value, one by one: what a combination costs may fall along the chain. */
static inline clf_value clf_side_block(const clf_arguments *a, ulong at, ulong end)
{
    if (CLF_STREAMS == 1)
        return clf_elements_reduce(a, at, end, clf_neutral());
    return CLF_COMMUTATIVE && end - at >= 3 * CLF_STREAMS ? clf_far_reduce(a, at, end) : clf_near_reduce(a, at, end);
}

/* Any elements, in blocks that are no long chains: at the end of such floating sums lose what is small beside them. */
static inline clf_value clf_side_reduce(const clf_arguments *a, ulong at, ulong end)
{
    enum { BLOCK = 256 * CLF_STREAMS };
    if (end - at <= BLOCK)
        return clf_side_block(a, at, end);
    clf_value sum = clf_neutral();
    for (; at < end; at += min(end - at, (ulong)BLOCK))
        sum = clf_combine(sum, clf_side_block(a, at, min(end, at + BLOCK)));
    return sum;
}

/* So few columns compilers know how to tell apart. */
#define CLF_SIDES_LAY(unroll, size) \
    for (ulong k = 0; k < CLF_STREAMS; ++k) \
        unroll for (uint j = 0; j < size; ++j) \
            clf_input_side_set(row + j, k, clf_input_at(&a->in, at + k * size + j));

/*
 * CLF_STREAMS segments of up to CLF_SIDE_ROWS elements from element `at` on, a value each. Their inputs are first laid
 * out side by side: compilers would gather them, which costs more.
 */
static inline void clf_sides_segments(const clf_arguments *a, ulong at, clf_sides *part)
{
    const uint size = (uint)a->size;
    clf_input_sides row[CLF_SIDE_ROWS];
    switch (size) {
    case 1: CLF_SIDES_LAY(CLF_UNROLL, 1) break;
    case 2: CLF_SIDES_LAY(CLF_UNROLL, 2) break;
    case 3: CLF_SIDES_LAY(CLF_UNROLL, 3) break;
    case 5: CLF_SIDES_LAY(CLF_UNROLL, 5) break;
    case 6: CLF_SIDES_LAY(CLF_UNROLL, 6) break;
    case 7: CLF_SIDES_LAY(CLF_UNROLL, 7) break;
    default: CLF_SIDES_LAY(, size)
    }
    for (uint k = 0; k < CLF_STREAMS; ++k)
        clf_side_set(part, k, clf_initial(a));
    for (uint j = 0; j < size; ++j)
        for (uint k = 0; k < CLF_STREAMS; ++k) {
            const clf_value v = clf_input_reduce(a, clf_input_side_get(row + j, k), at + k * size + j);
            clf_side_set(part, k, clf_combine(clf_side_get(part, k), v));
        }
}

#define CLF_SIDES_NEAR(near) \
    for (ulong k = 0; k < whole * many; ++k) \
        clf_side_set(&first, k, CLF_NEAR_##near(CLF_SIDE_ELEMENT, a, at + k * near));
#define CLF_SIDES_MANY(unroll, many) \
    for (ulong k = 0; k < whole; ++k) { \
        clf_value v = clf_side_get(&first, k * many); \
        unroll for (uint j = 1; j < many; ++j) \
            v = clf_combine(v, clf_side_get(&first, k * many + j)); \
        clf_side_set(part, done + k, v); \
    }

/* The same, where each is `many` times `near` neighbours, 4 or 8: these are combined first, of all segments alike. */
static inline void clf_sides_near_segments(const clf_arguments *a, ulong at, uint many, uint near, clf_sides *part)
{
    clf_sides first;
    for (uint whole, done = 0; done < CLF_STREAMS; done += whole, at += whole * a->size) {
        whole = min(CLF_STREAMS / many, CLF_STREAMS - done);
        if (near == 4)
            CLF_SIDES_NEAR(4)
        else
            CLF_SIDES_NEAR(8)
        switch (many) {
        case 1: CLF_SIDES_MANY(CLF_UNROLL, 1) break;
        case 2: CLF_SIDES_MANY(CLF_UNROLL, 2) break;
        case 3: CLF_SIDES_MANY(CLF_UNROLL, 3) break;
        case 4: CLF_SIDES_MANY(CLF_UNROLL, 4) break;
        case 8: CLF_SIDES_MANY(CLF_UNROLL, 8) break;
        default: CLF_SIDES_MANY(, many)
        }
    }
    for (uint k = 0; k < CLF_STREAMS; ++k)
        clf_side_set(part, k, clf_combine(clf_initial(a), clf_side_get(part, k)));
}

#endif
