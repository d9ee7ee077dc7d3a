/* SPDX-License-Identifier: MIT */
/*
 * transpose_packed: a tile of elements of 1 or 2 bytes by each work-group, where rows and columns consist of whole
 * aligned words.
 *
 * Squares of CLF_PACK x CLF_PACK elements are words from as many rows. They pass through local memory as they are, and
 * are turned in registers on the way out, so that nothing but words is ever moved. The words of a square lie in as
 * many planes, and rows of a plane are one word apart from a multiple of all banks: neither writing rows of squares nor
 * reading columns of them meets a bank twice.
 */
#include "transpose_place.cl"

enum {
    CLF_SQUARES_DOWN = CLF_ROWS / CLF_PACK,
    CLF_SQUARES_ACROSS = CLF_COLUMNS / CLF_PACK,
    CLF_SQUARES = CLF_SQUARES_DOWN * CLF_SQUARES_ACROSS,
    CLF_PITCH = CLF_SQUARES_ACROSS + 1,
    CLF_DEPTH = 16 / CLF_PACK /* squares that a work-item moves at a time */
};

/* Units of a word as they lie in memory: those behind even places, the first two bytes, and moves by some bits. */
#ifdef __ENDIAN_LITTLE__
#define CLF_EVEN_BYTES 0x00ff00ffu
#define CLF_FIRST_HALF 0x0000ffffu
#define CLF_UP(x, bits) ((x) << (bits))
#define CLF_DOWN(x, bits) ((x) >> (bits))
#else
#define CLF_EVEN_BYTES 0xff00ff00u
#define CLF_FIRST_HALF 0xffff0000u
#define CLF_UP(x, bits) ((x) >> (bits))
#define CLF_DOWN(x, bits) ((x) << (bits))
#endif

static inline void clf_halves_turn(clf_word *a, clf_word *b)
{
    const clf_word first = (*a & CLF_FIRST_HALF) | CLF_UP(*b, 16);
    *b = CLF_DOWN(*a & ~CLF_FIRST_HALF, 16) | (*b & ~CLF_FIRST_HALF);
    *a = first;
}

static inline void clf_bytes_turn(clf_word *a, clf_word *b)
{
    const clf_word even = (*a & CLF_EVEN_BYTES) | CLF_UP(*b & CLF_EVEN_BYTES, 8);
    *b = CLF_DOWN(*a & ~CLF_EVEN_BYTES, 8) | (*b & ~CLF_EVEN_BYTES);
    *a = even;
}

static inline void clf_square_turn(clf_word x[CLF_PACK])
{
#if CLF_PACK == 4
    clf_halves_turn(&x[0], &x[2]);
    clf_halves_turn(&x[1], &x[3]);
    clf_bytes_turn(&x[0], &x[1]);
    clf_bytes_turn(&x[2], &x[3]);
#elif CLF_PACK == 2
    clf_halves_turn(&x[0], &x[1]);
#endif
}

/* Pitches in words; `rows` and `columns` in squares. */
static inline void clf_squares_read(__global const clf_word *in, ulong pitch, uint rows, uint columns,
                                    __local clf_word *tile)
{
    for (uint done = 0; done < CLF_SQUARES; done += CLF_DEPTH * CLF_GROUP) {
        clf_word word[CLF_DEPTH][CLF_PACK];
        CLF_UNROLL for (uint k = 0; k < CLF_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id();
            const uint r = i / CLF_SQUARES_ACROSS, c = i % CLF_SQUARES_ACROSS;
            const bool within = r < rows && c < columns;
            CLF_UNROLL for (uint p = 0; p < CLF_PACK; ++p)
                word[k][p] = within ? in[(r * CLF_PACK + p) * pitch + c] : 0;
        }
        CLF_UNROLL for (uint k = 0; k < CLF_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id();
            const uint r = i / CLF_SQUARES_ACROSS, c = i % CLF_SQUARES_ACROSS;
            CLF_UNROLL for (uint p = 0; p < CLF_PACK; ++p)
                if (r < CLF_SQUARES_DOWN)
                    tile[(p * CLF_SQUARES_DOWN + r) * CLF_PITCH + c] = word[k][p];
        }
    }
}

static inline void clf_squares_write(__global clf_word *out, ulong pitch, uint rows, uint columns,
                                     __local const clf_word *tile)
{
    for (uint i = clf_local_id(); i < CLF_SQUARES; i += CLF_GROUP) {
        const uint r = i % CLF_SQUARES_DOWN, c = i / CLF_SQUARES_DOWN;
        if (r < rows && c < columns) {
            clf_word x[CLF_PACK];
            CLF_UNROLL for (uint p = 0; p < CLF_PACK; ++p)
                x[p] = tile[(p * CLF_SQUARES_DOWN + r) * CLF_PITCH + c];
            clf_square_turn(x);
            CLF_UNROLL for (uint p = 0; p < CLF_PACK; ++p)
                out[(c * CLF_PACK + p) * pitch + r] = x[p];
        }
    }
}

CLF_TRANSPOSE(clf_transpose_packed)
{
    __local clf_word tile[CLF_PACK * CLF_SQUARES_DOWN * CLF_PITCH];
    const clf_place place = clf_place_of((uint)get_group_id(0), rows, columns, chunk);
    const ulong from = in_at + place.base + place.row * columns + place.column;
    const ulong to = out_at + place.base + place.column * rows + place.row;
    const uint down = place.rows / CLF_PACK, across = place.columns / CLF_PACK;
    clf_squares_read((__global const clf_word *)in + from / CLF_PACK, columns / CLF_PACK, down, across, tile);
    clf_group_sync();
    clf_squares_write((__global clf_word *)out + to / CLF_PACK, rows / CLF_PACK, down, across, tile);
}
