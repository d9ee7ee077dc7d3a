/* SPDX-License-Identifier: MIT */
/*
 * probe_atomics: a bounded message-passing litmus for the functions of atomics.cl (host side: src/probe/probe.c).
 *
 * Every group takes a ticket, reads its predecessor's payload early (so that a stale copy may sit in a cache), writes
 * its own payload and then publishes one word. It waits a bounded time for the predecessor's word; whoever saw it must,
 * after the fence, see the payload too. A word that is neither empty nor the expected one was torn. A group that never
 * saw the word proves nothing and is no error: no wait here may depend on progress.
 *
 * data: [0] ticket counter, [1] errors, [2], [3] unused, then 2 uints per group for its word, then
 * CLF_GROUP uints per group for its payload. All zero before the run.
 *
 * needs: nothing
 * provides: probe
 */
#include "device/atomics.cl"

#define PROBE_POLLS 1000

static inline clf_word probe_message(uint group)
{
    return CLF_WORD_PAYLOAD == 32 ? (clf_word)((ulong)(group * 2654435761u + 1) << 32 | (group + 1)) : group + 1;
}

/* 1: the word arrived; 0: not in time; 2: torn. */
static inline uint probe_wait(volatile __global clf_word *word, clf_word expected)
{
    for (uint i = 0; i < PROBE_POLLS; i++) {
        const clf_word seen = clf_word_load(word);
        if (seen != 0)
            return seen == expected ? 1 : 2;
    }
    return 0;
}

__kernel CLF_PIN_GROUP void clf_probe(__global uint *data)
{
    __local uint shared[2];
    const uint id = clf_local_id();
    if (id == 0)
        shared[0] = clf_ticket_take((volatile __global uint *)data);
    clf_group_sync();
    const uint group = shared[0];
    const uint before = group == 0 ? 0 : group - 1;

    volatile __global clf_word *words = (volatile __global clf_word *)(data + 4);
    __global uint *payload = data + 4 + 2 * get_num_groups(0);
    __global uint *theirs = payload + before * CLF_GROUP + id;
    const uint expected = before * CLF_GROUP + id + 1;
    bool wrong = false;

    if (CLF_ATOMICS >= 2) { /* the others promise nothing about plain accesses */
        const uint early = *theirs;
        wrong = early != 0 && early != expected;
        payload[group * CLF_GROUP + id] = group * CLF_GROUP + id + 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (id == 0) {
        clf_fence_release();
        clf_word_store(words + group, probe_message(group));
        shared[1] = probe_wait(words + before, probe_message(before));
        clf_fence_acquire();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    wrong |= shared[1] == 2;
    if (CLF_ATOMICS >= 2)
        wrong |= shared[1] == 1 && *theirs != expected;
    if (wrong)
        (void)clf_ticket_take((volatile __global uint *)data + 1);
}
