/* SPDX-License-Identifier: MIT */
/*
 * by_key_tile: the steps of every reduction by key on a tile. Fetch it. Mark the heads of each work-item's row, a bit
 * for each, and reduce the row. Scan rows across the group. (Find the tile's exclusive prefix.) Rescan each row, so
 * that every element has in its place the sum of the run before it and its own extra outputs. Compact those of heads in
 * local memory. Flush them.
 *
 * The tile's prefix is needed for one value only: that of the run that was open before the tile. It is the first of the
 * compacted results, and completed at the end; so results are compacted before a group waits for others.
 *
 * needs: nothing
 * provides: clf_by_key_flush, clf_by_key_has_none, clf_by_key_reduce, clf_by_key_tile, clf_by_key_together
 */
#include "reduce_by_key/by_key_state.cl"
#include "segments/segment.cl"
#include "memory/tile_fields.cl"

/* The same as the state, of a range within a tile: there 32 bits count the heads. */
typedef struct {
    uint heads;
    clf_value sum;
} clf_runs;

static inline clf_runs clf_runs_of(uint heads, clf_value sum)
{
    clf_runs r;
    r.heads = heads;
    r.sum = clf_value_copy(sum);
    return r;
}

static inline clf_runs clf_runs_combine(clf_runs left, clf_runs right CLF_COMBINE_PARAMETER)
{
    return clf_runs_of(left.heads + right.heads, clf_sum_next(left.sum, right.sum, right.heads != 0 CLF_COMBINE_A));
}
#define clf_runs_combine(left, right) clf_runs_combine(left, right CLF_COMBINE_A)

static inline clf_runs clf_runs_neutral(void) { return clf_runs_of(0, clf_neutral()); }

static inline void clf_runs_pack(clf_runs r, uint w[CLF_VALUE_WORDS + 1])
{
    w[0] = r.heads;
    clf_pack(r.sum, w + 1);
}

static inline clf_runs clf_runs_unpack(const uint w[CLF_VALUE_WORDS + 1])
{
    return clf_runs_of(w[0], clf_unpack(w + 1));
}

#define CLF_S clf_runs
#define CLF_S_WORDS (CLF_VALUE_WORDS + 1)
#include "group/scan_template.cl"

/* ---- A tile --------------------------------------------------------------------------------------------- */

typedef struct {
    clf_slab slab;
    clf_runs_totals totals;
} clf_by_key_storage;

/* A bit for each element of a row. */
#if CLF_ITEMS > 64
#error "a row of a reduction by key has 64 elements at most"
#elif CLF_ITEMS > 32
typedef ulong clf_by_key_row_bits;
#else
typedef uint clf_by_key_row_bits;
#endif

/*
 * Rows of few registers stay there from one pass over them to the next; others are read again. So are those whose
 * values are bytes or shorts: heads would write such values one by one, which takes longer than reading the row.
 */
#define CLF_ROW_KEPT \
    (CLF_LANE_WIDTH > 1 && (0 CLF_CARRIED_FIELDS(CLF_ADD_BYTES)) == 4 * CLF_VALUE_WORDS && \
     CLF_ITEMS * (0 CLF_INPUT_FIELDS(CLF_ADD_WORDS)) <= 64)

/* One tile as one work-item sees it. */
typedef struct {
    ulong first;               /* index of the tile's first element */
    uint count;                /* elements in the tile */
    uint at;                   /* of this work-item's row in the tile */
    clf_by_key_row_bits heads; /* which of the row are heads */
    clf_by_key_row_bits alone; /* and which are runs by themselves, and no heads, if that matters */
    clf_runs left;             /* the tile's elements before the row, */
    clf_runs all;              /* and all */
#if CLF_ROW_KEPT
    clf_input row[CLF_ITEMS];
#endif
} clf_by_key_tile;

#define CLF_KEEP_FIELD(f, type, move, bytes, name) t->row[j + k].name = in[k].name;
#if CLF_ROW_KEPT
#define CLF_KEEP_CHUNK \
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) { \
        CLF_INPUT_FIELDS(CLF_KEEP_FIELD) \
    }
#else
#define CLF_KEEP_CHUNK
#endif

#if CLF_LANE_WIDTH > 1
#define clf_by_key_whole(t) ((t)->count == CLF_TILE)
#else
#define clf_by_key_whole(t) false /* PoCL 3.1 miscompiles two copies: scan_tile.cl */
#endif

/* The element before this work-item's row; anything where there is none. */
static inline clf_input clf_by_key_row_before(const clf_arguments *a, const clf_by_key_tile *t,
                                              __local clf_by_key_storage *s)
{
    if (t->at > 0)
        return clf_input_in(&s->slab, t->at - 1);
    return clf_input_at(&a->in, t->first > 0 ? t->first - 1 : 0);
}

/* Is element k of the row the first of all? (Of the others, constants say no.) */
static inline bool clf_by_key_row_first(const clf_by_key_tile *t, uint k)
{
    return k == 0 && t->first + t->at == 0;
}

/* Is the row's last element, the tile's element `last`, the last one of its run? */
static inline bool clf_by_key_row_ends(const clf_arguments *a, const clf_by_key_tile *t, __local clf_by_key_storage *s,
                                       uint last)
{
    if (last + 1 < t->count)
        return !clf_is_same(clf_input_in(&s->slab, last), clf_input_in(&s->slab, last + 1) CLF_AND_CAPTURED);
    return clf_ends_at(a, t->first + last);
}

/* Tells heads of runs of several elements from those of one. */
static inline void clf_by_key_row_mark(const clf_arguments *a, clf_by_key_tile *t, __local clf_by_key_storage *s,
                                       bool whole)
{
    clf_input before = clf_by_key_row_before(a, t, s);
    clf_by_key_row_bits starts = 0, ends = 0;
    CLF_UNROLL_CHUNKS for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_inputs_get(&s->slab, j, in);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
            const uint place = t->at + j + k;
            if (whole || place < t->count)
                starts |= (clf_by_key_row_bits)(clf_by_key_row_first(t, j + k) ||
                                                !clf_is_same(before, in[k] CLF_AND_CAPTURED))
                          << (j + k);
            before = in[k];
        }
    }
    if (whole || t->at < t->count) {
        const uint some = whole ? CLF_ITEMS : min((uint)CLF_ITEMS, t->count - t->at);
        ends = starts >> 1 | (clf_by_key_row_bits)clf_by_key_row_ends(a, t, s, t->at + some - 1) << (some - 1);
    }
    t->heads = starts & ~ends;
    t->alone = starts & ends;
}

/* Reduces the row. `whole`: is the tile full? A constant where this is inlined. */
static inline clf_runs clf_by_key_row_reduce(const clf_arguments *a, clf_by_key_tile *t, __local clf_by_key_storage *s,
                                             bool whole)
{
    clf_input before = clf_by_key_row_before(a, t, s);
    clf_value sum = clf_neutral();
    clf_by_key_row_bits heads = 0;
    if (CLF_NONTRIVIAL)
        clf_by_key_row_mark(a, t, s, whole);
    CLF_UNROLL_CHUNKS for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_inputs_get(&s->slab, j, in);
        CLF_KEEP_CHUNK
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
            const uint place = t->at + j + k;
            if (whole || place < t->count) {
                const bool head = CLF_NONTRIVIAL
                                      ? t->heads >> (j + k) & 1
                                      : clf_by_key_row_first(t, j + k) || !clf_is_same(before, in[k] CLF_AND_CAPTURED);
                clf_extra none;
                CLF_UNLESS_ALONE(t->alone, j + k)
                sum = clf_sum_next(sum, clf_map_at(a, in[k], t->first + place, &none),
                                   head || j + k == 0 CLF_COMBINE_A);
                heads |= (clf_by_key_row_bits)head << (j + k);
            }
            before = in[k];
        }
    }
    t->heads = heads;
    return clf_runs_of((uint)popcount(heads), sum);
}

/* Fetches the tile and reduces it. */
static inline clf_by_key_tile clf_by_key_reduce(const clf_arguments *a, uint tile, __local clf_by_key_storage *s)
{
    clf_by_key_tile t;
    t.first = (ulong)tile * CLF_TILE;
    t.count = clf_tile_count(a, tile);
    t.at = clf_local_id() * CLF_ITEMS;
    clf_inputs_fetch(&a->in, t.first, t.count, &s->slab);
    clf_group_sync(); /* a row's neighbour may be another unit's */
    const clf_runs row = clf_by_key_whole(&t) ? clf_by_key_row_reduce(a, &t, s, true)
                                              : clf_by_key_row_reduce(a, &t, s, false);
    t.left = clf_runs_group_scan(row, &s->totals, &t.all CLF_COMBINE_A);
    return t;
}

/* All of the tile, as the state of the chain. */
static inline clf_state clf_by_key_state_of_tile(const clf_by_key_tile *t)
{
    return clf_by_key_state_of(t->all.heads, t->all.sum);
}

/* Has the tile nothing to write: no head, nor the end of all? */
static inline bool clf_by_key_has_none(const clf_arguments *a, const clf_by_key_tile *t)
{
    return t->all.heads == 0 && t->first + t->count != clf_total(a);
}

/* ---- Results -------------------------------------------------------------------------------------------- */

/* Leaves in the place of each element what the run before it adds up to in the tile, and its extra outputs. */
static inline void clf_by_key_row_rescan(const clf_arguments *a, const clf_by_key_tile *t,
                                         __local clf_by_key_storage *s, bool whole)
{
    clf_value sum = clf_value_copy(t->left.sum);
    CLF_UNROLL_CHUNKS for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_value out[CLF_CHUNK];
        clf_extra extra[CLF_CHUNK];
        clf_inputs_get(&s->slab, j, in);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
            const uint place = t->at + j + k;
            out[k] = clf_value_copy(sum);
            if (whole || place < t->count)
                CLF_UNLESS_ALONE(t->alone, j + k)
            sum = clf_sum_next(sum, clf_map_at(a, in[k], t->first + place, &extra[k]),
                               t->heads >> (j + k) & 1 CLF_COMBINE_A);
        }
        clf_outputs_set(&s->slab, j, out, extra, 0);
    }
}

/* One array of results brought together. */
#define CLF_BY_KEY_TOGETHER(move, bytes, value, name, array, region) \
    { \
        move row[CLF_ITEMS]; \
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) \
            clf_row_get_##bytes(s->slab.region, j, row + j); \
        clf_group_sync(); \
        uint place = t->left.heads; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            if (t->heads >> k & 1) \
                *clf_tile_element_##bytes(s->slab.region, place++) = row[k]; \
    }

/* The same of a row in registers: each head's results go where they belong as soon as they are known. */
#if CLF_ROW_KEPT
#define CLF_KEPT_x extra
#define CLF_KEPT_v sum
#define CLF_TOGETHER_KEPT(move, bytes, value, name, array, region) \
    *clf_tile_element_##bytes(s->slab.region, place) = as_##move(CLF_KEPT_##value.name);
static inline void clf_by_key_row_together(const clf_arguments *a, const clf_by_key_tile *t,
                                           __local clf_by_key_storage *s, bool whole)
{
    clf_value sum = clf_value_copy(t->left.sum);
    uint place = t->left.heads;
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k)
        if (whole || t->at + k < t->count) {
            const bool head = t->heads >> k & 1;
            clf_extra extra;
            const clf_value v = clf_map_at(a, t->row[k], t->first + t->at + k, &extra);
            if (head) {
                CLF_ROUND_0(CLF_TOGETHER_KEPT)
            }
            place += head;
            CLF_UNLESS_ALONE(t->alone, k)
            sum = clf_sum_next(sum, v, head CLF_COMBINE_A);
        }
}
#endif

static inline void clf_by_key_together(const clf_arguments *a, const clf_by_key_tile *t, __local clf_by_key_storage *s)
{
#if CLF_ROW_KEPT
    clf_group_sync(); /* all have read their rows */
    if (clf_by_key_whole(t))
        clf_by_key_row_together(a, t, s, true);
    else
        clf_by_key_row_together(a, t, s, false);
#else
    if (clf_by_key_whole(t))
        clf_by_key_row_rescan(a, t, s, true);
    else
        clf_by_key_row_rescan(a, t, s, false);
    CLF_ROUND_0(CLF_BY_KEY_TOGETHER)
#endif
}

/*
 * What the elements before the tile's first head add up to in the tile: the first of the values. (x: of no use.) Where
 * the operator has `finish` this takes others, too: value `at`.
 */
#define CLF_BY_KEY_AT , uint at
#define CLF_BY_KEY_AT_0 , 0
#define CLF_FIRST_MEMBER(move, bytes, value, name, array, region) move array;
#define CLF_FIRST_TAKE(move, bytes, value, name, array, region) \
    first.array = *clf_tile_element_##bytes(s->slab.region, CLF_FINISHED(at, 0));
#define CLF_FIRST_GET(f, type, move, bytes, name) v.name = as_##type(first.p##f);
static inline clf_value clf_by_key_first(__local clf_by_key_storage *s CLF_WHERE_FINISHED(CLF_BY_KEY_AT))
{
    struct {
        CLF_ROUND_0(CLF_FIRST_MEMBER)
    } first;
    clf_value v;
    CLF_ROUND_0(CLF_FIRST_TAKE)
    CLF_VALUE_FIELDS(CLF_FIRST_GET)
    return v;
}

#define CLF_FLUSH_FROM_x 0
#define CLF_FLUSH_FROM_v 1
#define CLF_FLUSH_SOME(move, bytes, value, name, array, region) \
    clf_flush_some_##bytes((__global move *)a->out.array + before.heads, CLF_FLUSH_FROM_##value, some_##value, \
                           s->slab.region);
/* Values that are finished as they are written: extra outputs alone. */
#define CLF_BY_KEY_EXTRA(move, bytes, value, name, array, region) \
    CLF_BY_KEY_EXTRA_##value(CLF_FLUSH_SOME(move, bytes, value, name, array, region))
#define CLF_BY_KEY_EXTRA_x(text) text
#define CLF_BY_KEY_EXTRA_v(text)
/* `before`: all elements before the tile. Synchronise first. */
static inline void clf_by_key_flush(const clf_arguments *a, const clf_by_key_tile *t, __local clf_by_key_storage *s,
                                    clf_state before)
{
    const uint heads = t->all.heads;
    const uint some_x = (uint)clf_by_key_room(a, before.heads, heads);
    const uint some_v = (uint)clf_by_key_room(a, before.heads, heads ? heads - 1 : 0);
    CLF_FINISHED(CLF_ROUND_0(CLF_BY_KEY_EXTRA)
                 for (uint k = clf_local_id(); k < some_v; k += CLF_GROUP)
                     clf_by_key_write(a, before.heads + k, clf_by_key_first(s, k + 1));
                 , CLF_ROUND_0(CLF_FLUSH_SOME))
    if (clf_local_id() == 0) {
        if (heads && before.heads)
            clf_by_key_write(a, before.heads - 1,
                             clf_combine(before.sum, clf_by_key_first(s CLF_WHERE_FINISHED(CLF_BY_KEY_AT_0))));
        if (t->first + t->count == clf_total(a))
            clf_by_key_end(a, clf_state_combine(before, clf_by_key_state_of_tile(t)));
    }
}
