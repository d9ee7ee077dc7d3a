/* SPDX-License-Identifier: MIT */
/*
 * transpose_variants: what the ways to transpose need, and what of the work each group gets; cl/transpose/ does it.
 */
#include "primitives/primitives.h"

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
    while (group > clf_least_group(facts) &&
           (group > facts->max_group || local(facts, op, group, items) > facts->local_bytes))
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    clf_parameter_default(parameters, "items", items);
    clf_parameter_set(parameters, "bytes", element);
}

/* A tile's rows are a word more than they hold, which are at least 4. */
static cl_ulong packed_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
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

/* Columns of a tile of so many rows: whole squares (cl/transpose/transpose_packed.cl). */
static cl_uint packed_columns(cl_uint tile, cl_uint rows)
{
    return tile / rows / 4 * 4;
}

/* Tiles square, or twice as wide as high; rows and columns are multiples of 4, so that they are whole squares. */
static void packed_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    group_defaults(facts, op, parameters, packed_local);
    const cl_uint tile = clf_parameter_get(parameters, "group", 1) * clf_parameter_get(parameters, "items", 1);
    cl_uint rows = 1;
    while (rows * rows * 2 < tile)
        rows *= 2;
    rows = clf_parameter_get(parameters, "rows", rows) / 4 * 4;
    while (rows > 4 && (tile % (4 * rows) != 0 || rows > tile / 4))
        rows -= 4;
    rows = rows ? rows : 4;
    clf_parameter_set(parameters, "rows", rows);
    if (packed_columns(tile, rows) == 0)
        clf_parameter_set(parameters, "items", 0); /* too small a tile */
    clf_parameter_default(parameters, "stripe", 8);
}

/* ---- Tiles of words: cl/transpose/transpose_tile.cl ------------------------------------------------------------ */

/* Elements as units, and words of them: cl/transpose/transpose.cl. */
typedef struct words {
    cl_uint unit, units, word, pack;
} words;

static words words_of(cl_uint bytes)
{
    words w = {.unit = 16};
    while (bytes % w.unit != 0)
        w.unit /= 2;
    w.units = bytes / w.unit;
    w.word = w.unit < 4 ? 4 : w.unit;
    w.pack = w.word / w.unit;
    return w;
}

static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    (void)facts;
    return (cl_ulong)group * items * words_of(op->value.bytes).word;
}

/* The parameter, made a power of two from `least` to `most`. */
static cl_uint power_of_two(clf_parameters *parameters, const char *name, cl_uint usual, cl_uint least, cl_uint most)
{
    const cl_uint wanted = clf_parameter_get(parameters, name, usual);
    cl_uint value = least;
    while (value * 2 <= wanted && value * 2 <= most)
        value *= 2;
    clf_parameter_set(parameters, name, value);
    return value;
}

/* Words of local memory for each work-item: of as many rows as windows can meet. */
static cl_uint tile_items(words w, cl_uint group, cl_uint across, cl_uint down)
{
    const cl_uint edge = w.pack > 1 ? w.pack : 0;
    const cl_uint height = (down * w.pack + edge + w.units - 2) / w.units + 1;
    const cl_uint together = w.units == 1 ? w.pack : 1;
    const cl_uint pad = w.unit < 4 ? (w.unit * w.units + 3) / 4 : w.units;
    return (height * across + height / together * pad + group - 1) / group;
}

/*
 * As many words of a row: the more elements are in them, the more rows of the output, each of which begins anywhere, so
 * that long windows are worth more than long rows.
 */
static cl_uint usual_across(words w)
{
    return w.word > 4 ? 256 / w.word : w.unit == 4 && w.units > 1 ? 64 : w.unit == 1 && w.units == 1 ? 16 : 32;
}

/* Windows of 256 bytes, but of elements of two bytes 128. */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const words w = words_of(op->value.bytes);
    cl_uint usual_group = 256;
    while (usual_group > facts->max_group && usual_group > facts->lane_width)
        usual_group /= 2;
    clf_parameter_default(parameters, "group", usual_group);
    clf_parameter_default(parameters, "stripe", 8);
    const cl_uint group = clf_parameter_get(parameters, "group", 1);
    const cl_uint most = (group & -group) / w.pack, bytes = op->value.bytes == 2 ? 128 : 256;
    const cl_uint across = power_of_two(parameters, "across", usual_across(w), 1, most);
    cl_uint down = power_of_two(parameters, "down", bytes / w.word, 1, most);
    cl_uint items = tile_items(w, group, across, down);
    while (down > 1 && tile_local(facts, op, group, items) > facts->local_bytes)
        items = tile_items(w, group, across, down /= 2);
    if (most == 0 || across * w.pack < w.units + w.pack - 1)
        items = 0; /* too small a tile */
    clf_parameter_set(parameters, "down", down);
    clf_parameter_set(parameters, "items", items);
    clf_parameter_set(parameters, "bytes", op->value.bytes);
}

clf_extent clf_transpose_tile(const clf_engine *engine)
{
    const words w = words_of(clf_parameter_get(&engine->parameters, "bytes", 1));
    const cl_uint across = clf_parameter_get(&engine->parameters, "across", 1);
    const cl_uint down = clf_parameter_get(&engine->parameters, "down", 1);
    const cl_uint columns = (across * w.pack - (w.pack - 1)) / w.units, rows = down * w.pack / w.units;
    return (clf_extent){rows ? rows : 1, columns ? columns : 1};
}

/* ---- Other defaults ---------------------------------------------------------------------------------- */

static void thin_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    group_defaults(facts, op, parameters, run_local);
    clf_parameter_default(parameters, "limit", op->value.bytes < 4 ? 96 : 384 / op->value.bytes);
}

static void small_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    group_defaults(facts, op, parameters, run_local);
}

/* A tile's elements, and two lines of 16 bytes that jut out. */
static cl_ulong cpu_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    (void)facts;
    (void)group;
    return (cl_ulong)items * op->value.bytes + 32;
}

/* A tile of up to 16 KiB, half of a small first cache, in rows of up to 256 bytes; less where local memory is short. */
static void cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    cl_uint side = 1;
    while (2 * side * op->value.bytes <= 256 && 4 * side * side * op->value.bytes <= 16384)
        side *= 2;
    while (side > 1 && cpu_local(facts, op, 1, side * side) > facts->local_bytes)
        side /= 2;
    clf_parameter_default(parameters, "items", side * side);
    clf_parameter_default(parameters, "nontemporal", 1);
    const bool prefetches = facts->is_cpu && !strstr(facts->platform, "Oclgrind");
    clf_parameter_default(parameters, "ahead", prefetches);
    clf_parameter_set(parameters, "bytes", op->value.bytes);
}

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* What a kernel is told besides its arrays: cl/transpose/transpose.cl. */
typedef struct share {
    cl_uint chunk;
    cl_ulong parts;
    cl_uint windows;
    cl_uint stream;
} share;

static clf_status launch(clf_engine *engine, clf_run *run, cl_uint kernel, const clf_arguments *a, const share *s,
                         cl_ulong groups)
{
    const clf_argument list[] = {
        {sizeof(cl_mem), &a->in->buffer}, {sizeof(cl_ulong), &a->in->offset},
        {sizeof(cl_mem), &a->out->buffer}, {sizeof(cl_ulong), &a->out->offset},
        {sizeof(cl_ulong), &a->batch}, {sizeof(cl_ulong), &a->count}, {sizeof(cl_ulong), &a->size},
        {sizeof(cl_uint), &s->chunk}, {sizeof(cl_ulong), &s->parts}, {sizeof(cl_uint), &s->windows},
        {sizeof(cl_uint), &s->stream}};
    return clf_run_launch_flat(run, &engine->kernels[kernel], list, CLF_COUNT(list), groups, engine->group);
}

/* Do rows, where the array lies and any number of them after it, begin where so many bytes of memory do? Scratch that a
 * rehearsal has not taken is no memory of the host's. */
static clf_status is_aligned(const clf_array *array, cl_ulong row, cl_uint bytes, cl_uint alignment, bool *aligned)
{
    void *host = NULL;
    if (array->buffer)
        CLF_TRY(clGetMemObjectInfo(array->buffer, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
    *aligned = ((uintptr_t)host | array->offset * bytes | row * bytes) % alignment == 0;
    return CLF_SUCCESS;
}

/* So many tiles of each matrix, in stripes. */
static clf_status launch_tiles(clf_engine *engine, clf_run *run, const clf_arguments *a, cl_ulong down, cl_ulong across)
{
    const cl_uint stripe = clf_parameter_get(&engine->parameters, "stripe", 0);
    const share s = {.chunk = (cl_uint)(stripe ? clf_least(stripe, across) : clf_least(across, CL_INT_MAX)),
                     .parts = across, .windows = (cl_uint)clf_least(down, CL_UINT_MAX)};
    return launch(engine, run, 0, a, &s, a->batch * down * across);
}

static clf_status tile_launch(clf_engine *engine, clf_run *run, clf_arguments *a)
{
    const cl_uint bytes = a->op->value.bytes;
    const words w = words_of(bytes);
    const cl_uint window = clf_parameter_get(&engine->parameters, "down", 1) * w.pack;
    bool aligned;
    CLF_TRY(is_aligned(a->out, a->count, bytes, w.word, &aligned));
    const cl_uint edge = aligned ? 0 : w.pack - 1;
    return launch_tiles(engine, run, a, clf_ceiling(a->count * w.units + edge, window),
                        clf_ceiling(a->size, clf_transpose_tile(engine).columns));
}

clf_status clf_transpose_is_packed(const clf_task *task, cl_uint bytes, bool *packed)
{
    *packed = bytes <= 2;
    if (*packed)
        CLF_TRY(is_aligned(task->in, task->size, bytes, 4, packed));
    return *packed ? is_aligned(task->out, task->count, bytes, 4, packed) : CLF_SUCCESS;
}

/*
 * Matrices that would fill less than 3/4 of a tile's rows or columns get tiles of their own width. In local memory each
 * row of squares takes an odd number of words.
 */
enum { KERNEL_PACKED, KERNEL_PACKED_THIN };
static clf_status packed_launch(clf_engine *engine, clf_run *run, clf_arguments *a)
{
    bool packed;
    CLF_TRY(clf_transpose_is_packed(&(clf_task){.count = a->count, .size = a->size, .in = a->in, .out = a->out},
                                    a->op->value.bytes, &packed));
    if (!packed)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED,
                              "variant \"packed\" is for elements of 1 or 2 bytes in rows of whole words");
    const cl_uint rows = clf_parameter_get(&engine->parameters, "rows", 1);
    const cl_uint columns = packed_columns(engine->tile, rows);
    const cl_uint pack = 4 / a->op->value.bytes;
    const cl_uint capacity = rows / pack * (columns / pack + 1); /* words of a plane */
    const bool narrow = a->size <= a->count;
    const cl_ulong length = narrow ? a->count : a->size, width = (narrow ? a->size : a->count) / pack;
    if (width >= capacity || (a->count >= 3 * rows / 4 && a->size >= 3 * columns / 4))
        return launch_tiles(engine, run, a, clf_ceiling(a->count, rows), clf_ceiling(a->size, columns));
    cl_uint most = (cl_uint)(narrow ? capacity / (width | 1) : (capacity / width - 1) | 1);
    if (most > 32)
        most -= most % 32;
    const cl_uint chunk = (cl_uint)clf_least(most * pack, length);
    const share s = {.chunk = chunk, .parts = clf_ceiling(length, chunk)};
    return launch(engine, run, KERNEL_PACKED_THIN, a, &s, a->batch * s.parts);
}

/* As many whole rows (or columns) as fit a group; runs that begin where cache lines do, if there are several. */
enum { KERNEL_NARROW, KERNEL_LOW };
static clf_status thin_launch(clf_engine *engine, clf_run *run, clf_arguments *a)
{
    const bool narrow = a->size <= a->count;
    const cl_ulong width = narrow ? a->size : a->count, length = narrow ? a->count : a->size;
    const cl_uint line = 128 / a->op->value.bytes;
    if (width > engine->tile)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"thin\" holds rows or columns of %u elements at most",
                              (unsigned)engine->tile);
    cl_uint chunk = engine->tile / (cl_uint)width;
    if (chunk > line)
        chunk -= chunk % line;
    const share s = {.chunk = (cl_uint)clf_least(chunk, length), .parts = clf_ceiling(length, chunk)};
    return launch(engine, run, narrow ? KERNEL_NARROW : KERNEL_LOW, a, &s, a->batch * s.parts);
}

static clf_status small_launch(clf_engine *engine, clf_run *run, clf_arguments *a)
{
    if (a->count > engine->tile || a->count * a->size > engine->tile)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"small\" holds matrices of %u elements at most",
                              (unsigned)engine->tile);
    const share s = {.chunk = engine->tile / (cl_uint)(a->count * a->size), .parts = a->batch};
    return launch(engine, run, 0, a, &s, clf_ceiling(a->batch, s.chunk));
}

/* Stores go past the caches where input and output would not fit (nontemporal = 1; 0: never, 2: always). */
static bool streams(const clf_engine *engine, const clf_arguments *a)
{
    const cl_uint when = clf_parameter_get(&engine->parameters, "nontemporal", 0), bytes = a->op->value.bytes;
    const bool large = a->batch * a->count * a->size > engine->context->facts.cache_bytes / (2 * bytes);
    return when == 2 || (when == 1 && large);
}

/* What of `length` belongs to a tile; evenly shared where the last one would be left with less than `line`. */
static cl_ulong cpu_share(cl_ulong length, cl_uint side, cl_uint line)
{
    const cl_ulong rest = length % side;
    return length <= side ? length : rest > 0 && rest < line ? clf_ceiling(length, clf_ceiling(length, side)) : side;
}

/*
 * Square tiles, but wider or higher where the matrix is lower or narrower than that; half as large where it is less
 * than a line of 16 bytes. Small matrices: as many as a tile has elements.
 */
static clf_status cpu_launch(clf_engine *engine, clf_run *run, clf_arguments *a)
{
    const cl_uint line = 16 / words_of(a->op->value.bytes).unit;
    cl_uint side = 1;
    while (4 * side * side <= engine->tile)
        side *= 2;
    share s = {.chunk = (cl_uint)cpu_share(a->count, side, line), .parts = cpu_share(a->size, side, line),
               .stream = streams(engine, a)};
    if (a->size < side)
        s.chunk = (cl_uint)clf_least(engine->tile / (cl_uint)a->size / (a->size < line ? 2 : 1), a->count);
    if (a->count < side)
        s.parts = clf_least(engine->tile / (cl_uint)a->count / (a->count < line && a->count > 1 ? 2 : 1), a->size);
    const cl_ulong tiles = a->batch * clf_ceiling(a->count, s.chunk) * clf_ceiling(a->size, s.parts);
    const cl_ulong each = engine->tile / (s.chunk * s.parts);
    return launch(engine, run, 0, a, &s, clf_ceiling(tiles, each ? each : 1));
}

static const char *const cpu_kernels[] = {"clf_transpose_cpu", NULL};
static const char *const tile_kernels[] = {"clf_transpose_tile", NULL};
static const char *const packed_kernels[] = {"clf_transpose_packed", "clf_transpose_packed_thin", NULL};
static const char *const thin_kernels[] = {"clf_transpose_narrow", "clf_transpose_low", NULL};
static const char *const small_kernels[] = {"clf_transpose_small", NULL};

const clf_variant clf_transpose_variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "transpose/transpose_cpu.cl", .kernels = cpu_kernels,
     .parameters = "items,nontemporal,ahead", .local = cpu_local, .defaults = cpu_defaults, .run = cpu_launch},
    {.name = "tile", .file = "transpose/transpose_tile.cl", .kernels = tile_kernels,
     .parameters = "group,across,down,stripe,filled", .local = tile_local, .defaults = tile_defaults,
     .run = tile_launch},
    {.name = "packed", .needs = CLF_NEEDS_ASKING, .file = "transpose/transpose_packed.cl", .kernels = packed_kernels,
     .parameters = "items,group,rows,stripe", .local = packed_local, .defaults = packed_defaults,
     .run = packed_launch},
    {.name = "thin", .needs = CLF_NEEDS_ASKING, .file = "transpose/transpose_thin.cl", .kernels = thin_kernels,
     .parameters = "items,group,limit", .local = run_local, .defaults = thin_defaults, .run = thin_launch},
    {.name = "small", .needs = CLF_NEEDS_ASKING, .file = "transpose/transpose_small.cl", .kernels = small_kernels,
     .parameters = "items,group,limit", .local = run_local, .defaults = small_defaults, .run = small_launch},
    {.name = NULL},
};
