/* SPDX-License-Identifier: MIT */
/*
 * gather_cpu: a tile of indices by one work-item of a CPU, field by field. So the tile's indices stay in the core's
 * cache.
 *
 * needs: a->indices
 * provides: clf_gather_cpu_body
 */
#include "gather/gather.cl"

#define CLF_GATHER_CPU_FIELD(f, type, move, bytes, name) \
    { \
        __global const move *const from = (__global const move *)a->in.p##f; \
        __global move *const to = (__global move *)a->out.p##f; \
        CLF_LOOP for (uint k = 0; k < t.count; ++k) { \
            const CLF_INDEX index = a->indices[t.first + k]; \
            if (clf_is_named(a, index)) \
                CLF_PUT_##bytes(to + clf_written_at(t.first + k, index), from[clf_read_at(t.first + k, index)]); \
        } \
    }

typedef uchar clf_gather_cpu_storage; /* none needed */

CLF_INLINE void clf_gather_cpu_body(const clf_arguments *a, __local clf_gather_cpu_storage *s)
{
    const clf_gather_tile t = clf_gather_tile_at(a);
    CLF_VALUE_FIELDS(CLF_GATHER_CPU_FIELD)
}
