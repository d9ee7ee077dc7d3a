/* SPDX-License-Identifier: MIT */
/*
 * Sets: of two sorted sequences with repetitions the sets of their keys, and of these union, intersection, difference
 * and symmetric difference. Each sequence becomes a set by clf_unique; a merge puts both sets in one order, with where
 * each key is from; in that, a key that both have stands twice, and each result is a filter that looks at neighbours.
 * How many there are of anything only the device knows, until the host reads the results.
 */
#include "example.h"

enum { N = 60000, RESULTS = 4 };

/* Keys with where they are from: 0 the first set, 1 the second. */
static const clf_operator distinct = {
    .size = sizeof distinct, .input = "uint key;", .value = "uint key; uint from;", .same = "equal", .map = "tagged",
    .captured = "uint which;",
    .source = "bool equal(clf_input a, clf_input b, const clf_captured *c) { return a.key == b.key; }\n"
              "clf_value tagged(clf_input x, ulong i, const clf_captured *c)\n"
              "{ return (clf_value){x.key, c->which[0]}; }\n"};

/* Stable: of equal keys the first set's comes first. */
static const clf_operator by_key = {
    .size = sizeof by_key, .value = "uint key; uint from;", .less = "below",
    .source = "bool below(clf_input a, clf_input b) { return a.key < b.key; }\n"};

/* What is kept of both sets merged: m is all of it, and sizes says how many each set has. */
#define KEPT(rule)                                                                                                     \
    {                                                                                                                  \
        .size = sizeof(clf_operator), .input = "uint key; uint from;", .captured = "uint m; ulong sizes;",             \
        .value = "uint key;", .predicate = "kept", .map = "its_key",                                                   \
        .source = "bool kept(clf_input x, ulong i, const clf_captured *c)\n"                                           \
                  "{\n"                                                                                                \
                  "    bool twin_before = i > 0 && c->m[i - 1] == x.key;\n"                                            \
                  "    bool twin_behind = i + 1 < c->sizes[0] + c->sizes[1] && c->m[i + 1] == x.key;\n"                \
                  "    return " rule ";\n"                                                                             \
                  "}\n"                                                                                                \
                  "clf_value its_key(clf_input x, ulong i, const clf_captured *c) { return (clf_value){x.key}; }\n"    \
    }
static const struct {
    const char *name;
    clf_operator op;
} sets[RESULTS] = {{"union", KEPT("!twin_before")},
                   {"intersection", KEPT("twin_before")},
                   {"difference", KEPT("x.from == 0 && !twin_behind")},
                   {"symmetric difference", KEPT("!twin_before && !twin_behind")}};

typedef struct result {
    cl_ulong count;
    cl_uint key[2 * N];
} result;

static void run(cl_uint keys[2][N], result *results)
{
    example x = example_open();
    clf_plan *unique, *merge, *filter;
    check(clf_unique_plan(x.context, &distinct, 0, NULL, &unique, &x.error), "clf_unique_plan", &x.error);
    check(clf_merge_plan(x.context, &by_key, CLF_FROM_DEVICE, NULL, &merge, &x.error), "clf_merge_plan", &x.error);

    const cl_uint which[] = {0, 1};
    const size_t bytes = 2 * N * sizeof(cl_uint), number = sizeof(cl_ulong);
    const clf_array in = example_array(&x, bytes, keys), from = example_array(&x, sizeof which, which),
                    set_keys = example_array(&x, bytes, NULL), set_from = example_array(&x, bytes, NULL),
                    all_keys = example_array(&x, bytes, NULL), all_from = example_array(&x, bytes, NULL),
                    out = example_array(&x, bytes, NULL), sizes = example_array(&x, 2 * number, NULL),
                    total = example_array(&x, number, NULL), count = example_array(&x, number, NULL);

    /* Sets side by side, and their sizes; then both in one order, and the sum of the sizes. */
    for (cl_ulong s = 0; s < 2; ++s) {
        const clf_array read[] = {{in.buffer, s * N}, {from.buffer, s}},
                        written[] = {{set_keys.buffer, s * N}, {set_from.buffer, s * N}}, size = {sizes.buffer, s};
        check(clf_unique(unique, CLF_ON_ARRAYS(x.queue, read, written), N, N, read, written, &size), "clf_unique",
              NULL);
    }
    const clf_array both[] = {set_keys, set_from, {set_keys.buffer, N}, {set_from.buffer, N}},
                    all[] = {all_keys, all_from};
    const clf_call of_sizes = {.size = sizeof of_sizes, .queue = x.queue, .actual = sizes},
                   of_total = {.size = sizeof of_total, .queue = x.queue, .actual = total};
    check(clf_merge(merge, &of_sizes, N, N, both, all), "clf_merge", NULL);
    check(clf_array_reduce(x.context, CLF_ON(x.queue), CLF_SUM, CLF_ULONG, 2, sizes, total), "clf_array_reduce", NULL);

    const clf_array merged[] = {all_keys, all_from, all_keys, sizes};
    for (int s = 0; s < RESULTS; ++s) {
        check(clf_filter_plan(x.context, &sets[s].op, CLF_FROM_DEVICE, NULL, &filter, &x.error), "clf_filter_plan",
              &x.error);
        check(clf_filter(filter, &of_total, 2 * N, 2 * N, merged, &out, &count), "clf_filter", NULL);
        example_read(&x, count, number, &results[s].count);
        example_read(&x, out, bytes, results[s].key);
        clf_plan_release(filter);
    }
    const clf_array arrays[] = {in, from, set_keys, set_from, all_keys, all_from, out, sizes, total, count};
    example_release(arrays, sizeof arrays / sizeof *arrays);
    clf_plan_release(unique);
    clf_plan_release(merge);
    example_close(&x);
}

/* Is key k in set s? Some are in both, some in one, some in none. */
static int has(int s, cl_uint k)
{
    return (k * 2654435761u >> 28) % (3 + (cl_uint)s) != 0;
}

int main(void)
{
    static cl_uint keys[2][N];
    static result got[RESULTS];
    cl_uint most = 0;
    cl_ulong found[RESULTS] = {0};
    int errors = 0;
    for (int s = 0; s < 2; ++s) { /* each key of a set once to three times */
        cl_uint k = 0;
        for (size_t i = 0; i < N; ++k)
            for (cl_uint times = has(s, k) ? 1 + k % 3 : 0; times > 0 && i < N; --times)
                keys[s][i++] = k;
        most = k > most ? k : most;
    }
    run(keys, got);
    for (cl_uint k = 0; k < most; ++k) {
        const int a = has(0, k) && k <= keys[0][N - 1], b = has(1, k) && k <= keys[1][N - 1];
        const int in[RESULTS] = {a || b, a && b, a && !b, a != b};
        for (int s = 0; s < RESULTS; ++s)
            if (in[s])
                errors += got[s].key[found[s]++] != k;
    }
    for (int s = 0; s < RESULTS; ++s) {
        errors += got[s].count != found[s];
        printf("%s: %lu keys\n", sets[s].name, (unsigned long)got[s].count);
    }
    printf("%d errors\n", errors);
    return errors != 0;
}
