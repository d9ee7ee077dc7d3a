/* SPDX-License-Identifier: MIT */
/*
 * The composed scans of the bench: what stands in local memory between their steps, which is that of Listing 8 of
 * Pizzuti, Steuwer and Dubach (2022); how often each applies the operator, and how deep; results of odd lengths, in
 * place, by an operator that does not commute, of drawn schemes, too; and which texts are schemes. clfold-bench
 * verifies every row besides.
 *
 *     composed [DEVICE]
 */
#include "textbook/composed.h"
#include "shared_operators.h"

#include <stdlib.h>
#include <string.h>

static unsigned failed;

static void check(bool good, const char *what, unsigned long got, unsigned long expected)
{
    if (!good)
        fprintf(stderr, "composed: %s: %lu, not %lu\n", what, got, expected);
    failed += !good;
}

static bench_session open_session(const char *device)
{
    bench_session s = {.done = 0};
    s.device = bench_pick_device(device);
    s.cl = bench_context(&s.device);
    s.queue = bench_queue(s.cl, s.device.id, false);
    return s;
}

enum { MOST = 1 << 16 };

/* Scans 1, 2, 3, … n; leaves the largest depth of all results, and what was traced. False if a result is wrong. */
static bool run(bench_session *s, const char *scheme, cl_ulong n, const char *options, cl_uint *depth, cl_uint *traced,
                size_t bytes)
{
    composed engine;
    cl_uint *x = bench_alloc(MOST * sizeof *x), *y = bench_alloc(MOST * sizeof *y), total = 0;
    clf_array in[2], out[2];
    bool right = true;
    const char *wrong = composed_open(&engine, s, &composed_deep, scheme, n, options);
    if (wrong)
        bench_die("%s", wrong);
    for (int f = 0; f < 2; ++f) {
        for (cl_uint i = 0; i < n; ++i)
            x[i] = f ? 0 : i + 1;
        in[f] = (clf_array){bench_buffer(s->cl, n * 4), 0};
        out[f] = (clf_array){bench_buffer(s->cl, n * 4), 0};
        bench_write(s->queue, in[f].buffer, x, n * 4);
    }
    memset(y, 0, 64);
    if (engine.traced)
        bench_write(s->queue, engine.traced, y, 64);
    bench_check(composed_enqueue(&engine, s->queue, n, in, out, NULL), "composed_enqueue");
    bench_read(s->queue, out[0].buffer, y, 0, n * 4);
    for (cl_uint i = 0; i < n; ++i)
        right = right && y[i] == (total += i + 1);
    bench_read(s->queue, out[1].buffer, y, 0, n * 4);
    for (cl_uint i = *depth = 0; i < n; ++i)
        *depth = y[i] > *depth ? y[i] : *depth;
    if (engine.traced)
        bench_read(s->queue, engine.traced, traced, 0, bytes);
    for (int f = 0; f < 2; ++f) {
        clReleaseMemObject(in[f].buffer);
        clReleaseMemObject(out[f].buffer);
    }
    composed_close(&engine);
    free(x);
    free(y);
    return right;
}

/* BF = 2, BS = 16, two levels, four elements scanned by one work-item. Ours are inclusive: dn2 and dn1 of the listing
 * are these, an element later. */
static void check_listing(bench_session *s)
{
    static const cl_uint golden[3][28] = {
        {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 3, 7, 11, 15, 19, 23, 27, 31, 10, 26, 42, 58},
        {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 3, 7, 11, 15, 19, 23, 27, 31, 10, 36, 78, 136},
        {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78, 91, 105, 120, 136, 3, 10, 21, 36, 55, 78, 105, 136,
         10, 36, 78, 136},
    };
    static const char *const stages[] = {"up-sweep", "root", "down-sweep"};
    const char *const scheme = "blocks 16 | step 2 | step 2 | serial";
    cl_uint traced[3][28][2], depth;
    check(run(s, scheme, 16, "-D TRACE", &depth, &traced[0][0][0], sizeof traced), "result", 0, 1);
    for (int stage = 0; stage < 3; ++stage)
        for (int i = 0; i < 28; ++i)
            check(traced[stage][i][0] == golden[stage][i], stages[stage], traced[stage][i][0], golden[stage][i]);
}

/* Blocks of 256: applications of the operator, and depth. */
static void check_work_and_depth(bench_session *s)
{
    static const struct {
        const char *scheme;
        cl_uint work, depth;
    } networks[] = {
        {"blocks 256 | step 2 | step 2 | step 2 | step 2 | step 2 | step 2 | step 2 | step 2 | serial", 2 * 255 - 8,
         14},
        {"blocks 256 padded | step 4 | step 4 | step 4 | step 4 | serial", 2 * 255 - 4, 20},
        {"blocks 256 | kogge_stone", 256 * 8 - 255, 8},
        {"blocks 256 | sklansky", 128 * 8, 8},
        {"blocks 256 | step 2 | sklansky", 128 + 64 * 7 + 127, 9},
        {"blocks 256 | step 8 | step 2 | serial", 224 + 16 + 15 + 15 + 223, 30},
        {"blocks 256 | serial", 255, 255},
    };
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; ++i) {
        cl_uint applied = 0, depth = 0;
        const char *const name = networks[i].scheme;
        check(!composed_count(s, name, &depth, &applied), name, 0, 1);
        check(applied == networks[i].work, name, applied, networks[i].work);
        check(depth == networks[i].depth, name, depth, networks[i].depth);
        /* Of many blocks: those, their sums, and propagation: no more than 3n for work-efficient ones. */
        check(run(s, name, MOST, "-D COUNT", &depth, &applied, sizeof applied), name, 0, 1);
        if (networks[i].work <= 2 * 256)
            check(applied <= 3 * MOST + MOST / 64, name, applied, 3 * MOST);
    }
}

/* ---- Results ----------------------------------------------------------------------------------------------- */

/* Maps x -> a x + b, one after the other: they do not commute. */
static const bench_operator affine = {.name = "affine", .type = "2xu32", .op = &shared_affine, .inputs = 2,
                                      .outputs = 2, .in_size = {4, 4}, .out_size = {4, 4}, .scalar = CLF_UINT};

static cl_uint element(cl_ulong i, int field)
{
    return (cl_uint)(bench_hash(2 * i + (cl_ulong)field) >> 7) | !field; /* odd: no factor gets lost */
}

/* Writes n elements and one that nobody may touch. */
static void write_elements(bench_session *s, const clf_array *array, cl_ulong n)
{
    cl_uint *x = bench_alloc((MOST + 2) * sizeof *x);
    for (int f = 0; f < 2; ++f) {
        for (cl_ulong i = 0; i <= n; ++i)
            x[i] = element(i, f);
        bench_write(s->queue, array[f].buffer, x, (n + 1) * 4);
    }
    free(x);
}

/* How many elements are another than those of a loop, the one behind the last among them. */
static unsigned long compare(bench_session *s, const clf_array *out, cl_ulong n)
{
    cl_uint *a = bench_alloc((MOST + 2) * sizeof *a), *b = bench_alloc((MOST + 2) * sizeof *b), sum[2] = {1, 0};
    unsigned long wrong = 0;
    bench_read(s->queue, out[0].buffer, a, 0, (n + 1) * 4);
    bench_read(s->queue, out[1].buffer, b, 0, (n + 1) * 4);
    for (cl_ulong i = 0; i < n; ++i) {
        sum[1] = element(i, 0) * sum[1] + element(i, 1);
        sum[0] *= element(i, 0);
        wrong += a[i] != sum[0] || b[i] != sum[1];
    }
    wrong += a[n] != element(n, 0) || b[n] != element(n, 1);
    free(a);
    free(b);
    return wrong;
}

static void check_length(bench_session *s, composed *engine, const char *name, cl_ulong n, bool in_place)
{
    clf_array arrays[2][2];
    char what[COMPOSED_TEXT + 64];
    for (int f = 0; f < 4; ++f)
        arrays[f / 2][f % 2] = (clf_array){bench_buffer(s->cl, (n + 1) * 4), 0};
    const clf_array *const out = arrays[in_place ? 0 : 1];
    write_elements(s, arrays[0], n);
    write_elements(s, arrays[1], n);
    bench_check(composed_enqueue(engine, s->queue, n, arrays[0], out, NULL), "composed_enqueue");
    const unsigned long wrong = compare(s, out, n);
    snprintf(what, sizeof what, "%s of %lu%s: wrong elements", name, (unsigned long)n, in_place ? " in place" : "");
    check(wrong == 0, what, wrong, 0);
    for (int f = 0; f < 4; ++f)
        clReleaseMemObject(arrays[f / 2][f % 2].buffer);
}

/* Lengths around those of one block, of full levels, and of what the engine was made for. */
static void check_results(bench_session *s, const char *scheme)
{
    static const cl_ulong lengths[] = {1, 2, 63, 64, 65, 1001, 4097, MOST - 1, MOST + 1};
    composed engine;
    const char *wrong = composed_open(&engine, s, &affine, scheme, MOST + 1, "");
    if (wrong)
        bench_die("%s: %s", scheme, wrong);
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; ++k) {
        check_length(s, &engine, scheme, lengths[k], false);
        check_length(s, &engine, scheme, lengths[k], true);
    }
    composed_close(&engine);
}

static void check_schemes(bench_session *s)
{
    static const char *const schemes[] = {
        "blocks 64 | step 2 | step 2 | step 2 | step 2 | step 2 | step 2 | serial",
        "blocks 64 | step 4 | serial",
        "blocks 64 | kogge_stone | reduce",
        "blocks 64 | sklansky | lookback 1",
        "blocks 64 padded | step 2 | sklansky | lookback",
        "blocks 64 | serial | lookback 3",
    };
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; ++i)
        check_results(s, schemes[i]);
}

/* Any composition. */
static void check_drawn(bench_session *s, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        const cl_ulong draw = bench_hash(i) >> 8;
        composed_scheme scheme = {.bs = 16u << draw % 7, .padded = draw / 7 % 2, .root = draw / 14 % 3,
                                  .meeting = i % 3, .window = i % 3 == 2};
        char text[COMPOSED_TEXT];
        scheme.se = scheme.bs;
        for (cl_ulong left = draw / 42; left % 4 && scheme.se >> left % 4; left /= 4) {
            scheme.step[scheme.count++] = 1u << left % 4;
            scheme.se >>= left % 4;
        }
        if (scheme.window)
            scheme.window = 1 + (unsigned)(draw % composed_group(&scheme));
        composed_print(&scheme, text);
        check_results(s, text);
    }
}

#define SIXTEEN_STEPS EIGHT_STEPS EIGHT_STEPS
#define EIGHT_STEPS " | step 2 | step 2 | step 2 | step 2 | step 2 | step 2 | step 2 | step 2"

/* What is read and printed again; NULL: it is no scheme. */
static void check_texts(void)
{
    static const char *const texts[][2] = {
        {" blocks 8|serial ", "blocks 8 | serial | propagate"},
        {"blocks 512 padded | step 4 | step 2 | sklansky | lookback",
         "blocks 512 padded | step 4 | step 2 | sklansky | lookback 32"},
        {"blocks 32 | step 8 | kogge_stone | lookback", "blocks 32 | step 8 | kogge_stone | lookback 4"},
        {"blocks 16 | step 16 | serial | reduce", "blocks 16 | step 16 | serial | reduce"},
        {"blocks 24 | serial", NULL},
        {"blocks 1 | serial", NULL},
        {"blocks 16 serial", NULL},
        {"blocks 16 |", NULL},
        {"blocks 16 | step 3 | serial", NULL},
        {"blocks 16 | step 8 | step 4 | serial", NULL},
        {"blocks 16 | serial | step 2", NULL},
        {"blocks 16 | serial | lookback 0", NULL},
        {"blocks 16 | serial | lookback 9", NULL},
        {"blocks 16 | serial | reduce | reduce", NULL},
        {"blocks 16 | serials", NULL},
        {"sklansky", NULL},
        {"blocks 65536" SIXTEEN_STEPS " | serial", "blocks 65536" SIXTEEN_STEPS " | serial | propagate"},
        {"blocks 65536" SIXTEEN_STEPS " | step 2 | serial", NULL},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        const char *const printed = texts[i][1] ? texts[i][1] : "";
        composed_scheme scheme;
        char text[COMPOSED_TEXT] = "";
        const bool good = !composed_parse(texts[i][0], &scheme);
        if (good)
            composed_print(&scheme, text);
        check(strcmp(text, printed) == 0, texts[i][0], good, !good);
    }
}

int main(int argc, char **argv)
{
    bench_session s = open_session(argc > 1 ? argv[1] : getenv("CLFOLD_TEST_DEVICE"));
    check_texts();
    check_listing(&s);
    check_work_and_depth(&s);
    check_schemes(&s);
    check_drawn(&s, 9);
    clReleaseCommandQueue(s.queue);
    clReleaseContext(s.cl);
    printf("composed: %u failed\n", failed);
    return failed != 0;
}
