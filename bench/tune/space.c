/* SPDX-License-Identifier: MIT */
/* What clfold-tune tries: of each variant of a family products of values of its parameters (families.c). */
#include "tune/tune.h"

#include <stdlib.h>
#include <string.h>

/* ---- Points ------------------------------------------------------------------------------------------------ */

void tune_define(const tune_point *point, char define[128])
{
    size_t length = 0;
    define[0] = '\0';
    for (unsigned i = 0; i < point->count; ++i)
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
        ++point->count;
        if (*define == ',' && define[1])
            ++define;
        else if (*define)
            return false;
    }
    return true;
}

bool tune_equal_points(const tune_point *a, const tune_point *b)
{
    if (strcmp(a->variant, b->variant) != 0 || a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; ++i)
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
        ++at;
    if (a->count == VALUES || (at < a->count && a->value[at] == value))
        return;
    memmove(a->value + at + 1, a->value + at, (a->count - at) * sizeof *a->value);
    a->value[at] = value;
    ++a->count;
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
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; ++i)
        add_value(&a, bytes > 8 ? wide[i] : totals[i] / bytes);
    return a;
}

static axis steps(const char *name, cl_uint least, cl_uint most, cl_uint step)
{
    axis a = {.name = name};
    for (cl_uint value = least; value <= most; value += step)
        add_value(&a, value);
    return a;
}

static axis values_of(const tune_axis *from, const tune_device *device, const bench_operator *op)
{
    const cl_uint bytes = tune_bytes_of(op), units = device->units;
    axis a;
    switch (from->kind) {
    case TUNE_TILE: return tile_items(bytes);
    case TUNE_STEPS: return steps(from->name, from->least, from->most, 1);
    case TUNE_FOURS: return steps(from->name, from->least, from->most, 4);
    case TUNE_PER_BYTE: return powers(from->name, from->least / bytes, from->most > bytes ? from->most / bytes : 1);
    case TUNE_PER_UNIT: return powers(from->name, from->least * units, from->most * units);
    default:
        a = powers(from->name, from->least, from->most);
        if (from->kind == TUNE_VECTORS && op->inputs == 1) /* built-in operators have them */
            add_value(&a, 0);
        return a;
    }
}

/* ---- Products ---------------------------------------------------------------------------------------------- */

static cl_uint value_of(const tune_point *p, const char *name, cl_uint otherwise)
{
    for (unsigned a = 0; a < p->count; ++a)
        if (strcmp(p->name[a], name) == 0)
            return p->value[a];
    return otherwise;
}

/* Can the device do it at all? The library says the last word. */
static bool fits(const tune_family *family, const tune_device *device, const bench_operator *op, const tune_point *p)
{
    const cl_uint group = value_of(p, "group", device->lane_width), items = value_of(p, "items", 1);
    if (family->cpu)
        return true;
    return group <= device->max_group && group % device->lane_width == 0 && group >= device->lane_width &&
           (family->loose || (cl_ulong)group * items * tune_bytes_of(op) <= device->local_bytes);
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
    for (unsigned a = 0; a < count; ++a)
        total *= axes[a].count;
    for (unsigned i = 0; i < total; ++i) {
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
    for (const char *at = model; (at = strstr(at, name)); at += length)
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
    for (unsigned i = 0; i < space->count; ++i) {
        const tune_point *p = &space->point[i];
        bool same = is_model_variant(model, p->variant);
        cl_uint value;
        for (unsigned a = 0; a < p->count && same; ++a)
            same = model_value(model, p->name[a], &value) && value == p->value[a];
        if (same)
            return i;
    }
    return 0;
}

/* The products of one variant, with the model's values. */
static void add_variant(tune_space *space, const tune_family *family, const tune_device *device,
                        const bench_operator *op, const char *model, const char *variant, const tune_axis *from)
{
    axis axes[TUNE_AXES];
    unsigned count = 0;
    cl_uint value;
    for (; from && count < TUNE_AXES && from[count].name; ++count) {
        axes[count] = values_of(&from[count], device, op);
        if (is_model_variant(model, variant) && model_value(model, from[count].name, &value))
            add_value(&axes[count], value);
    }
    add_products(space, family, device, op, variant, axes, count);
}

tune_space tune_make_space(const tune_family *family, const tune_device *device, const bench_operator *op,
                           const char *model)
{
    tune_space space = {0};
    char name[32];
    for (unsigned v = 0; v < TUNE_VARIANTS && family->variants[v].names; ++v) {
        const tune_variants *const list = &family->variants[v];
        if (list->narrow && tune_bytes_of(op) > 2)
            continue;
        for (const char *at = list->names; *at; at += strcspn(at, ","), at += *at == ',') {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
            if (!family->fixed || is_model_variant(model, name))
                add_variant(&space, family, device, op, model, name, list->axes);
        }
    }
    space.start = find_start(&space, model);
    tune_link(&space);
    return space;
}
