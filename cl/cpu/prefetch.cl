/* SPDX-License-Identifier: MIT */
/*
 * prefetch: what a CPU is to have in its cache soon, to read it or, with `write`, to write there. Nothing elsewhere.
 *
 * Where the compiler is for a CPU itself. Those that go by way of SPIR-V accept the built-in function and then stop at
 * it; NVIDIA's wants a pointer of another address space.
 *
 * needs: nothing
 * provides: CLF_PREFETCH
 */
#if defined(__has_builtin) && !defined(__SPIR__) && !defined(__SPIR64__) && !defined(__SPIRV__) && \
    (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__arm__) || defined(__riscv) || \
     defined(__powerpc64__))
#if __has_builtin(__builtin_prefetch)
#define CLF_PREFETCH(address, write) __builtin_prefetch((__private const void *)(size_t)(address), write, 2)
#endif
#endif
#ifndef CLF_PREFETCH
#define CLF_PREFETCH(address, write)
#endif
