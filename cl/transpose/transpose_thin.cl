/* SPDX-License-Identifier: MIT */
/*
 * transpose_thin: matrices with few columns, or with few rows.
 *
 * With few columns a group takes `chunk` whole rows, of which a matrix has `parts` such shares: one run of the
 * input, and a run of each output row. With few rows it is the other way round: a run of each input row, and one
 * of the output. So no work-item idles, however thin the matrix.
 *
 * needs: nothing
 * provides: nothing
 */
#include "transpose/transpose_run.cl"

/* A group's share. */
typedef struct {
    ulong base, first; /* elements: before the matrix, rows or columns before the share */
    uint count;        /* rows or columns in it */
} clf_transpose_share;

static inline clf_transpose_share clf_transpose_share_of(ulong length, ulong size, uint chunk, uint parts)
{
    const uint id = (uint)get_group_id(0), matrix = id / parts;
    clf_transpose_share share;
    share.base = matrix * size;
    share.first = (ulong)(id - matrix * parts) * chunk;
    share.count = (uint)min((ulong)chunk, length - share.first);
    return share;
}

/* Unit `unit` of short run `line` of so many, in the long one. */
static inline uint clf_crossing(uint unit, uint line, uint lines)
{
    return (unit / CLF_ELEMENT_UNITS * lines + line) * CLF_ELEMENT_UNITS + unit % CLF_ELEMENT_UNITS;
}

/* A word of short run `line`, of so many of n units, to or from where its units are in the long one. */
static inline void clf_word_scatter(clf_unit_word word, int first, uint n, uint line, uint lines, clf_store store,
                                    uint skew)
{
    const uint from = clf_crossing((uint)first, line, lines) + skew;
    if (CLF_BYTES <= 2 && clf_unit_word_whole(first, n)) {
        CLF_UNROLL for (uint k = 0; k < CLF_WORD_UNITS; ++k)
            *clf_stored(store, from + k * lines) = clf_unit_word_get(word, k);
    } else {
        CLF_UNROLL for (uint k = 0; k < CLF_WORD_UNITS; ++k)
            if ((uint)first + k < n)
                *clf_stored(store, clf_crossing((uint)first + k, line, lines) + skew) = clf_unit_word_get(word, k);
    }
}

static inline clf_unit_word clf_word_gather(int first, uint n, uint line, uint lines, clf_store store, uint skew)
{
    const uint from = clf_crossing((uint)first, line, lines) + skew;
    clf_unit_word word = 0;
    if (CLF_BYTES <= 2 && clf_unit_word_whole(first, n)) {
        CLF_UNROLL for (uint k = 0; k < CLF_WORD_UNITS; ++k)
            word = clf_unit_word_with(word, k, *clf_stored(store, from + k * lines));
    } else {
        CLF_UNROLL for (uint k = 0; k < CLF_WORD_UNITS; ++k)
            if ((uint)first + k < n)
                word = clf_unit_word_with(word, k,
                                          *clf_stored(store, clf_crossing((uint)first + k, line, lines) + skew));
    }
    return word;
}

/* `lines` short runs of n units, `pitch` units apart; the long one's first word begins `skew` units before it. */
static inline void clf_short_read(__global const clf_unit *in, uint lines, uint n, ulong pitch, clf_store store,
                                  uint skew)
{
    const uint words = CLF_WORDS(n), reciprocal = clf_reciprocal(words);
    for (uint done = 0; done < lines * words; done += CLF_TRANSPOSE_RUN_DEPTH * CLF_GROUP) {
        clf_unit_word word[CLF_TRANSPOSE_RUN_DEPTH];
        CLF_UNROLL for (uint k = 0; k < CLF_TRANSPOSE_RUN_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id(), line = clf_divide(i, words, reciprocal);
            __global const clf_unit *const run = in + line * pitch;
            word[k] = clf_unit_word_read(run, clf_unit_word_first(run, i - line * words), line < lines ? n : 0);
        }
        CLF_UNROLL for (uint k = 0; k < CLF_TRANSPOSE_RUN_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id(), line = clf_divide(i, words, reciprocal);
            const int first = clf_unit_word_first(in + line * pitch, i - line * words);
            if (line < lines)
                clf_word_scatter(word[k], first, n, line, lines, store, skew);
        }
    }
}

static inline void clf_short_write(__global clf_unit *out, uint lines, uint n, ulong pitch, clf_store store, uint skew)
{
    const uint words = CLF_WORDS(n), reciprocal = clf_reciprocal(words);
    for (uint i = clf_local_id(); i < lines * words; i += CLF_GROUP) {
        const uint line = clf_divide(i, words, reciprocal);
        __global clf_unit *const run = out + line * pitch;
        const int first = clf_unit_word_first(run, i - line * words);
        clf_unit_word_write(run, first, n, clf_word_gather(first, n, line, lines, store, skew));
    }
}

CLF_TRANSPOSE(clf_transpose_narrow)
{
    CLF_STORE(store);
    const clf_transpose_share share = clf_transpose_share_of(rows, rows * columns, chunk, (uint)parts);
    const uint width = (uint)columns, n = share.count * CLF_ELEMENT_UNITS;
    in += (in_at + share.base + share.first * width) * CLF_ELEMENT_UNITS;
    out += (out_at + share.base + share.first) * CLF_ELEMENT_UNITS;
    clf_long_read(in, n * width, store);
    clf_group_sync();
    clf_short_write(out, width, n, rows * CLF_ELEMENT_UNITS, store, clf_skew(in));
}

CLF_TRANSPOSE(clf_transpose_low)
{
    CLF_STORE(store);
    const clf_transpose_share share = clf_transpose_share_of(columns, rows * columns, chunk, (uint)parts);
    const uint height = (uint)rows, n = share.count * CLF_ELEMENT_UNITS;
    in += (in_at + share.base + share.first) * CLF_ELEMENT_UNITS;
    out += (out_at + share.base + share.first * height) * CLF_ELEMENT_UNITS;
    clf_short_read(in, height, n, columns * CLF_ELEMENT_UNITS, store, clf_skew(out));
    clf_group_sync();
    clf_long_write(out, n * height, store);
}
