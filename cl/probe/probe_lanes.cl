/* SPDX-License-Identifier: MIT */
/*
 * probe_lanes: do the functions of lane.cl work as the other blocks need, with warps of CLF_LANE_WIDTH work-items that
 * are consecutive in the group? One group runs it (host side: src/probe/probe.c).
 *
 * data[i] is 0 if work-item i found everything right. Otherwise it has a bit per function that failed: 1 up, 2 from, 4
 * ballot, 8 sync, 16 if CLF_LOCAL bytes of local memory are not there, and 32 if warps that sync wait for others. It is
 * not 0 before the run, so a kernel that did not run fails.
 *
 * needs: CLF_LOCAL
 * provides: probe
 */
#include "device/lane.cl"

static inline uint probe_word(uint i)
{
    return i * 2654435761u + 1;
}

static inline bool probe_up(uint i)
{
    bool right = true;
    for (uint delta = 1; delta < CLF_LANE_WIDTH; delta *= 2) {
        const uint x = clf_word_up(probe_word(i), delta);
        right &= clf_lane_id() < delta || x == probe_word(i - delta);
    }
    return right;
}

static inline bool probe_from(uint i)
{
    bool right = true;
    for (uint lane = 0; lane < CLF_LANE_WIDTH; lane++)
        right &= clf_word_from(probe_word(i), lane) == probe_word(i - clf_lane_id() + lane);
    return right;
}

/* Every third lane, from another start in each warp: a ballot over more than the warp cannot pass. */
static inline bool probe_ballot(void)
{
    const uint start = clf_warp_id() % 3;
    clf_mask expected = 0;
    for (uint lane = 0; lane < CLF_LANE_WIDTH; lane++)
        if (lane % 3 == start)
            expected |= (clf_mask)1 << lane;
    return clf_ballot(clf_lane_id() % 3 == start) == expected;
}

static inline bool probe_sync(uint i, __local uint *box)
{
    box[i] = probe_word(i);
    clf_lane_sync();
    const uint other = i ^ (CLF_LANE_WIDTH > 1);
    return box[other] == probe_word(other);
}

/* Words go round in each warp, in some longer than in others: Mesa's llvmpipe takes sync for a barrier of the group. */
static inline bool probe_alone(uint i, __local uint *box)
{
    const uint lane = clf_lane_id(), first = i - lane, rounds = 3 * (clf_warp_id() % 4);
    uint x = probe_word(i);
    for (uint round = 0; round < rounds; ++round) {
        box[i] = x;
        clf_lane_sync();
        x = box[first + (lane + 1) % CLF_LANE_WIDTH];
        clf_lane_sync();
    }
    return x == probe_word(first + (lane + rounds) % CLF_LANE_WIDTH);
}

/* Is every word of the box a place of its own? */
static inline bool probe_local(uint i, __local uint *box)
{
    bool right = true;
    clf_group_sync();
    for (uint k = i; k < CLF_LOCAL / 4; k += CLF_GROUP)
        box[k] = probe_word(k);
    clf_group_sync();
    for (uint k = i; k < CLF_LOCAL / 4; k += CLF_GROUP)
        right &= box[k ^ 1] == probe_word(k ^ 1);
    return right;
}

__kernel CLF_PIN_GROUP CLF_PIN_LANES void clf_probe(__global uint *data)
{
    __local uint box[CLF_LOCAL / 4];
    const uint i = clf_local_id();
    uint failed = probe_up(i) ? 0 : 1;
    failed |= probe_from(i) ? 0 : 2;
    failed |= probe_ballot() ? 0 : 4;
    failed |= probe_sync(i, box) ? 0 : 8;
    failed |= probe_local(i, box) ? 0 : 16;
    clf_group_sync();
    failed |= CLF_LANE_WIDTH == 1 || probe_alone(i, box) ? 0 : 32;
    data[i] = failed;
}
