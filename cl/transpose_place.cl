/* SPDX-License-Identifier: MIT */
/*
 * transpose_place: tiles of CLF_ROWS x CLF_COLUMNS elements, and which one a work-group takes.
 *
 * Tiles are taken in stripes of `chunk` tiles' width, each from top to bottom: so what runs at a time covers long
 * runs on both sides.
 */
#include "transpose.cl"

enum { CLF_COLUMNS = CLF_GROUP * CLF_ITEMS / CLF_ROWS };

typedef struct {
    ulong row, column; /* of the first element */
    uint rows, columns; /* that lie in the matrix */
    ulong base; /* element where the matrix begins */
} clf_place;

static inline clf_place clf_place_of(uint id, ulong rows, ulong columns, uint stripe)
{
    const uint down = (uint)((rows + CLF_ROWS - 1) / CLF_ROWS);
    const uint across = (uint)((columns + CLF_COLUMNS - 1) / CLF_COLUMNS);
    const uint matrix = id / (down * across), tile = id - matrix * (down * across);
    const uint left = tile / (stripe * down) * stripe, within = tile - left * down;
    const uint width = min(stripe, across - left), below = within / width;
    clf_place place;
    place.row = (ulong)below * CLF_ROWS;
    place.column = (ulong)(left + within - below * width) * CLF_COLUMNS;
    place.rows = (uint)min((ulong)CLF_ROWS, rows - place.row);
    place.columns = (uint)min((ulong)CLF_COLUMNS, columns - place.column);
    place.base = matrix * rows * columns;
    return place;
}
