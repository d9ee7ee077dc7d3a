/* SPDX-License-Identifier: MIT */
/*
 * Keys by which there is little to sort, or more than one sort: a part of suite `sort`. A key that is the same of all
 * elements, so that no digit differs; and several columns, of which the last is sorted by first.
 */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

static const route routes[] = {{NULL, NULL, NULL},
                               {"cpu", NULL, NULL},
                               {"cpu", "lookback", "items=3,group=64"},
                               {"cpu", "two_pass", "items=5,group=64"},
                               {"cpu", "merge", NULL},
                               {ROUTE_BARE, NULL, "items=2,group=32"}};

/* ---- One key --------------------------------------------------------------------------------------------------- */

/* Everything stays in order, wherever outputs are. */
TEST(a_key_that_all_share)
{
    static const unsigned flags[] = {0, CLF_DESCENDING, CLF_FROM_DEVICE};
    static const size_t sizes[] = {0, 1, 2, 191, 192, 193, 5000};
    for (unsigned f = 0; f < COUNT(flags); ++f) {
        if (!rig_full() && f != (unsigned)_i % COUNT(flags))
            continue;
        const sort_key key = {ref_sort_of(REF_SORT_CONSTANT), flags[f], routes[_i], .kind = SORT_WHOLE};
        clf_plan *plan = sort_plan(&key);
        for (unsigned k = 0; plan && k < COUNT(sizes) * PLACES; ++k) {
            sort_case test = sort_case_of(&key, sizes[k % COUNT(sizes)], k);
            test.place = (guarded_place)(k / COUNT(sizes));
            test.pattern = SORT_UNIFORM;
            sort_case_run(plan, test);
        }
        clf_plan_release(plan);
    }
}

/* ---- Several columns ------------------------------------------------------------------------------------------- */

enum { ROWS = 3000, COLUMNS = 4 };

/* Ties in every column, and in all of the first three. */
typedef struct row {
    cl_uint a;
    cl_float b;
    cl_short c;
    cl_uint at;
} row;

#define BY(type, column)                                                                                               \
    {.size = sizeof(clf_operator), .value = "uint a; float b; short c; uint at;", .key = type " by",                   \
     .source = type " by(clf_value v) { return v." column "; }"}
static const clf_operator by_column[] = {BY("uint", "a"), BY("float", "b"), BY("short", "c")};
static const ref_sort columns[] = {{.name = "rows by a", .clf = &by_column[0], .type = CLF_UINT},
                                   {.name = "rows by b", .clf = &by_column[1], .type = CLF_FLOAT},
                                   {.name = "rows by c", .clf = &by_column[2], .type = CLF_SHORT}};
static const unsigned orders[] = {0, CLF_DESCENDING, 0};

static int compare_rows(const void *left, const void *right)
{
    const row *const x = left, *const y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    if (x->b != y->b)
        return x->b > y->b ? -1 : 1;
    if (x->c != y->c)
        return x->c < y->c ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void make_rows(gen *random, row *rows)
{
    for (cl_uint i = 0; i < ROWS; ++i)
        rows[i] = (row){(cl_uint)gen_below(random, 3) << 24, (cl_float)gen_below(random, 5) - 2,
                        (cl_short)((cl_short)gen_below(random, 7) - 3), i};
}

static void copy_row(row *rows, size_t i, unsigned char *const *to, bool back)
{
    void *const field[] = {&rows[i].a, &rows[i].b, &rows[i].c, &rows[i].at};
    static const size_t bytes[] = {4, 4, 2, 4};
    for (unsigned c = 0; c < COLUMNS; ++c)
        memcpy(back ? field[c] : to[c] + i * bytes[c], back ? to[c] + i * bytes[c] : field[c], bytes[c]);
}

/* In place, by the last column first. False: the device cannot. */
static bool sort_columns(const route *r, const clf_array *table)
{
    for (unsigned c = COUNT(columns); c-- > 0;) {
        const sort_key key = {&columns[c], orders[c], *r, .kind = SORT_WHOLE};
        clf_plan *const plan = sort_plan(&key);
        if (!plan)
            return false;
        assert_ok(clf_sort(plan, CLF_ON(the_rig()->queue), ROWS, table, table));
        clf_plan_release(plan);
    }
    return true;
}

TEST(several_columns)
{
    static const size_t bytes[] = {4, 4, 2, 4};
    static row rows[ROWS], expected[ROWS];
    static unsigned char memory[COLUMNS][4 * ROWS];
    unsigned char *const fields[] = {memory[0], memory[1], memory[2], memory[3]};
    gen random = gen_seed(the_rig()->seed, 6500 + (uint64_t)_i);
    clf_array table[COLUMNS];
    make_rows(&random, rows);
    memcpy(expected, rows, sizeof rows);
    qsort(expected, ROWS, sizeof *expected, compare_rows);
    for (size_t i = 0; i < ROWS; ++i)
        copy_row(rows, i, fields, false);
    for (unsigned c = 0; c < COLUMNS; ++c)
        table[c] = (clf_array){rig_buffer(ROWS * bytes[c], fields[c]), 0};
    const bool sorted = sort_columns(&routes[_i], table);
    for (unsigned c = 0; c < COLUMNS; ++c)
        rig_read(the_rig()->queue, table[c].buffer, ROWS * bytes[c], fields[c]);
    for (size_t i = 0; sorted && i < ROWS; ++i) {
        copy_row(rows, i, fields, true);
        ck_assert_msg(compare_rows(&rows[i], &expected[i]) == 0, "row %u in place %u, not row %u", (unsigned)rows[i].at,
                      (unsigned)i, (unsigned)expected[i].at);
    }
    for (unsigned c = 0; c < COLUMNS; ++c)
        clReleaseMemObject(table[c].buffer);
}

RIG_PART(add_sort_key_tests, {a_key_that_all_share, COUNT(routes)}, {several_columns, COUNT(routes)})
