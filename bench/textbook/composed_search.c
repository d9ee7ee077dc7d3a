/* SPDX-License-Identifier: MIT */
/*
 * Rows of composed_search: the space of the language, searched by climbing: from a scheme to its fastest neighbour, as
 * long as there is a faster one. Schemes that move the elements 4, 3 and 2 times are searched apart, so that each kind
 * has a best one. A neighbour differs by one step, by the root, the block's size, its padding or the window.
 *
 * The paper's limits: steps by 2, 4 and 8, blocks of 4096 at most, and 32 elements of one work-item.
 */
#include "textbook/composed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 40, BLOCK_MOST = 4096, STEP_MOST = 8, SERIAL_MOST = 32, NEIGHBOURS = 48 };

/* What was measured, and how fast the best of it is. */
typedef struct search {
    bench_data *data;
    bench_shape shape;
    unsigned most, count; /* points */
    char (*seen)[COMPOSED_TEXT];
    composed_scheme best;
    double us;
} search;

static bool is_within(const composed_scheme *s)
{
    char text[COMPOSED_TEXT];
    composed_scheme parsed;
    composed_print(s, text);
    return !composed_parse(text, &parsed) && parsed.se == s->se && s->bs <= BLOCK_MOST &&
           (s->root != COMPOSED_SERIAL || s->se <= SERIAL_MOST);
}

/* Measures a scheme, unless it was. True: it is the fastest so far. */
static bool try(search *s, const composed_scheme *scheme)
{
    composed_ranked it = {.name = NULL};
    composed_print(scheme, it.scheme);
    for (unsigned k = 0; k < s->count; ++k)
        if (strcmp(s->seen[k], it.scheme) == 0)
            return false;
    if (s->count == s->most || !is_within(scheme))
        return false;
    memcpy(s->seen[s->count++], it.scheme, sizeof it.scheme);
    const double us = composed_row(s->data, s->shape, &it);
    if (us >= s->us)
        return false;
    s->us = us;
    s->best = *scheme;
    return true;
}

/* ---- Neighbours -------------------------------------------------------------------------------------------- */

typedef struct neighbours {
    composed_scheme list[NEIGHBOURS];
    unsigned count;
} neighbours;

static void add(neighbours *all, composed_scheme s)
{
    if (composed_group(&s) > 0 && s.window > composed_group(&s))
        s.window = composed_group(&s);
    if (all->count < NEIGHBOURS)
        all->list[all->count++] = s;
}

/* A step's factor, twice or half as much; what is left for the root follows. */
static void add_steps(neighbours *all, const composed_scheme *s)
{
    for (unsigned k = 0; k < s->count; ++k) {
        composed_scheme more = *s, less = *s;
        more.step[k] *= 2;
        more.se /= 2;
        if (more.step[k] <= STEP_MOST && more.se >= 1)
            add(all, more);
        less.step[k] /= 2;
        less.se *= 2;
        if (less.step[k] > 1)
            add(all, less);
    }
    composed_scheme one_more = *s, one_less = *s;
    if (s->count < COMPOSED_STEPS && s->se > 1) {
        one_more.step[one_more.count++] = 2;
        one_more.se /= 2;
        add(all, one_more);
    }
    if (s->count > 0) {
        one_less.se *= one_less.step[--one_less.count];
        add(all, one_less);
    }
}

static void add_blocks(neighbours *all, const composed_scheme *s)
{
    for (int larger = 0; larger < 2; ++larger) { /* with what the root has, or with one more step */
        composed_scheme root = *s, step = *s;
        root.bs = larger ? s->bs * 2 : s->bs / 2;
        root.se = larger ? s->se * 2 : s->se / 2;
        if (root.se >= 1)
            add(all, root);
        step.bs = root.bs;
        if (larger && s->count < COMPOSED_STEPS)
            step.step[step.count++] = 2;
        else if (!larger && s->count > 0 && s->step[s->count - 1] == 2)
            --step.count;
        else
            continue;
        add(all, step);
    }
}

static void find_neighbours(neighbours *all, const composed_scheme *s)
{
    static const unsigned windows[] = {1, 4, 32};
    all->count = 0;
    add_blocks(all, s);
    add_steps(all, s);
    for (int root = 0; root <= COMPOSED_SKLANSKY; ++root) {
        composed_scheme other = *s;
        other.root = (composed_root)root;
        add(all, other);
    }
    composed_scheme padded = *s;
    padded.padded = !s->padded;
    add(all, padded);
    for (unsigned w = 0; w < sizeof windows / sizeof windows[0] && s->window; ++w) {
        composed_scheme other = *s;
        other.window = windows[w];
        add(all, other);
    }
}

/* ---- Climbing ---------------------------------------------------------------------------------------------- */

static void climb(search *s, const char *start)
{
    neighbours all;
    composed_scheme from;
    const char *wrong = composed_parse(start, &from);
    if (wrong)
        bench_die("composed_search: %s", wrong);
    for (bool better = try(s, &from); better;) {
        better = false;
        find_neighbours(&all, &s->best);
        for (unsigned k = 0; k < all.count; ++k)
            better = try(s, &all.list[k]) || better;
    }
}

/* "points=40": how many of each kind are measured at most. */
static unsigned points_of(const char *define)
{
    unsigned points = POINTS;
    int length = 0;
    if (*define && (sscanf(define, "points=%u%n", &points, &length) != 1 || define[length]))
        bench_die("composed_search: \"%s\" is not like points=40", define);
    return points;
}

void composed_search(bench_data *data, const bench_shapes *shapes)
{
    static const char *const starts[] = {"blocks 256 | step 8 | step 2 | serial | propagate",
                                         "blocks 256 | step 8 | step 2 | serial | reduce",
                                         "blocks 1024 | step 8 | step 4 | sklansky | lookback"};
    const unsigned most = points_of(data->session->options.defines.word[0]);
    for (unsigned i = 0; i < shapes->count; ++i)
        for (unsigned k = 0; k < sizeof starts / sizeof starts[0]; ++k) {
            search s = {.data = data, .shape = shapes->shape[i], .most = most, .us = INFINITY};
            char best[COMPOSED_TEXT];
            s.seen = bench_alloc(most * sizeof *s.seen);
            climb(&s, starts[k]);
            composed_print(&s.best, best);
            if (isfinite(s.us))
                bench_note("the fastest of %u: %s", s.count, best);
            free(s.seen);
        }
}
