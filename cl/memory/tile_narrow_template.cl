/* SPDX-License-Identifier: MIT */
/*
 * tile_narrow_template: results of CLF_T bytes in a region of an input's elements, of CLF_S bytes. Included by
 * narrow_sizes.cl once per pair that is needed, with CLF_X for its name (2in4); takes these and the types, and leaves
 * them undefined.
 *
 * A result takes the slot of the element that it was made of, so rows lie where the inputs' do. What is flushed is as
 * narrow as the array.
 *
 * needs: CLF_S, CLF_S_TYPE, CLF_T, CLF_T_TYPE, CLF_X
 * provides: region
 */
#define CLF_S_NAME(name) CLF_PASTE(name, CLF_S)
#define CLF_T_NAME(name) CLF_PASTE(name, CLF_T)
#define CLF_S_PER CLF_S_NAME(CLF_PER_)
#define CLF_T_PER CLF_T_NAME(CLF_PER_)
#define CLF_S_MOVE CLF_S_NAME(clf_move_)
#define CLF_T_MOVE CLF_T_NAME(clf_move_)
#define CLF_T_ROW (CLF_ITEMS / CLF_T_PER)

static inline void CLF_X_NAME(clf_row_set_)(__local CLF_S_MOVE *region, uint j, const CLF_T_TYPE x[CLF_CHUNK])
{
    CLF_S_TYPE y[CLF_CHUNK];
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        y[k] = x[k];
    CLF_S_NAME(clf_row_set_)(region, j, y);
}

static inline __local CLF_T_TYPE *CLF_X_NAME(clf_row_element_)(__local CLF_S_MOVE *region, uint row, uint column)
{
    return (__local CLF_T_TYPE *)CLF_S_NAME(clf_row_element_)(region, row, column) +
           (CLF_IS_LITTLE ? 0 : CLF_S / CLF_T - 1);
}

/* By whole vectors of the array: each is made of one or more of the region. */
static inline void CLF_X_NAME(clf_flush_whole_)(__global CLF_T_TYPE *to, __local CLF_S_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_S_MOVE *const rows = CLF_S_NAME(clf_rows_)(region);
    __global CLF_T_MOVE *const stripes = (__global CLF_T_MOVE *)(to + CLF_REVERSED) - CLF_REVERSED +
                                         CLF_PLACE(unit * (CLF_UNIT * CLF_T_ROW) + lane);
    CLF_UNROLL for (uint j = 0; j < CLF_T_ROW; ++j) {
        const uint first = (j * CLF_UNIT + lane) * (CLF_T_PER / CLF_S_PER);
        CLF_S_TYPE y[CLF_T_PER];
        CLF_T_TYPE x[CLF_T_PER];
        CLF_UNROLL for (uint k = 0; k < CLF_T_PER / CLF_S_PER; ++k)
            CLF_S_NAME(clf_vector_split_)(rows[CLF_S_NAME(clf_place_)(first + k)], y + k * CLF_S_PER);
        CLF_UNROLL for (uint k = 0; k < CLF_T_PER; ++k)
            x[k] = (CLF_T_TYPE)y[k];
        stripes[CLF_PLACE(j * CLF_UNIT)] = CLF_T_NAME(clf_vector_placed_)(CLF_T_NAME(clf_vector_join_)(x));
    }
}

static inline void CLF_X_NAME(clf_flush_part_)(__global CLF_T_TYPE *to, uint count, __local CLF_S_MOVE *region)
{
    const uint unit = clf_local_id() / CLF_UNIT, lane = clf_local_id() % CLF_UNIT;
    __local CLF_S_MOVE *const rows = CLF_S_NAME(clf_rows_)(region);
    CLF_UNROLL_PART for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_UNIT + lane, at = unit * (CLF_UNIT * CLF_ITEMS) + i;
        if (at < count)
            to[CLF_PLACE(at)] = (CLF_T_TYPE)*CLF_S_NAME(clf_element_)(rows, i);
    }
}

static inline void CLF_X_NAME(clf_flush_full_)(__global CLF_T_TYPE *to, __local CLF_S_MOVE *region)
{
    CLF_X_NAME(clf_flush_part_)(to, CLF_TILE, region);
}

#undef CLF_X
#undef CLF_S
#undef CLF_T
#undef CLF_S_TYPE
#undef CLF_T_TYPE
#undef CLF_S_NAME
#undef CLF_T_NAME
#undef CLF_S_PER
#undef CLF_T_PER
#undef CLF_S_MOVE
#undef CLF_T_MOVE
#undef CLF_T_ROW
