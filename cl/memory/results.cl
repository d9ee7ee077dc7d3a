/* SPDX-License-Identifier: MIT */
/*
 * results: values in global memory by chunks of CLF_CHUNK, which start at whole vectors in every array: read again
 * (scan_propagate.cl), or written (reduce_small.cl).
 */
#include "memory/value.cl"
#include "memory/tile.cl"
#include "tile_sizes.cl"

#define CLF_RESULT_ADDRESS(f, type, move, bytes, name) bits |= (size_t)(out->p##f + first);
static inline bool clf_results_aligned(const clf_outputs *out, ulong first)
{
    size_t bits = 0;
    CLF_VALUE_FIELDS(CLF_RESULT_ADDRESS)
    return (bits & 15) == 0;
}

#define CLF_RESULTS_LOAD(f, type, move, bytes, name) \
    CLF_GET_FIELD(CLF_CHUNK, clf_chunk_load_##bytes((__global const move *)(out->p##f + first), w), v, type, move, name)
static inline void clf_results_load(const clf_outputs *out, ulong first, clf_value v[CLF_CHUNK])
{
    CLF_VALUE_FIELDS(CLF_RESULTS_LOAD)
}

#define CLF_RESULTS_STORE(f, type, move, bytes, name) \
    CLF_PUT_FIELD(CLF_CHUNK, clf_chunk_store_##bytes((__global move *)(out->p##f + first), w), v, move, name)
static inline void clf_results_store(const clf_outputs *out, ulong first, const clf_value v[CLF_CHUNK])
{
    CLF_VALUE_FIELDS(CLF_RESULTS_STORE)
}

/* The first `count` of a chunk. */
#define CLF_RESULTS_STORE_SOME(f, type, move, bytes, name) \
    CLF_PUT_FIELD(CLF_CHUNK, clf_chunk_store_some_##bytes((__global move *)(out->p##f + first), count, w), v, move, \
                  name)
static inline void clf_results_store_some(const clf_outputs *out, ulong first, uint count, const clf_value v[CLF_CHUNK])
{
    CLF_VALUE_FIELDS(CLF_RESULTS_STORE_SOME)
}
