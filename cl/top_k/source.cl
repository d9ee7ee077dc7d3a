/* SPDX-License-Identifier: MIT */
/*
 * source: what a unit looks for its part of a row in (few.cl): the input, or what parts of it had. Inputs without a map
 * are values, so where they are is all that differs.
 *
 * needs: nothing
 * provides: clf_source, clf_source_begin, clf_source_key, clf_source_value
 */
#include "top_k/work.cl"

typedef struct {
    const clf_arguments *a;
    clf_outputs values;
    ulong first; /* where the part begins */
    clf_flag mapped;
} clf_source;

#define CLF_TAKE_SECOND(f, type, move, bytes, name) from->values.p##f = a->second.p##f;
#define CLF_SOURCE_TAKE_INPUT(f, type, move, bytes, name) \
    from->values.p##f = second ? a->second.p##f : (__global type *)a->in.p##f;
static inline void clf_source_begin(const clf_arguments *a, bool second, ulong first, clf_source *from)
{
    from->a = a;
    from->first = first;
#if CLF_MAPPED
    CLF_VALUE_FIELDS(CLF_TAKE_SECOND)
    from->mapped = !second;
#else
    CLF_VALUE_FIELDS(CLF_SOURCE_TAKE_INPUT)
    from->mapped = false;
#endif
}

static inline clf_value clf_source_value(const clf_source *from, ulong i)
{
#if CLF_MAPPED
    if (from->mapped) {
        clf_extra none;
        const ulong at = from->first + i;
        return clf_value_copy(clf_map_at(from->a, clf_input_at(&from->a->in, at), at, &none));
    }
#endif
    return clf_result_at(&from->values, from->first + i);
}

static inline clf_key_bits clf_source_key(const clf_source *from, ulong i)
{
    return clf_key_ordered(clf_value_key(clf_source_value(from, i) CLF_LESS_OF(from->a)));
}
