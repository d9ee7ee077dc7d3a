/* SPDX-License-Identifier: MIT */
/*
 * top_k_shape: how a top-k of a shape is done (top_k.c).
 */
#include "primitives/primitives.h"

enum { DIGITS = 256, HEAD_WORDS = 3 /* cl/top_k/work.cl */ };

cl_uint clf_top_k_warps(const clf_facts *facts, cl_uint group)
{
    return group > 1 ? group / facts->lane_width : 1;
}

cl_uint clf_top_k_unit(const clf_facts *facts, cl_uint group)
{
    return facts->lane_width > 1 && group > 1 ? facts->lane_width : group;
}

/* cl/top_k/list.cl */
cl_uint clf_top_k_list(const clf_facts *facts, cl_uint group)
{
    const cl_uint unit = clf_top_k_unit(facts, group), step = (128 + unit - 1) / unit;
    return 2 * unit * (step < 16 ? step : 16);
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
    const cl_uint bytes = plan->op.key_bytes;
    const cl_uint each = clf_top_k_is_cpu(plan) ? 2048 : bytes > 8 ? 8 : bytes > 4 ? 16 : 32;
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

enum { LEAD_LANES = 2 /* log2 of the lanes of a row: cl/top_k/lead.cl */ };
enum { FEW = 8 /* one of so many elements, at most, is collected */ };

/* Log2 of the lanes that have a short row in registers (cl/top_k/short.cl). */
static cl_uint lanes_of(cl_ulong size)
{
    enum { EACH = 8 };
    cl_uint lanes = 0;
    while ((cl_ulong)EACH << lanes < size)
        ++lanes;
    return lanes;
}

/* Rows that are sorted as a whole: very short ones; and a little longer ones of which much is wanted. */
static bool is_short(const clf_plan *plan, const clf_top_k_shape *s)
{
    enum { COUNTED = 32 /* elements, without lanes */, SORTED = 128, LONGEST = 256, PART = 3 };
    const cl_uint width = plan->context->facts.lane_width;
    if (clf_top_k_is_cpu(plan))
        return false;
    if (width == 1)
        return s->size <= COUNTED && !(plan->flags & CLF_UNSORTED);
    return (cl_ulong)1 << lanes_of(s->size) <= width &&
           (s->size <= SORTED || (s->size <= LONGEST && s->results > s->size / PART));
}

/*
 * Many rows of keys alone, of which a few lanes keep the first ones in registers (cl/top_k/lead.cl). For 10 of 2^26 f32
 * in rows of 64, 128, 256, 512 an H200 takes 136, 113, 97, 91 us; as short rows 205, 261, or by lists 201, 181. Rows of
 * 32 take 265, as short ones 163; those of 1024 take 89, by lists 83.
 */
static bool is_lead(const clf_plan *plan, const clf_top_k_shape *s)
{
    enum { KEPT = 16, SHORTEST = 33, LONGEST = 512, BUSY = 32 /* times as many rows as lists want */ };
    return !clf_top_k_is_cpu(plan) && plan->context->facts.lane_width > 1 && !(plan->flags & CLF_UNSORTED) &&
           !plan->op.key && plan->op.value.count == 1 && plan->op.key_bytes <= 4 && s->results <= KEPT &&
           s->size >= SHORTEST && s->size <= LONGEST && s->count >= BUSY * enough_rows(plan);
}

/* The most results that a list is for: half of it, and of few_cpu.cl's all. */
cl_uint clf_top_k_most_of_list(const clf_plan *plan)
{
    const cl_uint half = clf_top_k_list(&plan->context->facts, plan->engine[0]->group) / 2;
    const cl_uint most = clf_top_k_is_cpu(plan) ? 64 : half < 128 ? half : 128;
    const cl_uint few = clf_parameter_get(&plan->engine[0]->parameters, "few", most);
    return few < most ? few : most;
}

static bool is_few(const clf_plan *plan, const clf_top_k_shape *s)
{
    if (s->results > clf_top_k_most_of_list(plan))
        return false;
    return !clf_top_k_is_cpu(plan) || s->count >= enough_rows(plan) || s->size <= most_of_group(plan);
}

/*
 * Few rows are cut in parts, so that the device is busy: of no fewer elements than a unit takes a while for, and many
 * times as many as they have results. A part begins at a multiple of `ALIGNED` elements.
 */
clf_top_k_parts clf_top_k_parts_of(const clf_plan *plan, const clf_top_k_shape *s, cl_ulong size)
{
    enum { LEAST = 1024, RESULTS = 16 /* times */, FEWEST = 4 /* parts */, ALIGNED = 64, MOST = 1 << 30 };
    const clf_facts *const facts = &plan->context->facts;
    const cl_ulong busy = facts->units * (facts->lane_width > 1 ? 32ul : 8ul) / s->count;
    const cl_ulong least = s->results * RESULTS > LEAST ? s->results * RESULTS : LEAST, most = size / least;
    const cl_ulong parts = clf_top_k_is_cpu(plan) ? 1 : busy < most ? busy : most;
    cl_ulong each = parts < FEWEST ? size : clf_ceiling(clf_ceiling(size, parts), ALIGNED) * ALIGNED;
    if (each > MOST && !clf_top_k_is_cpu(plan))
        each = MOST;
    const cl_ulong number = clf_ceiling(size, each);
    return (clf_top_k_parts){size, number > 1 ? (cl_uint)each : ~0u, (cl_uint)number};
}

cl_ulong clf_top_k_parts_left(const clf_top_k_shape *s, const clf_top_k_parts *p)
{
    const cl_ulong last = p->size - (p->parts - 1ul) * p->each;
    return (p->parts - 1ul) * s->results + (last < s->results ? last : s->results);
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

/* One row that a group sorts in one launch, of more results than a list has. */
static bool is_sort(const clf_plan *plan, const clf_top_k_shape *s)
{
    const clf_own_steps *const kept = plan->own;
    const clf_plan *const sort = kept ? kept->plan[CLF_TOP_K_FEWEST] : NULL;
    return sort && s->count == 1 && s->size <= most_of_group(plan) && s->size <= clf_few_most(&plan->op) &&
           clf_sort_is_few(sort, s->size) && !is_few(plan, s);
}

/* What parts have goes to and fro between two places. */
static void candidates_of_parts(const clf_plan *plan, clf_top_k_shape *s)
{
    clf_top_k_parts p = clf_top_k_parts_of(plan, s, s->size);
    if (p.parts > 1) {
        s->room = s->count * clf_top_k_parts_left(s, &p);
        p = clf_top_k_parts_of(plan, s, clf_top_k_parts_left(s, &p));
    }
    if (p.parts > 1)
        s->more = s->count * clf_top_k_parts_left(s, &p);
}

/* Enough for any k, and any rows. Parts of rows have a sixteenth of these in all, and there is room for n results. */
static clf_top_k_shape any_shape(const clf_plan *plan, cl_ulong n)
{
    const cl_ulong most = enough_rows(plan), rows = n / (most_of_group(plan) + 1) + 1;
    clf_top_k_shape s = {.count = 1, .size = n, .results = n, .sampled = n > limit_of(plan), .more = n,
                         .sorted = !(plan->flags & CLF_UNSORTED), .rows = clf_least(rows, most)};
    s.room = s.sampled ? room_for(plan, n, n / FEW) : 0;
    s.groups = s.rows + groups_of(plan);
    return s;
}

clf_top_k_shape clf_top_k_shape_of(const clf_plan *plan, const clf_task *task)
{
    const cl_ulong count = task->count, size = task->size;
    const bool from_device = (task->flags & (CLF_ARG_GIVEN_SIZE | CLF_ARG_GIVEN_COUNT)) != 0;
    clf_top_k_shape s = {.count = count, .size = size, .results = clf_least(task->most, size), .chunks = 1};
    if (task->any)
        return any_shape(plan, size);
    s.way = is_lead(plan, &s)                                           ? CLF_TOP_BY_LEAD
            : is_short(plan, &s)                                        ? CLF_TOP_BY_SHORT
            : is_sort(plan, &s)                                         ? CLF_TOP_BY_SORT
            : is_few(plan, &s)                                          ? CLF_TOP_BY_FEW
            : size <= most_of_group(plan) || count >= enough_rows(plan) ? CLF_TOP_BY_ROW
                                                                        : CLF_TOP_BY_STEPS;
    if (s.way == CLF_TOP_BY_LEAD || s.way == CLF_TOP_BY_SHORT)
        s.chunks = s.way == CLF_TOP_BY_LEAD ? LEAD_LANES : lanes_of(size);
    if (s.way == CLF_TOP_BY_FEW)
        candidates_of_parts(plan, &s);
    if (s.way != CLF_TOP_BY_ROW && s.way != CLF_TOP_BY_STEPS)
        return s;
    s.counted = is_counted(plan, &s, from_device);
    s.more = s.counted ? s.count * s.results : 0;
    s.sorted = !s.counted && !(plan->flags & CLF_UNSORTED);
    if (s.way == CLF_TOP_BY_ROW)
        return s;
    const cl_uint chunks = groups_of(plan) / (cl_uint)count;
    s.chunks = chunks ? chunks : 1;
    s.rows = count;
    s.groups = count * s.chunks;
    s.sampled = count == 1 && size > limit_of(plan) && s.results <= size / FEW;
    s.room = s.sampled ? room_for(plan, size, s.results) : 0;
    return s;
}

/* ---- Scratch ----------------------------------------------------------------------------------------- */

void clf_top_k_take(const clf_plan *plan, clf_run *run, const clf_top_k_shape *s, clf_array *control,
                    clf_array *counters, clf_array *parts)
{
    const cl_ulong passes = plan->op.key_bytes, states = s->rows * passes, words = passes > 8 ? 6 : 4; /* of a state */
    const cl_ulong head = (HEAD_WORDS + states * words + 1) / 2 * 2; /* whole 16 bytes */
    const cl_ulong each = 2 * (clf_top_k_warps(&plan->context->facts, plan->engine[0]->group) + 1ul);
    const bool zeroed = s->way == CLF_TOP_BY_STEPS; /* others have neither states nor counters */
    *control = clf_run_array(run, zeroed ? CLF_ZEROED : CLF_PLAIN, head + states * DIGITS, sizeof(cl_ulong));
    *counters = (clf_array){control->buffer, 2 * (control->offset + head)};
    *parts = clf_run_array(run, CLF_PLAIN, s->groups * each, sizeof(cl_ulong));
}
