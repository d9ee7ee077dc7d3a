/* SPDX-License-Identifier: MIT */
/*
 * segment: where segments start, told to whoever walks over elements. An element that starts a segment is a
 * "head".
 *
 *   CLF_SEGMENT = 0   no heads but the very first element, which nobody asks for: a plain scan
 *                 1   regular: a->count segments of a->size elements each
 *                 2   irregular: a->size elements in segments of any lengths (segment_bits.cl)
 *                 3   the same for reductions (segment_counts.cl)
 *                 4   likewise, and nobody asks for heads (merge_path.cl); 5 too
 *
 * A scan by segments is a scan of runs (what a run adds up to since its last head; has it one?), Blelloch's
 * operator on (flag, value). Of regular segments no flags are stored: positions are computed (Clausen 2021,
 * chapter 4), after one 64-bit modulo per tile in 32 bits (chapter 6). Lanes learn of each other's heads by
 * one ballot. What a run adds up to since a head includes the initial value, so a tile with a head has an
 * aggregate that is a prefix.
 *
 *   CLF_INDEX64 = 1   64 bits inside a tile, too: only to measure what the 32 bits are worth
 */
#include "lane_scan.cl"
#include "segment_bits.cl"

#ifndef CLF_SEGMENT
#define CLF_SEGMENT 0
#endif
#ifndef CLF_INDEX64
#define CLF_INDEX64 0
#endif

/* ---- Runs ------------------------------------------------------------------------------------------- */

typedef struct {
    clf_value sum;
    bool head;
} clf_run;

static inline clf_run clf_run_of(clf_value sum, bool head)
{
    const clf_run r = {sum, CLF_SEGMENT && head};
    return r;
}

static inline clf_run clf_run_join(clf_run left, clf_run right)
{
    return right.head ? right : clf_run_of(clf_combine(left.sum, right.sum), left.head);
}

/* Which lanes' runs have a head. */
static inline clf_mask clf_run_heads(clf_run r)
{
    return CLF_SEGMENT ? clf_ballot(r.head) : 0;
}

/* ---- Elements of the whole call --------------------------------------------------------------------- */

static inline ulong clf_total(const clf_arguments *a)
{
    return CLF_SEGMENT == 1 ? a->count * a->size : a->size;
}

#if CLF_SEGMENT < 2

/* How far element i is from the start of its segment. */
static inline ulong clf_position(const clf_arguments *a, ulong i)
{
    return CLF_SEGMENT == 1 ? i % a->size : i;
}

static inline bool clf_is_head(const clf_arguments *a, ulong i)
{
    return clf_position(a, i) == 0;
}

/* The first head in i … end - 1, or end. */
static inline ulong clf_next_head(const clf_arguments *a, ulong i, ulong end)
{
    const ulong position = CLF_SEGMENT ? clf_position(a, i) : 0;
    return CLF_SEGMENT ? min(position ? i + (a->size - position) : i, end) : end;
}

/* The last one, or end. */
static inline ulong clf_last_head(const clf_arguments *a, ulong first, ulong end)
{
    if (CLF_SEGMENT == 0 || first == end)
        return end;
    const ulong head = end - 1 - clf_position(a, end - 1);
    return head >= first ? head : end;
}

/* Bit k: does element i + k start a segment? */
static inline uint clf_head_bits(const clf_arguments *a, ulong i)
{
    const ulong left = clf_next_head(a, i, i + 32) - i;
    uint pattern = 1;
    for (uint d = (uint)min(a->size, 32ul); d < 32; d *= 2)
        pattern |= pattern << d;
    return CLF_SEGMENT && left < 32 ? pattern << left : 0;
}

/* Walks over elements anywhere, one at a time. */
typedef struct {
    ulong position;
} clf_stroll;

static inline clf_stroll clf_stroll_from(const clf_arguments *a, ulong i)
{
    const clf_stroll s = {clf_position(a, i)};
    return s;
}

/* Is the next element a head? */
static inline bool clf_stroll_next(const clf_arguments *a, clf_stroll *s)
{
    const bool head = CLF_SEGMENT && s->position == 0;
    s->position = s->position + 1 == a->size ? 0 : s->position + 1;
    return head;
}

#endif

/* ---- Heads of a tile -------------------------------------------------------------------------------- */

#if CLF_SEGMENT == 1

#if CLF_INDEX64
typedef ulong clf_index;
#else
typedef uint clf_index;
#endif

/*
 * Heads are `lead` elements after the tile's first one, and every `size` from there on; both cut to the
 * tile's size.
 */
typedef struct {
    clf_index lead, size;
} clf_heads;

static inline clf_heads clf_heads_of(const clf_arguments *a, ulong first)
{
    const ulong position = clf_position(a, first);
    const clf_heads h = {position ? (clf_index)min(a->size - position, (ulong)CLF_TILE) : 0,
                         (clf_index)min(a->size, (ulong)CLF_TILE)};
    return h;
}

/* Walks over a row, a chunk at a time: `left` elements until the next head. */
typedef struct {
    clf_index left, size;
    clf_index step;    /* of heads against chunks: CLF_CHUNK modulo size */
    uint pattern;      /* bits `size` apart */
} clf_walk;

static inline clf_walk clf_walk_from(clf_heads h, clf_index at)
{
    const clf_index beyond = at > h.lead ? (at - h.lead) % h.size : 0;
    clf_walk w = {at <= h.lead ? h.lead - at : beyond ? h.size - beyond : 0, h.size,
                  h.size > CLF_CHUNK ? CLF_CHUNK : CLF_CHUNK % h.size, 1};
    for (clf_index d = h.size; d < CLF_CHUNK; d *= 2)
        w.pattern |= w.pattern << d;
    return w;
}

/* Bit k: element k of the next chunk is a head. */
static inline uint clf_walk_chunk(clf_walk *w)
{
    const uint heads = w->left < CLF_CHUNK ? w->pattern << w->left : 0;
    w->left = w->left >= w->step ? w->left - w->step : w->left + w->size - w->step;
    return heads & ((1u << CLF_CHUNK) - 1);
}

static inline bool clf_heads_at_start(clf_heads h)
{
    return h.lead == 0;
}

#elif CLF_SEGMENT == 0

typedef struct {
    uchar none;
} clf_heads;
typedef clf_heads clf_walk;

static inline clf_heads clf_heads_of(const clf_arguments *a, ulong first)
{
    const clf_heads none = {0};
    return none;
}

static inline clf_walk clf_walk_from(clf_heads h, uint at) { return h; }
static inline uint clf_walk_chunk(clf_walk *w) { return 0; }
static inline bool clf_heads_at_start(clf_heads h) { return false; }

#endif
