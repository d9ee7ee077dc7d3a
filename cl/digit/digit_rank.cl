/* SPDX-License-Identifier: MIT */
/*
 * digit_rank: the elements of a tile ranked by digit, stably, by a group (Satish, Harris and Garland 2009).
 *
 * Elements are ranked in columns (column.cl), each with a counter of its own per digit. A column takes its elements
 * striped. Ballots, one per bit of the digit, or words in local memory say which of its work-items have the same.
 * Instead of elements that the last tile lacks its last one is ranked again and again, and so these come behind it:
 * they are not counted, and are nowhere written.
 *
 *   clf_digit_rank      fetches the elements and counts them      synchronise
 *   clf_digit_totals    how many there are of each digit
 *   clf_digit_starts    where each digit begins in the tile       synchronise
 *
 * needs: elements
 * provides: clf_chain_of, clf_column_place, CLF_COLUMN_READ, clf_counter_at, clf_digit_*, CLF_DIGITS_EACH,
 *           CLF_FIRST_KEPT, clf_ranked, clf_ranked_*, CLF_TOGETHER_AT
 */
#include "group/count.cl"
#include "digit/column.cl"
#include "digit/digit.cl"

#if CLF_TILE >= 65536
#error "places in a tile are 16 bits"
#endif

/*
 * A column's elements are ranked in two chains side by side, the first half and the second, each with counters of its
 * own: in a chain each element waits for the one before.
 */
#define CLF_CHAINS (CLF_LANE_WIDTH >= 32 && CLF_ITEMS % 2 == 0 ? 2 : 1)
#define CLF_CHAIN (CLF_ITEMS / CLF_CHAINS)

/*
 * What a work-item keeps of its elements. Those of few bytes stay in registers, others are read again for each field. A
 * word has a rank in its lower half and the digit in the upper; or, where the digit is easily had again, two ranks. Of
 * NVIDIA's registers keys alone leave enough for three groups at a time, if ranks are in local memory.
 */
#define CLF_KEPT (CLF_ELEMENT_BYTES <= 8)
#define CLF_RANKS_LOCAL (CLF_LANES == 1 && CLF_KEPT && CLF_DIGIT_OF_VALUE)
#define CLF_RANK_PAIRS (!CLF_RANKS_LOCAL && CLF_KEPT && CLF_DIGIT_CHEAP)
#define CLF_RANK_WORDS (CLF_RANKS_LOCAL ? 0 : CLF_RANK_PAIRS ? (CLF_ITEMS + 1) / 2 : CLF_ITEMS)

/*
 * Where values may come from a map, programs are larger, and with all fields want 180 of NVIDIA's registers: there the
 * first field stays, if it says the digit, and the others are read, or made, again.
 */
#if CLF_KEPT && CLF_MAPPED && !CLF_DIGIT_OF_VALUE && defined(CLF_DIGIT_OF_FIRST)
#define CLF_FIRST_KEPT 1
#else
#define CLF_FIRST_KEPT 0
#endif

/* Digits of a work-item: from clf_digit_mine(0) on, one behind the other; some have none. */
#define CLF_DIGITS_EACH ((CLF_PARTS + CLF_GROUP - 1) / CLF_GROUP)

/*
 * Where element `place` is among those brought together: every 32nd place has a gap behind it. Of sorted keys a tile
 * often has 32, or 64, of each digit, and elements so far apart would be in one bank of local memory.
 */
#define CLF_TOGETHER_AT(place) ((place) + (place) / 32)
#define CLF_TOGETHER_MEMBER(f, type, move, bytes, name) type field##f[CLF_TOGETHER_AT(CLF_TILE) + 1];
typedef struct {
    union {
        CLF_VALUE_FIELDS(CLF_TOGETHER_MEMBER) /* one field of the tile, in order of digits; and before that, */
#if CLF_LANE_WIDTH == 1
        uint peers[2][CLF_PARTS * CLF_COLUMNS]; /* in turn: who has this digit in this column */
#endif
    } together;
    ulong to[CLF_PARTS]; /* where a digit's elements go, less the digit's place in the tile */
    uint last;           /* digit of the tile's last element */
    clf_count_totals totals;
    ushort counters[CLF_PARTS * CLF_COLUMNS * CLF_CHAINS]; /* of each digit in each chain; then where these begin */
#if CLF_RANKS_LOCAL
    ushort ranks[CLF_TILE]; /* of each work-item's elements */
#endif
#if !CLF_DIGIT_OF_VALUE
    uchar digits[CLF_TILE + 1]; /* of the elements, in order of digits */
#endif
} clf_digit_storage;

static inline uint clf_counter_at(uint chain, uint digit)
{
    return chain * CLF_PARTS + digit;
}

static inline uint clf_digit_mine(uint k)
{
    return clf_local_id() * CLF_DIGITS_EACH + k;
}

/* ---- Ranks ---------------------------------------------------------------------------------------------- */

/* Element j of this work-item, in the tile. */
static inline uint clf_column_place(uint j)
{
    return clf_column_id() * (CLF_COLUMN_WIDTH * CLF_ITEMS) + j * CLF_COLUMN_WIDTH + clf_column_lane();
}

/* The chain that element j is in. */
static inline uint clf_chain_of(uint j)
{
    return clf_column_id() * CLF_CHAINS + j / CLF_CHAIN;
}

typedef struct {
    uint ranks[CLF_RANK_WORDS > 0 ? CLF_RANK_WORDS : 1];
    clf_element kept[CLF_KEPT ? CLF_ITEMS : 1];
} clf_ranked;

/* Element j of this work-item, which is element i, again. (Inlined by force, a struct that is returned becomes what
 * Oclgrind does not know.) */
#if CLF_CPU
static inline
#else
CLF_INLINE
#endif
    clf_element
    clf_ranked_element(const clf_elements *e, const clf_ranked *r, ulong i, uint j)
{
    if (CLF_KEPT)
        return r->kept[j];
    return clf_element_at(e, i);
}

CLF_INLINE uint clf_ranked_digit(const clf_elements *e, const clf_ranked *r, uint j)
{
    if (CLF_RANKS_LOCAL || CLF_RANK_PAIRS)
        return clf_element_digit(e, r->kept[j], 0);
    return r->ranks[j] >> 16;
}

CLF_INLINE uint clf_ranked_rank(const clf_ranked *r, uint j, __local const clf_digit_storage *s)
{
#if CLF_RANKS_LOCAL
    return s->ranks[j * CLF_GROUP + clf_local_id()];
#elif CLF_RANK_PAIRS
    return r->ranks[j / 2] >> j % 2 * 16 & 0xffff;
#else
    return r->ranks[j] & 0xffff;
#endif
}

CLF_INLINE void clf_ranked_set(clf_ranked *r, uint j, uint rank, __local clf_digit_storage *s)
{
#if CLF_RANKS_LOCAL
    s->ranks[j * CLF_GROUP + clf_local_id()] = (ushort)rank;
#elif CLF_RANK_PAIRS
    r->ranks[j / 2] |= rank << j % 2 * 16;
#else
    r->ranks[j] |= rank;
#endif
}

/*
 * Does S for each element of this work-item: x, its j-th, which is element i. All loads come first, so that they are
 * under way together. Behind the end the last element is read again; full tiles need not look, and so no register for
 * each address. Where values are read twice, whether there is a map is asked once, not between loads.
 */
#define CLF_COLUMN_ELEMENTS(S, index, mapped) \
    CLF_UNROLL_COLUMN for (uint j = 0; j < CLF_ITEMS; ++j) { \
        const ulong i = index; \
        const clf_element x = clf_element_of(e, i, mapped); \
        S \
    }
#define CLF_COLUMN_OF(S, mapped) \
    if (count == CLF_TILE) { \
        CLF_COLUMN_ELEMENTS(S, first + clf_column_place(0) + j * CLF_COLUMN_WIDTH, mapped) \
    } else if (CLF_LEAVES_EARLY || count > 0) { \
        CLF_COLUMN_ELEMENTS(S, first + min(clf_column_place(j), count - 1), mapped) \
    }
#define CLF_COLUMN_READ(S) \
    if (CLF_FIRST_KEPT && clf_elements_mapped(e)) { \
        CLF_COLUMN_OF(S, true) \
    } else { \
        CLF_COLUMN_OF(S, !CLF_FIRST_KEPT && clf_elements_mapped(e)) \
    }

#define CLF_DIGIT_KEEP_FIELD(f, type, move, bytes, name) \
    if (f == 0 || !CLF_FIRST_KEPT) \
        r->kept[j].name = x.name;
#define CLF_DIGIT_KEEP_ELEMENT \
    if (CLF_KEPT) { \
        CLF_ELEMENT_FIELDS(CLF_DIGIT_KEEP_FIELD) \
    } \
    if (!CLF_RANKS_LOCAL && !CLF_RANK_PAIRS) \
        r->ranks[j] = clf_element_digit(e, x, i) << 16;

CLF_INLINE void clf_column_fetch(const clf_elements *e, ulong first, uint count, clf_ranked *r)
{
    CLF_COLUMN_READ(CLF_DIGIT_KEEP_ELEMENT)
}

/* The digit of element j of this work-item; on CPUs of a tile without elements none was read. */
#define clf_column_digit(e, count, r, j) (CLF_LEAVES_EARLY || (count) > 0 ? clf_ranked_digit(e, r, j) : 0)

#if CLF_LANE_WIDTH > 1

/* Ranks the next element of each chain, from the j-th on. */
CLF_INLINE void clf_column_next(const clf_elements *e, uint count, uint j, clf_mask all, clf_ranked *r,
                                __local clf_digit_storage *s)
{
    uint at[CLF_CHAINS], before[CLF_CHAINS];
    clf_mask peers[CLF_CHAINS];
    CLF_UNROLL for (uint c = 0; c < CLF_CHAINS; ++c) {
        const uint digit = clf_column_digit(e, count, r, c * CLF_CHAIN + j);
        at[c] = clf_counter_at(clf_chain_of(c * CLF_CHAIN), digit);
        before[c] = s->counters[at[c]];
        peers[c] = clf_lanes_alike(digit, CLF_PARTS, all);
    }
    clf_column_sync();
    CLF_UNROLL for (uint c = 0; c < CLF_CHAINS; ++c) {
        const clf_mask below = clf_column_below(peers[c]);
        if (below == 0)
            s->counters[at[c]] = (ushort)(before[c] + (uint)popcount(peers[c]));
        clf_ranked_set(r, c * CLF_CHAIN + j, before[c] + (uint)popcount(below), s);
    }
    clf_column_sync();
}

#else

/* Ranks element j. */
CLF_INLINE void clf_column_next(const clf_elements *e, uint count, uint j, clf_mask all, clf_ranked *r,
                                __local clf_digit_storage *s)
{
    const uint at = clf_counter_at(clf_column_id(), clf_column_digit(e, count, r, j));
    volatile __local uint *const word = s->together.peers[j % 2] + at;
    atomic_or(word, 1u << clf_column_lane());
    clf_group_sync();
    const uint peers = *word, below = clf_column_below(peers), before = s->counters[at];
    clf_group_sync();
    if (below == 0) {
        s->counters[at] = (ushort)(before + (uint)popcount(peers));
        *word = 0; /* is asked for again the time after next, and seen by then */
    }
    clf_ranked_set(r, j, before + (uint)popcount(below), s);
}

#endif

/* Ranks the elements, and leaves in counters how many of each digit each chain has. */
CLF_INLINE void clf_digit_rank(const clf_elements *e, ulong first, uint count, clf_ranked *r,
                               __local clf_digit_storage *s)
{
    CLF_UNROLL_COLUMN for (uint k = 0; CLF_RANK_PAIRS && k < CLF_RANK_WORDS; ++k)
        r->ranks[k] = 0;
    clf_column_fetch(e, first, count, r);
    for (uint k = clf_column_lane(); k < CLF_PARTS * CLF_CHAINS; k += CLF_COLUMN_WIDTH) {
        const uint at = clf_counter_at(clf_chain_of(0), k);
        s->counters[at] = 0;
#if CLF_LANE_WIDTH == 1
        s->together.peers[0][at] = s->together.peers[1][at] = 0;
#endif
    }
    clf_column_sync();
    const clf_mask all = clf_ballot(true);
    CLF_UNROLL_COLUMN for (uint j = 0; j < CLF_CHAIN; ++j)
        clf_column_next(e, count, j, all, r, s);
    if (clf_local_id() == CLF_GROUP - 1)
        s->last = clf_column_digit(e, count, r, CLF_ITEMS - 1);
}

/* ---- Digits --------------------------------------------------------------------------------------------- */

/* Of this work-item's digits, how many elements the tile has. */
static inline void clf_digit_totals(uint count, uint totals[CLF_DIGITS_EACH], __local clf_digit_storage *s)
{
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k) {
        totals[k] = 0;
        if (clf_digit_mine(k) < CLF_PARTS)
            for (uint chain = 0; chain < CLF_COLUMNS * CLF_CHAINS; ++chain)
                totals[k] += s->counters[clf_counter_at(chain, clf_digit_mine(k))];
        if (clf_digit_mine(k) == s->last)
            totals[k] -= CLF_TILE - count;
    }
}

/*
 * Makes places in the tile of all counters: digit by digit, of each chain by chain. starts: where this work-item's
 * digits begin in the tile.
 */
static inline void clf_digit_starts(const uint totals[CLF_DIGITS_EACH], uint starts[CLF_DIGITS_EACH],
                                    __local clf_digit_storage *s)
{
    clf_count sum = 0, all;
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k)
        sum += totals[k];
    uint place = clf_count_group_scan(sum, &s->totals, &all);
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k) {
        starts[k] = place;
        if (clf_digit_mine(k) < CLF_PARTS)
            for (uint chain = 0; chain < CLF_COLUMNS * CLF_CHAINS; ++chain) {
                const uint at = clf_counter_at(chain, clf_digit_mine(k)), some = s->counters[at];
                s->counters[at] = (ushort)place;
                place += some;
            }
        place = starts[k] + totals[k];
    }
}
