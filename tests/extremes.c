/* SPDX-License-Identifier: MIT */
#include "extremes.h"

#include <math.h>

float extremes_nan(gen *random)
{
    const cl_uint bits = 0x7fc00000u | ((cl_uint)gen_bits(random) & 0x803fffffu);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float any_number(gen *random)
{
    const uint64_t kind = gen_below(random, 40);
    return kind == 0 ? INFINITY : kind == 1 ? -INFINITY : kind < 6 ? -0.0f : (float)gen_between(random, -9, 9);
}

void extremes_fill(gen *random, float *x, size_t n)
{
    for (size_t i = 0; i < n;) {
        const bool nans = gen_chance(random, 50);
        for (uint64_t length = 1 + gen_below(random, 80); length > 0 && i < n; --length)
            x[i++] = nans || gen_chance(random, 20) ? extremes_nan(random) : any_number(random);
    }
}

float extremes_of(clf_op op, const float *initial, const float *x, size_t n)
{
    if (n == 0 && !initial)
        return op == CLF_MIN ? INFINITY : -INFINITY;
    float best = initial ? *initial : x[0];
    for (size_t i = 0; i < n; ++i)
        if (isnan(best) || (op == CLF_MIN ? x[i] < best : x[i] > best))
            best = x[i];
    return best;
}

/* NaNs are alike, and so are zeros. */
static bool are_alike(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

void extremes_expect(float got, float wanted, const char *what, size_t i)
{
    ck_assert_msg(are_alike(got, wanted), "%s: result %zu is %g, not %g", what, i, (double)got, (double)wanted);
}
