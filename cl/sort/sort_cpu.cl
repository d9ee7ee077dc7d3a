/* SPDX-License-Identifier: MIT */
/*
 * sort_cpu: the same on CPU devices, where each work-group is one work-item (digit/digit_cpu.cl).
 */
#include "sort/control.cl"
#include "sort/sort_keys.cl"
#include "digit/digit_cpu.cl"
