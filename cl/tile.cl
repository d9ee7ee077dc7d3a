/* SPDX-License-Identifier: MIT */
/*
 * tile: a tile of CLF_GROUP x CLF_ITEMS elements, resident in local memory while a work-group works on it.
 *
 * Global memory wants neighbouring work-items on neighbouring addresses ("striped"); a scan wants CLF_ITEMS
 * consecutive elements in each work-item ("blocked"): its row. A tile is fetched striped into rows of local
 * memory, each work-item reads and writes its own row, a chunk at a time, and the tile is flushed striped.
 * Only a chunk is ever in registers, so neither small types nor large tuples nor rarely taken branches cost
 * occupancy.
 *
 * Units that exchange share nothing with others: a warp where lanes exist (no barrier), else the whole group.
 * There is one set of functions per element size (tile_template.cl); value.cl has those that it needs, and says
 * which sizes these are (CLF_NEED_1, _2, _4 …).
 */
#include "lane.cl"

#ifndef CLF_ITEMS
#error "-D CLF_ITEMS is missing"
#endif
#ifndef CLF_ROUNDS
#define CLF_ROUNDS 1
#endif

#define CLF_TILE (CLF_GROUP * CLF_ITEMS)

#if CLF_LANE_WIDTH > 1
#define CLF_UNIT CLF_LANE_WIDTH
#define clf_unit_sync clf_lane_sync
#else
#define CLF_UNIT CLF_GROUP
#define clf_unit_sync clf_group_sync
#endif

/*
 * Elements that are in registers at a time: as many as the narrowest type has in a vector (tile_template.cl).
 */
#if defined(CLF_NEED_1) && CLF_ITEMS % 16 == 0
#define CLF_CHUNK 16
#elif (defined(CLF_NEED_1) || defined(CLF_NEED_2)) && CLF_ITEMS % 8 == 0
#define CLF_CHUNK 8
#elif (defined(CLF_NEED_1) || defined(CLF_NEED_2) || defined(CLF_NEED_4)) && CLF_ITEMS % 4 == 0
#define CLF_CHUNK 4
#elif CLF_ITEMS % 2 == 0
#define CLF_CHUNK 2
#else
#define CLF_CHUNK 1
#endif

/*
 * Loops over a row's chunks: long chunks are enough to fill the processor, and unrolled they would not fit its
 * instruction cache.
 */
#if CLF_CHUNK >= 8
#define CLF_UNROLL_CHUNKS _Pragma("unroll 1")
#else
#define CLF_UNROLL_CHUNKS CLF_UNROLL
#endif

/*
 * Loops over single elements, which only the last tile takes. With several rounds they stay loops: unrolled,
 * their addresses would be kept from round to round, in registers.
 */
#if CLF_ROUNDS > 1
#define CLF_UNROLL_PART _Pragma("unroll 1")
#else
#define CLF_UNROLL_PART
#endif

/* A vector of 1, 2, 4, 8 or 16 elements to as many registers, and back. */
#define CLF_SPLIT_1(x, q) (x)[0] = (q)
#define CLF_SPLIT_2(x, q) (x)[0] = (q).s0; (x)[1] = (q).s1
#define CLF_SPLIT_4(x, q) CLF_SPLIT_2(x, (q).lo); CLF_SPLIT_2((x) + 2, (q).hi)
#define CLF_SPLIT_8(x, q) CLF_SPLIT_4(x, (q).lo); CLF_SPLIT_4((x) + 4, (q).hi)
#define CLF_SPLIT_16(x, q) CLF_SPLIT_8(x, (q).lo); CLF_SPLIT_8((x) + 8, (q).hi)
#define CLF_JOIN_1(x) (x)[0]
#define CLF_JOIN_2(x) (x)[0], (x)[1]
#define CLF_JOIN_4(x) CLF_JOIN_2(x), CLF_JOIN_2((x) + 2)
#define CLF_JOIN_8(x) CLF_JOIN_4(x), CLF_JOIN_4((x) + 4)
#define CLF_JOIN_16(x) CLF_JOIN_8(x), CLF_JOIN_8((x) + 8)
