/* SPDX-License-Identifier: MIT */
/*
 * Keys of rows of sorts and top-k: integers and floating-point numbers, with their places of 32 bits where there is a
 * second array. They are random; sorted already, backwards, all equal, of two values in turns, of low entropy (random
 * bits, of which three must be set at once), by a Zipf law, of low bytes that change from tile to tile, or below 2^32.
 * Results are told by the place of each key among all numbers; of sort_low8 by the low byte alone.
 */
#include "rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

/* Rows of all kinds of sorts end alike. */
static bool is_called(const bench_data *data, const char *with)
{
    return strstr(data->primitive->name, with);
}

/* Key k about 1 / (k + 1) times as often as 0, of all numbers of so many bits. */
static uint64_t zipf(uint64_t random, unsigned bits)
{
    return (uint64_t)exp2(bits * ((double)(random >> 11) / 9007199254740992.0)) - 1;
}

/* So many keys, about a tile of a sort, have one low digit, as many behind them another. */
enum { STRETCH = 8192 };

enum kind { ANY, SORTED, BACKWARDS, EQUAL, TWO, ZIPF, ALTERNATING, IDS, ENTROPY };

static enum kind kind_of(const bench_data *data)
{
    static const char *const names[] = {
        [SORTED] = "_sorted", [BACKWARDS] = "_backwards",     [EQUAL] = "_equal", [TWO] = "_two",
        [ZIPF] = "_zipf",     [ALTERNATING] = "_alternating", [IDS] = "_ids",     [ENTROPY] = "_entropy"};
    for (unsigned kind = SORTED; kind <= ENTROPY; ++kind)
        if (is_called(data, names[kind]))
            return (enum kind)kind;
    return ANY;
}

/* Key i of n, of so many bits. `step`: from each to the next, where they are in order. */
static uint64_t key_bits(enum kind kind, cl_ulong i, cl_ulong n, unsigned bits, uint64_t step)
{
    const uint64_t random = bench_hash(i);
    switch (kind) {
    case SORTED: return i * step;
    case BACKWARDS: return (n - i) * step;
    case EQUAL: return 42;
    case TWO: return i % 2 ? 3 : 0x41414141;
    case ZIPF: return zipf(random, bits);
    case ALTERNATING: return (random & ~UINT64_C(255)) | (i / STRETCH % 2 ? 0x18 : 0xE7);
    case IDS: return random & UINT32_MAX;
    case ENTROPY: return random & bench_hash(~i) & bench_hash(i ^ 0x5555555555);
    default: return random;
    }
}

static bool is_real(const bench_data *data)
{
    return data->op.type[0] == 'f';
}

/* The first bit of a number, and all of them. Floating-point numbers are finite. */
static uint64_t sign_of(const bench_data *data) { return UINT64_C(1) << (8 * data->op.in_size[0] - 1); }
static uint64_t all_of(const bench_data *data) { return sign_of(data) | (sign_of(data) - 1); }

uint64_t bench_place_at(const bench_data *data, cl_ulong i)
{
    const uint64_t bits = bench_load(data->in[0], i, data->op.in_size[0]), sign = sign_of(data);
    if (is_called(data, "_low8"))
        return bits & 255;
    if (is_real(data))
        return bits & sign ? ~bits & all_of(data) : bits | sign;
    return data->op.type[0] == 'i' ? bits ^ sign : bits;
}

static uint64_t number_at(const bench_data *data, bench_place at)
{
    const uint64_t place = at.place, sign = sign_of(data);
    if (is_real(data))
        return place & sign ? place ^ sign : ~place & all_of(data);
    if (is_called(data, "_low8")) /* a place does not tell the number */
        return bench_load(data->in[0], at.index, data->op.in_size[0]);
    return data->op.type[0] == 'i' ? place ^ sign : place;
}

/* A bit of the exponent is left out, so that there is no NaN. */
static void fill_keys(void *state, cl_ulong first, cl_ulong last)
{
    const bench_data *data = state;
    const unsigned size = data->op.in_size[0], fraction = size == 2 ? 10 : size == 4 ? 23 : 52;
    const uint64_t finite = is_real(data) ? ~(UINT64_C(1) << (8 * size - 3)) : ~UINT64_C(0);
    const uint64_t apart = size < 8 ? (UINT64_C(1) << 8 * size) / data->limit : UINT64_C(1) << 32;
    const enum kind kind = kind_of(data);
    for (cl_ulong i = first; i < last; ++i) {
        uint64_t bits = key_bits(kind, i, data->limit, 8 * size, apart ? apart : 1) & finite;
        if (is_real(data) && bits << (65 - 8 * size) >> (65 - 8 * size + fraction) == 0)
            bits |= UINT64_C(1) << fraction; /* no zero (−0 is +0), and no denormal, which devices may take for one */
        bench_store(data->in[0], i, size, bits);
        if (data->op.inputs > 1)
            bench_store(data->in[1], i, 4, i);
    }
}

void bench_open_keys(bench_data *data)
{
    bench_parallel(data->limit, fill_keys, data);
    for (unsigned f = 0; f < data->op.inputs; ++f)
        bench_write(data->session->queue, data->in_array[f].buffer, data->in[f], data->limit * data->op.in_size[f]);
}

/* ---- Operators -------------------------------------------------------------------------------------------------- */

bool bench_find_pairs(const char *op, const char *type, bench_operator *found)
{
    if (!bench_find_operator(op, type, found))
        return false;
    found->inputs = found->outputs = 2;
    found->in_size[1] = found->out_size[1] = 4;
    return true;
}

void bench_define_keys(bench_definition *d)
{
    (void)d;
}

void bench_define_pairs(bench_definition *d)
{
    snprintf(d->fields, sizeof d->fields, "%s uint place;", d->of->value);
    d->op.value = d->fields;
}

void bench_define_ordered(bench_definition *d)
{
    d->op.less = "below";
    d->op.source = "bool below(clf_input a, clf_input b) { return a.v < b.v; }";
}

/* ---- What is right --------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const bench_place *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

void bench_sort_places(bench_place *list, cl_ulong n)
{
    qsort(list, n, sizeof *list, compare);
}

void bench_expect_places(bench_data *data, const bench_place *list, cl_ulong n, cl_ulong to)
{
    for (cl_ulong i = 0; i < n; ++i) {
        bench_store(data->expected[0], to + i, data->op.in_size[0], number_at(data, list[i]));
        if (data->op.outputs > 1)
            bench_store(data->expected[1], to + i, 4, list[i].index);
    }
}

bench_place *bench_alloc_places(cl_ulong n)
{
    bench_place *const list = malloc((n + 1) * sizeof *list);
    if (!list)
        bench_die("out of memory");
    return list;
}
