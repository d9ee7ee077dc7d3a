/* SPDX-License-Identifier: MIT */
/*
 * strip: CLF_STRIP mapped elements in private memory. Each field of values and of extra outputs has an array of its
 * own, so that a CPU's compiler vectorises the map.
 *
 * needs: nothing
 * provides: clf_strip, clf_strip_get, CLF_STRIP_MARK_SOME, CLF_STRIP_MARK_WHOLE
 */
#include "cpu/compress.cl"
#include "memory/value.cl"
#include "memory/wrapper.cl"

#define CLF_STRIP_VALUE(f, type, move, bytes, name) type p##f[CLF_STRIP];
#define CLF_STRIP_EXTRA(f, type, move, bytes, name) type e##f[CLF_STRIP];
typedef struct {
    CLF_VALUE_FIELDS(CLF_STRIP_VALUE)
    CLF_EXTRA_FIELDS(CLF_STRIP_EXTRA)
} clf_strip;

/* What element i is mapped to, to place k. */
#define CLF_STRIP_SET_VALUE(f, type, move, bytes, name) s->p##f[k] = v.name;
#define CLF_STRIP_SET_EXTRA(f, type, move, bytes, name) s->e##f[k] = x.name;
static inline void clf_strip_set(const clf_arguments *a, clf_strip *s, uint k, ulong i)
{
    clf_extra x;
    const clf_value v = clf_map_at(a, clf_input_at(&a->in, i), i CLF_NUMBERED_AT(a, i), &x);
    CLF_VALUE_FIELDS(CLF_STRIP_SET_VALUE)
    CLF_EXTRA_FIELDS(CLF_STRIP_SET_EXTRA)
}

/* Elements from i on: all, so that compilers see vectors; or some, and behind them the last one again. */
static inline void clf_strip_get(const clf_arguments *a, ulong i, uint some, clf_strip *s)
{
    if (some == CLF_STRIP)
        CLF_EACH_OF_STRIP for (uint k = 0; k < CLF_STRIP; ++k)
            clf_strip_set(a, s, k, i + k);
    else
        CLF_EACH_OF_STRIP for (uint k = 0; k < CLF_STRIP; ++k)
            clf_strip_set(a, s, k, i + min(k, some - 1));
}

/* Bit k is what `test`, an expression with k, says: of a whole strip, so that compilers see vectors; */
#define CLF_STRIP_MARK_WHOLE(bits, test) \
    CLF_EACH_OF_STRIP for (uint k = 0; k < CLF_STRIP; ++k) \
        bits |= (uint)(test) << k;
/* and of any `some` elements. */
#define CLF_STRIP_MARK_SOME(bits, some, test) \
    CLF_LOOP for (uint k = 0; k < (some); ++k) \
        bits |= (uint)(test) << k;
