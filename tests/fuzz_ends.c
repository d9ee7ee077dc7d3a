/* SPDX-License-Identifier: MIT */
/*
 * How a fuzzer runs operators with finish, place, CLF_WITH_SEGMENT and CLF_COMBINE_CAPTURES, fields that are arrays,
 * joined ones, and plans that want some results: scans, reductions and adjacent differences, of one array, of rows, of
 * irregular segments.
 */
#include "fuzz_ends.h"

#include "irregular.h"
#include "primitives.h"
#include "scan_case.h"

#include <stdlib.h>
#include <string.h>

/* ---- The reference --------------------------------------------------------------------------------------------- */

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
    return t->e.captures ? ends_captured[i % ENDS_CAPTURED] : 0;
}

static ends_value element(const ending *t, size_t i, size_t s)
{
    const cl_uint x = ((const cl_uint *)t->g.in.data[0])[i];
    if (!t->e.affine)
        return (ends_value){x, 0, 0};
    const cl_uint number = t->e.numbered ? (cl_uint)s : 0, y = ((const cl_ushort *)t->g.in.data[1])[i];
    return ends_reduced(t->e.kind, (ends_value){2 * x + 1, y + (cl_uint)i + 5 * number + word(t, i), x});
}

static void put(ending *t, size_t f, size_t at, cl_ulong value)
{
    const size_t bytes = t->g.out.array[f].element; /* the lowest bytes: hosts of OpenCL devices are little-endian */
    if (at < t->room)
        memcpy((unsigned char *)t->g.out.data[f] + at * bytes, &value, bytes);
}

/* The fields of a value, or what `finish` makes of it. */
static void write_result(ending *t, size_t at, ends_value a, cl_uint rest, cl_uint low)
{
    const bool is_one = t->e.kind == ENDS_ARRAYS;
    if (t->e.finished) {
        put(t, 0, at, rest);
        put(t, 1, at, (cl_ulong)a.q << 32 | low);
    } else {
        put(t, 0, at, is_one ? (cl_ulong)a.q << 32 | a.p : a.p);
        if (t->e.results > 1)
            put(t, 1, at, a.q);
    }
    if (t->e.kind == ENDS_JOINED)
        put(t, 2, at, t->e.finished ? 3 * a.total + 1 : a.total);
}

/* Returns whether it has a place. */
static bool write_step(ending *t, size_t i, size_t s, ends_value a, ends_value b)
{
    const cl_uint x = ((const cl_uint *)t->g.in.data[0])[i], number = t->e.numbered ? (cl_uint)s : 0;
    if (t->e.placed && !((a.p ^ b.q ^ number ^ word(t, i)) & 3))
        return false;
    const size_t at = t->e.placed ? i ^ 1 : i;
    const cl_uint rest = 5 * a.p + 3 * b.p + x + (cl_uint)i + 7 * number + word(t, i);
    write_result(t, at, a, rest, b.q ^ b.p);
    return true;
}

static void write_sum(ending *t, size_t i, ends_value a)
{
    write_result(t, i, a, 5 * a.p + (cl_uint)i + word(t, i), (cl_uint)i);
}

/* One segment of a scan, from `at` up to `end`. */
static cl_ulong scan(ending *t, size_t at, size_t end, size_t s)
{
    const int kind = t->e.kind;
    ends_value sum = t->g.call.initial ? ends_initials[kind] : ends_neutral[kind];
    cl_ulong placed = 0;
    for (size_t j = at; j < end; ++j) {
        const size_t i = t->e.flags & CLF_REVERSE ? at + end - 1 - j : j;
        const ends_value before = sum, x = element(t, i, s);
        sum = t->e.flags & CLF_REVERSE ? ends_combine(kind, x, before) : ends_combine(kind, before, x);
        placed += write_step(t, i, s, t->e.flags & CLF_EXCLUSIVE ? before : sum, before);
    }
    return placed;
}

static void difference(ending *t, size_t at, size_t end)
{
    for (size_t i = at; i < end; ++i) {
        const bool first = i == at && !t->g.call.initial;
        const ends_value before = i > at ? element(t, i - 1, 0) : ends_initials[t->e.kind], x = element(t, i, 0);
        write_sum(t, i, first ? x : ends_combine(t->e.kind, before, x));
    }
}

static void reduce(ending *t, size_t at, size_t end, size_t s)
{
    ends_value sum = t->g.call.initial ? ends_initials[t->e.kind] : ends_neutral[t->e.kind];
    for (size_t i = at; i < end; ++i)
        sum = ends_combine(t->e.kind, sum, element(t, i, s));
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
    if (t->g.out.count > ENDS_RESULTS)
        *(cl_ulong *)t->g.out.data[ENDS_RESULTS] = counted;
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
    for (size_t i = 0; t->e.kind == ENDS_LEAST && i < t->n; ++i) {
        const float positive = (float)gen_below(&random, 500);
        memcpy((cl_uint *)in->data[0] + i, &positive, sizeof positive);
    }
    if (t->e.affine)
        guarded_add(in, "y", guarded_open(u->seed + 1, 2, t->n, u->offset + 1, u->tight));
    if (t->e.captures) {
        guarded_add(in, "captured", guarded_open(u->seed + 2, 4, ENDS_CAPTURED, u->offset + 2, u->tight));
        memcpy(in->data[in->count - 1], ends_captured, sizeof ends_captured);
    }
}

/* Returns where they lie. */
static size_t add_segments(ending *t)
{
    const clf_segmentation *const how = fuzz_how_of(t->c);
    gen random = gen_seed(t->under.seed, 9);
    if (!how)
        return 0;
    guarded_add_segments(&t->g.in, &t->segments, how, &random, t->under.seed + 3, t->under.offset, t->under.tight);
    t->g.segments = reduces(t) ? t->room : t->segments.count;
    return t->g.in.count - 1;
}

/* Results; behind them the number of those, where that is a result of the call. */
static void add_outputs(ending *t, bool counts)
{
    const circumstances *const u = &t->under;
    const bool finished = t->e.finished;
    const size_t bytes[ENDS_RESULTS] = {t->e.kind == ENDS_ARRAYS && !finished ? 8 : 4, finished ? 8 : 4, 4};
    for (size_t f = 0; f < ENDS_RESULTS; ++f)
        guarded_add(&t->g.out, "output",
                    guarded_open(u->seed + 20 + f, bytes[f], f < t->e.results ? t->room : 0, u->offset + f, u->tight));
    guarded_want(&t->g, t->e.wanted, t->e.results);
    if (counts)
        guarded_add(&t->g.out, "count", guarded_open(u->seed + 60, 8, 1, u->offset + 60, u->tight));
    if (!t->e.placed && t->room == t->n && t->c->knob[FUZZ_IN_PLACE] && !reduces(t))
        guarded_choose_places(&t->g, PLACE_SAME, u->seed, 1, 0, 1);
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
    const clf_array *const counted = t->g.out.count > ENDS_RESULTS ? &out[ENDS_RESULTS] : NULL;
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
    t->g.call.initial = t->c->knob[FUZZ_INITIAL] ? &ends_initials[t->e.kind] : NULL;
    const clf_status status = call(t, plan, told);
    guarded_end(&t->g, status);
    return status;
}

bool run_ends(const fuzz_case *c, bool rows)
{
    static kept last;
    ending t = {.c = c, .e = ends_of(c), .rows = rows};
    if (needs_plan(&last, c))
        last.plan = ends_plan(c, &t.e);
    if (!last.plan)
        return false;
    t.under = fuzz_under(c, (t.e.flags & CLF_FROM_DEVICE) != 0, 0);
    const clf_status status = run(&t, last.plan);
    if (status != CLF_E_UNSUPPORTED) {
        const route r = fuzz_route_of(c);
        expect(&t);
        if (!guarded_check(&t.g, false))
            route_fail(&r, "fuzz", -1, t.g.what,
                       "%s: kind %d, numbered %d, captures %d, placed %d, finished %d, wanted 0x%x\n    %s",
                       fuzz_primitive_name(c), t.e.kind, t.e.numbered, t.e.captures, t.e.placed, t.e.finished,
                       (unsigned)t.e.wanted, circumstances_text(&t.under));
    }
    guarded_close(&t.g);
    irregular_free(&t.segments);
    return status == CLF_SUCCESS;
}
