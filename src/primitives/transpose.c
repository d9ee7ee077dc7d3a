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

static clf_engine *choose(const clf_plan *plan, const clf_shape *shape)
{
    const cl_ulong rows = shape->count, columns = shape->size;
    clf_engine *const thin = plan->engine[THIN], *const small = plan->engine[SMALL];
    if (is_vector(rows, columns))
        return plan->engine[MAIN];
    if (small && shape->batch > 1 && rows <= limit_of(small) / columns)
        return small;
    if (shape->packed && plan->engine[PACKED])
        return plan->engine[PACKED];
    if (thin && clf_least(rows, columns) <= limit_of(thin) &&
        wastes(plan->engine[MAIN], plan->op.value.bytes, rows, columns))
        return thin;
    return plan->engine[MAIN];
}

const clf_primitive clf_transpose_primitive = {
    .name = "transpose", .variants = clf_transpose_variants, .roles = roles, .variant_for = variant_for,
    .choose = choose};

/* ---- Calls ------------------------------------------------------------------------------------------- */

static bool driver_copies(const clf_plan *plan, cl_ulong rows, cl_ulong columns)
{
    return is_vector(rows, columns) && !clf_engine_is_cpu(plan->engine[MAIN]);
}

clf_status clf_transpose_plan(clf_context *context, size_t element_bytes, const clf_plan_options *options,
                              clf_plan **plan, clf_error *error)
{
    if (element_bytes < 1 || element_bytes > 16) {
        CLF_TRY(clf_error_reset(error));
        return clf_fail(error, CLF_E_ARGUMENT, "elements have 1 to 16 bytes, not %llu",
                        (unsigned long long)element_bytes);
    }
    return clf_plan_create_moving(context, &clf_transpose_primitive, (cl_uint)element_bytes, options, plan, error);
}

const char *clf_transpose_variant(const clf_plan *plan, cl_ulong batch, cl_ulong rows, cl_ulong columns)
{
    if (!plan || plan->primitive != &clf_transpose_primitive)
        return NULL;
    if (driver_copies(plan, rows, columns))
        return "copy";
    const cl_ulong bytes = plan->op.value.bytes;
    const clf_shape shape = {batch, rows, columns, false, (rows * bytes | columns * bytes) % 4 == 0};
    return choose(plan, &shape)->variant->name;
}

/* All matrices of a call as one vector. */
static clf_status copy(void *state, clf_chain *chain, clf_arguments *a, const clf_array *scratch)
{
    (void)state, (void)scratch;
    return clf_chain_copy(chain, a->in, a->out, a->batch * a->count * a->size, a->op->value.bytes);
}

static bool overflows(cl_ulong batch, cl_ulong rows, cl_ulong columns)
{
    return batch && rows && columns && (rows > CL_ULONG_MAX / columns || batch > CL_ULONG_MAX / (rows * columns));
}

clf_status clf_transpose(clf_plan *plan, const clf_call *call, cl_ulong batch, cl_ulong rows, cl_ulong columns,
                         const clf_array *in, const clf_array *out)
{
    clf_check check;
    if (!plan || plan->primitive != &clf_transpose_primitive)
        return clf_refuse_plan(plan, "clf_transpose");
    CLF_TRY(clf_check_begin(&check, plan->context, "clf_transpose", &plan->op, call));
    if (call->actual.buffer || call->initial || call->initial_arrays)
        return clf_refuse(&check, CLF_E_ARGUMENT, "a transposition has no initial value, and no size on the device");
    if (overflows(batch, rows, columns))
        return clf_refuse(&check, CLF_E_OVERFLOW, "batch * rows * columns does not fit 64 bits");
    const cl_ulong n = batch * rows * columns;
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, &n, in, out));
    if (check.in_place && !is_vector(rows, columns))
        return clf_refuse(&check, CLF_E_ALIAS, "out is in, which only a matrix of one row or column can be");
    if (n == 0 || check.in_place)
        return clf_run_nothing(&check, call);
    clf_arguments a = {.op = &plan->op, .in = in, .out = out, .batch = batch, .count = rows, .size = columns};
    if (driver_copies(plan, rows, columns))
        return clf_run(&check, plan, call, &a, false, copy, NULL);
    if (is_vector(rows, columns))
        a.batch = a.count = 1, a.size = n;
    bool packed;
    CLF_TRY(clf_transpose_is_packed(&a, &packed));
    clf_engine *const engine = choose(plan, &(clf_shape){a.batch, a.count, a.size, false, packed});
    return clf_engine_run(engine, plan, &check, call, &a, n, false);
}

/* ---- Steps of other calls ------------------------------------------------------------------------------ */

clf_status clf_transpose_within(const clf_plan *plan, clf_chain *chain, cl_ulong rows, cl_ulong columns,
                                const clf_array *in, const clf_array *out)
{
    clf_arguments a = {.op = &plan->op, .in = in, .out = out, .batch = 1, .count = rows, .size = columns};
    if (driver_copies(plan, rows, columns))
        return copy(NULL, chain, &a, NULL);
    if (is_vector(rows, columns))
        a.count = 1, a.size = rows * columns;
    clf_engine *const engine = choose(plan, &(clf_shape){1, a.count, a.size, false, false});
    return clf_engine_enqueue(engine, chain, &a, rows * columns, NULL);
}
