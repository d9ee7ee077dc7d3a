// SPDX-License-Identifier: MIT
//
// cub::DeviceAdjacentDifference::SubtractLeftCopy: each element combined with the one before it. Sums only.
#include "cub_job.cuh"

#include <cub/device/device_adjacent_difference.cuh>

#include <cstring>

namespace cub_peer {
namespace {

struct plus {
    template <class T> __host__ __device__ T operator()(T x, T previous) const { return static_cast<T>(previous + x); }
};

template <class T> class adjacent_job final : public array_job<adjacent_job<T>, T, T> {
public:
    explicit adjacent_job(const peer_job &from) : array_job<adjacent_job<T>, T, T>(from) {}

    static constexpr std::uint64_t largest = INT64_MAX;
    std::size_t results() const { return this->size_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto n = static_cast<std::int64_t>(this->size_);
        return cub::DeviceAdjacentDifference::SubtractLeftCopy(scratch, bytes, this->in_.get(), this->out_.get(), n,
                                                               plus());
    }
};

} // namespace

job *open_adjacent_difference(const peer_job &from)
{
    if (std::strcmp(from.op, "sum") != 0) return nullptr;
    return peers::by_type<job, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>(
        from.type, [&](auto x) { return new adjacent_job<decltype(x)>(from); });
}

} // namespace cub_peer
