/* SPDX-License-Identifier: MIT */
/*
 * digit_tile: a group splits a tile by digits. Its elements are ranked (digit_rank.cl). Each field is then collected in
 * local memory in order of digits, so every digit's elements are written contiguously.
 *
 *   clf_digit_together  the first field, when it is known where digits begin in the tile; then the caller sets s->to
 *   clf_digit_write     all fields
 *
 * needs: elements
 * provides: clf_digit_together, clf_digit_write
 */
#include "digit/digit_rank.cl"

#if CLF_DIGIT_OF_VALUE
#define CLF_DIGIT_KEEP(f, place, digit)
#define CLF_DIGIT_KEPT(k, x, name) clf_value_digit(e, (clf_value){.name = x})
#else
#define CLF_DIGIT_KEEP(f, place, digit) \
    if (f == 0) \
        s->digits[place] = (uchar)(digit);
#define CLF_DIGIT_KEPT(k, x, name) (s->digits[k] & (CLF_PARTS - 1)) /* anything where there is none */
#endif

/*
 * Those that lack go nowhere; or behind the tile, for so many conditions take PoCL 3.1 many minutes to compile, where
 * others would need registers for the places.
 */
#define CLF_IF_THERE(is) if (!CLF_LEAVES_EARLY || (is))
#define CLF_PLACE_IF(is, place) (CLF_LEAVES_EARLY || (is) ? (place) : CLF_TILE)

/* Fields that are not kept are read for the whole column first. */
#if CLF_FIRST_KEPT
#define CLF_FIELD_READ(f, type, name) \
    type again[CLF_ITEMS]; \
    if (f > 0) { \
        CLF_COLUMN_READ(again[j] = x.name;) \
    }
#define CLF_FIELD_OF(f, kept) (f > 0 ? again[j] : (kept))
#else
#define CLF_FIELD_READ(f, type, name)
#define CLF_FIELD_OF(f, kept) (kept)
#endif

/* Field f of the values, brought together; with the first one the digits, too. */
#define CLF_DIGIT_TOGETHER(f, type, name) \
    CLF_FIELD_READ(f, type, name) \
    CLF_UNROLL_COLUMN for (uint j = 0; j < (CLF_LEAVES_EARLY || count > 0 ? CLF_ITEMS : 0); ++j) { \
        const ulong i = first + min(clf_column_place(j), count - 1); \
        const uint digit = clf_ranked_digit(e, r, j); \
        const uint start = s->counters[clf_counter_at(clf_chain_of(j), digit)]; \
        const bool is = clf_is_below(clf_column_place(0), j * CLF_COLUMN_WIDTH, count); \
        const uint place = CLF_PLACE_IF(is, clf_forget(start + clf_ranked_rank(r, j, s))); \
        const clf_value v = clf_element_value(e, clf_ranked_element(e, r, i, j), i); \
        CLF_IF_THERE(is) \
        { \
            s->together.field##f[CLF_TOGETHER_AT(place)] = CLF_FIELD_OF(f, v.name); \
            CLF_DIGIT_KEEP(f, place, digit) \
        } \
    }

/* Of those brought together, the ones that this work-item writes: every CLF_GROUP-th. */
#if CLF_GROUP % 32 == 0
#define CLF_TOGETHER_MINE(f, j) \
    (s->together.field##f + CLF_TOGETHER_AT(clf_local_id()))[(j) * CLF_TOGETHER_AT(CLF_GROUP)]
#else
#define CLF_TOGETHER_MINE(f, j) s->together.field##f[CLF_TOGETHER_AT((j) * CLF_GROUP + clf_local_id())]
#endif

/* And written. */
#define CLF_DIGIT_FIELD(f, type, move, bytes, name) \
    if (f > 0) { \
        clf_group_sync(); \
        CLF_DIGIT_TOGETHER(f, type, name) \
        clf_group_sync(); \
        clf_digit_flush_##f(e, count, s); \
    }
/*
 * Where a store and nothing else has a condition, NVIDIA's compiler makes no branch: so what is not there is read, too,
 * and not written. Without lanes it is not read either.
 */
#define CLF_FORGET_int(x) (int)clf_forget((uint)(x))
#define CLF_FORGET_long(x) (long)(x)
#define CLF_DIGIT_STORE(f, type, place, name) \
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) { \
        const uint k = j * CLF_GROUP + clf_local_id(); \
        const bool is = clf_is_below(clf_local_id(), j * CLF_GROUP, count); \
        if (CLF_LANE_WIDTH > 1 || is) { \
            const type x = CLF_TOGETHER_MINE(f, j); \
            const place to = CLF_FORGET_##place(s->to[CLF_DIGIT_KEPT(k, x, name)]); \
            if (is) \
                (out + to)[j * CLF_GROUP] = x; \
        } \
    }
/* Places of 31 bits, where they are enough, take fewer instructions. They are of the tile, and so may be negative. */
#define CLF_DIGIT_FLUSH(f, type, move, bytes, name) \
    CLF_INLINE void clf_digit_flush_##f(const clf_elements *e, uint count, __local clf_digit_storage *s) \
    { \
        __global type *const out = clf_elements_out(e)->p##f + clf_local_id(); \
        if (e->a->size >> 31) { \
            CLF_DIGIT_STORE(f, type, long, name) \
        } else { \
            CLF_DIGIT_STORE(f, type, int, name) \
        } \
    }
CLF_VALUE_FIELDS(CLF_DIGIT_FLUSH)

#define CLF_DIGIT_FIRST(f, type, move, bytes, name) \
    if (f == 0) { \
        CLF_DIGIT_TOGETHER(f, type, name) \
    }

/* Before s->to is known: the first field, brought together. Synchronise before. */
CLF_INLINE void clf_digit_together(const clf_elements *e, ulong first, uint count, const clf_ranked *r,
                                   __local clf_digit_storage *s)
{
    CLF_VALUE_FIELDS(CLF_DIGIT_FIRST)
}

/* Writes it, and the others. Synchronise before. */
CLF_INLINE void clf_digit_write(const clf_elements *e, ulong first, uint count, const clf_ranked *r,
                                __local clf_digit_storage *s)
{
    clf_digit_flush_0(e, count, s);
    CLF_VALUE_FIELDS(CLF_DIGIT_FIELD)
}
