/* SPDX-License-Identifier: MIT */
/*
 * irregular_cpu: all kernels of a top-k of segments of any lengths on CPU devices, where each work-group is one
 * work-item.
 *
 * needs: nothing
 * provides: nothing
 */
#include "top_k/irregular_few_cpu.cl"
#include "top_k/irregular_row.cl"
#include "top_k/irregular_short.cl"
