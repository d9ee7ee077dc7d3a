/* SPDX-License-Identifier: MIT */
/* least_cpu: a filter by keys on CPU devices (least.cl). */
#include "filter/least.cl"
#include "filter/filter_cpu.cl"
