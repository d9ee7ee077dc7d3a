/* SPDX-License-Identifier: MIT */
/*
 * counting_count: a group counts the keys of a chunk in CLF_CELLS counters in local memory. Keys of 8 bits have copies
 * of the 256 counters, so that lanes of a warp are in different banks whatever their keys are. For keys of 16 bits the
 * counters are those of a slice of all keys. The groups of a chunk's slices are neighbours, so that all but the first
 * find its elements in a cache.
 *
 * The number of instructions limits this: full rounds do not test whether an element exists. If all elements of a chunk
 * of registers have the same 16-bit key, it is added once, because lanes that add to one counter may wait for each
 * other.
 *
 * needs: CLF_CELLS, a->chunks
 * provides: clf_counting_count_body
 */
#include "memory/chunks.cl"
#include "sort/counting.cl"

#define CLF_COUNT_ROWS (CLF_ITEMS / CLF_CHUNK)
#define CLF_COUNT_COPIES (CLF_KEY_BYTES == 1 ? CLF_CELLS / CLF_COUNTED_KEYS : 1)
#define CLF_COUNT_SLICE (CLF_CELLS / CLF_COUNT_COPIES)
#define CLF_COUNT_SLICES ((CLF_COUNTED_KEYS + CLF_COUNT_SLICE - 1) / CLF_COUNT_SLICE)

typedef struct {
    uint cells[CLF_CELLS];
} clf_counting_count_storage;

typedef struct {
    const clf_arguments *a;
    __local uint *cells; /* those of the work-item's copy begin here */
    uint first;          /* key of the slice */
    uint key, times;     /* what is not added yet */
} clf_tally;

static inline void clf_tally_add(const clf_tally *t, uint key, uint times)
{
    const uint k = key - t->first;
    if (CLF_COUNT_SLICES == 1 || k < CLF_COUNT_SLICE)
        (void)atomic_add(&t->cells[k * CLF_COUNT_COPIES], times);
}

static inline void clf_tally_chunk(clf_tally *t, const uint key[CLF_CHUNK])
{
    uint differ = CLF_KEY_BYTES == 1;
    CLF_UNROLL for (uint k = 1; k < CLF_CHUNK; ++k)
        differ |= key[k] ^ key[0];
    if (differ) {
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            clf_tally_add(t, key[k], 1);
        return;
    }
    if (key[0] != t->key && t->times > 0)
        clf_tally_add(t, t->key, t->times);
    t->times = key[0] == t->key ? t->times + CLF_CHUNK : CLF_CHUNK;
    t->key = key[0];
}

static inline void clf_counting_count_chunk(clf_tally *t, const clf_packed *packed, ulong index)
{
    clf_input x[CLF_CHUNK];
    uint key[CLF_CHUNK];
    clf_packed_split(packed, x);
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        key[k] = clf_counted_key(t->a, x[k], index + k);
    clf_tally_chunk(t, key);
}

/* A round: a chunk of a work-item in each of the group's rows; all loads first. */
static inline void clf_count_round(clf_tally *t, ulong mine, bool aligned)
{
    clf_packed packed[CLF_COUNT_ROWS];
    CLF_UNROLL for (uint j = 0; j < CLF_COUNT_ROWS; ++j)
        clf_packed_load(&t->a->in, mine + j * (CLF_GROUP * CLF_CHUNK), aligned, &packed[j]);
    CLF_UNROLL for (uint j = 0; j < CLF_COUNT_ROWS; ++j)
        clf_counting_count_chunk(t, &packed[j], mine + j * (CLF_GROUP * CLF_CHUNK));
}

/* Whole rounds, then what chunks are left. */
static inline void clf_count_rounds(clf_tally *t, ulong body, ulong to, bool aligned)
{
    const ulong row = (ulong)CLF_GROUP * CLF_CHUNK, round = row * CLF_COUNT_ROWS;
    ulong at = body + clf_local_id() * CLF_CHUNK;
    const ulong whole = at + (to - body) / round * round;
    CLF_LOOP for (; at < whole; at += round)
        clf_count_round(t, at, aligned);
    CLF_LOOP for (; at + CLF_CHUNK <= to; at += row) {
        clf_packed packed;
        clf_packed_load(&t->a->in, at, aligned, &packed);
        clf_counting_count_chunk(t, &packed, at);
    }
}

/* Fewer elements than a chunk has. */
static inline void clf_count_few(const clf_tally *t, ulong from, ulong to)
{
    CLF_LOOP for (ulong i = from + clf_local_id(); i < to; i += CLF_GROUP)
        clf_tally_add(t, clf_counted_key(t->a, clf_input_at(&t->a->in, i), i), 1);
}

static inline void clf_count_all(clf_tally *t, ulong from, ulong to)
{
    const ulong start = min(from + clf_inputs_head(&t->a->in, from), to);
    const bool aligned = clf_inputs_aligned(&t->a->in, start);
    const ulong body = aligned ? start : from;
    clf_count_few(t, from, body);
    if (aligned)
        clf_count_rounds(t, body, to, true);
    else
        clf_count_rounds(t, body, to, false);
    clf_count_few(t, body + (to - body) / CLF_CHUNK * CLF_CHUNK, to);
    if (t->times > 0)
        clf_tally_add(t, t->key, t->times);
}

CLF_INLINE void clf_counting_count_body(const clf_arguments *a, __local clf_counting_count_storage *s)
{
    const uint chunk = (uint)get_group_id(0) / CLF_COUNT_SLICES, slice = (uint)get_group_id(0) % CLF_COUNT_SLICES;
    const clf_counted_range r = clf_counted_share(a->size, chunk, a->chunks);
    __global uint *const table = clf_counted_table(a, chunk);
    clf_tally t;
    t.a = a;
    t.cells = s->cells + clf_local_id() % CLF_COUNT_COPIES;
    t.first = slice * CLF_COUNT_SLICE;
    t.key = 0;
    t.times = 0;
    CLF_LOOP for (uint k = clf_local_id(); k < CLF_CELLS; k += CLF_GROUP)
        s->cells[k] = 0;
    clf_group_sync();
    clf_count_all(&t, r.from, r.to);
    clf_group_sync();
    CLF_LOOP for (uint k = clf_local_id(); k < CLF_COUNT_SLICE && t.first + k < CLF_COUNTED_KEYS; k += CLF_GROUP) {
        uint sum = 0;
        CLF_LOOP for (uint copy = 0; copy < CLF_COUNT_COPIES; ++copy)
            /* Neighbours in other banks. (LLVM makes integers of 4 bits of +: driver_bugs/rusticl_translator.c.) */
            sum += s->cells[k * CLF_COUNT_COPIES + (copy ^ k) % CLF_COUNT_COPIES];
        table[t.first + k] = sum;
    }
}
