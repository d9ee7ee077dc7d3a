/* SPDX-License-Identifier: MIT */
/*
 * counting: a sort of keys of 8 or 16 bits without payload. Equal keys have equal bits, so their numbers are enough.
 * Four launches:
 *
 *   count    how often each key is there in each of a->chunks chunks of the input          reads n
 *   sum      in all of them
 *   starts   where each key begins in the output
 *   fill     keys are written, from their starts on                                         writes n
 *
 *   tile_counts   uint: [chunk][bits of a key]
 *   places        ulong: of all chunks, in the order of keys; then what neighbours of CLF_COUNTING_SIDE keys add up to
 *   starts        ulong: where each key begins, in their order, and the number of elements
 *
 * needs: a->starts, a->tile_counts
 * provides: clf_counted_*, CLF_COUNTED_KEYS, clf_key_word
 */
#include "digit/order.cl"

#if CLF_KEY_BYTES > 2 || !CLF_KEY_IS_VALUE || !CLF_KEY_INVERTIBLE
#error "only keys of up to 16 bits alone, each a place of its own in their order, are sorted by counting"
#endif

enum { CLF_COUNTED_KEYS = 1 << 8 * CLF_KEY_BYTES };

#if CLF_KEY_BYTES == 1
typedef uchar clf_key_word;
#else
typedef ushort clf_key_word;
#endif

static inline uint clf_counted_key(const clf_arguments *a, clf_input x, ulong index)
{
    clf_extra none;
    return clf_value_key(clf_value_copy(clf_map_at(a, x, index, &none)) CLF_LESS_A);
}

/* Elements of a chunk; all but the last are equal, and begin as aligned as the input. */
typedef struct {
    ulong from, to;
} clf_counted_range;

static inline clf_counted_range clf_counted_share(ulong size, uint share, uint shares)
{
    enum { ALIGNED = 64 };
    const ulong each = ((size + shares - 1) / shares + ALIGNED - 1) / ALIGNED * ALIGNED;
    clf_counted_range r;
    r.from = min(share * each, size);
    r.to = min(r.from + each, size);
    return r;
}

static inline __global uint *clf_counted_table(const clf_arguments *a, uint chunk)
{
    return a->tile_counts + (size_t)chunk * CLF_COUNTED_KEYS;
}

/* ---- Runs of the output ---------------------------------------------------------------------------------- */

/* The keys, by their places in their order, that the output has at two places below the number of elements. */
static inline void clf_counted_keys_at(const clf_arguments *a, ulong at, ulong other, uint *key, uint *other_key)
{
    uint k = 0, l = 0;
    CLF_LOOP for (uint step = CLF_COUNTED_KEYS / 2; step > 0; step >>= 1) {
        const ulong start = a->starts[k + step], other_start = a->starts[l + step];
        k += start <= at ? step : 0;
        l += other_start <= other ? step : 0;
    }
    *key = k;
    *other_key = l;
}

static inline uint clf_counted_key_at(const clf_arguments *a, ulong at)
{
    uint key, other;
    clf_counted_keys_at(a, at, at, &key, &other);
    return key;
}

static inline clf_key_word clf_counted_bits(uint k)
{
    return (clf_key_word)clf_key_from_ordered(k);
}

static inline __global clf_key_word *clf_counted_output(const clf_arguments *a)
{
    return (__global clf_key_word *)a->out.p0;
}
