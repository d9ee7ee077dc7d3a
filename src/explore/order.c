/* SPDX-License-Identifier: MIT */
/*
 * order: does `less` say a strict weak order? Decided by what it says of each pair of elements, as bits, so that all
 * triples take time as pairs do.
 */
#include "explore/laws.h"

#include <stdlib.h>

enum { WORD = 64 };

typedef struct order {
    const cl_uint *less;
    cl_uint n;
} order;

static bool is_less(const order *o, cl_uint i, cl_uint j)
{
    return o->less[i + (size_t)j * o->n] != 0;
}

static bool is_like(const order *o, cl_uint i, cl_uint j)
{
    return !is_less(o, i, j) && !is_less(o, j, i);
}

/* Takes the case if it is the first, or less than the one that there is. */
static void take(bool *broken, cl_uint at[3], cl_uint i, cl_uint j, cl_uint k)
{
    if (*broken && at[0] + at[1] + at[2] <= i + j + k)
        return;
    *broken = true;
    at[0] = i;
    at[1] = j;
    at[2] = k;
}

/* The first that two rows of bits have in common, or n. */
static cl_uint first_common(const uint64_t *x, const uint64_t *y, cl_uint n)
{
    for (cl_uint w = 0; w * WORD < n; ++w) {
        uint64_t both = x[w] & y[w];
        if (!both)
            continue;
        cl_uint bit = w * WORD;
        for (; !(both & 1); both >>= 1)
            ++bit;
        return bit;
    }
    return n;
}

/* i and j, and j and k, have a relation, and i and k, which differ, have another. */
static clf_status try_triples(const order *o, bool (*relation)(const order *, cl_uint, cl_uint), bool less_is_broken,
                              bool *broken, cl_uint at[3])
{
    const cl_uint words = (o->n + WORD - 1) / WORD;
    uint64_t *const behind = calloc((size_t)2 * o->n * words, sizeof *behind), *const before = behind + o->n * words;
    if (!behind)
        return CLF_E_NO_MEMORY;
    for (cl_uint i = 0; i < o->n; ++i)
        for (cl_uint j = 0; j < o->n; ++j)
            if (relation(o, i, j)) {
                behind[i * words + j / WORD] |= (uint64_t)1 << j % WORD;
                before[j * words + i / WORD] |= (uint64_t)1 << i % WORD;
            }
    for (cl_uint i = 0; i < o->n; ++i)
        for (cl_uint k = 0; k < o->n; ++k) {
            const bool asked = i != k && is_less(o, i, k) == less_is_broken;
            const cl_uint j = asked ? first_common(behind + i * words, before + k * words, o->n) : o->n;
            if (j < o->n)
                take(broken, at, i, j, k);
        }
    free(behind);
    return CLF_SUCCESS;
}

clf_status clf_order_try(const cl_uint *less, cl_uint n, clf_law law, bool *broken, cl_uint at[3])
{
    const order o = {less, n};
    *broken = false;
    if (law == CLF_LAW_TRANSITIVE)
        return try_triples(&o, is_less, false, broken, at);
    if (law == CLF_LAW_EQUIVALENCE)
        return try_triples(&o, is_like, true, broken, at);
    for (cl_uint i = 0; i < n; ++i) {
        if (law == CLF_LAW_IRREFLEXIVE && is_less(&o, i, i))
            take(broken, at, i, 0, 0);
        for (cl_uint j = 0; law == CLF_LAW_ASYMMETRIC && j < i; ++j)
            if (is_less(&o, i, j) && is_less(&o, j, i))
                take(broken, at, j, i, 0);
    }
    return CLF_SUCCESS;
}
