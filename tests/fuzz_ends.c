/* SPDX-License-Identifier: MIT */
/*
 * How a fuzzer runs operators with finish, place and CLF_WITH_SEGMENT: scans, reductions and adjacent differences, of
 * one array, of rows, of irregular segments. The operator's knob tells which of them it has.
 */
#include "fuzz.h"
#include "irregular.h"
#include "primitives.h"
#include "scan_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Operators ------------------------------------------------------------------------------------------------- */

enum { SUM, AFFINE, LEAST, KINDS }; /* affine functions do not commute; the least is of floats, told by their bits */
enum { NUMBERED = 1, CAPTURES = 2, PLACED = 4, UNFINISHED = 8, REVERSED = 16, FROM_DEVICE = 32 };
enum { MOST_RESULTS = 2, CAPTURED = 8, COUNT_OUT = MOST_RESULTS };
static const cl_uint captured[CAPTURED] = {3, 14, 15, 92, 65, 35, 89, 79};

/* What the knobs ask for, as far as the primitive has it. */
typedef struct ends {
    const clf_primitive *primitive;
    int kind;
    bool steps, numbered, captures, placed, finished;
    unsigned flags; /* of the plan */
} ends;

static ends ends_of(const fuzz_case *c)
{
    const uint64_t number = (c->knob[FUZZ_OPERATOR] - FUZZ_ENDS) % FUZZ_ENDS_COUNT;
    const unsigned bits = (unsigned)(number / KINDS);
    ends e = {.primitive = primitive_known(fuzz_plan_name(c)), .kind = (int)(number % KINDS)};
    const unsigned wanted = (bits & REVERSED ? CLF_REVERSE : 0u) | (bits & FROM_DEVICE ? CLF_FROM_DEVICE : 0u) |
                            (c->knob[FUZZ_FLAG] ? CLF_EXCLUSIVE : 0u);
    e.steps = e.primitive->function & CLF_FUNCTION_STEPS;
    e.flags = wanted & e.primitive->flags;
    e.numbered = bits & NUMBERED && e.primitive->function & CLF_FUNCTION_SEGMENTS;
    e.placed = bits & PLACED && e.primitive->function & CLF_FUNCTION_PLACE;
    e.finished = !(bits & UNFINISHED) || !(e.placed || (e.numbered && e.kind == AFFINE));
    e.captures = bits & CAPTURES;
    return e;
}

fuzz_operand ends_operand(const fuzz_case *c)
{
    static const char *const names[KINDS] = {"sums with ends", "affine functions with ends", "minima with ends"};
    return (fuzz_operand){names[ends_of(c).kind], ends_of(c).kind == AFFINE};
}

/* P, Q, X: the parts of values and elements; S: the segment's number; W(i): a captured element. */
static const char *const kinds[KINDS] = {
    "#define P(v) (v).p\n#define Q(v) 0u\n#define X(x) (x).p\n",
    "#define P(v) (v).p\n#define Q(v) (v).q\n#define X(in) (in).x\n"
    "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"
    "clf_value compose(clf_value x, clf_value y) { clf_value v = {x.p * y.p, x.q * y.p + y.q}; return v; }\n"
    "clf_value function(clf_input in, ulong i MORE)\n"
    "{ clf_value v = {2 * in.x + 1, in.y + (uint)i + 5 * (uint)(S) + W(i)}; return v; }\n",
    "#define P(v) as_uint((v).p)\n#define Q(v) 0u\n#define X(x) as_uint((x).p)\n"};
static const char steps[] =
    "clf_result finish(clf_value a, clf_value b, clf_input x, ulong i MORE)\n"
    "{\n"
    "    clf_result r;\n"
    "    r.rest = 5 * P(a) + 3 * P(b) + X(x) + (uint)i + 7 * (uint)(S) + W(i);\n"
    "    r.both = (ulong)Q(a) << 32 | (Q(b) ^ P(b));\n"
    "    return r;\n"
    "}\n";
static const char sums[] =
    "clf_result finish(clf_value a, ulong i AND_CAPTURED)\n"
    "{ clf_result r = {5 * P(a) + (uint)i + W(i), (ulong)Q(a) << 32 | (uint)i}; return r; }\n";
static const char places[] =
    "ulong to(clf_value a, clf_value b, clf_input x, ulong i MORE)\n"
    "{ return (P(a) ^ Q(b) ^ (uint)(S) ^ W(i)) & 3 ? i ^ 1 : CLF_NOWHERE; }\n";

static void write_source(const ends *e, char *text, size_t bytes)
{
    const char *const more = e->captures ? ", const clf_captured *c" : "";
    snprintf(text, bytes, "#define S %s\n#define W(i) %s\n#define AND_CAPTURED %s\n#define MORE %s%s\n%s%s%s",
             e->numbered ? "s" : "0", e->captures ? "c->w[(i) % 8]" : "0u", more, e->numbered ? ", ulong s" : "", more,
             kinds[e->kind],
             !e->finished ? ""
             : e->steps   ? steps
                          : sums,
             e->placed ? places : "");
}

static clf_plan *make_plan(const fuzz_case *c, const ends *e)
{
    static const char *const combine[KINDS] = {"clf_sum", "compose", "clf_min"};
    char source[3000];
    write_source(e, source, sizeof source);
    const clf_operator op = {
        .size = sizeof op, .source = source, .combine = combine[e->kind],
        .value = e->kind == AFFINE ? "uint p; uint q;" : e->kind == SUM ? "uint p;" : "float p;",
        .input = e->kind == AFFINE ? "uint x; ushort y;" : NULL, .captured = e->captures ? "uint w;" : NULL,
        .neutral = e->kind == AFFINE ? "identity" : NULL, .map = e->kind == AFFINE ? "function" : NULL,
        .flags = (e->kind == AFFINE ? 0u : CLF_COMMUTATIVE) | (e->numbered ? CLF_WITH_SEGMENT : 0u),
        .result = e->finished ? "uint rest; ulong both;" : NULL, .finish = e->finished ? "finish" : NULL,
        .place = e->placed ? "to" : NULL};
    const plan_parts parts = {.op = &op, .flags = e->flags, .how = fuzz_how_of(c)};
    const route r = fuzz_route_of(c);
    return route_plan(&r, fuzz_plan_name(c), &parts, ends_operand(c).name);
}

/* ---- The reference --------------------------------------------------------------------------------------------- */

typedef struct pair {
    cl_uint p, q; /* of minima p is the number's bits, which have the order of positive numbers */
} pair;

static const pair neutral[KINDS] = {{0, 0}, {1, 0}, {0x7f800000, 0}};
static const pair initials[KINDS] = {{3, 0}, {7, 5}, {0x40000000, 0}};

static pair combine(int kind, pair a, pair b)
{
    switch (kind) {
    case SUM: return (pair){a.p + b.p, 0};
    case AFFINE: return (pair){a.p * b.p, a.q * b.p + b.q};
    default: return a.p < b.p ? a : b;
    }
}

/* A call. */
typedef struct ending {
    const fuzz_case *c;
    ends e;
    bool rows;
    size_t n, size, room; /* elements; of a row; results that there is room for */
    irregular segments;   /* all of them, whatever their kind */
    circumstances under;
    guarded_call g;
} ending;

static cl_uint word(const ending *t, size_t i)
{
    return t->e.captures ? captured[i % CAPTURED] : 0;
}

static pair element(const ending *t, size_t i, size_t s)
{
    const cl_uint x = ((const cl_uint *)t->g.in.data[0])[i];
    if (t->e.kind != AFFINE)
        return (pair){x, 0};
    const cl_uint number = t->e.numbered ? (cl_uint)s : 0;
    return (pair){2 * x + 1, ((const cl_ushort *)t->g.in.data[1])[i] + (cl_uint)i + 5 * number + word(t, i)};
}

static void put(ending *t, size_t f, size_t at, cl_ulong value)
{
    const size_t bytes = t->g.out.array[f].element; /* the lowest bytes: hosts of OpenCL devices are little-endian */
    if (at < t->room)
        memcpy((unsigned char *)t->g.out.data[f] + at * bytes, &value, bytes);
}

/* Returns whether it has a place. */
static bool write_step(ending *t, size_t i, size_t s, pair a, pair b)
{
    const cl_uint x = ((const cl_uint *)t->g.in.data[0])[i], number = t->e.numbered ? (cl_uint)s : 0;
    if (t->e.placed && !((a.p ^ b.q ^ number ^ word(t, i)) & 3))
        return false;
    const size_t at = t->e.placed ? i ^ 1 : i;
    const cl_uint rest = 5 * a.p + 3 * b.p + x + (cl_uint)i + 7 * number + word(t, i);
    put(t, 0, at, t->e.finished ? rest : a.p);
    if (t->e.finished || t->e.kind == AFFINE)
        put(t, 1, at, t->e.finished ? (cl_ulong)a.q << 32 | (b.q ^ b.p) : a.q);
    return true;
}

static void write_sum(ending *t, size_t i, pair a)
{
    put(t, 0, i, t->e.finished ? 5 * a.p + (cl_uint)i + word(t, i) : a.p);
    if (t->e.finished || t->e.kind == AFFINE)
        put(t, 1, i, t->e.finished ? (cl_ulong)a.q << 32 | (cl_uint)i : a.q);
}

/* One segment of a scan, from `at` up to `end`. */
static cl_ulong scan(ending *t, size_t at, size_t end, size_t s)
{
    const int kind = t->e.kind;
    pair sum = t->g.call.initial ? initials[kind] : neutral[kind];
    cl_ulong placed = 0;
    for (size_t j = at; j < end; ++j) {
        const size_t i = t->e.flags & CLF_REVERSE ? at + end - 1 - j : j;
        const pair before = sum, x = element(t, i, s);
        sum = t->e.flags & CLF_REVERSE ? combine(kind, x, before) : combine(kind, before, x);
        placed += write_step(t, i, s, t->e.flags & CLF_EXCLUSIVE ? before : sum, before);
    }
    return placed;
}

static void difference(ending *t, size_t at, size_t end)
{
    for (size_t i = at; i < end; ++i) {
        const bool first = i == at && !t->g.call.initial;
        const pair before = i > at ? element(t, i - 1, 0) : initials[t->e.kind], x = element(t, i, 0);
        write_sum(t, i, first ? x : combine(t->e.kind, before, x));
    }
}

static void reduce(ending *t, size_t at, size_t end, size_t s)
{
    pair sum = t->g.call.initial ? initials[t->e.kind] : neutral[t->e.kind];
    for (size_t i = at; i < end; ++i)
        sum = combine(t->e.kind, sum, element(t, i, s));
    write_sum(t, s, sum);
}

/* Empty segments have a number, and a result, where offsets, lengths or rows tell. */
static bool has_empty(const ending *t)
{
    const clf_segmentation *const how = fuzz_how_of(t->c);
    return !how || how->by == CLF_BY_OFFSETS || how->by == CLF_BY_LENGTHS;
}

static bool reduces(const ending *t)
{
    return strstr(t->e.primitive->name, "reduce");
}

static void expect(ending *t)
{
    const size_t told = circumstances_size(&t->under, t->rows ? t->segments.count : t->n);
    const size_t limit = t->rows ? told * t->size : told, segments = t->rows ? told : t->segments.count;
    size_t at = 0, s = 0;
    cl_ulong counted = 0;
    for (size_t k = 0; k < segments; at += t->segments.lengths[k++]) {
        const size_t whole = at + t->segments.lengths[k], end = whole < limit ? whole : limit;
        const bool is_there = has_empty(t) || (whole > at && at < limit);
        if (t->e.steps)
            counted += scan(t, at, end, s);
        else if (!reduces(t))
            difference(t, at, end);
        else if (is_there)
            reduce(t, at, end, s);
        s += is_there;
    }
    counted = reduces(t) ? s : counted;
    if (t->g.out.count > COUNT_OUT)
        *(cl_ulong *)t->g.out.data[COUNT_OUT] = counted;
    guarded_place_results(&t->g, limit);
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static void cut(ending *t)
{
    gen random = gen_seed(t->c->knob[FUZZ_DATA], 7);
    t->n = (size_t)t->c->knob[FUZZ_N];
    t->size = t->rows ? (size_t)t->c->knob[FUZZ_SIZE] : t->n;
    if (fuzz_how_of(t->c)) {
        t->segments = irregular_make(&random, (irregular_shape)(t->c->knob[FUZZ_SHAPE] % SHAPE_COUNT), t->n,
                                     fuzz_scale_of(t->c));
        return;
    }
    const size_t count = !t->rows ? 1 : t->size ? t->n / t->size : t->n % 99;
    t->segments = (irregular){count * t->size, count, malloc((count + 1) * sizeof(size_t))};
    ck_assert(t->segments.lengths);
    t->n = count * t->size;
    for (size_t k = 0; k < count; ++k)
        t->segments.lengths[k] = t->size;
}

static void add_inputs(ending *t)
{
    const circumstances *const u = &t->under;
    guarded_list *const in = &t->g.in;
    gen random = gen_seed(u->seed, 8);
    guarded_add(in, "x", guarded_open(u->seed, 4, t->n, u->offset, u->tight));
    for (size_t i = 0; t->e.kind == LEAST && i < t->n; ++i) {
        const float positive = (float)gen_below(&random, 500);
        memcpy((cl_uint *)in->data[0] + i, &positive, sizeof positive);
    }
    if (t->e.kind == AFFINE)
        guarded_add(in, "y", guarded_open(u->seed + 1, 2, t->n, u->offset + 1, u->tight));
    if (t->e.captures) {
        guarded_add(in, "captured", guarded_open(u->seed + 2, 4, CAPTURED, u->offset + 2, u->tight));
        memcpy(in->data[in->count - 1], captured, sizeof captured);
    }
}

/* Returns where they lie. */
static size_t add_segments(ending *t)
{
    const clf_segmentation *const how = fuzz_how_of(t->c);
    gen random = gen_seed(t->under.seed, 9);
    size_t bytes;
    if (!how)
        return 0;
    void *const entries = irregular_entries(&t->segments, how, &random, &bytes);
    const size_t element = irregular_element(how);
    guarded_add(&t->g.in, "segments",
                guarded_open(t->under.seed + 3, element, bytes / element, t->under.offset, t->under.tight));
    memcpy(t->g.in.data[t->g.in.count - 1], entries, bytes);
    free(entries);
    t->g.segments = reduces(t) ? t->room : t->segments.count;
    return t->g.in.count - 1;
}

/* Results; behind them the number of those, where that is a result of the call. */
static void add_outputs(ending *t, bool counts)
{
    const circumstances *const u = &t->under;
    const cl_uint fields = t->e.finished || t->e.kind == AFFINE ? 2 : 1;
    const size_t bytes[MOST_RESULTS] = {4, t->e.finished ? 8 : 4};
    for (size_t f = 0; f < MOST_RESULTS; ++f)
        guarded_add(&t->g.out, "output",
                    guarded_open(u->seed + 20 + f, bytes[f], f < fields ? t->room : 0, u->offset + f, u->tight));
    if (counts)
        guarded_add(&t->g.out, "count", guarded_open(u->seed + 60, 8, 1, u->offset + 60, u->tight));
    if (!t->e.placed && t->room == t->n && t->c->knob[FUZZ_IN_PLACE] && !reduces(t))
        guarded_choose_places(&t->g, PLACE_SAME, u->seed, 1, 1);
}

/* Places may be more or fewer than there are, and results fewer, where the device counts segments. */
static size_t room_of(const ending *t)
{
    const size_t odd = (size_t)t->c->knob[FUZZ_ROOM] % 4, all = reduces(t) ? t->segments.count : t->n;
    if (t->e.placed)
        return odd == 1 ? all / 2 : odd == 2 ? 0 : all + odd;
    return reduces(t) && !has_empty(t) && odd == 1 && all > 1 ? all / 2 : all;
}

static clf_status call(ending *t, clf_plan *plan, size_t told)
{
    const clf_array *const in = t->g.in.device, *const out = t->g.out.device;
    const clf_call *const call = &t->g.call;
    const clf_array *const counted = t->g.out.count > COUNT_OUT ? &out[COUNT_OUT] : NULL;
    const cl_ulong n = t->n, count = t->segments.count, size = t->size;
    const char *const name = t->e.primitive->name;
    if (t->e.placed && fuzz_how_of(t->c))
        return clf_irregular_scan_placed(plan, call, n, count, t->room, &in[told], in, out, counted);
    if (t->e.placed)
        return t->rows ? clf_segmented_scan_placed(plan, call, count, size, t->room, in, out, counted)
                       : clf_scan_placed(plan, call, n, t->room, in, out, counted);
    if (!t->e.steps && !reduces(t))
        return scan_case_difference(plan, call, t->rows, t->segments.count, t->size, in, out);
    if (strcmp(name, "irregular_scan") == 0)
        return clf_irregular_scan(plan, call, n, count, &in[told], in, out);
    if (strcmp(name, "irregular_reduce") == 0)
        return clf_irregular_reduce(plan, call, n, t->room, &in[told], in, out, counted);
    if (t->e.steps)
        return t->rows ? clf_segmented_scan(plan, call, count, size, in, out) : clf_scan(plan, call, n, in, out);
    return t->rows ? clf_segmented_reduce(plan, call, count, size, in, out) : clf_reduce(plan, call, n, in, out);
}

static clf_status run(ending *t, clf_plan *plan)
{
    const bool counts = t->c->knob[FUZZ_ROOM] != 3 && (t->e.placed || (reduces(t) && !has_empty(t)));
    cut(t);
    t->under.actual = (size_t)t->c->knob[FUZZ_DATA] % ((t->rows ? t->segments.count : t->n) + 2);
    t->room = room_of(t);
    t->g = guarded_under(&t->under);
    add_inputs(t);
    const size_t told = add_segments(t);
    guarded_add_size(&t->g.in, t->under.seed + 4, t->under.actual, t->under.offset, t->under.tight);
    add_outputs(t, counts);
    guarded_begin(&t->g, plan, t->n);
    t->g.call.initial = t->c->knob[FUZZ_INITIAL] ? &initials[t->e.kind] : NULL;
    const clf_status status = call(t, plan, told);
    guarded_end(&t->g, status);
    return status;
}

bool run_ends(const fuzz_case *c, bool rows)
{
    static kept last;
    ending t = {.c = c, .e = ends_of(c), .rows = rows};
    if (needs_plan(&last, c))
        last.plan = make_plan(c, &t.e);
    if (!last.plan)
        return false;
    t.under = fuzz_under(c, (t.e.flags & CLF_FROM_DEVICE) != 0, 0);
    const clf_status status = run(&t, last.plan);
    if (status != CLF_E_UNSUPPORTED) {
        const route r = fuzz_route_of(c);
        expect(&t);
        if (!guarded_check(&t.g, false))
            route_fail(&r, "fuzz", -1, t.g.what,
                       "%s: kind %d, numbered %d, captures %d, placed %d, finished %d\n    %s", fuzz_primitive_name(c),
                       t.e.kind, t.e.numbered, t.e.captures, t.e.placed, t.e.finished, circumstances_text(&t.under));
    }
    guarded_close(&t.g);
    irregular_free(&t.segments);
    return status == CLF_SUCCESS;
}
