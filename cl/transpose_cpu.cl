/* SPDX-License-Identifier: MIT */
/*
 * transpose_cpu: a tile of up to `chunk` x `parts` elements by each group of one work-item, for CPU devices.
 *
 * The tile is first copied, row by row, to where its lines cannot push each other out of the cache, as lines that are a
 * power of two apart do. From there squares of 16 bytes' side are turned in vector registers and stored row by
 * row of the output, so that each of its cache lines is written in one go: past the caches, if asked for.
 * A vector is a matrix of one row, and is just copied.
 */
#include "transpose.cl"

enum { CLF_CAPACITY = CLF_ITEMS * CLF_UNITS };

/* Lines of 16 bytes. */
#if CLF_UNIT == 1
typedef uchar16 clf_line;
#define CLF_LINE_UNITS 16
#elif CLF_UNIT == 2
typedef ushort8 clf_line;
#define CLF_LINE_UNITS 8
#elif CLF_UNIT == 4
typedef uint4 clf_line;
#define CLF_LINE_UNITS 4
#elif CLF_UNIT == 8
typedef ulong2 clf_line;
#define CLF_LINE_UNITS 2
#else
typedef uint4 clf_line;
#define CLF_LINE_UNITS 1
#endif
#if CLF_UNIT < 16
#define CLF_LINE_READ(p) CLF_PASTE(vload, CLF_LINE_UNITS)(0, p)
#define CLF_LINE_WRITE(v, p) CLF_PASTE(vstore, CLF_LINE_UNITS)(v, 0, p)
#else
#define CLF_LINE_READ(p) *(p)
#define CLF_LINE_WRITE(v, p) *(p) = (v)
#endif

/* Rows and columns of a square that is turned in registers. */
#define CLF_SIDE (CLF_UNITS == 1 ? CLF_LINE_UNITS : 1)

/* To global memory; past the caches, if `stream` and where the compiler has such a store. Then p is aligned. */
static inline void clf_line_write(clf_line v, __global clf_unit *p, uint stream)
{
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
    if (stream) {
        __builtin_nontemporal_store(v, (__global clf_line *)p);
        return;
    }
#endif
#endif
    CLF_LINE_WRITE(v, p);
}

/* n units, consecutive on both sides. */
static inline void clf_run_fetch(__global const clf_unit *from, __local clf_unit *to, uint n)
{
    uint i = 0;
    for (; i + CLF_LINE_UNITS <= n; i += CLF_LINE_UNITS)
        CLF_LINE_WRITE(CLF_LINE_READ(from + i), to + i);
    for (; i < n; ++i)
        to[i] = from[i];
}

static inline void clf_run_copy(__global const clf_unit *from, __global clf_unit *to, uint n, uint stream)
{
    uint i = 0;
    for (; i + CLF_LINE_UNITS <= n; i += CLF_LINE_UNITS)
        clf_line_write(CLF_LINE_READ(from + i), to + i, stream);
    for (; i < n; ++i)
        to[i] = from[i];
}

/* A part of the tile, element by element. */
static inline void clf_rest_write(__local const clf_unit *tile, uint tile_pitch, __global clf_unit *out, ulong pitch,
                                  uint row, uint rows, uint column, uint columns)
{
    for (uint c = column; c < columns; ++c)
        for (uint r = row; r < rows; ++r)
            for (uint u = 0; u < CLF_UNITS; ++u)
                out[c * pitch + r * CLF_UNITS + u] = tile[r * tile_pitch + c * CLF_UNITS + u];
}

#if CLF_UNITS == 1 && CLF_UNIT < 16

/* A square is turned by shuffling its rows log2(CLF_SIDE) times, like a deck of cards. */
static inline void clf_square_turn(clf_line x[CLF_SIDE])
{
    CLF_UNROLL for (uint round = 1; round < CLF_SIDE; round *= 2) {
        clf_line y[CLF_SIDE];
        CLF_UNROLL for (uint i = 0; i < CLF_SIDE / 2; ++i) {
            y[2 * i].even = x[i].lo;
            y[2 * i].odd = x[i + CLF_SIDE / 2].lo;
            y[2 * i + 1].even = x[i].hi;
            y[2 * i + 1].odd = x[i + CLF_SIDE / 2].hi;
        }
        CLF_UNROLL for (uint i = 0; i < CLF_SIDE; ++i)
            x[i] = y[i];
    }
}

/* `rows` and `columns` are multiples of CLF_SIDE. */
static inline void clf_squares_write(__local const clf_unit *tile, uint tile_pitch, __global clf_unit *out,
                                     ulong pitch, uint rows, uint columns, uint stream)
{
    for (uint c = 0; c < columns; c += CLF_SIDE) {
        for (uint r = 0; r < rows; r += CLF_SIDE) {
            clf_line x[CLF_SIDE];
            CLF_UNROLL for (uint i = 0; i < CLF_SIDE; ++i)
                x[i] = CLF_LINE_READ(tile + (r + i) * tile_pitch + c);
            clf_square_turn(x);
            CLF_UNROLL for (uint i = 0; i < CLF_SIDE; ++i)
                clf_line_write(x[i], out + (c + i) * pitch + r, stream);
        }
    }
}

#else

static inline void clf_squares_write(__local const clf_unit *tile, uint tile_pitch, __global clf_unit *out,
                                     ulong pitch, uint rows, uint columns, uint stream)
{
    clf_rest_write(tile, tile_pitch, out, pitch, 0, rows, 0, columns);
}

#endif

CLF_TRANSPOSE(clf_transpose_cpu)
{
    __local clf_unit tile[CLF_CAPACITY] __attribute__((aligned(64)));
    const ulong down = (rows + chunk - 1) / chunk, across = (columns + parts - 1) / parts;
    const ulong id = get_group_id(0), matrix = id / (down * across), place = id - matrix * (down * across);
    const ulong column = place / down * parts, row = (place - place / down * down) * chunk;
    const uint height = (uint)min((ulong)chunk, rows - row), width = (uint)min(parts, columns - column);
    const uint tile_pitch = (uint)parts * CLF_UNITS;
    const ulong pitch = rows * CLF_UNITS;
    in += (in_at + (matrix * rows + row) * columns + column) * CLF_UNITS;
    out += (out_at + (matrix * columns + column) * rows + row) * CLF_UNITS;
    if (((size_t)out | (rows > 1 ? (size_t)pitch * CLF_UNIT : 0)) % 16 != 0)
        stream = 0;
    if (rows == 1) {
        clf_run_copy(in, out, width * CLF_UNITS, stream);
        return;
    }
    for (uint r = 0; r < height; ++r)
        clf_run_fetch(in + r * columns * CLF_UNITS, tile + r * tile_pitch, width * CLF_UNITS);
    const uint whole_rows = height / CLF_SIDE * CLF_SIDE, whole_columns = width / CLF_SIDE * CLF_SIDE;
    clf_squares_write(tile, tile_pitch, out, pitch, whole_rows, whole_columns, stream);
    clf_rest_write(tile, tile_pitch, out, pitch, whole_rows, height, 0, whole_columns);
    clf_rest_write(tile, tile_pitch, out, pitch, 0, height, whole_columns, width);
}
