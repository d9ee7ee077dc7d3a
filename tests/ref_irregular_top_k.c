/* SPDX-License-Identifier: MIT */
/* Top-k of segments of any lengths: the tests' registry. The reference and the operators are those of sorts. */
#include "primitives.h"
#include "ref.h"

static const clf_operator *operator_number(int number)
{
    return number < REF_SORT_COUNT ? ref_sort_of(number)->clf : NULL;
}

/* By lengths, where nothing is said: they are scanned, too. */
static clf_status plan_of(clf_context *context, const plan_parts *p, const clf_plan_options *options, clf_plan **plan,
                          clf_error *error)
{
    static const clf_segmentation lengths = {sizeof lengths, CLF_BY_LENGTHS, CLF_UINT};
    const bool said = p->how && (p->how->by == CLF_BY_OFFSETS || p->how->by == CLF_BY_LENGTHS);
    return clf_irregular_top_k_plan(context, p->op, said ? p->how : &lengths, p->flags, options, plan, error);
}

const primitive_row irregular_top_k_row = {"irregular_top_k", .by_parts = plan_of, .op = operator_number,
                                           .usual = REF_SORT_PAIR};
