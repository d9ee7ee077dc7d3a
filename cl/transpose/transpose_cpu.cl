/* SPDX-License-Identifier: MIT */
/*
 * transpose_cpu: tiles of up to `chunk` x `parts` elements by each group of one work-item, for CPU devices. A group
 * takes one tile, or as many small ones as add up to that.
 *
 * The tile is first copied, row by row, to a buffer whose cache lines do not evict each other, as lines a power of two
 * apart do. From there squares whose side is 16 bytes are transposed in vector registers. As many at a time are done as
 * fill a cache line of the output, so that it is written in one go, and past the caches if asked for. If a side is no
 * multiple of a square's, the last squares overlap others. Meanwhile the next tile is fetched into the cache.
 *
 * Matrices lower or narrower than a square use squares that are partly empty. A few rows become one run of the output,
 * where each column's line covers the empty part of the one before. A few columns come from one run of the input. A
 * vector is a matrix of one row, and is just copied.
 *
 * needs: CLF_AHEAD, CLF_ITEMS
 * provides: nothing
 */
#include "device/builtin.cl"
#include "transpose/transpose.cl"

/* Lines of 16 bytes. */
#if CLF_UNIT_BYTES == 1
typedef uchar16 clf_line;
#define CLF_LINE_UNITS 16
#elif CLF_UNIT_BYTES == 2
typedef ushort8 clf_line;
#define CLF_LINE_UNITS 8
#elif CLF_UNIT_BYTES == 4
typedef uint4 clf_line;
#define CLF_LINE_UNITS 4
#elif CLF_UNIT_BYTES == 8
typedef ulong2 clf_line;
#define CLF_LINE_UNITS 2
#else
typedef uint4 clf_line;
#define CLF_LINE_UNITS 1
#endif

/* Anywhere in memory. (Some compilers make as many stores of a vstore as there are elements.) */
typedef struct __attribute__((packed)) {
    clf_line line;
} clf_loose_line;
#define CLF_LINE_AT(space, p) (((space clf_loose_line *)(p))->line)

/* Rows and columns of a square that is turned in registers. */
#define CLF_SQUARE_SIDE CLF_LINE_UNITS

/* Elements of a tile, or on both sides of a thin matrix's half as many; lines may jut out of either. */
enum { CLF_HALF = CLF_ITEMS * CLF_ELEMENT_UNITS / 2 + CLF_LINE_UNITS, CLF_TRANSPOSE_CPU_CAPACITY = 2 * CLF_HALF };

typedef struct __attribute__((packed)) {
    uchar byte[CLF_BYTES];
} clf_transpose_element;

/* To global memory; past the caches, if `stream` and where the compiler has such a store. Then p is aligned. */
static inline void clf_line_write(clf_line v, __global clf_unit *p, uint stream)
{
    if (CLF_HAS_NONTEMPORAL && stream)
        CLF_NONTEMPORAL_STORE(v, (__global clf_line *)p);
    else
        CLF_LINE_AT(__global, p) = v;
}

/* n units, consecutive on both sides. */
static inline void clf_run_fetch(__global const clf_unit *from, __local clf_unit *to, uint n)
{
    uint i = 0;
    for (; i + CLF_LINE_UNITS <= n; i += CLF_LINE_UNITS)
        CLF_LINE_AT(__local, to + i) = CLF_LINE_AT(const __global, from + i);
    for (; i < n; ++i)
        to[i] = from[i];
}

/* Units before the first aligned line. */
static inline uint clf_run_head(__global const clf_unit *to, uint n)
{
    return min((uint)(-(size_t)to / CLF_UNIT_BYTES % CLF_LINE_UNITS), n);
}

#define CLF_RUN_WRITE(name, space)                                                          \
    static inline void name(const space clf_unit *from, __global clf_unit *to, uint n, uint stream) \
    {                                                                                       \
        uint i = 0, head = stream ? clf_run_head(to, n) : 0;                                \
        for (; i < head; ++i)                                                               \
            to[i] = from[i];                                                                \
        for (; i + CLF_LINE_UNITS <= n; i += CLF_LINE_UNITS)                                \
            clf_line_write(CLF_LINE_AT(const space, from + i), to + i, stream);             \
        for (; i < n; ++i)                                                                  \
            to[i] = from[i];                                                                \
    }
CLF_RUN_WRITE(clf_run_copy, __global)
CLF_RUN_WRITE(clf_run_write, __local)

/* What to have in the cache soon: rows of n units. */
typedef struct {
    __global const clf_unit *in;
    ulong pitch;
    uint rows, n;
} clf_transpose_cpu_fetch;

/* The share of it that belongs to steps first … last - 1 of so many. */
static inline void clf_fetch_some(clf_transpose_cpu_fetch fetch, uint first, uint last, uint steps)
{
    for (uint r = first * fetch.rows / steps; CLF_AHEAD && r < last * fetch.rows / steps; ++r)
        for (uint i = 0; i < fetch.n; i += 64 / CLF_UNIT_BYTES)
            CLF_PREFETCH(fetch.in + r * fetch.pitch + i, 0);
}

/* Element by element. */
static inline void clf_elements_write(__local const clf_unit *tile, uint tile_pitch, __global clf_unit *out,
                                      ulong pitch, uint rows, uint columns)
{
    for (uint c = 0; c < columns; ++c)
        for (uint r = 0; r < rows; ++r)
#if CLF_ROUNDS_APART /* a compiler that does not copy these structs right, either */
            for (uint k = 0; k < CLF_ELEMENT_UNITS; ++k)
                out[c * pitch + r * CLF_ELEMENT_UNITS + k] = tile[r * tile_pitch + c * CLF_ELEMENT_UNITS + k];
#else
            *(__global clf_transpose_element *)(out + c * pitch + r * CLF_ELEMENT_UNITS) = *(
                __local const clf_transpose_element *)(tile + r * tile_pitch + c * CLF_ELEMENT_UNITS);
#endif
}

#if CLF_ELEMENT_UNITS == 1

/* A square is turned by shuffling its rows log2(CLF_SQUARE_SIDE) times, like a deck of cards. */
static inline __attribute__((always_inline)) void clf_transpose_cpu_square_turn(clf_line x[CLF_SQUARE_SIDE])
{
    CLF_UNROLL for (uint round = 1; round < CLF_SQUARE_SIDE; round *= 2) {
        clf_line y[CLF_SQUARE_SIDE];
        CLF_UNROLL for (uint i = 0; i < CLF_SQUARE_SIDE / 2; ++i) {
            y[2 * i].even = x[i].lo;
            y[2 * i].odd = x[i + CLF_SQUARE_SIDE / 2].lo;
            y[2 * i + 1].even = x[i].hi;
            y[2 * i + 1].odd = x[i + CLF_SQUARE_SIDE / 2].hi;
        }
        CLF_UNROLL for (uint i = 0; i < CLF_SQUARE_SIDE; ++i)
            x[i] = y[i];
    }
}

/* CLF_SQUARE_SIDE columns of `squares` squares each, which is 4 for whole cache lines, or 1. */
static inline void clf_columns_write(__local const clf_unit *tile, uint tile_pitch, __global clf_unit *out, ulong pitch,
                                     const uint squares, uint stream)
{
    clf_line x[4][CLF_SQUARE_SIDE];
    CLF_UNROLL for (uint k = 0; k < 4; ++k) {
        if (k < squares) {
            CLF_UNROLL for (uint i = 0; i < CLF_SQUARE_SIDE; ++i)
                x[k][i] = CLF_LINE_AT(const __local, tile + (k * CLF_SQUARE_SIDE + i) * tile_pitch);
            clf_transpose_cpu_square_turn(x[k]);
        }
    }
    CLF_UNROLL for (uint i = 0; i < CLF_SQUARE_SIDE; ++i)
        CLF_UNROLL for (uint k = 0; k < 4; ++k)
            if (k < squares)
                clf_line_write(x[k][i], out + i * pitch + k * CLF_SQUARE_SIDE, stream);
}

/* All of a tile that has as many rows and columns as a square. `fetch` is done on the way. */
static inline void clf_transpose_cpu_squares_write(__local const clf_unit *tile, uint tile_pitch,
                                                   __global clf_unit *out, ulong pitch, uint rows, uint columns,
                                                   uint stream, clf_transpose_cpu_fetch fetch)
{
    for (uint step = 0; step < columns; step += CLF_SQUARE_SIDE) {
        const uint c = min(step, columns - CLF_SQUARE_SIDE);
        __local const clf_unit *const from = tile + c;
        __global clf_unit *const to = out + c * pitch;
        uint r = 0;
        for (; r + 4 * CLF_SQUARE_SIDE <= rows; r += 4 * CLF_SQUARE_SIDE)
            clf_columns_write(from + r * tile_pitch, tile_pitch, to + r, pitch, 4, stream);
        for (; r + CLF_SQUARE_SIDE <= rows; r += CLF_SQUARE_SIDE)
            clf_columns_write(from + r * tile_pitch, tile_pitch, to + r, pitch, 1, 0);
        if (r < rows)
            clf_columns_write(from + (rows - CLF_SQUARE_SIDE) * tile_pitch, tile_pitch, to + rows - CLF_SQUARE_SIDE,
                              pitch, 1, 0);
        if (step % 16 == 0)
            clf_fetch_some(fetch, step, min(step + 16, columns), columns);
    }
}

/* No more rows than a square, but as many columns: to a run of local memory, in which columns follow each other. */
static inline void clf_low_turn(__global const clf_unit *in, ulong pitch, uint rows, uint columns,
                                __local clf_unit *run)
{
    for (uint step = 0; step < columns; step += CLF_SQUARE_SIDE) {
        const uint c = min(step, columns - CLF_SQUARE_SIDE);
        clf_line x[CLF_SQUARE_SIDE];
        CLF_UNROLL for (uint i = 0; i < CLF_SQUARE_SIDE; ++i)
            x[i] = i < rows ? CLF_LINE_AT(const __global, in + i * pitch + c) : (clf_line)(0);
        clf_transpose_cpu_square_turn(x);
        CLF_UNROLL for (uint i = 0; i < CLF_SQUARE_SIDE; ++i)
            CLF_LINE_AT(__local, run + (c + i) * rows) = x[i];
    }
}

/* Fewer columns than a square, but as many rows: from a run of local memory to runs, each of a column. */
static inline void clf_narrow_turn(__local const clf_unit *run, uint rows, uint columns, __local clf_unit *to)
{
    for (uint step = 0; step < rows; step += CLF_SQUARE_SIDE) {
        const uint r = min(step, rows - CLF_SQUARE_SIDE);
        clf_line x[CLF_SQUARE_SIDE];
        CLF_UNROLL for (uint i = 0; i < CLF_SQUARE_SIDE; ++i)
            x[i] = CLF_LINE_AT(const __local, run + (r + i) * columns);
        clf_transpose_cpu_square_turn(x);
        CLF_UNROLL for (uint i = 0; i < CLF_SQUARE_SIDE; ++i)
            if (i < columns)
                CLF_LINE_AT(__local, to + i * rows + r) = x[i];
    }
}

#else

static inline void clf_transpose_cpu_squares_write(__local const clf_unit *tile, uint tile_pitch,
                                                   __global clf_unit *out, ulong pitch, uint rows, uint columns,
                                                   uint stream, clf_transpose_cpu_fetch fetch)
{
}

static inline void clf_low_turn(__global const clf_unit *in, ulong pitch, uint rows, uint columns,
                                __local clf_unit *run)
{
}

static inline void clf_narrow_turn(__local const clf_unit *run, uint rows, uint columns, __local clf_unit *to)
{
}

#endif

typedef struct {
    ulong matrix, row, column;
    uint height, width;
} clf_transpose_cpu_place;

static inline clf_transpose_cpu_place clf_transpose_cpu_place_of(ulong id, ulong rows, ulong columns, uint chunk,
                                                                 ulong parts)
{
    const ulong down = (rows + chunk - 1) / chunk, across = (columns + parts - 1) / parts;
    clf_transpose_cpu_place place;
    place.matrix = id / (down * across);
    const ulong tile = id - place.matrix * (down * across);
    place.column = tile / down * parts;
    place.row = (tile - tile / down * down) * chunk;
    place.height = (uint)min((ulong)chunk, rows - place.row);
    place.width = (uint)min(parts, columns - place.column);
    return place;
}

/* A tile that is no vector; `in` and `out` are where it begins. */
static inline void clf_tile_turn(__global const clf_unit *in, ulong in_pitch, __global clf_unit *out, ulong pitch,
                                 clf_transpose_cpu_place here, uint stream, clf_transpose_cpu_fetch fetch,
                                 __local clf_unit *tile)
{
    const uint tile_pitch = here.width * CLF_ELEMENT_UNITS;
    if (CLF_ELEMENT_UNITS == 1 && here.height == pitch && here.height <= CLF_SQUARE_SIDE &&
        here.width >= 4 * CLF_SQUARE_SIDE) {
        clf_low_turn(in, in_pitch, here.height, here.width, tile);
        clf_run_write(tile, out, here.height * here.width, stream);
        return;
    }
    const bool run = tile_pitch == in_pitch; /* whole rows */
    for (uint r = 0; r < (run ? 1 : here.height); ++r)
        clf_run_fetch(in + r * in_pitch, tile + r * tile_pitch, run ? here.height * tile_pitch : tile_pitch);
    if (CLF_ELEMENT_UNITS == 1 && here.width < CLF_SQUARE_SIDE && here.height >= 4 * CLF_SQUARE_SIDE &&
        here.height * here.width <= CLF_ITEMS / 2) {
        clf_narrow_turn(tile, here.height, here.width, tile + CLF_HALF);
        for (uint c = 0; c < here.width; ++c)
            clf_run_write(tile + CLF_HALF + c * here.height, out + c * pitch, here.height, stream);
    } else if (CLF_ELEMENT_UNITS == 1 && here.height >= CLF_SQUARE_SIDE && here.width >= CLF_SQUARE_SIDE) {
        if (((size_t)out | (size_t)pitch * CLF_UNIT_BYTES) % 64 != 0)
            stream = 0;
        clf_transpose_cpu_squares_write(tile, tile_pitch, out, pitch, here.height, here.width, stream, fetch);
    } else {
        clf_fetch_some(fetch, 0, 1, 1);
        clf_elements_write(tile, tile_pitch, out, pitch, here.height, here.width);
    }
}

CLF_TRANSPOSE(clf_transpose_cpu)
{
    __local clf_unit tile[CLF_TRANSPOSE_CPU_CAPACITY] __attribute__((aligned(64)));
    const ulong tiles = batch * ((rows + chunk - 1) / chunk) * ((columns + parts - 1) / parts);
    const ulong each = max(CLF_ITEMS / (chunk * (ulong)parts), (ulong)1), first = get_group_id(0) * each;
    const ulong in_pitch = columns * CLF_ELEMENT_UNITS, pitch = rows * CLF_ELEMENT_UNITS;
    in += in_at * CLF_ELEMENT_UNITS;
    out += out_at * CLF_ELEMENT_UNITS;
    for (ulong id = first; id < min(first + each, tiles); ++id) {
        const clf_transpose_cpu_place here = clf_transpose_cpu_place_of(id, rows, columns, chunk, parts);
        const clf_transpose_cpu_place there = clf_transpose_cpu_place_of(min(id + 1, tiles - 1), rows, columns, chunk,
                                                                         parts);
        const ulong from = ((here.matrix * rows + here.row) * columns + here.column) * CLF_ELEMENT_UNITS;
        const ulong to = ((here.matrix * columns + here.column) * rows + here.row) * CLF_ELEMENT_UNITS;
        const clf_transpose_cpu_fetch fetch =
            {in + ((there.matrix * rows + there.row) * columns + there.column) * CLF_ELEMENT_UNITS,
                                 in_pitch, there.height, there.width * CLF_ELEMENT_UNITS};
        if (rows == 1)
            clf_run_copy(in + from, out + to, here.width * CLF_ELEMENT_UNITS, stream);
        else
            clf_tile_turn(in + from, in_pitch, out + to, pitch, here, stream, fetch, tile);
    }
}
