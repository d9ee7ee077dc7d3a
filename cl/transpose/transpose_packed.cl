/* SPDX-License-Identifier: MIT */
/*
 * transpose_packed: a tile of elements of 1 or 2 bytes by each work-group, where rows and columns consist of whole
 * aligned words.
 *
 * Squares of CLF_WORD_UNITS x CLF_WORD_UNITS elements are words from as many rows. They pass through local
 * memory unchanged, and are transposed in registers on the way out. So only words are ever moved. The words of a square
 * lie in as many planes, and rows of a plane are one word apart from a multiple of all banks. So neither writing rows
 * of squares nor reading columns of them causes bank conflicts.
 *
 * needs: CLF_ITEMS, CLF_ROWS
 * provides: nothing
 */
#include "transpose/transpose_place.cl"

enum {
    CLF_TRANSPOSE_PACKED_COLUMNS = CLF_GROUP * CLF_ITEMS / CLF_ROWS / 4 * 4, /* whole squares */
    CLF_SQUARES_DOWN = CLF_ROWS / CLF_WORD_UNITS,
    CLF_SQUARES_ACROSS = CLF_TRANSPOSE_PACKED_COLUMNS / CLF_WORD_UNITS,
    CLF_TRANSPOSE_PACKED_CAPACITY = CLF_SQUARES_DOWN * (CLF_SQUARES_ACROSS + 1), /* words of a plane */
    CLF_TRANSPOSE_PACKED_DEPTH = 16 / CLF_WORD_UNITS /* squares that a work-item moves at a time */
};

/* Units of a word as they lie in memory: those behind even places, the first two bytes, and moves by some bits. */
#define CLF_EVEN_BYTES (CLF_IS_LITTLE ? 0x00ff00ffu : 0xff00ff00u)
#define CLF_FIRST_HALF (CLF_IS_LITTLE ? 0x0000ffffu : 0xffff0000u)
#define CLF_RAISE(x, bits) (CLF_IS_LITTLE ? (x) << (bits) : (x) >> (bits))
#define CLF_LOWER(x, bits) (CLF_IS_LITTLE ? (x) >> (bits) : (x) << (bits))

static inline void clf_halves_turn(clf_unit_word *a, clf_unit_word *b)
{
    const clf_unit_word first = (*a & CLF_FIRST_HALF) | CLF_RAISE(*b, 16);
    *b = CLF_LOWER(*a & ~CLF_FIRST_HALF, 16) | (*b & ~CLF_FIRST_HALF);
    *a = first;
}

static inline void clf_bytes_turn(clf_unit_word *a, clf_unit_word *b)
{
    const clf_unit_word even = (*a & CLF_EVEN_BYTES) | CLF_RAISE(*b & CLF_EVEN_BYTES, 8);
    *b = CLF_LOWER(*a & ~CLF_EVEN_BYTES, 8) | (*b & ~CLF_EVEN_BYTES);
    *a = even;
}

static inline void clf_transpose_packed_square_turn(clf_unit_word x[CLF_WORD_UNITS])
{
#if CLF_WORD_UNITS == 4
    clf_halves_turn(&x[0], &x[2]);
    clf_halves_turn(&x[1], &x[3]);
    clf_bytes_turn(&x[0], &x[1]);
    clf_bytes_turn(&x[2], &x[3]);
#elif CLF_WORD_UNITS == 2
    clf_halves_turn(&x[0], &x[1]);
#endif
}

/* Squares of a tile, and how to divide by these numbers. */
typedef struct {
    uint down, across, by_down, by_across;
} clf_shape;

static inline clf_shape clf_shape_of(uint down, uint across)
{
    const clf_shape shape = {down, across, clf_reciprocal(down), clf_reciprocal(across)};
    return shape;
}

/* Word of plane p of the square in this row and column. */
static inline uint clf_plane_place(clf_shape tile, uint p, uint row, uint column)
{
    return (p * tile.down + row) * (tile.across | 1) + column;
}

/* `pitch`: words from row to row of the matrix, in which `rows` and `columns` of the tile's squares lie. */
static inline void clf_transpose_packed_squares_read(__global const clf_unit_word *in, ulong pitch, clf_shape tile,
                                                     uint rows, uint columns, __local clf_unit_word *planes)
{
    for (uint done = 0; done < tile.down * tile.across; done += CLF_TRANSPOSE_PACKED_DEPTH * CLF_GROUP) {
        clf_unit_word word[CLF_TRANSPOSE_PACKED_DEPTH][CLF_WORD_UNITS];
        CLF_UNROLL for (uint k = 0; k < CLF_TRANSPOSE_PACKED_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id();
            const uint r = clf_divide(i, tile.across, tile.by_across), c = i - r * tile.across;
            const bool within = r < rows && c < columns;
            CLF_UNROLL for (uint p = 0; p < CLF_WORD_UNITS; ++p)
                word[k][p] = within ? in[(r * CLF_WORD_UNITS + p) * pitch + c] : 0;
        }
        CLF_UNROLL for (uint k = 0; k < CLF_TRANSPOSE_PACKED_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id();
            const uint r = clf_divide(i, tile.across, tile.by_across), c = i - r * tile.across;
            CLF_UNROLL for (uint p = 0; p < CLF_WORD_UNITS; ++p)
                if (r < rows)
                    planes[clf_plane_place(tile, p, r, c)] = word[k][p];
        }
    }
}

static inline void clf_transpose_packed_squares_write(__global clf_unit_word *out, ulong pitch, clf_shape tile,
                                                      uint rows, uint columns, __local const clf_unit_word *planes)
{
    for (uint i = clf_local_id(); i < tile.down * tile.across; i += CLF_GROUP) {
        const uint c = clf_divide(i, tile.down, tile.by_down), r = i - c * tile.down;
        if (r < rows && c < columns) {
            clf_unit_word x[CLF_WORD_UNITS];
            CLF_UNROLL for (uint p = 0; p < CLF_WORD_UNITS; ++p)
                x[p] = planes[clf_plane_place(tile, p, r, c)];
            clf_transpose_packed_square_turn(x);
            CLF_UNROLL for (uint p = 0; p < CLF_WORD_UNITS; ++p)
                out[(c * CLF_WORD_UNITS + p) * pitch + r] = x[p];
        }
    }
}

CLF_TRANSPOSE(clf_transpose_packed)
{
    __local clf_unit_word planes[CLF_WORD_UNITS * CLF_TRANSPOSE_PACKED_CAPACITY];
    const clf_shape tile = clf_shape_of(CLF_SQUARES_DOWN, CLF_SQUARES_ACROSS);
    const clf_transpose_place place = clf_transpose_place_of((uint)get_group_id(0), windows, (uint)parts, chunk);
    const ulong base = place.matrix * rows * columns;
    const ulong row = (ulong)place.down * CLF_ROWS, column = (ulong)place.across * CLF_TRANSPOSE_PACKED_COLUMNS;
    const ulong from = in_at + base + row * columns + column, to = out_at + base + column * rows + row;
    const uint high = (uint)min((ulong)CLF_ROWS, rows - row) / CLF_WORD_UNITS;
    const uint wide = (uint)min((ulong)CLF_TRANSPOSE_PACKED_COLUMNS, columns - column) / CLF_WORD_UNITS;
    clf_transpose_packed_squares_read((__global const clf_unit_word *)in + from / CLF_WORD_UNITS,
                                      columns / CLF_WORD_UNITS, tile, high, wide, planes);
    clf_group_sync();
    clf_transpose_packed_squares_write((__global clf_unit_word *)out + to / CLF_WORD_UNITS, rows / CLF_WORD_UNITS, tile,
                                       high, wide, planes);
}

/* Few rows or few columns: tiles of all of these and `chunk` of the others, of which a matrix has `parts`. */
CLF_TRANSPOSE(clf_transpose_packed_thin)
{
    __local clf_unit_word planes[CLF_WORD_UNITS * CLF_TRANSPOSE_PACKED_CAPACITY];
    const uint id = (uint)get_group_id(0), matrix = id / (uint)parts;
    const bool narrow = columns <= rows;
    const ulong first = (ulong)(id - matrix * (uint)parts) * chunk;
    const uint count = (uint)min((ulong)chunk, (narrow ? rows : columns) - first) / CLF_WORD_UNITS;
    const uint down = narrow ? count : (uint)rows / CLF_WORD_UNITS,
               across = narrow ? (uint)columns / CLF_WORD_UNITS : count;
    const ulong base = matrix * rows * columns;
    const ulong from = in_at + base + first * (narrow ? columns : 1), to = out_at + base + first * (narrow ? 1 : rows);
    const clf_shape tile = clf_shape_of(down, across);
    clf_transpose_packed_squares_read((__global const clf_unit_word *)in + from / CLF_WORD_UNITS,
                                      columns / CLF_WORD_UNITS, tile, down, across, planes);
    clf_group_sync();
    clf_transpose_packed_squares_write((__global clf_unit_word *)out + to / CLF_WORD_UNITS, rows / CLF_WORD_UNITS, tile,
                                       down, across, planes);
}
