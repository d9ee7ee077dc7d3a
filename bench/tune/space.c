/* SPDX-License-Identifier: MIT */
/*
 * What clfold-tune tries: for each primitive the variants that do the same work, and products of values of their
 * parameters. A primitive whose sizes go to different variants is several families, each with shapes of its own.
 */
#include "tune/tune.h"

#include <stdlib.h>
#include <string.h>

/* ---- Families ---------------------------------------------------------------------------------------------- */

static clf_call on(cl_command_queue queue, cl_event *event)
{
    return (clf_call){.size = sizeof(clf_call), .queue = queue, .event = event};
}

static clf_status scan(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const clf_call how = on(queue, event);
    return clf_scan(call->plan, &how, call->shape.size, call->data->in_array, call->data->out_array);
}

static clf_status segmented_scan(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const clf_call how = on(queue, event);
    return clf_segmented_scan(call->plan, &how, call->shape.count, call->shape.size, call->data->in_array,
                              call->data->out_array);
}

static clf_status reduce(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const clf_call how = on(queue, event);
    return clf_segmented_reduce(call->plan, &how, call->shape.count, call->shape.size, call->data->in_array,
                                call->data->out_array);
}

#define SCAN "scan", "main"
#define ROWS "segmented_scan", "main"
#define REDUCE "reduce"
static const char chained[] = "central,window,serial,two_pass";
#define SIZES 8, {1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 18, 1 << 20, 1 << 22}
#define LENGTHS 8, {8, 16, 32, 64, 256, 1024, 4096, 16384}
static const tune_family families[] = {
    {"scan", "scan", SCAN, "cpu", true, false, 1, {0}, clf_scan_plan, scan, .slow = false},
    {"segmented_scan", "segmented_scan", ROWS, "cpu", true, false, 2, {64, 4096}, clf_segmented_scan_plan,
     segmented_scan, .slow = false},
    {"reduce", "reduce,segmented_reduce", REDUCE, "main", "cpu", true, true, 3, {0, 64, 4096}, clf_reduce_plan, reduce,
     .slow = false},
    {"scan_medium", "scan", "scan", "medium", "cpu", true, false, 3, {1 << 13, 1 << 15, 1 << 18}, clf_scan_plan, scan,
     .beginnings = true, .slow = true, .told = true},
    {"scan_limits", "scan", "scan", "medium", "cpu", true, false, SIZES, clf_scan_plan, scan, .beginnings = true,
     .slow = true, .between = {"scan_medium", "scan"}},
    {"scan", "scan", SCAN, chained, false, false, 1, {0}, clf_scan_plan, scan, .slow = false},
    {"segmented_scan", "segmented_scan", ROWS, chained, false, false, 2, {64, 4096}, clf_segmented_scan_plan,
     segmented_scan, .slow = false},
    {"reduce", "reduce", REDUCE, "main", "large", false, true, 2, {0, 1 << 20}, clf_reduce_plan, reduce, .slow = false},
    {"reduce_medium", "segmented_reduce", REDUCE, "medium", "warp", false, true, 2, {256, 4096}, clf_reduce_plan,
     reduce, .slow = false},
    {"reduce_small", "segmented_reduce", REDUCE, "small", "small", false, true, 2, {8, 16}, clf_reduce_plan, reduce,
     .slow = false},
    {"scan_medium", "scan", "scan", "medium", "window,serial", false, false, 3, {1 << 16, 1 << 18, 1 << 20},
     clf_scan_plan, scan, .beginnings = true, .slow = true, .told = true},
    {"scan_limits", "scan", "scan", "medium", chained, false, false, SIZES, clf_scan_plan, scan, .beginnings = true,
     .slow = true, .between = {"scan_medium", "scan"}},
    {"reduce_limits", "segmented_reduce", REDUCE, "main", "small,warp,large", false, true, LENGTHS, clf_reduce_plan,
     reduce, .slow = true, .between = {"reduce_small", "reduce_medium", "reduce"}},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

const tune_family *tune_family_number(unsigned number)
{
    return number < FAMILIES ? &families[number] : NULL;
}

const tune_family *tune_find_family(const char *name, bool cpu)
{
    for (size_t i = 0; i < FAMILIES; i++)
        if (strcmp(families[i].name, name) == 0 && families[i].cpu == cpu)
            return &families[i];
    return NULL;
}

/* Is it one of the words of a list with commas? */
static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; length && (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

const tune_family *tune_family_of(const tune_row *row)
{
    for (size_t i = 0; i < FAMILIES; i++)
        if (strcmp(families[i].name, row->primitive) == 0 && has_word(families[i].variants, row->variant))
            return &families[i];
    return NULL;
}

unsigned tune_list_shapes(const tune_family *family, cl_ulong n, bench_shape shape[TUNE_SHAPES])
{
    unsigned count = 0;
    for (unsigned i = 0; i < family->size_count; i++) {
        const cl_ulong size = family->sizes[i] && family->sizes[i] < n ? family->sizes[i] : n;
        unsigned s = 0;
        while (s < count && shape[s].size != size)
            s++;
        if (s == count)
            shape[count++] = (bench_shape){1, family->beginnings ? 1 : n / size, size};
    }
    return count;
}

/* ---- Types ------------------------------------------------------------------------------------------------- */

bool tune_find_type(const char *type, bench_operator *found)
{
    if (strcmp(type, "4xi64") == 0)
        return bench_find_user_operator("tuple4", found);
    return bench_find_operator("sum", type, found);
}

unsigned tune_bytes_of(const bench_operator *op)
{
    unsigned bytes = 0;
    for (unsigned o = 0; o < op->outputs; o++)
        bytes += op->out_size[o];
    return bytes;
}

void tune_class_of(const bench_operator *op, char name[16])
{
    if (op->outputs == 1)
        snprintf(name, 16, "b%u", op->out_size[0]);
    else
        snprintf(name, 16, "b%ux%u", tune_bytes_of(op), op->out_size[0]); /* of equal fields, a power of two of them */
}

double tune_usual_elements(const tune_device *device, const bench_operator *op, bool quick)
{
    const unsigned bytes = tune_bytes_of(op), power = (device->cpu_kernels ? 24 : 26) - (quick ? 2 : 0);
    double n = (double)((cl_ulong)1 << power);
    while (n > 65536 && (n * bytes > 4 * (double)((cl_ulong)1 << power) || n * bytes > device->max_alloc / 4))
        n /= 2;
    return n;
}

/* ---- Points ------------------------------------------------------------------------------------------------ */

void tune_define(const tune_point *point, char define[128])
{
    size_t length = 0;
    define[0] = '\0';
    for (unsigned i = 0; i < point->count; i++)
        length += (size_t)snprintf(define + length, 128 - length, "%s%s=%u", i ? "," : "", point->name[i],
                                   (unsigned)point->value[i]);
}

/* Would a profile with it be read? The library's table has names and ranges, a line each. */
static bool is_setting(const char *name, cl_uint value)
{
    static char *table; /* of one thread */
    size_t needed = 0;
    unsigned least, most;
    char line[32];
    if (!table) {
        bench_check(clf_parameters_describe(NULL, 0, &needed), "clf_parameters_describe");
        table = bench_alloc(needed);
        bench_check(clf_parameters_describe(table, needed, NULL), "clf_parameters_describe");
    }
    snprintf(line, sizeof line, "\n%s\t", name);
    const char *at = strncmp(table, line + 1, strlen(line) - 1) == 0 ? table : strstr(table, line);
    return at && sscanf(at, " %*s %*s %u %u", &least, &most) == 2 && value >= least && value <= most;
}

bool tune_parse_point(const char *variant, const char *define, tune_point *point)
{
    int length = 0;
    *point = (tune_point){.count = 0};
    snprintf(point->variant, sizeof point->variant, "%s", variant);
    while (*define) {
        if (point->count == TUNE_AXES ||
            sscanf(define, "%15[a-z0-9_]=%9u%n", point->name[point->count], &point->value[point->count], &length) != 2)
            return false;
        if (!is_setting(point->name[point->count], point->value[point->count]))
            return false;
        define += length;
        point->count++;
        if (*define == ',' && define[1])
            define++;
        else if (*define)
            return false;
    }
    return true;
}

bool tune_equal_points(const tune_point *a, const tune_point *b)
{
    if (strcmp(a->variant, b->variant) != 0 || a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (strcmp(a->name[i], b->name[i]) != 0 || a->value[i] != b->value[i])
            return false;
    return true;
}

/* ---- Axes -------------------------------------------------------------------------------------------------- */

enum { VALUES = 24 };
typedef struct axis {
    const char *name;
    unsigned count;
    cl_uint value[VALUES];
} axis;

/* In ascending order, each once. */
static void add_value(axis *a, cl_uint value)
{
    unsigned at = 0;
    while (at < a->count && a->value[at] < value)
        at++;
    if (a->count == VALUES || (at < a->count && a->value[at] == value))
        return;
    memmove(a->value + at + 1, a->value + at, (a->count - at) * sizeof *a->value);
    a->value[at] = value;
    a->count++;
}

static axis powers(const char *name, cl_uint least, cl_uint most)
{
    axis a = {.name = name};
    for (cl_uint value = least ? least : 1; value <= most; value *= 2)
        add_value(&a, value);
    return a;
}

/* Work-items are best with an odd multiple of 16 bytes; others are there to show it. */
static axis tile_items(unsigned bytes)
{
    static const cl_uint totals[] = {16, 32, 48, 64, 80, 96, 112, 144, 176, 208};
    static const cl_uint wide[] = {1, 2, 3, 4, 6, 8, 10, 14, 18, 20};
    axis a = {.name = "items"};
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++)
        add_value(&a, bytes > 8 ? wide[i] : totals[i] / bytes);
    return a;
}

/* A tile of a CPU, between the first cache and the last. */
static unsigned cpu_axes(const tune_family *family, const tune_device *device, const bench_operator *op, axis *axes)
{
    const unsigned bytes = tune_bytes_of(op);
    if (family->sums) {
        axes[0] = powers("items", 1024, 1 << 18);
        axes[1] = powers("groups", device->compute_units, 16 * device->compute_units);
        axes[2] = powers("streams", 8, 128);
    } else {
        axes[0] = powers("items", (1 << 13) / bytes, (1 << 20) / bytes);
        axes[1] = powers("streams", 1, 8);
        axes[2] = (axis){.name = "nontemporal", .count = 3, .value = {0, 1, 2}};
        if (op->inputs == 1)
            add_value(&axes[1], 0); /* built-in operators have vectors */
    }
    return 3;
}

static unsigned gpu_axes(const tune_family *family, const tune_device *device, const bench_operator *op,
                         const char *variant, axis *axes)
{
    const unsigned bytes = tune_bytes_of(op);
    axes[0] = powers("group", 64, family->sums ? 1024 : 512);
    axes[1] = family->sums ? powers("items", 1, bytes < 128 ? 128 / bytes : 1) : tile_items(bytes);
    if (strcmp(variant, "large") == 0)
        axes[2] = powers("groups", device->compute_units, 8 * device->compute_units);
    else
        axes[2] = (axis){.name = "ticket", .count = 2, .value = {0, 1}};
    return strcmp(variant, "large") == 0 || (!family->sums && strcmp(variant, "two_pass") != 0) ? 3 : 2;
}

/* ---- Products ---------------------------------------------------------------------------------------------- */

/* Can the device do it at all? The library says the last word. */
static bool fits(const tune_family *family, const tune_device *device, const bench_operator *op, const tune_point *p)
{
    if (family->cpu)
        return true;
    const cl_uint group = p->value[0], items = p->value[1];
    return group <= device->max_group && group % device->lane_width == 0 && group >= device->lane_width &&
           (cl_ulong)group * items * tune_bytes_of(op) <= device->local_bytes;
}

void tune_add_point(tune_space *space, const tune_point *point)
{
    if ((space->count & (space->count - 1)) == 0) { /* at powers of two */
        space->point = realloc(space->point, (space->count ? 2 * space->count : 1) * sizeof *space->point);
        if (!space->point)
            bench_die("the host has no memory left for points");
    }
    space->point[space->count++] = *point;
}

void tune_free_space(tune_space *space)
{
    free(space->point);
    free(space->near);
    *space = (tune_space){0, 0, NULL, NULL};
}

static void add_products(tune_space *space, const tune_family *family, const tune_device *device,
                         const bench_operator *op, const char *variant, const axis *axes, unsigned count)
{
    unsigned total = 1;
    for (unsigned a = 0; a < count; a++)
        total *= axes[a].count;
    for (unsigned i = 0; i < total; i++) {
        tune_point point = {.count = count};
        unsigned rest = i;
        snprintf(point.variant, sizeof point.variant, "%s", variant);
        for (unsigned a = count; a-- > 0; rest /= axes[a].count) {
            snprintf(point.name[a], sizeof point.name[a], "%s", axes[a].name);
            point.value[a] = axes[a].value[rest % axes[a].count];
        }
        if (fits(family, device, op, &point))
            tune_add_point(space, &point);
    }
}

/* Of "cpu items=65536 group=1" the number of a name; false if it is not there. */
static bool model_value(const char *model, const char *name, cl_uint *value)
{
    const size_t length = strlen(name);
    for (const char *at = model; (at = strstr(at, name)) != NULL; at += length)
        if (at > model && at[-1] == ' ' && at[length] == '=')
            return sscanf(at + length + 1, "%u", value) == 1;
    return false;
}

static bool is_model_variant(const char *model, const char *variant)
{
    const size_t length = strlen(variant);
    return strncmp(model, variant, length) == 0 && (model[length] == ' ' || model[length] == '\0');
}

/* The model's point among those of its variant; the first of all if it is not there. */
static unsigned find_start(const tune_space *space, const char *model)
{
    for (unsigned i = 0; i < space->count; i++) {
        const tune_point *p = &space->point[i];
        bool same = is_model_variant(model, p->variant);
        cl_uint value;
        for (unsigned a = 0; a < p->count && same; a++)
            same = model_value(model, p->name[a], &value) && value == p->value[a];
        if (same)
            return i;
    }
    return 0;
}

tune_space tune_make_space(const tune_family *family, const tune_device *device, const bench_operator *op,
                           const char *model)
{
    tune_space space = {0};
    char list[128], *rest = list;
    axis axes[TUNE_AXES];
    snprintf(list, sizeof list, "%s", family->variants);
    while (*rest) {
        char *variant = rest;
        cl_uint value;
        rest += strcspn(rest, ",");
        if (*rest)
            *rest++ = '\0';
        const unsigned count = family->cpu ? cpu_axes(family, device, op, axes)
                                           : gpu_axes(family, device, op, variant, axes);
        for (unsigned a = 0; a < count && is_model_variant(model, variant); a++)
            if (model_value(model, axes[a].name, &value))
                add_value(&axes[a], value);
        add_products(&space, family, device, op, variant, axes, count);
    }
    space.start = find_start(&space, model);
    tune_link(&space);
    return space;
}
