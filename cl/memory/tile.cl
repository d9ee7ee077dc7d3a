/* SPDX-License-Identifier: MIT */
/*
 * tile: a tile of CLF_GROUP x CLF_ITEMS elements, resident in local memory while a work-group processes it.
 *
 * Coalesced access to global memory needs neighbouring work-items on neighbouring addresses ("striped"). A scan needs
 * CLF_ITEMS consecutive elements in each work-item ("blocked"): its row. So a tile is fetched striped into rows of
 * local memory, each work-item reads and writes its own row, a chunk at a time, and the tile is flushed striped. Only a
 * chunk is in registers at a time. So neither small types nor large tuples nor rare branches reduce occupancy.
 *
 * Each unit (lane.cl) has rows of its own, and accesses no others. There is one set of functions per element size
 * (vector_template.cl, tile_template.cl). The generated files vector_sizes.cl and tile_sizes.cl include them for the
 * sizes of the program's fields, of which CLF_NARROWEST is the smallest. tile_fields.cl calls them for all fields.
 *
 * needs: CLF_ITEMS, CLF_ROUNDS
 * provides: CLF_CHUNK, CLF_ROUNDS, CLF_TILE, CLF_TILE_WORD_FROM, CLF_UNALIGNED, CLF_UNROLL_CHUNKS, CLF_UNROLL_PART
 */
#include "fields.cl"
#include "device/lane.cl"

#ifndef CLF_ROUNDS
#define CLF_ROUNDS 1
#endif

#define CLF_TILE (CLF_GROUP * CLF_ITEMS)

/* Elements that are in registers at a time: as many as the narrowest type has in a vector (vector_template.cl). */
#define CLF_CHUNK \
    (CLF_NARROWEST <= 1 && CLF_ITEMS % 16 == 0 ? 16 : CLF_NARROWEST <= 2 && CLF_ITEMS % 8 == 0 ? 8 : \
     CLF_NARROWEST <= 4 && CLF_ITEMS % 4 == 0 ? 4 : CLF_ITEMS % 2 == 0 ? 2 : 1)

/*
 * Loops over a row's chunks: long chunks are enough to fill the processor, and unrolled they would not fit its
 * instruction cache.
 */
#if CLF_CHUNK >= 8
#define CLF_UNROLL_CHUNKS CLF_LOOP
#else
#define CLF_UNROLL_CHUNKS CLF_UNROLL
#endif

/*
 * Loops over single elements, which only the last tile takes. With several rounds they stay loops: unrolled,
 * their addresses would be kept from round to round, in registers.
 */
#if CLF_ROUNDS > 1
#define CLF_UNROLL_PART CLF_LOOP
#else
#define CLF_UNROLL_PART
#endif

/* Elements of a full tile that a work-item has on their way where vectors are not aligned. */
#define CLF_UNALIGNED 8

/* The word that begins `shift` bits up in two neighbouring ones, of which the second is above. */
#define CLF_TILE_WORD_FROM(word, next, shift) \
    ((uint)(CLF_IS_LITTLE ? ((ulong)(next) << 32 | (word)) >> (shift) \
                          : ((ulong)(word) << 32 | (next)) << (shift) >> 32))

/* Of elements of CLF_X bytes, as vector_template.cl defines them: a vector, what it is moved as, its elements. */
#define CLF_X_NAME(name) CLF_PASTE(name, CLF_X)
#define CLF_X_VECTOR CLF_X_NAME(clf_vector_)
#define CLF_X_MOVE CLF_X_NAME(clf_move_)
#define CLF_X_PER CLF_X_NAME(CLF_PER_)
#define CLF_X_ROW (CLF_ITEMS / CLF_X_PER) /* vectors of a row */

/*
 * Of elements that are arrays CLF_X_ARRAY is 1. They are structs (array_template.cl), of any number of bytes, which no
 * cast makes. They lie alone, and not in vectors, and are never read by words.
 */
#define CLF_X_ARRAY 0
#define CLF_X_ALONE CLF_PASTE(CLF_X_ALONE_, CLF_X_ARRAY)
#define CLF_X_ALONE_0 CLF_X
#define CLF_X_ALONE_1 16
#define CLF_X_SMALL (CLF_X_ALONE < 4)
#define CLF_X_MADE CLF_PASTE(CLF_X_MADE_, CLF_X_ARRAY)
#define CLF_X_MADE_0(type, x) (type)(x)
#define CLF_X_MADE_1(type, x) x
/* An element or zeros to another place. Of arrays, copied as structs, NVIDIA's compiler (driver 580) found no end. */
#define CLF_X_SET CLF_PASTE(CLF_X_SET_, CLF_X_ARRAY)
#define CLF_X_SET_0(to, is, from) to = is ? from : (CLF_X_TYPE)0
#define CLF_X_SET_1(to, is, from) \
    CLF_UNROLL for (uint one = 0; one < sizeof(to) / sizeof(to.at[0]); ++one) \
        to.at[one] = is ? (from).at[one] : 0
/* In stretches: how they are aligned; what is left of a unit's vectors behind whole lines of padding. */
#define CLF_X_ALIGNMENT (CLF_X_ALONE < 16 ? 16 : CLF_X_ALONE)
#define CLF_X_LEFT CLF_PASTE(CLF_X_LEFT_, CLF_X_ARRAY)
#define CLF_X_LEFT_0(unit, per, bytes) unit * per * bytes % 128
#define CLF_X_LEFT_1(unit, per, bytes) unit % (128 / bytes)
