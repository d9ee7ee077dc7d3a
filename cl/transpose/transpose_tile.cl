/* SPDX-License-Identifier: MIT */
/*
 * transpose_tile: a tile of each work-group's own through local memory, whatever the alignment of rows.
 *
 * Everything that moves between global and local memory is aligned words of CLF_WORD_UNITS units, and neighbouring
 * work-items move neighbouring words. For each row of the input, the words that cover CLF_TRANSPOSE_TILE_COLUMNS
 * elements are stored unchanged. The rows of the output are divided into windows of CLF_DOWN whole words. Rows begin
 * anywhere in a word, so the windows of one tile do not all begin in the same row of the input. Therefore up to
 * CLF_EDGE more units of each column are read than are written. A word of a window is assembled from as many rows as it
 * has units, or fewer if an element has several.
 *
 * A work-item has the same word of every so many rows, or of as many windows. That number is a multiple of
 * CLF_WORD_UNITS, so units have the same places in all these words.
 *
 * Every CLF_TRANSPOSE_TILE_TOGETHER rows of local memory are CLF_PAD words more than a multiple of all banks, so that
 * neighbouring words of a window come from different ones.
 *
 * needs: CLF_ACROSS, CLF_DOWN, CLF_ITEMS
 * provides: nothing
 */
#include "transpose/transpose_place.cl"

enum {
    CLF_TRANSPOSE_TILE_COLUMNS = (CLF_ACROSS * CLF_WORD_UNITS - (CLF_WORD_UNITS - 1)) / CLF_ELEMENT_UNITS,
    CLF_TRANSPOSE_TILE_WINDOW = CLF_DOWN * CLF_WORD_UNITS,
    CLF_EDGE = CLF_WORD_UNITS > 1 ? CLF_WORD_UNITS : 0,
    /* Rows that windows can meet. */
    CLF_HEIGHT = (CLF_TRANSPOSE_TILE_WINDOW + CLF_EDGE + CLF_ELEMENT_UNITS - 2) / CLF_ELEMENT_UNITS + 1,
    CLF_STEP_IN = CLF_GROUP / CLF_ACROSS,
    CLF_STEP_OUT = CLF_GROUP / CLF_DOWN,
    CLF_TRANSPOSE_TILE_TOGETHER = CLF_ELEMENT_UNITS == 1 ? CLF_WORD_UNITS : 1,
    CLF_PAD = CLF_UNIT_BYTES < 4 ? (CLF_BYTES + 3) / 4 : CLF_ELEMENT_UNITS,
    /* Words that a work-item reads at a time: all, if they are not too many for its registers. */
    CLF_READS = (CLF_HEIGHT + CLF_STEP_IN - 1) / CLF_STEP_IN,
    CLF_READ_ROUNDS = (CLF_READS + 15) / 16,
    CLF_TRANSPOSE_TILE_DEPTH = (CLF_READS + CLF_READ_ROUNDS - 1) / CLF_READ_ROUNDS
};

/* What a group needs to know of its tile. */
typedef struct {
    uint rows, columns; /* elements in it */
    uint skew;          /* units before the first one in its word, */
    uint pitch;         /* and units by which the next row's are more: both modulo CLF_WORD_UNITS */
} clf_transpose_tile_part;

static inline uint clf_transpose_tile_row(uint row)
{
    return row * CLF_ACROSS + row / CLF_TRANSPOSE_TILE_TOGETHER * CLF_PAD;
}

/*
 * Units before a row's first one in its word. Modulo 2 a product is an "and", and written so: AMD's compilers up to
 * LLVM 17 stop at products of one bit.
 */
static inline uint clf_transpose_tile_skew(clf_transpose_tile_part tile, uint row)
{
    return (tile.skew + (CLF_WORD_UNITS == 2 ? row & tile.pitch : row * tile.pitch)) % CLF_WORD_UNITS;
}

/* ---- In ---------------------------------------------------------------------------------------------- */

/* A word of which only the units from `at` on that are in the matrix, of `size` units, are asked for. */
static inline clf_unit_word clf_part_read(__global const clf_unit *in, ulong size, ulong at)
{
    clf_unit_word word = 0;
    CLF_UNROLL for (uint k = 0; k < CLF_WORD_UNITS; ++k)
        if (at + k < size)
            word = clf_unit_word_with(word, k, in[at + k]);
    return word;
}

/* `at`: the tile's first unit of all `size` ones of the matrix; `pitch`: from row to row. */
static inline void clf_transpose_tile_read(__global const clf_unit *in, ulong size, ulong pitch, ulong at,
                                           clf_transpose_tile_part tile, __local clf_unit_word *store)
{
    const uint w = clf_local_id() % CLF_ACROSS;
    uint row = clf_local_id() / CLF_ACROSS, end = tile.rows;
    const int first = (int)(w * CLF_WORD_UNITS) - (int)clf_transpose_tile_skew(tile, row);
    if (row >= end || first >= (int)(tile.columns * CLF_ELEMENT_UNITS))
        return;
    /* The first and the last word may jut out of the matrix. */
    const uint last = row + (end - 1 - row) / CLF_STEP_IN * CLF_STEP_IN;
    const ulong at_first = at + row * pitch + (ulong)(long)first, at_last = at + last * pitch + (ulong)(long)first;
    if (CLF_WORD_UNITS > 1 && at_last + CLF_WORD_UNITS > size) {
        store[clf_transpose_tile_row(last) + w] = clf_part_read(in, size, at_last);
        end = last;
    }
    if (CLF_WORD_UNITS > 1 && at_first >= size) {
        store[clf_transpose_tile_row(row) + w] = clf_part_read(in, size, at_first);
        row += CLF_STEP_IN;
    }
    in += at + row * pitch + (ulong)(long)first;
    for (; row < end; row += CLF_TRANSPOSE_TILE_DEPTH * CLF_STEP_IN) {
        clf_unit_word word[CLF_TRANSPOSE_TILE_DEPTH];
        CLF_UNROLL for (uint k = 0; k < CLF_TRANSPOSE_TILE_DEPTH; ++k, in += CLF_STEP_IN * pitch)
            if (row + k * CLF_STEP_IN < end)
                word[k] = *(__global const clf_unit_word *)in;
        CLF_UNROLL for (uint k = 0; k < CLF_TRANSPOSE_TILE_DEPTH; ++k)
            if (row + k * CLF_STEP_IN < end)
                store[clf_transpose_tile_row(row) + clf_transpose_tile_row(k * CLF_STEP_IN) + w] = word[k];
    }
}

/* ---- Out --------------------------------------------------------------------------------------------- */

/* Where a unit of the first column is. */
static inline uint clf_transpose_unit_place(clf_transpose_tile_part tile, uint unit)
{
    const uint row = unit / CLF_ELEMENT_UNITS;
    return clf_transpose_tile_row(row) * CLF_WORD_UNITS + clf_transpose_tile_skew(tile, row) + unit % CLF_ELEMENT_UNITS;
}

/*
 * `out`: where the first column's window would begin, were it aligned. Columns are `pitch` units apart, and units
 * `from` to `to` - 1 of windows are in them. The tile has `ahead` units before a window.
 */
static inline void clf_transpose_tile_write(__global clf_unit *out, ulong pitch, int from, int to, uint ahead,
                                            clf_transpose_tile_part tile, __local const clf_unit *store)
{
    uint c = clf_local_id() / CLF_DOWN, place[CLF_WORD_UNITS];
    out += c * pitch;
    const int first = (int)(clf_local_id() % CLF_DOWN * CLF_WORD_UNITS) + clf_unit_word_first(out, 0);
    out += first;
    CLF_UNROLL for (int k = 0; k < CLF_WORD_UNITS; ++k)
        place[k] = first + k >= from ? clf_transpose_unit_place(tile, (uint)(first + k) + ahead) + c * CLF_ELEMENT_UNITS
                                     : 0;
    if (first >= from && first + CLF_WORD_UNITS <= to) {
        for (; c < tile.columns; c += CLF_STEP_OUT, out += CLF_STEP_OUT * pitch) {
            clf_unit_word word = 0;
            CLF_UNROLL for (uint k = 0; k < CLF_WORD_UNITS; ++k) {
                word = clf_unit_word_with(word, k, store[place[k]]);
                place[k] += CLF_STEP_OUT * CLF_ELEMENT_UNITS;
            }
            *(__global clf_unit_word *)out = word;
        }
    } else if (CLF_WORD_UNITS > 1) {
        for (; c < tile.columns; c += CLF_STEP_OUT, out += CLF_STEP_OUT * pitch) {
            CLF_UNROLL for (int k = 0; k < CLF_WORD_UNITS; ++k) {
                if (first + k >= from && first + k < to)
                    out[k] = store[place[k]];
                place[k] += CLF_STEP_OUT * CLF_ELEMENT_UNITS;
            }
        }
    }
}

/* `chunk`: tiles side by side in a stripe, and `parts` of all of them; `windows` of a row of the output. */
CLF_TRANSPOSE(clf_transpose_tile)
{
    __local clf_unit_word store[CLF_GROUP * CLF_ITEMS];
    const clf_transpose_place place = clf_transpose_place_of((uint)get_group_id(0), windows, (uint)parts, chunk);
    const ulong base = place.matrix * rows * columns, column = (ulong)place.across * CLF_TRANSPOSE_TILE_COLUMNS;
    const ulong n = rows * CLF_ELEMENT_UNITS, start = (ulong)place.down * CLF_TRANSPOSE_TILE_WINDOW,
                end = min(start + CLF_TRANSPOSE_TILE_WINDOW, n);
    in += (in_at + base) * CLF_ELEMENT_UNITS;
    out += (out_at + base + column * rows) * CLF_ELEMENT_UNITS + start;
    const uint edge = CLF_WORD_UNITS > 1 && (clf_unit_word_first(out, 0) || n % CLF_WORD_UNITS) ? CLF_EDGE : 0;
    const ulong row = (max(start, (ulong)edge) - edge) / CLF_ELEMENT_UNITS,
                last = (end + CLF_ELEMENT_UNITS - 1) / CLF_ELEMENT_UNITS;
    const ulong pitch = columns * CLF_ELEMENT_UNITS, at = row * pitch + column * CLF_ELEMENT_UNITS;
    clf_transpose_tile_part tile;
    tile.rows = (uint)(max(last, row) - row);
    tile.columns = (uint)min((ulong)CLF_TRANSPOSE_TILE_COLUMNS, columns - column);
    tile.skew = (uint)-clf_unit_word_first(in + at, 0);
    tile.pitch = (uint)pitch % CLF_WORD_UNITS;
    clf_transpose_tile_read(in, n * columns, pitch, at, tile, store);
    clf_group_sync();
    clf_transpose_tile_write(out, n, start ? -(int)edge : 0,
                             (int)min((long)(n - start), (long)CLF_TRANSPOSE_TILE_WINDOW),
                             (uint)(start - row * CLF_ELEMENT_UNITS), tile, (__local const clf_unit *)store);
}
