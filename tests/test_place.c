/* SPDX-License-Identifier: MIT */
/*
 * Results that operators place by `place`: scans of one array, of rows and of irregular segments, by every variant,
 * with `finish` and without it, inclusive and exclusive, from the right, with initial values, sizes on the device, any
 * room; two results for one place; what is refused.
 */
#include "finish.h"
#include "irregular.h"
#include "laws.h"

#include <stdlib.h>

enum { PRIME = 1009, GUARD = 8, MOST = PRIME + GUARD };

/* ---- Operators --------------------------------------------------------------------------------------------------- */

#define PLACE(name, body) "ulong " name "(clf_value a, clf_value before, clf_input in, ulong i" body "\n"

typedef struct placing {
    const clf_operator *op;
    const finish_operator *like;                         /* whose elements, map and combine it has */
    finish_value (*map)(finish_input x, cl_ulong index); /* or one of its own */
    cl_uint results, bytes[FINISH_FIELDS];
    void (*step)(const finish_step *step, cl_ulong out[FINISH_FIELDS]);
    cl_ulong (*place)(const finish_step *step);
} placing;

/* Affine functions, which do not commute, with captured arrays; places are a permutation. */
static const clf_operator affine = {
    .size = sizeof affine, .value = "uint p; uint q;", .input = "uint x; ushort y;", .captured = "uint w;",
    .combine = "compose", .neutral = "identity", .map = "function", .result = "ushort low; uint both[2];",
    .finish = "finish", .place = "to",
    .source = "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"
              "clf_value compose(clf_value x, clf_value y)\n"
              "{ clf_value v = {x.p * y.p, x.q * y.p + y.q}; return v; }\n"
              "clf_value function(clf_input in, ulong i, const clf_captured *c)\n"
              "{ clf_value v = {2 * in.x + 1, in.y + (uint)i}; return v; }\n"
              "clf_result finish(clf_value a, clf_value before, clf_input in, ulong i, const clf_captured *c)\n"
              "{ clf_result r = {(ushort)(a.q + in.y), {before.q, a.p}}; return r; }\n"
              PLACE("to", ", const clf_captured *c)")
              "{ return (a.q ^ before.q ^ in.x) & 3 ? (i * 7919 + c->w[1]) % 1009 : CLF_NOWHERE; }\n"};

static void affine_step(const finish_step *s, cl_ulong out[FINISH_FIELDS])
{
    out[0] = (cl_ushort)(s->value.q + s->x.y);
    out[1] = (cl_ulong)s->value.p << 32 | s->before.q;
}

static cl_ulong affine_place(const finish_step *s)
{
    return (s->value.q ^ s->before.q ^ s->x.x) & 3 ? (s->index * 7919 + finish_captured[1]) % PRIME : CLF_NOWHERE;
}

/* A compaction of odd elements, in one array, but that here and there neighbours change places. */
static const clf_operator odd = {
    .size = sizeof odd, .value = "uint p;", .input = "uint x;", .combine = "clf_sum", .map = "one",
    .result = "uint x; ulong at;", .finish = "finish", .place = "to",
    .source = "clf_value one(clf_input in, ulong i) { clf_value v = {in.x & 1}; return v; }\n"
              "clf_result finish(clf_value a, clf_value before, clf_input in, ulong i)\n"
              "{ clf_result r = {in.x, i}; return r; }\n"
              PLACE("to", ")") "{ return in.x & 1 ? before.p ^ (before.p / 50 % 3 == 1) : CLF_NOWHERE; }\n"};

static finish_value odd_map(finish_input in, cl_ulong i)
{
    (void)i;
    return (finish_value){in.x & 1, 0};
}

static void odd_step(const finish_step *s, cl_ulong out[FINISH_FIELDS])
{
    out[0] = s->x.x;
    out[1] = s->index;
}

static cl_ulong odd_place(const finish_step *s)
{
    return s->x.x & 1 ? s->before.p ^ (s->before.p / 50 % 3 == 1) : CLF_NOWHERE;
}

/* Minima of numbers that are told by their bits, written as they are; the elements are the values. */
static const clf_operator least = {
    .size = sizeof least, .value = "float p;", .combine = "clf_min", .flags = CLF_COMMUTATIVE, .place = "to",
    .source = PLACE("to", ")") "{ return i % 3 ? i ^ 1 : CLF_NOWHERE; }\n"};

static void least_step(const finish_step *s, cl_ulong out[FINISH_FIELDS])
{
    out[0] = s->value.p;
}

static cl_ulong least_place(const finish_step *s)
{
    return s->index % 3 ? s->index ^ 1 : CLF_NOWHERE;
}

static const placing placings[] = {
    {&affine, &finish_operators[0], NULL, 2, {2, 8}, affine_step, affine_place},
    {&least, &finish_operators[2], NULL, 1, {4}, least_step, least_place},
    {&odd, &finish_operators[1], odd_map, 2, {4, 8}, odd_step, odd_place},
};
enum { PLACINGS = COUNT(placings), OF_SEGMENTS = PLACINGS - 1 /* the last counts in one array */ };
static const finish_value initials[] = {{7, 5}, {0x40000000, 0}, {3, 0}};

/* ---- Segments ---------------------------------------------------------------------------------------------------- */

typedef enum place_kind { OF_ONE, OF_ROWS, OF_ANY, KINDS } place_kind;

typedef struct place_case {
    const placing *op;
    place_kind kind;
    bool exclusive, reversed, initial, uncounted;
    size_t n, size, room;
    const cl_ulong *actual;
    const clf_segmentation *how; /* segments of any lengths, and: */
    irregular_shape shape;
    unsigned char heads[FINISH_N];
} place_case;

static const clf_segmentation hows[] = {
    {sizeof *hows, CLF_BY_OFFSETS, CLF_UINT}, {sizeof *hows, CLF_BY_HEAD_BITS, CLF_UINT},
    {sizeof *hows, CLF_BY_LENGTHS, CLF_ULONG}, {sizeof *hows, CLF_BY_KEYS, CLF_INT},
    {sizeof *hows, CLF_BY_HEAD_BYTES, CLF_UCHAR}};

/* Marks heads; of segments of any lengths returns the array that tells them, and their number. */
static clf_array cut(place_case *c, gen *random, size_t *count)
{
    size_t bytes;
    for (size_t i = 0; i < c->n; ++i)
        c->heads[i] = c->kind == OF_ROWS && i % c->size == 0;
    if (c->kind != OF_ANY)
        return (clf_array){0};
    irregular segments = irregular_make(random, c->shape, c->n, 96);
    void *const entries = irregular_entries(&segments, c->how, random, &bytes);
    const clf_array told = {rig_buffer(bytes, entries), 0};
    irregular_heads(&segments, c->heads);
    *count = segments.count;
    free(entries);
    irregular_free(&segments);
    return told;
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

/* What outputs have that nobody writes to. */
static cl_ulong untouched(cl_uint bytes)
{
    return 0xa5a5a5a5a5a5a5a5u >> (64 - 8 * bytes);
}

/* What the reference says the outputs have; returns the number of results with a place. */
static cl_ulong reference(const place_case *c, const finish_input *x, size_t n, cl_ulong wanted[FINISH_FIELDS][MOST])
{
    const placing *const op = c->op;
    const finish_value first = c->initial ? initials[c->op - placings] : op->like->nothing;
    finish_value sum = first;
    cl_ulong placed = 0;
    for (cl_uint f = 0; f < op->results; ++f)
        for (size_t i = 0; i < MOST; ++i)
            wanted[f][i] = untouched(op->bytes[f]);
    for (size_t j = 0; j < n; ++j) {
        const size_t i = c->reversed ? n - 1 - j : j;
        const bool starts = j == 0 || c->heads[c->reversed ? i + 1 : i];
        const finish_value before = starts ? first : sum, value = (op->map ? op->map : op->like->map)(x[i], i);
        cl_ulong out[FINISH_FIELDS] = {0};
        sum = c->reversed ? op->like->combine(value, before) : op->like->combine(before, value);
        const finish_step step = {c->exclusive ? before : sum, before, x[i], i};
        const cl_ulong place = op->place(&step);
        op->step(&step, out);
        placed += place != CLF_NOWHERE;
        for (cl_uint f = 0; f < op->results && place < c->room; ++f)
            wanted[f][place] = out[f];
    }
    return placed;
}

static void expect_field(const place_case *c, const clf_array *out, cl_uint bytes, const cl_ulong wanted[MOST])
{
    static cl_uchar got[MOST * 8];
    rig_read(the_rig()->queue, out->buffer, (c->room + GUARD) * bytes, got);
    for (size_t i = 0; i < c->room + GUARD; ++i) {
        cl_ulong value = 0;
        const cl_ulong right = i < GUARD / 2 || i >= c->room + GUARD / 2 ? untouched(bytes) : wanted[i - GUARD / 2];
        memcpy(&value, got + i * bytes, bytes); /* the lowest bytes: hosts of OpenCL devices are little-endian */
        ck_assert_msg(value == right,
                      "%s, kind %d, rows of %zu, exclusive %d, reversed %d, initial %d, n %zu, room %zu: "
                      "element %d has %llx, not %llx",
                      c->op->op->combine, (int)c->kind, c->size, c->exclusive, c->reversed, c->initial, c->n, c->room,
                      (int)i - GUARD / 2, (unsigned long long)value, (unsigned long long)right);
    }
}

static clf_status call_of(clf_plan *plan, const clf_call *call, const place_case *c, const finish_data *d, size_t count,
                          const clf_array *told, const clf_array *result)
{
    switch (c->kind) {
    case OF_ONE: return clf_scan_placed(plan, call, c->n, c->room, d->in, d->out, result);
    case OF_ROWS: return clf_segmented_scan_placed(plan, call, c->n / c->size, c->size, c->room, d->in, d->out, result);
    default: return clf_irregular_scan_placed(plan, call, c->n, count, c->room, told, d->in, d->out, result);
    }
}

static void run_case(clf_plan *plan, place_case *c, gen *random)
{
    static cl_uchar pattern[MOST * 8];
    static cl_ulong wanted[FINISH_FIELDS][MOST];
    finish_data d = {.op = c->op->like, .n = c->n};
    cl_ulong count = 77;
    size_t segments = 0;
    const clf_array actual = {c->actual ? rig_buffer(sizeof *c->actual, c->actual) : NULL, 0};
    const clf_array counted = {rig_buffer(sizeof count, &count), 0}, *const result = c->uncounted ? NULL : &counted;
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .actual = actual,
                           .initial = c->initial ? &initials[c->op - placings] : NULL};
    const clf_array told = cut(c, random, &segments);
    finish_fill(&d, random);
    memset(pattern, 0xa5, sizeof pattern);
    for (cl_uint f = 0; f < c->op->results; ++f)
        d.out[f] = (clf_array){rig_buffer((c->room + GUARD) * c->op->bytes[f], pattern), GUARD / 2};
    assert_ok(call_of(plan, &call, c, &d, segments, &told, result));
    const size_t each = c->kind == OF_ROWS ? c->size : 1, rows = c->actual ? (size_t)*c->actual * each : c->n;
    const cl_ulong placed = reference(c, d.x, rows < c->n ? rows : c->n, wanted);
    for (cl_uint f = 0; f < c->op->results; ++f) {
        expect_field(c, &d.out[f], c->op->bytes[f], wanted[f]);
        clReleaseMemObject(d.out[f].buffer);
    }
    rig_read(the_rig()->queue, counted.buffer, sizeof count, &count);
    ck_assert_uint_eq(count, c->uncounted ? 77 : placed);
    rig_release(d.in[0], d.in[1], counted);
    if (d.op->inputs == 2)
        clReleaseMemObject(d.in[2].buffer);
    if (c->actual)
        clReleaseMemObject(actual.buffer);
    if (told.buffer)
        clReleaseMemObject(told.buffer);
}

static clf_plan *plan_of(const route *r, const place_case *c, unsigned flags)
{
    static const char *const names[KINDS] = {"scan", "segmented_scan", "irregular_scan"};
    const plan_parts parts = {.op = c->op->op, .how = c->how, .flags = flags | (c->exclusive ? CLF_EXCLUSIVE : 0u) |
                                                               (c->reversed ? CLF_REVERSE : 0u)};
    return route_plan(r, names[c->kind], &parts, "place");
}

TEST(scans)
{
    static const size_t sizes[] = {1, 3, 33, 96, 97, 128, 129, FINISH_N}, rooms[] = {PRIME, 300, 1, 0};
    const way *const w = &ways[_i / KINDS];
    const place_kind kind = (place_kind)(_i % KINDS);
    const bool refused = w->variant && strcmp(w->variant, "propagate") == 0;
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    for (int which = 0; !refused && which < 4 * (kind == OF_ONE ? PLACINGS : OF_SEGMENTS); ++which) {
        place_case c = {.op = &placings[which / 4], .kind = kind, .exclusive = which % 2, .reversed = which / 2 % 2,
                        .how = &hows[(size_t)(which + _i) % COUNT(hows)]};
        const route r = finish_route(w, which + _i / KINDS);
        const bool taken = rig_full() || (which + _i / KINDS) % 4 == 0;
        clf_plan *const plan = taken ? plan_of(&r, &c, 0) : NULL;
        for (size_t turn = 0; plan && turn < 2 * COUNT(sizes); ++turn) {
            c.size = sizes[turn / 2];
            c.n = turn % 2 == 0 && turn > 4 ? c.size : kind == OF_ROWS ? FINISH_N / c.size * c.size : FINISH_N - 7;
            c.room = rooms[turn % 5 % COUNT(rooms)];
            c.initial = turn % 3 == 1;
            c.uncounted = turn % 4 == 3;
            c.shape = (irregular_shape)(turn % SHAPE_COUNT);
            run_case(plan, &c, &random);
        }
        if (plan)
            assert_ok(clf_plan_release(plan));
    }
}

TEST(sizes_on_the_device)
{
    static const cl_ulong actual[] = {0, 1, 96, 500, FINISH_N};
    const way w = {_i % 2 ? "cpu" : NULL, NULL};
    place_case c = {.op = &placings[_i / (2 * KINDS)], .kind = (place_kind)(_i / 2 % KINDS), .reversed = _i % 3 == 0,
                    .n = FINISH_N - 10, .size = 10, .room = PRIME, .how = &hows[_i % 3], .shape = SHAPE_SHORT};
    const route r = finish_route(&w, 0);
    gen random = gen_seed(the_rig()->seed, 300 + (uint64_t)_i);
    clf_plan *const plan = plan_of(&r, &c, CLF_FROM_DEVICE);
    for (size_t i = 0; plan && i < COUNT(actual); ++i) {
        c.actual = &actual[i];
        run_case(plan, &c, &random);
    }
    if (plan)
        assert_ok(clf_plan_release(plan));
}

/* Many results have one place: each field has one of theirs. */
TEST(places_of_several)
{
    enum { N = 5000, PLACES = 7 };
    static const clf_operator op = {.size = sizeof op, .value = "uint v;", .combine = "clf_sum", .place = "to",
                                    .source = PLACE("to", ")") "{ return a.v % 7; }\n"};
    static cl_uint ones[N];
    const route r = {_i ? "cpu" : NULL, NULL, NULL};
    cl_uint found[PLACES];
    cl_ulong count;
    clf_plan *const plan = route_plan(&r, "scan", &(plan_parts){.op = &op}, "several");
    for (size_t i = 0; i < N; ++i)
        ones[i] = 1;
    const clf_array in = {rig_buffer(sizeof ones, ones), 0}, out = {rig_buffer(sizeof found, NULL), 0};
    const clf_array counted = {rig_buffer(sizeof count, NULL), 0};
    assert_ok(clf_scan_placed(plan, CLF_ON(the_rig()->queue), N, PLACES, &in, &out, &counted));
    rig_read(the_rig()->queue, out.buffer, sizeof found, found);
    rig_read(the_rig()->queue, counted.buffer, sizeof count, &count);
    for (cl_uint i = 0; i < PLACES; ++i)
        ck_assert_msg(found[i] % PLACES == i && found[i] >= 1 && found[i] <= N, "place %u has %u", i, found[i]);
    ck_assert_uint_eq(count, N);
    assert_ok(clf_plan_release(plan));
    rig_release(in, out, counted);
}

/* For suite `kernel`: a full tile, a part of one, and one element. */
TEST(places_on_little_data)
{
    static const size_t sizes[] = {1, 128, 200};
    const way *const w = &ways[_i];
    const bool refused = w->variant && strcmp(w->variant, "propagate") == 0;
    const route r = finish_route(w, 1);
    const place_kind kind = _i % PLACINGS < OF_SEGMENTS ? OF_ANY : OF_ONE;
    place_case c = {.op = &placings[_i % PLACINGS], .exclusive = _i % 2, .room = 100, .kind = kind, .how = &hows[0],
                    .shape = SHAPE_LONG};
    gen random = gen_seed(the_rig()->seed, 400 + (uint64_t)_i);
    clf_plan *const plan = refused ? NULL : plan_of(&r, &c, 0);
    for (size_t i = 0; plan && i < COUNT(sizes); ++i) {
        c.n = sizes[i];
        run_case(plan, &c, &random);
    }
    if (plan)
        assert_ok(clf_plan_release(plan));
}

RIG_PART(add_place_kernel_tests, {places_on_little_data, WAY_COUNT})

TEST(laws)
{
    assert_lawful(placings[_i].op, "placing");
}

RIG_SUITE_OF(place, NULL, (add_place_number_tests, add_place_refusal_tests), {scans, KINDS * WAY_COUNT},
             {sizes_on_the_device, 2 * KINDS * OF_SEGMENTS}, {places_of_several, 2}, {laws, PLACINGS})
