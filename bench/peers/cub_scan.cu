// SPDX-License-Identifier: MIT
//
// cub::DeviceScan: inclusive and exclusive.
#include "cub_sums.cuh"

#include <cub/device/device_scan.cuh>
#include <cuda_fp16.h>

#include <cstring>
#include <limits>
#include <string>

namespace cub_peer {
namespace {

using affine = tuple<std::uint32_t, 2>;
using mat2 = tuple<std::uint32_t, 4>;

struct minimum {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
struct maximum {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct compose {
    __host__ __device__ affine operator()(const affine &x, const affine &y) const
    {
        return {{x.field[0] * y.field[0], x.field[1] * y.field[0] + y.field[1]}};
    }
};
struct multiply {
    static constexpr std::uint32_t prime = 46337;
    __host__ __device__ mat2 operator()(const mat2 &a, const mat2 &b) const
    {
        const auto &x = a.field, &y = b.field;
        return {{(x[0] * y[0] + x[1] * y[2]) % prime, (x[0] * y[1] + x[1] * y[3]) % prime,
                 (x[2] * y[0] + x[3] * y[2]) % prime, (x[2] * y[1] + x[3] * y[3]) % prime}};
    }
};

template <class T, class Op> class scan_job final : public array_job<scan_job<T, Op>, T, T> {
public:
    scan_job(const peer_job &from, Op op, T neutral)
        : array_job<scan_job<T, Op>, T, T>(from), exclusive_(from.exclusive != 0), op_(op), neutral_(neutral)
    {
    }

    static constexpr std::uint64_t largest = INT64_MAX;
    std::size_t results() const { return this->size_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto n = static_cast<std::int64_t>(this->size_);
        T *in = this->in_.get(), *out = this->out_.get();
        if constexpr (std::is_same_v<Op, plus>)
            return exclusive_ ? cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, n)
                              : cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n);
        else
            return exclusive_ ? cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, op_, neutral_, n)
                              : cub::DeviceScan::InclusiveScan(scratch, bytes, in, out, op_, n);
    }

private:
    bool exclusive_;
    Op op_;
    T neutral_;
};

// Sums of every type; minimum and maximum of the common ones.
template <class T> job *open_sum(const peer_job &from)
{
    return std::strcmp(from.op, "sum") == 0 ? new scan_job<T, plus>(from, {}, T(0)) : nullptr;
}

template <class T> job *open_number(const peer_job &from, T least, T largest)
{
    if (std::strcmp(from.op, "min") == 0)
        return new scan_job<T, minimum>(from, {}, largest);
    if (std::strcmp(from.op, "max") == 0)
        return new scan_job<T, maximum>(from, {}, least);
    return open_sum<T>(from);
}

job *open_scalar(const peer_job &from)
{
    const std::string type = from.type;
    if (type == "i32") return open_number<std::int32_t>(from, INT32_MIN, INT32_MAX);
    if (type == "i64") return open_number<std::int64_t>(from, INT64_MIN, INT64_MAX);
    if (type == "f16") return open_sum<__half>(from);
    if (type == "f32") {
        const float infinity = std::numeric_limits<float>::infinity();
        return open_number<float>(from, -infinity, infinity);
    }
    return peers::by_number<job>(from.type, [&](auto x) { return open_sum<decltype(x)>(from); });
}

} // namespace

job *open_scan(const peer_job &from)
{
    const std::string op = from.op;
    if (op == "tuple4") return new scan_job<tuple4, plus4>(from, {}, {{0, 0, 0, 0}});
    if (op == "affine") return new scan_job<affine, compose>(from, {}, {{1, 0}});
    if (op == "mat2") return new scan_job<mat2, multiply>(from, {}, {{1, 0, 0, 1}});
    return open_scalar(from);
}

} // namespace cub_peer
