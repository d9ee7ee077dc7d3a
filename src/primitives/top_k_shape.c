/* SPDX-License-Identifier: MIT */
/*
 * top_k_shape: how a top-k of a shape is done (top_k.c), and where its pieces lie in scratch.
 */
#include "primitives/primitives.h"

enum { DIGITS = 256, STATE_WORDS = 4, HEAD_WORDS = 3 /* cl/top_k/work.cl */ };

cl_uint clf_top_k_warps(const clf_facts *facts, cl_uint group)
{
    return group > 1 ? group / facts->lane_width : 1;
}

cl_uint clf_top_k_unit(const clf_facts *facts, cl_uint group)
{
    return facts->lane_width > 1 && group > 1 ? facts->lane_width : group;
}

/* ---- Which way --------------------------------------------------------------------------------------- */

bool clf_top_k_is_cpu(const clf_plan *plan)
{
    return clf_engine_is_cpu(plan->engine[0]);
}

/* The most elements that no sample is taken of, and of those, the most that one group is enough for. */
static cl_ulong limit_of(const clf_plan *plan)
{
    return clf_parameter_get(&plan->engine[0]->parameters, "limit", clf_top_k_is_cpu(plan) ? 1 << 15 : 1 << 22);
}

static cl_ulong most_of_group(const clf_plan *plan)
{
    const cl_ulong limit = limit_of(plan), most = 8192;
    return limit < most ? limit : most;
}

/* So many rows keep the device busy by themselves. */
static cl_ulong enough_rows(const clf_plan *plan)
{
    return (clf_top_k_is_cpu(plan) ? 2ul : 4ul) * plan->context->facts.units;
}

static cl_uint groups_of(const clf_plan *plan)
{
    return clf_parameter_get(&plan->engine[0]->parameters, "groups",
                             (clf_top_k_is_cpu(plan) ? 1 : 8) * plan->context->facts.units);
}

static cl_uint sample_of(const clf_plan *plan)
{
    const cl_uint each = clf_top_k_is_cpu(plan) ? 2048 : clf_type_size(plan->op.key_type) > 4 ? 16 : 32;
    return plan->engine[0]->group * each;
}

static cl_ulong root(cl_ulong x)
{
    cl_ulong r = 0;
    while ((r + 1) * (r + 1) <= x)
        ++r;
    return r;
}

/* Room for what a sample's threshold lets pass, with which the device is as generous (cl/top_k/sample.cl). */
static cl_ulong room_for(const clf_plan *plan, cl_ulong size, cl_ulong results)
{
    const cl_ulong sample = sample_of(plan), each = clf_ceiling(size, sample), rank = results / each + 1;
    const cl_ulong wanted = rank + 4 * root(rank) + 8, most = wanted + 4 * root(wanted) + 8;
    return most < sample ? most * each : size;
}

enum { FEW = 8 /* one of so many elements, at most, is collected */, RANKED_SIZE = 32 };

static bool is_short(const clf_plan *plan, const clf_top_k_shape *s)
{
    const clf_facts *const facts = &plan->context->facts;
    const cl_ulong each = (clf_type_size(plan->op.key_type) > 4 ? 16ul : 32ul) / (facts->lane_width > 1 ? 1 : 2);
    if (clf_top_k_is_cpu(plan))
        return s->results <= 64 && (s->count >= enough_rows(plan) || s->size <= most_of_group(plan));
    return s->results <= 32 && s->size <= clf_top_k_unit(facts, plan->engine[0]->group) * each;
}

/* Counting takes time with the square of results, a sort many launches. */
static bool is_counted(const clf_plan *plan, const clf_top_k_shape *s, bool from_device)
{
    if (plan->flags & CLF_UNSORTED)
        return false;
    const cl_uint most = clf_top_k_is_cpu(plan) ? 512 : s->count > 1 ? 16384 : 4096;
    return (from_device && s->count > 1) ||
           s->results <= clf_parameter_get(&plan->engine[0]->parameters, "counted", most);
}

clf_top_k_shape clf_top_k_shape_of(const clf_plan *plan, cl_ulong count, cl_ulong size, cl_ulong k, bool from_device)
{
    clf_top_k_shape s = {.count = count, .size = size, .results = k < size ? k : size, .chunks = 1};
    if (!clf_top_k_is_cpu(plan) && size <= RANKED_SIZE && !(plan->flags & CLF_UNSORTED)) {
        s.way = CLF_TOP_BY_RANK;
        return s;
    }
    s.way = is_short(plan, &s) ? CLF_TOP_BY_SHORT
            : size <= most_of_group(plan) || count >= enough_rows(plan) ? CLF_TOP_BY_ROW : CLF_TOP_BY_STEPS;
    if (s.way == CLF_TOP_BY_SHORT)
        return s;
    s.counted = is_counted(plan, &s, from_device);
    s.sorted = !s.counted && !(plan->flags & CLF_UNSORTED);
    if (s.way == CLF_TOP_BY_ROW)
        return s;
    const cl_uint chunks = groups_of(plan) / (cl_uint)count;
    s.chunks = chunks ? chunks : 1;
    s.sampled = count == 1 && size > limit_of(plan) && s.results <= size / FEW;
    s.room = s.sampled ? room_for(plan, size, s.results) : 0;
    return s;
}

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/* Of `rows` rows in steps by `groups` groups together; candidates and results. */
static clf_top_k_layout layout_for(const clf_plan *plan, cl_ulong rows, cl_ulong groups, cl_ulong candidates,
                                   cl_ulong results)
{
    const cl_ulong passes = clf_type_size(plan->op.key_type);
    const cl_ulong parts = groups * 2 * (clf_top_k_warps(&plan->context->facts, plan->engine[0]->group) + 1ul);
    clf_top_k_layout l = {.counters = clf_scratch_round((HEAD_WORDS + rows * passes * STATE_WORDS) * sizeof(cl_ulong))};
    l.cleared = l.counters + rows * passes * 2 * DIGITS * sizeof(cl_uint);
    l.candidates = l.cleared + parts * sizeof(cl_ulong);
    l.results = l.candidates + clf_values_bytes(&plan->op.value, candidates);
    l.all = clf_scratch_round(l.results + clf_values_bytes(&plan->op.value, results));
    return l;
}

clf_top_k_layout clf_top_k_layout_of(const clf_plan *plan, const clf_top_k_shape *s)
{
    const cl_ulong rows = s->way == CLF_TOP_BY_STEPS ? s->count : 0;
    return layout_for(plan, rows, rows * s->chunks, s->room, s->counted ? s->count * s->results : 0);
}

/* Enough for any k, and any rows. */
clf_top_k_layout clf_top_k_layout_most(const clf_plan *plan, cl_ulong n)
{
    const cl_ulong most = enough_rows(plan), rows = n / (most_of_group(plan) + 1) + 1;
    const cl_ulong room = n > limit_of(plan) ? room_for(plan, n, n / FEW) : 0, in_steps = rows < most ? rows : most;
    return layout_for(plan, in_steps, in_steps + groups_of(plan), room, n);
}
