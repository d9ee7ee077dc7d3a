/* SPDX-License-Identifier: MIT */
/*
 * filter_cpu: single-pass filter for CPU devices: work-groups of one work-item, one per core.
 *
 * A group takes tiles by ticket until there are none. A tile stays in the core's cache between its two readings: count,
 * publish, look back, keep. No branch depends on what is kept: results of a piece of the tile are brought together in a
 * buffer, each written where the next belongs, whether it is kept or not.
 */
#include "filter/filter_count.cl"
#include "chain/lookback.cl"

typedef uchar clf_filter_cpu_storage; /* none needed */

/* Results brought together, field by field: some 2 KB. */
enum {
    CLF_PIECE_FIT = 2048 / sizeof(clf_value),
    CLF_PIECE = CLF_PIECE_FIT < 64 ? 64 : CLF_PIECE_FIT
};
#define CLF_PIECE_FIELD(f, type, move, bytes, name) type name[CLF_PIECE];
#define CLF_PIECE_SET(f, type, move, bytes, name) p->name[k] = v.name;
#define CLF_PIECE_FLUSH(f, type, move, bytes, name) \
    { \
        __global type *const out = a->out.p##f + to; \
        CLF_LOOP for (uint k = 0; k < some; ++k) \
            out[k] = p->name[k]; \
    }
typedef struct {
    CLF_VALUE_FIELDS(CLF_PIECE_FIELD)
} clf_piece;

static inline void clf_piece_set(clf_piece *p, uint k, clf_value v)
{
    CLF_VALUE_FIELDS(CLF_PIECE_SET)
}

static inline void clf_piece_flush(const clf_arguments *a, const clf_piece *p, ulong to, uint some)
{
    CLF_VALUE_FIELDS(CLF_PIECE_FLUSH)
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

/* The first element, which may be the first of all, apart: so compilers vectorise the rest. */
static inline uint clf_filter_cpu_count(const clf_arguments *a, ulong first, uint count)
{
    uint kept = clf_is_kept_at(a, first);
    for (uint k = 1; k < count; ++k)
        kept += clf_is_kept_behind(a, first + k);
    return kept;
}

/* Keeps elements from `first` on, behind the `to` results before; returns how many. */
static inline uint clf_filter_cpu_keep(const clf_arguments *a, ulong first, uint count, ulong to)
{
    uint all = 0;
    for (uint done = 0; done < count; done += CLF_PIECE) {
        const uint end = min((uint)CLF_PIECE, count - done);
        clf_piece piece;
        uint kept = 0;
        CLF_LOOP for (uint k = 0; k < end; ++k) {
            const ulong i = first + done + k;
            clf_extra none;
            clf_piece_set(&piece, kept, clf_map_at(a, clf_input_at(&a->in, i), i, &none));
            kept += clf_is_kept_at(a, i);
        }
        clf_piece_flush(a, &piece, to + all, (uint)clf_filter_room(a, to + all, kept));
        all += kept;
    }
    return all;
}

/* ---- Groups --------------------------------------------------------------------------------------------- */

/* The one group keeps from all tiles, and need not count. */
static inline void clf_filter_cpu_one(const clf_arguments *a)
{
    const uint tiles = clf_tiles(a);
    ulong to = 0;
    for (uint tile = 0; tile < tiles; ++tile)
        to += clf_filter_cpu_keep(a, (ulong)tile * CLF_TILE, clf_tile_count(a, tile), to);
    clf_filter_tell(a, 0, 0, to);
}

static inline void clf_filter_cpu_tile(const clf_arguments *a, uint tile)
{
    const uint count = clf_tile_count(a, tile);
    const ulong first = (ulong)tile * CLF_TILE;
    const uint kept = clf_filter_cpu_count(a, first, count);
    if (tile > 0)
        clf_publish(a, tile, kept, CLF_MESSAGE_AGGREGATE, true);
    clf_chain_count(a, CLF_COUNT_LOOKBACKS);
    const ulong to = clf_lookback_serial(a, tile);
    clf_publish(a, tile, to + kept, CLF_MESSAGE_PREFIX, false);
    (void)clf_filter_cpu_keep(a, first, count, to);
    clf_filter_tell(a, first + count, clf_total(a), to + kept);
}

static inline void clf_filter_cpu_body(const clf_arguments *a, __local clf_filter_cpu_storage *s)
{
    if (get_num_groups(0) == 1) {
        clf_filter_cpu_one(a);
        return;
    }
    clf_filter_tell_nothing(a, clf_total(a));
    const uint tiles = clf_tiles(a);
    for (;;) {
        const uint tile = clf_ticket_take((volatile __global uint *)a->scratch) - a->ticket;
        if (tile >= tiles)
            break;
        clf_filter_cpu_tile(a, tile);
    }
}
