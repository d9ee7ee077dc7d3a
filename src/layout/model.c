/* SPDX-License-Identifier: MIT */
/*
 * Classes of types, by which profiles go, and the model that guesses where no profile knows: from Clausen, "Regular
 * Segmented Single-pass Scan in Futhark" (2021), chapter 5.
 */
#include "layout/layout.h"

#include <stdio.h>

void clf_type_class(const clf_fields *value, char name[16])
{
    cl_uint bytes = 1;
    while (bytes < clf_fields_sum(value))
        bytes *= 2;
    if (value->count == 1)
        snprintf(name, 16, "b%u", (unsigned)(bytes & 0xffff));
    else
        snprintf(name, 16, "b%ux%u", (unsigned)(bytes & 0xfff), (unsigned)(clf_fields_largest(value) & 0xff));
}

static cl_uint words_of(const clf_fields *fields)
{
    cl_uint words = 0;
    for (cl_uint i = 0; i < fields->count; ++i)
        words += (fields->field[i].bytes + 3) / 4;
    return words;
}

/*
 * Local memory exchanges one field at a time, so it bounds m by the largest. Registers hold, for each of m
 * elements, what is staged twice and three more words, besides one value and one register of the kernel's own.
 */
cl_uint clf_model_items(cl_uint k_mem, cl_uint k_reg, const clf_fields *value, const clf_fields *staged)
{
    const cl_uint sum = clf_fields_sum(value), largest = clf_fields_largest(value), words = words_of(value);
    if (largest == 0 || k_reg <= 1 + words)
        return 1;
    const cl_uint by_memory = (k_mem > sum ? k_mem : sum) / largest;
    const cl_uint by_registers = (k_reg - 1 - words) / (2 * words_of(staged) + 3);
    const cl_uint items = by_memory < by_registers ? by_memory : by_registers;
    return items > 1 ? items : 1;
}

void clf_model_limits(const clf_facts *facts, cl_uint *k_mem, cl_uint *k_reg)
{
    const cl_ulong group = facts->max_group != 0 ? facts->max_group : 1;
    const cl_ulong local = facts->local_bytes / group;
    *k_mem = local < UINT32_MAX ? (cl_uint)local : UINT32_MAX;
    *k_reg = facts->registers != 0 ? (cl_uint)(facts->registers / group) : 64;
}

/* Intel's have 64 of 4 bytes at 16 lanes, and what needs more goes to scratch; Mali's are as many. */
bool clf_short_of_registers(const clf_facts *facts)
{
    return facts->lanes == CLF_LANES_KHR || facts->lanes == CLF_LANES_INTEL;
}
