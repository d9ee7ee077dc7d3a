/* SPDX-License-Identifier: MIT */
/*
 * base: the numbers every kernel is compiled with, and the words the others are written in.
 *
 * Every -D is a number; cl/README.md lists them all. Required here:
 *   CLF_GROUP   work-items per work-group
 *
 * needs: CLF_ALL_INLINE, CLF_CPU, CLF_GIVEN, CLF_GROUP, CLF_LANE_WIDTH, CLF_LOCKS, CLF_OPTIMISED,
 *        CLF_REGISTERS_LIMITED, CLF_ROUNDS_APART, CLF_SEGMENT, CLF_SIZE
 * provides: clf_flag, CLF_GIVEN, clf_group_from_behind, clf_group_sync, CLF_HIDDEN, CLF_INLINE, clf_is_below,
 *           CLF_IS_LITTLE, CLF_JOIN_*, CLF_LEAVES_EARLY, clf_local_id, CLF_LOCKS, CLF_LOOP, CLF_OF_HALVES, CLF_PASTE,
 *           CLF_PIN_GROUP, CLF_POCL_*, clf_quotient, CLF_QUOTIENT, CLF_REMAINDER, CLF_SEGMENT, CLF_SIZE, CLF_SPARE*,
 *           CLF_SPLIT_*, CLF_UNROLL, CLF_UNROLL_4
 */
/* What kernels say of their groups. NVIDIA's assembler heeds no limit of registers (parameter "registers") then. */
#if defined(CLF_REGISTERS_LIMITED) && CLF_REGISTERS_LIMITED
#define CLF_PIN_GROUP
#else
#define CLF_PIN_GROUP __attribute__((reqd_work_group_size(CLF_GROUP, 1, 1)))
#endif

#define CLF_UNROLL _Pragma("unroll")

/*
 * A loop that stays a loop. Where rounds are bounded by a constant, and a private array is written, NVIDIA's compiler
 * takes more rounds than it should: it unrolls by 15 and leaves out the rest (tests/driver_bugs/nvidia_unroll.c).
 * Mesa's compiler, which leaves loops and structs as they are, refuses programs in which loops still have such a wish
 * where it was asked to optimise (CLF_OPTIMISED, src/program/program.c). Then it refuses integers of odd widths, too: a
 * remainder by 4 has 2 bits unless its operand is hidden (CLF_REMAINDER), a struct of 8 bytes with a gap 48 unless it
 * is longer (CLF_SPARE), an array of 3 bytes 24 unless it lies in 12, which are no integer (CLF_SPARE_BYTES). NVIDIA's
 * Vulkan compiler below has quotients of 64 bits wrong (CLF_QUOTIENT, zink_longs.c), and minima of halves
 * (CLF_OF_HALVES). It loses NaNs in -|x|, for which clang takes a float's bits (CLF_HIDDEN).
 */
#if CLF_OPTIMISED
#define CLF_LOOP
#define CLF_UNROLL_4
#define CLF_HIDDEN(type, x) max(x, (type)(0))
#define CLF_REMAINDER(i, n) (CLF_HIDDEN(uint, i) % (n))
#define CLF_OF_HALVES(f, type, wide, a, b) convert_##type(f(convert_##wide(a), convert_##wide(b)))
#define CLF_SPARE uint spare;
#define CLF_SPARE_BYTES(bytes, name) struct { uchar array[bytes], spare[12 - bytes]; } spare_##name;
#define CLF_QUOTIENT(x, n) ((n) > 65536 ? (x) / (n) : clf_quotient(x, n))
static inline ulong clf_quotient(ulong x, uint n)
{
    const uint high = (uint)(x >> 32), middle = high % n << 16 | (uint)x >> 16;
    return ((ulong)(high / n) << 32) + ((ulong)(middle / n) << 16) + (middle % n << 16 | ((uint)x & 65535)) / n;
}
#else
#define CLF_LOOP _Pragma("unroll 1")
#define CLF_UNROLL_4 _Pragma("unroll 4")
#define CLF_HIDDEN(type, x) (x)
#define CLF_REMAINDER(i, n) ((i) % (n))
#define CLF_OF_HALVES(f, type, wide, a, b) f(a, b)
#define CLF_SPARE
#define CLF_SPARE_BYTES(bytes, name)
#define CLF_QUOTIENT(x, n) ((x) / (n))
#endif

/*
 * Between rounds of a loop stands another one, of no rounds, but the compiler does not know that: what is stored in
 * a struct that is then copied, and stored there again in the next round, is otherwise lost (probe/probe_structs.cl).
 * In the caller's functions, too.
 */
#if CLF_ROUNDS_APART && !CLF_OPTIMISED
static inline bool clf_apart(void)
{
    for (uint k = get_work_dim(); k > 1; k /= 2)
        mem_fence(CLK_LOCAL_MEM_FENCE);
    return false;
}
#define for(...) for (__VA_ARGS__) if (clf_apart()) ; else
#endif

/*
 * Where groups have barriers, all functions are inlined. llvmpipe keeps those of several blocks, does not see that
 * they call one that has a barrier, and ends the process (tests/driver_bugs/rusticl_crash.c). Kernels of groups of 1
 * would take it minutes to compile.
 */
#if CLF_ALL_INLINE && CLF_GROUP > 1
#define inline inline __attribute__((__always_inline__))
#endif

/*
 * For functions whose private arrays are the caller's: without it compilers keep these in memory. And for the bodies of
 * kernels: of one that is not inlined PoCL 3.1 lets all threads share the local memory (tests/driver_bugs.txt). They
 * return no structs: Oclgrind does not know what these become when they are inlined by force.
 */
#define CLF_INLINE static inline __attribute__((always_inline))

#define CLF_PASTE_(a, b) a##b
#define CLF_PASTE(a, b) CLF_PASTE_(a, b)

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

/*
 * A bool as a member of a private struct. A member of one byte makes Mesa's zink move all private memory of a kernel
 * byte by byte, which takes scans 20 times as long. So empty structs have a uint, too.
 */
typedef uint clf_flag;

/* Index in the work-group; groups are one-dimensional. */
static inline uint clf_local_id(void)
{
    return (uint)get_local_id(0);
}

/*
 * The second of two passes over the elements takes the last tiles first, for the device's cache still has these: scans
 * and filters of 2^24 ints take a tenth less so on an H200 (bench/notes/2026-11-second-driver-optimiser.md).
 */
static inline uint clf_group_from_behind(void)
{
    return (uint)(get_num_groups(0) - 1 - get_group_id(0));
}

/* Is place + further below count? The difference is compared with what may be a constant, so that nothing is added. */
static inline bool clf_is_below(uint place, uint further, uint count)
{
    return (int)(place - count) < -(int)further;
}

static inline void clf_group_sync(void)
{
    if (CLF_GROUP > 1)
        barrier(CLK_LOCAL_MEM_FENCE);
}

/* 1: what lies first in memory is the lowest part of a word. */
#ifdef __ENDIAN_LITTLE__
#define CLF_IS_LITTLE 1
#else
#define CLF_IS_LITTLE 0
#endif

/* 1: PoCL compiles this with its optimisation (OPTIMISED), or without, which -cl-opt-disable asks for (PLAIN). */
#if !defined(POCL_DEVICE_ADDRESS_BITS)
#define CLF_POCL_OPTIMISED 0
#define CLF_POCL_PLAIN 0
#elif defined(__OPTIMIZE__)
#define CLF_POCL_OPTIMISED 1
#define CLF_POCL_PLAIN 0
#else
#define CLF_POCL_OPTIMISED 0
#define CLF_POCL_PLAIN 1
#endif

/*
 * May groups that have nothing to do return before the first barrier? Where kernels do, PoCL asks one work-item for all
 * whether it has anything (tests/driver_bugs/pocl_return.c).
 */
#define CLF_LEAVES_EARLY (!CLF_CPU || CLF_LANE_WIDTH > 1)

/* 1: the device may know of fewer elements or segments than the host launched for (given.cl). */
#ifndef CLF_GIVEN
#define CLF_GIVEN 0
#endif

/* The segment size, where a plan is made for one; 0: any. */
#ifndef CLF_SIZE
#define CLF_SIZE 0
#endif

/* How elements fall into segments (segment.cl); 0: they are one. */
#ifndef CLF_SEGMENT
#define CLF_SEGMENT 0
#endif

/* Words of locks beside a table of values that are wider than a word (cell_wide.cl); 0: there are none. */
#ifndef CLF_LOCKS
#define CLF_LOCKS 0
#endif
