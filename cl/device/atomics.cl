/* SPDX-License-Identifier: MIT */
/*
 * atomics: relaxed, device-wide access to one word, fences between work-groups, and the order of groups.
 *
 * The message protocol (message.cl) needs nothing more: a word is loaded or stored whole, and whoever reads
 * it validates it by itself. The back end is chosen by a probe on the device, never by a macro or a vendor's name:
 *   CLF_ATOMICS = 0   OpenCL 1.2 atomics on 32-bit words; no fences
 *                 1   cl_khr_int64_base_atomics on 64-bit words; no fences
 *                 2   C11 atomics and fences with device scope on 64-bit words
 *                 3   NVIDIA PTX (sm_70 or later) on 64-bit words
 *
 * needs: CLF_ATOMICS, CLF_REVERSE, CLF_STALL, CLF_TICKET
 * provides: clf_fence_*, clf_place_stalled, clf_place_take, clf_ticket_take, clf_uint_load, clf_uint_store, clf_word,
 *           clf_word_*, CLF_WORD_PAYLOAD
 */
#include "device/base.cl"

#ifndef CLF_ATOMICS
#error "-D CLF_ATOMICS is missing"
#endif

#if CLF_ATOMICS == 0
typedef uint clf_word;
#define CLF_WORD_PAYLOAD 16 /* bits of a word that carry data; the rest is the tag */
#else
typedef ulong clf_word;
#define CLF_WORD_PAYLOAD 32
#endif

/* The next value of a counter: 32-bit atomics on global memory are everywhere. */
static inline uint clf_ticket_take(volatile __global uint *counter)
{
    return atomic_inc(counter);
}

#ifdef CLF_TICKET
/*
 * Which tile a group takes: by ticket, so that a tile waits for those alone that have started; or by the group's
 * number, for devices that start groups in order (CLF_TICKET = 0).
 *
 * Test builds: with CLF_REVERSE tiles are handed out last first. With CLF_STALL = k every k-th does not publish early
 * what it has.
 */
static inline bool clf_place_stalled(ulong tile)
{
#if defined(CLF_STALL) && CLF_STALL > 0
    return (tile + 1) % CLF_STALL == 0;
#else
    return false;
#endif
}

/* Which of `groups` places in the order of tiles this group takes; `place` is in local memory. */
static inline uint clf_place_take(volatile __global uint *counter, uint before, uint groups, __local uint *place)
{
    uint mine = (uint)get_group_id(0);
    if (CLF_TICKET) {
        if (clf_local_id() == 0)
            *place = clf_ticket_take(counter) - before;
        clf_group_sync();
        mine = *place;
    }
#if defined(CLF_REVERSE) && CLF_REVERSE
    mine = groups - 1 - mine;
#endif
    return mine;
}
#endif

/*
 * clf_word_load, clf_word_store     a word
 * clf_word_load2, clf_word_store2   two neighbouring words, each whole by itself; p is aligned to both
 * clf_uint_load, clf_uint_store     32 bits, of words that are cleared before they are used
 * clf_word_fetch_add                adds to a word, and returns what was there
 * clf_fence_release                 orders this work-item's accesses for other work-groups: what came before it is
 *                                   visible to whoever has passed an acquire fence after reading a word stored later.
 *                                   Back ends 0 and 1 cannot promise that (the host knows: clf_facts.fence): nothing
 */
#if CLF_ATOMICS == 3

static inline clf_word clf_word_load(volatile __global clf_word *p)
{
    clf_word w;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
    return w;
}

static inline void clf_word_store(volatile __global clf_word *p, clf_word w)
{
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(w) : "memory");
}

static inline uint clf_uint_load(volatile __global uint *p)
{
    uint w;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(w) : "l"(p) : "memory");
    return w;
}

static inline void clf_uint_store(volatile __global uint *p, uint w)
{
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(p), "r"(w) : "memory");
}

static inline clf_word clf_word_fetch_add(volatile __global clf_word *p, clf_word w)
{
    clf_word before;
    asm volatile("atom.add.relaxed.gpu.global.u64 %0, [%1], %2;" : "=l"(before) : "l"(p), "l"(w) : "memory");
    return before;
}

static inline void clf_word_load2(volatile __global clf_word *p, clf_word w[2])
{
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(w[0]), "=l"(w[1]) : "l"(p) : "memory");
}

static inline void clf_word_store2(volatile __global clf_word *p, const clf_word w[2])
{
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(p), "l"(w[0]), "l"(w[1]) : "memory");
}

static inline void clf_fence_release(void)
{
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

#else

#if CLF_ATOMICS == 2

static inline clf_word clf_word_load(volatile __global clf_word *p)
{
    return atomic_load_explicit((volatile __global atomic_ulong *)p, memory_order_relaxed, memory_scope_device);
}

static inline void clf_word_store(volatile __global clf_word *p, clf_word w)
{
    atomic_store_explicit((volatile __global atomic_ulong *)p, w, memory_order_relaxed, memory_scope_device);
}

static inline clf_word clf_word_fetch_add(volatile __global clf_word *p, clf_word w)
{
    return atomic_fetch_add_explicit((volatile __global atomic_ulong *)p, w, memory_order_relaxed, memory_scope_device);
}

static inline uint clf_uint_load(volatile __global uint *p)
{
    return atomic_load_explicit((volatile __global atomic_uint *)p, memory_order_relaxed, memory_scope_device);
}

static inline void clf_uint_store(volatile __global uint *p, uint w)
{
    atomic_store_explicit((volatile __global atomic_uint *)p, w, memory_order_relaxed, memory_scope_device);
}

static inline void clf_fence_release(void)
{
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
}

#else

#if CLF_ATOMICS == 1
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
static inline clf_word clf_word_load(volatile __global clf_word *p) { return atom_add(p, 0ul); }
static inline void clf_word_store(volatile __global clf_word *p, clf_word w) { (void)atom_xchg(p, w); }
static inline clf_word clf_word_fetch_add(volatile __global clf_word *p, clf_word w) { return atom_add(p, w); }
#else
static inline clf_word clf_word_load(volatile __global clf_word *p) { return atomic_or(p, 0u); }
static inline void clf_word_store(volatile __global clf_word *p, clf_word w) { (void)atomic_xchg(p, w); }
static inline clf_word clf_word_fetch_add(volatile __global clf_word *p, clf_word w) { return atomic_add(p, w); }
#endif

static inline uint clf_uint_load(volatile __global uint *p)
{
    return atomic_or(p, 0u);
}

static inline void clf_uint_store(volatile __global uint *p, uint w)
{
    (void)atomic_xchg(p, w);
}

static inline void clf_fence_release(void) {}

#endif

static inline void clf_word_load2(volatile __global clf_word *p, clf_word w[2])
{
    w[0] = clf_word_load(p);
    w[1] = clf_word_load(p + 1);
}

static inline void clf_word_store2(volatile __global clf_word *p, const clf_word w[2])
{
    clf_word_store(p, w[0]);
    clf_word_store(p + 1, w[1]);
}

#endif

static inline void clf_fence_acquire(void)
{
    clf_fence_release();
}
