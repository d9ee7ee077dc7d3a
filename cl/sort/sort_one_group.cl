/* SPDX-License-Identifier: MIT */
/*
 * sort_one_group: a tile of a few elements sorted by one group, in one launch. Each work-item has CLF_ITEMS neighbours,
 * a power of two, in registers: keys, and where their elements are in the tile. Those of a warp are sorted across its
 * lanes by a network, without lanes those of a work-item. Then sorted runs are merged two by two in local memory: each
 * work-item finds by bisection where its share begins in both, and takes that into registers again. In the end values
 * are read by their places, the first a->wanted, and all are read before the first one is written: in place. Keys that
 * tell all bits of their values move alone.
 *
 * needs: a->in_second, a->wanted
 * provides: clf_few_*, clf_sort_one_group_body
 */
#include "memory/tile.cl"
#include "sort/values.cl"

#define CLF_T CLF_ITEMS
#define CLF_T_NAME clf_few_network
#include "digit/network_template.cl"

#define CLF_FEW_ALONE (CLF_KEY_IS_VALUE && CLF_KEY_INVERTIBLE)

/* Where local memory has place i: work-items side by side meet in few banks. Merges read one place too many. */
#define CLF_FEW_SLOT(i) ((i) + (i) / (128 / (uint)sizeof(clf_key_bits)))
#define CLF_FEW_SLOTS (CLF_TILE + CLF_TILE / (128 / sizeof(clf_key_bits)) + 1)
typedef struct {
    clf_key_bits keys[CLF_FEW_SLOTS];
    ushort places[CLF_FEW_ALONE ? 1 : CLF_FEW_SLOTS];
} clf_sort_one_group_storage;

/* Of a tile that begins at `first`: from element `at` of `count` on; there may be none. */
typedef struct {
    uint first, at, count;
    clf_key_bits keys[CLF_ITEMS];
    uint places[CLF_ITEMS];
} clf_few_share;

/* ---- Values --------------------------------------------------------------------------------------------- */

static inline clf_value clf_few_value(const clf_arguments *a, uint i)
{
    clf_extra none;
    if (CLF_OF_VALUES)
        return clf_result_at(&a->out, i);
    return clf_value_copy(clf_map_at(a, clf_input_at(&a->in, i), i, &none));
}

/* What is lacking is no less than any, and comes behind those that are equal. */
CLF_INLINE void clf_few_load(const clf_arguments *a, clf_few_share *x)
{
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        x->places[k] = x->at + k;
        x->keys[k] = CLF_KEY_ONES;
        if (x->at + k < x->count)
            x->keys[k] = clf_key_ordered(clf_value_key(clf_few_value(a, x->first + x->at + k) CLF_LESS_A));
    }
}

#define CLF_FEW_KEEP(f, type, move, bytes, name) kept[k].name = v.name;
CLF_INLINE void clf_few_write(const clf_arguments *a, const clf_few_share *x)
{
    const uint count = min(x->count, a->wanted);
    clf_value kept[CLF_ITEMS];
    clf_outputs to;
    clf_take_arrays(a, a->in_second, &to);
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k)
        if (x->at + k < count) {
#if CLF_FEW_ALONE
            const clf_value v = clf_key_value(x->keys[k]);
#else
            const clf_value v = clf_few_value(a, x->first + x->places[k]);
#endif
            CLF_VALUE_FIELDS(CLF_FEW_KEEP)
        }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k)
        if (x->at + k < count)
            clf_output_at(&to, x->first + x->at + k, kept[k]);
}

/* ---- Merging -------------------------------------------------------------------------------------------- */

/* Also what lies behind the last element, and the tile: merges read it, and do not use it. */
static inline void clf_few_put(const clf_few_share *x, __local clf_sort_one_group_storage *s)
{
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        s->keys[CLF_FEW_SLOT(x->at + k)] = x->keys[k];
        if (!CLF_FEW_ALONE)
            s->places[CLF_FEW_SLOT(x->at + k)] = (ushort)x->places[k];
    }
    if (x->at + CLF_ITEMS == CLF_TILE) {
        s->keys[CLF_FEW_SLOT(CLF_TILE)] = CLF_KEY_ONES;
        if (!CLF_FEW_ALONE)
            s->places[CLF_FEW_SLOT(CLF_TILE)] = 0;
    }
}

/* How many of the first `place` elements of two runs, [left, middle) and [middle, right), are of the left one, whose
 * elements come before equal ones of the other. */
static inline uint clf_few_cut(uint left, uint middle, uint right, uint place,
                               __local const clf_sort_one_group_storage *s)
{
    const uint others = right - middle;
    uint low = place > others ? place - others : 0, high = min(place, middle - left);
    while (low < high) {
        const uint some = (low + high) / 2, other = middle + place - 1 - some;
        if (CLF_KEY_AT_MOST(s->keys[CLF_FEW_SLOT(left + some)], s->keys[CLF_FEW_SLOT(other)]))
            low = some + 1;
        else
            high = some;
    }
    return low;
}

/* Its share of the merge of two runs of so many work-items. Nothing branches. */
CLF_INLINE void clf_few_merge(uint width, clf_few_share *x, __local const clf_sort_one_group_storage *s)
{
    const uint run = width * CLF_ITEMS, left = x->at & ~(2 * run - 1);
    const uint middle = min(left + run, x->count), right = min(left + 2 * run, x->count);
    uint i = left + clf_few_cut(left, middle, right, x->at - left, s), j = middle + x->at - i;
    clf_key_bits first = s->keys[CLF_FEW_SLOT(i)], second = s->keys[CLF_FEW_SLOT(j)];
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) {
        const bool is_first = (j >= right) | ((i < middle) & CLF_KEY_AT_MOST(first, second));
        x->keys[k] = is_first ? first : second;
        if (!CLF_FEW_ALONE)
            x->places[k] = s->places[CLF_FEW_SLOT(is_first ? i : j)];
        i += is_first;
        j += !is_first;
        const clf_key_bits next = s->keys[CLF_FEW_SLOT(is_first ? i : j)];
        first = is_first ? next : first;
        second = is_first ? second : next;
    }
}

/* Without lanes the loop, in which there are barriers, has a constant end. */
CLF_INLINE void clf_sort_one_group_body(const clf_arguments *a, __local clf_sort_one_group_storage *s)
{
    clf_few_share x;
    x.first = (uint)get_group_id(0) * CLF_TILE;
    x.at = clf_local_id() * CLF_ITEMS;
    x.count = (uint)min(max(a->size, (ulong)x.first) - x.first, (ulong)CLF_TILE);
    x.count = a->count > 0 ? x.count : 0; /* no row is left, if the device says so */
    const uint workers = CLF_LANE_WIDTH > 1 ? (x.count + CLF_ITEMS - 1) / CLF_ITEMS : CLF_GROUP;
    clf_few_load(a, &x);
    if (x.at - clf_lane_id() * CLF_ITEMS < x.count) { /* the same in all of a warp */
        if (CLF_FEW_ALONE)
            clf_few_network_alone(x.keys, CLF_LANE_WIDTH);
        else
            clf_few_network(x.keys, x.places, CLF_LANE_WIDTH);
    }
    CLF_LOOP for (uint width = CLF_LANE_WIDTH; width < workers; width *= 2) {
        clf_few_put(&x, s);
        clf_group_sync();
        if (x.at < x.count)
            clf_few_merge(width, &x, s);
        clf_group_sync();
    }
    clf_few_write(a, &x);
}
