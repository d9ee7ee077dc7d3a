/* SPDX-License-Identifier: MIT */
/*
 * compress: makes the elements of a strip (32 elements in private memory) whose bits are set contiguous. No branch
 * depends on the bits: each element is written to the next free place, and that place advances only if the bit is set.
 * So up to 32 elements are written; those after the last one with a bit have no meaning.
 *
 * Elements of up to 8 bytes are moved 4 or 8 at a time, if the processor has an instruction for it and the compiler a
 * name.
 *
 * needs: nothing
 * provides: CLF_EACH_OF_STRIP, CLF_STRIP
 */
#include "device/base.cl"
#include "device/builtin.cl"

enum { CLF_STRIP = 32 };

/* A loop over a strip: compilers for CPUs make vectors of it. Others only unroll it, which takes NVIDIA's minutes. */
#if CLF_CPU
#define CLF_EACH_OF_STRIP
#else
#define CLF_EACH_OF_STRIP CLF_LOOP
#endif

/* One after the other: `type` from[CLF_STRIP], to `type` to[]. */
#define CLF_COMPRESS_SINGLY(from, bits, to) \
    { \
        uint place = 0; \
        CLF_EACH_OF_STRIP for (uint k = 0; k < CLF_STRIP; ++k) { \
            (to)[place] = (from)[k]; \
            place += (bits) >> k & 1; \
        } \
    }

#ifdef CLF_HAS_COMPRESS

/* Vectors that lie anywhere, in arrays of any type. */
#define CLF_COMPRESS_VECTOR(vector) \
    typedef struct __attribute__((packed)) { \
        vector v; \
    } clf_anywhere_##vector;
CLF_COMPRESS_VECTOR(uchar8)
CLF_COMPRESS_VECTOR(ushort8)
CLF_COMPRESS_VECTOR(int8)
CLF_COMPRESS_VECTOR(long4)

/* Elements `at` … of both, converted to `wide` and back. */
#define CLF_COMPRESS_STEP(narrow, wide, compress, width) \
    CLF_UNROLL for (uint at = 0; at < CLF_STRIP; at += width) { \
        const uint some = bits >> at & ((1u << width) - 1); \
        const wide v = __builtin_convertvector(((const clf_anywhere_##narrow *)(from + at))->v, wide); \
        const wide left = compress(v, v, (uchar)some); \
        ((clf_anywhere_##narrow *)to)->v = __builtin_convertvector(left, narrow); \
        to += popcount(some); \
    }

static inline void clf_compress_1(const uchar *from, uint bits, uchar *to)
{
    CLF_COMPRESS_STEP(uchar8, int8, __builtin_ia32_compresssi256_mask, 8)
}

static inline void clf_compress_2(const ushort *from, uint bits, ushort *to)
{
    CLF_COMPRESS_STEP(ushort8, int8, __builtin_ia32_compresssi256_mask, 8)
}

static inline void clf_compress_4(const int *from, uint bits, int *to)
{
    CLF_COMPRESS_STEP(int8, int8, __builtin_ia32_compresssi256_mask, 8)
}

static inline void clf_compress_8(const long *from, uint bits, long *to)
{
    CLF_COMPRESS_STEP(long4, long4, __builtin_ia32_compressdi256_mask, 4)
}

#define CLF_COMPRESS_1(from, bits, to) clf_compress_1((const uchar *)(from), bits, (uchar *)(to));
#define CLF_COMPRESS_2(from, bits, to) clf_compress_2((const ushort *)(from), bits, (ushort *)(to));
#define CLF_COMPRESS_4(from, bits, to) clf_compress_4((const int *)(from), bits, (int *)(to));
#define CLF_COMPRESS_8(from, bits, to) clf_compress_8((const long *)(from), bits, (long *)(to));

#else
#define CLF_COMPRESS_1 CLF_COMPRESS_SINGLY
#define CLF_COMPRESS_2 CLF_COMPRESS_SINGLY
#define CLF_COMPRESS_4 CLF_COMPRESS_SINGLY
#define CLF_COMPRESS_8 CLF_COMPRESS_SINGLY
#endif

#define CLF_COMPRESS_16 CLF_COMPRESS_SINGLY
#define CLF_COMPRESS_32 CLF_COMPRESS_SINGLY
#define CLF_COMPRESS_64 CLF_COMPRESS_SINGLY
#define CLF_COMPRESS_128 CLF_COMPRESS_SINGLY
