/* SPDX-License-Identifier: MIT */
/*
 * index_cut: how a reduction by index is cut into the parts of its groups, which of its ways a call takes, and how much
 * scratch that needs (cl/reduce_by_index/bins.cl).
 */
#include "primitives/primitives.h"

enum { CELL = 4, LONG_CELL = 8, MOST_COPIES = 32, MOST_GROUPS = CLF_INDEX_GROUPS };

clf_index_way clf_index_way_of(const clf_engine *engine)
{
    return (clf_index_way)engine->variant->way;
}

bool clf_index_is_wide(const clf_facts *facts, const clf_operator_copy *op)
{
    return clf_fields_sum(&op->value) > (facts->int64_atomics ? LONG_CELL : CELL) || clf_fields_have_array(&op->value);
}

cl_uint clf_index_cell_bytes(const clf_facts *facts, const clf_operator_copy *op)
{
    if (clf_index_is_wide(facts, op))
        return 4 * clf_operator_words(op);
    return clf_fields_sum(&op->value) <= CELL ? CELL : LONG_CELL;
}

/* A value that is a cell by itself is updated where the results belong; but codes are no results, and what the operator
 * finishes, or the plan wants in part, is none yet. */
static bool cell_is_value(const clf_engine *engine)
{
    const clf_fields *const value = &engine->op->value;
    return !clf_extremes_are_coded(engine->op) && !clf_operator_ends(engine->op) && value->count == 1 &&
           value->field[0].bytes == clf_index_cell_bytes(&engine->context->facts, engine->op);
}

/* ---- Parts ------------------------------------------------------------------------------------------- */

/* All groups that there may be are shared out among `others`; a chunk has `fewest` elements, if there are so many. */
static cl_ulong chunks_for(const clf_index_cut *c, cl_ulong others, cl_ulong fewest)
{
    const cl_ulong groups = clf_parameter_get(&c->engine->parameters, "groups", 1);
    const cl_ulong chunks = clf_least(groups / others, c->size / fewest);
    return chunks ? chunks : 1;
}

/* Short rows go together, as long as each group has some: as many as make a tile, in a table of so many cells. */
static cl_uint rows_together(const clf_index_cut *c, cl_ulong cells)
{
    const cl_ulong groups = clf_parameter_get(&c->engine->parameters, "groups", 1);
    const cl_ulong tables = clf_least(cells / c->bins, c->rows / groups);
    const cl_ulong rows = clf_least(c->engine->tile / (c->size ? c->size : 1), tables);
    return rows > 1 ? (cl_uint)rows : 1;
}

/* Few tiles are one group's: on an H100 it counted 2^16 elements in 10 us, and four groups took 19 in two launches. */
enum { FEW_TILES = 4 };
static bool is_one_group(const clf_index_cut *c)
{
    return c->size <= FEW_TILES * c->engine->tile && !clf_index_is_wide(&c->engine->context->facts, c->engine->op);
}

static void cut_local(clf_index_cut *c)
{
    const cl_ulong cells = clf_parameter_get(&c->engine->parameters, "cells", 1), tile = c->engine->tile;
    c->slices = clf_ceiling(c->bins, cells);
    const cl_ulong width = clf_ceiling(c->bins, c->slices);
    if (c->rows < MOST_GROUPS && !is_one_group(c))
        c->chunks = chunks_for(c, c->rows * c->slices, tile > c->bins ? tile : c->bins);
    c->rows_each = c->chunks * c->slices == 1 ? rows_together(c, cells) : 1;
    const cl_ulong elements = c->rows_each * c->size / c->chunks;
    while (c->copies < MOST_COPIES && 2 * c->copies * c->rows_each * width <= clf_least(cells, elements))
        c->copies *= 2;
    c->direct = c->chunks == 1;
    c->scatter = c->copies == MOST_COPIES && c->rows_each == 1;
}

/* What cl/reduce_by_index/hot.cl has, and elements that are worth it, where no profile says. */
enum { HOT_FEWEST = 1 << 20 };

static cl_ulong hot_bytes(const clf_engine *engine)
{
    return (2ul << clf_parameter_get(&engine->parameters, "hot", 0)) * sizeof(cl_uint);
}

static cl_ulong fewest_of(const clf_engine *engine, cl_uint otherwise)
{
    return clf_parameter_get(&engine->parameters, "fewest", otherwise);
}

static void cut_global(clf_index_cut *c)
{
    c->hot = c->rows * c->size >= fewest_of(c->engine, HOT_FEWEST);
    c->chunks = c->rows < MOST_GROUPS ? chunks_for(c, c->rows, c->engine->tile) : 1;
    c->rows_each = c->chunks == 1 ? rows_together(c, CL_ULONG_MAX) : 1;
    c->direct = cell_is_value(c->engine) && c->rows * c->size < c->rows * c->bins; /* few elements: no table */
}

/* As many bins in a range as there are cells, or several times as many, where there would be too many ranges. */
static void cut_split(clf_index_cut *c)
{
    const cl_ulong cells = clf_parameter_get(&c->engine->parameters, "cells", 1);
    while ((cl_ulong)2 << c->shift <= cells || c->bins >> c->shift > CLF_INDEX_RANGES - 1)
        ++c->shift;
    while (c->shift > 0 && (cl_ulong)1 << (c->shift - 1) >= c->bins)
        --c->shift;
    const cl_ulong width = (cl_ulong)1 << c->shift;
    c->ranges = (cl_uint)clf_ceiling(c->bins, width);
    c->slices = clf_ceiling(width, cells);
    c->chunks = chunks_for(c, 1, c->engine->tile);
    while (c->copies < MOST_COPIES && 2 * c->copies * clf_ceiling(width, c->slices) <= cells)
        c->copies *= 2;
    c->direct = cell_is_value(c->engine);
    c->scatter = c->copies == MOST_COPIES;
}

/* Tables of their own cost workers more than to read all elements where these are few against bins. */
static void cut_cpu(clf_index_cut *c)
{
    enum { FEWEST = 4096 /* elements that are worth a worker */ };
    const cl_ulong workers = clf_parameter_get(&c->engine->parameters, "groups", 1);
    const cl_ulong each = c->rows < workers ? clf_ceiling(workers, c->rows) : 1;
    if (each > 1 && c->size / (2 * each) * (each - 1) < c->bins)
        c->slices = clf_least(each, c->size + c->bins < FEWEST ? 1 : c->bins);
    else if (each > 1)
        c->chunks = clf_least(each, c->size / FEWEST + 1);
    c->direct = c->chunks == 1 && !clf_operator_ends(c->engine->op); /* results are added to, as values */
}

/* Work-items that combine the tables of a bin, so that all bins together fill the device. */
static cl_uint team_for(const clf_index_cut *c)
{
    enum { EACH = 4 /* tables of a work-item */ };
    const clf_facts *const facts = &c->engine->context->facts;
    const cl_ulong fill = facts->units * (facts->type & CL_DEVICE_TYPE_CPU ? 1024ul : 2048ul);
    cl_uint team = 1;
    while (2 * team <= c->engine->group && 2ul * team * EACH <= c->chunks && c->rows * c->bins <= fill / (2 * team))
        team *= 2;
    return team;
}

/* Cells for so many bins: cl/reduce_by_index/index_global.cl. */
enum { SPREAD = 32 };
static cl_ulong spread(cl_ulong bins)
{
    return (bins / SPREAD + 1) * SPREAD;
}

/* Groups that stride over the bins. */
static cl_ulong striding(const clf_index_cut *c)
{
    const cl_ulong groups = clf_ceiling(c->rows * c->bins, c->engine->group);
    const cl_ulong most = clf_index_way_of(c->engine) == CLF_INDEX_CPU ? 256 : 1 << 16;
    return groups < most ? groups : most;
}

static clf_index_cut cut_for(const clf_plan *plan, cl_uint role, cl_ulong rows, cl_ulong size, cl_ulong bins)
{
    clf_engine *const engine = plan->engine[role];
    clf_index_cut c = {.plan = plan, .engine = engine, .rows = rows, .size = size, .bins = bins, .chunks = 1,
                       .slices = 1, .rows_each = 1, .copies = 1, .update = (plan->flags & CLF_UPDATE) != 0};
    const clf_index_way way = clf_index_way_of(engine);
    cl_ulong entries = 0, bytes = clf_index_cell_bytes(&plan->context->facts, engine->op);
    if (way == CLF_INDEX_SORTED)
        return c; /* has no parts */
    if (way == CLF_INDEX_LOCAL) {
        cut_local(&c);
        entries = c.direct ? 0 : rows * c.chunks * bins;
    } else if (way == CLF_INDEX_GLOBAL) {
        cut_global(&c);
        entries = c.direct ? 0 : spread(rows * bins);
    } else if (way == CLF_INDEX_SPLIT) {
        cut_split(&c);
        entries = c.direct ? 0 : bins;
    } else {
        cut_cpu(&c);
        entries = c.direct ? 0 : rows * c.chunks * bins;
        bytes = 4 * clf_operator_words(engine->op);
    }
    c.team = way == CLF_INDEX_LOCAL ? team_for(&c) : 1;
    c.striding = striding(&c);
    c.tables = clf_scratch_for(entries, bytes);
    c.scratch = c.tables + (c.hot ? hot_bytes(c.engine) : 0);
    return c;
}

/* Can variant "local" do it? */
/* Can variant "local", or "split", do it? */
static bool can_do(const clf_index_cut *c)
{
    return c->slices <= clf_parameter_get(&c->engine->parameters, "limit", 1) &&
           c->rows / c->rows_each < CL_INT_MAX / (c->chunks * c->slices);
}

/*
 * Of wide values work-items with the same bin wait for each other's locks: elements of two bins in turn, of 2^12, took
 * an H200 127 times as long as uniform ones. Lanes spare them that, for those of a warp combine their values first
 * (cl/reduce_by_index/cell_wide.cl), and so do copies, and few elements. But slices are dealt out equally, and skewed
 * elements are not: where most are of one of many slices, most groups have nothing to do (2^26 of a Zipf law in 11
 * slices took 2.6 times as long as a sort).
 */
enum { UNCROWDED = 1 << 16 /* elements */, FEW_SLICES = 2, ENOUGH_COPIES = 8 };

static bool waits(const clf_index_cut *c)
{
    const clf_facts *const facts = &c->engine->context->facts;
    const bool one_by_one = facts->lanes == CLF_LANES_LOCAL && c->copies < ENOUGH_COPIES;
    return clf_index_is_wide(facts, c->engine->op) && c->rows * c->size > UNCROWDED &&
           (one_by_one || c->slices > FEW_SLICES);
}

/* Bins that are more than elements are not worth a table of each group's. */
enum { FEWER = 4 };
static bool suits(const clf_index_cut *c)
{
    return can_do(c) && c->bins / FEWER <= c->size && !waits(c);
}

/* To deal elements out takes some launches: on an H200 it was three times as fast as atomics from here on. */
static bool suits_split(const clf_index_cut *c)
{
    enum { FEWEST = 1 << 21 };
    return can_do(c) && c->size >= fewest_of(c->engine, FEWEST) && c->size >= c->bins;
}

clf_index_cut clf_index_cut_of(const clf_plan *plan, const clf_task *task, bool rows_told)
{
    const cl_ulong rows = task->count, size = task->size, bins = task->most;
    const clf_index_cut c = cut_for(plan, CLF_INDEX_MAIN, rows, size, bins);
    if (!plan->engine[CLF_INDEX_WIDE] || suits(&c))
        return c;
    if (plan->engine[CLF_INDEX_MANY] && rows == 1 && !rows_told) {
        const clf_index_cut split = cut_for(plan, CLF_INDEX_MANY, rows, size, bins);
        if (suits_split(&split))
            return split;
    }
    return cut_for(plan, CLF_INDEX_WIDE, rows, size, bins);
}

clf_status clf_index_check(const clf_run *run, const clf_index_cut *c, bool rows_told)
{
    const clf_index_way way = clf_index_way_of(c->engine);
    if (way == CLF_INDEX_LOCAL && !can_do(c))
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "%llu bins of %llu rows are too many for variant \"local\"",
                              (unsigned long long)c->bins, (unsigned long long)c->rows);
    if (way == CLF_INDEX_SPLIT && (c->rows > 1 || rows_told))
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"split\" takes one row");
    if (way == CLF_INDEX_SPLIT && !can_do(c))
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "%llu bins are too many for variant \"split\"",
                              (unsigned long long)c->bins);
    if (way == CLF_INDEX_SORTED && c->rows * c->bins >= CL_UINT_MAX)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED,
                              "%llu bins of %llu rows are too many for variant \"sorted\": 32 "
                              "bits do not count them",
                              (unsigned long long)c->bins, (unsigned long long)c->rows);
    return CLF_SUCCESS;
}

/* Of wide values: does variant "local" take all calls of so many elements and bins, whatever the rows? */
static bool suits_any(const clf_engine *engine, cl_ulong n, cl_ulong count)
{
    const bool is_few = n <= UNCROWDED;
    const cl_ulong limit = clf_parameter_get(&engine->parameters, "limit", 1);
    const cl_ulong slices = is_few ? limit : clf_least(limit, FEW_SLICES);
    const cl_ulong most = slices * clf_parameter_get(&engine->parameters, "cells", 1);
    return (is_few || engine->context->facts.lanes != CLF_LANES_LOCAL) && count <= most && count < MOST_GROUPS &&
           count / FEWER < n;
}

/* ---- Scratch ----------------------------------------------------------------------------------------- */

/* Bytes of tables for whatever rows: `bins` is the number of all bins of all rows. */
static cl_ulong any_tables(const clf_engine *engine, cl_ulong n, cl_ulong bins)
{
    const cl_ulong groups = clf_parameter_get(&engine->parameters, "groups", 1);
    const cl_ulong cell = clf_index_cell_bytes(&engine->context->facts, engine->op);
    const cl_ulong most = (cl_ulong)clf_parameter_get(&engine->parameters, "cells", 1) *
                          clf_parameter_get(&engine->parameters, "limit", 1);
    enum { WIDEST_CELL = 8 };
    switch (clf_index_way_of(engine)) {
    case CLF_INDEX_CPU: {
        const cl_ulong bytes = 4 * clf_operator_words(engine->op);
        const cl_ulong tables = clf_scratch_for(clf_least(bins, n / 2), groups * bytes);
        const cl_ulong one = clf_operator_ends(engine->op) ? clf_scratch_for(bins, bytes) : 0;
        return tables > one ? tables : one;
    }
    case CLF_INDEX_LOCAL: return clf_scratch_for(clf_least(n, groups * clf_least(bins, most)), cell);
    case CLF_INDEX_GLOBAL: return clf_scratch_for(bins / SPREAD + 1, SPREAD * cell);
    case CLF_INDEX_SPLIT: return clf_scratch_for(bins, WIDEST_CELL);
    default: return 0;
    }
}

/* In clf_task.any, of which the rest is the role, from 1: of several rows, whose bins are counted through. */
enum { SEVERAL = 16 };

clf_index_cut clf_index_cut_any(const clf_plan *plan, const clf_task *task)
{
    clf_engine *const engine = plan->engine[task->any % SEVERAL - 1];
    clf_index_cut c = {.plan = plan, .engine = engine, .rows = task->count, .size = task->size, .bins = task->most,
                       .chunks = 1, .slices = 1, .rows_each = 1, .copies = 1, .ranges = CLF_INDEX_RANGES,
                       .any = true, .several = task->any > SEVERAL,
                       .hot = clf_index_way_of(engine) == CLF_INDEX_GLOBAL};
    c.tables = any_tables(engine, task->count * task->size, task->most);
    c.scratch = c.tables + (c.hot ? hot_bytes(engine) : 0);
    return c;
}

/* Adds a task for the engine of this role; a sort has two ways. */
static cl_uint add_role(const clf_plan *plan, cl_uint role, cl_ulong n, cl_ulong bins, cl_uint number, clf_task *tasks)
{
    const bool sorts = clf_index_way_of(plan->engine[role]) == CLF_INDEX_SORTED;
    for (cl_uint way = 0; way < (sorts ? 2u : 1u); ++way, ++number) {
        tasks[number].any = role + 1 + way * SEVERAL;
        tasks[number].size = n;
        tasks[number].most = bins;
    }
    return number;
}

cl_uint clf_index_worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    const clf_engine *const wide = plan->engine[CLF_INDEX_WIDE];
    const bool sorts = wide && clf_index_way_of(wide) == CLF_INDEX_SORTED;
    cl_uint number = add_role(plan, CLF_INDEX_MAIN, n, count, 0, tasks);
    if (wide && !(sorts && suits_any(plan->engine[CLF_INDEX_MAIN], n, count)))
        number = add_role(plan, CLF_INDEX_WIDE, n, count, number, tasks);
    if (plan->engine[CLF_INDEX_MANY]) {
        const clf_index_cut split = cut_for(plan, CLF_INDEX_MANY, 1, n, count);
        if (suits_split(&split))
            number = add_role(plan, CLF_INDEX_MANY, n, count, number, tasks);
    }
    return number;
}
