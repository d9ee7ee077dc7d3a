/* SPDX-License-Identifier: MIT */
/* One transposition, checked. */
#include "transpose_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 64 /* elements on either side */ };

clf_plan *transpose_plan(const transpose_key *key)
{
    char taken[RIG_PARAMETERS];
    clf_plan_options options = {.size = sizeof options, .variant = key->variant,
                                .parameters = rig_taken("transpose", key->variant, key->parameters, taken)};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status = clf_transpose_plan(rig_context(key->disable), key->bytes, &options, &plan, &error);
    if (rig_lacks(status, key->parameters, &error))
        return NULL;
    ck_assert_msg(status == CLF_SUCCESS, "clf_transpose_plan(%zu, %s, %s): %d %s\n%s", key->bytes,
                  key->variant ? key->variant : "default", key->parameters ? key->parameters : "", status,
                  error.message, error.log);
    return plan;
}

static void fail_case(const transpose_case *c, const char *what)
{
    char replay[64] = "";
    if (c->number >= 0)
        snprintf(replay, sizeof replay, " --case %ld", c->number);
    ck_abort_msg("%s\n    transposition of %zu-byte elements, variant %s, parameters %s, disabled %s\n"
                 "    [%zu][%zu][%zu], offsets %zu and %zu, out of order %d\n"
                 "    replay: clfold-tests --suite transpose --seed %llu%s",
                 what, c->key.bytes, c->key.variant ? c->key.variant : "default",
                 c->key.parameters ? c->key.parameters : "default", c->key.disable ? c->key.disable : "nothing",
                 c->batch, c->rows, c->columns, c->in_offset, c->out_offset, c->unordered,
                 (unsigned long long)the_rig()->seed, replay);
}

static unsigned char *random_bytes(size_t bytes, uint64_t seed, uint64_t stream)
{
    unsigned char *data = malloc(bytes);
    ck_assert_msg(data != NULL, "out of memory");
    gen random = gen_seed(the_rig()->seed + seed, stream);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (unsigned char)gen_bits(&random);
    return data;
}

static void check_buffer(const transpose_case *c, const char *name, cl_mem buffer, const unsigned char *expected,
                         size_t first, size_t bytes)
{
    unsigned char *got = malloc(bytes);
    char text[128];
    ck_assert_msg(got != NULL, "out of memory");
    rig_read(c->unordered ? the_rig()->unordered : the_rig()->queue, buffer, bytes, got);
    for (size_t i = 0; i < bytes; i++) {
        if (got[i] != expected[i]) {
            snprintf(text, sizeof text, "%s: element %ld, byte %zu is 0x%02x, not 0x%02x", name,
                     (long)(i / c->key.bytes) - (long)first, i % c->key.bytes, got[i], expected[i]);
            fail_case(c, text);
        }
    }
    free(got);
}

bool transpose_case_run(clf_plan *plan, const transpose_case *test)
{
    const size_t e = test->key.bytes, n = test->batch * test->rows * test->columns;
    const size_t from = CANARY + test->in_offset, to = CANARY + test->out_offset;
    const size_t in_bytes = (from + n + CANARY) * e, out_bytes = (to + n + CANARY) * e;
    unsigned char *in = random_bytes(in_bytes, test->seed, 1), *out = random_bytes(out_bytes, test->seed, 2);
    const clf_array a = {rig_buffer(in_bytes, test->gated ? NULL : in), from}, b = {rig_buffer(out_bytes, out), to};
    const cl_event gate = rig_gate(test->gated);
    cl_event event = NULL;
    cl_command_queue queue = test->unordered ? the_rig()->unordered : the_rig()->queue;
    const clf_call call = {.size = sizeof call, .queue = queue, .wait_count = gate ? 1 : 0, .wait = gate ? &gate : NULL,
                           .event = &event};
    const clf_status status = clf_transpose(plan, &call, test->batch, test->rows, test->columns, &a, &b);
    if (test->gated)
        rig_write_late(a.buffer, in_bytes, in);
    rig_gate_open(gate);
    if (status == CLF_SUCCESS) {
        assert_ok(clWaitForEvents(1, &event));
        clReleaseEvent(event);
        ref_transpose(e, test->batch, test->rows, test->columns, in + from * e, out + to * e);
        check_buffer(test, "output", b.buffer, out, to, out_bytes);
        check_buffer(test, "input", a.buffer, in, from, in_bytes);
    } else if (status != CLF_E_UNSUPPORTED) {
        fail_case(test, clf_status_text(status));
    }
    clReleaseMemObject(a.buffer);
    clReleaseMemObject(b.buffer);
    free(in);
    free(out);
    return status == CLF_SUCCESS;
}
