/* SPDX-License-Identifier: MIT */
/* Fields that are arrays, of every scalar and many lengths: where they lie, and sums of them. */
#include "cases.h"
#include "reduce_case.h"
#include "scan_case.h"

#include "operator/operator.h"

#include <string.h>

/* Arrays are aligned as what they are of, and so is the struct. */
TEST(fields_arrays)
{
    clf_fields fields;
    ck_assert_int_eq(
        clf_fields_parse("char a[3]; float b[10]; short c[ 1 ]; double d[8]; int e", "value", &fields, NULL), 0);
    static const cl_uint bytes[] = {3, 40, 2, 64, 4}, offsets[] = {0, 4, 44, 48, 112};
    for (cl_uint f = 0; f < 5; ++f) {
        ck_assert_uint_eq(fields.field[f].bytes, bytes[f]);
        ck_assert_uint_eq(fields.field[f].offset, offsets[f]);
        ck_assert_int_eq(fields.field[f].is_array, f < 4);
    }
    ck_assert_uint_eq(fields.bytes, 120);
    ck_assert_uint_eq(clf_fields_words(&fields), 1 + 10 + 1 + 16 + 1);
}

/* ---- Sums of any lengths of any integers ----------------------------------------------------------------- */

/* The operator of the test at hand. */
static clf_type scalar;
static size_t length;

static void sum(const void *a, const void *b, void *out)
{
    const size_t bytes = clf_type_size(scalar);
    for (size_t k = 0; k < length; ++k) {
        cl_ulong x = 0, y = 0;
        memcpy(&x, (const char *)a + k * bytes, bytes);
        memcpy(&y, (const char *)b + k * bytes, bytes);
        x += y;
        memcpy((char *)out + k * bytes, &x, bytes); /* the low bytes: hosts of these tests are little */
    }
}

static void any(gen *random, cl_ulong index, void *x)
{
    (void)index;
    for (size_t k = 0; k < length; ++k) {
        const cl_ulong bits = gen_bits(random);
        memcpy((char *)x + k * clf_type_size(scalar), &bits, clf_type_size(scalar));
    }
}

static void run_length(const char *disable)
{
    static const cl_ulong zeros[8];
    static struct {
        char fields[32];
        clf_operator clf;
        ref_operator op;
    } all[CLF_TYPE_COUNT][17], *o; /* plans are kept by operator */
    const ref_layout layout = {1, {{length * clf_type_size(scalar), 0}}};
    o = &all[scalar][length];
    snprintf(o->fields, sizeof o->fields, "%s v[%zu];", clf_type_name(scalar), length);
    o->clf = (clf_operator){
        .size = sizeof o->clf, .value = o->fields, .combine = "clf_sum", .flags = CLF_COMMUTATIVE};
    o->op = (ref_operator){.name = o->fields, .clf = &o->clf, .value = layout, .input = layout, .neutral = zeros,
                           .combine = sum, .generate = any};
    for (size_t n = 127; n <= 1025; n += 449) {
        scan_case scan = {.plan = {&o->op, n % 2, disable, NULL, "items=4,group=32"}, .n = n, .offset = n % 5,
                          .in_place = n == 576, .seed = the_rig()->seed, .suite = "names", .number = -1};
        scan_case_run(scan);
    }
}

TEST(sums_of_every_length)
{
    static const size_t lengths[] = {1, 2, 3, 7, 10, 16};
    static const clf_type types[] = {CLF_UCHAR, CLF_SHORT, CLF_UINT, CLF_LONG};
    for (size_t i = 0; i < COUNT(lengths); ++i) {
        scalar = types[_i % 4];
        length = lengths[i];
        if (length * clf_type_size(scalar) <= 64 && (rig_full() || (i + (size_t)_i / 4) % 2))
            run_length(_i / 4 ? "cpu" : NULL);
    }
}

TEST(arrays_are_no_keys)
{
    clf_operator key = {.size = sizeof key, .value = "int v[3];"};
    clf_plan *plan = NULL;
    clf_error error = {.size = sizeof error};
    assert_status(clf_sort_plan(rig_context(NULL), &key, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "the first field of value is the key, and must be a scalar or ulong2");
}

RIG_PART(add_array_tests, {fields_arrays, 1}, {sums_of_every_length, 8}, {arrays_are_no_keys, 1})
