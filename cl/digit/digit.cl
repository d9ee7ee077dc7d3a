/* SPDX-License-Identifier: MIT */
/*
 * digit: elements split by a digit: the common part of all kernels that do so, for splits and for sorts.
 *
 * The program defines what is split before it includes these files (split/part.cl, sort/key.cl):
 *
 *   clf_element                     what is read of an element
 *   clf_elements                    where elements come from, and where their values go to
 *   clf_elements_open(a, e)         makes it; false: this launch has nothing to do
 *   clf_element_at(e, i)            reads element i
 *   clf_elements_mapped(e)          are elements of this launch made by a map?
 *   clf_element_of(e, i, mapped)    clf_element_at where that is known
 *   clf_element_digit(e, x, i)      its digit, below CLF_PARTS
 *   clf_element_value(e, x, i)      its value
 *   clf_elements_out(e)             the arrays that values go to
 *   clf_digits(a)                   how many digits there are
 *   clf_row_size(a)                 elements of a row; each row is split by itself
 *   clf_row_tiles(a)                tiles of a row
 *   CLF_ELEMENT_FIELDS(F)           its fields, and CLF_ELEMENT_BYTES
 *   CLF_DIGIT_CHEAP                 1: a digit may be made anew wherever it is needed, and needs no i
 *   CLF_DIGIT_OF_VALUE              1: a value has one field, and clf_value_digit(e, v) says its digit
 *   CLF_DIGIT_OF_FIRST              defined where elements are values, and the first field determines the digit
 *   CLF_DIGIT_LINES                 digits for which a work-item of a CPU has lines (digit_lines.cl)
 *
 * CLF_PARTS is a power of two, not below the number of digits. Two-pass kernels keep a matrix of each tile's element
 * counts, digit by digit:
 *
 *   up      a->tile_counts[digit * tiles + tile]
 *   scan    a->places[digit * tiles + tile]: the exclusive prefix of these counts
 *   down    elements are written there
 *
 * Each row has its own matrix, one after the other.
 *
 * needs: elements
 * provides: clf_digit_at, clf_digit_cell, clf_digit_tile, clf_digit_tile_at, clf_row_end
 */
#include "memory/tile.cl"
#include "memory/wrapper.cl"

/* A tile: which one of which row, and the elements that it has. */
typedef struct {
    uint row, number, count;
    ulong first;
} clf_digit_tile;

static inline ulong clf_row_end(const clf_arguments *a, uint row)
{
    return min((row + 1ul) * clf_row_size(a), a->size);
}

/* As many tiles are launched as the host knows of; of these the device may know that some have no elements. */
static inline clf_digit_tile clf_digit_tile_at(const clf_arguments *a, uint tile)
{
    clf_digit_tile t;
    t.row = tile / clf_row_tiles(a);
    t.number = tile % clf_row_tiles(a);
    t.first = t.row * clf_row_size(a) + t.number * (ulong)CLF_TILE;
    const ulong end = clf_row_end(a, t.row);
    t.count = !CLF_GIVEN || t.first < end ? (uint)min(end - t.first, (ulong)CLF_TILE) : 0;
    return t;
}

/* Where the matrix has a digit of a tile. */
static inline size_t clf_digit_cell(const clf_arguments *a, const clf_digit_tile *t, uint digit)
{
    return ((size_t)t->row * clf_digits(a) + digit) * clf_row_tiles(a) + t->number;
}

static inline uint clf_digit_at(const clf_elements *e, ulong i)
{
    return clf_element_digit(e, clf_element_at(e, i), i);
}
