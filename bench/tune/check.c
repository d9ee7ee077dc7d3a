/* SPDX-License-Identifier: MIT */
/*
 * What each point is verified with before it is timed: an operator that does not commute, on elements like those that
 * are timed. The last element that is not zero: a result that has operands in a wrong order, or elements of others,
 * is another one.
 */
#include "tune/tune.h"

#include <string.h>

/* Three of four elements are zeros, so that results come from afar. */
static int element(cl_ulong i, unsigned field)
{
    const uint64_t bits = bench_hash(4 * i + field);
    return bits & 3 ? 0 : 1 + (int)((bits >> 8) % 100);
}

static void fill(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (unsigned f = 0; f < self->inputs; ++f)
        for (cl_ulong i = 0; i < n; ++i)
            bench_store_whole(self->scalar, in[f], i, element(i, f));
}

static void scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    for (unsigned f = 0; f < self->outputs; ++f) {
        uint64_t last = 0;
        for (cl_ulong i = 0; i < n; ++i) {
            const uint64_t x = bench_load(in[f], i, self->in_size[f]), before = last;
            last = x ? x : last;
            bench_store(out[f], i, self->out_size[f], exclusive ? before : last);
        }
    }
}

#define LAST(f) "z." f " = b." f " != 0 ? b." f " : a." f "; "
#define NONE "clf_value none(void) { clf_value z = {0}; return z; }\n"

/* The operator's texts, for the one type that is being tuned: the child has one thread. */
static clf_operator one = {
    .size = sizeof(clf_operator),
    .source = "clf_value last(clf_value a, clf_value b) { clf_value z; " LAST("v") "return z; }\n" NONE,
    .combine = "last", .neutral = "none",
};
static const clf_operator four = {
    .size = sizeof(clf_operator), .value = "long a; long b; long c; long d;",
    .source = "clf_value last(clf_value a, clf_value b)\n"
              "{ clf_value z; " LAST("a") LAST("b") LAST("c") LAST("d") "return z; }\n" NONE,
    .combine = "last", .neutral = "none",
};

bench_operator tune_last(const bench_operator *op)
{
    static char value[32];
    bench_operator last = {.name = "last", .type = op->type, .op = &four, .inputs = op->outputs,
                           .outputs = op->outputs, .scalar = op->scalar, .fill = fill, .scan = scan};
    memcpy(last.in_size, op->out_size, sizeof last.in_size);
    memcpy(last.out_size, op->out_size, sizeof last.out_size);
    if (op->outputs == 1) {
        snprintf(value, sizeof value, "%s v;", clf_type_name(op->scalar));
        one.value = value;
        last.op = &one;
    } else {
        last.scalar = CLF_LONG;
    }
    return last;
}
