/* SPDX-License-Identifier: MIT */
/*
 * stretch: up to CLF_STRETCH consecutive elements in local memory, for a unit (lane.cl) that reads any of them in any
 * order.
 *
 * Element i lies at its own index, plus words of padding after each 128 bytes if asked for. So neither vectors spread
 * over neighbouring elements nor work-items that read runs of a power of two cause bank conflicts. Unlike a tile, a
 * stretch starts at any alignment, and is accessed by single elements. Its rows have any length, and are not one per
 * work-item.
 *
 * needs: CLF_STRETCH_PAD
 * provides: CLF_STRETCH, CLF_STRETCH_PACK, CLF_STRETCH_PACK_WORDS, clf_team_*, CLF_TEAM_LEAST, CLF_TEAM_MOST
 */
#include "memory/tile.cl"

#define CLF_STRETCH (CLF_UNIT * CLF_ITEMS)

/*
 * Elements that are read from a stretch at a time: as many of the narrowest type as a bank is wide, by words
 * (CLF_STRETCH_PACK_WORDS), but where extra outputs take the elements' places meanwhile; of others some, for less
 * arithmetic, but where compilers cannot take it.
 */
#define CLF_STRETCH_PACK_WORDS (CLF_NARROWEST <= 2)
#define CLF_STRETCH_PACK \
    (CLF_ITEMS % 4 || (CLF_STRETCH_PACK_WORDS ? CLF_EXTRA_COUNT : CLF_LANE_WIDTH == 1) ? 1 : \
     CLF_NARROWEST != 2 ? 4 : 2)

/* The most words of padding after each 128 bytes of small elements. */
#ifndef CLF_STRETCH_PAD
#define CLF_STRETCH_PAD 1
#endif

/*
 * A team: 1 << shift neighbouring work-items of a unit, CLF_TEAM_LEAST and up, or all of it where shift is
 * CLF_TEAM_MOST. Without many lanes there are no others.
 */
#define CLF_TEAM_MOST clf_highest(CLF_LANE_WIDTH)
#define CLF_TEAM_LEAST 2u

static inline uint clf_team_width(uint shift)
{
    return CLF_LANE_WIDTH > 1 ? 1u << shift : CLF_UNIT;
}

static inline uint clf_team_lane(uint shift)
{
    return CLF_LANE_WIDTH > 1 ? clf_unit_lane() & ((1u << shift) - 1) : clf_unit_lane();
}

/* x / clf_team_width(shift) */
static inline uint clf_team_share(uint x, uint shift)
{
    return CLF_LANE_WIDTH > 1 ? x >> shift : x / CLF_UNIT;
}
