/* SPDX-License-Identifier: MIT */
/*
 * transpose_cpu: a tile of up to `chunk` x `parts` elements by each group of one work-item, for CPU devices.
 *
 * The tile is first copied, row by row, to where its cache lines cannot push each other out of the cache, as lines
 * that are a power of two apart do. From there squares of 16 bytes' side are turned in vector registers, as many at
 * a time as fill a cache line of the output, so that it is written in one go: past the caches, if asked for.
 * Meanwhile the tile of the next group, most likely to run here next, is fetched into the cache. A vector is a
 * matrix of one row, and is just copied.
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
#define CLF_SIDE CLF_LINE_UNITS

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

/* What to have in the cache soon: rows of n units. */
typedef struct {
    __global const clf_unit *in;
    ulong pitch;
    uint rows, n;
} clf_fetch;

/* The share of it that belongs to steps first … last - 1 of so many. */
static inline void clf_fetch_some(clf_fetch fetch, uint first, uint last, uint steps)
{
#if CLF_AHEAD && defined(__has_builtin)
#if __has_builtin(__builtin_prefetch)
    for (uint r = first * fetch.rows / steps; r < last * fetch.rows / steps; ++r)
        for (uint i = 0; i < fetch.n; i += 64 / CLF_UNIT)
            __builtin_prefetch((__private const void *)(size_t)(fetch.in + r * fetch.pitch + i), 0, 2);
#endif
#endif
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

#if CLF_UNITS == 1

/* A square is turned by shuffling its rows log2(CLF_SIDE) times, like a deck of cards. */
static inline void clf_square_turn(clf_line x[CLF_SIDE])
{
#if CLF_SIDE > 1
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
#endif
}

/* CLF_SIDE columns of `squares` squares each, which is 4 for whole cache lines, or 1. */
static inline void clf_columns_write(__local const clf_unit *tile, uint tile_pitch, __global clf_unit *out,
                                     ulong pitch, const uint squares, uint stream)
{
    clf_line x[4][CLF_SIDE];
    CLF_UNROLL for (uint k = 0; k < 4; ++k) {
        if (k < squares) {
            CLF_UNROLL for (uint i = 0; i < CLF_SIDE; ++i)
                x[k][i] = CLF_LINE_READ(tile + (k * CLF_SIDE + i) * tile_pitch);
            clf_square_turn(x[k]);
        }
    }
    CLF_UNROLL for (uint i = 0; i < CLF_SIDE; ++i)
        CLF_UNROLL for (uint k = 0; k < 4; ++k)
            if (k < squares)
                clf_line_write(x[k][i], out + i * pitch + k * CLF_SIDE, stream);
}

/* Returns how many rows and columns of the tile it wrote; `fetch` as below. */
static inline uint2 clf_squares_write(__local const clf_unit *tile, uint tile_pitch, __global clf_unit *out,
                                      ulong pitch, uint rows, uint columns, uint stream, clf_fetch fetch)
{
    const uint least = CLF_SIDE > 1 ? CLF_SIDE : 4; /* rows that are worth it */
    const uint whole_rows = rows / least * least, whole_columns = columns / CLF_SIDE * CLF_SIDE;
    for (uint c = 0; c < whole_columns; c += CLF_SIDE) {
        uint r = 0;
        for (; r + 4 * CLF_SIDE <= whole_rows; r += 4 * CLF_SIDE)
            clf_columns_write(tile + r * tile_pitch + c, tile_pitch, out + c * pitch + r, pitch, 4, stream);
        for (; r < whole_rows; r += CLF_SIDE)
            clf_columns_write(tile + r * tile_pitch + c, tile_pitch, out + c * pitch + r, pitch, 1, 0);
        if (c % 16 == 0)
            clf_fetch_some(fetch, c, min(c + 16, whole_columns), whole_columns);
    }
    if (whole_columns == 0)
        clf_fetch_some(fetch, 0, 1, 1);
    return (uint2)(whole_rows, whole_columns);
}

#else

static inline uint2 clf_squares_write(__local const clf_unit *tile, uint tile_pitch, __global clf_unit *out,
                                      ulong pitch, uint rows, uint columns, uint stream, clf_fetch fetch)
{
    clf_fetch_some(fetch, 0, 1, 1);
    return (uint2)(0, 0);
}

#endif

typedef struct {
    ulong matrix, row, column;
    uint height, width;
} clf_place;

static inline clf_place clf_place_of(ulong id, ulong rows, ulong columns, uint chunk, ulong parts)
{
    const ulong down = (rows + chunk - 1) / chunk, across = (columns + parts - 1) / parts;
    clf_place place;
    place.matrix = id / (down * across);
    const ulong tile = id - place.matrix * (down * across);
    place.column = tile / down * parts;
    place.row = (tile - tile / down * down) * chunk;
    place.height = (uint)min((ulong)chunk, rows - place.row);
    place.width = (uint)min(parts, columns - place.column);
    return place;
}

CLF_TRANSPOSE(clf_transpose_cpu)
{
    __local clf_unit tile[CLF_CAPACITY] __attribute__((aligned(64)));
    const ulong id = get_group_id(0), next = min(id + 1, (ulong)get_num_groups(0) - 1);
    const clf_place here = clf_place_of(id, rows, columns, chunk, parts);
    const clf_place there = clf_place_of(next, rows, columns, chunk, parts);
    const ulong in_pitch = columns * CLF_UNITS, pitch = rows * CLF_UNITS;
    const uint tile_pitch = (uint)parts * CLF_UNITS;
    const clf_fetch fetch = {in + (in_at + (there.matrix * rows + there.row) * columns + there.column) * CLF_UNITS,
                             in_pitch, there.height, there.width * CLF_UNITS};
    in += (in_at + (here.matrix * rows + here.row) * columns + here.column) * CLF_UNITS;
    out += (out_at + (here.matrix * columns + here.column) * rows + here.row) * CLF_UNITS;
    if (((size_t)out | (rows > 1 ? (size_t)pitch * CLF_UNIT : 0)) % 64 != 0)
        stream = 0;
    if (rows == 1) {
        clf_run_copy(in, out, here.width * CLF_UNITS, stream);
        return;
    }
    for (uint r = 0; r < here.height; ++r)
        clf_run_fetch(in + r * in_pitch, tile + r * tile_pitch, here.width * CLF_UNITS);
    const uint2 done = clf_squares_write(tile, tile_pitch, out, pitch, here.height, here.width, stream, fetch);
    clf_rest_write(tile, tile_pitch, out, pitch, done.x, here.height, 0, done.y);
    clf_rest_write(tile, tile_pitch, out, pitch, 0, here.height, done.y, here.width);
}
