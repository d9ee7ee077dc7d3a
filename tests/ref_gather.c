/* SPDX-License-Identifier: MIT */
/* What gathers and scatters do, and lists of fields for them: every size of element, tuples. */
#include "ref.h"

#include <string.h>

void ref_move(bool scatter, size_t bytes, size_t n, size_t m, const cl_ulong *indices, const void *in, void *out)
{
    for (size_t i = 0; i < m; ++i) {
        const size_t from = scatter ? i : (size_t)indices[i], to = scatter ? (size_t)indices[i] : i;
        if (indices[i] < n)
            memcpy((char *)out + to * bytes, (const char *)in + from * bytes, bytes);
    }
}

/* Bytes of an element, and of a component of it. */
static const ref_moved moved[REF_MOVED_COUNT] = {
    {"uint v;", 1, {{4, 4}}},
    {"char v;", 1, {{1, 1}}},
    {"uchar2 v;", 1, {{2, 1}}},
    {"ushort v;", 1, {{2, 2}}},
    {"float2 v;", 1, {{8, 4}}},
    {"long v;", 1, {{8, 8}}},
    {"int4 v;", 1, {{16, 4}}},
    {"uchar16 v;", 1, {{16, 1}}},
    {"ulong4 v;", 1, {{32, 8}}},
    {"float16 v;", 1, {{64, 4}}},
    {"long16 v;", 1, {{128, 8}}},
    {"float x; int y;", 2, {{4, 4}, {4, 4}}},
    {"uchar flag; ulong id; short low; float4 place; long8 wide;", 5, {{1, 1}, {8, 8}, {2, 2}, {16, 4}, {64, 8}}},
    {"int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n; int o; char p;",
     16,
     {{4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4}, {4, 4},
      {4, 4}, {1, 1}}},
    {"half v;", 1, {{2, 2}}},
    {"double2 v;", 1, {{16, 8}}},
    {"ushort v[8];", 1, {{16, 2}}},
    {"float a[10]; uchar b[3]; ulong c[8];", 3, {{40, 4}, {3, 1}, {64, 8}}},
};

const ref_moved *ref_moved_of(int which)
{
    return &moved[which];
}
