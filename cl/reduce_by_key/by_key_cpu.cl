/* SPDX-License-Identifier: MIT */
/*
 * by_key_cpu: single-pass reduction by key for CPU devices: work-groups of one work-item, one per core.
 *
 * A group takes tiles by ticket until there are none. A tile stays in the core's cache between its two readings: count
 * heads and reduce the last run, publish, look back, write. No branch depends on where runs start: results of a piece
 * of the tile are brought together in a buffer, each written where the next belongs, whether its run ends or not.
 */
#include "reduce_by_key/by_key_state.cl"
#include "chain/lookback.cl"

typedef uchar clf_by_key_cpu_storage; /* none needed */

/* Results brought together, field by field: some 2 KB. */
enum {
    CLF_PIECE_FIT = 2048 / (sizeof(clf_value) + sizeof(clf_extra)),
    CLF_PIECE = CLF_PIECE_FIT < 64 ? 64 : CLF_PIECE_FIT
};
#define CLF_PIECE_VALUE(f, type, move, bytes, name) type p##f[CLF_PIECE];
#define CLF_PIECE_EXTRA(f, type, move, bytes, name) type e##f[CLF_PIECE];
typedef struct {
    CLF_VALUE_FIELDS(CLF_PIECE_VALUE)
    CLF_EXTRA_FIELDS(CLF_PIECE_EXTRA)
} clf_piece;

#define CLF_PIECE_SET_VALUE(f, type, move, bytes, name) p->p##f[k] = v.name;
#define CLF_PIECE_SET_EXTRA(f, type, move, bytes, name) p->e##f[k] = x.name;
static inline void clf_piece_set(clf_piece *p, uint k, clf_value v, clf_extra x)
{
    CLF_VALUE_FIELDS(CLF_PIECE_SET_VALUE)
    CLF_EXTRA_FIELDS(CLF_PIECE_SET_EXTRA)
}

/* A piece's results; of the first head of all there is no value. */
#define CLF_PIECE_FLUSH(array, type, from, to, some) \
    { \
        __global type *const out = a->out.array + (to); \
        CLF_LOOP for (uint k = 0; k < (some); ++k) \
            out[k] = p->array[(from) + k]; \
    }
#define CLF_PIECE_FLUSH_VALUE(f, type, move, bytes, name) CLF_PIECE_FLUSH(p##f, type, none, to, values)
#define CLF_PIECE_FLUSH_EXTRA(f, type, move, bytes, name) CLF_PIECE_FLUSH(e##f, type, 0, heads, extras)
static inline void clf_piece_flush(const clf_arguments *a, const clf_piece *p, ulong heads, uint some)
{
    const uint none = heads == 0 && some ? 1 : 0;
    const ulong to = heads ? heads - 1 : 0;
    const uint values = (uint)clf_by_key_room(a, to, some - none);
    const uint extras = (uint)clf_by_key_room(a, heads, some);
    CLF_VALUE_FIELDS(CLF_PIECE_FLUSH_VALUE)
    CLF_EXTRA_FIELDS(CLF_PIECE_FLUSH_EXTRA)
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

/* The first element, which may be the first of all, apart: so compilers vectorise the rest. */
static inline clf_state clf_by_key_cpu_reduce(const clf_arguments *a, ulong first, uint count)
{
    uint heads = clf_starts_at(a, first), last = 0;
    for (uint k = 1; k < count; ++k) {
        const bool head = clf_starts_behind(a, first + k);
        heads += head;
        last = head ? k : last;
    }
    clf_value sum = clf_value_at(a, first + last);
    for (uint k = last + 1; k < count; ++k)
        sum = clf_combine(sum, clf_value_at(a, first + k));
    return clf_state_of(heads, sum);
}

/* Writes what the elements from `first` on complete; returns what follows from `before` with them. */
static inline clf_state clf_by_key_cpu_write(const clf_arguments *a, ulong first, uint count, clf_state before)
{
    clf_value sum = clf_value_copy(before.sum);
    ulong heads = before.heads;
    for (uint done = 0; done < count; done += CLF_PIECE) {
        const uint end = min((uint)CLF_PIECE, count - done);
        clf_piece piece;
        uint some = 0;
        CLF_LOOP for (uint k = 0; k < end; ++k) {
            const ulong i = first + done + k;
            const bool head = clf_starts_at(a, i);
            clf_extra extra;
            const clf_value x = clf_map_at(a, clf_input_at(&a->in, i), i, &extra);
            clf_piece_set(&piece, some, sum, extra);
            sum = clf_sum_next(sum, x, head);
            some += head;
        }
        clf_piece_flush(a, &piece, heads, some);
        heads += some;
    }
    return clf_state_of(heads, sum);
}

/* ---- Groups --------------------------------------------------------------------------------------------- */

/* The one group goes through all tiles, and need not reduce them first. */
static inline void clf_by_key_cpu_one(const clf_arguments *a)
{
    const uint tiles = clf_tiles(a);
    clf_state all = clf_state_neutral();
    for (uint tile = 0; tile < tiles; ++tile)
        all = clf_by_key_cpu_write(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile), all);
    clf_by_key_end(a, all);
}

static inline void clf_by_key_cpu_tile(const clf_arguments *a, uint tile)
{
    const uint count = clf_tile_count(a, tile);
    const ulong first = (ulong)tile * CLF_TILE;
    const clf_state own = clf_by_key_cpu_reduce(a, first, count);
    if (tile > 0)
        clf_publish(a, tile, own, CLF_MESSAGE_AGGREGATE, true);
    clf_chain_count(a, CLF_COUNT_LOOKBACKS);
    const clf_state before = clf_lookback_serial(a, tile), all = clf_state_combine(before, own);
    clf_publish(a, tile, all, CLF_MESSAGE_PREFIX, false);
    (void)clf_by_key_cpu_write(a, first, count, before);
    if (first + count == clf_total(a))
        clf_by_key_end(a, all);
}

CLF_INLINE void clf_by_key_cpu_body(const clf_arguments *a, __local clf_by_key_cpu_storage *s)
{
    if (get_num_groups(0) == 1) {
        clf_by_key_cpu_one(a);
        return;
    }
    clf_by_key_tell_nothing(a, clf_total(a));
    const uint tiles = clf_tiles(a);
    for (;;) {
        const uint tile = clf_ticket_take((volatile __global uint *)a->scratch) - a->ticket;
        if (tile >= tiles)
            break;
        clf_by_key_cpu_tile(a, tile);
    }
}
