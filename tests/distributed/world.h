/* SPDX-License-Identifier: MIT */
/*
 * What the tests of clfold_distributed and clfold_mpi share. Every process makes the data of all members from the same
 * seed, gives its own members their parts, and compares their results with its part of the sequential reference.
 */
#ifndef CLFOLD_TEST_WORLD_H
#define CLFOLD_TEST_WORLD_H

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold_distributed.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 16, MOST_FIELDS = 4 };

/* ---- Members ------------------------------------------------------------------------------------------- */

typedef struct world {
    clf_comm *comm;
    cl_uint members, first, locals;
    cl_device_id device;
    cl_context cl[MOST_MEMBERS];
    clf_context *context[MOST_MEMBERS];
    cl_command_queue queue[MOST_MEMBERS];
} world;

/* One member per process with MPI; `members` of them, on the same device, without. */
bool world_open(world *w, cl_uint members);
void world_close(world *w);

/* Is it so on all processes? */
bool world_agrees(bool good);

/* May this process print? */
bool world_speaks(void);

void world_start(int *argc, char ***argv);
void world_stop(void);

/* ---- Random numbers ------------------------------------------------------------------------------------ */

typedef struct generator {
    uint64_t state;
} generator;

uint64_t draw(generator *g);
uint64_t draw_below(generator *g, uint64_t n);

/* ---- Distributions ------------------------------------------------------------------------------------- */

enum pattern { EVEN, ONE_EACH, FIRST_ONLY, LAST_ONLY, HOLES, SKEWED, NOBODY, PATTERNS };

/* How many elements each member has; returns how many all have. */
uint64_t distribute(enum pattern pattern, cl_uint members, generator *g, cl_ulong *n);

/* ---- Arrays of fields ---------------------------------------------------------------------------------- */

/* Numbers as the reference has them: [elements][fields], whatever the fields' types. */
typedef struct table {
    uint64_t count;
    cl_uint fields;
    size_t bytes[MOST_FIELDS]; /* of a field on the device */
    uint64_t *at;
} table;

table table_make(uint64_t count, cl_uint fields, const size_t *bytes);
uint64_t *row(const table *t, uint64_t i);

/* Arrays of a member: elements [begin, begin + count) of a table, or room for so many; behind some others. */
void give(const world *w, cl_uint l, const table *t, uint64_t begin, uint64_t count, clf_array *arrays);
void make_room(const world *w, cl_uint l, const table *like, uint64_t count, clf_array *arrays);

/* Are a member's elements those of the table? */
bool same_rows(const world *w, cl_uint l, const clf_array *arrays, const table *t, uint64_t begin, uint64_t count);

/* Releases all tables and arrays that were made. */
void case_end(void);

/* ---- Operators ----------------------------------------------------------------------------------------- */

typedef struct test_operator {
    const char *name;
    clf_operator op;
    cl_uint inputs, values, extras, captured;
    size_t input_bytes[MOST_FIELDS], value_bytes[MOST_FIELDS], extra_bytes[MOST_FIELDS];
    void (*generate)(generator *g, uint64_t *in);
    /* `size` is what c->clf_size says: the length of segments */
    void (*map)(const uint64_t *in, uint64_t index, uint64_t size, uint64_t *value, uint64_t *extra);
    void (*combine)(const uint64_t *a, const uint64_t *b, uint64_t *value);
    uint64_t neutral[MOST_FIELDS], initial[MOST_FIELDS];
} test_operator;

enum { MATRIX, AFFINE, FIRST, LAST, SUM, HEADED, OPERATORS };
extern const test_operator operators[OPERATORS];

/* The captured array of AFFINE. */
extern const cl_uint captured_numbers[3];

/* An initial value as calls take it; NULL if `with` is false. */
const void *initial_struct(const test_operator *o, bool with, void *room);

/* Elements in, mapped: values and extras. `size` is the length of segments. */
void map_all(const test_operator *o, const table *in, uint64_t size, table *values, table *extras);

/* ---- Plain calls --------------------------------------------------------------------------------------- */

/* All primitives by number, in their plainest form (plain.c): on elements of 32 bits, with as many results at most. */
enum { PLAIN_CALLS = 11 };
clf_status plain_plan(clf_comm *comm, int primitive, clf_comm_plan **plan);
clf_status plain_call(clf_comm_plan *plan, int primitive, cl_uint members, const cl_ulong *n, const clf_array *in,
                      const clf_array *out);

/* ---- Cases --------------------------------------------------------------------------------------------- */

/* What a case gets: members, the numbers of its seed. */
typedef struct test_case {
    world *w;
    generator g;
    enum pattern pattern;
    cl_ulong n[MOST_MEMBERS], offset[MOST_MEMBERS + 1]; /* of members */
    uint64_t total;
} test_case;

/* Ends a case with false, and says where, unless this holds. */
#define HOLDS(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            return false;                                                   \
        }                                                                   \
    } while (0)

/* Has each member here its results, of which member k's begin at first[k] of the table? */
bool right_results(const test_case *c, const clf_comm_results *results, const uint64_t *first, const table *wanted,
                   const clf_array *out);

typedef bool operator_test(test_case *c, const test_operator *o);
operator_test test_reduce, test_scan, test_segmented_scan, test_segmented_reduce;
typedef bool case_test(test_case *c);
case_test test_filter, test_rebalance, test_sort, test_long_sort, test_reduce_by_index, test_reduce_by_key, test_unique,
    test_transpose, test_extremes, test_failures, test_transport;

#endif
