/* SPDX-License-Identifier: MIT */
/*
 * laws: do the operator's functions obey the laws? (Host side: src/explore/laws.c.)
 *
 * Values that are tried lie in a->out, the simplest first. A law has a case for each of them, each pair or each triple.
 *
 *   clf_laws_make   values from elements of a->in by the map, or, with a->level, further ones by combine
 *   clf_laws_find   the least broken case: a->least becomes the least sum of numbers i + j + k of values, or, once
 *                   a->level is that sum, the least case that has it
 *   clf_laws_show   case number a->level: its operands, both sides, and the neutral element, behind the values
 *
 *   a->size    values that there are
 *   a->count   values to be made, or cases that there are
 *
 * needs: a->law, a->least, a->level
 * provides: clf_laws_find_body, clf_laws_make_body, clf_laws_show_body
 */
#include "device/lane.cl"
#include "laws/case.cl"

typedef uchar clf_laws_make_storage; /* none needed */
typedef uchar clf_laws_find_storage;
typedef uchar clf_laws_show_storage;

CLF_INLINE void clf_laws_make_body(const clf_arguments *a, __local clf_laws_make_storage *s)
{
    const uint size = (uint)a->size;
    for (uint g = (uint)get_global_id(0); g < a->count; g += (uint)get_global_size(0)) {
        if (!a->level) {
            clf_output_at(&a->out, g, clf_laws_mapped(a, g, g));
            continue;
        }
        const clf_value x = clf_result_at(&a->out, size - 1 - g), y = clf_result_at(&a->out, (3 * g + 1) % size);
        clf_output_at(&a->out, size + g, clf_combine(x, y));
    }
}

CLF_INLINE void clf_laws_take_case(const clf_arguments *a, uint t, clf_laws_case *c)
{
    const uint n = (uint)a->size;
    if (a->law & (CLF_LAW_NEUTRAL_LEFT | CLF_LAW_NEUTRAL_RIGHT))
        clf_laws_take(a, t, 0, 0, c); /* the neutral element is one of the operands */
    else
        clf_laws_take(a, t % n, t / n % n, t / n / n, c);
}

/* Cases go by the last first, so that another work-item calls the map than the one that made the value. */
static inline uint clf_laws_number(const clf_arguments *a, ulong t)
{
    return (uint)(a->count - 1 - t);
}

CLF_INLINE void clf_laws_find_body(const clf_arguments *a, __local clf_laws_find_storage *s)
{
    const uint n = (uint)a->size;
    for (ulong t = get_global_id(0); t < a->count; t += get_global_size(0)) {
        const uint at = clf_laws_number(a, t), sum = at % n + at / n % n + at / n / n;
        clf_laws_case c;
        if (a->level != CLF_LAWS_ANY && a->level != sum)
            continue;
        clf_laws_take_case(a, at, &c);
        if (!clf_laws_holds(a->law, &c))
            (void)atomic_min((volatile __global uint *)a->least, a->level == CLF_LAWS_ANY ? sum : at);
    }
}

/* By the work-item that found it. */
CLF_INLINE void clf_laws_show_body(const clf_arguments *a, __local clf_laws_show_storage *s)
{
    clf_laws_case c;
    const ulong t = a->count - 1 - a->level;
    if (get_global_id(0) != t % get_global_size(0))
        return;
    clf_laws_take_case(a, clf_laws_number(a, t), &c);
    clf_output_at(&a->out, a->size, c.a);
    clf_output_at(&a->out, a->size + 1, c.b);
    clf_output_at(&a->out, a->size + 2, c.c);
    clf_output_at(&a->out, a->size + 3, c.left);
    clf_output_at(&a->out, a->size + 4, c.right);
    clf_output_at(&a->out, a->size + 5, clf_neutral());
}
