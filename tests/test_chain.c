/* SPDX-License-Identifier: MIT */
/*
 * The single-pass chain (serial, window, central) and the spine on a state that is not a caller's value: two counts
 * (partition.cl), which tell every number its place among the odd or the even ones. With impatient and stalled tiles,
 * so that states are also recomputed from the input.
 */
#include "harness.h"

#include "primitives/primitives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const clf_kernel_file clf_test_files[]; /* embedded: partition.cl */

enum { GROUP = 64, ITEMS = 3, TILE = GROUP * ITEMS, TILES = 70 };
enum { SERIAL, WINDOW, CENTRAL, SPINE, KINDS };

static const size_t sizes[] = {1, TILE - 1, TILE, TILE + 1, 5 * TILE + 7, TILES *TILE};
static const size_t segments[] = {0, 1, 50, TILE, 1000}; /* elements of each; 0: one segment */
static const char *const settings[] = {"-D CLF_SPIN=1000", "-D CLF_SPIN=0 -D CLF_STALL=2 -D CLF_REVERSE=1"};

/* ---- The program ------------------------------------------------------------------------------------- */

typedef struct bench {
    clf_kernel_pool single_pass, up, spine, down;
    cl_program program;
    cl_mem in, odds, evens, scratch;
    cl_ulong count, size;
    cl_uint epoch, ticket;
} bench;

static cl_program build(const clf_facts *facts, int kind, bool segmented, const char *setting)
{
    clf_generated files[3] = {{.name = clf_test_files[0].name}, {.name = "fields.cl"}, {.name = NULL}};
    clf_text source = {0}, options = {0};
    cl_program program;
    clf_text_append(&files[0].text, (const char *)clf_test_files[0].data, clf_test_files[0].bytes);
    clf_text_format(&files[1].text,
                    "#define CLF_NARROWEST 4\n" /* bytes, of a uint */
                    "#define CLF_HEAD_OF(a, i) (i)\n#define CLF_SEGMENT_OF(a, h) (h)\n#define CLF_REVERSED 0\n"
                    "#define CLF_COMBINE_PARAMETER\n#define CLF_COMBINE_A\n");
    assert_ok(clf_flatten(&source, files[0].name, files));
    clf_text_format(&options,
                    "%s -D CLF_ATOMICS=%d -D CLF_LANES=%d -D CLF_LANE_WIDTH=%u -D CLF_GROUP=%d -D CLF_ITEMS=%d "
                    "-D CLF_LOOKBACK=%d -D CLF_SEGMENT=%d -D CLF_TICKET=1 -D CLF_COUNT=1 %s",
                    facts->std, (int)facts->atomics, (int)facts->lanes, facts->lane_width, GROUP, ITEMS,
                    kind < SPINE ? kind : 0, segmented, setting);
    clf_facts_avoid_bugs(facts, &options);
    clf_error error = {.size = sizeof error};
    ck_assert_msg(clf_build_program(the_rig()->cl, the_rig()->device, source.data, options.data, &program, NULL,
                                    &error) == CLF_SUCCESS,
                  "%s", error.log);
    clf_text_free(&files[0].text);
    clf_text_free(&files[1].text);
    clf_text_free(&source);
    clf_text_free(&options);
    return program;
}

/* Scratch: enough for two slots per tile, and cleared, as pooled scratch is before its first call. */
static bench open_bench(const clf_facts *facts, int kind, bool segmented, const char *setting)
{
    enum { SCRATCH = CLF_SCRATCH_HEADER + TILES * 2 * 64 };
    static const unsigned char zeros[SCRATCH];
    const cl_program program = build(facts, kind, segmented, setting);
    return (bench){.single_pass = {.program = program, .name = "partition_single_pass"},
                   .up = {.program = program, .name = "partition_up"},
                   .spine = {.program = program, .name = "partition_spine"},
                   .down = {.program = program, .name = "partition_down"},
                   .program = program,
                   .in = rig_buffer(TILES * TILE * 4, NULL),
                   .odds = rig_buffer(TILES * TILE * 4, NULL),
                   .evens = rig_buffer(TILES * TILE * 4, NULL),
                   .scratch = rig_buffer(SCRATCH, zeros)};
}

static void close_bench(bench *b)
{
    clf_kernel_pool_free(&b->single_pass);
    clf_kernel_pool_free(&b->up);
    clf_kernel_pool_free(&b->spine);
    clf_kernel_pool_free(&b->down);
    clReleaseProgram(b->program);
    rig_release_buffers(b->in, b->odds, b->evens, b->scratch);
}

static void launch(bench *b, clf_chain *chain, clf_kernel_pool *kernel, cl_ulong groups)
{
    const clf_argument arguments[] = {
        {sizeof b->in, &b->in}, {sizeof b->odds, &b->odds}, {sizeof b->evens, &b->evens},
        {sizeof b->count, &b->count}, {sizeof b->size, &b->size}, {sizeof b->scratch, &b->scratch},
        {sizeof b->epoch, &b->epoch}, {sizeof b->ticket, &b->ticket}};
    assert_ok(clf_launch_flat(chain, kernel, arguments, COUNT(arguments), groups, GROUP));
}

/* One call: it counts the epoch and the tickets on, so nothing is cleared between calls. */
static void enqueue(bench *b, int kind, size_t n)
{
    const cl_ulong tiles = (n + TILE - 1) / TILE, groups = tiles + (kind == CENTRAL);
    static const clf_operator_copy none;
    const clf_call *const call = CLF_ON(the_rig()->queue);
    clf_check checked;
    clf_chain chain;
    ++b->epoch;
    assert_ok(clf_check_begin(&checked, rig_context(NULL), "test", &none, call));
    assert_ok(clf_chain_begin(&chain, &checked, call));
    if (kind == SPINE) {
        launch(b, &chain, &b->up, tiles);
        launch(b, &chain, &b->spine, 1);
        launch(b, &chain, &b->down, tiles);
    } else {
        launch(b, &chain, &b->single_pass, groups);
        b->ticket += (cl_uint)groups;
    }
    assert_ok(clf_chain_end(&chain, NULL));
}

/* ---- Results ----------------------------------------------------------------------------------------- */

static void partition(const cl_uint *in, size_t n, size_t size, cl_uint *odds, cl_uint *evens)
{
    for (size_t start = 0; start < n; start += size) {
        size_t odd = start, even = start;
        for (size_t i = start; i < start + size; ++i)
            *(in[i] % 2 ? &odds[odd++] : &evens[even++]) = in[i];
    }
}

/* Numbers tell where they come from, and whether they are odd changes in no regular way. */
static void check(bench *b, int kind, size_t n, size_t segment)
{
    static cl_uint in[TILES * TILE], wanted[2][TILES * TILE], got[2][TILES * TILE];
    const cl_command_queue queue = the_rig()->queue;
    const size_t size = segment ? segment : n;
    gen random = gen_seed(the_rig()->seed + n, kind);
    n = n / size * size;
    for (size_t i = 0; i < n; ++i)
        in[i] = (cl_uint)(2 * i + gen_below(&random, 2));
    b->count = n / size;
    b->size = size;
    memset(wanted, 0xff, sizeof wanted);
    partition(in, n, size, wanted[0], wanted[1]);
    memset(got, 0xff, sizeof got);
    assert_ok(clEnqueueWriteBuffer(queue, b->in, CL_TRUE, 0, sizeof in, in, 0, NULL, NULL));
    assert_ok(clEnqueueWriteBuffer(queue, b->odds, CL_TRUE, 0, sizeof got[0], got[0], 0, NULL, NULL));
    assert_ok(clEnqueueWriteBuffer(queue, b->evens, CL_TRUE, 0, sizeof got[1], got[1], 0, NULL, NULL));
    if (n > 0)
        enqueue(b, kind, n);
    rig_read(queue, b->odds, sizeof got[0], got[0]);
    rig_read(queue, b->evens, sizeof got[1], got[1]);
    for (size_t i = 0; i < TILES * TILE; ++i)
        ck_assert_msg(got[0][i] == wanted[0][i] && got[1][i] == wanted[1][i],
                      "kind %d, %zu numbers in segments of %zu: place %zu has %u and %u, not %u and %u", kind, n, size,
                      i, got[0][i], got[1][i], wanted[0][i], wanted[1][i]);
}

static cl_uint fallbacks(const bench *b)
{
    cl_uint header[CLF_SCRATCH_HEADER / 4];
    rig_read(the_rig()->queue, b->scratch, sizeof header, header);
    return header[3];
}

TEST(two_counts_through_the_chain)
{
    const int kind = _i / 2, setting = _i % 2;
    const clf_facts *facts = &rig_context("cpu")->facts;
    for (int segmented = 0; segmented < 2; ++segmented) {
        bench b = open_bench(facts, kind, segmented, settings[setting]);
        for (size_t i = 0; i < COUNT(sizes); ++i)
            for (size_t s = segmented; s < (segmented ? COUNT(segments) : 1); ++s)
                check(&b, kind, sizes[i], segments[s]);
        if (kind != SPINE && setting == 1)
            ck_assert_msg(fallbacks(&b) > 0, "kind %d: no state was recomputed", kind);
        close_bench(&b);
    }
}

RIG_SUITE(chain, NULL, {two_counts_through_the_chain, 2 * KINDS})
