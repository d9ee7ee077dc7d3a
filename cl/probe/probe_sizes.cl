/* SPDX-License-Identifier: MIT */
/*
 * probe_sizes: does a group of CLF_GROUP work-items run that has CLF_LOCAL bytes of local memory, and a kernel of as
 * many registers as most of ours? What drivers say of both is the most that any kernel may have. (Host side:
 * src/probe/probe.c.)
 *
 * data: [0] how many work-items found their part of local memory as they left it; [1] is always 0, but no compiler
 * knows that.
 *
 * needs: CLF_LOCAL
 * provides: probe
 */
#include "device/base.cl"

static inline uint probe_word(uint k, uint round)
{
    return (k + round) * 2654435761u + 1;
}

__kernel CLF_PIN_GROUP void clf_probe(__global uint *data)
{
    __local uint box[CLF_LOCAL / 4];
    const uint i = clf_local_id(), rounds = data[1];
    uint16 a = (uint16)(i), b = a + rounds, c = a ^ rounds;
    bool right = true;
    for (uint k = i; k < CLF_LOCAL / 4; k += CLF_GROUP)
        box[k] = probe_word(k, rounds);
    clf_group_sync();
    CLF_LOOP for (uint k = 0; k < rounds; ++k) { /* all of these words live from round to round */
        a = a * b.s123456789abcdef0 + c;
        b = b * c.s3456789abcdef012 + a;
        c = c * a.s56789abcdef01234 + b;
    }
    for (uint k = i; k < CLF_LOCAL / 4; k += CLF_GROUP)
        right &= box[k ^ 1] == probe_word(k ^ 1, rounds);
    a = a ^ b ^ c;
    const uint8 d = a.lo + a.hi;
    const uint4 e = d.lo + d.hi;
    if (right && (rounds == 0 || e.x + e.y + e.z + e.w != 1))
        (void)atomic_inc((volatile __global uint *)data);
}
