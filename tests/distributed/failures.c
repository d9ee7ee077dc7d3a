/* SPDX-License-Identifier: MIT */
/* A member that fails: all get its status, nobody hangs, and the next call works. */
#include "world.h"

/* So many elements each; the member that fails has room for one. */
enum { EACH = 1000 };

#define SUM(fields) .size = sizeof(clf_operator), .value = fields, .combine = "clf_sum"

/* What plans of one device do. */
static bool refuses_operators(clf_comm *comm)
{
    static const struct {
        clf_operator op;
        cl_ulong wanted;
        const char *words;
    } refused[] = {
        {{SUM("uint v;"), .source = "clf_result f(clf_value a, ulong i) { clf_result r = {a.v}; return r; }",
          .result = "ushort r;", .finish = "f"}, 0, "clf_operator.finish: over several members there is none"},
        {{SUM("uint v;"), .place = "f",
          .source = "ulong f(clf_value a, clf_value b, clf_input x, ulong i) { return i; }"}, 0,
         "clf_operator.place: over several members there is none"},
        {{SUM("uint v;"), .source = "clf_value f(clf_input x, ulong i, ulong s) { x.v += s; return x; }", .map = "f",
          .flags = CLF_WITH_SEGMENT}, 0, "clf_operator.flags: over several members segments have no numbers"},
        {{.size = sizeof(clf_operator), .value = "uint v;", .captured = "uint m;", .combine = "f", .neutral = "one",
          .source = "clf_value f(clf_value a, clf_value b, const clf_captured *c) { a.v *= b.v % *c->m; return a; }\n"
                    "clf_value one(void) { clf_value v = {1}; return v; }", .flags = CLF_COMBINE_CAPTURES}, 0,
         "clf_operator.flags: over several members combine reads no captured arrays"},
        {{SUM("uint n; float a[3];")}, 0, "value: field 1 is an array, of which several devices know nothing"},
        {{SUM("uint v; uint w;")}, 2, "clf_plan_options.wanted: calls over several devices write all results"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        const clf_plan_options options = {.size = sizeof options, .wanted = refused[i].wanted};
        clf_comm_plan *plan = NULL;
        clf_error error = {.size = sizeof error};
        HOLDS(clf_comm_reduce_plan(comm, &refused[i].op, 0, &options, &plan, &error) == CLF_E_UNSUPPORTED);
        HOLDS(!plan && strstr(error.message, refused[i].words));
        HOLDS(clf_comm_segmented_scan_plan(comm, &refused[i].op, 0, &options, &plan, &error) == CLF_E_UNSUPPORTED);
        HOLDS(!plan && strstr(error.message, refused[i].words));
    }
    return true;
}

/* Somebody's operator does not compile or is NULL, or there are no such flags: nobody gets a plan. */
static bool refuses_plans(test_case *c, cl_uint bad)
{
    const clf_operator sums = {.size = sizeof sums, .value = "uint v;", .combine = "clf_sum"};
    clf_operator broken = sums;
    clf_comm_plan *plan = NULL;
    clf_error error = {.size = sizeof error};
    if (bad >= c->w->first && bad < c->w->first + c->w->locals) {
        broken.combine = "add";
        broken.neutral = "zero";
        broken.source = "clf_value add(clf_value a, clf_value b) { return nonsense; }";
    }
    HOLDS(clf_comm_reduce_plan(c->w->comm, &broken, 0, NULL, &plan, &error) == CLF_E_OPERATOR);
    HOLDS(!plan && error.message[0] != '\0');
    HOLDS(clf_comm_reduce_plan(c->w->comm, broken.combine == sums.combine ? &sums : NULL, 0, NULL, &plan, NULL) ==
          CLF_E_ARGUMENT);
    HOLDS(clf_comm_failed(c->w->comm) == (c->w->locals > 1 ? c->w->first : bad));
    HOLDS(clf_comm_scan_plan(c->w->comm, &sums, CLF_EXCLUSIVE | CLF_ORDERED, NULL, &plan, NULL) == CLF_E_ARGUMENT);
    HOLDS(clf_comm_reduce_plan(c->w->comm, &sums, CLF_EXCLUSIVE, NULL, &plan, &error) == CLF_E_ARGUMENT);
    HOLDS(!plan && strstr(error.message, "flags"));
    HOLDS(refuses_operators(c->w->comm));
    return true;
}

bool test_failures(test_case *c)
{
    const int primitive = (int)draw_below(&c->g, PLAIN_CALLS);
    const cl_uint bad = (cl_uint)draw_below(&c->g, c->w->members);
    static const size_t bytes[] = {4};
    clf_array in[MOST_MEMBERS], out[MOST_MEMBERS], small[MOST_MEMBERS], broken[MOST_MEMBERS];
    cl_ulong n[MOST_MEMBERS];
    clf_comm_plan *plan = NULL;
    table data = table_make(EACH, 1, bytes);
    for (cl_uint i = 0; i < MOST_MEMBERS; ++i)
        n[i] = EACH;
    for (uint64_t i = 0; i < EACH; ++i)
        data.at[i] = i / 3;
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        give(c->w, l, &data, 0, EACH, in + l);
        make_room(c->w, l, &data, EACH, out + l);
        make_room(c->w, l, &data, 1, small + l);
        small[l].offset += primitive == 0; /* a reduction has one result */
        broken[l] = c->w->first + l == bad ? small[l] : out[l];
    }
    HOLDS(plain_plan(c->w->comm, primitive, &plan) == CLF_SUCCESS);
    HOLDS(plain_call(plan, primitive, c->w->members, n, in, broken) != CLF_SUCCESS);
    HOLDS(clf_comm_failed(c->w->comm) == bad);
    HOLDS(plain_call(plan, primitive, c->w->members, n, in, out) == CLF_SUCCESS);
    if (bad >= c->w->first && bad < c->w->first + c->w->locals)
        HOLDS(plain_call(plan, primitive, c->w->members, n, NULL, out) == CLF_E_ARGUMENT);
    else
        HOLDS(plain_call(plan, primitive, c->w->members, n, in, out) == CLF_E_ARGUMENT);
    HOLDS(plain_call(plan, primitive, c->w->members, n, in, out) == CLF_SUCCESS);
    HOLDS(refuses_plans(c, bad));
    HOLDS(clf_comm_watch(NULL, NULL, NULL) == CLF_E_ARGUMENT);
    clf_comm_plan_release(plan);
    return true;
}

/* ---- A transport of the caller's ----------------------------------------------------------------------- */

/* One member; the call before which `left` gets to 0 fails. */
typedef struct flaky {
    int left, released;
} flaky;

static clf_status count_down(void *self)
{
    flaky *f = self;
    return f->left-- == 0 ? CL_OUT_OF_RESOURCES : CLF_SUCCESS;
}

static clf_status flaky_gather(void *self, size_t bytes, const void *from, void *to)
{
    memcpy(to, from, bytes);
    return count_down(self);
}

static clf_status flaky_sum(void *self, size_t count, const cl_ulong *from, cl_ulong *to)
{
    memcpy(to, from, count * sizeof *to);
    return count_down(self);
}

static clf_status flaky_exchange(void *self, const void *const *from, const size_t *sent, void *const *to,
                                 const size_t *got)
{
    memcpy(to[0], from[0], sent[0] < got[0] ? sent[0] : got[0]);
    return count_down(self);
}

static void flaky_release(void *self)
{
    ((flaky *)self)->released++;
}

/* Runs a primitive with a transport that fails at its call number `at`: the first status that is not 0. */
static clf_status run_flaky(test_case *c, int primitive, int at, flaky *f)
{
    static const size_t bytes[] = {4};
    const clf_comm_member member = {c->w->context[0], c->w->queue[0]};
    const clf_comm_transport transport = {.size = sizeof transport,
                                          .members = 1, .self = f, .gather = flaky_gather, .sum = flaky_sum,
                                          .exchange = flaky_exchange,
                                          .release = flaky_release};
    clf_comm *comm;
    clf_comm_plan *plan;
    clf_array in, out;
    const cl_ulong n = EACH;
    *f = (flaky){.left = at};
    clf_status status = clf_comm_create(1, &member, &transport, &comm);
    if (status != CLF_SUCCESS)
        return status;
    table data = table_make(EACH, 1, bytes);
    give(c->w, 0, &data, 0, EACH, &in);
    make_room(c->w, 0, &data, EACH, &out);
    status = plain_plan(comm, primitive, &plan);
    clf_comm_release(comm);
    if (status == CLF_SUCCESS) {
        status = plain_call(plan, primitive, 1, &n, &in, &out);
        clf_comm_plan_release(plan);
    }
    return status;
}

/* Wherever the transport fails, its status comes back, and nothing is left behind. */
bool test_transport(test_case *c)
{
    const int primitive = (int)draw_below(&c->g, PLAIN_CALLS);
    for (int at = 0;; ++at) {
        flaky f;
        const clf_status status = run_flaky(c, primitive, at, &f);
        if (f.left >= 0) { /* it has not come to that */
            HOLDS(status == CLF_SUCCESS && f.released == 1 && at > 4);
            return true;
        }
        HOLDS(status == CL_OUT_OF_RESOURCES);
        HOLDS(f.released == (at > 1)); /* before, no communicator was made */
    }
}
