/* SPDX-License-Identifier: MIT */
/*
 * segment_bits: the starts of irregular segments, as head bits (segment.cl, CLF_SEGMENT = 2 and 3). Bit i of a->heads
 * is set if element i is a head. Element 0 always is one, and bits beyond the call's elements have no meaning.
 *
 * A work-item loads the bits of its row into registers once. Rows start anywhere in a word of memory, so each register
 * is put together from two of them; a chunk of a row never crosses two registers.
 *
 * needs: arguments, a->heads
 * provides: heads
 */
#include "memory/tile.cl"

#if CLF_SEGMENT == 2 || CLF_SEGMENT == 3

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

/* ---- Heads of a tile -------------------------------------------------------------------------------- */

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
