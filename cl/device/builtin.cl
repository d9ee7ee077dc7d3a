/* SPDX-License-Identifier: MIT */
/*
 * builtin: what only some compilers for CPUs can do.
 *
 *   CLF_PREFETCH              what is to be in the cache soon, to be read or, with `write`, to be written; or nothing
 *   CLF_NONTEMPORAL_STORE     a store past the caches, where CLF_HAS_NONTEMPORAL is 1; else a plain one
 *   CLF_HAS_COMPRESS          1: elements chosen by a mask move together in one instruction (cpu/compress.cl)
 *
 * Prefetches are for compilers for a CPU itself. Those that go by way of SPIR-V accept the built-in function and then
 * stop at it; NVIDIA's wants a pointer of another address space.
 *
 * needs: nothing
 * provides: CLF_HAS_COMPRESS, CLF_HAS_NONTEMPORAL, CLF_NONTEMPORAL_STORE, CLF_PREFETCH
 */
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define CLF_HAS_NONTEMPORAL 1
#define CLF_NONTEMPORAL_STORE(v, to) __builtin_nontemporal_store(v, to)
#endif
#if __has_builtin(__builtin_prefetch) && !defined(__SPIR__) && !defined(__SPIR64__) && !defined(__SPIRV__) && \
    (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__arm__) || defined(__riscv) || \
     defined(__powerpc64__))
#define CLF_PREFETCH(address, write) __builtin_prefetch((__private const void *)(size_t)(address), write, 2)
#endif
#if defined(__AVX512VL__) && __has_builtin(__builtin_ia32_compresssi256_mask) && \
    __has_builtin(__builtin_ia32_compressdi256_mask)
#define CLF_HAS_COMPRESS 1
#endif
#endif

#ifndef CLF_HAS_NONTEMPORAL
#define CLF_HAS_NONTEMPORAL 0
#define CLF_NONTEMPORAL_STORE(v, to) (*(to) = (v))
#endif
#ifndef CLF_PREFETCH
#define CLF_PREFETCH(address, write)
#endif
