/* SPDX-License-Identifier: MIT */
/*
 * chunks: CLF_CHUNK elements of all fields between global memory and registers: inputs, and values that are results.
 * Aligned arrays are accessed by vectors (vector_template.cl).
 *
 * needs: nothing
 * provides: clf_inputs_*, clf_packed, clf_packed_load, clf_packed_split, clf_results_*
 */
#include "memory/value.cl"
#include "memory/tile.cl"
#include "vector_sizes.cl"

/* ---- Inputs -------------------------------------------------------------------------------------------- */

#define CLF_ADVANCE(f, type, move, bytes, name) here.p##f += first;
static inline clf_inputs clf_inputs_from(const clf_inputs *in, ulong first)
{
    clf_inputs here = *in;
    CLF_INPUT_FIELDS(CLF_ADVANCE)
    return here;
}

/* The first array decides where vectors begin. */
#define CLF_FIRST_HEAD(f, type, move, bytes, name) \
    if (f == 0) \
        head = clf_vector_head_##bytes((__global const move *)(in->p##f + first));
static inline uint clf_inputs_head(const clf_inputs *in, ulong first)
{
    uint head = 0;
    CLF_INPUT_FIELDS(CLF_FIRST_HEAD)
    return head;
}

#define CLF_OTHER_HEAD(f, type, move, bytes, name) \
    && (f == 0 || clf_vector_head_##bytes((__global const move *)(in->p##f + first)) == 0)
static inline bool clf_inputs_aligned(const clf_inputs *in, ulong first)
{
    return true CLF_INPUT_FIELDS(CLF_OTHER_HEAD);
}

/* Chunks of all inputs. */
#define CLF_INPUT_PACKED(f, type, move, bytes, name) clf_packed_##bytes r##f;
typedef struct {
    CLF_INPUT_FIELDS(CLF_INPUT_PACKED) CLF_INPUT_NONE
} clf_packed;

#define CLF_PACKED_LOAD(f, type, move, bytes, name) \
    clf_packed_load_##bytes((__global const move *)(in->p##f + first), aligned, &chunk->r##f);
static inline void clf_packed_load(const clf_inputs *in, ulong first, bool aligned, clf_packed *chunk)
{
    CLF_INPUT_FIELDS(CLF_PACKED_LOAD)
}

#define CLF_PACKED_SPLIT(f, type, move, bytes, name) \
    CLF_GET_FIELD(CLF_CHUNK, clf_packed_split_##bytes(&chunk->r##f, w), x, type, move, name)
static inline void clf_packed_split(const clf_packed *chunk, clf_input x[CLF_CHUNK])
{
    CLF_INPUT_FIELDS(CLF_PACKED_SPLIT)
}

/* ---- Results ------------------------------------------------------------------------------------------- */

#define CLF_RESULT_ADDRESS(f, type, move, bytes, name) bits |= (size_t)(out->p##f + first);
static inline bool clf_results_aligned(const clf_outputs *out, ulong first)
{
    size_t bits = 0;
    CLF_RESULT_FIELDS(CLF_RESULT_ADDRESS)
    return !CLF_REVERSED && (bits & 15) == 0;
}

#define CLF_RESULTS_LOAD(f, type, move, bytes, name) \
    { \
        clf_packed_##bytes chunk; \
        clf_packed_load_##bytes((__global const move *)(out->p##f + first), true, &chunk); \
        CLF_GET_FIELD(CLF_CHUNK, clf_packed_split_##bytes(&chunk, w), v, type, move, name) \
    }
static inline void clf_results_load(const clf_outputs *out, ulong first, clf_result v[CLF_CHUNK])
{
    CLF_RESULT_FIELDS(CLF_RESULTS_LOAD)
}

#define CLF_RESULTS_STORE(f, type, move, bytes, name) \
    CLF_PUT_FIELD(CLF_CHUNK, clf_chunk_store_##bytes((__global move *)(out->p##f + first), w), v, move, name)
static inline void clf_results_store(const clf_outputs *out, ulong first, const clf_result v[CLF_CHUNK])
{
    CLF_RESULT_FIELDS(CLF_RESULTS_STORE)
}

/* The first `count` of a chunk. */
#define CLF_RESULTS_STORE_SOME(f, type, move, bytes, name) \
    CLF_PUT_FIELD(CLF_CHUNK, clf_chunk_store_some_##bytes((__global move *)(out->p##f + first), count, w), v, move, \
                  name)
static inline void clf_results_store_some(const clf_outputs *out, ulong first, uint count,
                                          const clf_result v[CLF_CHUNK])
{
    CLF_RESULT_FIELDS(CLF_RESULTS_STORE_SOME)
}
