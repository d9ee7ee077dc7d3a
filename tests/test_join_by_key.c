/* SPDX-License-Identifier: MIT */
/* Joined operators in reductions by key and by index, whose operators have a function more than others. */
#include "harness.h"

enum { N = 5000, KEYS = 40, RUN = N / KEYS };

/* Of keys and values: sums in runs of like keys, maxima in runs, and how many there are of whatever key. */
static const char *const same[] = {"together", NULL, "alike"};
static clf_operator part_of(int which)
{
    static const clf_operator all[] = {
        {.size = sizeof all[0], .value = "int sum;", .input = "int key; int v;", .combine = "add", .neutral = "none",
         .map = "take",
         .source = "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
                   "clf_value none(void) { clf_value z = {0}; return z; }\n"
                   "clf_value take(clf_input x, ulong i) { clf_value r = {x.v}; return r; }\n"
                   "bool together(clf_input a, clf_input b) { return a.key / 2 == b.key / 2; }\n"
                   "uint bin(clf_input x, ulong i) { return x.key; }\n"},
        {.size = sizeof all[0], .value = "int most;", .input = "int key; int v;", .combine = "clf_max", .map = "take",
         .source = "clf_value take(clf_input x, ulong i) { clf_value r = {x.v}; return r; }\n"},
        {.size = sizeof all[0], .value = "int count;", .input = "int k; int w;", .combine = "add", .neutral = "none",
         .map = "one",
         .source = "clf_value add(clf_value a, clf_value b) { a.count += b.count; return a; }\n"
                   "clf_value none(void) { clf_value z = {0}; return z; }\n"
                   "clf_value one(clf_input x, ulong i) { clf_value r = {1}; return r; }\n"
                   "bool alike(clf_input a, clf_input b) { return a.k == b.k; }\n"}};
    return all[which];
}

typedef struct world {
    clf_array in[2], out[3], count;
    cl_int sums[KEYS], most[KEYS], counts[KEYS];
} world;

static void open_world(world *w)
{
    cl_int keys[N], values[N];
    *w = (world){.count = {rig_buffer(8, NULL), 0}};
    for (int i = 0; i < N; ++i) {
        const int key = i / RUN;
        keys[i] = key;
        values[i] = (i * 7919) % 1000 - 300;
        w->sums[key] += values[i];
        w->most[key] = i % RUN == 0 || values[i] > w->most[key] ? values[i] : w->most[key];
        ++w->counts[key];
    }
    w->in[0] = (clf_array){rig_buffer(sizeof keys, keys), 0};
    w->in[1] = (clf_array){rig_buffer(sizeof values, values), 0};
    for (int f = 0; f < 3; ++f)
        w->out[f] = (clf_array){rig_buffer(sizeof keys, NULL), 0};
}

static void check_and_close(world *w)
{
    const cl_int *const expected[] = {w->sums, w->most, w->counts};
    for (int f = 0; f < 3; ++f) {
        cl_int got[KEYS];
        rig_read(the_rig()->queue, w->out[f].buffer, sizeof got, got);
        for (int k = 0; k < KEYS; ++k)
            ck_assert_msg(got[k] == expected[f][k], "field %d of key %d is %d, not %d", f, k, got[k], expected[f][k]);
        clReleaseMemObject(w->out[f].buffer);
    }
    rig_release(w->in[0], w->in[1], w->count);
}

static clf_operator *join(bool by_index)
{
    clf_operator part[3];
    const clf_operator *const list[] = {&part[0], &part[1], &part[2]};
    clf_operator *joined = NULL;
    clf_error error = {.size = sizeof error};
    for (int i = 0; i < 3; ++i) {
        part[i] = part_of(i);
        part[i].same = by_index ? NULL : same[i];
    }
    part[0].part = by_index ? "bin" : NULL;
    const clf_status status = clf_operator_join(3, list, &joined, &error);
    ck_assert_msg(status == CLF_SUCCESS, "%s", error.message);
    return joined;
}

/* Runs end where any of the functions says so: of those that join two keys to one the other one does. */
TEST(joined_by_key)
{
    static world w;
    clf_operator *const joined = join(false);
    cl_ulong runs = 0;
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_key_plan, rig_context(_i ? "cpu" : NULL), joined, 0, NULL);
    open_world(&w);
    assert_ok(clf_reduce_by_key(plan, CLF_ON(the_rig()->queue), N, N, w.in, w.out, &w.count));
    rig_read(the_rig()->queue, w.count.buffer, sizeof runs, &runs);
    ck_assert_uint_eq(runs, KEYS);
    check_and_close(&w);
    clf_plan_release(plan);
    clf_operator_release(joined);
}

TEST(joined_by_index)
{
    static world w;
    clf_operator *const joined = join(true);
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_index_plan, rig_context(_i ? "cpu" : NULL), joined, 0, NULL);
    open_world(&w);
    assert_ok(clf_reduce_by_index(plan, CLF_ON(the_rig()->queue), N, KEYS, w.in, w.out));
    check_and_close(&w);
    clf_plan_release(plan);
    clf_operator_release(joined);
}

/* Runs' sums by the second part: affine functions modulo a prime, which its combine captures. */
static void check_affine(const clf_array *out, const cl_uint *at, const cl_ushort *keys, cl_uint m)
{
    cl_uint scale[N], shift[N], p = 1, q = 0;
    rig_read(the_rig()->queue, out[0].buffer, sizeof scale, scale);
    rig_read(the_rig()->queue, out[1].buffer, sizeof shift, shift);
    for (size_t i = 0, r = 0; i < N; ++i) {
        const cl_uint a = 2 * at[i] + 1, b = keys[at[i]];
        p = p * a % m;
        q = (q * a + b) % m;
        if (i + 1 < N && keys[at[i + 1]] == keys[at[i]])
            continue;
        ck_assert_uint_eq(scale[r], p);
        ck_assert_uint_eq(shift[r++], q);
        p = 1, q = 0;
    }
}

/* One of two parts looks into captured arrays for the keys and for what it combines by; the other counts. */
TEST(joined_by_captured_keys)
{
    const clf_operator counts = {.size = sizeof counts, .input = "uint at;", .value = "uint n;", .combine = "clf_sum",
                                 .map = "one", .flags = CLF_COMMUTATIVE,
                                 .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }"};
    const clf_operator *const list[] = {&counts, ref_by_key_of(REF_BY_KEY_CAPTURED)->clf};
    clf_operator *joined;
    cl_uint at[N], counted[N];
    cl_ushort keys[N], modulus[N] = {31};
    cl_ulong runs = 0;
    for (cl_uint i = 0; i < N; ++i) {
        at[i] = N - 1 - i;
        keys[i] = (cl_ushort)(i / 7);
    }
    assert_ok(clf_operator_join(2, list, &joined, NULL));
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_key_plan, rig_context(NULL), joined, 0, NULL);
    const clf_array in[] = {{rig_buffer(sizeof at, at), 0}, {rig_buffer(sizeof keys, keys), 0},
                                   {rig_buffer(sizeof modulus, modulus), 0}},
                    out[] = {{rig_buffer(sizeof at, NULL), 0}, {rig_buffer(sizeof at, NULL), 0},
                             {rig_buffer(sizeof at, NULL), 0}}, told = {rig_buffer(sizeof runs, NULL), 0};
    assert_ok(clf_reduce_by_key(plan, CLF_ON_ARRAYS(the_rig()->queue, in, out), N, N, in, out, &told));
    rig_read(the_rig()->queue, told.buffer, sizeof runs, &runs);
    rig_read(the_rig()->queue, out[0].buffer, sizeof counted, counted);
    ck_assert_uint_eq(runs, (N + 6) / 7);
    for (cl_uint r = 1; r < runs; ++r)
        ck_assert_uint_eq(counted[r], 7);
    ck_assert_uint_eq(counted[0], N % 7 ? N % 7 : 7);
    check_affine(out + 1, at, keys, modulus[0]);
    rig_release(in[0], in[1], in[2], out[0], out[1], out[2], told);
    clf_plan_release(plan);
    clf_operator_release(joined);
}

TEST(one_part_deals)
{
    clf_operator a = part_of(0), b = part_of(0);
    const clf_operator *const list[] = {&a, &b};
    clf_operator *joined = NULL;
    clf_error error = {.size = sizeof error};
    a.part = b.part = "bin";
    assert_status(clf_operator_join(2, list, &joined, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "several operators have a function `part`");
}

RIG_PART(add_join_by_key_tests, {joined_by_captured_keys, 1}, {joined_by_key, 2}, {joined_by_index, 2},
         {one_part_deals, 1})
