/* SPDX-License-Identifier: MIT */
/*
 * segment: where segments start, and how many elements and tiles a call has. An element that starts a segment is a
 * "head".
 *
 *   CLF_SEGMENT = 0   one segment: no heads are reported, not even element 0
 *                 1   regular: a->count segments of a->size elements each
 *                 2   irregular: a->size elements in segments of any lengths, by head bits
 *                 3   the same for reductions (segment_counts.cl)
 *                 4   irregular, by offsets of 32 bits (merge_path.cl): nothing here is used; 5: of 64 bits
 *
 * Regular segments store no flags: positions are computed (Clausen 2021, chapter 4), with one 64-bit modulo per tile
 * and 32-bit arithmetic after that (chapter 6).
 *
 *   CLF_INDEX64 = 1   64 bits inside a tile, too: only to measure what the 32 bits are worth
 *
 * Bit i of a->heads is set if element i is a head. Element 0 always is one, and bits beyond the call's elements have no
 * meaning. A work-item loads the bits of its row into registers once. Rows start anywhere in a word of memory, so each
 * register is put together from two of them; a chunk of a row never crosses two registers.
 *
 * needs: arguments, a->heads, CLF_INDEX64
 * provides: clf_head_*, clf_heads_at_start, clf_is_head, clf_last_head, clf_next_head, clf_position, clf_row_heads,
 *           clf_row_heads_*, clf_numbering, clf_numbering_*, clf_segment_heads, clf_segment_heads_of, clf_tile_count,
 *           clf_tile_exists, clf_tiles, clf_total
 */
#include "memory/tile.cl"

#ifndef CLF_INDEX64
#define CLF_INDEX64 0
#endif

/* ---- Elements and tiles of the whole call ----------------------------------------------------------- */

static inline ulong clf_total(const clf_arguments *a)
{
    return CLF_SEGMENT == 1 ? a->count * a->size : a->size;
}

static inline uint clf_tiles(const clf_arguments *a)
{
    return (uint)CLF_QUOTIENT(clf_total(a) + (CLF_TILE - 1), CLF_TILE);
}

/* There may be fewer tiles than groups that the host launched for them. */
static inline bool clf_tile_exists(const clf_arguments *a, uint tile)
{
    return !CLF_GIVEN || tile < clf_tiles(a);
}

static inline uint clf_tile_count(const clf_arguments *a, uint tile)
{
    return (uint)min(clf_total(a) - (ulong)tile * CLF_TILE, (ulong)CLF_TILE);
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

/* Tells heads from any element on, one element at a time. */
typedef struct {
    ulong position;
} clf_head_iterator;

static inline clf_head_iterator clf_head_iterator_at(const clf_arguments *a, ulong i)
{
    const clf_head_iterator h = {clf_position(a, i)};
    return h;
}

/* Is the next element a head? The first call is for the first element. */
static inline bool clf_head_iterator_next(const clf_arguments *a, clf_head_iterator *h)
{
    const bool head = CLF_SEGMENT && h->position == 0;
    h->position = h->position + 1 == a->size ? 0 : h->position + 1;
    return head;
}

#endif

/*
 * The number of an element's segment, for functions that get it (CLF_NUMBERED): of all heads, and of all segments, some
 * of which may be empty. To look it up takes loads or a division. Who goes from element to element does it once.
 */
typedef struct {
    ulong head, segment;
} clf_numbering;

/* That of the element at place i, or of the last one. */
static inline clf_numbering clf_numbering_at(const clf_arguments *a, ulong i)
{
    const ulong total = clf_total(a);
    clf_numbering n = {0, 0};
    if (total > 0) {
        n.head = CLF_HEAD_OF(a, min(i, total - 1));
        n.segment = CLF_SEGMENT_OF(a, n.head);
    }
    return n;
}

/* To the next place. A head is of the next segment, or from the right of the one before. */
static inline void clf_numbering_next(const clf_arguments *a, clf_numbering *n, bool head)
{
    if (head) {
        n->head += CLF_REVERSED ? ~(ulong)0 : 1;
        n->segment = CLF_SEGMENT_OF(a, n->head);
    }
}

/* Before one goes to place i, which is a head or not. */
static inline clf_numbering clf_numbering_before(const clf_arguments *a, ulong i, bool head)
{
    clf_numbering n = clf_numbering_at(a, i);
    n.head -= !head ? 0 : CLF_REVERSED ? ~(ulong)0 : 1;
    return n;
}

/* ---- Heads of a tile -------------------------------------------------------------------------------- */

#if CLF_SEGMENT == 1

#if CLF_INDEX64
typedef ulong clf_index;
#else
typedef uint clf_index;
#endif

/* The tile's first head is its element `first`, and the others follow every `size` elements; both at most CLF_TILE. */
typedef struct {
    clf_index first, size;
} clf_segment_heads;

static inline clf_segment_heads clf_segment_heads_of(const clf_arguments *a, ulong first)
{
    const ulong position = clf_position(a, first);
    const clf_segment_heads h = {position ? (clf_index)min(a->size - position, (ulong)CLF_TILE) : 0,
                         (clf_index)min(a->size, (ulong)CLF_TILE)};
    return h;
}

/*
 * Tells the heads of a work-item's row, a chunk at a time. Sizes are never 0, but the loop below must be seen to end:
 * else Intel's CPU compiler leaves the kernel scalar, and its sub-groups of 16 are wrong (tests/driver_bugs).
 */
typedef struct {
    clf_index left; /* elements until the next head */
    clf_index size;
    clf_index step; /* CLF_CHUNK modulo size: how much nearer the next head is, chunk by chunk */
    uint pattern;   /* bits `size` apart */
} clf_row_heads;

static inline clf_row_heads clf_row_heads_at(clf_segment_heads h, clf_index at)
{
    const clf_index beyond = at > h.first ? (at - h.first) % h.size : 0;
    clf_row_heads r = {at <= h.first ? h.first - at : beyond ? h.size - beyond : 0, h.size,
                       h.size > CLF_CHUNK ? CLF_CHUNK : CLF_CHUNK % h.size, 1};
    for (clf_index d = h.size; d && d < CLF_CHUNK; d *= 2)
        r.pattern |= r.pattern << d;
    return r;
}

/* Bit k: element k of the next chunk is a head. */
static inline uint clf_row_heads_next(clf_row_heads *r)
{
    const uint heads = r->left < CLF_CHUNK ? r->pattern << r->left : 0;
    r->left = r->left >= r->step ? r->left - r->step : r->left + r->size - r->step;
    return heads & ((1u << CLF_CHUNK) - 1);
}

static inline bool clf_heads_at_start(clf_segment_heads h)
{
    return h.first == 0;
}

#elif CLF_SEGMENT == 0

typedef struct {
    uint none;
} clf_segment_heads;
typedef clf_segment_heads clf_row_heads;

static inline clf_segment_heads clf_segment_heads_of(const clf_arguments *a, ulong first)
{
    const clf_segment_heads none = {0};
    return none;
}

static inline clf_row_heads clf_row_heads_at(clf_segment_heads h, uint at) { return h; }
static inline uint clf_row_heads_next(clf_row_heads *r) { return 0; }
static inline bool clf_heads_at_start(clf_segment_heads h) { return false; }

#elif CLF_SEGMENT < 4

/* ---- Irregular segments, by bits ------------------------------------------------------------------------ */

/*
 * A word of them, by the places of kernels. From the right (CLF_REVERSED) place j starts a segment if element n - j
 * does, which is the one behind the place's.
 */
#define CLF_HEADS CLF_PASTE(CLF_HEADS_, CLF_REVERSED)
#define CLF_HEADS_0(word) a->heads[word]
#define CLF_HEADS_1(word) clf_heads_turned(a, word)
#if CLF_REVERSED
#define CLF_SWAP_BITS(x, d, mask) (((x) >> d & mask) | ((x) & mask) << d)
static inline uint clf_heads_turned(const clf_arguments *a, ulong word)
{
    const ulong first = a->size - 32 * word; /* the element of the lowest bit; others are before it */
    const uint high = first / 32 * 32 < a->size ? a->heads[first / 32] : 0;
    const uint low = first >= 32 ? a->heads[first / 32 - 1] : 0;
    uint bits = (uint)(((ulong)high << 32 | low) >> (first % 32 + 1));
    bits = CLF_SWAP_BITS(bits, 1, 0x55555555u);
    bits = CLF_SWAP_BITS(bits, 2, 0x33333333u);
    bits = CLF_SWAP_BITS(bits, 4, 0x0f0f0f0fu);
    bits = CLF_SWAP_BITS(bits, 8, 0x00ff00ffu);
    return bits >> 16 | bits << 16;
}
#endif

static inline bool clf_is_head(const clf_arguments *a, ulong i)
{
    return i == 0 || CLF_HEADS(i / 32) >> i % 32 & 1;
}

static inline uint clf_head_word(const clf_arguments *a, ulong word)
{
    return word * 32 < a->size ? CLF_HEADS(word) : 0;
}

/* The word that element i's bit is in, and the next. */
static inline ulong clf_head_words(const clf_arguments *a, ulong i)
{
    return (ulong)clf_head_word(a, i / 32 + 1) << 32 | clf_head_word(a, i / 32);
}

/* Bit k: does element i + k start a segment? */
static inline uint clf_head_bits(const clf_arguments *a, ulong i)
{
    return (uint)(clf_head_words(a, i) >> i % 32) | (i == 0);
}

/* The first head in i … end - 1, or end. */
static inline ulong clf_next_head(const clf_arguments *a, ulong i, ulong end)
{
    while (i < end) {
        const uint bits = CLF_HEADS(i / 32) >> i % 32;
        if (bits || i == 0)
            return i == 0 ? 0 : min(i + (31 - clz(bits & -bits)), end);
        i = (i / 32 + 1) * 32;
    }
    return end;
}

/* The last head in first … end - 1, or end. */
static inline ulong clf_last_head(const clf_arguments *a, ulong first, ulong end)
{
    for (ulong word = (end + 31) / 32; word-- > first / 32;) {
        uint bits = CLF_HEADS(word) | (word == 0);
        if ((word + 1) * 32 > end)
            bits &= ~(~0u << end % 32);
        if (bits) {
            const ulong head = word * 32 + (31 - clz(bits));
            return head >= first ? head : end;
        }
    }
    return end;
}

/* How far element i is from the start of its segment, which is near. */
static inline ulong clf_position(const clf_arguments *a, ulong i)
{
    ulong position = 0;
    while (!clf_is_head(a, i - position))
        ++position;
    return position;
}

/* Tells heads from any element on, one element at a time. */
typedef struct {
    ulong at;
} clf_head_iterator;

static inline clf_head_iterator clf_head_iterator_at(const clf_arguments *a, ulong i)
{
    const clf_head_iterator h = {i};
    return h;
}

/* Is the next element a head? The first call is for the first element. */
static inline bool clf_head_iterator_next(const clf_arguments *a, clf_head_iterator *h)
{
    return clf_is_head(a, h->at++);
}

#define CLF_ROW_WORDS ((CLF_ITEMS + 31) / 32)

/* Head bits of this work-item's row; and is the tile's first element a head? */
typedef struct {
    uint row[CLF_ROW_WORDS];
    clf_flag start;
} clf_segment_heads;

static inline clf_segment_heads clf_segment_heads_of(const clf_arguments *a, ulong first)
{
    clf_segment_heads h;
    CLF_UNROLL for (uint k = 0; k < CLF_ROW_WORDS; ++k)
        h.row[k] = clf_head_bits(a, first + clf_local_id() * CLF_ITEMS + 32 * k);
    h.start = clf_is_head(a, first);
    return h;
}

/* Tells the heads of a work-item's row, a chunk at a time. */
typedef struct {
    clf_segment_heads heads;
    uint at;
} clf_row_heads;

static inline clf_row_heads clf_row_heads_at(clf_segment_heads h, uint at)
{
    const clf_row_heads r = {h, 0};
    return r;
}

/* By selections: where the loop around it stays a loop, an index would put the row's words into memory. */
static inline uint clf_row_word(const clf_segment_heads *h, uint at)
{
    uint word = h->row[0];
    CLF_UNROLL for (uint k = 1; k < CLF_ROW_WORDS; ++k)
        word = k == at ? h->row[k] : word;
    return word;
}

/* Bit k: element k of the next chunk is a head. */
static inline uint clf_row_heads_next(clf_row_heads *r)
{
    const uint heads = clf_row_word(&r->heads, r->at / 32) >> r->at % 32;
    r->at += CLF_CHUNK;
    return heads & ((1u << CLF_CHUNK) - 1);
}

static inline bool clf_heads_at_start(clf_segment_heads h)
{
    return h.start;
}

#endif
