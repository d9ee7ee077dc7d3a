/* SPDX-License-Identifier: MIT */
/*
 * lane: exchange between the work-items of a warp, wavefront or sub-group ("lanes"), hiding the vendor.
 *
 *   CLF_LANES = 0   none: a "warp" is one work-item, and all of these do nothing (blocks above use local memory)
 *               1   NVIDIA PTX
 *               2   cl_khr_subgroup_shuffle, _shuffle_relative, _ballot
 *               3   cl_intel_subgroups
 *               4   AMD builtins
 *   CLF_LANE_WIDTH  lanes per warp, a power of two; 1 when CLF_LANES is 0; divides CLF_GROUP
 *
 * All functions are for whole, converged warps. Exchanged words are 32 bits; larger elements go word by word
 * (scan_template.cl).
 *
 * needs: CLF_LANES
 * provides: clf_ballot, CLF_BLOCK, clf_forget, clf_highest, clf_lane_*, clf_lanes_alike, clf_leading, CLF_LEVELS,
 *           clf_mask, clf_mask_*, CLF_PIN_LANES, CLF_TOTALS, CLF_UNIT, clf_unit_*, CLF_UNITS, clf_warp_id, CLF_WARPS,
 *           clf_word_*
 */
#include "device/base.cl"

#if !defined(CLF_LANES) || !defined(CLF_LANE_WIDTH)
#error "-D CLF_LANES and -D CLF_LANE_WIDTH are needed"
#elif CLF_GROUP % CLF_LANE_WIDTH
#error "CLF_GROUP is not a multiple of CLF_LANE_WIDTH"
#endif

#define CLF_WARPS (CLF_GROUP / CLF_LANE_WIDTH)

/* A unit: work-items that exchange what they have without others: a warp, with no barrier, or else the group. */
#define CLF_UNIT (CLF_LANE_WIDTH > 1 ? CLF_LANE_WIDTH : CLF_GROUP)
#define CLF_UNITS (CLF_GROUP / CLF_UNIT)

/* Scans across a group without lanes go by levels of blocks (scan_template.cl). */
#define CLF_BLOCK 8
#define CLF_LEVELS \
    ((CLF_GROUP > 1) + (CLF_GROUP > 8) + (CLF_GROUP > 64) + (CLF_GROUP > 512) + (CLF_GROUP > 4096) + \
     (CLF_GROUP > 32768))
#define CLF_TOTALS (CLF_LANE_WIDTH > 1 ? CLF_WARPS : CLF_GROUP + CLF_GROUP / 7 + 8)

/* Intel's compiler chooses a width for each kernel, unless told: all must have the one that was probed. */
#if (CLF_LANES == 2 || CLF_LANES == 3) && defined(cl_intel_required_subgroup_size)
#define CLF_PIN_LANES __attribute__((intel_reqd_sub_group_size(CLF_LANE_WIDTH)))
#else
#define CLF_PIN_LANES
#endif

#if CLF_LANE_WIDTH > 32
typedef ulong clf_mask;
#else
typedef uint clf_mask;
#endif

static inline uint clf_lane_id(void)
{
    return clf_local_id() % CLF_LANE_WIDTH;
}

static inline uint clf_warp_id(void)
{
    return clf_local_id() / CLF_LANE_WIDTH;
}

static inline uint clf_unit_lane(void)
{
    return clf_local_id() % CLF_UNIT;
}

static inline uint clf_unit_id(void)
{
    return clf_local_id() / CLF_UNIT;
}

/* Index of the highest set bit; the mask is not 0. */
static inline uint clf_highest(clf_mask mask)
{
    return (uint)(sizeof(clf_mask) * 8 - 1) - (uint)clz(mask);
}

/* The bits of the lanes below this one. */
static inline clf_mask clf_mask_below(clf_mask mask)
{
    return mask & (((clf_mask)1 << clf_lane_id()) - 1);
}

/* Number of set bits below the lowest clear one. */
static inline uint clf_leading(clf_mask mask)
{
    const clf_mask clear = ~mask;
    return clear ? clf_highest(clear & (~clear + 1)) : CLF_LANE_WIDTH;
}

/*
 * clf_word_up     the word of the lane `delta` below; anything where there is none
 * clf_word_from   the word of the lane that each names
 * clf_ballot      bit l: lane l's predicate
 * clf_lanes_alike the lanes whose x is as this lane's, below `end`, a power of two; `all` is clf_ballot(true)
 * clf_lane_sync   local memory written by a lane before is seen by the warp's lanes after
 * clf_forget      x, though the compiler does not know it: so it computes anew what it would else keep in a register
 *                 for long, which NVIDIA's does not weigh
 */
#if CLF_LANES == 0

static inline uint clf_word_up(uint x, uint delta) { return x; }
static inline uint clf_word_from(uint x, uint lane) { return x; }
static inline clf_mask clf_ballot(bool p) { return p; }
static inline void clf_lane_sync(void) {}

#elif CLF_LANES == 1

static inline uint clf_word_up(uint x, uint delta)
{
    uint y;
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;" : "=r"(y) : "r"(x), "r"(delta));
    return y;
}

static inline uint clf_word_from(uint x, uint lane)
{
    uint y;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(y) : "r"(x), "r"(lane));
    return y;
}

static inline clf_mask clf_ballot(bool p)
{
    uint y;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(y)
                 : "r"((uint)p));
    return y;
}

/*
 * The ballot of those whose bit is as this lane's. Where it is clear that is ~y, or -1 - y, which multipliers find out
 * while the units for logic have enough to do: `all` is -1, which the assembler must not know.
 */
static inline uint clf_vote_same(uint bit, uint all)
{
    uint y;
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;"
        " @!p mad.lo.s32 %0, %0, %2, %2; }"
        : "=r"(y)
        : "r"(bit), "r"(all));
    return y;
}

/* Two bits at a time, for the logic that has three operands. */
static inline clf_mask clf_lanes_alike(uint x, uint end, clf_mask all)
{
    uint lanes = all;
    CLF_UNROLL for (uint bit = 1; bit < end; bit <<= 2) {
        const uint one = clf_vote_same(x & bit, all), next = 2 * bit < end ? clf_vote_same(x & 2 * bit, all) : all;
        asm("lop3.b32 %0, %0, %1, %2, 0x80;" : "+r"(lanes) : "r"(one), "r"(next));
    }
    return lanes;
}

static inline void clf_lane_sync(void)
{
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

static inline uint clf_forget(uint x)
{
    uint y;
    asm volatile("mov.u32 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

#elif CLF_LANES == 2

#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable

static inline uint clf_word_up(uint x, uint delta) { return sub_group_shuffle_up(x, delta); }
static inline uint clf_word_from(uint x, uint lane) { return sub_group_shuffle(x, lane); }

static inline clf_mask clf_ballot(bool p)
{
    const uint4 b = sub_group_ballot(p);
    return CLF_LANE_WIDTH > 32 ? (clf_mask)((ulong)b.x | (ulong)b.y << 32) : b.x;
}

static inline void clf_lane_sync(void) { sub_group_barrier(CLK_LOCAL_MEM_FENCE); }

#elif CLF_LANES == 3

#pragma OPENCL EXTENSION cl_intel_subgroups : enable

static inline uint clf_word_up(uint x, uint delta) { return intel_sub_group_shuffle_up(x, x, delta); }
static inline uint clf_word_from(uint x, uint lane) { return intel_sub_group_shuffle(x, lane); }

/* No ballot in this extension: add up the lanes' bits. */
static inline clf_mask clf_ballot(bool p)
{
    return sub_group_reduce_add((uint)p << clf_lane_id());
}

static inline void clf_lane_sync(void) { sub_group_barrier(CLK_LOCAL_MEM_FENCE); }

#elif CLF_LANES == 4

static inline uint clf_word_from(uint x, uint lane)
{
    return (uint)__builtin_amdgcn_ds_bpermute((int)(lane * 4), (int)x);
}

static inline uint clf_word_up(uint x, uint delta)
{
    return clf_word_from(x, (clf_lane_id() - delta) % CLF_LANE_WIDTH);
}

/* Up to LLVM 16 there is no ballot, but a comparison of all lanes; 33 is "not equal". */
static inline clf_mask clf_ballot(bool p)
{
#if !__has_builtin(__builtin_amdgcn_ballot_w64)
    return (clf_mask)__builtin_amdgcn_uicmp((uint)p, 0u, 33);
#elif CLF_LANE_WIDTH > 32
    return __builtin_amdgcn_ballot_w64(p);
#else
    return __builtin_amdgcn_ballot_w32(p);
#endif
}

static inline void clf_lane_sync(void)
{
    mem_fence(CLK_LOCAL_MEM_FENCE);
    __builtin_amdgcn_wave_barrier();
}

#endif

#if CLF_LANES != 1
static inline clf_mask clf_lanes_alike(uint x, uint end, clf_mask all)
{
    clf_mask lanes = all;
    CLF_UNROLL for (uint bit = 1; bit < end; bit <<= 1) {
        const bool set = (x & bit) != 0;
        const clf_mask with = clf_ballot(set);
        lanes &= set ? with : ~with;
    }
    return lanes;
}

static inline uint clf_forget(uint x) { return x; }
#endif

static inline void clf_unit_sync(void)
{
    if (CLF_LANE_WIDTH > 1)
        clf_lane_sync();
    else
        clf_group_sync();
}
