/* SPDX-License-Identifier: MIT */
/*
 * values: where a sort has its values: in a->out, or in a->second, which is scratch. Field by field (value.cl says
 * why).
 *
 * needs: nothing
 * provides: clf_take_arrays
 */
#include "digit/order.cl"

#define CLF_TAKE_POINTER(f, type, move, bytes, name) to->p##f = second ? a->second.p##f : a->out.p##f;
static inline void clf_take_arrays(const clf_arguments *a, bool second, clf_outputs *to)
{
    CLF_VALUE_FIELDS(CLF_TAKE_POINTER)
}
