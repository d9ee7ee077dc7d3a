/* SPDX-License-Identifier: MIT */
/*
 * values: where a sort has its values: in a->out, or in a->second, which is scratch. Field by field (value.cl says
 * why).
 *
 * needs: CLF_OF_VALUES
 * provides: CLF_OF_VALUES, clf_take_arrays
 */
#include "digit/order.cl"

#ifndef CLF_OF_VALUES
#define CLF_OF_VALUES 0
#endif

#define CLF_TAKE_POINTER(f, type, move, bytes, name) to->p##f = second ? a->second.p##f : a->out.p##f;
static inline void clf_take_arrays(const clf_arguments *a, bool second, clf_outputs *to)
{
    CLF_VALUE_FIELDS(CLF_TAKE_POINTER)
}
