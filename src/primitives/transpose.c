/* SPDX-License-Identifier: MIT */
/*
 * transpose: matrices turned. There is no operator: a plan is made for elements of so many bytes. The variants are in
 * transpose_variants.c, the algorithms in cl/transpose/.
 *
 * The dispatcher is `choose` with the roles below it. Its thresholds are parameters, so a profile can set them:
 *
 *     transpose.b4.small.limit = 4096        elements of the largest matrix for the role "small"
 *     transpose.b4.thin.limit = 64           fewer rows or columns of the largest one for the role "thin"
 *     transpose.b4.tile.across = 64          words of a row of a tile, and
 *     transpose.b4.tile.down = 64            of a column
 *     transpose.b4.tile.stripe = 8           tiles side by side in a stripe; 0: as many as there are
 *
 * Vectors are copied: by the driver, or by the kernel of CPU devices.
 */
#include "primitives/primitives.h"

/* ---- Roles ------------------------------------------------------------------------------------------- */

/*
 * main    any shape
 * thin    few rows, or few columns: up to "limit", if they leave much of a tile empty
 * small   several matrices that a group holds, each of up to "limit" elements
 * packed  elements of 1 or 2 bytes in rows of whole words
 */
enum { MAIN, THIN, SMALL, PACKED };
static const char *const roles[] = {"main", "thin", "small", "packed", NULL};

static const clf_variant *variant_for(const clf_plan *plan, cl_uint role)
{
    if (clf_engine_is_cpu(plan->engine[MAIN]) || (role == PACKED && plan->op.value.bytes > 2))
        return NULL;
    return clf_variant_named(plan->primitive, roles[role]);
}

static cl_uint limit_of(const clf_engine *engine)
{
    const cl_uint limit = clf_parameter_get(&engine->parameters, "limit", CL_UINT_MAX);
    return limit < engine->tile ? limit : engine->tile;
}

/*
 * Would more than a quarter of the rows of tiles lie outside of the matrix, or of the columns? Of those of single bytes
 * more than half: only reading is idle there, and it is writing that takes long.
 */
static bool wastes(const clf_engine *engine, cl_uint bytes, cl_ulong rows, cl_ulong columns)
{
    const clf_extent tile = clf_transpose_tile(engine);
    const cl_ulong down = clf_ceiling(rows, tile.rows);
    const cl_ulong across = clf_ceiling(columns, tile.columns);
    const cl_uint filled = clf_parameter_get(&engine->parameters, "filled", 0);
    const cl_uint quarters_down = filled ? filled : 3, quarters_across = filled ? filled : bytes == 1 ? 2 : 3;
    return down * tile.rows / 4 * quarters_down > rows || across * tile.columns / 4 * quarters_across > columns;
}

/* A matrix of one row or one column looks the same when turned. CPU devices copy with all cores, others better
 * leave it to the driver. */
static bool is_vector(cl_ulong rows, cl_ulong columns)
{
    return rows <= 1 || columns <= 1;
}

static clf_engine *choose(const clf_plan *plan, const clf_task *task)
{
    const cl_ulong rows = task->count, columns = task->size;
    clf_engine *const thin = plan->engine[THIN], *const small = plan->engine[SMALL];
    if (is_vector(rows, columns))
        return plan->engine[MAIN];
    if (small && task->batch > 1 && rows <= limit_of(small) / columns)
        return small;
    if (task->packed && plan->engine[PACKED])
        return plan->engine[PACKED];
    if (thin && clf_least(rows, columns) <= limit_of(thin) &&
        wastes(plan->engine[MAIN], plan->op.value.bytes, rows, columns))
        return thin;
    return plan->engine[MAIN];
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

static bool driver_copies(const clf_plan *plan, cl_ulong rows, cl_ulong columns)
{
    return is_vector(rows, columns) && !clf_engine_is_cpu(plan->engine[MAIN]);
}

static bool overflows(const clf_task *task)
{
    const cl_ulong rows = task->count, columns = task->size;
    return task->batch && rows && columns &&
           (rows > CL_ULONG_MAX / columns || task->batch > CL_ULONG_MAX / (rows * columns));
}

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    CLF_TRY(clf_check_out_count(check, call, plan->op.value.count));
    if (call->actual.buffer || call->initial || call->initial_arrays)
        return clf_refuse(check, CLF_E_ARGUMENT, "a transposition has no initial value, and no size on the device");
    if (overflows(task))
        return clf_refuse(check, CLF_E_OVERFLOW, "batch * rows * columns does not fit 64 bits");
    const cl_ulong n = task->batch * task->count * task->size;
    CLF_TRY(clf_check_arrays(check, &plan->op, &n, &n, task->in, task->out));
    if (check->in_place && !is_vector(task->count, task->size))
        return clf_refuse(check, CLF_E_ALIAS, "out is in, which only a matrix of one row or column can be");
    task->nothing = n == 0 || check->in_place;
    return CLF_SUCCESS;
}

/* There is no scratch. All matrices of vectors are one vector. */
static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const cl_ulong n = task->batch * task->count * task->size;
    clf_task own = *task;
    clf_arguments arguments;
    if (run->sink == CLF_MEASURE)
        return CLF_SUCCESS;
    if (driver_copies(plan, task->count, task->size))
        return clf_run_copy(run, task->in, task->out, n, plan->op.value.bytes);
    if (is_vector(task->count, task->size))
        own.batch = own.count = 1, own.size = n;
    if (task->packed)
        CLF_TRY(clf_transpose_is_packed(&own, plan->op.value.bytes, &own.packed));
    clf_engine *const engine = choose(plan, &own);
    CLF_TRY(clf_run_begin(run, engine, &own, &arguments));
    return engine->variant->run(engine, run, &arguments);
}

const clf_primitive clf_transpose_primitive = {
    .name = "transpose", .variants = clf_transpose_variants, .roles = roles, .variant_for = variant_for,
    .choose = choose, .check = check, .run = run};

clf_status clf_transpose_plan(clf_context *context, size_t element_bytes, const clf_plan_options *options,
                              clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_plan_none(plan, error));
    if (element_bytes < 1 || element_bytes > 16)
        return clf_fail(error, CLF_E_ARGUMENT, "elements have 1 to 16 bytes, not %llu",
                        (unsigned long long)element_bytes);
    return clf_plan_create_moving(context, &clf_transpose_primitive, (cl_uint)element_bytes, options, plan, error);
}

const char *clf_transpose_variant(const clf_plan *plan, cl_ulong batch, cl_ulong rows, cl_ulong columns)
{
    if (!clf_plan_is_of(plan, &clf_transpose_primitive))
        return NULL;
    if (driver_copies(plan, rows, columns))
        return "copy";
    const cl_ulong bytes = plan->op.value.bytes;
    const bool packed = (rows * bytes | columns * bytes) % 4 == 0;
    return choose(plan, &(clf_task){.batch = batch, .count = rows, .size = columns, .packed = packed})->variant->name;
}

clf_status clf_transpose(clf_plan *plan, const clf_call *call, cl_ulong batch, cl_ulong rows, cl_ulong columns,
                         const clf_array *in, const clf_array *out)
{
    clf_task task = {.batch = batch, .count = rows, .size = columns, .packed = true, .in = in, .out = out};
    return clf_call_task(plan, &clf_transpose_primitive, "clf_transpose", call, &task);
}
