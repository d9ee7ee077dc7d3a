/* SPDX-License-Identifier: MIT */
/*
 * network_cpu: words sorted by a CPU's vectors. They are a matrix of 16 columns, whose rows are vectors. Groups of
 * neighbouring columns, a power of two of them, are sorted each for itself. Batcher's bitonic merges sort each column,
 * then join pairs of columns, of pairs, and so on. Their first step is to compare with the mirrored place, so that all
 * steps go up. Steps within 16 rows are done in registers.
 *
 * A word is the key, where that is all there is to the value. Else it is the key and the place of the value, which is
 * kept.
 *
 * needs: nothing
 * provides: clf_network_*, CLF_NETWORK_*
 */
#include "digit/order.cl"

#if CLF_KEY_IS_VALUE && CLF_KEY_BYTES <= 8
typedef clf_key_bits clf_network_bits;
typedef uchar clf_network_kept; /* no values */
#define CLF_NETWORK_WORD(v, key, at, kept) (key)
#define CLF_NETWORK_VALUE(word, kept) clf_key_value(word)
#define CLF_NETWORK_INEXACT(key) (!clf_key_is_exact(key))
#else
typedef ulong clf_network_bits;
typedef clf_value clf_network_kept;
#define CLF_NETWORK_WORD(v, key, at, kept) ((kept)[at] = (v), (ulong)(key) << 32 | (at))
#define CLF_NETWORK_VALUE(word, kept) ((kept)[(uint)(word)])
#define CLF_NETWORK_INEXACT(key) false
#endif
typedef __attribute__((ext_vector_type(16))) clf_network_bits clf_network_row;
#define CLF_NETWORK_LANES ((clf_network_row)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

/* ---- Columns -------------------------------------------------------------------------------------------- */

static inline void clf_network_order(__private clf_network_row *lower, __private clf_network_row *upper)
{
    const clf_network_row a = *lower, b = *upper;
    *lower = min(a, b);
    *upper = max(a, b);
}

/* A step of 16 rows: each with the one whose number differs in these bits. */
CLF_INLINE void clf_network_step(__private clf_network_row *rows, uint bits)
{
    CLF_UNROLL for (uint r = 0; r < 16; ++r)
        if (r < (r ^ bits))
            clf_network_order(&rows[r], &rows[r ^ bits]);
}

CLF_INLINE void clf_network_load(__private const clf_network_row *rows, __private clf_network_row *to)
{
    CLF_UNROLL for (uint r = 0; r < 16; ++r)
        to[r] = rows[r];
}

static inline void clf_network_sort16(__private clf_network_row *rows)
{
    clf_network_row w[16];
    clf_network_load(rows, w);
    clf_network_step(w, 1);
    clf_network_step(w, 3);
    clf_network_step(w, 1);
    clf_network_step(w, 7);
    clf_network_step(w, 2);
    clf_network_step(w, 1);
    clf_network_step(w, 15);
    clf_network_step(w, 4);
    clf_network_step(w, 2);
    clf_network_step(w, 1);
    clf_network_load(w, rows);
}

static inline void clf_network_merge16(__private clf_network_row *rows)
{
    clf_network_row w[16];
    clf_network_load(rows, w);
    clf_network_step(w, 8);
    clf_network_step(w, 4);
    clf_network_step(w, 2);
    clf_network_step(w, 1);
    clf_network_load(w, rows);
}

/* The steps of a merge by rows so far apart, and less. */
static inline void clf_network_merge(__private clf_network_row *rows, uint count, uint apart)
{
    CLF_LOOP for (; apart >= 16; apart /= 2)
        CLF_LOOP for (uint first = 0; first < count; first += 2 * apart)
            CLF_LOOP for (uint r = first; r < first + apart; ++r)
                clf_network_order(&rows[r], &rows[r + apart]);
    CLF_LOOP for (uint first = 0; first < count; first += 16)
        clf_network_merge16(rows + first);
}

static inline void clf_network_sort_columns(__private clf_network_row *rows, uint count)
{
    CLF_LOOP for (uint first = 0; first < count; first += 16)
        clf_network_sort16(rows + first);
    CLF_LOOP for (uint size = 32; size <= count; size *= 2) {
        CLF_LOOP for (uint first = 0; first < count; first += size)
            CLF_LOOP for (uint r = 0; r < size / 2; ++r)
                clf_network_order(&rows[first + r], &rows[first + size - 1 - r]);
        clf_network_merge(rows, count, size / 4);
    }
}

/* ---- Pairs of columns ----------------------------------------------------------------------------------- */

/* The lanes whose numbers differ in these bits change places. (Swizzles of vectors end Oclgrind's process.) */
CLF_INLINE clf_network_row clf_network_swap(clf_network_row w, uint bits)
{
    if (bits & 1)
        w = (clf_network_row)(w.s1, w.s0, w.s3, w.s2, w.s5, w.s4, w.s7, w.s6, w.s9, w.s8, w.sb, w.sa, w.sd, w.sc, w.sf,
                              w.se);
    if (bits & 2)
        w = (clf_network_row)(w.s2, w.s3, w.s0, w.s1, w.s6, w.s7, w.s4, w.s5, w.sa, w.sb, w.s8, w.s9, w.se, w.sf, w.sc,
                              w.sd);
    if (bits & 4)
        w = (clf_network_row)(w.s4, w.s5, w.s6, w.s7, w.s0, w.s1, w.s2, w.s3, w.sc, w.sd, w.se, w.sf, w.s8, w.s9, w.sa,
                              w.sb);
    if (bits & 8)
        w = (clf_network_row)(w.s8, w.s9, w.sa, w.sb, w.sc, w.sd, w.se, w.sf, w.s0, w.s1, w.s2, w.s3, w.s4, w.s5, w.s6,
                              w.s7);
    return w;
}

/* Lanes without the bit get the lesser word. */
CLF_INLINE clf_network_row clf_network_pick(clf_network_row w, clf_network_row other, uint bit)
{
    return (CLF_NETWORK_LANES & bit) != 0 ? max(w, other) : min(w, other);
}

/* Lanes with the bit of each row without it change places with lanes without it of the row with it. */
CLF_INLINE void clf_network_turn_step(__private clf_network_row *rows, uint bit)
{
    CLF_UNROLL for (uint r = 0; r < 16; ++r)
        if (!(r & bit)) {
            const clf_network_row a = rows[r], b = rows[r ^ bit];
            rows[r] = (CLF_NETWORK_LANES & bit) != 0 ? clf_network_swap(b, bit) : a;
            rows[r ^ bit] = (CLF_NETWORK_LANES & bit) != 0 ? b : clf_network_swap(a, bit);
        }
}

/* Joins groups of so many columns in pairs. */
CLF_INLINE void clf_network_join(__private clf_network_row *rows, uint count, uint columns)
{
    CLF_LOOP for (uint r = 0; r < count / 2; ++r) {
        clf_network_row a = rows[r], b = rows[count - 1 - r];
        const clf_network_row a_swapped = clf_network_swap(a, 2 * columns - 1);
        a = clf_network_pick(a, clf_network_swap(b, 2 * columns - 1), columns);
        b = clf_network_pick(b, a_swapped, columns);
        CLF_UNROLL for (uint bit = 4; bit > 0; bit /= 2)
            if (bit < columns) {
                a = clf_network_pick(a, clf_network_swap(a, bit), bit);
                b = clf_network_pick(b, clf_network_swap(b, bit), bit);
            }
        rows[r] = a;
        rows[count - 1 - r] = b;
    }
    clf_network_merge(rows, count, count / 2);
}

/* Rows of each 16 become columns. */
static inline void clf_network_turn(__private clf_network_row *rows, uint count)
{
    CLF_LOOP for (uint first = 0; first < count; first += 16) {
        clf_network_row w[16];
        clf_network_load(rows + first, w);
        clf_network_turn_step(w, 8);
        clf_network_turn_step(w, 4);
        clf_network_turn_step(w, 2);
        clf_network_turn_step(w, 1);
        clf_network_load(w, rows + first);
    }
}

/* Each group of so many columns, which lie one behind the other: `count` rows, a power of two from 16 on. */
static inline void clf_network_sort(__private clf_network_row *rows, uint count, uint columns)
{
    if (columns < 16)
        clf_network_turn(rows, count);
    clf_network_sort_columns(rows, count);
    if (columns > 1)
        clf_network_join(rows, count, 1);
    if (columns > 2)
        clf_network_join(rows, count, 2);
    if (columns > 4)
        clf_network_join(rows, count, 4);
    if (columns > 8)
        clf_network_join(rows, count, 8);
    clf_network_turn(rows, count);
}
