/* SPDX-License-Identifier: MIT */
/*
 * The registry: a row for each primitive of the library, by which all tests make its plans. Variants are not listed:
 * they are those of the library's own tables, so that a new one is met by every test that goes through all.
 */
#ifndef CLFOLD_TESTS_PRIMITIVES_H
#define CLFOLD_TESTS_PRIMITIVES_H

#include "primitives/primitives.h"

#include "suites.h"

/* What a plan is made from besides its options. A primitive looks at what it takes alone. */
typedef struct plan_parts {
    const clf_operator *op;
    cl_ulong wanted; /* of the options, in which all else is the test's own */
    unsigned flags;
    const clf_segmentation *how; /* of irregular segments */
    clf_type type;               /* of indices and positions */
    const char *fields;          /* of gathers and scatters */
    cl_uint parts;               /* of splits */
    size_t bytes;                /* of the elements of transpositions */
} plan_parts;

typedef clf_status plan_of_operator(clf_context *context, const clf_operator *op, unsigned flags,
                                    const clf_plan_options *options, clf_plan **plan, clf_error *error);
typedef clf_status plan_of_segments(clf_context *context, const clf_operator *op, const clf_segmentation *how,
                                    unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error);
typedef clf_status plan_of_fields(clf_context *context, const char *fields, clf_type type, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error);
typedef clf_status plan_of_parts(clf_context *context, const plan_parts *parts, const clf_plan_options *options,
                                 clf_plan **plan, clf_error *error);

typedef struct primitive_row {
    const char *name; /* as in the library's table */
    /* The function that makes plans: one of these. */
    plan_of_operator *by_operator;
    plan_of_segments *by_segments;
    plan_of_fields *by_fields;
    plan_of_parts *by_parts;
    /* The tests' operators for it, by number; NULL: none. And the number of plans that need any. */
    const clf_operator *(*op)(int number);
    int usual;
} primitive_row;

/* Of primitives that join by suites.h. Their operators have numbers from 0 on; the first NULL ends them. */
#define DECLARE(name) extern const primitive_row name##_row;
TEST_PRIMITIVES(DECLARE)
#undef DECLARE

/* All rows. */
size_t primitive_count(void);
const primitive_row *primitive_number(size_t i);

/* The row, and the library's; a name that nobody has ends the process. */
const primitive_row *primitive_named(const char *name);
const clf_primitive *primitive_known(const char *name);

/* Parts of a plan of any operator, of ints where elements are of any type; irregular segments by offsets. */
plan_parts primitive_usual(const char *name);
/* The same, but for what is given. */
plan_parts primitive_parts(const char *name, const plan_parts *given);
/* As clf_…_plan. */
clf_status primitive_plan(const char *name, clf_context *context, const plan_parts *parts,
                          const clf_plan_options *options, clf_plan **plan, clf_error *error);

/* The library's variants of a primitive: their number, and one of them. */
size_t variant_count(const char *name);
const clf_variant *variant_number(const char *name, size_t number);
bool variant_is_for_cpus(const clf_variant *variant);

#endif
