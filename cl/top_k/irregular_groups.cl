/* SPDX-License-Identifier: MIT */
/*
 * irregular_groups: all kernels of a top-k of segments of any lengths.
 *
 * needs: nothing
 * provides: nothing
 */
#include "top_k/irregular_few.cl"
#include "top_k/irregular_row.cl"
#include "top_k/irregular_short.cl"
