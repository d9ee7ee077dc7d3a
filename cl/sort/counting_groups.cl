/* SPDX-License-Identifier: MIT */
/*
 * counting_groups: a sort by counting (counting.cl): what comes behind the count.
 *
 * needs: a->chunks, a->places, a->starts
 * provides: clf_counting_fill_body, clf_counting_starts_body, clf_counting_sum_body
 */
#include "sort/counting_count.cl"
#include "group/count.cl"

/* ---- Sum ------------------------------------------------------------------------------------------------- */

/* A group has so many keys, in their order, side by side, and each has so many work-items, with so many loads ahead. */
enum {
    CLF_COUNTING_SIDE_MOST = CLF_KEY_BYTES == 1 ? 4 : 64,
    CLF_COUNTING_SIDE = CLF_GROUP >= CLF_COUNTING_SIDE_MOST ? CLF_COUNTING_SIDE_MOST
                        : CLF_GROUP >= 32                   ? 32
                        : CLF_GROUP >= 8                    ? 8
                                                            : 2,
    CLF_TEAM = CLF_GROUP / CLF_COUNTING_SIDE,
    CLF_SUMS_AHEAD = 8
};

typedef struct {
    ulong sums[CLF_GROUP];
} clf_counting_sum_storage;

/* In a member's share of the chunks; of those that do not exist the last one is loaded in their stead. */
static inline ulong clf_sum_of(const clf_arguments *a, uint member, uint bits)
{
    const uint chunks = member < CLF_TEAM ? a->chunks : 0;
    ulong sum = 0;
    CLF_LOOP for (uint first = member; first < chunks; first += CLF_TEAM * CLF_SUMS_AHEAD)
        CLF_UNROLL for (uint j = 0; j < CLF_SUMS_AHEAD; ++j) {
            const uint chunk = first + j * CLF_TEAM, number = clf_counted_table(a, min(chunk, chunks - 1))[bits];
            sum += chunk < chunks ? number : 0;
        }
    return sum;
}

CLF_INLINE void clf_counting_sum_body(const clf_arguments *a, __local clf_counting_sum_storage *s)
{
    const uint k = (uint)get_group_id(0) * CLF_COUNTING_SIDE + clf_local_id() % CLF_COUNTING_SIDE;
    ulong sum = clf_sum_of(a, clf_local_id() / CLF_COUNTING_SIDE, clf_counted_bits(k));
    s->sums[clf_local_id()] = sum;
    clf_group_sync();
    if (clf_local_id() < CLF_COUNTING_SIDE) {
        for (uint m = 1; m < CLF_TEAM; ++m)
            sum += s->sums[m * CLF_COUNTING_SIDE + clf_local_id()];
        a->places[k] = sum;
        s->sums[clf_local_id()] = sum;
    }
    clf_group_sync();
    if (clf_local_id() == 0) {
        for (uint i = 1; i < CLF_COUNTING_SIDE; ++i)
            sum += s->sums[i];
        a->places[CLF_COUNTED_KEYS + get_group_id(0)] = sum;
    }
}

/* ---- Starts ---------------------------------------------------------------------------------------------- */

/* A group has so many keys, and a work-item so many one behind the other. */
enum {
    CLF_COUNTING_STARTS = CLF_KEY_BYTES == 1 ? CLF_COUNTED_KEYS : 512,
    CLF_STARTS_EACH = (CLF_COUNTING_STARTS + CLF_GROUP - 1) / CLF_GROUP
};

typedef struct {
    clf_count64_totals before, own;
} clf_counting_starts_storage;

CLF_INLINE void clf_counting_starts_body(const clf_arguments *a, __local clf_counting_starts_storage *s)
{
    const uint first = (uint)get_group_id(0) * CLF_COUNTING_STARTS, end = first + CLF_COUNTING_STARTS;
    const uint begin = min(first + clf_local_id() * CLF_STARTS_EACH, end), stop = min(begin + CLF_STARTS_EACH, end);
    clf_count64 before = 0, own = 0, all_before, all_own;
    CLF_LOOP for (uint i = clf_local_id(); i < first / CLF_COUNTING_SIDE; i += CLF_GROUP)
        before += a->places[CLF_COUNTED_KEYS + i];
    CLF_LOOP for (uint k = begin; k < stop; ++k)
        own += a->places[k];
    (void)clf_count64_group_scan(before, &s->before, &all_before);
    clf_count64 place = clf_count64_group_scan(own, &s->own, &all_own) + all_before;
    CLF_LOOP for (uint k = begin; k < stop; ++k) {
        a->starts[k] = place;
        place += a->places[k];
    }
    if (get_global_id(0) == 0)
        a->starts[CLF_COUNTED_KEYS] = a->size;
}

/* ---- Fill ------------------------------------------------------------------------------------------------ */

/* A group writes so many vectors of each work-item, neighbouring ones neighbouring vectors. */
enum { CLF_COUNTING_FILLED = 8, CLF_COUNTING_FILLED_TILE = CLF_COUNTING_FILLED * CLF_GROUP,
      CLF_IN_VECTOR = 16 / CLF_KEY_BYTES };

typedef uchar clf_counting_fill_storage; /* none needed */

/* The last one of the keys from `low` to `high` that begins at or before `at`. */
static inline uint clf_fill_key(const clf_arguments *a, uint low, uint high, ulong at)
{
    while (low < high) {
        const uint middle = (low + high + 1) / 2;
        const bool is_before = a->starts[middle] <= at;
        low = is_before ? middle : low;
        high = is_before ? high : middle - 1;
    }
    return low;
}

/* A word of one key alone. */
static inline uint clf_fill_word(uint k)
{
    return (uint)clf_counted_bits(k) * (CLF_KEY_BYTES == 1 ? 0x01010101u : 0x00010001u);
}

/* The vector at `at`, of keys from *low to `high`; *low becomes that of its last element. */
static inline uint4 clf_fill_vector(const clf_arguments *a, uint *low, uint high, ulong at)
{
    uint k = clf_fill_key(a, *low, high, at);
    ulong next = a->starts[k + 1];
    uint words[4];
    if (next >= at + CLF_IN_VECTOR) {
        *low = k;
        return (uint4)(clf_fill_word(k));
    }
    CLF_UNROLL for (uint w = 0; w < 4; ++w) {
        clf_key_word part[4 / CLF_KEY_BYTES];
        CLF_UNROLL for (uint b = 0; b < 4 / CLF_KEY_BYTES; ++b) {
            const ulong i = at + w * (4 / CLF_KEY_BYTES) + b;
            if (i >= next) {
                k = clf_fill_key(a, k + 1, high, i);
                next = a->starts[k + 1];
            }
            part[b] = clf_counted_bits(k);
        }
        words[w] = CLF_PASTE(clf_word_join_, CLF_KEY_BYTES)(part);
    }
    *low = k;
    return (uint4)(words[0], words[1], words[2], words[3]);
}

/* The vectors first … end - 1, from element `head` on, of a group: of one key, or of more. */
static inline void clf_fill_tile(const clf_arguments *a, uint head, ulong first, ulong end)
{
    __global uint4 *const out = (__global uint4 *)(clf_counted_output(a) + head);
    uint low, high;
    clf_counted_keys_at(a, head + first * CLF_IN_VECTOR, head + end * CLF_IN_VECTOR - 1, &low, &high);
    if (low == high) {
        const uint4 alike = (uint4)(clf_fill_word(low));
        CLF_UNROLL for (uint k = 0; k < CLF_COUNTING_FILLED; ++k)
            if (first + k * CLF_GROUP + clf_local_id() < end)
                out[first + k * CLF_GROUP + clf_local_id()] = alike;
    } else {
        CLF_LOOP for (ulong v = first + clf_local_id(); v < end; v += CLF_GROUP)
            out[v] = clf_fill_vector(a, &low, high, head + v * CLF_IN_VECTOR);
    }
}

static inline void clf_fill_few(const clf_arguments *a, ulong from, ulong to)
{
    for (ulong i = from + clf_local_id(); i < to; i += CLF_GROUP)
        clf_counted_output(a)[i] = clf_counted_bits(clf_counted_key_at(a, i));
}

CLF_INLINE void clf_counting_fill_body(const clf_arguments *a, __local clf_counting_fill_storage *s)
{
    const uint past = (uint)((size_t)clf_counted_output(a) & 15) / CLF_KEY_BYTES;
    const uint head = (uint)min((ulong)((CLF_IN_VECTOR - past) % CLF_IN_VECTOR), a->size);
    const ulong vectors = (a->size - head) / CLF_IN_VECTOR, first = get_group_id(0) * (ulong)CLF_COUNTING_FILLED_TILE;
    if (first < vectors)
        clf_fill_tile(a, head, first, min(first + CLF_COUNTING_FILLED_TILE, vectors));
    if (get_group_id(0) == 0) {
        clf_fill_few(a, 0, head);
        clf_fill_few(a, head + vectors * CLF_IN_VECTOR, a->size);
    }
}
