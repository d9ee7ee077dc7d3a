/* SPDX-License-Identifier: MIT */
/*
 * filter_tile: the steps of every filter and partition on a tile. Fetch it. Mark the kept elements of each work-item's
 * row, a bit for each. (Find the exclusive prefix of the tile's count.) Compact the kept elements in local memory, and
 * after them the other parts, if these have outputs. Flush them.
 *
 * Results are compacted in place, array by array: first every work-item reads its row of the array into registers, then
 * all write their kept elements. So a tile takes no more local memory than in a scan. (Straight from registers to
 * global memory, ranked by ballots, took a fifth longer on an H200.)
 *
 * With CLF_BOUNDED few elements are kept, those within a bound (least.cl): they are written without compaction.
 *
 * needs: bound
 * provides: clf_filter_*, bound
 */
#include "filter/filter_count.cl"
#include "segments/segment.cl"
#include "memory/tile_fields.cl"

#ifndef CLF_BOUNDED
#define CLF_BOUNDED 0
#endif

typedef struct {
    clf_slab slab;
    clf_count_totals totals;
} clf_filter_storage;

/* A bit for each element of a row. */
#if CLF_ITEMS > 64
#error "a row of a filter has 64 elements at most"
#elif CLF_ITEMS > 32
typedef ulong clf_filter_row_bits;
#else
typedef uint clf_filter_row_bits;
#endif

/*
 * Elements of a tile that are kept; of a partition in three, 16 bits for the first part, and above them 16 for the
 * second (src/primitives/filter.c: so tiles have fewer than 2^16 elements).
 */
#define CLF_SECOND_PART 16
#define clf_first_in(counts) (CLF_OUT_SETS > 2 ? (counts) & 0xffff : (counts))
#define clf_second_in(counts) (CLF_OUT_SETS > 2 ? (counts) >> CLF_SECOND_PART : 0)

/* One tile as one work-item sees it. */
typedef struct {
    ulong first;                                /* index of the tile's first element */
    uint count;                                 /* elements in the tile */
    uint at;                                    /* of this work-item's row in the tile */
    clf_filter_row_bits bits[CLF_MARKED_PARTS]; /* which of the row are in each part, */
    clf_count left;                             /* how many of the tile's elements before the row, */
    clf_count kept;                             /* and of all */
#if CLF_BOUNDED
    clf_key_bits bound;
#endif
} clf_filter_tile;

#if CLF_BOUNDED
#define clf_tile_part(a, t, before, x, index) (clf_is_within(a, x, index, (t)->bound) ? 0 : 1)
#else
#define clf_tile_part(a, t, before, x, index) clf_filter_part(a, before, x, index)
#endif

/* The element before this work-item's row; anything where there is none. */
static inline clf_input clf_filter_row_before(const clf_arguments *a, const clf_filter_tile *t,
                                              __local clf_filter_storage *s)
{
    if (t->at > 0)
        return clf_input_in(&s->slab, t->at - 1);
    return clf_input_at(&a->in, t->first > 0 ? t->first - 1 : 0);
}

/* Sets the bits of the row. `whole`: is the tile full? A constant where this is inlined. */
static inline void clf_filter_row_deal(const clf_arguments *a, clf_filter_tile *t, __local clf_filter_storage *s,
                                       bool whole)
{
    clf_filter_row_bits first = 0, second = 0;
    clf_input before;
    if (CLF_PAIRS)
        before = clf_filter_row_before(a, t, s);
    CLF_UNROLL_CHUNKS for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_inputs_get(&s->slab, j, in);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
            if (whole || t->at + j + k < t->count) {
                const uint part = clf_tile_part(a, t, *(CLF_PAIRS ? &before : &in[k]), in[k], t->first + t->at + j + k);
                first |= (clf_filter_row_bits)(part == 0) << (j + k);
                second |= (clf_filter_row_bits)(part == 1) << (j + k);
            }
            if (CLF_PAIRS)
                before = in[k];
        }
    }
    t->bits[0] = first;
    if (CLF_OUT_SETS > 2)
        t->bits[1] = second;
}

static inline clf_count clf_filter_row_count(const clf_filter_tile *t)
{
    const clf_count first = (clf_count)popcount(t->bits[0]);
    return CLF_OUT_SETS > 2 ? first | (clf_count)popcount(t->bits[1]) << CLF_SECOND_PART : first;
}

/* Is there code of its own for a full tile? PoCL 3.1, without lanes, miscompiles two copies: scan_tile.cl. */
#define clf_filter_whole(t) (CLF_LANE_WIDTH > 1 && (t)->count == CLF_TILE)

/* Fetches the tile and counts. */
static inline clf_filter_tile clf_filter_reduce(const clf_arguments *a, uint tile, __local clf_filter_storage *s)
{
    clf_filter_tile t;
    t.first = (ulong)tile * CLF_TILE;
    t.count = clf_tile_count(a, tile);
    t.at = clf_local_id() * CLF_ITEMS;
#if CLF_BOUNDED
    t.bound = clf_bound_of(a); /* while inputs are on their way */
#endif
    clf_inputs_fetch(&a->in, t.first, t.count, &s->slab);
    if (CLF_PAIRS)
        clf_group_sync(); /* a row's neighbour may be another unit's */
    else
        clf_unit_sync();
    if (clf_filter_whole(&t))
        clf_filter_row_deal(a, &t, s, true);
    else
        clf_filter_row_deal(a, &t, s, false);
    t.left = clf_count_group_scan(clf_filter_row_count(&t), &s->totals, &t.kept);
    return t;
}

/* How many elements of the tile are kept, as the state of the chain. */
static inline clf_state clf_filter_state_of_tile(const clf_filter_tile *t)
{
    return clf_filter_state_of(clf_first_in(t->kept), clf_second_in(t->kept));
}

/* Has the tile nothing to write: no results, nor the number of all? */
static inline bool clf_filter_has_none(const clf_arguments *a, const clf_filter_tile *t)
{
    return CLF_OUT_SETS == 1 && t->kept == 0 && t->first + t->count != clf_total(a);
}

/* ---- Results -------------------------------------------------------------------------------------------- */

/* Has element k of the row a place among the results? */
static inline bool clf_filter_row_has(const clf_filter_tile *t, uint k)
{
    return CLF_OUT_SETS > 1 ? t->at + k < t->count : t->bits[0] >> k & 1;
}

/* Where in the tile the row's next element of each part goes. */
typedef struct {
    uint first, second, last;
} clf_filter_row_places;

static inline clf_filter_row_places clf_filter_row_begin(const clf_filter_tile *t)
{
    clf_filter_row_places p;
    p.first = clf_first_in(t->left);
    p.second = clf_first_in(t->kept) + clf_second_in(t->left);
    p.last = min(t->at, t->count) - p.first - clf_second_in(t->left) + clf_first_in(t->kept) + clf_second_in(t->kept);
    return p;
}

/* The place of element k of the row, one after the other. (Pointers to counters must not be chosen: PoCL 3.1 loses
 * them, and others would keep the counters in memory.) */
static inline uint clf_filter_row_place(const clf_filter_tile *t, uint k, clf_filter_row_places *p)
{
    const bool first = t->bits[0] >> k & 1;
    const bool second = CLF_OUT_SETS > 2 && t->bits[1] >> k & 1;
    const uint place = first ? p->first : second ? p->second : p->last;
    p->first += first;
    p->second += second;
    p->last += !(first || second);
    return place;
}

/* Values of the row in place of its inputs. */
static inline void clf_filter_row_map(const clf_arguments *a, const clf_filter_tile *t, __local clf_filter_storage *s)
{
    CLF_UNROLL_CHUNKS for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_value out[CLF_CHUNK];
        clf_extra none[CLF_CHUNK];
        clf_inputs_get(&s->slab, j, in);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            if (clf_filter_row_has(t, j + k))
                out[k] = clf_value_copy(clf_map_at(a, in[k], t->first + t->at + j + k, &none[k])); /* value.cl */
        clf_outputs_set(&s->slab, j, out, none, 0);
    }
}

/* One array of results, brought together. */
#define CLF_FILTER_TOGETHER(move, bytes, value, name, array, region) \
    { \
        move row[CLF_ITEMS]; \
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) \
            clf_row_get_##bytes(s->slab.region, j, row + j); \
        clf_group_sync(); \
        clf_filter_row_places places = clf_filter_row_begin(t); \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            if (clf_filter_row_has(t, k)) \
                *clf_tile_element_##bytes(s->slab.region, clf_filter_row_place(t, k, &places)) = row[k]; \
    }
static inline void clf_filter_together(const clf_arguments *a, const clf_filter_tile *t, __local clf_filter_storage *s)
{
    if (!CLF_BOUNDED) {
        if (CLF_MAPPED)
            clf_filter_row_map(a, t, s);
        CLF_ROUND_0(CLF_FILTER_TOGETHER)
    }
}

/* Results of a part: in the tile from place `from` to before `end`, as far as there is room, and where they go. */
typedef struct {
    ulong to;
    uint from, end;
} clf_part_results;

static inline clf_part_results clf_part_room(const clf_arguments *a, ulong to, uint from, uint count)
{
    clf_part_results r;
    r.to = to;
    r.from = from;
    r.end = from + (uint)clf_filter_room(a, to, count);
    return r;
}

#define CLF_FLUSH_PART(part, out, move, bytes, array, region) \
    clf_flush_some_##bytes((__global move *)a->out.array + part.to, part.from, part.end - part.from, s->slab.region);

/* Where few are kept each work-item writes what its row keeps. */
static inline void clf_filter_row_flush(const clf_arguments *a, const clf_filter_tile *t, clf_part_results part,
                                        __local clf_filter_storage *s)
{
    uint place = t->left;
    for (clf_filter_row_bits bits = t->bits[0]; bits && place < part.end; bits &= bits - 1) {
        const uint k = (uint)popcount((bits & (~bits + 1)) - 1);
        const clf_input in = clf_input_in(&s->slab, t->at + k);
        clf_extra none;
        clf_output_at(&a->out, part.to + place, clf_map_at(a, in, t->first + t->at + k, &none));
        ++place;
    }
}

#if CLF_OUT_SETS > 1
/*
 * Parts go out in one loop over the tile. Elements smaller than words go part by part, as words; but where there are no
 * lanes, PoCL 3.1 loses stores of several such loops.
 */
#define CLF_PARTS_AT_ONCE(bytes) ((bytes) >= 4 || CLF_LANE_WIDTH == 1)
#define CLF_STORE_PART(part, out, move, array) \
    if (i >= part.from && i < part.end) \
        ((__global move *)a->out.array)[part.to + (i - part.from)] = x;
#if CLF_OUT_SETS > 2
#define CLF_STORE_THIRD(move, array) CLF_STORE_PART(third, third, move, array)
#define CLF_FLUSH_THIRD(move, bytes, array, region) CLF_FLUSH_PART(third, third, move, bytes, array, region)
#else
#define CLF_STORE_THIRD(move, array)
#define CLF_FLUSH_THIRD(move, bytes, array, region)
#endif
#define CLF_FLUSH_RESULTS(move, bytes, value, name, array, region) \
    if (CLF_PARTS_AT_ONCE(bytes)) { \
        for (uint i = clf_local_id(); i < t->count; i += CLF_GROUP) { \
            const move x = *clf_tile_element_##bytes(s->slab.region, i); \
            CLF_STORE_PART(first, out, move, array) \
            CLF_STORE_PART(second, second, move, array) \
            CLF_STORE_THIRD(move, array) \
        } \
    } else { \
        CLF_FLUSH_PART(first, out, move, bytes, array, region) \
        CLF_FLUSH_PART(second, second, move, bytes, array, region) \
        CLF_FLUSH_THIRD(move, bytes, array, region) \
    }
#else
#define CLF_FLUSH_RESULTS(move, bytes, value, name, array, region) \
    CLF_FLUSH_PART(first, out, move, bytes, array, region)
#endif

/* `before`: how many elements before the tile are kept. Synchronise first. */
static inline void clf_filter_flush(const clf_arguments *a, const clf_filter_tile *t, __local clf_filter_storage *s,
                                    clf_state before)
{
    const uint kept = clf_first_in(t->kept), more = clf_second_in(t->kept);
    const clf_part_results first = clf_part_room(a, clf_first_of(before), 0, kept);
#if CLF_OUT_SETS > 1
    const ulong others = t->first - clf_first_of(before) - clf_second_of(before);
    const clf_part_results last = clf_part_room(a, others, kept + more, t->count - kept - more);
#endif
#if CLF_OUT_SETS == 2
    const clf_part_results second = last;
#elif CLF_OUT_SETS > 2
    const clf_part_results second = clf_part_room(a, clf_second_of(before), kept, more), third = last;
#endif
    clf_filter_tell(a, t->first + t->count, clf_total(a), clf_state_combine(before, clf_filter_state_of_tile(t)));
    if (CLF_BOUNDED) {
        clf_filter_row_flush(a, t, first, s);
    } else {
        CLF_ROUND_0(CLF_FLUSH_RESULTS)
    }
}
