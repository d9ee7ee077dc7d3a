/* SPDX-License-Identifier: MIT */
/*
 * top_k_cpu: the same on CPU devices, where each work-group is one work-item.
 *
 * needs: nothing
 * provides: nothing
 */
#include "top_k/sample.cl"
#include "top_k/steps.cl"
#include "top_k/row.cl"
#include "top_k/few_cpu.cl"
#include "top_k/short.cl"
#include "top_k/lead.cl"
