/* SPDX-License-Identifier: MIT */
/*
 * scan_tile: what every scan does to a tile: fetch, reduce each work-item's row, (find what lies before it),
 * rescan the row from there, flush. One read and one write of global memory per element; the map is evaluated
 * in both passes over the row.
 *
 * With CLF_ROUNDS > 1 rescan and flush are repeated, each time for other outputs, in the same local memory. Compilers
 * remove from each round what its outputs do not depend on.
 *
 * Where the operator places its results, a few columns of the rows are rescanned and written at a time. So the places,
 * of 8 bytes each, take little local memory.
 *
 * needs: CLF_EXCLUSIVE, a->placed, a->room
 * provides: clf_scan_tile, clf_scan_tile_at, clf_scan_tile_fetch, clf_scan_tile_finish, clf_scan_tile_reduce
 */
#include "group/run.cl"
#include "memory/wrapper.cl"
#include "segments/segment.cl"
#include "memory/tile_fields.cl"

/* Columns of the rows whose places are held at a time (src/layout/slab.c), and how far rows of places lie apart. */
#define CLF_PLACES \
    (CLF_CHUNK > 8 ? CLF_CHUNK : CLF_ITEMS < 8 ? CLF_ITEMS : CLF_CHUNK <= 4 && CLF_ITEMS % 12 == 0 ? 12 : 8)
#define CLF_PLACES_STRIDE (CLF_PLACES | 1)

typedef struct {
    clf_slab slab;
    clf_run_totals totals;
    CLF_WHERE_PLACED(uint placed; ulong places[CLF_GROUP * CLF_PLACES_STRIDE];)
} clf_scan_tile_storage;

/* One tile as one work-item sees it. */
typedef struct {
    ulong first; /* index of the tile's first element */
    uint count;  /* elements in the tile */
    uint at;     /* of this work-item's row in the tile */
    clf_segment_heads heads;
    clf_numbering number; /* before the row's first element, where functions get it */
} clf_scan_tile;

static inline clf_scan_tile clf_scan_tile_at(const clf_arguments *a, ulong first, uint count)
{
    clf_scan_tile t = {first, count, clf_local_id() * CLF_ITEMS, clf_segment_heads_of(a, first), {0, 0}};
    CLF_NUMBERED(t.number = clf_numbering_before(a, first + t.at, t.at < count && clf_is_head(a, first + t.at));)
    return t;
}

static inline void clf_scan_tile_fetch(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s)
{
    CLF_WHERE_PLACED(if (clf_local_id() == 0) s->placed = 0;)
    clf_inputs_fetch(&a->in, t.first, t.count, &s->slab);
    clf_unit_sync();
}

/*
 * Full tiles have code of their own, without a check per element. Not where there are no lanes: such devices
 * are CPUs running this for tests, and PoCL 3.1 miscompiles the two copies.
 */
#if CLF_LANE_WIDTH > 1
#define clf_scan_tile_whole(t) ((t).count == CLF_TILE)
#define CLF_UNROLL_ROUNDS CLF_UNROLL
#else
#define CLF_UNROLL_ROUNDS
#define clf_scan_tile_whole(t) false
#endif

/* Combines the row. `whole`: is the tile full? A constant where this is inlined. */
static inline clf_run clf_scan_row_reduce(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s,
                                          bool whole)
{
    const clf_value initial = clf_initial(a);
    clf_value sum = clf_neutral();
    clf_row_heads row_heads = clf_row_heads_at(t.heads, t.at);
    clf_numbering number = t.number;
    bool any = false;
    CLF_UNROLL_CHUNKS for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_inputs_get(&s->slab, j, in);
        const uint heads = clf_row_heads_next(&row_heads);
        any = any || heads;
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
            clf_extra extra;
            if (whole || t.at + j + k < t.count) {
                CLF_NUMBERED(clf_numbering_next(a, &number, heads >> k & 1);)
                const clf_value x = clf_map_at(a, in[k], t.first + t.at + j + k CLF_NUMBERED_BY(number), &extra);
                if (heads & 1u << k)
                    sum = initial;
                sum = CLF_SEGMENT || j + k ? clf_combine(sum, x) : x;
            }
        }
    }
    return clf_run_of(sum, any);
}

/* Scans columns [from, to) of the row from `sum` on, and leaves the outputs of a round in their regions. */
static inline clf_value clf_scan_row_rescan(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s,
                                            clf_row_heads *row_heads, clf_numbering *number, clf_value sum, uint round,
                                            bool whole, uint from, uint to)
{
    const clf_value initial = clf_initial(a);
#if CLF_EXTREMES && CLF_EXCLUSIVE
    const clf_value before_first = a->flags & CLF_ARG_INITIAL ? initial : clf_nothing();
#endif
    CLF_UNROLL_CHUNKS for (uint j = from; j < to; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_value out[CLF_CHUNK];
        clf_extra extra[CLF_CHUNK];
        CLF_WHERE_FINISHED(clf_result finished[CLF_CHUNK];)
        CLF_WHERE_PLACED(ulong places[CLF_CHUNK];)
        clf_inputs_get(&s->slab, j, in);
        const uint heads = clf_row_heads_next(row_heads);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
            if (heads & 1u << k)
                sum = initial;
            CLF_NUMBERED(if (whole || t.at + j + k < t.count) clf_numbering_next(a, number, heads >> k & 1);)
            out[k] = sum;
#if CLF_EXTREMES && CLF_EXCLUSIVE
            if (heads & 1u << k || t.first + t.at + j + k == 0)
                out[k] = before_first;
#endif
            CLF_WHERE_FINISHED(const bool first = heads & 1u << k || t.first + t.at + j + k == 0;
                               const clf_value before = clf_before_step(a, first, sum);)
            if (whole || t.at + j + k < t.count)
                sum = clf_combine(sum,
                                  clf_map_at(a, in[k], t.first + t.at + j + k CLF_NUMBERED_BY(*number), &extra[k]));
            if (!CLF_EXCLUSIVE)
                out[k] = sum;
            CLF_WHERE_FINISHED(if (whole || t.at + j + k < t.count)
                               finished[k] = clf_finish_step(a, out[k], before, in[k],
                                                             t.first + t.at + j + k CLF_NUMBERED_BY(*number));)
            CLF_WHERE_PLACED(if (whole || t.at + j + k < t.count)
                places[k] = clf_place_step(a, out[k], before, in[k], t.first + t.at + j + k CLF_NUMBERED_BY(*number));)
        }
        clf_outputs_set(&s->slab, j, CLF_FINISHED(finished, out), extra, round);
        CLF_WHERE_PLACED(CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
                         s->places[clf_local_id() * CLF_PLACES_STRIDE + j - from + k] = places[k];)
    }
    return sum;
}

#if CLF_PLACING
/*
 * Results of columns [from, from + CLF_PLACES) to their places: neighbouring work-items take neighbouring ones, whose
 * places may be near.
 */
#define CLF_SCAN_SCATTER(move, bytes, value, name, array, region) \
    ((__global move *)a->out.array)[place] = *clf_row_element_##bytes(s->slab.region, row, from + column);
static inline void clf_scan_tile_scatter(const clf_arguments *a, uint count, __local clf_scan_tile_storage *s,
                                         uint from, bool whole)
{
    const uint first = clf_local_id() / CLF_UNIT * CLF_UNIT;
    uint placed = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_PLACES; ++j) {
        const uint i = j * CLF_UNIT + clf_local_id() % CLF_UNIT, row = first + i / CLF_PLACES, column = i % CLF_PLACES;
        const bool is_one = (CLF_ITEMS % CLF_PLACES == 0 || from + column < CLF_ITEMS) &&
                            (whole || row * CLF_ITEMS + from + column < count);
        const ulong place = is_one ? s->places[row * CLF_PLACES_STRIDE + column] : CLF_NOWHERE;
        placed += popcount(clf_ballot(place != CLF_NOWHERE));
        if (place < a->room) {
            CLF_ROUND_0(CLF_SCAN_SCATTER)
        }
    }
    *a->placed += clf_lane_id() == 0 ? placed : 0;
}

/* Scans the row from `sum` on, and writes what comes of it to its places. */
static inline void clf_scan_tile_place(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s,
                                       clf_value sum, bool whole)
{
    clf_row_heads heads = clf_row_heads_at(t.heads, t.at);
    clf_numbering number = t.number;
    CLF_LOOP for (uint from = 0; from < CLF_ITEMS; from += CLF_PLACES) {
        const uint to = min(from + CLF_PLACES, (uint)CLF_ITEMS);
        sum = clf_scan_row_rescan(a, t, s, &heads, &number, sum, 0, whole, from, to);
        clf_unit_sync();
        clf_scan_tile_scatter(a, t.count, s, from, whole);
        clf_unit_sync();
    }
}

/* The first work-item's count becomes that of its group; `sum` is zero. */
static inline void clf_scan_tile_count(const clf_arguments *a, __local uint *sum)
{
    if (a->flags & CLF_ARG_COUNTED && *a->placed != 0)
        (void)atomic_add(sum, (uint)*a->placed);
    clf_group_sync();
    *a->placed = clf_local_id() == 0 ? *sum : 0;
}
#endif

/* Scans the row from `sum` on, and writes a round of what comes of it. */
static inline void clf_scan_tile_write(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s,
                                       clf_value sum, uint round, bool whole)
{
    clf_row_heads heads = clf_row_heads_at(t.heads, t.at);
    clf_numbering number = t.number;
    (void)clf_scan_row_rescan(a, t, s, &heads, &number, sum, round, whole, 0, CLF_ITEMS);
}

/* What lies left of this work-item in the tile; *aggregate: the whole tile. */
static inline clf_run clf_scan_tile_reduce(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s,
                                           clf_run *aggregate)
{
    const clf_run row = clf_scan_tile_whole(t) ? clf_scan_row_reduce(a, t, s, true)
                                               : clf_scan_row_reduce(a, t, s, false);
    return clf_run_group_scan(row, &s->totals, aggregate CLF_COMBINE_A);
}

/*
 * Scans the row from the tile's prefix and what lies left of this work-item in the tile, and writes the tile.
 */
static inline void clf_scan_tile_finish(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s,
                                        clf_value prefix, clf_run left)
{
    const clf_value sum = clf_run_combine(clf_run_of(prefix, false), left).sum;
    CLF_UNROLL_ROUNDS for (uint round = 0; round < CLF_ROUNDS; ++round) {
        if (clf_scan_tile_whole(t))
            CLF_PLACED_OR(clf_scan_tile_place(a, t, s, sum, true), clf_scan_tile_write(a, t, s, sum, round, true));
        else
            CLF_PLACED_OR(clf_scan_tile_place(a, t, s, sum, false), clf_scan_tile_write(a, t, s, sum, round, false));
        clf_unit_sync();
        CLF_PLACED_OR(, clf_outputs_flush(&a->out, t.first, t.count, &s->slab, round));
        if (CLF_ROUNDS > 1)
            clf_group_sync(); /* the next round's regions lie over this one's, also over those of other units */
    }
    CLF_WHERE_PLACED(clf_scan_tile_count(a, &s->placed);)
}
