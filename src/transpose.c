/* SPDX-License-Identifier: MIT */
/*
 * transpose: matrices turned. There is no operator: a plan is made for elements of so many bytes. The algorithms are
 * in cl/transpose_*.cl.
 *
 * The dispatcher is `choose_shape` with the roles below it. Its thresholds are parameters, so a profile can set them:
 *
 *     transpose.b4.small.limit = 4096        elements of the largest matrix for the role "small"
 *     transpose.b4.thin.limit = 64           fewer rows or columns of the largest one for the role "thin"
 *     transpose.b4.tile.rows = 64            rows of a tile, of group x items elements in all
 *     transpose.b4.tile.stripe = 8           tiles side by side in a stripe; 0: as many as there are
 *
 * Vectors are copied: by the driver, or by the kernel of CPU devices.
 */
#include "internal.h"

#include <string.h>

/* ---- Parameters -------------------------------------------------------------------------------------- */

/* Groups of 256 whose work-items hold 64 bytes each, or less where local memory is short. */
static void group_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                           cl_ulong (*local)(const clf_facts *, const clf_operator_copy *, cl_uint, cl_uint))
{
    const cl_uint element = op->value.bytes;
    cl_uint group = 256, items = 1;
    while (items * 2 * element <= 64)
        items *= 2;
    while (group > facts->lane_width &&
           (group > facts->max_group || local(facts, op, group, items) > facts->local_bytes))
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    clf_parameter_default(parameters, "items", items);
    clf_parameter_set(parameters, "bytes", element);
}

/* A tile's rows are an element longer than what they hold; of the others, each 128 bytes a word. */
static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong elements = (cl_ulong)group * items;
    (void)facts;
    return (elements + elements / 4) * op->value.bytes;
}

static cl_ulong run_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong bytes = (cl_ulong)group * items * op->value.bytes;
    (void)facts;
    return bytes + (bytes / 128 + 1) * 16;
}

/* Square, or twice as wide as high. Rows divide the tile, and are at least 4 elements long. */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    group_defaults(facts, op, parameters, tile_local);
    const cl_uint tile = clf_parameter_get(parameters, "group", 1) * clf_parameter_get(parameters, "items", 1);
    cl_uint rows = 1;
    while (rows * rows * 2 < tile)
        rows *= 2;
    rows = clf_parameter_get(parameters, "rows", rows);
    while (rows > 1 && (tile % rows != 0 || rows > tile / 4))
        --rows;
    clf_parameter_set(parameters, "rows", rows ? rows : 1);
    clf_parameter_default(parameters, "stripe", 8);
}

/* Whole squares: rows and columns are multiples of 4. */
static void packed_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    tile_defaults(facts, op, parameters);
    const cl_uint tile = clf_parameter_get(parameters, "group", 1) * clf_parameter_get(parameters, "items", 1);
    cl_uint rows = clf_parameter_get(parameters, "rows", 1) / 4 * 4;
    while (rows > 4 && tile % (4 * rows) != 0)
        rows -= 4;
    clf_parameter_set(parameters, "rows", rows ? rows : 4);
}

static void thin_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    group_defaults(facts, op, parameters, run_local);
    clf_parameter_default(parameters, "limit", op->value.bytes < 4 ? 96 : 384 / op->value.bytes);
}

static void small_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    group_defaults(facts, op, parameters, run_local);
}

/* A tile of up to 16 KiB, half of a small first cache, in rows of up to 256 bytes. */
static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    cl_uint side = 1;
    while (2 * side * op->value.bytes <= 256 && 4 * side * side * op->value.bytes <= 16384)
        side *= 2;
    clf_parameter_set(parameters, "group", 1);
    clf_parameter_default(parameters, "items", side * side);
    clf_parameter_default(parameters, "nontemporal", 1);
    clf_parameter_default(parameters, "ahead", strstr(facts->platform, "Oclgrind") == NULL); /* it cannot prefetch */
    clf_parameter_set(parameters, "bytes", op->value.bytes);
}

/* ---- Variants ---------------------------------------------------------------------------------------- */

static cl_ulong ceiling(cl_ulong a, cl_ulong b)
{
    return a / b + (a % b != 0);
}

static cl_ulong least(cl_ulong a, cl_ulong b)
{
    return a < b ? a : b;
}

/* What a kernel is told besides its arrays: cl/transpose.cl. */
typedef struct share {
    cl_uint chunk;
    cl_ulong parts;
    cl_uint stream;
} share;

static clf_status launch(clf_engine *engine, clf_chain *chain, size_t kernel, const clf_arguments *a,
                         const share *s, cl_ulong groups)
{
    const clf_argument list[] = {
        {sizeof(cl_mem), &a->in->buffer}, {sizeof(cl_ulong), &a->in->offset},
        {sizeof(cl_mem), &a->out->buffer}, {sizeof(cl_ulong), &a->out->offset},
        {sizeof(cl_ulong), &a->count}, {sizeof(cl_ulong), &a->size},
        {sizeof(cl_uint), &s->chunk}, {sizeof(cl_ulong), &s->parts}, {sizeof(cl_uint), &s->stream}};
    return clf_launch_flat(chain, &engine->kernels[kernel], list, CLF_COUNT(list), groups, engine->group);
}

static cl_uint rows_of(const clf_engine *engine)
{
    return clf_parameter_get(&engine->parameters, "rows", 1);
}

static clf_status tile_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *a, cl_uint *tickets)
{
    const cl_uint rows = rows_of(engine), columns = engine->tile / rows;
    const cl_uint stripe = clf_parameter_get(&engine->parameters, "stripe", 0);
    const cl_ulong down = ceiling(a->count, rows), across = ceiling(a->size, columns);
    const share s = {.chunk = (cl_uint)(stripe ? least(stripe, across) : least(across, CL_INT_MAX))};
    (void)tickets;
    return launch(engine, chain, 0, a, &s, a->batch * down * across);
}

/* Do rows, on both sides, consist of whole aligned words of 4 bytes? */
static bool is_aligned(const clf_array *array, cl_ulong row, cl_uint bytes)
{
    void *host = NULL;
    const clf_status status = clGetMemObjectInfo(array->buffer, CL_MEM_HOST_PTR, sizeof host, &host, NULL);
    return status == CLF_SUCCESS && ((uintptr_t)host | array->offset * bytes | row * bytes) % 4 == 0;
}

static bool is_packed(const clf_arguments *a)
{
    const cl_uint bytes = a->op->value.bytes;
    return bytes <= 2 && is_aligned(a->in, a->size, bytes) && is_aligned(a->out, a->count, bytes);
}

/*
 * Matrices that would fill less than 3/4 of a tile's rows or columns get tiles of their own width. In local memory each
 * row of squares takes an odd number of words.
 */
enum { KERNEL_PACKED, KERNEL_PACKED_THIN };
static clf_status packed_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *a, cl_uint *tickets)
{
    if (!is_packed(a))
        return CLF_E_UNSUPPORTED;
    const cl_uint rows = rows_of(engine), columns = engine->tile / rows, pack = 4 / a->op->value.bytes;
    const cl_uint capacity = rows / pack * (columns / pack + 1); /* words of a plane */
    const bool narrow = a->size <= a->count;
    const cl_ulong length = narrow ? a->count : a->size, width = (narrow ? a->size : a->count) / pack;
    if (width >= capacity || (a->count >= 3 * rows / 4 && a->size >= 3 * columns / 4))
        return tile_enqueue(engine, chain, a, tickets);
    cl_uint most = (cl_uint)(narrow ? capacity / (width | 1) : (capacity / width - 1) | 1);
    if (most > 32)
        most -= most % 32;
    const cl_uint chunk = (cl_uint)least(most * pack, length);
    const share s = {.chunk = chunk, .parts = ceiling(length, chunk)};
    return launch(engine, chain, KERNEL_PACKED_THIN, a, &s, a->batch * s.parts);
}

/* As many whole rows (or columns) as fit a group; runs that begin where cache lines do, if there are several. */
enum { KERNEL_NARROW, KERNEL_LOW };
static clf_status thin_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *a, cl_uint *tickets)
{
    const bool narrow = a->size <= a->count;
    const cl_ulong width = narrow ? a->size : a->count, length = narrow ? a->count : a->size;
    const cl_uint line = 128 / a->op->value.bytes;
    (void)tickets;
    if (width > engine->tile)
        return CLF_E_UNSUPPORTED;
    cl_uint chunk = engine->tile / (cl_uint)width;
    if (chunk > line)
        chunk -= chunk % line;
    const share s = {.chunk = (cl_uint)least(chunk, length), .parts = ceiling(length, chunk)};
    return launch(engine, chain, narrow ? KERNEL_NARROW : KERNEL_LOW, a, &s, a->batch * s.parts);
}

static clf_status small_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *a, cl_uint *tickets)
{
    (void)tickets;
    if (a->count > engine->tile || a->count * a->size > engine->tile)
        return CLF_E_UNSUPPORTED;
    const share s = {.chunk = engine->tile / (cl_uint)(a->count * a->size), .parts = a->batch};
    return launch(engine, chain, 0, a, &s, ceiling(a->batch, s.chunk));
}

/* Stores go past the caches where input and output would not fit (nontemporal = 1; 0: never, 2: always). */
static bool streams(const clf_engine *engine, const clf_arguments *a)
{
    const cl_uint when = clf_parameter_get(&engine->parameters, "nontemporal", 0), bytes = a->op->value.bytes;
    const bool large = a->batch * a->count * a->size > engine->context->facts.cache_bytes / (2 * bytes);
    return when == 2 || (when == 1 && large);
}

/* Square tiles, but wider or higher where the matrix is lower or narrower than that. */
static clf_status cpu_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *a, cl_uint *tickets)
{
    cl_uint side = 1;
    while (4 * side * side <= engine->tile)
        side *= 2;
    share s = {.chunk = (cl_uint)least(side, a->count), .parts = least(side, a->size), .stream = streams(engine, a)};
    (void)tickets;
    if (a->size < side)
        s.chunk = (cl_uint)least(engine->tile / (cl_uint)a->size, a->count);
    if (a->count < side)
        s.parts = least(engine->tile / (cl_uint)a->count, a->size);
    return launch(engine, chain, 0, a, &s, a->batch * ceiling(a->count, s.chunk) * ceiling(a->size, s.parts));
}

static const char *const cpu_kernels[] = {"clf_transpose_cpu", NULL};
static const char *const tile_kernels[] = {"clf_transpose_tile", NULL};
static const char *const packed_kernels[] = {"clf_transpose_packed", "clf_transpose_packed_thin", NULL};
static const char *const thin_kernels[] = {"clf_transpose_narrow", "clf_transpose_low", NULL};
static const char *const small_kernels[] = {"clf_transpose_small", NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "transpose_cpu.cl", .kernels = cpu_kernels,
     .defaults = cpu_defaults, .enqueue = cpu_enqueue},
    {.name = "tile", .file = "transpose_tile.cl", .kernels = tile_kernels, .local = tile_local,
     .defaults = tile_defaults, .enqueue = tile_enqueue},
    {.name = "packed", .needs = CLF_NEEDS_ASKING, .file = "transpose_packed.cl", .kernels = packed_kernels,
     .local = tile_local, .defaults = packed_defaults, .enqueue = packed_enqueue},
    {.name = "thin", .needs = CLF_NEEDS_ASKING, .file = "transpose_thin.cl", .kernels = thin_kernels,
     .local = run_local, .defaults = thin_defaults, .enqueue = thin_enqueue},
    {.name = "small", .needs = CLF_NEEDS_ASKING, .file = "transpose_small.cl", .kernels = small_kernels,
     .local = run_local, .defaults = small_defaults, .enqueue = small_enqueue},
    {.name = NULL},
};

/* ---- Roles ------------------------------------------------------------------------------------------- */

/*
 * main    any shape
 * thin    few rows, or few columns: up to "limit", if they leave much of a tile empty
 * small   several matrices that a group holds, each of up to "limit" elements
 * packed  elements of 1 or 2 bytes in rows of whole words
 */
enum { MAIN, THIN, SMALL, PACKED };
static const char *const roles[] = {"main", "thin", "small", "packed", NULL};

static const clf_variant *cast(const clf_plan *plan, cl_uint role)
{
    if (plan->engine[MAIN]->group == 1 || (role == PACKED && plan->op.value.bytes > 2))
        return NULL;
    return clf_variant_named(plan->primitive, roles[role]);
}

static cl_uint limit_of(const clf_engine *engine)
{
    const cl_uint limit = clf_parameter_get(&engine->parameters, "limit", CL_UINT_MAX);
    return limit < engine->tile ? limit : engine->tile;
}

/* Would more than a quarter of the rows or columns of tiles lie outside of the matrix? */
static bool wastes(const clf_engine *tile, cl_ulong rows, cl_ulong columns)
{
    const cl_uint tile_rows = rows_of(tile), tile_columns = tile->tile / tile_rows;
    return ceiling(rows, tile_rows) * tile_rows / 4 * 3 > rows ||
           ceiling(columns, tile_columns) * tile_columns / 4 * 3 > columns;
}

static clf_engine *choose_shape(const clf_plan *plan, cl_ulong batch, cl_ulong rows, cl_ulong columns, bool packed)
{
    clf_engine *const thin = plan->engine[THIN], *const small = plan->engine[SMALL];
    if (small && batch > 1 && rows <= limit_of(small) / columns)
        return small;
    if (packed && plan->engine[PACKED])
        return plan->engine[PACKED];
    if (thin && least(rows, columns) <= limit_of(thin) && wastes(plan->engine[MAIN], rows, columns))
        return thin;
    return plan->engine[MAIN];
}

/* For descriptions, which know of one size alone. */
static clf_engine *choose(const clf_plan *plan, cl_ulong count, cl_ulong size, bool in_place)
{
    (void)count, (void)size, (void)in_place;
    return plan->engine[MAIN];
}

static const clf_primitive transpose_primitive = {
    .name = "transpose", .variants = variants, .roles = roles, .cast = cast, .choose = choose};

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* A matrix of one row or one column looks the same when turned. CPU devices copy with all cores, others better
 * leave it to the driver. */
static bool is_vector(cl_ulong rows, cl_ulong columns)
{
    return rows <= 1 || columns <= 1;
}

static bool driver_copies(const clf_plan *plan, cl_ulong rows, cl_ulong columns)
{
    return is_vector(rows, columns) && plan->engine[MAIN]->group > 1;
}

clf_status clf_transpose_plan(clf_context *context, size_t element_bytes, const clf_plan_options *options,
                              clf_plan **plan, clf_error *error)
{
    if (element_bytes < 1 || element_bytes > 16) {
        CLF_TRY(clf_error_reset(error));
        return clf_fail(error, CLF_E_ARGUMENT, "elements have 1 to 16 bytes, not %llu",
                        (unsigned long long)element_bytes);
    }
    return clf_plan_create_moving(context, &transpose_primitive, (cl_uint)element_bytes, options, plan, error);
}

const char *clf_transpose_variant(const clf_plan *plan, cl_ulong batch, cl_ulong rows, cl_ulong columns)
{
    if (!plan || plan->primitive != &transpose_primitive)
        return NULL;
    if (driver_copies(plan, rows, columns))
        return "copy";
    const cl_ulong bytes = plan->op.value.bytes;
    return choose_shape(plan, batch, rows, columns, (rows * bytes | columns * bytes) % 4 == 0)->variant->name;
}

static clf_status copy(cl_command_queue queue, const clf_arguments *a, cl_ulong n, cl_uint wait_count,
                       const cl_event *wait, cl_event *event)
{
    clf_chain chain;
    CLF_TRY(clf_chain_begin(&chain, queue, wait_count, wait, event != NULL));
    CLF_TRY(clf_chain_copy(&chain, a->in, a->out, n, a->op->value.bytes));
    clf_chain_end(&chain, event);
    return CLF_SUCCESS;
}

static bool overflows(cl_ulong batch, cl_ulong rows, cl_ulong columns)
{
    return rows && columns && (rows > CL_ULONG_MAX / columns || batch > CL_ULONG_MAX / (rows * columns));
}

clf_status clf_transpose(clf_plan *plan, cl_command_queue queue, cl_ulong batch, cl_ulong rows, cl_ulong columns,
                         const clf_array *in, const clf_array *out, cl_uint wait_count, const cl_event *wait,
                         cl_event *event)
{
    bool in_place;
    if (!plan || plan->primitive != &transpose_primitive)
        return CLF_E_ARGUMENT;
    if (overflows(batch, rows, columns))
        return CLF_E_OVERFLOW;
    const cl_ulong n = batch * rows * columns;
    CLF_TRY(clf_check_arrays(plan->context->cl, plan->context->device, queue, &plan->op, n, n, in, out, &in_place));
    if (in_place && !is_vector(rows, columns))
        return CLF_E_ALIAS;
    if (n == 0 || in_place)
        return clf_launch_nothing(queue, wait_count, wait, event);
    clf_arguments a = {.op = &plan->op, .in = in, .out = out, .batch = batch, .count = rows, .size = columns};
    if (driver_copies(plan, rows, columns))
        return copy(queue, &a, n, wait_count, wait, event);
    if (is_vector(rows, columns))
        a.batch = a.count = 1, a.size = n;
    clf_engine *const engine = choose_shape(plan, a.batch, a.count, a.size, is_packed(&a));
    return clf_engine_run(engine, queue, &a, n, NULL, wait_count, wait, event);
}
