/* SPDX-License-Identifier: MIT */
/*
 * Thresholds between roles, from rows: the points that a profile would give each role, measured at the same sizes, up
 * to the first at which the role for smaller ones is slower than the next.
 */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double as_good = 1.01; /* noise is no reason to end a role */

/* What a profile would say of the family, or the model's point; NULL where it was not measured. */
static const tune_row *chosen(const tune_log *log, const tune_row *like, const char *name)
{
    const tune_row *start = NULL;
    double gain, least;
    tune_row row = *like;
    snprintf(row.primitive, sizeof row.primitive, "%s", name);
    for (size_t i = 0; i < log->count; ++i)
        if (tune_same_case(&log->row[i], &row) && log->row[i].start)
            start = &log->row[i];
    const tune_row *best = start ? tune_best(log, start, &gain, &least) : NULL;
    return best ? best : start;
}

unsigned tune_limit_points(const tune_log *log, const tune_family *family, const tune_row *like,
                           const tune_row *point[TUNE_BETWEEN])
{
    unsigned count = 0;
    for (unsigned k = 0; k < TUNE_BETWEEN && family->between[k]; ++k) {
        point[count] = chosen(log, like, family->between[k]);
        count += point[count] != NULL;
    }
    return count;
}

static int by_size(const void *a, const void *b)
{
    const tune_row *const *x = a, *const *y = b;
    return ((*x)->segment_size > (*y)->segment_size) - ((*x)->segment_size < (*y)->segment_size);
}

static double time_of(const tune_log *log, const tune_row *shape, const tune_row *point)
{
    tune_row at = *shape;
    strcpy(at.variant, point->variant);
    strcpy(at.define, point->define);
    return tune_median(log, &at);
}

/* Of batches of matrices: their elements. No setting is larger than 32 bits. */
static cl_ulong size_of(const tune_row *shape)
{
    const cl_ulong rows = shape->batch ? shape->segments : 1;
    return shape->segment_size < CL_UINT_MAX / rows ? rows * shape->segment_size : CL_UINT_MAX;
}

/* The largest size up to which `small` is as good as `large`, and there faster; 0: it never is. `next`: the size that
 * was measured behind it; 0: none. */
static cl_ulong limit_between(const tune_log *log, const tune_row *like, const tune_row *small, const tune_row *large,
                              cl_ulong *next)
{
    const tune_row *shape[16];
    const unsigned count = tune_shapes(log, like, shape, 16);
    cl_ulong limit = 0;
    qsort(shape, count, sizeof *shape, by_size);
    *next = count ? size_of(shape[0]) : 0;
    for (unsigned s = 0; s < count; ++s) {
        const double a = time_of(log, shape[s], small), b = time_of(log, shape[s], large);
        if (a < 0 || b < 0)
            *next = 0; /* it is not known */
        if (a < 0 || isinf(a) || b < 0 || a > as_good * b)
            break;
        if (a < b) {
            limit = size_of(shape[s]);
            *next = s + 1 < count ? size_of(shape[s + 1]) : 0;
        }
    }
    return limit;
}

/* A role that no device has unless a profile says so: its variant and parameters, too. */
static void print_role(const tune_family *family, const tune_row *point, cl_ulong limit)
{
    tune_point p;
    tune_parse_point(point->variant, point->define, &p);
    printf("%s.%s.%s = %s\n", family->profile, point->type_class, family->role, point->variant);
    for (unsigned i = 0; i < p.count; ++i)
        printf("%s.%s.%s.%s = %u\n", family->profile, point->type_class, family->role, p.name[i], (unsigned)p.value[i]);
    printf("%s.%s.%s.limit = %llu\n", family->profile, point->type_class, family->role, (unsigned long long)limit);
}

/* From which size on the role for larger ones is worth it. */
static void print_fewest(const tune_family *family, const tune_row *like, const tune_row *small, cl_ulong fewest)
{
    if (fewest == 0)
        return;
    printf("# %s of %s: faster than %s from here on\n", family->profile, like->type, small->primitive);
    printf("%s.%s.%s.%s = %llu\n", family->profile, like->type_class, family->role, family->setting,
           (unsigned long long)fewest);
}

static void print_limit(const tune_row *like, const tune_row *small, const tune_row *large, cl_ulong limit)
{
    const tune_family *const role = tune_family_of(small);
    if (limit == 0)
        return;
    printf("# %s of %s: faster than %s up to here\n", role->name, like->type, large->primitive);
    if (role->told)
        print_role(role, small, limit);
    else
        printf("%s.%s.%s.limit = %llu\n", role->profile, like->type_class, role->role, (unsigned long long)limit);
}

void tune_print_limits(const tune_log *log, const tune_row *like)
{
    const tune_family *const family = tune_family_of(like);
    const tune_row *point[TUNE_BETWEEN];
    const unsigned count = tune_limit_points(log, family, like, point);
    cl_ulong next;
    for (unsigned k = 0; k + 1 < count; ++k) {
        const cl_ulong limit = limit_between(log, like, point[k], point[k + 1], &next);
        if (family->setting)
            print_fewest(family, like, point[k], next);
        else
            print_limit(like, point[k], point[k + 1], limit);
    }
}
