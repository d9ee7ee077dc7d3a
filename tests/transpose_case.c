/* SPDX-License-Identifier: MIT */
/* One transposition, checked. */
#include "transpose_case.h"
#include "guarded.h"

#include <stdio.h>

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

bool transpose_case_run(clf_plan *plan, const transpose_case *test)
{
    const size_t bytes = test->key.bytes, n = test->batch * test->rows * test->columns;
    guarded_call g = {.unordered = test->unordered, .gated = test->gated};
    char what[128];
    guarded_add(&g.in, "input", guarded_open(test->seed + 100, bytes, n, test->in_offset, false));
    guarded_add(&g.out, "output", guarded_open(test->seed + 101, bytes, n, test->out_offset, false));
    guarded_begin(&g, plan, n);
    const clf_status status =
        clf_transpose(plan, &g.call, test->batch, test->rows, test->columns, g.in.device, g.out.device);
    guarded_end(&g, status);
    if (status != CLF_SUCCESS && status != CLF_E_UNSUPPORTED)
        fail_case(test, clf_status_text(status));
    if (status == CLF_SUCCESS) {
        ref_transpose(bytes, test->batch, test->rows, test->columns, g.in.data[0], g.out.data[0]);
        if (!guarded_check(&g, false, what, sizeof what))
            fail_case(test, what);
    }
    guarded_close(&g);
    return status == CLF_SUCCESS;
}
