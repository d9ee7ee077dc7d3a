/* SPDX-License-Identifier: MIT */
/* All operators by their names: built-in ones, and those on tuples. */
#include "rows/operators.h"
#include "../../tests/ref.h"

#include <string.h>

/* The tables one after the other; NULL behind the last. */
static const bench_operator *user_operator(unsigned i)
{
    static const bench_operator *const tables[] = {bench_user_operators, bench_map_operators};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; ++t)
        for (const bench_operator *op = tables[t]; op->name; ++op)
            if (i-- == 0)
                return op;
    return NULL;
}

const char *bench_user_operator_name(unsigned i)
{
    const bench_operator *op = user_operator(i);
    return op ? op->name : NULL;
}

/* Made when first asked for, and kept until the program ends. */
static const clf_operator *stats_operator(void)
{
    static clf_operator *joined;
    const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_FLOAT), clf_builtin(CLF_MIN, CLF_FLOAT),
                                        clf_builtin(CLF_MAX, CLF_FLOAT)};
    if (!joined)
        bench_check(clf_operator_join(3, list, &joined, NULL), "clf_operator_join");
    return joined;
}

bool bench_find_user_operator(const char *op, bench_operator *found)
{
    const bench_operator *one;
    for (unsigned i = 0; (one = user_operator(i)); ++i) {
        if (strcmp(one->name, op) != 0)
            continue;
        *found = *one;
        if (!found->op)
            found->op = one->tested ? ref_user(one->tested)->clf : stats_operator();
        return true;
    }
    return false;
}

bool bench_is_operator(const char *op)
{
    bench_operator found;
    return bench_find_user_operator(op, &found) || bench_find_operator(op, "i32", &found);
}
