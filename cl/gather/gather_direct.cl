/* SPDX-License-Identifier: MIT */
/*
 * gather_direct: a tile of indices by a work-group, straight from global memory to registers and back.
 *
 * Neighbouring work-items take neighbouring indices. So accesses to the indices, and to the array that they do not
 * index, are coalesced, whatever the alignment. If indices ascend, accesses to the other array are coalesced, too. A
 * work-item has CLF_ITEMS indices. For each field it first loads all its elements, then stores them: so many scattered
 * loads are in flight at a time. For an element that is not moved, some existing element is loaded, and nothing stored.
 *
 * Elements of more than 16 bytes are moved in parts of 16 by as many neighbouring work-items. So these accesses are
 * coalesced, too, and take no more registers. From 8 bytes on elements move as words of 64 bits: Mesa's zink stores a
 * vector component by component, and halves of a ulong might come from several elements.
 *
 * needs: a->indices
 * provides: clf_gather_direct_body
 */
#include "gather/gather.cl"

/* ---- Elements of up to 16 bytes ------------------------------------------------------------------------- */

/* Place k of this work-item in a tile. */
static inline uint clf_gather_place(uint k)
{
    return k * CLF_GROUP + clf_local_id();
}

/* A place that exists. `whole`: is the tile full? A constant where this is inlined. */
static inline uint clf_gather_near(const clf_gather_tile *t, uint place, bool whole)
{
    return whole ? place : min(place, t->count - 1);
}

#define CLF_MOVE_WHOLE(f, bytes, move) \
    { \
        __global const move *const from = (__global const move *)a->in.p##f; \
        __global move *const to = (__global move *)a->out.p##f; \
        move x[CLF_ITEMS]; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            x[k] = from[clf_read_at(t->first + clf_gather_near(t, clf_gather_place(k), whole), \
                                    clf_is_named(a, index[k]) ? index[k] : 0)]; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            if ((whole || clf_gather_place(k) < t->count) && clf_is_named(a, index[k])) \
                CLF_PUT_##bytes(to + clf_written_at(t->first + clf_gather_place(k), index[k]), x[k]); \
    }

/* ---- Larger ones ---------------------------------------------------------------------------------------- */

typedef ulong2 clf_gather_part;
enum { CLF_FLIGHT = 4 /* parts that a work-item has under way */ };

/* The index that part number `place` of a tile is of, which has so many parts per element. */
static inline CLF_INDEX clf_part_index(const clf_arguments *a, const clf_gather_tile *t, uint place, uint parts)
{
    return a->indices[t->first + min(place / parts, t->count - 1)];
}

/* Indices are read again: they come from the cache. */
#define CLF_MOVE_PARTS(f, parts) \
    { \
        __global const clf_gather_part *const from = (__global const clf_gather_part *)a->in.p##f; \
        __global clf_gather_part *const to = (__global clf_gather_part *)a->out.p##f; \
        CLF_LOOP for (uint j = 0; j < CLF_ITEMS * parts; j += CLF_FLIGHT) { \
            CLF_INDEX at[CLF_FLIGHT]; \
            clf_gather_part x[CLF_FLIGHT]; \
            CLF_UNROLL for (uint k = 0; k < CLF_FLIGHT; ++k) \
                at[k] = clf_part_index(a, t, clf_gather_place(j + k), parts); \
            CLF_UNROLL for (uint k = 0; k < CLF_FLIGHT; ++k) \
                x[k] = from[clf_read_at(t->first + min(clf_gather_place(j + k) / parts, t->count - 1), \
                                        clf_is_named(a, at[k]) ? at[k] : 0) * parts + \
                            clf_gather_place(j + k) % parts]; \
            CLF_UNROLL for (uint k = 0; k < CLF_FLIGHT; ++k) \
                if (clf_gather_place(j + k) / parts < t->count && clf_is_named(a, at[k])) \
                    to[clf_written_at(t->first + clf_gather_place(j + k) / parts, at[k]) * parts + \
                       clf_gather_place(j + k) % parts] = x[k]; \
        } \
    }

/* ---- All fields ----------------------------------------------------------------------------------------- */

#define CLF_MOVE_1(f) CLF_MOVE_WHOLE(f, 1, uchar)
#define CLF_MOVE_2(f) CLF_MOVE_WHOLE(f, 2, ushort)
#define CLF_MOVE_4(f) CLF_MOVE_WHOLE(f, 4, uint)
#define CLF_MOVE_8(f) CLF_MOVE_WHOLE(f, 8, ulong)
#define CLF_MOVE_16(f) CLF_MOVE_WHOLE(f, 16, ulong2)
#define CLF_MOVE_32(f) CLF_MOVE_PARTS(f, 2)
#define CLF_MOVE_64(f) CLF_MOVE_PARTS(f, 4)
#define CLF_MOVE_128(f) CLF_MOVE_PARTS(f, 8)
#define CLF_GATHER_DIRECT_FIELD(f, type, move, bytes, name) CLF_MOVE_##bytes(f)

typedef uchar clf_gather_direct_storage; /* none needed */

static inline void clf_gather_tile_move(const clf_arguments *a, const clf_gather_tile *t, bool whole)
{
    CLF_INDEX index[CLF_ITEMS];
    CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k)
        index[k] = a->indices[t->first + clf_gather_near(t, clf_gather_place(k), whole)];
    CLF_VALUE_FIELDS(CLF_GATHER_DIRECT_FIELD)
}

CLF_INLINE void clf_gather_direct_body(const clf_arguments *a, __local clf_gather_direct_storage *s)
{
    const clf_gather_tile t = clf_gather_tile_at(a);
    if (t.count == CLF_TILE)
        clf_gather_tile_move(a, &t, true);
    else if (t.count > 0)
        clf_gather_tile_move(a, &t, false);
}
