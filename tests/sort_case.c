/* SPDX-License-Identifier: MIT */
/* One sort, checked. */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[SORT_KINDS] = {"sort", "segmented_sort", "irregular_sort"};

static clf_segmentation told_of(const sort_key *key)
{
    return (clf_segmentation){.size = sizeof(clf_segmentation), .by = key->by, .type = key->type};
}

clf_plan *sort_plan(const sort_key *key)
{
    const clf_segmentation how = told_of(key);
    const plan_parts parts = {.op = key->sort->clf, .flags = key->flags, .how = &how};
    return route_plan(&key->route, kinds[key->kind], &parts, key->sort->name);
}

static void fail_case(const sort_case *c, const char *what)
{
    route_fail(&c->key.route, c->suite ? c->suite : "sort", c->under.number, what,
               "%s of %s, flags 0x%x\n    rows %zu, told by %d of type %d, lengths %d (scale %zu)\n"
               "    n %zu, pattern %d (bytes 0x%x), place %d\n    %s",
               kinds[c->key.kind], c->key.sort->name, c->key.flags, c->rows, (int)c->key.by, (int)c->key.type,
               (int)c->lengths, c->scale, c->n, (int)c->pattern, c->bytes, (int)c->place,
               circumstances_text(&c->under));
}

/* ---- Circumstances --------------------------------------------------------------------------------------------- */

unsigned sort_flags(unsigned turn)
{
    return (turn & 1 ? CLF_DESCENDING : 0) | (turn & 2 ? CLF_TOTAL_ORDER : 0);
}

unsigned sort_overwriting(int sort, bool asked)
{
    return asked && !ref_sort_of(sort)->clf->map ? CLF_OVERWRITE_INPUT : 0;
}

static bool overwrites(const sort_case *c)
{
    return (c->key.flags & CLF_OVERWRITE_INPUT) != 0;
}

sort_case sort_case_of(const sort_key *key, size_t n, unsigned turn)
{
    const unsigned other = turn + turn / SORT_PATTERNS; /* so that each pattern comes in all circumstances */
    static const unsigned bytes[] = {0x01, 0x02, 0x03, 0x04, 0x80, 0x05, 0x08, 0x10, 0x0e, 0x20, 0x40, 0x81, 0xaa};
    return (sort_case){.key = *key, .n = n, .pattern = (sort_pattern)(turn % SORT_PATTERNS),
                       .bytes = bytes[turn / SORT_PATTERNS % COUNT(bytes)],
                       .place = (guarded_place)(other % 7 % PLACES),
                       .under = {.offset = other % 3 ? other % 10 : 0, .tight = other % 13 == 5,
                                 .unordered = other % 11 == 3, .scratch = (scratch_kind)(other % 4 % 3),
                                 .seed = n + turn, .number = -1}};
}

sort_case sort_case_random(const sort_key *key, gen *own, size_t n, size_t most, long number)
{
    sort_case test = {.key = *key, .n = n, .under = circumstances_random(own, number)};
    test.pattern = (sort_pattern)gen_below(own, SORT_PATTERNS);
    test.bytes = (unsigned)gen_below(own, 256);
    test.place = (guarded_place)gen_below(own, PLACES);
    test.under.given = gen_chance(own, 50) && key->flags & CLF_FROM_DEVICE;
    test.under.actual = (size_t)gen_below(own, 2 * most + 1);
    return test;
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

/* The key of rank i of n in ascending order, some of which are equal. */
static cl_ulong bits_of_rank(clf_type type, size_t i, size_t n)
{
    const unsigned width = (unsigned)clf_type_size(type) * 8;
    const bool real = type >= CLF_HALF, has_sign = real || (type - CLF_CHAR) % 2 == 0;
    const cl_ulong sign = (cl_ulong)1 << (width - 1), most = sign - 1; /* a number of bits that all types have */
    const cl_ulong step = n > 0 && most / n > 0 ? most / n : 1;
    cl_ulong rank = (cl_ulong)i * step <= most ? (cl_ulong)i * step : most;
    if (!has_sign)
        return rank;
    if (rank >= most / 2)
        return rank - most / 2;
    rank = most / 2 - rank;
    return real ? rank | sign : (cl_ulong)0 - rank;
}

static cl_ulong special_bits(clf_type type, gen *random)
{
    const unsigned width = (unsigned)clf_type_size(type) * 8;
    const cl_ulong sign = (cl_ulong)1 << (width - 1);
    const cl_ulong infinity = type == CLF_HALF       ? 0x7c00
                              : type == CLF_BFLOAT16 ? 0x7f80
                              : type == CLF_FLOAT    ? 0x7f800000
                                                     : (cl_ulong)0x7ff << 52;
    const cl_ulong list[] = {0, 1, infinity, infinity + 1, infinity - 1, infinity | (infinity >> 1), sign - 1, 0, 0, 3,
                             infinity / 2};
    return list[gen_below(random, COUNT(list))] | (gen_chance(random, 50) ? sign : 0);
}

/* Of so many bits as a draw tells: a number of each length as often as of any other. */
static cl_ulong zipf_bits(clf_type type, gen *random)
{
    const unsigned width = (unsigned)gen_below(random, 8 * clf_type_size(type) + 1);
    return width ? gen_bits(random) >> (64 - width) : 0;
}

/* All bytes, of which those of the key count. */
static cl_ulong bits_of(const sort_case *c, gen *random, size_t i)
{
    const clf_type type = c->key.sort->type;
    gen five = gen_seed(c->under.seed, 5 + gen_below(random, 5));
    cl_ulong bits = gen_bits(random), mask = 0;
    for (unsigned b = 0; b < 8; ++b)
        mask |= c->bytes >> b & 1 ? (cl_ulong)255 << 8 * b : 0;
    switch (c->pattern) {
    case SORT_UNIFORM: return bits;
    case SORT_UP: return bits_of_rank(type, i, c->n);
    case SORT_DOWN: return bits_of_rank(type, c->n - i, c->n);
    case SORT_EQUAL: return 0x4040404040404040u + c->under.seed;
    case SORT_TWO: return i % 2 ? 0x3fff00ff01fe02fdu : 0x3f7000ff81fe0203u;
    case SORT_LITTLE: return bits & gen_bits(random) & gen_bits(random) & gen_bits(random);
    case SORT_FEW: return gen_bits(&five);
    case SORT_RARE: return i % 211 == c->under.seed % 7 ? bits : 0x3fff00ff01fe02fdu;
    case SORT_ZIPF: return zipf_bits(type, random);
    case SORT_TILES: return (bits & ~(cl_ulong)255) | (i / ((size_t)64 << c->under.seed % 7) % 2 ? 0x18 : 0xe7);
    case SORT_STEPS: return 0x4040404040404040u + (c->rows > 0 ? i / (c->n / c->rows) : 0) % 100;
    case SORT_ZEROS: return bits & (cl_ulong)1 << (8 * clf_type_size(type) - 1);
    case SORT_TWINS: return (bits & 0xc0ff00ffffffffffu) | (bits >> 8 & 0x0000ff0000000000u);
    case SORT_SOME: return (bits & mask) | (0x3f3f3f3f3f3f3f3fu & ~mask);
    default: return special_bits(type, random);
    }
}

/* Fields that tell elements apart, and the key among them. */
static void make(const ref_sort *sort, cl_ulong bits, size_t i, gen *random, unsigned char *x)
{
    for (size_t k = 0; k < sort->input.count; ++k)
        for (size_t b = 0; b < sort->input.field[k].bytes; ++b)
            x[sort->input.field[k].offset + b] =
                (unsigned char)(b < 4 && sort->input.field[k].bytes >= 4 ? i >> 8 * b : gen_bits(random));
    memcpy(x + sort->input.field[sort->field].offset, &bits, clf_type_size(sort->type));
}

void sort_case_generate(const sort_case *c, void *const *in)
{
    const ref_sort *const sort = c->key.sort;
    ref_element x;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 1), payload = gen_seed(the_rig()->seed + c->under.seed, 2);
    for (size_t i = 0; i < c->n; ++i) {
        const cl_ulong bits = bits_of(c, &random, i);
        if (sort->make)
            sort->make(bits, i, &x);
        else
            make(sort, bits, i, &payload, x.bytes);
        ref_scatter(&sort->input, in, i, &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

struct sort_running {
    const sort_case *test;
    guarded_call g;
    irregular segments;
};

/* Lengths of segments, and the array that tells of them: behind the inputs and the size. */
static void open_segments(const sort_case *c, sort_running *r)
{
    const clf_segmentation how = told_of(&c->key);
    gen random = gen_seed(the_rig()->seed + c->under.seed, 3);
    r->segments = irregular_make(&random, c->lengths, c->n, c->scale);
    guarded_add_segments(&r->g.in, &r->segments, &how, &random, c->under.seed + 301, c->under.offset + 1,
                         c->under.tight);
}

static void open_arrays(const sort_case *c, sort_running *r)
{
    const circumstances *const u = &c->under;
    const ref_sort *const sort = c->key.sort;
    guarded_call *const g = &r->g;
    guarded_add_fields(&g->in, "input", &sort->input, u->seed + 100, c->n, u->offset, u->tight);
    guarded_add_fields(&g->out, "output", &sort->value, u->seed + 200, c->n, u->offset + 3, u->tight);
    /* Captured arrays are behind the inputs: what comes from a map of its own has them. */
    const size_t elements = sort->input.count - (sort->clf->captured ? 1 : 0);
    guarded_choose_places(g, overwrites(c) ? PLACE_APART : c->place, u->seed, elements, 0, sort->value.count);
    g->given_up = overwrites(c) ? elements : 0;
    guarded_add_size(&g->in, u->seed + 300, u->actual, u->offset, u->tight);
    if (c->key.kind == SORT_SEGMENTS)
        open_segments(c, r);
    sort_case_generate(c, g->in.data);
}

static clf_status call_sort(const sort_running *r, clf_plan *plan)
{
    const sort_case *const c = r->test;
    const clf_array *const in = r->g.in.device, *const out = r->g.out.device;
    switch (c->key.kind) {
    case SORT_WHOLE: return clf_sort(plan, &r->g.call, c->n, in, out);
    case SORT_ROWS: return clf_segmented_sort(plan, &r->g.call, c->rows, c->rows ? c->n / c->rows : 0, in, out);
    default:
        return clf_irregular_sort(plan, &r->g.call, c->n, r->segments.count, &in[c->key.sort->input.count + 1], in,
                                  out);
    }
}

sort_running *sort_case_begin(clf_plan *plan, const sort_case *test)
{
    sort_running *const r = calloc(1, sizeof *r);
    ck_assert_msg(r, "out of memory");
    guarded_call *const g = &r->g;
    r->test = test;
    *g = guarded_under(&test->under);
    open_arrays(test, r);
    g->segments = r->segments.count;
    guarded_begin(g, plan, test->n);
    g->call.queue = test->queue ? test->queue : g->call.queue;
    g->call.in_count = (cl_uint)test->key.sort->input.count;
    g->call.out_count = (cl_uint)test->key.sort->value.count;
    const clf_status status = call_sort(r, plan);
    if (status != CLF_SUCCESS) {
        guarded_end(g, status);
        fail_case(test, clf_status_text(status));
    }
    if (!test->under.gated)
        assert_ok(clFlush(g->call.queue));
    return r;
}

/* Elements that are there; the segments end with them. */
static size_t actual_elements(sort_running *r)
{
    const sort_case *const c = r->test;
    const size_t size = c->rows ? c->n / c->rows : 1;
    size_t left = c->under.given && c->under.actual * size < c->n ? c->under.actual * size : c->n;
    const size_t n = left;
    if (c->key.kind != SORT_SEGMENTS)
        r->segments = irregular_make(NULL, SHAPE_SINGLES, 0, 1);
    if (c->key.kind == SORT_WHOLE)
        r->segments.lengths[r->segments.count++] = n;
    if (c->key.kind == SORT_ROWS) {
        r->segments.lengths = realloc(r->segments.lengths, (c->rows + 1) * sizeof *r->segments.lengths);
        ck_assert_msg(r->segments.lengths, "out of memory");
        for (size_t k = 0; k < c->rows; ++k)
            r->segments.lengths[r->segments.count++] = size;
    }
    for (size_t k = 0; k < r->segments.count; left -= r->segments.lengths[k++])
        if (r->segments.lengths[k] > left)
            r->segments.lengths[k] = left;
    return n;
}

/* Makes of all arrays what they should be. */
static void expect(sort_running *r)
{
    const sort_case *const c = r->test;
    const size_t n = actual_elements(r);
    ref_sort_segments(c->key.sort, c->key.flags, r->segments.count, r->segments.lengths,
                      (const void *const *)r->g.in.data, r->g.out.data);
    guarded_place_results(&r->g, n);
    irregular_free(&r->segments);
}

void sort_case_end(sort_running *r)
{
    guarded_end(&r->g, CLF_SUCCESS);
    expect(r);
    if (!guarded_check(&r->g, false))
        fail_case(r->test, r->g.what);
    guarded_close(&r->g);
    free(r);
}

void sort_case_run(clf_plan *plan, sort_case test)
{
    sort_running *const r = sort_case_begin(plan, &test);
    if (r)
        sort_case_end(r);
}

void sort_case_run_given(clf_plan *plan, const sort_key *key, size_t n, size_t actual, unsigned turn)
{
    sort_case test = sort_case_of(key, n, 2 * turn);
    circumstances_give(&test.under, &actual, turn);
    sort_case_run(plan, test);
}
