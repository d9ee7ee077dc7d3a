/* SPDX-License-Identifier: MIT */
/*
 * path_mend: what comes behind a merge of several tiles (merge_tiles.cl, merge_cpu.cl). If any tile begins elsewhere
 * than the one before it ends, some elements are in two tiles and others in none: all results are then the first
 * sequence, and behind it the second. So results are always the elements that were given, whatever `less` says.
 *
 * needs: path words
 * provides: clf_merge_mend_body, clf_path_tell
 */
#include "merge/path.cl"

typedef struct {
    uint apart;
} clf_merge_mend_storage;

/* A file that includes this one defines it: a word for each tile. */
static inline __global uint *clf_path_words(const clf_arguments *a, const clf_sequences *q);

/* A tile of several tells whether the next one begins where it ends. */
static inline void clf_path_tell(const clf_arguments *a, const clf_sequences *q, ulong tile, bool goes_on)
{
    if (clf_path_tiles(q) > 1)
        clf_path_words(a, q)[tile] = !goes_on;
}

CLF_INLINE void clf_merge_mend_body(const clf_arguments *a, __local clf_merge_mend_storage *s)
{
    const clf_sequences q = clf_sequences_of(a);
    const ulong tiles = clf_path_tiles(&q), total = clf_path_total(&q);
    __global const uint *const apart = clf_path_words(a, &q);
    if (clf_local_id() == 0)
        s->apart = 0;
    clf_group_sync();
    CLF_LOOP for (ulong tile = clf_local_id(); tiles > 1 && tile < tiles; tile += CLF_GROUP)
        if (apart[tile])
            s->apart = 1;
    clf_group_sync();
    CLF_LOOP for (ulong i = get_global_id(0); s->apart && i < total; i += get_global_size(0))
        clf_output_at(&q.out, i, i < q.size ? clf_input_at(&q.first, i) : clf_input_at(&q.second, i - q.size));
}
