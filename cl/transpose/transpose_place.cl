/* SPDX-License-Identifier: MIT */
/*
 * transpose_place: which tile of which matrix a work-group takes.
 *
 * Tiles are taken in stripes of `stripe` tiles' width, each from top to bottom: so what runs at a time covers long
 * runs on both sides.
 *
 * needs: nothing
 * provides: clf_transpose_place, clf_transpose_place_of
 */
#include "transpose/transpose.cl"

typedef struct {
    uint matrix, down, across;
} clf_transpose_place;

/* Each matrix is `down` x `across` tiles. */
static inline clf_transpose_place clf_transpose_place_of(uint id, uint down, uint across, uint stripe)
{
    clf_transpose_place place;
    place.matrix = id / (down * across);
    const uint tile = id - place.matrix * (down * across);
    const uint left = tile / (stripe * down) * stripe, within = tile - left * down;
    const uint width = min(stripe, across - left);
    place.down = within / width;
    place.across = left + within - place.down * width;
    return place;
}
