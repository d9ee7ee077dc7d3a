/* SPDX-License-Identifier: MIT */
/*
 * Plans compiled ahead: while the child times one point, threads make the plans of those that come next. Each point has
 * a thread of its own, so that one that the driver does not get done with is waited for by nobody who does not want it.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "tune/tune.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { SLOTS = 2 * TUNE_AHEAD, STACK = 8 << 20 }; /* compilers recurse */

typedef struct slot {
    tune_job job;
    tune_plans plans;
    pthread_t thread;
    bool used;
    atomic_bool done;
    unsigned told; /* when it was last */
} slot;
static slot slots[SLOTS]; /* of the main thread, but for `plans` until `done` */
static unsigned now;

/* ---- Plans ------------------------------------------------------------------------------------------------- */

static clf_status make_plan(const tune_job *job, const clf_operator *op, clf_plan **plan, clf_error *error)
{
    const bool chosen = strcmp(job->variant, "auto") == 0 || strcmp(job->variant, TUNE_CHOSEN) == 0;
    const clf_plan_options options = {.size = sizeof options, .variant = chosen ? NULL : job->variant,
                                      .parameters = job->define};
    return bench_make_plan(job->primitive, job->context, op, &options, plan, error);
}

void tune_make_plans(const tune_job *job, tune_plans *plans)
{
    clf_error error = {.size = sizeof error};
    *plans = (tune_plans){.timed = NULL};
    const double begin = bench_seconds();
    plans->status = make_plan(job, job->op, &plans->timed, &error);
    plans->build_s = bench_seconds() - begin;
    if (job->last == job->op)
        plans->checked = plans->timed;
    else if (plans->status == CLF_SUCCESS)
        plans->status = make_plan(job, job->last, &plans->checked, &error);
    if (plans->status != CLF_SUCCESS)
        snprintf(plans->why, sizeof plans->why, "%s%.160s", plans->timed ? "what it is verified with: " : "",
                 error.message[0] ? error.message : clf_status_text(plans->status));
}

void tune_release_plans(tune_plans *plans)
{
    if (plans->checked && plans->checked != plans->timed)
        clf_plan_release(plans->checked);
    if (plans->timed)
        clf_plan_release(plans->timed);
    *plans = (tune_plans){.timed = NULL};
}

/* ---- Threads ----------------------------------------------------------------------------------------------- */

static void *run(void *argument)
{
    slot *s = argument;
    tune_make_plans(&s->job, &s->plans);
    if (s->plans.status == CLF_SUCCESS) { /* what it says the calls will say, if they need that at all */
        clf_plan_compile(s->plans.timed, NULL);
        clf_plan_compile(s->plans.checked, NULL);
    }
    atomic_store(&s->done, true);
    return NULL;
}

static slot *find(const char *variant, const char *define)
{
    for (unsigned i = 0; i < SLOTS; ++i)
        if (slots[i].used && strcmp(slots[i].job.variant, variant) == 0 && strcmp(slots[i].job.define, define) == 0)
            return &slots[i];
    return NULL;
}

/* Waits for it. */
static void empty(slot *s)
{
    if (!s->used)
        return;
    pthread_join(s->thread, NULL);
    tune_release_plans(&s->plans);
    s->used = false;
}

static unsigned under_way(void)
{
    unsigned count = 0;
    for (unsigned i = 0; i < SLOTS; ++i)
        count += slots[i].used && !atomic_load(&slots[i].done);
    return count;
}

/* An empty one, else the one whose plans nobody has spoken of for the longest time; NULL: all are under way. */
static slot *make_room(void)
{
    slot *oldest = NULL;
    for (unsigned i = 0; i < SLOTS; ++i) {
        if (!slots[i].used)
            return &slots[i];
        if (atomic_load(&slots[i].done) && (!oldest || slots[i].told < oldest->told))
            oldest = &slots[i];
    }
    if (oldest)
        empty(oldest);
    return oldest;
}

void tune_ahead_begin(const tune_job *job, unsigned threads)
{
    pthread_attr_t attributes;
    slot *s = find(job->variant, job->define);
    ++now;
    if (s)
        s->told = now;
    if (s || under_way() >= threads || !(s = make_room()))
        return;
    s->job = *job;
    s->told = now;
    atomic_store(&s->done, false);
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, STACK);
    s->used = pthread_create(&s->thread, &attributes, run, s) == 0;
    pthread_attr_destroy(&attributes);
}

bool tune_ahead_take(const char *variant, const char *define, tune_plans *plans)
{
    slot *s = find(variant, define);
    if (!s)
        return false;
    pthread_join(s->thread, NULL);
    *plans = s->plans;
    s->used = false;
    return true;
}

void tune_ahead_clear(void)
{
    for (unsigned i = 0; i < SLOTS; ++i)
        empty(&slots[i]);
}
