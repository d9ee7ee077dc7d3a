/* SPDX-License-Identifier: MIT */
/*
 * expand_cpu: a tile of an expansion by one work-item of a CPU, segment by segment. Between two ends the segment is
 * always the same, so compilers see a plain loop. They make no vectors of one that reads captured vectors, which might
 * change with each result that is stored: so results are made in private memory first.
 *
 * needs: a->ends
 * provides: clf_expand_cpu_body
 */
#include "expand/expand.cl"

typedef uchar clf_expand_cpu_storage; /* none needed */

#define CLF_EXPAND_IS_VECTOR(f, type, move, bytes, name) || vec_step(type) > 1
#define CLF_EXPAND_MEMBER(f, type, move, bytes, name) type p##f[CLF_EXPAND_MANY];
#define CLF_EXPAND_MAKE(f, type, move, bytes, name) many.p##f[k] = v.name;
#define CLF_EXPAND_STORE(f, type, move, bytes, name) \
    for (uint k = 0; k < count; ++k) \
        a->out.p##f[i + k] = many.p##f[k];
enum { CLF_EXPAND_MANY = 256, CLF_EXPAND_VECTORS = 0 CLF_CAPTURED_FIELDS(CLF_EXPAND_IS_VECTOR) };

/* Up to CLF_EXPAND_MANY results of a segment, from number i on. */
static inline void clf_expand_many(const clf_arguments *a, ulong segment, ulong start, ulong i, uint count)
{
    struct {
        CLF_VALUE_FIELDS(CLF_EXPAND_MEMBER)
    } many;
    for (uint k = 0; k < count; ++k) {
        const clf_value v = clf_expand_value(a, segment, start, i + k);
        CLF_VALUE_FIELDS(CLF_EXPAND_MAKE)
    }
    CLF_VALUE_FIELDS(CLF_EXPAND_STORE)
}

CLF_INLINE void clf_expand_cpu_body(const clf_arguments *a, __local clf_expand_cpu_storage *s)
{
    const clf_expand_range r = clf_expand_range_of(a);
    const clf_expand_tile t = clf_expand_tile_of(a, &r, clf_bisect(a, r.from), clf_bisect(a, r.to));
    const ulong last = t.first + t.count;
    ulong i = t.first, start = t.start;
    clf_expand_tell(a);
    for (ulong k = t.segment; i < last; ++k) {
        const ulong segment = min(k, a->count - 1);
        const ulong end = k < t.segment + t.ends ? clamp((ulong)a->ends[segment], i, last) : last;
        for (uint count = 0; CLF_EXPAND_VECTORS && i < end; i += count) {
            count = (uint)min(end - i, (ulong)CLF_EXPAND_MANY);
            clf_expand_many(a, segment, start, i, count);
        }
        for (; i < end; ++i)
            clf_output_at(&a->out, i, clf_expand_value(a, segment, start, i));
        start = a->ends[segment];
    }
}
