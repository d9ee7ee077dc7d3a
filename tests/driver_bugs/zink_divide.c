/* SPDX-License-Identifier: MIT */
/*
 * zink of Mesa 26.1 over NVIDIA's Vulkan driver 580.159.04 (an H200): `y ? x / y : x` of uints is all ones where y is
 * 0. Mesa divides before it chooses, so in the SPIR-V that zink hands on behaviour is undefined where y is 0, and
 * NVIDIA's compiler may take it that y is not. It does so here, and not in smaller kernels; Mesa's own llvmpipe is
 * right. Adjacent differences by `x / (y ? y : 1)` are right on both. No clfold in here.
 *
 *     cc zink_divide.c -lOpenCL && OCL_ICD_VENDORS=rusticl.icd ./a.out
 */
#include "setup.h"

enum { N = 400, GROUP = 256 };
typedef struct {
    cl_ulong at[3], count, size, room;
    cl_uint unused[3];
} numbers;

static const char *source =
    "#define INLINE static inline __attribute__((always_inline))\n"
    "typedef struct { uint v; } value;\n"
    "typedef struct { __global const uint *p; } inputs;\n"
    "typedef struct { __global uint *p; } outputs;\n"
    "typedef struct { inputs in; outputs out; ulong count, size, bound; } arguments;\n"
    "typedef struct { ulong at[3], count, size, room; uint unused[3]; } numbers;\n"
    "typedef struct { uint first, size; } heads;\n"
    "typedef struct { ulong number, first; uint count; heads h; } tile;\n"
    "value quotient(value x, value y) { value v = {y.v ? x.v / y.v : x.v}; return v; }\n"
    "INLINE value copied(value v) { value c; c.v = v.v; return c; }\n"
    "INLINE value called(value x, value y) { return quotient(x, y); }\n"
    "INLINE value combine(value x, value y) { return copied(called(copied(x), copied(y))); }\n"
    "INLINE value load(const inputs *in, ulong i) { value x; x.v = in->p[i]; return x; }\n"
    "INLINE void store(const outputs *out, ulong i, value v) { out->p[i] = v.v; }\n"
    "INLINE tile tile_of(const arguments *a)\n"
    "{\n"
    "    tile t;\n"
    "    t.number = get_group_id(0);\n"
    "    t.first = t.number * 4096;\n"
    "    t.count = (uint)min(a->count * a->size - t.first, 4096ul);\n"
    "    const ulong position = t.first % a->size;\n"
    "    const heads h = {position ? (uint)min(a->size - position, 4096ul) : 0, (uint)min(a->size, 4096ul)};\n"
    "    t.h = h;\n"
    "    return t;\n"
    "}\n"
    "INLINE void one(const arguments *a, const tile *t, uint place, value x, value left)\n"
    "{\n"
    "    const ulong i = t->first + place;\n"
    "    store(&a->out, i, combine(left, x));\n"
    "}\n"
    "INLINE void all(const arguments *a, const tile *t)\n"
    "{\n"
    "    for (uint at = (uint)get_local_id(0); at < t->count; at += 2048) {\n"
    "        value x[8], left[8];\n"
    "        for (uint k = 0; k < 8; ++k) {\n"
    "            const ulong i = t->first + min(at + k * 256, t->count - 1);\n"
    "            x[k] = load(&a->in, i);\n"
    "            left[k] = load(&a->in, max(i, 1ul) - 1);\n"
    "        }\n"
    "        for (uint k = 0; k < 8; ++k)\n"
    "            if (at + k * 256 < t->count)\n"
    "                one(a, t, at + k * 256, x[k], left[k]);\n"
    "    }\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(256, 1, 1)))\n"
    "void f(__global const uint *in, __global uint *out, __global uchar *unused, uint none, numbers n)\n"
    "{\n"
    "    arguments a;\n"
    "    a.in.p = in + n.at[0];\n"
    "    a.out.p = out + n.at[1];\n"
    "    a.count = n.count;\n"
    "    a.size = n.size;\n"
    "    const tile t = tile_of(&a);\n"
    "    all(&a, &t);\n"
    "}\n";

int main(void)
{
    static cl_uint in[N], got[N], right[N];
    const numbers n = {{0}, 1, N, 0, {0}};
    const cl_uint none = 0;
    const setup s = set_up(source, "-cl-std=CL3.0");
    const cl_kernel kernel = new_kernel(&s, "f");
    for (cl_uint i = 0; i < N; ++i)
        in[i] = i % 3 ? i * 2654435761u >> 12 : 0;
    for (cl_uint i = 0; i < N; ++i)
        right[i] = in[i] ? in[i ? i - 1 : 0] / in[i] : in[i ? i - 1 : 0];
    const cl_mem from = new_buffer(&s, sizeof in, in), to = new_buffer(&s, sizeof got, NULL);
    set_argument(kernel, 0, sizeof from, &from);
    set_argument(kernel, 1, sizeof to, &to);
    set_argument(kernel, 2, sizeof to, &to);
    set_argument(kernel, 3, sizeof none, &none);
    set_argument(kernel, 4, sizeof n, &n);
    launch(s.queue, kernel, GROUP, GROUP, NULL);
    read_back(s.queue, to, sizeof got, got);
    return compare(got, right, N);
}
