/* SPDX-License-Identifier: MIT */
/* What holds for the calls of all primitives: those of suite `injection` (injection.c). */
#include "injection.h"

#include "primitives/primitives.h"

#include <stdio.h>
#include <string.h>

/* ---- Images -------------------------------------------------------------------------------------------- */

static cl_mem make_image(void)
{
    enum { WIDTH = 2048, HEIGHT = 8 /* more bytes than any array of the world has */ };
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT32};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    cl_int status;
    cl_mem image = clCreateImage(the_rig()->cl, CL_MEM_READ_WRITE, &format, &shape, NULL, &status);
    assert_ok(status);
    layer_add(LAYER_BUFFER, 1); /* which the layer sees released */
    return image;
}

/* The call with an image for one of its arrays: refused before any command, if it has the array. */
static bool refuses_image(const subject *s, clf_plan *plan, const world *w, clf_array *array, cl_mem image,
                          rig_told *told)
{
    const clf_array kept = *array;
    const unsigned long before = layer_commands();
    *told = (rig_told){0};
    array->buffer = image;
    const clf_status status = s->call(w, plan, CLF_ON(the_rig()->queue));
    *array = kept;
    if (status == CLF_SUCCESS)
        return false;
    assert_status(status, CLF_E_BUFFER);
    ck_assert_msg(strstr(told->sentence, ".buffer is an image or a pipe, not a buffer"), "%s: \"%s\"", s->name,
                  told->sentence);
    ck_assert_uint_eq(layer_commands(), before);
    return true;
}

static bool refuses_scratch(const subject *s, clf_plan *plan, const world *w, cl_mem image)
{
    const clf_call on = {.size = sizeof on, .queue = the_rig()->queue, .scratch = {image, 0}};
    const clf_status status = s->call(w, plan, &on);
    ck_assert_msg(status == CLF_SUCCESS || status == CLF_E_BUFFER, "%s: %s", s->name, clf_status_text(status));
    return status != CLF_SUCCESS;
}

TEST(images_are_refused)
{
    const subject *const s = subject_number(_i);
    rig_told told = {0};
    cl_bool has_images = CL_FALSE;
    world w;
    assert_ok(clGetDeviceInfo(the_rig()->device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL));
    if (!has_images || !s->expected)
        return;
    clf_plan *plan;
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = &told);
    assert_ok(subject_plan(s, context, &plan, NULL));
    world_open(&w);
    const cl_mem image = make_image();
    int refused = 0;
    clf_array *const arrays[] = {&w.in, &w.out, &w.lengths, &w.flags, &w.count};
    for (size_t i = 0; i < COUNT(arrays); ++i)
        refused += refuses_image(s, plan, &w, arrays[i], image, &told);
    ck_assert_msg(refused >= 1, "%s takes images", s->name);
    const bool refuses = refuses_scratch(s, plan, &w, image), needs = strcmp(s->name, "split") == 0;
    ck_assert(refuses || !needs);
    assert_ok(clFinish(the_rig()->queue));
    clReleaseMemObject(image);
    world_close(&w);
    rig_release_all(context, plan);
}

/* ---- Plans of others ------------------------------------------------------------------------------------ */

/* The call with the plan of a scan, or a scan's with another's: the sentence says what the plan is for. */
static void refuse_plan(const subject *s, clf_plan *scan, clf_plan *reduction, const world *w, rig_told *told)
{
    char sentence[128];
    const bool scans = strcmp(s->primitive, "scan") == 0;
    *told = (rig_told){0};
    assert_status(s->call(w, scans ? reduction : scan, CLF_ON(the_rig()->queue)), CLF_E_ARGUMENT);
    const char *const name = strstr(told->sentence, primitive_known(s->primitive)->name);
    snprintf(sentence, sizeof sentence, ": the plan is one for %s", scans ? "reduce" : "scan");
    ck_assert_msg(strncmp(told->sentence, "clf_", 4) == 0 && name && strstr(name, sentence), "%s: \"%s\"", s->name,
                  told->sentence);
    assert_status(s->call(w, NULL, CLF_ON(the_rig()->queue)), CLF_E_ARGUMENT);
}

TEST(plans_of_others_are_told)
{
    rig_told told = {0};
    const clf_call *const on = CLF_ON(the_rig()->queue);
    world w;
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = &told);
    clf_plan *const scan = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    clf_plan *const reduction = RIG_PLAN(clf_reduce_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL);
    world_open(&w);
    for (int i = 0; i < subject_count(); ++i)
        if (!subject_number(i)->plan) /* others' functions take no plan, or are inside */
            refuse_plan(subject_number(i), scan, reduction, &w, &told);
    told = (rig_told){0};
    REFUSES(&told, ARGUMENT, "the plan is one for scan", clf_reduce(scan, on, ELEMENTS, &w.in, &w.out));
    REFUSES(&told, ARGUMENT, "the plan is one for scan",
            clf_unique(scan, on, ELEMENTS, ELEMENTS, &w.in, &w.out, &w.count));
    world_close(&w);
    rig_release_all(context, scan, reduction);
}

/* ---- Scratch ------------------------------------------------------------------------------------------- */

/* Test number i is of kind i / 2, with kernels for CPUs and without. */
static clf_context *context_of(int i)
{
    return rig_context(i % 2 ? "cpu" : NULL);
}

static clf_plan *plan_of(int i)
{
    clf_plan *plan;
    assert_ok(subject_plan(subject_number(i / 2), context_of(i), &plan, NULL));
    return plan;
}

/* As n, count or both grow beyond all bounds scratch does not become less, until there is too much of it. */
static void grow(const clf_plan *plan, const char *name, bool elements, bool segments)
{
    cl_ulong before = 0;
    clf_status last = CLF_SUCCESS;
    for (int shift = 40; shift <= 64; ++shift)
        for (int less = 1; less >= 0; --less) {
            const cl_ulong many = (shift < 64 ? (cl_ulong)1 << shift : 0) - (cl_ulong)(less || shift == 64);
            cl_ulong bytes = 7;
            const clf_status status = clf_plan_scratch(plan, elements ? many : ELEMENTS, segments ? many : ROWS,
                                                       &bytes);
            ck_assert_msg(status == CLF_SUCCESS || (status == CLF_E_OVERFLOW && bytes == 0), "%s: %s", name,
                          clf_status_text(status));
            ck_assert_msg(last == CLF_SUCCESS || status == CLF_E_OVERFLOW, "%s: too much, but not for %llx", name,
                          (unsigned long long)many);
            ck_assert_msg(status != CLF_SUCCESS || (bytes >= before && bytes < CLF_SCRATCH_MOST),
                          "%s: %llu bytes for %llx, %llu for less", name, (unsigned long long)bytes,
                          (unsigned long long)many, (unsigned long long)before);
            before = bytes;
            last = status;
        }
}

TEST(scratch_does_not_wrap_around)
{
    const subject *const s = subject_number(_i / 2);
    static const char *const grown[] = {"scan in two passes", "merge sort", "sort", "sort in two passes", "split",
                                        "sort of rows", "sort by lengths", "merge", "top-k"};
    clf_plan *const plan = plan_of(_i);
    cl_ulong bytes;
    grow(plan, s->name, true, false);
    grow(plan, s->name, false, true);
    grow(plan, s->name, true, true);
    for (size_t i = 0; i < COUNT(grown); ++i)
        if (strcmp(grown[i], s->name) == 0)
            for (int shift = 61; shift < 64; ++shift)
                assert_status(clf_plan_scratch(plan, (cl_ulong)1 << shift, 0, &bytes), CLF_E_OVERFLOW);
    clf_plan_release(plan);
}

/* Scratch of not a byte more than the plan says is enough, and not looked at where that is none. */
TEST(scratch_is_enough)
{
    const subject *const s = subject_number(_i / 2);
    clf_plan *const plan = plan_of(_i);
    world w;
    cl_ulong bytes = 0;
    if (s->scratch)
        assert_ok(subject_bytes(s, plan, &bytes));
    const clf_array scratch = {rig_buffer((size_t)bytes + 16, NULL), 16};
    const clf_call on = {.size = sizeof on, .queue = the_rig()->queue,
                         .scratch = s->scratch ? scratch : (clf_array){0}};
    world_open(&w);
    world_wipe(&w);
    assert_ok(s->call(&w, plan, &on));
    ck_assert_msg(!s->scratch || !s->expected || world_is_right(&w, s), "%s: wrong results", s->name);
    clReleaseMemObject(scratch.buffer);
    world_close(&w);
    clf_plan_release(plan);
}

/* ---- Scratch of calls that the device knows more of ------------------------------------------------------- */

/* A sum with a weight: two fields, so that what an initial value begins with is copied to scratch. */
static const clf_operator weighted = {
    .size = sizeof weighted, .value = "int sum; uchar weight;", .input = "int v;", .combine = "add", .neutral = "none",
    .map = "one", .part = "third",
    .source = "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; a.weight += b.weight; return a; }\n"
              "clf_value none(void) { clf_value z = {0, 0}; return z; }\n"
              "clf_value one(clf_input v, ulong i) { clf_value r = {v.v, 1}; return r; }\n"
              "uint third(clf_input v, ulong i) { return i % 3; }\n"};

static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT},
                              by_lengths = {sizeof by_lengths, CLF_BY_LENGTHS, CLF_UINT},
                              by_bytes = {sizeof by_bytes, CLF_BY_HEAD_BYTES, CLF_UCHAR};

enum { REDUCE, REDUCE_ROWS, BY_OFFSETS, BY_LENGTHS, BY_BYTES, BY_INDEX, SCAN, KINDS, RESULTS = 3 };

static clf_plan *weighted_plan(clf_context *context, int kind)
{
    clf_operator op = weighted;
    clf_plan *plan = NULL;
    const clf_segmentation *const how[] = {[BY_OFFSETS] = &by_offsets, [BY_LENGTHS] = &by_lengths,
                                           [BY_BYTES] = &by_bytes};
    op.part = kind == BY_INDEX ? op.part : NULL;
    if (kind == REDUCE || kind == REDUCE_ROWS)
        assert_ok(clf_reduce_plan(context, &op, CLF_FROM_DEVICE, NULL, &plan, NULL));
    else if (kind == BY_INDEX)
        assert_ok(clf_reduce_by_index_plan(context, &op, CLF_FROM_DEVICE, NULL, &plan, NULL));
    else if (kind == SCAN)
        assert_ok(clf_scan_plan(context, &op, CLF_FROM_DEVICE, NULL, &plan, NULL));
    else
        assert_ok(clf_irregular_reduce_plan(context, &op, how[kind], CLF_FROM_DEVICE, NULL, &plan, NULL));
    return plan;
}

static clf_status call_weighted(clf_plan *plan, int kind, const clf_call *call, cl_ulong n, const clf_array *segments,
                                const clf_array *in, const clf_array *out)
{
    switch (kind) {
    case REDUCE: return clf_reduce(plan, call, n, in, out);
    case REDUCE_ROWS: return clf_segmented_reduce(plan, call, RESULTS, n / RESULTS, in, out);
    case BY_INDEX: return clf_reduce_by_index(plan, call, n, RESULTS, in, out);
    case SCAN: return clf_scan(plan, call, n, in, out);
    default: return clf_irregular_reduce(plan, call, n, RESULTS, segments, in, out, NULL);
    }
}

/* With initial values on the device; of n elements, of which the device says there are `actual`, or all. */
static void call_exactly(clf_context *context, int kind, cl_ulong n, cl_ulong actual)
{
    static const cl_uint told[] = {0, 0, 0, 0}, all[] = {ELEMENTS, 0, 0, 0};
    static const cl_int zeros[ELEMENTS];
    const cl_int sums[ELEMENTS] = {0};
    const cl_uchar weight = 7;
    const cl_int first = 40;
    clf_plan *const plan = weighted_plan(context, kind);
    const clf_array in = {rig_buffer(sizeof zeros, zeros), 0}, size = {rig_buffer(8, &actual), 0},
                    initial[] = {{rig_buffer(sizeof first, &first), 0}, {rig_buffer(1, &weight), 0}},
                    out[] = {{rig_buffer(sizeof sums, sums), 0}, {rig_buffer(ELEMENTS, sums), 0}},
                    segments = {rig_buffer(ELEMENTS, NULL), 0};
    cl_ulong bytes = 0;
    const bool counts = kind == BY_OFFSETS || kind == BY_LENGTHS || kind == BY_INDEX;
    assert_ok(clEnqueueWriteBuffer(the_rig()->queue, segments.buffer, CL_TRUE, 0, sizeof told,
                                   kind == BY_LENGTHS && n ? all : told, 0, NULL, NULL));
    assert_ok(clf_plan_scratch(plan, n, counts ? RESULTS : 0, &bytes));
    const clf_array scratch = {rig_buffer((size_t)bytes + 16, NULL), 16};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .scratch = scratch,
                           .initial_arrays = kind == BY_INDEX ? NULL : initial /* there is none */,
                           .actual = actual < n ? size : (clf_array){0}};
    const clf_status status = call_weighted(plan, kind, &call, n, &segments, &in, out);
    ck_assert_msg(status == CLF_SUCCESS, "kind %d, %llu of %llu elements, scratch of %llu bytes: %s", kind,
                  (unsigned long long)actual, (unsigned long long)n, (unsigned long long)bytes,
                  clf_status_text(status));
    cl_int sum = 0;
    rig_read(the_rig()->queue, out[0].buffer, sizeof sum, &sum);
    if (n == 0 && kind <= BY_LENGTHS)
        ck_assert_int_eq(sum, first);
    const clf_array *const arrays[] = {&in, &size, &initial[0], &initial[1], &out[0], &out[1], &segments, &scratch};
    for (size_t i = 0; i < COUNT(arrays); ++i)
        clReleaseMemObject(arrays[i]->buffer);
    clf_plan_release(plan);
}

TEST(scratch_is_enough_for_what_the_device_knows)
{
    const cl_ulong sizes[] = {0, RESULTS, ELEMENTS};
    for (size_t n = 0; n < COUNT(sizes); ++n)
        for (size_t less = 0; less <= n; ++less)
            call_exactly(context_of(_i), _i / 2, sizes[n], sizes[less]);
}

RIG_PART(add_every_call_tests, {images_are_refused, subject_count()}, {plans_of_others_are_told, 1},
         {scratch_does_not_wrap_around, 2 * subject_count()}, {scratch_is_enough, 2 * subject_count()},
         {scratch_is_enough_for_what_the_device_knows, 2 * KINDS})
