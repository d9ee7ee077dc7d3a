/* SPDX-License-Identifier: MIT */
/*
 * scan_tile: what every scan does to a tile: fetch, reduce each work-item's row, (find what lies before it),
 * rescan the row from there, flush. One read and one write of global memory per element; the map is evaluated
 * in both passes over the row.
 *
 * With CLF_ROUNDS > 1 rescan and flush are repeated, each time for other outputs, in the same local memory. Compilers
 * remove from each round what its outputs do not depend on.
 *
 * Where the operator places its results, a warp first sees whether each goes behind the one before, as those of a
 * compaction do. Then it moves them together, and writes them side by side. Otherwise a chunk of each row is rescanned
 * and written at a time. So the places, of 8 bytes each, take little local memory.
 *
 * needs: CLF_EXCLUSIVE, a->placed, a->room
 * provides: clf_scan_tile, clf_scan_tile_at, clf_scan_tile_fetch, clf_scan_tile_finish, clf_scan_tile_reduce
 */
#include "group/run.cl"
#include "memory/wrapper.cl"
#include "segments/segment.cl"
#include "memory/tile_fields.cl"

/* How far rows of places lie apart, of which a chunk is held at a time (src/layout/slab.c). */
#define CLF_PLACES_STRIDE (CLF_CHUNK | 1)

typedef struct {
    clf_slab slab;
    clf_run_totals totals;
    CLF_WHERE_PLACED(uint placed; ulong places[CLF_GROUP * CLF_PLACES_STRIDE];)
} clf_scan_tile_storage;

/* Where a row's results go. */
enum { CLF_PLACES_WORDS = (CLF_ITEMS + 31) / 32 };
typedef struct {
    ulong chunk[CLF_CHUNK];             /* the places of the latest chunk */
    uint bits[CLF_PLACES_WORDS], leaps; /* which have one; how many of these do not go behind the one before */
    ulong next;                         /* where one that does so would go */
} clf_row_places;

/* One tile as one work-item sees it. */
typedef struct {
    ulong first; /* index of the tile's first element */
    uint count;  /* elements in the tile */
    uint at;     /* of this work-item's row in the tile */
    clf_segment_heads heads;
    clf_numbering number; /* before the row's first element, where functions get it */
    CLF_WHERE_PLACED(clf_row_places *row;)
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

/* Notes the places of the chunk from column j on. */
static inline void clf_row_places_note(clf_row_places *row, uint j, const ulong places[CLF_CHUNK])
{
    uint bits = 0;
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
        const bool is_one = places[k] != CLF_NOWHERE;
        row->chunk[k] = places[k];
        row->leaps += is_one && places[k] != row->next;
        row->next = is_one ? places[k] + 1 : row->next;
        bits |= (uint)is_one << k;
    }
    CLF_UNROLL for (uint w = 0; w < CLF_PLACES_WORDS; ++w)
        row->bits[w] |= j / 32 == w ? bits << j % 32 : 0;
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
            CLF_WHERE_PLACED(places[k] = CLF_NOWHERE; if (whole || t.at + j + k < t.count)
                places[k] = clf_place_step(a, out[k], before, in[k], t.first + t.at + j + k CLF_NUMBERED_BY(*number));)
        }
        clf_outputs_set(&s->slab, j, CLF_FINISHED(finished, out), extra, round);
        CLF_WHERE_PLACED(clf_row_places_note(t.row, j, places);)
    }
    return sum;
}

/* Scans the row from `sum` on, and writes a round of what comes of it. */
static inline void clf_scan_tile_write(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s,
                                       clf_value sum, uint round, bool whole)
{
    clf_row_heads heads = clf_row_heads_at(t.heads, t.at);
    clf_numbering number = t.number;
    (void)clf_scan_row_rescan(a, t, s, &heads, &number, sum, round, whole, 0, CLF_ITEMS);
}

#if CLF_PLACING
/* A warp's results, of a full tile, which are staged, side by side: if each goes behind the one before. */
#define CLF_SCAN_TOGETHER(move, bytes, value, name, array, region) \
    { \
        const uint lane = clf_lane_id(), first_row = clf_warp_id() * CLF_LANE_WIDTH; \
        __local move *const together = clf_row_element_##bytes(s->slab.region, first_row, 0); \
        move x[CLF_ITEMS]; \
        uint rank = left; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            x[k] = *clf_row_element_##bytes(s->slab.region, first_row + lane, k); \
        clf_unit_sync(); \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            if (row->bits[k / 32] >> k % 32 & 1) \
                together[rank++] = x[k]; \
        clf_unit_sync(); \
        for (uint i = lane; i < end; i += CLF_LANE_WIDTH) \
            ((__global move *)a->out.array)[first + i] = together[i]; \
    }
static inline bool clf_scan_tile_together(const clf_arguments *a, const clf_row_places *row,
                                          __local clf_scan_tile_storage *s)
{
    uint mine = 0;
    CLF_UNROLL for (uint w = 0; w < CLF_PLACES_WORDS; ++w)
        mine += popcount(row->bits[w]);
    uint left = mine;
    CLF_UNROLL for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1) {
        const uint before = clf_word_up(left, d);
        left += clf_lane_id() >= d ? before : 0;
    }
    const uint count = clf_word_from(left, CLF_LANE_WIDTH - 1);
    const uint some = clf_leading(~clf_ballot(mine > 0)) % CLF_LANE_WIDTH;
    left -= mine;
    const ulong own = row->next - mine - left;
    const ulong first = (ulong)clf_word_from((uint)(own >> 32), some) << 32 | clf_word_from((uint)own, some);
    if (clf_ballot(mine > 0 && (row->leaps > 1 || own != first)))
        return false;
    const uint end = first < a->room ? (uint)min((ulong)count, a->room - first) : 0;
    CLF_ROUND_0(CLF_SCAN_TOGETHER)
    *a->placed += clf_lane_id() == 0 ? count : 0;
    return true;
}

/* A chunk of each row to its places: neighbouring work-items take neighbouring results, whose places may be near. */
#define CLF_SCAN_SCATTER(move, bytes, value, name, array, region) \
    CLF_PUT_##bytes((__global move *)a->out.array + place, \
                    *clf_row_element_##bytes(s->slab.region, row, from + column));
static inline void clf_scan_tile_scatter(const clf_arguments *a, __local clf_scan_tile_storage *s, uint from)
{
    const uint first = clf_local_id() / CLF_UNIT * CLF_UNIT;
    uint placed = 0;
    CLF_UNROLL for (uint j = 0; j < CLF_CHUNK; ++j) {
        const uint i = j * CLF_UNIT + clf_local_id() % CLF_UNIT, row = first + i / CLF_CHUNK, column = i % CLF_CHUNK;
        const ulong place = s->places[row * CLF_PLACES_STRIDE + column];
        placed += popcount(clf_ballot(place != CLF_NOWHERE));
        if (place < a->room) {
            CLF_ROUND_0(CLF_SCAN_SCATTER)
        }
    }
    *a->placed += clf_lane_id() == 0 ? placed : 0;
}

/* Scans the row from `sum` on, and writes what comes of it to its places. */
static inline void clf_scan_tile_place(const clf_arguments *a, clf_scan_tile t, __local clf_scan_tile_storage *s,
                                       clf_value sum)
{
    clf_row_heads heads = clf_row_heads_at(t.heads, t.at);
    clf_numbering number = t.number;
    clf_row_places row = {{0}, {0}, 0, CLF_NOWHERE};
    t.row = &row;
    if (!CLF_ARRAYS && clf_scan_tile_whole(t)) { /* arrays, copied as structs, NVIDIA's compiler finds no end of */
        clf_scan_tile_write(a, t, s, sum, 0, true);
        clf_unit_sync();
        if (clf_scan_tile_together(a, &row, s))
            return;
        clf_unit_sync();
        clf_inputs_fetch(&a->in, t.first, t.count, &s->slab); /* results may have taken their slots */
        clf_unit_sync();
    }
    CLF_LOOP for (uint from = 0; from < CLF_ITEMS; from += CLF_CHUNK) {
        sum = clf_scan_row_rescan(a, t, s, &heads, &number, sum, 0, false, from, from + CLF_CHUNK);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            s->places[clf_local_id() * CLF_PLACES_STRIDE + k] = row.chunk[k];
        clf_unit_sync();
        clf_scan_tile_scatter(a, s, from);
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
        CLF_PLACED_OR(clf_scan_tile_place(a, t, s, sum);
                      , if (clf_scan_tile_whole(t)) clf_scan_tile_write(a, t, s, sum, round, true);
                      else clf_scan_tile_write(a, t, s, sum, round, false);)
        clf_unit_sync();
        CLF_PLACED_OR(, clf_outputs_flush(&a->out, t.first, t.count, &s->slab, round));
        if (CLF_ROUNDS > 1)
            clf_group_sync(); /* the next round's regions lie over this one's, also over those of other units */
    }
    CLF_WHERE_PLACED(clf_scan_tile_count(a, &s->placed);)
}
