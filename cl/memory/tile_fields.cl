/* SPDX-License-Identifier: MIT */
/*
 * tile_fields: a tile's inputs and outputs in local memory, all fields of them: between global memory and their regions
 * (tile_template.cl), and between regions and registers.
 *
 * Each input has a region all the time. Outputs are staged in rounds, each in a region of its own or in an input's. The
 * regions of one round overlay those of the others. src/layout/slab.c assigns them, and fields.cl lists them:
 *
 *   CLF_EACH_ROUND(F)    F(0) F(1) …
 *   CLF_ROUND_1(F)       the outputs of round 1, each F(uint, 4, v, x, p0, own.t1.o0): moved as, bytes, of the values v
 *                        or the extra outputs x, field, array, region; 2in4 bytes are 2, which lie in a region of 4
 *   CLF_OWN_ROUNDS(F), CLF_OWN_1(F)   the regions that are no input's, each F(o0, 4)
 *
 * needs: nothing
 * provides: clf_input_in, clf_inputs_fetch, clf_inputs_get, clf_outputs_flush, clf_outputs_set, clf_slab
 */
#include "memory/value.cl"
#include "memory/tile.cl"
#include "vector_sizes.cl"
#include "tile_sizes.cl"
#include "narrow_sizes.cl"

/* A region begins at a whole word, for small elements are flushed by words (tile_template.cl). */
#define CLF_WHOLE_WORDS __attribute__((aligned(4)))
#define CLF_INPUT_REGION(f, type, move, bytes, name) clf_region_##bytes r##f CLF_WHOLE_WORDS;
#define CLF_OWN_REGION(region, bytes) clf_region_##bytes region CLF_WHOLE_WORDS;
#define CLF_OWN_REGIONS(r) struct { CLF_OWN_##r(CLF_OWN_REGION) } t##r;
typedef struct {
    CLF_INPUT_FIELDS(CLF_INPUT_REGION)
#ifdef CLF_OWN_ROUNDS
    union {
        CLF_OWN_ROUNDS(CLF_OWN_REGIONS)
    } own;
#endif
} clf_slab;

/*
 * All inputs, or all outputs of a round, move by whole vectors where all of them can, one array after the other: all
 * loads at once would take registers, and so occupancy. One condition for all arrays: PoCL's compile time grows
 * exponentially with one for each.
 */
#define CLF_INPUT_ADDRESS(f, type, move, bytes, name) bits |= (size_t)(in->p##f + CLF_PLACE(first) + CLF_REVERSED);
#define CLF_FETCH(f, type, move, bytes, name) \
    { \
        __global const move *const from = (__global const move *)(in->p##f + CLF_PLACE(first)); \
        if (whole) \
            clf_fetch_whole_##bytes(from, slab->r##f); \
        else if (CLF_LANE_WIDTH > 1 && count == CLF_TILE) \
            clf_fetch_full_##bytes(from, slab->r##f); \
        else \
            clf_fetch_part_##bytes(from, count, slab->r##f); \
    }
static inline void clf_inputs_fetch(const clf_inputs *in, ulong first, uint count, __local clf_slab *slab)
{
    size_t bits = 0;
    CLF_INPUT_FIELDS(CLF_INPUT_ADDRESS)
    const bool whole = count == CLF_TILE && (bits & 15) == 0;
    CLF_INPUT_FIELDS(CLF_FETCH)
}

/* Element `place` of the tile, of anybody's row. */
#define CLF_INPUT_IN(f, type, move, bytes, name) x.name = as_##type(*clf_tile_element_##bytes(slab->r##f, place));
static inline clf_input clf_input_in(__local clf_slab *slab, uint place)
{
    clf_input x;
    CLF_INPUT_FIELDS(CLF_INPUT_IN)
    return x;
}

/* Are these outputs of the round? Nothing is asked where there is but one. */
#define CLF_IN_ROUND(r) (CLF_ROUNDS == 1 || round == r)

/* PoCL 5 and 6 end the process over both ways in several rounds (tests/driver_bugs/pocl6_dominating.c). */
#define CLF_FLUSH_WHOLE (CLF_ROUNDS == 1 || !CLF_POCL_OPTIMISED)

/* Where the operator finishes sums, values are staged, and whoever takes them from there writes the results. */
#define clf_staged CLF_PASTE(CLF_STAGED_, CLF_FINISH)
#define CLF_STAGED_0 clf_value
#define CLF_STAGED_1 clf_value
#define CLF_STAGED_2 clf_result
#define CLF_FLUSHED CLF_PASTE(CLF_FLUSHED_, CLF_FINISH)
#define CLF_FLUSHED_0(text) text
#define CLF_FLUSHED_1(text)
#define CLF_FLUSHED_2(text) text

#define CLF_OUTPUT_ADDRESS(move, bytes, value, name, array, region) \
    bits |= (size_t)(out->array + CLF_PLACE(first) + CLF_REVERSED);
#define CLF_FLUSH(move, bytes, value, name, array, region) \
    { \
        __global move *const to = (__global move *)(out->array + CLF_PLACE(first)); \
        if (whole) \
            clf_flush_whole_##bytes(to, slab->region); \
        else if (CLF_LANE_WIDTH > 1 && CLF_ROUNDS == 1 && count == CLF_TILE) \
            clf_flush_full_##bytes(to, slab->region); \
        else \
            clf_flush_part_##bytes(to, count, slab->region); \
    }
#define CLF_FLUSH_ROUND(r) \
    if (CLF_IN_ROUND(r)) { \
        size_t bits = 0; \
        CLF_ROUND_##r(CLF_OUTPUT_ADDRESS) \
        const bool whole = CLF_FLUSH_WHOLE && count == CLF_TILE && (bits & 15) == 0; \
        CLF_ROUND_##r(CLF_FLUSH) \
    }
static inline void clf_outputs_flush(const clf_outputs *out, ulong first, uint count, __local clf_slab *slab,
                                     uint round)
{
    CLF_FLUSHED(CLF_EACH_ROUND(CLF_FLUSH_ROUND))
}

/* Elements j … j + CLF_CHUNK - 1 of this work-item's row. */
#define CLF_ROW_GET(f, type, move, bytes, name) \
    CLF_GET_FIELD(CLF_CHUNK, clf_row_get_##bytes(slab->r##f, j, w), x, type, move, name)
static inline void clf_inputs_get(__local clf_slab *slab, uint j, clf_input x[CLF_CHUNK])
{
    CLF_INPUT_FIELDS(CLF_ROW_GET)
}

#define CLF_ROW_SET(move, bytes, value, name, array, region) \
    CLF_PUT_FIELD(CLF_CHUNK, clf_row_set_##bytes(slab->region, j, w), value, move, name)
#define CLF_ROW_SET_ROUND(r) \
    if (CLF_IN_ROUND(r)) { \
        CLF_ROUND_##r(CLF_ROW_SET) \
    }
static inline void clf_outputs_set(__local clf_slab *slab, uint j, const clf_staged v[CLF_CHUNK],
                                   const clf_extra x[CLF_CHUNK], uint round)
{
    CLF_EACH_ROUND(CLF_ROW_SET_ROUND)
}
