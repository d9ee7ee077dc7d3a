/* SPDX-License-Identifier: MIT */
/*
 * In what order points are tried. A search sees nothing but points and what is known of them, so that it goes the same
 * way on a device and in a replay of a log.
 *
 * "local" is a variable neighbourhood search (Mladenović and Hansen 1997) from the model's point: it tries the
 * neighbours of the best point so far, in random order, and goes on from there as soon as one is better. Where none is,
 * it tries their neighbours, and so on, further and further away.
 */
#include "tune/tune.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tune_strategy_names[TUNE_STRATEGIES] = {"exhaustive", "local", "random"};

tune_strategy tune_find_strategy(const char *name)
{
    unsigned s = 0;
    while (s < TUNE_STRATEGIES && strcmp(tune_strategy_names[s], name) != 0)
        ++s;
    return (tune_strategy)s;
}

void tune_search_open(tune_search *search, const tune_space *space, const double *score, tune_strategy strategy,
                      uint64_t seed)
{
    *search = (tune_search){space, score, strategy, bench_alloc(space->count * sizeof(unsigned)), -1};
    for (unsigned i = 0; i < space->count; ++i) {
        const unsigned j = (unsigned)(bench_hash(seed * 1000003 + i) % (i + 1));
        search->order[i] = search->order[j];
        search->order[j] = i;
    }
}

void tune_search_close(tune_search *search)
{
    free(search->order);
}

static bool is_unknown(const tune_search *search, unsigned i)
{
    return search->score[i] < 0;
}

static long next_in_order(const tune_search *search, bool shuffled)
{
    for (unsigned k = 0; k < search->space->count; ++k) {
        const unsigned i = shuffled ? search->order[k] : k;
        if (is_unknown(search, i))
            return (long)i;
    }
    return -1;
}

/* ---- Neighbours -------------------------------------------------------------------------------------------- */

/* The only parameter in which they differ; -1: there are none or several, or variants differ. */
static int only_difference(const tune_point *a, const tune_point *b)
{
    int found = -1;
    if (strcmp(a->variant, b->variant) != 0)
        return -1;
    for (unsigned p = 0; p < a->count; ++p) {
        if (a->value[p] == b->value[p])
            continue;
        if (found >= 0)
            return -1;
        found = (int)p;
    }
    return found;
}

/* Does no third point lie between them, on the line on which they differ? */
static bool is_next(const tune_space *space, const tune_point *a, const tune_point *b, unsigned p)
{
    for (unsigned i = 0; i < space->count; ++i) {
        const tune_point *c = &space->point[i];
        if (c != b && only_difference(a, c) == (int)p && (c->value[p] > a->value[p]) == (b->value[p] > a->value[p]) &&
            (c->value[p] > b->value[p]) != (c->value[p] > a->value[p]))
            return false;
    }
    return true;
}

/* How far apart the parameters are that both have. */
static double distance(const tune_point *a, const tune_point *b)
{
    double sum = 0;
    for (unsigned p = 0; p < a->count; ++p)
        for (unsigned q = 0; q < b->count; ++q)
            if (strcmp(a->name[p], b->name[q]) == 0)
                sum += fabs(log2((a->value[p] + 1.0) / (b->value[q] + 1.0)));
    return sum;
}

/* Of another variant, the point that is the most alike; the first of equals. */
static void link_twins(tune_space *space, unsigned i)
{
    for (unsigned j = 0; j < space->count; ++j) {
        const char *variant = space->point[j].variant;
        unsigned best = j;
        if (strcmp(variant, space->point[i].variant) == 0 || (j && strcmp(variant, space->point[j - 1].variant) == 0))
            continue; /* once for each run of points of a variant */
        for (unsigned k = j; k < space->count && strcmp(space->point[k].variant, variant) == 0; ++k)
            if (distance(&space->point[i], &space->point[k]) < distance(&space->point[i], &space->point[best]))
                best = k;
        space->near[i * space->count + best] = true;
    }
}

void tune_link(tune_space *space)
{
    space->near = bench_alloc((size_t)space->count * space->count * sizeof *space->near);
    memset(space->near, 0, (size_t)space->count * space->count * sizeof *space->near);
    for (unsigned i = 0; i < space->count; ++i) {
        for (unsigned j = 0; j < space->count; ++j) {
            const int p = only_difference(&space->point[i], &space->point[j]);
            space->near[i * space->count + j] = p >= 0 &&
                                                is_next(space, &space->point[i], &space->point[j], (unsigned)p);
        }
        link_twins(space, i);
    }
}

/* ---- Local search ------------------------------------------------------------------------------------------ */

/* By how much a point has to be better, for times are not exact. */
static const double worth_moving = 0.995;

/* Adds the neighbours of all points that are `steps` away from the centre as those one step further away. */
static bool widen(const tune_space *space, unsigned *away, unsigned steps)
{
    bool wider = false;
    for (unsigned i = 0; i < space->count; ++i)
        for (unsigned j = 0; away[i] == steps && j < space->count; ++j)
            if (away[j] == UINT_MAX && space->near[(size_t)i * space->count + j]) {
                away[j] = steps + 1;
                wider = true;
            }
    return wider;
}

/* The unknown point that is the fewest steps away from the centre, the first of these in random order; or -1. */
static long nearest_unknown(const tune_search *search)
{
    const tune_space *const space = search->space;
    unsigned *away = bench_alloc(space->count * sizeof *away);
    long found = -1;
    for (unsigned i = 0; i < space->count; ++i)
        away[i] = i == (unsigned)search->centre ? 0 : UINT_MAX;
    for (unsigned steps = 0; found < 0 && widen(space, away, steps); ++steps)
        for (unsigned k = 0; found < 0 && k < space->count; ++k)
            if (away[search->order[k]] == steps + 1 && is_unknown(search, search->order[k]))
                found = (long)search->order[k];
    free(away);
    return found >= 0 ? found : next_in_order(search, true);
}

static long next_local(tune_search *search)
{
    if (search->centre < 0)
        search->centre = (long)search->space->start;
    if (is_unknown(search, (unsigned)search->centre))
        return search->centre;
    for (unsigned i = 0; i < search->space->count; ++i)
        if (!is_unknown(search, i) && search->score[i] < search->score[search->centre] * worth_moving)
            search->centre = (long)i;
    return nearest_unknown(search);
}

long tune_next(tune_search *search)
{
    if (search->space->count == 0)
        return -1;
    return search->strategy == TUNE_LOCAL ? next_local(search) : next_in_order(search, search->strategy == TUNE_RANDOM);
}

unsigned tune_preview(const tune_search *search, unsigned point, unsigned most, unsigned *next)
{
    const unsigned points = search->space->count;
    double *score = bench_alloc(points * sizeof *score);
    tune_search copy = *search;
    unsigned count = 0;
    memcpy(score, search->score, points * sizeof *score);
    copy.score = score;
    score[point] = INFINITY;
    for (long i; count < most && (i = tune_next(&copy)) >= 0; ++count) {
        next[count] = (unsigned)i;
        score[i] = INFINITY;
    }
    free(score);
    return count;
}
