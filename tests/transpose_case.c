/* SPDX-License-Identifier: MIT */
/* One transposition, checked. */
#include "cases.h"
#include "guarded.h"

#include <stdio.h>

clf_plan *transpose_plan(const transpose_key *key)
{
    char elements[32];
    snprintf(elements, sizeof elements, "%zu-byte elements", key->bytes);
    return route_plan(&key->route, "transpose", &(plan_parts){.bytes = key->bytes}, elements);
}

static void fail_case(const transpose_case *c, const char *what)
{
    route_fail(&c->key.route, "transpose", c->number, what,
               "transposition of %zu-byte elements\n    [%zu][%zu][%zu], offsets %zu and %zu, out of order %d",
               c->key.bytes, c->batch, c->rows, c->columns, c->in_offset, c->out_offset, c->unordered);
}

bool transpose_case_run(clf_plan *plan, transpose_case test)
{
    const size_t bytes = test.key.bytes, n = test.batch * test.rows * test.columns;
    guarded_call g = {.unordered = test.unordered, .gated = test.gated};
    guarded_add(&g.in, "input", guarded_open(test.seed + 100, bytes, n, test.in_offset, false));
    guarded_add(&g.out, "output", guarded_open(test.seed + 101, bytes, n, test.out_offset, false));
    guarded_begin(&g, plan, n);
    const clf_status status = clf_transpose(plan, &g.call, test.batch, test.rows, test.columns, g.in.device,
                                            g.out.device);
    guarded_end(&g, status);
    if (status != CLF_E_UNSUPPORTED) {
        ref_transpose(bytes, test.batch, test.rows, test.columns, g.in.data[0], g.out.data[0]);
        if (!guarded_check(&g, false))
            fail_case(&test, g.what);
    }
    guarded_close(&g);
    return status == CLF_SUCCESS;
}
