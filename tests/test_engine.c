/* SPDX-License-Identifier: MIT */
/*
 * When the engines of a plan are compiled: the main one with the plan, others when a call needs them, all by
 * clf_plan_compile; by several threads too, and after a failure. And what their calls clear of scratch. Kernels for
 * GPUs, on any device.
 */
#include "harness.h"
#include "primitives/primitives.h"

#include <pthread.h>
#include <string.h>

enum { N = 100 /* within the tile of one group */ };

typedef struct scene {
    clf_context *context;
    clf_plan *plan;
    cl_mem in, out;
    char said[512];
} scene;

static void hear(const char *sentence, clf_status status, void *user)
{
    scene *s = user;
    (void)status;
    strncat(s->said, sentence, sizeof s->said - strlen(s->said) - 1);
}

static void open_scene(scene *s)
{
    cl_int ones[N];
    *s = (scene){0};
    unsetenv("CLFOLD_CACHE_DIR"); /* or it would have the last word */
    for (int i = 0; i < N; ++i)
        ones[i] = 1;
    s->context = RIG_CONTEXT(.cache_dir = "off", .disable = "cpu", .notify = hear, .user = s);
    assert_ok(clf_scan_plan(s->context, clf_builtin(CLF_SUM, CLF_INT), 0, NULL, &s->plan, NULL));
    s->in = rig_buffer(sizeof ones, ones);
    s->out = rig_buffer(sizeof ones, NULL);
}

static void close_scene(scene *s)
{
    assert_ok(clFinish(the_rig()->queue));
    rig_release_buffers(s->in, s->out);
    rig_release_all(s->context, s->plan);
}

static clf_status scan(const scene *s)
{
    return clf_scan(s->plan, CLF_ON(the_rig()->queue), N, &(clf_array){s->in, 0}, &(clf_array){s->out, 0});
}

static bool is_right(const scene *s)
{
    cl_int got[N];
    bool right = clEnqueueReadBuffer(the_rig()->queue, s->out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL) ==
                 CL_SUCCESS;
    for (int i = 0; i < N; ++i)
        right = right && got[i] == i + 1;
    return right;
}

static size_t engines(const clf_plan *plan)
{
    size_t count = 0;
    for (size_t role = 0; role < CLF_MAX_ROLES; ++role)
        count += plan->engine[role] != NULL;
    return count;
}

static unsigned long compiled(const scene *s)
{
    return atomic_load(&s->context->compiler.compiled);
}

TEST(engines_are_compiled_when_needed)
{
    scene s;
    open_scene(&s);
    ck_assert_uint_gt(engines(s.plan), 1);
    ck_assert_uint_eq(compiled(&s), 1);
    assert_ok(scan(&s));
    ck_assert(is_right(&s));
    ck_assert_uint_eq(compiled(&s), 2);
    assert_ok(scan(&s));
    ck_assert_uint_eq(compiled(&s), 2);
    close_scene(&s);
}

TEST(all_are_compiled_on_request)
{
    scene s;
    open_scene(&s);
    assert_ok(clf_plan_compile(s.plan, NULL));
    const unsigned long all = compiled(&s);
    ck_assert_uint_eq(all, engines(s.plan));
    assert_ok(clf_plan_compile(s.plan, NULL));
    assert_ok(scan(&s));
    ck_assert(is_right(&s));
    ck_assert_uint_eq(compiled(&s), all);
    close_scene(&s);
    clf_error error = {.size = sizeof error};
    assert_status(clf_plan_compile(NULL, &error), CLF_E_ARGUMENT);
    ck_assert_str_ne(error.message, "");
}

/* Of plans by lengths, the scan of these too. */
TEST(so_are_those_of_lengths)
{
    scene s;
    clf_plan *plan;
    const clf_segmentation lengths = {.size = sizeof lengths, .by = CLF_BY_LENGTHS, .type = CLF_UINT};
    open_scene(&s);
    assert_ok(clf_irregular_reduce_plan(s.context, clf_builtin(CLF_SUM, CLF_INT), &lengths, 0, NULL, &plan, NULL));
    assert_ok(clf_plan_compile(plan, NULL));
    const clf_plan *const scan_of_lengths = ((const clf_told *)plan->own)->lengths_scan;
    for (size_t role = 0; role < CLF_MAX_ROLES; ++role)
        ck_assert(!scan_of_lengths->engine[role] || atomic_load(&scan_of_lengths->engine[role]->compiled));
    assert_ok(clf_plan_release(plan));
    close_scene(&s);
}

static void *first_call(void *argument)
{
    return scan(argument) == CLF_SUCCESS ? argument : NULL;
}

/* Threads that need an engine at the same time leave one program, of which the engine has the only reference. */
TEST(first_calls_may_race)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    scene s;
    open_scene(&s);
    for (size_t i = 0; i < THREADS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, first_call, &s), 0);
    for (size_t i = 0; i < THREADS; ++i) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_eq(result, &s);
    }
    ck_assert(is_right(&s));
    close_scene(&s); /* the suite's ledger misses nothing */
}

/* A call whose engine does not compile says so and touches nothing; the next one compiles it. */
TEST(a_call_that_cannot_compile_is_refused)
{
    scene s;
    cl_int code;
    open_scene(&s);
    for (unsigned long k = 1;; ++k) {
        layer_arm(k, 0, false);
        const clf_status status = scan(&s);
        if (!layer_disarm(&code)) {
            assert_ok(status);
            ck_assert_uint_gt(k, 3);
            break;
        }
        if (status == CLF_SUCCESS)
            break; /* what failed could be done without */
    }
    ck_assert_ptr_nonnull(strstr(s.said, "clf_scan: "));
    assert_ok(scan(&s));
    ck_assert(is_right(&s));
    close_scene(&s);
}

/* ---- What a call clears ------------------------------------------------------------------------------ */

enum { DIRTY = 1 << 24 /* bytes */ };

/* Leaves a large workspace in the pool that is full of what could be taken for messages. */
static void leave_dirty(clf_pool *of, cl_command_queue queue)
{
    const cl_uint ones = 0xffffffff;
    clf_workspace *w = NULL;
    clf_pool_trim(of);
    assert_ok(clf_pool_take(of, queue, true, DIRTY, &w));
    assert_ok(clEnqueueFillBuffer(queue, w->buffer, &ones, sizeof ones, 0, DIRTY, 0, NULL, NULL));
    clf_pool_return(of, w, queue, true, 0, NULL);
}

/* Scans n ones, and returns how many bytes that call has cleared. */
static cl_ulong scan_ones(clf_plan *plan, size_t n, cl_uint *values)
{
    const cl_command_queue queue = the_rig()->queue;
    for (size_t i = 0; i < n; ++i)
        values[i] = 1;
    const clf_array in = {rig_buffer(n * sizeof *values, values), 0}, out = {rig_buffer(n * sizeof *values, NULL), 0};
    const cl_ulong before = layer_filled();
    assert_ok(clf_scan(plan, CLF_ON(queue), n, &in, &out));
    const cl_ulong cleared = layer_filled() - before;
    rig_read(queue, out.buffer, n * sizeof *values, values);
    for (size_t i = 0; i < n; ++i)
        ck_assert_uint_eq(values[i], i + 1);
    rig_release(in, out);
    return cleared;
}

/* However large the workspace is, and whatever is in it: no more is cleared than calls need, and that once. */
TEST(calls_clear_what_they_need)
{
    enum { TILE = 256, MOST = 256 * TILE };
    static cl_uint values[MOST];
    const plan_key key = {.op = ref_builtin(CLF_SUM, CLF_UINT), .disable = "cpu", .variant = "serial",
                          .parameters = "group=64,items=4"};
    clf_plan *const plan = rig_plan(&key);
    if (!plan)
        return;
    ck_assert_uint_eq(plan_tile(plan), TILE);
    cl_ulong cleared = 0, scratch = 0;
    leave_dirty(&plan->context->pool, the_rig()->queue);
    for (size_t n = MOST / 8; n <= MOST; n *= 2) {
        cleared += scan_ones(plan, n, values);
        assert_ok(clf_plan_scratch(plan, n, 1, &scratch));
        ck_assert_uint_ge(cleared, scratch);
        ck_assert_uint_le(cleared, 2 * scratch + CLF_SCRATCH_LEAST);
        ck_assert_uint_eq(scan_ones(plan, n, values), 0);
    }
}

RIG_SUITE(engine, NULL, {engines_are_compiled_when_needed, 1}, {all_are_compiled_on_request, 1},
          {so_are_those_of_lengths, 1}, {first_calls_may_race, 1}, {a_call_that_cannot_compile_is_refused, 1},
          {calls_clear_what_they_need, 1})
