/* SPDX-License-Identifier: MIT */
/*
 * top_k_groups: all kernels of a top-k, but for the filter that collects candidates (filter/least.cl).
 *
 * needs: nothing
 * provides: nothing
 */
#include "top_k/sample.cl"
#include "top_k/steps.cl"
#include "top_k/row.cl"
#include "top_k/few.cl"
#include "top_k/short.cl"
#include "top_k/lead.cl"
