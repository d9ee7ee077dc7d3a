/* SPDX-License-Identifier: MIT */
/*
 * explore: clf_context_tune. From what a plan has, each parameter of an engine that is worth a search is moved up and
 * down, and whatever is faster is where the search goes on: a hill is climbed, until nothing around is faster, or time
 * is up. Each candidate is checked first, and timed in turns with the best so far, so that both have the same minutes.
 */
#include "explore/trial.h"

#include <stdlib.h>
#include <string.h>

enum { AXES = 6, TRIES = 256, ROUNDS = 3 };
static const double worth_moving = 0.97; /* of the best's time; noise is no reason */
static const double veto = 1.03;         /* on no shape slower than that */
static const double hopeless = 1.5;

typedef struct shape {
    clf_rows timed, checked;
    cl_uint calls; /* that take long enough to be timed */
    void *expected[2 * CLF_MAX_FIELDS];
} shape;

typedef struct exploration {
    const clf_plan *plan;
    clf_trial trial;
    double deadline;
    cl_uint count;
    shape shape[CLF_TUNED_SIZES];
    clf_text lines; /* of a profile */
} exploration;

/* One engine's search. */
typedef struct climb {
    exploration *e;
    cl_uint role, axes, tries;
    double deadline;
    clf_engine *best; /* the plan's own, or ours */
    const clf_known_parameter *axis[AXES];
    cl_uint tried[TRIES][AXES];
} climb;

/* ---- Shapes -------------------------------------------------------------------------------------------- */

static clf_engine *chosen(const clf_plan *plan, clf_rows rows)
{
    return plan->primitive->choose(plan, &(clf_task){.batch = 1, .count = rows.count, .size = rows.size});
}

/* Does the plan's engine of this role take the shape? */
static bool takes(const clf_plan *plan, cl_uint role, const shape *s)
{
    return plan->engine[role] && chosen(plan, s->timed) == plan->engine[role];
}

static clf_rows rows_of(cl_ulong n, cl_uint size)
{
    const bool all = size == 0 || size >= n;
    return all ? (clf_rows){1, n} : (clf_rows){((n / size) - 1) | 1, size}; /* odd numbers of odd sizes */
}

/* Checks cost more than calls: fewer elements will do, if the same engine takes them. */
static void open_shape(const exploration *e, cl_uint size, shape *s)
{
    enum { CHECKED = (1 << 20) - 1 };
    const cl_ulong n = e->trial.n;
    s->timed = rows_of(n, size);
    s->checked = rows_of(n < CHECKED ? n : CHECKED, size);
    if (chosen(e->plan, s->checked) != chosen(e->plan, s->timed))
        s->checked = s->timed;
}

static cl_uint calls_for(double seconds)
{
    const double enough = 0.002;
    return seconds * 100 < enough ? 100 : seconds < enough ? (cl_uint)(enough / seconds) + 1 : 1;
}

/* What the plan itself makes of the shape, and how long that takes, warmed up. */
static clf_status measure_shape(exploration *e, shape *s)
{
    double seconds;
    CLF_TRY(clf_trial_expect(&e->trial, s->checked, s->expected));
    CLF_TRY(clf_trial_time(&e->trial, s->timed, 1, &seconds));
    CLF_TRY(clf_trial_time(&e->trial, s->timed, 1, &seconds));
    s->calls = calls_for(seconds);
    return CLF_SUCCESS;
}

/* Devices that are slow get fewer elements: some dozens of calls are to be had in the time. */
static clf_status fit_elements(exploration *e, double seconds)
{
    enum { LEAST = 1 << 16, CALLS = 40 };
    const cl_uint only = clf_parameter_get(&e->plan->engine[0]->parameters, "size", 0);
    for (double one;; e->trial.n = (e->trial.n / 4) | 1) {
        const clf_rows rows = rows_of(e->trial.n, only ? only : e->plan->primitive->tuned->size[0]);
        clf_status status = clf_trial_time(&e->trial, rows, 1, &one); /* compiles, perhaps */
        if (status == CLF_SUCCESS)
            status = clf_trial_time(&e->trial, rows, 1, &one);
        if (status != CLF_SUCCESS)
            return status == CLF_E_UNSUPPORTED ? CLF_SUCCESS : status; /* other shapes may do */
        if (one * CALLS <= seconds || e->trial.n <= LEAST)
            return CLF_SUCCESS;
    }
}

/* A plan for one size of segments takes that alone, and a variant asked for by name may refuse some. */
static clf_status open_shapes(exploration *e)
{
    const cl_uint only = clf_parameter_get(&e->plan->engine[0]->parameters, "size", 0);
    const clf_tuned_call *const tuned = e->plan->primitive->tuned;
    clf_status refused = CLF_SUCCESS;
    for (cl_uint i = 0; i < (only ? 1 : tuned->size_count); ++i) {
        shape *const s = &e->shape[e->count++];
        open_shape(e, only ? only : tuned->size[i], s);
        const clf_status status = measure_shape(e, s);
        if (status == CLF_E_UNSUPPORTED) {
            refused = status;
            --e->count;
        } else if (status != CLF_SUCCESS) {
            return status;
        }
    }
    return e->count ? CLF_SUCCESS : refused;
}

static void close_exploration(exploration *e)
{
    for (size_t i = 0; i < CLF_TUNED_SIZES; ++i)
        for (size_t o = 0; o < CLF_COUNT(e->shape[i].expected); ++o)
            free(e->shape[i].expected[o]);
    clf_text_free(&e->lines);
    clf_trial_close(&e->trial);
}

/* ---- Candidates ---------------------------------------------------------------------------------------- */

static bool is_late(double deadline)
{
    return clf_seconds() > deadline;
}

/* All that the engine was given, and may be asked for. */
static clf_parameters all_of(const clf_engine *engine)
{
    clf_parameters list = {0};
    for (cl_uint i = 0; i < engine->parameters.count; ++i) {
        const clf_parameter *const p = &engine->parameters.item[i];
        if (clf_parameter_known(p->name) && clf_variant_takes(engine->primitive, engine->variant, p->name))
            clf_parameter_set(&list, p->name, p->value);
    }
    return list;
}

/* In place of the best; NULL where there is no such engine, or it is wrong. */
static clf_engine *make_candidate(const climb *c, const clf_parameters *asked)
{
    exploration *const e = c->e;
    clf_plan *const plan = &e->trial.plan;
    plan->engine[c->role] = NULL;
    bool right = clf_engine_create(plan, c->role, c->best->variant, asked, NULL) == CLF_SUCCESS &&
                 clf_engine_compile(plan->engine[c->role], NULL) == CLF_SUCCESS;
    clf_engine *const candidate = plan->engine[c->role];
    for (cl_uint i = 0; i < e->count && right; ++i) {
        const shape *const s = &e->shape[i];
        right = !takes(e->plan, c->role, s) || (takes(plan, c->role, s) && chosen(plan, s->checked) == candidate &&
                                                clf_trial_is_right(&e->trial, s->checked, s->expected));
    }
    plan->engine[c->role] = c->best;
    if (!right)
        clf_engine_free(candidate);
    return right ? candidate : NULL;
}

/* The candidate's time by the best's; a large number if a call fails. */
static double ratio_of(const climb *c, clf_engine *candidate, const shape *s)
{
    clf_trial *const t = &c->e->trial;
    double least[2] = {1e9, 1e9};
    for (int round = 0; round < ROUNDS; ++round) {
        for (int which = 0; which < 2; ++which) {
            t->plan.engine[c->role] = which ? candidate : c->best;
            double seconds = 0;
            if (clf_trial_time(t, s->timed, s->calls, &seconds) != CLF_SUCCESS)
                least[1] = 1e18;
            else if (seconds < least[which])
                least[which] = seconds;
        }
        if (least[1] > hopeless * least[0] || is_late(c->deadline))
            break;
    }
    t->plan.engine[c->role] = c->best;
    return least[1] / least[0];
}

/* On all shapes together by so much, and on none slower. */
static bool is_faster(const climb *c, clf_engine *candidate, double by)
{
    double product = 1, most = 1;
    for (const shape *s = c->e->shape; s < c->e->shape + c->e->count; ++s) {
        if (!takes(c->e->plan, c->role, s))
            continue;
        const double ratio = ratio_of(c, candidate, s);
        if (ratio > veto)
            return false;
        product *= ratio;
        most *= by;
    }
    return product < most;
}

/* ---- The climb ----------------------------------------------------------------------------------------- */

static cl_uint value_of(const clf_parameters *list, const clf_known_parameter *axis)
{
    return clf_parameter_get(list, axis->name, 0);
}

/* Notes the point; false if it was there before, or there is no room to know. */
static bool is_new(climb *c, const clf_parameters *point)
{
    cl_uint values[AXES] = {0};
    for (cl_uint a = 0; a < c->axes; ++a)
        values[a] = value_of(point, c->axis[a]);
    for (cl_uint i = 0; i < c->tries; ++i)
        if (memcmp(c->tried[i], values, sizeof values) == 0)
            return false;
    if (c->tries == TRIES)
        return false;
    memcpy(c->tried[c->tries++], values, sizeof values);
    return true;
}

/* Twice, half, and of few elements also so many more or less that they take 16 bytes; or every other value. */
static cl_uint neighbours(const climb *c, const clf_known_parameter *axis, cl_uint value, cl_uint next[4])
{
    const cl_uint bytes = clf_smallest_field(c->best->op), step = bytes < 16 ? 16 / bytes : 1;
    cl_uint count = 0;
    if (axis->search == CLF_SEARCH_ALL) {
        for (cl_uint v = axis->least; v <= axis->most && count < 4; ++v)
            if (v != value)
                next[count++] = v;
        return count;
    }
    if (value <= axis->most / 2)
        next[count++] = value ? 2 * value : 1;
    if (value > axis->least)
        next[count++] = value / 2 > axis->least ? value / 2 : axis->least;
    if (strcmp(axis->name, "items") == 0 && value <= 256) {
        next[count++] = value + step;
        if (value > step)
            next[count++] = value - step;
    }
    return count;
}

static bool try_point(climb *c, const clf_parameters *point)
{
    clf_engine *const candidate = make_candidate(c, point);
    if (!candidate)
        return false;
    /* The luckiest of many measurements is not the best: twice, then. */
    const bool faster = is_faster(c, candidate, worth_moving) && is_faster(c, candidate, 1);
    clf_engine *const other = faster ? c->best : candidate;
    if (faster)
        c->e->trial.plan.engine[c->role] = c->best = candidate;
    if (other != c->e->plan->engine[c->role])
        clf_engine_free(other);
    return faster;
}

/* One step along an axis, as long as it is uphill; has it moved at all? */
static bool move_along(climb *c, const clf_known_parameter *axis)
{
    bool moved = false, again = true;
    while (again) {
        cl_uint next[4];
        const clf_parameters here = all_of(c->best);
        const cl_uint count = neighbours(c, axis, value_of(&here, axis), next);
        again = false;
        for (cl_uint i = 0; i < count && !again && !is_late(c->deadline); ++i) {
            clf_parameters point = here;
            clf_parameter_set(&point, axis->name, next[i]);
            if (clf_parameter_check(axis->name, next[i], NULL) == CLF_SUCCESS && is_new(c, &point))
                again = try_point(c, &point);
        }
        moved = moved || again;
    }
    return moved;
}

/* Those of the engine's parameters that are worth a search. */
static void find_axes(climb *c)
{
    const clf_parameters all = all_of(c->best);
    for (cl_uint i = 0; i < all.count; ++i) {
        const clf_known_parameter *const known = clf_parameter_known(all.item[i].name);
        if (known->search != CLF_SEARCH_NONE && c->axes < AXES)
            c->axis[c->axes++] = known;
    }
    is_new(c, &all);
}

/* What was found, as lines; and what was asked of the plan, if that is the best: others do not have it yet. */
static void write_lines(const climb *c)
{
    char type_class[16];
    const clf_parameters *const list = &c->best->parameters;
    bool asked = c->best != c->e->plan->engine[c->role];
    for (cl_uint i = 0; i < list->count; ++i)
        asked = asked || (list->item[i].origin.source && strcmp(list->item[i].origin.source, "plan") == 0);
    clf_engine_class(c->best, type_class);
    for (cl_uint a = 0; a < c->axes && asked; ++a)
        clf_text_format(&c->e->lines, "%s.%s.%s.%s = %u\n", c->best->primitive->name, type_class,
                        c->best->variant->name, c->axis[a]->name, value_of(list, c->axis[a]));
}

static void climb_role(exploration *e, cl_uint role, double deadline)
{
    climb c = {.e = e, .role = role, .deadline = deadline, .best = e->plan->engine[role]};
    find_axes(&c);
    for (bool moved = true; moved;) {
        moved = false;
        for (cl_uint a = 0; a < c.axes && !is_late(deadline); ++a)
            moved = move_along(&c, c.axis[a]) || moved;
    }
    write_lines(&c);
    if (c.best != e->plan->engine[role])
        clf_engine_free(c.best);
    e->trial.plan.engine[role] = e->plan->engine[role];
}

/* ---- All of it ----------------------------------------------------------------------------------------- */

/* Does the role take one of the shapes? */
static bool has_shape(const exploration *e, cl_uint role)
{
    bool has = false;
    for (cl_uint i = 0; i < e->count; ++i)
        has = has || takes(e->plan, role, &e->shape[i]);
    return has;
}

static void climb_roles(exploration *e)
{
    cl_uint left = 0;
    for (cl_uint role = 0; role < CLF_MAX_ROLES; ++role)
        left += has_shape(e, role);
    for (cl_uint role = 0; role < CLF_MAX_ROLES; ++role) {
        const double now = clf_seconds();
        if (has_shape(e, role))
            climb_role(e, role, now + (e->deadline - now) / left--);
    }
}

static clf_status explore(clf_context *context, const clf_plan *plan, cl_uint milliseconds, clf_error *error)
{
    exploration e = {.plan = plan, .deadline = clf_seconds() + milliseconds * 1e-3};
    clf_status status = clf_trial_open(&e.trial, plan, milliseconds);
    if (status == CLF_SUCCESS)
        status = fit_elements(&e, milliseconds * 1e-3);
    if (status == CLF_SUCCESS)
        status = open_shapes(&e);
    if (status != CLF_SUCCESS)
        clf_fail(error, status, "the plan cannot be called to be tuned: %s", clf_status_text(status));
    else
        climb_roles(&e);
    if (status == CLF_SUCCESS && e.lines.failed)
        status = clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    if (status == CLF_SUCCESS && e.lines.length)
        status = clf_profile_learn(&context->profile, e.lines.data, error);
    close_exploration(&e);
    return status;
}

clf_status clf_context_tune(clf_context *context, const clf_plan *plan, cl_uint milliseconds, clf_error *error)
{
    CLF_TRY(clf_error_reset(error));
    if (!context || !plan)
        return clf_fail(error, CLF_E_ARGUMENT, "context and plan must not be NULL");
    if (plan->context != context)
        return clf_fail(error, CLF_E_CONTEXT, "the plan is of another context");
    if (!plan->primitive->tuned || plan->op.wanted || plan->op.place)
        return clf_fail(error, CLF_E_UNSUPPORTED, "plans of %s%s%s are not tuned", plan->primitive->name,
                        plan->op.wanted ? " with clf_plan_options.wanted" : "",
                        plan->op.place ? " with clf_operator.place" : "");
    if (plan->op.captured.count)
        return clf_fail(error, CLF_E_UNSUPPORTED, "nobody knows what the operator's captured arrays may hold");
    return milliseconds ? explore(context, plan, milliseconds, error) : CLF_SUCCESS;
}

clf_status clf_context_profile(const clf_context *context, char *out, size_t bytes, size_t *needed)
{
    if (!context)
        return CLF_E_ARGUMENT;
    clf_text text = {0};
    clf_profile_write_tuned(&context->profile, &context->facts, &text);
    const clf_status status = clf_text_export(&text, out, bytes, needed);
    clf_text_free(&text);
    return status;
}
