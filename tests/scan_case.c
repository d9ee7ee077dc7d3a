/* SPDX-License-Identifier: MIT */
/*
 * One scan or adjacent difference, checked. Every array has a buffer of its own with an image of all its bytes before
 * the call (`before`) and another of what they must be afterwards (`after`): the canaries and the inputs as they were,
 * the outputs as the reference computes them. An output in place shares the strip of its input.
 */
#include "scan_case.h"
#include "primitives/primitives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lowest bit of a canary is 0: clf_heads "or"s such bits into words, and a 1 would hide one too many. */
enum { CANARY = 4096, FILLER = 0x5a, MAX_STRIPS = 3 * CLF_MAX_FIELDS };

typedef struct strip {
    size_t element, first, bytes; /* bytes of an element; index of the array's first; bytes of the buffer */
    unsigned char *before, *after;
    cl_mem buffer;
} strip;

typedef struct trial {
    const scan_case *test;
    const ref_operator *op;
    size_t strips;
    strip strip[MAX_STRIPS];
    strip *in[CLF_MAX_FIELDS], *out[2 * CLF_MAX_FIELDS];
    size_t out_count;
    _Alignas(REF_ALIGN) unsigned char initial[REF_MAX_BYTES];
    cl_ulong scratch_bytes, call_bytes; /* of all; of the call's own part, which lies first */
    strip scratch, entries;             /* entries: what tells of irregular segments */
} trial;

/* ---- Reporting ------------------------------------------------------------------------------------------------- */

static const char *or_default(const char *text)
{
    return text ? text : "default";
}

static void fail_trial(const trial *t, const char *what)
{
    const scan_case *c = t->test;
    char replay[64] = "";
    if (c->number >= 0)
        snprintf(replay, sizeof replay, " --case %ld", c->number);
    ck_abort_msg(
        "%s\n    %s of %s, variant %s, parameters %s, disabled %s, segments by %d\n"
        "    n %zu, size %zu, offset %zu, aligned %d, initial %d, in place %d, out of order %d, scratch %d\n"
        "    replay: clfold-tests --suite %s --seed %llu%s",
        what,
        c->adjacent                     ? "adjacent difference"
        : c->plan.flags & CLF_REVERSE   ? "scan from the right"
        : c->plan.flags & CLF_EXCLUSIVE ? "exclusive scan"
                                        : "inclusive scan",
        c->plan.op->name, or_default(c->plan.variant), or_default(c->plan.parameters),
        c->plan.disable ? c->plan.disable : "nothing", c->how ? (int)c->how->by : -1, c->n, c->size, c->offset,
        c->aligned, c->initial, c->in_place, c->unordered, (int)c->scratch, c->suite,
        (unsigned long long)the_rig()->seed, replay);
}

static void expect_ok(const trial *t, const char *function, clf_status status)
{
    char text[256];
    if (status == CLF_SUCCESS)
        return;
    snprintf(text, sizeof text, "%s: %d (%s)", function, status, clf_status_text(status));
    fail_trial(t, text);
}

static int hex(char *text, size_t room, const unsigned char *bytes, size_t count)
{
    int length = 0;
    for (size_t i = count; i-- > 0;) /* as a little-endian number is written */
        length += snprintf(text + length, room - (size_t)length, "%02x", bytes[i]);
    return length;
}

/* Names the first byte of `got` that is wrong. */
static void fail_strip(const trial *t, const strip *s, const char *role, const unsigned char *got)
{
    const size_t at = ref_wrong_byte(t->op->real == s->element ? s->element : 0, s->bytes, got, s->after);
    size_t index = at / s->element, behind = s->first + t->test->n;
    char text[800];
    if (index < s->first || index >= behind) {
        snprintf(text, sizeof text, "%s: byte %zu outside of the array was overwritten", role, at);
    } else {
        char expected[2 * 128 + 1] = "", seen[2 * 128 + 1] = "";
        hex(expected, sizeof expected, s->after + index * s->element, s->element);
        hex(seen, sizeof seen, got + index * s->element, s->element);
        snprintf(text, sizeof text, "%s: element %zu is 0x%s, not 0x%s", role, index - s->first, seen, expected);
    }
    fail_trial(t, text);
}

/* ---- Strips ---------------------------------------------------------------------------------------------------- */

static void *checked_malloc(size_t bytes)
{
    void *memory = malloc(bytes);
    ck_assert_msg(memory, "out of memory");
    return memory;
}

/* Room for n elements behind a canary and `shift` elements, and a canary behind them, unless `tight`. */
static void strip_open(strip *s, size_t element, size_t shift, size_t n, bool tight)
{
    s->element = element;
    s->first = CANARY / element + shift;
    s->bytes = (s->first + n) * element + (tight ? 0 : CANARY);
    s->before = checked_malloc(s->bytes);
    s->after = checked_malloc(s->bytes);
    memset(s->before, FILLER, s->bytes);
}

/* Inputs and results are known: makes the buffer. `late`: its content comes with rig_write_late. */
static void strip_fill(strip *s, bool late)
{
    s->buffer = rig_buffer(s->bytes, late ? NULL : s->before);
}

static void strip_close(strip *s)
{
    if (s->buffer)
        clReleaseMemObject(s->buffer);
    free(s->before);
    free(s->after);
}

static strip *add_strip(trial *t, size_t element)
{
    strip *s = &t->strip[t->strips];
    strip_open(s, element, t->test->aligned ? 0 : t->test->offset + t->strips, t->test->n, t->test->tight);
    ++t->strips;
    return s;
}

/* ---- Setting the scene ----------------------------------------------------------------------------------------- */

static void add_inputs(trial *t)
{
    const ref_layout *layout = &t->op->input;
    void *arrays[CLF_MAX_FIELDS];
    for (size_t f = 0; f < layout->count; ++f) {
        t->in[f] = add_strip(t, layout->field[f].bytes);
        arrays[f] = t->in[f]->before + t->in[f]->first * t->in[f]->element;
    }
    gen random = gen_seed(t->test->seed, 0);
    for (size_t i = 0; i < t->test->n; ++i) {
        _Alignas(REF_ALIGN) unsigned char element[REF_MAX_BYTES];
        t->op->generate(&random, i, element);
        ref_scatter(layout, arrays, i, element);
    }
}

/* An input of this element size whose place no output has taken yet. */
static strip *free_input(const trial *t, size_t element)
{
    for (size_t i = 0; i < t->op->input.count; ++i) {
        bool taken = t->in[i]->element != element;
        for (size_t o = 0; o < t->out_count; ++o)
            taken = taken || t->out[o] == t->in[i];
        if (!taken)
            return t->in[i];
    }
    return NULL;
}

static void add_outputs(trial *t, const ref_layout *layout)
{
    for (size_t f = 0; f < layout->count; ++f) {
        size_t element = layout->field[f].bytes;
        strip *s = t->test->in_place ? free_input(t, element) : NULL;
        t->out[t->out_count] = s ? s : add_strip(t, element);
        ++t->out_count;
    }
}

static const void *initial_of(const trial *t)
{
    return t->test->initial ? t->initial : NULL;
}

/* Fills in `after` with the reference's results. */
static void predict(trial *t)
{
    const void *in[CLF_MAX_FIELDS];
    void *out[2 * CLF_MAX_FIELDS];
    for (size_t s = 0; s < t->strips; ++s)
        memcpy(t->strip[s].after, t->strip[s].before, t->strip[s].bytes);
    for (size_t i = 0; i < t->op->input.count; ++i)
        in[i] = t->in[i]->before + t->in[i]->first * t->in[i]->element;
    for (size_t o = 0; o < t->out_count; ++o)
        out[o] = t->out[o]->after + t->out[o]->first * t->out[o]->element;
    const size_t unit = t->test->segmented && t->test->size ? t->test->size : 1; /* what a size on the device counts */
    unsigned char *heads = checked_malloc(t->test->n + 1);
    for (size_t i = 0; i < t->test->n; ++i)
        heads[i] = t->test->segmented ? i % t->test->size == 0 : i == 0;
    if (t->test->segments)
        irregular_heads(t->test->segments, heads);
    const size_t n = given_size(&t->test->given, t->test->n / unit) * unit;
    if (t->test->adjacent)
        ref_adjacent_difference(t->op, n, heads, in, out, initial_of(t));
    else
        (t->test->plan.flags & CLF_REVERSE ? ref_reverse_scan : ref_segmented_scan)(
            t->op, n, heads, in, out, initial_of(t), t->test->plan.flags & CLF_EXCLUSIVE);
    free(heads);
}

static void add_entries(trial *t)
{
    const clf_segmentation *how = t->test->how;
    if (!how)
        return;
    gen random = gen_seed(t->test->seed, 2);
    size_t bytes;
    void *entries = irregular_entries(t->test->segments, how, &random, &bytes);
    const size_t element = irregular_element(how);
    strip *s = &t->entries;
    strip_open(s, element, t->test->aligned ? 0 : t->test->offset, bytes / element, t->test->tight);
    memcpy(s->before + s->first * element, entries, bytes);
    memcpy(s->after, s->before, s->bytes);
    strip_fill(s, t->test->gated);
    free(entries);
}

/* Scratch of exactly the size asked for, between canaries. */
static void add_scratch(trial *t, const clf_plan *plan)
{
    if (t->test->scratch == SCRATCH_POOL)
        return;
    expect_ok(t, "clf_plan_scratch",
              clf_plan_scratch(plan, t->test->n, t->test->segments ? t->test->segments->count : 0, &t->scratch_bytes));
    expect_ok(t, "clf_plan_scratch", clf_plan_scratch(plan, 0, 0, &t->call_bytes));
    const bool behind = t->scratch_bytes == 0 || t->test->scratch == SCRATCH_OWN_OFFSET;
    strip_open(&t->scratch, 16, behind ? 3 : 0, (size_t)(t->scratch_bytes + 15) / 16, t->test->tight);
    strip_fill(&t->scratch, false);
}

/* ---- Running and checking ---------------------------------------------------------------------------------------- */

clf_status scan_case_difference(clf_plan *plan, const clf_call *call, bool rows, size_t count, size_t size,
                                const clf_array *in, const clf_array *out)
{
    return rows ? clf_segmented_adjacent_difference(plan, call, count, size, in, out)
                : clf_adjacent_difference(plan, call, size, in, out);
}

static clf_status enqueue(const trial *t, clf_plan *plan, cl_command_queue queue, cl_event gate, cl_event *event)
{
    clf_array in[CLF_MAX_FIELDS], out[2 * CLF_MAX_FIELDS];
    for (size_t i = 0; i < t->op->input.count; ++i)
        in[i] = (clf_array){t->in[i]->buffer, t->in[i]->first};
    for (size_t o = 0; o < t->out_count; ++o)
        out[o] = (clf_array){t->out[o]->buffer, t->out[o]->first};
    const clf_array entries = {t->entries.buffer, t->entries.first};
    clf_call call = {.size = sizeof call, .queue = queue, .wait_count = gate ? 1 : 0, .wait = gate ? &gate : NULL,
                     .event = event, .initial = initial_of(t)};
    if (t->scratch.buffer)
        call.scratch = (clf_array){t->scratch.buffer, t->scratch.first * 16};
    given_arrays arrays;
    given_open(&arrays, &t->test->given, &t->op->value, initial_of(t), &call);
    const size_t size = t->test->size, count = size ? t->test->n / size : 3;
    clf_status status;
    if (t->test->adjacent)
        status = scan_case_difference(plan, &call, t->test->segmented, count, t->test->segmented ? size : t->test->n,
                                      in, out);
    else if (t->test->segments)
        status = clf_irregular_scan(plan, &call, t->test->n, t->test->segments->count, &entries, in, out);
    else if (t->test->segmented)
        status = clf_segmented_scan(plan, &call, count, size, in, out);
    else
        status = clf_scan(plan, &call, t->test->n, in, out);
    given_close(&arrays);
    return status;
}

/* What was held back until the call was enqueued. */
static void fill_late(const trial *t)
{
    if (!t->test->gated)
        return;
    for (size_t s = 0; s < t->strips; ++s)
        rig_write_late(t->strip[s].buffer, t->strip[s].bytes, t->strip[s].before);
    if (t->entries.buffer)
        rig_write_late(t->entries.buffer, t->entries.bytes, t->entries.before);
}

static void check_strip(const trial *t, cl_command_queue queue, const strip *s, const char *role)
{
    unsigned char *got = checked_malloc(s->bytes);
    rig_read(queue, s->buffer, s->bytes, got);
    if (ref_wrong_byte(t->op->real == s->element ? s->element : 0, s->bytes, got, s->after) < s->bytes)
        fail_strip(t, s, role, got);
    free(got);
}

static void check_scratch(const trial *t, cl_command_queue queue)
{
    const strip *s = &t->scratch;
    if (!s->buffer)
        return;
    unsigned char *got = checked_malloc(s->bytes);
    rig_read(queue, s->buffer, s->bytes, got);
    const size_t start = s->first * 16, end = start + (size_t)t->scratch_bytes;
    const size_t heads = t->test->segments ? (size_t)clf_heads_words(t->test->n) * 4 : 0; /* before the header */
    for (size_t i = 0; i < s->bytes; ++i)
        if ((i < start || i >= end) && got[i] != FILLER)
            fail_trial(t, "a byte outside of the scratch was overwritten");
    if (t->test->header)
        memcpy(t->test->header, got + start + t->call_bytes + (heads + 15) / 16 * 16, 16 * sizeof(cl_uint));
    free(got);
}

static void check_all(const trial *t, cl_command_queue queue)
{
    char role[32];
    for (size_t o = 0; o < t->out_count; ++o) {
        snprintf(role, sizeof role, "output %zu", o);
        check_strip(t, queue, t->out[o], role);
    }
    for (size_t i = 0; i < t->op->input.count; ++i) {
        snprintf(role, sizeof role, "input %zu", i);
        check_strip(t, queue, t->in[i], role);
    }
    if (t->entries.buffer)
        check_strip(t, queue, &t->entries, "segments");
    check_scratch(t, queue);
}

static void trial_close(trial *t)
{
    for (size_t s = 0; s < t->strips; ++s)
        strip_close(&t->strip[s]);
    strip_close(&t->scratch);
    strip_close(&t->entries);
}

bool scan_case_run(const scan_case *test)
{
    trial t = {.test = test, .op = test->plan.op};
    clf_plan *plan = rig_plan_of(test->adjacent    ? "adjacent_difference"
                                 : test->how       ? "irregular_scan"
                                 : test->segmented ? "segmented_scan"
                                                   : "scan",
                                 &test->plan, test->how);
    cl_command_queue queue = test->unordered ? the_rig()->unordered : the_rig()->queue;
    cl_event event = NULL;
    if (!plan)
        return false;

    add_inputs(&t);
    add_outputs(&t, &t.op->value);
    add_outputs(&t, &t.op->extra);
    given_choose_initial(t.op, test->seed, t.initial);
    predict(&t);
    for (size_t s = 0; s < t.strips; ++s)
        strip_fill(&t.strip[s], test->gated);
    add_entries(&t);
    add_scratch(&t, plan);

    const cl_event gate = rig_gate(test->gated);
    const clf_status status = enqueue(&t, plan, queue, gate, &event);
    fill_late(&t);
    rig_gate_open(gate);
    if (status == CLF_SUCCESS) {
        expect_ok(&t, "clWaitForEvents", clWaitForEvents(1, &event));
        clReleaseEvent(event);
        check_all(&t, queue);
    } else if (status != CLF_E_UNSUPPORTED) {
        expect_ok(&t, "clf_scan", status);
    }
    trial_close(&t);
    return status == CLF_SUCCESS;
}
