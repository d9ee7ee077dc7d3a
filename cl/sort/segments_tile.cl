/* SPDX-License-Identifier: MIT */
/*
 * segments_tile: groups sort segments (segments.cl). A tile's keys are in local memory. Each work-item sorts CLF_ITEMS
 * neighbours in registers by a sorting network (Batcher 1968), and of rows lanes sort what they have together. Then
 * parts of segments are merged in pairs, by twice as many work-items each time. Each work-item finds by bisection where
 * its share begins in both parts ("merge path": Green, McColl and Bader 2012). Indices move with the keys, and values
 * are fetched by them at the end. Keys that determine all bits of their values move without indices (`alone`, a
 * constant). Floats do in tiles without -0 and NaN.
 *
 * Rows begin at work-items: a row of a->unit elements has a->stride places. Rows of up to half of CLF_ITEMS share such
 * a unit; heads within it separate them, as they separate irregular segments.
 *
 * needs: a->stride, a->unit
 * provides: clf_items, clf_items_put, CLF_KEY_ALONE, CLF_KEY_TRIED, clf_pair, clf_pair_merge, CLF_PLACED,
 *           CLF_SEGMENTS_*, clf_segments_*, CLF_TOLD
 */
#include "sort/segments.cl"

#if CLF_TILE >= 65536 || CLF_ITEMS > 32
#error "places in a tile are 16 bits, and a work-item has a word for its heads"
#endif

#define CLF_KEY_ALONE (CLF_KEY_IS_VALUE && CLF_KEY_INVERTIBLE)
/* Does each tile look whether its keys tell all? Without lanes PoCL 3.1 fails on barriers that depend on it. */
#define CLF_KEY_TRIED (CLF_KEY_IS_VALUE && !CLF_KEY_INVERTIBLE && CLF_LANE_WIDTH > 1)
#if CLF_KEY_ALONE
#define CLF_PLACED(statement)
#else
#define CLF_PLACED(statement) statement
#endif
#if CLF_KEY_IS_VALUE
#define CLF_TOLD(statement) statement
#else
#define CLF_TOLD(statement)
#endif

/* Where local memory has place i: work-items side by side, with an even number each, are to meet in no bank. */
#define CLF_SEGMENTS_BANKS (CLF_KEY_BYTES > 8 ? 8 : CLF_KEY_BYTES > 4 ? 16 : 32)
#define CLF_SEGMENTS_SLOT(i) (CLF_ITEMS % 2 ? (i) : (i) + (i) / CLF_SEGMENTS_BANKS)
#define CLF_SLOTS_BEHIND (2 * (CLF_ITEMS + 1)) /* merges load beyond their ends, and leave out what they got */
#define CLF_SLOTS (CLF_TILE + CLF_TILE / CLF_SEGMENTS_BANKS + CLF_SLOTS_BEHIND)

/* ---- Heads ---------------------------------------------------------------------------------------------- */

#if CLF_SEGMENT == 2

enum { CLF_MERGE_LEVELS = 16 }; /* of merging, at most */

/* Scans of two largest numbers. */
typedef ushort2 clf_most;
static inline clf_most clf_most_combine(clf_most left, clf_most right) { return max(left, right); }
static inline clf_most clf_most_neutral(void) { return (ushort2)(0, 0); }
static inline void clf_most_pack(clf_most n, uint w[1]) { w[0] = as_uint(n); }
static inline clf_most clf_most_unpack(const uint w[1]) { return as_ushort2(w[0]); }

#define CLF_S clf_most
#define CLF_S_WORDS 1
#include "group/scan_template.cl"

/*
 * Of each work-item's first element: where its segment begins in the tile, and where the next one does. Is any pair of
 * 2^level work-items each to be merged?
 */
typedef struct {
    ushort begin[CLF_GROUP], next[CLF_GROUP];
    uint merged[CLF_MERGE_LEVELS];
    clf_most_totals totals;
} clf_segments_tile_heads;

#endif

typedef struct {
    clf_key_bits keys[CLF_SLOTS];
    CLF_PLACED(ushort places[CLF_SLOTS];)
    clf_flag untold; /* CLF_KEY_TRIED: does a key not tell all bits of its value? */
#if CLF_SEGMENT == 2
    clf_segments_tile_heads heads;
#endif
} clf_segments_storage;

/* What a work-item has of a tile: elements, from a place on; and which of the tile's these are. */
typedef struct {
    uint at, count, element;
    uint first, end; /* places of its unit: the first, and behind the last element */
    uint heads;      /* bit k: its element k is a head; of those that there are not all are */
} clf_segments_share;

static inline uint clf_bits_from(uint k) { return k < 32 ? ~0u << k : 0; }

/* Two sorted parts in local memory, [left, middle) and [middle, right); none if middle is right. */
typedef struct {
    uint left, middle, right;
} clf_pair;

#if CLF_SEGMENT == 1

static inline clf_segments_share clf_segments_share_of(const clf_arguments *a, uint from, uint count,
                                                       __local clf_segments_storage *s)
{
    const uint workers = a->stride / CLF_ITEMS, unit = clf_local_id() / workers, place = clf_local_id() % workers;
    const uint here = count > unit * a->unit ? min(count - unit * a->unit, a->unit) : 0;
    clf_segments_share share;
    share.at = clf_local_id() * CLF_ITEMS;
    share.count = here > place * CLF_ITEMS ? min(here - place * CLF_ITEMS, (uint)CLF_ITEMS) : 0;
    share.element = unit * a->unit + place * CLF_ITEMS;
    share.first = unit * a->stride;
    share.end = share.first + here;
    share.heads = clf_bits_from(share.count);
    if (a->size < CLF_ITEMS) /* several rows in a unit, each in one work-item */
        for (uint k = 0, in_row = 0; k < CLF_ITEMS; ++k) {
            share.heads |= in_row == 0 ? 1u << k : 0;
            in_row = in_row + 1 == (uint)a->size ? 0 : in_row + 1;
        }
    return share;
}

static inline bool clf_nothing_merged(uint width, __local const clf_segments_storage *s) { return false; }
static inline void clf_pair_within(clf_pair *pair, uint second, __local const clf_segments_storage *s) { }

#else

/*
 * Where segments begin is known from the last heads of the work-items before, and where the next ones do from the first
 * heads of those behind: the same scan looks at these from the end, for another work-item.
 * Elements before `from` are none of the tile's: each is as a segment of its own, which nothing moves.
 */
static inline clf_segments_share clf_segments_share_of(const clf_arguments *a, uint from, uint count,
                                                       __local clf_segments_storage *s)
{
    const ulong tile = (ulong)get_group_id(0) * CLF_TILE;
    const uint id = clf_local_id(), mirrored = CLF_GROUP - 1 - id;
    clf_segments_share share;
    clf_most all;
    share.at = share.element = id * CLF_ITEMS;
    share.count = count > share.at ? min(count - share.at, (uint)CLF_ITEMS) : 0;
    share.first = 0;
    share.end = count;
    const uint foreign = from > share.at ? ~clf_bits_from(from - share.at) : 0;
    const uint bits = share.count > 0 ? clf_head_bits(a, tile + share.at) | foreign : 0;
    const uint heads = bits & ~clf_bits_from(share.count);
    const uint later = heads & ~1u; /* heads behind the work-item's first element */
    share.heads = heads | clf_bits_from(share.count);
    s->heads.next[id] = (ushort)(heads ? CLF_TILE - share.at - (31 - (uint)clz(heads & -heads)) : 0);
    if (id < CLF_MERGE_LEVELS)
        s->heads.merged[id] = false;
    clf_group_sync();
    if (id > 0 && share.count > 0 && !(heads & 1)) /* all write the same */
        s->heads.merged[31 - (uint)clz(id & -id)] = true;
    const ushort last = (ushort)(heads ? share.at + (32 - (uint)clz(heads)) : 0);
    const clf_most most = clf_most_group_scan((ushort2)(last, s->heads.next[mirrored]), &s->heads.totals, &all);
    clf_group_sync();
    s->heads.begin[id] = (ushort)(heads & 1 ? share.at : most.x ? most.x - 1 : 0);
    s->heads.next[mirrored] = (ushort)(most.y ? CLF_TILE - most.y : count);
    clf_group_sync();
    if (later)
        s->heads.next[id] = (ushort)(share.at + (31 - (uint)clz(later & -later)));
    return share;
}

/* Has no pair of so many work-items each two parts? Without lanes all levels have the same barriers. */
static inline bool clf_nothing_merged(uint width, __local const clf_segments_storage *s)
{
    return CLF_LANE_WIDTH > 1 && !s->heads.merged[31 - (uint)clz(width)];
}

/* Leaves the segment that goes on in work-item `second`, the first one of the right half; else nothing to merge. */
static inline void clf_pair_within(clf_pair *pair, uint second, __local const clf_segments_storage *s)
{
    const uint begin = s->heads.begin[second];
    pair->left = max(pair->left, begin);
    pair->right = begin < pair->middle ? min(pair->right, (uint)s->heads.next[second]) : pair->middle;
}

#endif

/* ---- Some elements in registers ------------------------------------------------------------------------- */

typedef struct {
    clf_key_bits key[CLF_ITEMS];
    CLF_PLACED(uint place[CLF_ITEMS];)
} clf_items;

/* Place j of a share that begins at `at`: that of a row has no gap, so that places differ by constants. */
#define CLF_ITEMS_EVEN (CLF_SEGMENT == 1 && CLF_SEGMENTS_BANKS % CLF_ITEMS == 0)
#define CLF_ITEM_SLOT(at, j) (CLF_ITEMS_EVEN ? CLF_SEGMENTS_SLOT(at) + (j) : CLF_SEGMENTS_SLOT((at) + (j)))

/* Elements j and k, which may change places, in order; of equal keys the one that was before. */
CLF_INLINE void clf_items_order(clf_items *x, uint j, uint k, bool may, bool alone)
{
    const clf_key_bits a = x->key[j], b = x->key[k];
    if (alone) {
        x->key[j] = may ? CLF_KEY_MIN(a, b) : a;
        x->key[k] = may ? CLF_KEY_MAX(a, b) : b;
        return;
    }
#if !CLF_KEY_ALONE
    const uint p = x->place[j], q = x->place[k];
    const bool swap = may && clf_comes_before(b, q, a, p);
    x->key[j] = swap ? b : a;
    x->key[k] = swap ? a : b;
    x->place[j] = swap ? q : p;
    x->place[k] = swap ? p : q;
#endif
}

/*
 * A step of Batcher's merge of runs of `run` elements, with elements so far apart; both are constants. Where bit k is
 * set in `heads`, element k begins a segment, and none changes places across it. (Numbers of segments, which ascend,
 * might be the upper digits of keys: then these would not either.)
 */
CLF_INLINE void clf_items_step(clf_items *x, uint run, uint apart, uint heads, bool alone)
{
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
        if (run < CLF_ITEMS && j >= apart % run && j + apart < CLF_ITEMS && (j - apart % run) / apart % 2 == 0 &&
            j / (2 * run) == (j + apart) / (2 * run))
            clf_items_order(x, j, j + apart, (heads & ((1u << apart) - 1) << (j + 1)) == 0, alone);
}

CLF_INLINE void clf_items_sort(clf_items *x, uint heads, bool alone)
{
    clf_items_step(x, 1, 1, heads, alone);
    clf_items_step(x, 2, 2, heads, alone);
    clf_items_step(x, 2, 1, heads, alone);
    clf_items_step(x, 4, 4, heads, alone);
    clf_items_step(x, 4, 2, heads, alone);
    clf_items_step(x, 4, 1, heads, alone);
    clf_items_step(x, 8, 8, heads, alone);
    clf_items_step(x, 8, 4, heads, alone);
    clf_items_step(x, 8, 2, heads, alone);
    clf_items_step(x, 8, 1, heads, alone);
    clf_items_step(x, 16, 16, heads, alone);
    clf_items_step(x, 16, 8, heads, alone);
    clf_items_step(x, 16, 4, heads, alone);
    clf_items_step(x, 16, 2, heads, alone);
    clf_items_step(x, 16, 1, heads, alone);
}

CLF_INLINE void clf_items_put(const clf_items *x, uint at, uint count, bool alone, __local clf_segments_storage *s)
{
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
        if (j < count) {
            s->keys[CLF_ITEM_SLOT(at, j)] = x->key[j];
            CLF_PLACED(if (!alone) s->places[CLF_ITEM_SLOT(at, j)] = (ushort)x->place[j];)
        }
}

/*
 * So many lanes sort what they have together: a power of two, of which a unit has whole ones. Wide keys are merged
 * instead: an H200 sorts 2^24 u64 in rows of 2^10 so in 302 us, by lanes in 328.
 */
#if CLF_LANE_WIDTH > 1 && CLF_ITEMS_EVEN && CLF_KEY_BYTES <= 4
#define CLF_T CLF_ITEMS
#define CLF_T_NAME clf_items_network
#include "digit/network_template.cl"
CLF_INLINE uint clf_items_across(const clf_arguments *a, bool alone, clf_items *x)
{
    const uint beside = a->stride / CLF_ITEMS, team = min(beside & -beside, (uint)CLF_LANE_WIDTH);
    if (alone)
        clf_items_network_alone_join(x->key, team);
    CLF_PLACED(else clf_items_network_join(x->key, x->place, team);)
    return team;
}
#else
#define clf_items_across(a, alone, x) 1
#endif

/* ---- Merging -------------------------------------------------------------------------------------------- */

/* How many of the first `place` elements of both the left part has; of equal ones the left's come first. */
static inline uint clf_pair_cut(const clf_pair *pair, uint place, __local const clf_segments_storage *s)
{
    const uint n_right = pair->right - pair->middle;
    uint low = place > n_right ? place - n_right : 0, high = min(place, pair->middle - pair->left);
    while (low < high) {
        const uint some = (low + high) / 2;
        if (CLF_KEY_AT_MOST(s->keys[CLF_SEGMENTS_SLOT(pair->left + some)],
                            s->keys[CLF_SEGMENTS_SLOT(pair->middle + place - 1 - some)]))
            low = some + 1;
        else
            high = some;
    }
    return low;
}

/*
 * CLF_ITEMS of their elements, from place `place` on; behind the last one anything. `placed`: with what s->places has,
 * else with where they lie. Nothing branches. A part at its end has the greatest key: of keys alone it does not matter
 * which of equal ones is taken.
 */
CLF_INLINE void clf_pair_merge(const clf_pair *pair, uint place, bool placed, bool alone, clf_items *x,
                               __local const clf_segments_storage *s)
{
    const uint cut = clf_pair_cut(pair, place, s);
    uint i = pair->left + cut, k = pair->middle + (place - cut);
    const clf_key_bits first = s->keys[CLF_SEGMENTS_SLOT(i)], second = s->keys[CLF_SEGMENTS_SLOT(k)];
    clf_key_bits left = i < pair->middle ? first : CLF_KEY_ONES, right = k < pair->right ? second : CLF_KEY_ONES;
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const bool is_left = CLF_KEY_AT_MOST(left, right) && (alone || i < pair->middle);
        x->key[j] = is_left ? left : right;
        CLF_PLACED(if (!alone) x->place[j] = is_left ? i : k;)
        CLF_PLACED(if (!alone && placed) x->place[j] = s->places[CLF_SEGMENTS_SLOT(x->place[j])];)
        i += is_left;
        k += !is_left;
        const uint at = is_left ? i : k, end = is_left ? pair->middle : pair->right;
        const clf_key_bits there = s->keys[CLF_SEGMENTS_SLOT(at)], next = at < end ? there : CLF_KEY_ONES;
        left = is_left ? next : left;
        right = is_left ? right : next;
    }
}

/* The pair that this work-item's share is of, of so many work-items each. */
static inline clf_pair clf_pair_of(const clf_segments_share *share, uint width, __local const clf_segments_storage *s)
{
    const uint first = (share->at - share->first) / CLF_ITEMS & ~(2 * width - 1);
    clf_pair pair;
    pair.left = share->first + first * CLF_ITEMS;
    pair.middle = min(pair.left + width * CLF_ITEMS, share->end);
    pair.right = min(pair.left + 2 * width * CLF_ITEMS, share->end);
    if (pair.middle < pair.right)
        clf_pair_within(&pair, first + width, s);
    return pair;
}

/* Work-items that merge at most: of longer segments all. Without lanes loops with barriers have a constant end. */
static inline uint clf_merged_most(const clf_arguments *a)
{
    return ((CLF_SEGMENT == 1) & (CLF_LANE_WIDTH > 1)) ? min(a->stride / CLF_ITEMS, (uint)CLF_GROUP) : CLF_GROUP;
}

/* Of pairs of so many work-items, each sees what the others wrote. Those of a warp need not wait for others. */
static inline void clf_pairs_sync(const clf_arguments *a, uint workers)
{
    const uint beside = CLF_SEGMENT == 1 ? a->stride / CLF_ITEMS : CLF_GROUP; /* work-items of a unit */
    if (CLF_LANE_WIDTH > 1 && workers <= CLF_LANE_WIDTH && (beside & (workers - 1)) == 0)
        clf_lane_sync();
    else
        clf_group_sync();
}

/* Sorts the tile's keys. The caller synchronises before, and afterwards. */
CLF_INLINE void clf_segments_tile_sort(const clf_arguments *a, const clf_segments_share *share, bool alone,
                                       __local clf_segments_storage *s)
{
    const uint most = clf_merged_most(a);
    clf_items x;
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        x.key[j] = j < share->count ? s->keys[CLF_ITEM_SLOT(share->at, j)] : CLF_KEY_ONES;
        CLF_PLACED(if (!alone) x.place[j] = share->element + j;)
    }
    /* What is lacking is no less than any, and comes after those that are equal: it stays behind. */
    if ((share->heads & ~clf_bits_from(share->count) & ~1u) == 0)
        clf_items_sort(&x, 0, alone);
    else
        clf_items_sort(&x, share->heads, alone);
    const uint team = clf_items_across(a, alone, &x);
    clf_items_put(&x, share->at, share->count, alone, s);
    CLF_LOOP for (uint width = team; width < most; width *= 2) {
        if (clf_nothing_merged(width, s))
            continue;
        clf_pairs_sync(a, 2 * width);
        const clf_pair pair = clf_pair_of(share, width, s);
        const uint begin = max(share->at, pair.left), end = min(share->at + share->count, pair.right);
        const uint count = pair.middle < pair.right && begin < end ? end - begin : 0;
        if (count > 0)
            clf_pair_merge(&pair, begin - pair.left, true, alone, &x, s);
        clf_pairs_sync(a, 2 * width);
        clf_items_put(&x, begin, count, alone, s);
    }
}
