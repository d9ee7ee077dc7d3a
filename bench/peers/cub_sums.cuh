// SPDX-License-Identifier: MIT
//
// Sums that several scans of peer "cub" do.
#ifndef CLFOLD_CUB_SUMS_CUH
#define CLFOLD_CUB_SUMS_CUH

#include "cub_job.cuh"

namespace cub_peer {

using tuple4 = tuple<std::int64_t, 4>;

struct plus {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
struct plus4 {
    __host__ __device__ tuple4 operator()(const tuple4 &a, const tuple4 &b) const
    {
        const auto &x = a.field, &y = b.field;
        return {{x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3]}};
    }
};

} // namespace cub_peer

#endif
