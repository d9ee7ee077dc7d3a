/* SPDX-License-Identifier: MIT */
/*
 * What a composed scan applies its operator for: elements that know how deep the tree of operations is whose result
 * they are, and kernels that count.
 */
#include "textbook/composed.h"

#include <stdlib.h>

static const clf_operator deep_operator = {
    .size = sizeof(clf_operator), .value = "uint v; uint depth;",
    .source = "clf_value add(clf_value a, clf_value b)\n"
              "{ clf_value z; z.v = a.v + b.v; z.depth = max(a.depth, b.depth) + 1; return z; }\n"
              "clf_value zero(void) { clf_value z = {0, 0}; return z; }\n",
    .combine = "add", .neutral = "zero"};
const bench_operator composed_deep = {.name = "deep", .type = "2xu32", .op = &deep_operator, .inputs = 2,
                                      .outputs = 2, .in_size = {4, 4}, .out_size = {4, 4}, .scalar = CLF_UINT};

/* The largest depth of a block's results; 0 if one of them is wrong: sums of ones. */
static cl_uint depth_of(const bench_session *s, const clf_array *out, unsigned bs)
{
    cl_uint *const v = bench_alloc(2 * bs * sizeof *v), *const depth = v + bs;
    cl_uint most = 0;
    bool right = true;
    bench_read(s->queue, out[0].buffer, v, 0, bs * sizeof *v);
    bench_read(s->queue, out[1].buffer, depth, 0, bs * sizeof *v);
    for (unsigned i = 0; i < bs; ++i) {
        right = right && v[i] == i + 1;
        most = depth[i] > most ? depth[i] : most;
    }
    free(v);
    return right ? most : 0;
}

enum { MOST = 1 << 16 }; /* elements of a block */
const char *composed_count(bench_session *session, const char *scheme, cl_uint *depth, cl_uint *applied)
{
    composed engine;
    clf_array array[4]; /* values and depths, of the input and of the output */
    const char *wrong = composed_open(&engine, session, &composed_deep, scheme, MOST, "-D COUNT");
    if (wrong)
        return wrong;
    const unsigned bs = engine.scheme.bs;
    for (int f = 0; f < 4; ++f) {
        const cl_uint pattern = f == 0; /* ones */
        array[f] = (clf_array){bench_buffer(session->cl, bs * sizeof pattern), 0};
        bench_check(clEnqueueFillBuffer(session->queue, array[f].buffer, &pattern, sizeof pattern, 0,
                                        bs * sizeof pattern, 0, NULL, NULL),
                    "fill");
    }
    *applied = 0;
    bench_write(session->queue, engine.traced, applied, sizeof *applied);
    bench_check(composed_enqueue(&engine, session->queue, bs, array, array + 2, NULL), "composed_enqueue");
    *depth = depth_of(session, array + 2, bs);
    bench_read(session->queue, engine.traced, applied, 0, sizeof *applied);
    for (int f = 0; f < 4; ++f)
        clReleaseMemObject(array[f].buffer);
    composed_close(&engine);
    return *depth ? NULL : "a result of the program that counts is wrong";
}
