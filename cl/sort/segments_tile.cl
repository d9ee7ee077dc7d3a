/* SPDX-License-Identifier: MIT */
/*
 * segments_tile: what work-items have of a tile of segments (segments.cl), of which the keys are in local memory. Each
 * sorts CLF_ITEMS neighbours in registers by a sorting network (Batcher 1968), and lanes sort what they have together.
 * Indices move with the keys, and values are fetched by them at the end. Keys that determine all bits of their values
 * move without indices (`alone`, a constant). Floats do in tiles without -0 and NaN.
 *
 * Rows begin at work-items: a row of a->unit elements has a->stride places. Rows of up to half of CLF_ITEMS share such
 * a unit; heads within it separate them, as they separate irregular segments.
 *
 * needs: a->stride, a->unit
 * provides: clf_bits_from, CLF_ITEM_SLOT, clf_items, CLF_ITEMS_*, clf_items_*, CLF_KEY_ALONE, CLF_KEY_TRIED,
 *           clf_nothing_merged, clf_pair, clf_pair_within, CLF_PLACED, CLF_SEGMENTS_*, clf_segments_*, CLF_TOLD
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

/* Scans of two largest numbers, halves of a word: without optimisation Mesa over NVIDIA has scans of ushort2 wrong. */
typedef uint clf_most;
static inline clf_most clf_most_combine(clf_most left, clf_most right)
{
    return max(left & 65535, right & 65535) | max(left >> 16, right >> 16) << 16;
}
static inline clf_most clf_most_neutral(void) { return 0; }
static inline void clf_most_pack(clf_most n, uint w[1]) { w[0] = n; }
static inline clf_most clf_most_unpack(const uint w[1]) { return w[0]; }

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
    const uint last = heads ? share.at + (32 - (uint)clz(heads)) : 0, next = s->heads.next[mirrored];
    const clf_most most = clf_most_group_scan(last | next << 16, &s->heads.totals, &all);
    clf_group_sync();
    s->heads.begin[id] = (ushort)(heads & 1 ? share.at : max(most & 65535, 1u) - 1);
    s->heads.next[mirrored] = (ushort)(most >> 16 ? CLF_TILE - (most >> 16) : count);
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
#define CLF_ITEM_SLOT(at, j) \
    (CLF_SEGMENT == 1 && CLF_SEGMENTS_BANKS % CLF_ITEMS == 0 ? CLF_SEGMENTS_SLOT(at) + (j) : \
                                                               CLF_SEGMENTS_SLOT((at) + (j)))

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
 * set in `heads`, element k begins a segment, and none changes places across it.
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
    CLF_UNROLL for (uint run = 1; run <= 16; run *= 2)
        CLF_UNROLL for (uint apart = 16; apart > 0; apart /= 2)
            if (apart <= run)
                clf_items_step(x, run, apart, heads, alone);
}

CLF_INLINE void clf_items_put(const clf_items *x, uint at, uint count, bool alone, __local clf_segments_storage *s)
{
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
        if (j < count) {
            s->keys[CLF_ITEM_SLOT(at, j)] = x->key[j];
            CLF_PLACED(if (!alone) s->places[CLF_ITEM_SLOT(at, j)] = (ushort)x->place[j];)
        }
}

/* ---- Across lanes --------------------------------------------------------------------------------------- */

/*
 * Lanes sort what they have together: of rows a power of two, of which a unit has whole ones; of irregular segments
 * a warp in which none begins but at its first element. Wide keys are merged instead: an H200 sorts 2^24 u64 in rows of
 * 2^10 so in 302 us, by lanes in 328.
 */
#if CLF_LANE_WIDTH > 1 && CLF_SEGMENTS_BANKS % CLF_ITEMS == 0 && CLF_KEY_BYTES <= 4
#define CLF_T CLF_ITEMS
#define CLF_T_NAME clf_items_network
#include "digit/network_template.cl"

static inline uint clf_items_team(const clf_arguments *a, const clf_segments_share *share)
{
    const uint beside = CLF_SEGMENT == 1 ? a->stride / CLF_ITEMS : CLF_LANE_WIDTH, first = clf_lane_id() == 0;
    const bool begins = CLF_SEGMENT != 1 && (share->heads & ~clf_bits_from(share->count) & ~first) != 0;
    return clf_ballot(begins) ? 1 : min(beside & -beside, (uint)CLF_LANE_WIDTH);
}

/* Keys that are lacking. */
CLF_INLINE void clf_items_pad(clf_items *x, uint count, uint key)
{
    if (count < CLF_ITEMS)
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
            x->key[j] = j < count ? x->key[j] : key;
}

static inline bool clf_items_in_order(const clf_items *x, bool is_first)
{
    bool in_order = (clf_word_up(x->key[CLF_ITEMS - 1], 1) <= x->key[0]) | is_first;
    CLF_UNROLL for (uint j = 1; j < CLF_ITEMS; ++j)
        in_order &= x->key[j - 1] <= x->key[j];
    return clf_ballot(!in_order) == 0;
}

#if !CLF_KEY_ALONE
/*
 * Keys with places move as words, as fast as alone: the highest bits in which a team's keys differ, and below them the
 * place in the team. If keys are not in order then, they are sorted by their lower bits, and by the higher ones again.
 */
#define CLF_ITEMS_WORDS (CLF_ITEMS * CLF_LANE_WIDTH)
CLF_INLINE void clf_items_words(clf_items *x, const clf_segments_share *share, uint team,
                                __local clf_segments_storage *s)
{
    const uint lane = clf_lane_id() % team, base = share->at - lane * CLF_ITEMS, one = s->keys[CLF_SEGMENTS_SLOT(base)];
    const uint element = share->element - lane * CLF_ITEMS, gap = base - element;
    uint differ = 1;
    clf_items_pad(x, share->count, one);
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
        differ |= x->key[j] ^ one;
    CLF_LOOP for (uint apart = team / 2; apart > 0; apart /= 2)
        differ |= clf_word_from(differ, clf_lane_id() ^ apart);
    CLF_LOOP for (uint round = 0;; ++round) {
        const uint own = clf_forget(lane) * CLF_ITEMS; /* else its sums are kept from round to round */
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
            const uint key = x->key[j] << (uint)clz(differ);
            x->key[j] = (round == 1 ? key * CLF_ITEMS_WORDS : key & ~(CLF_ITEMS_WORDS - 1u)) + own + j;
        }
        clf_items_pad(x, share->count, ~0u);
        clf_items_sort(x, 0, true);
        clf_items_network_join(x->key, 0, true, team);
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
            x->place[j] = element + (x->key[j] & (team * CLF_ITEMS - 1));
            if (round == 2)
                x->place[j] = s->places[CLF_SEGMENTS_SLOT(gap + x->place[j])];
            x->key[j] = s->keys[CLF_SEGMENTS_SLOT(gap + x->place[j])];
        }
        clf_items_pad(x, share->count, ~0u);
        if (round == 2 || (round == 0 && clf_items_in_order(x, lane == 0)))
            break;
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
            if (round == 0)
                x->key[j] = s->keys[CLF_ITEM_SLOT(share->at, j)];
            else
                s->places[CLF_ITEM_SLOT(share->at, j)] = (ushort)x->place[j];
        clf_lane_sync();
    }
    clf_lane_sync();
}
#endif
#else
#define clf_items_team(a, share) 1
#define clf_items_words(x, share, team, s)
#define clf_items_network_join(keys, ats, alone, team)
#endif
