/* SPDX-License-Identifier: MIT */
/*
 * scan_propagate: scan-then-propagate in three launches: the "two-pass" scan of textbooks.
 *
 *   local       each tile scans for itself, and keeps what it adds up to    reads n, writes n
 *   spine       one group scans the aggregates in place                     a word per tile (spine.cl)
 *   propagate   each tile's prefix goes into its results, up to where a
 *               segment starts                                              reads n, writes n
 *
 * Twice the traffic of a single pass; no group waits for another. Extra outputs of the map are written once, by the
 * first launch. It is here to compare the others with, and runs only when asked for by name.
 *
 * needs: nothing
 * provides: clf_scan_local_body, clf_scan_propagate_body
 */
#include "group/state_value.cl"
#include "memory/chunks.cl"
#include "chain/scan_tile.cl"
#include "chain/spine.cl"

typedef clf_scan_tile_storage clf_scan_local_storage;

/* The first tile knows its prefix. */
CLF_INLINE void clf_scan_local_body(const clf_arguments *a, __local clf_scan_local_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    if (!clf_tile_exists(a, tile))
        return;
    const clf_scan_tile t = clf_scan_tile_at(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile));
    clf_run aggregate;
    clf_scan_tile_fetch(a, t, s);
    const clf_run left = clf_scan_tile_reduce(a, t, s, &aggregate);
    clf_scan_tile_finish(a, t, s, tile ? clf_neutral() : clf_initial(a), left);
    if (clf_local_id() == 0 && !clf_alone(a))
        clf_partial_set(a, tile, aggregate);
}

typedef struct {
    uint before_head;
} clf_scan_propagate_storage;

/* Elements of a tile before its first head: its prefix is for these. */
#if CLF_SEGMENT > 1

static inline uint clf_tile_before_head(const clf_arguments *a, uint tile, __local clf_scan_propagate_storage *s)
{
    const uint at = clf_local_id() * CLF_ITEMS;
    clf_row_heads row_heads = clf_row_heads_at(clf_segment_heads_of(a, (ulong)tile * CLF_TILE), at);
    uint before_head = clf_tile_count(a, tile);
    if (clf_local_id() == 0)
        s->before_head = before_head;
    for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        const uint heads = clf_row_heads_next(&row_heads);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            before_head = heads & 1u << k ? min(before_head, at + j + k) : before_head;
    }
    clf_group_sync();
    (void)atomic_min(&s->before_head, before_head);
    clf_group_sync();
    return s->before_head;
}

#else

static inline uint clf_tile_before_head(const clf_arguments *a, uint tile, __local clf_scan_propagate_storage *s)
{
    const uint count = clf_tile_count(a, tile);
#if CLF_SEGMENT == 1
    return min(count, (uint)clf_segment_heads_of(a, (ulong)tile * CLF_TILE).first);
#else
    return count;
#endif
}

#endif

/* How many loads of `words` words each a work-item has under way at a time: up to 8, or 32 words. */
#define CLF_AT_A_TIME(words) ((words) <= 4 ? 8 : (words) < 32 ? 32 / (words) : 1)

/* Into the first chunks of a tile: neighbouring work-items take neighbouring ones. */
static inline void clf_chunks_propagate(const clf_arguments *a, ulong first, uint chunks, clf_value prefix)
{
    enum { MOST = CLF_AT_A_TIME(CLF_CHUNK * CLF_VALUE_WORDS) };
    for (uint j = clf_local_id(); j < chunks; j += MOST * CLF_GROUP) {
        clf_value v[MOST][CLF_CHUNK];
        CLF_UNROLL for (uint i = 0; i < MOST; ++i)
            if (j + i * CLF_GROUP < chunks)
                clf_results_load(&a->out, first + (j + i * CLF_GROUP) * CLF_CHUNK, v[i]);
        CLF_UNROLL for (uint i = 0; i < MOST; ++i) {
            if (j + i * CLF_GROUP < chunks) {
                CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
                    v[i][k] = clf_combine(prefix, v[i][k]);
                clf_results_store(&a->out, first + (j + i * CLF_GROUP) * CLF_CHUNK, v[i]);
            }
        }
    }
}

/* Into single elements, from `at` on, of the tile. */
static inline void clf_elements_propagate(const clf_arguments *a, ulong first, uint at, uint end, clf_value prefix)
{
    enum { MOST = CLF_AT_A_TIME(CLF_VALUE_WORDS) };
    for (uint j = at + clf_local_id(); j < end; j += MOST * CLF_GROUP) {
        clf_value v[MOST];
        CLF_UNROLL for (uint i = 0; i < MOST; ++i)
            if (j + i * CLF_GROUP < end)
                v[i] = clf_result_at(&a->out, first + j + i * CLF_GROUP);
        CLF_UNROLL for (uint i = 0; i < MOST; ++i)
            if (j + i * CLF_GROUP < end)
                clf_output_at(&a->out, first + j + i * CLF_GROUP, clf_combine(prefix, v[i]));
    }
}

/* By whole vectors where they are aligned; what is left, one by one. */
CLF_INLINE void clf_scan_propagate_body(const clf_arguments *a, __local clf_scan_propagate_storage *s)
{
    const uint tile = (uint)get_group_id(0) + 1;
    if (!clf_tile_exists(a, tile))
        return;
    const uint before_head = clf_tile_before_head(a, tile, s);
    const ulong first = (ulong)tile * CLF_TILE;
    const uint chunks = clf_results_aligned(&a->out, first) ? before_head / CLF_CHUNK : 0;
    if (before_head == 0)
        return;
    const clf_value prefix = clf_partial_get(a, tile).sum;
    clf_chunks_propagate(a, first, chunks, prefix);
    clf_elements_propagate(a, first, chunks * CLF_CHUNK, before_head, prefix);
}
