// SPDX-License-Identifier: MIT
//
// cub::DeviceMerge::MergeKeys, of halves as rows of merge have them. It counts in 32 bits or 64, as it is asked to.
#include "cub_job.cuh"

#include <cub/device/device_merge.cuh>

namespace cub_peer {
namespace {

struct below {
    template <class T> __host__ __device__ bool operator()(T a, T b) const { return a < b; }
};

template <class T> class merge_job final : public array_job<merge_job<T>, T, T> {
public:
    explicit merge_job(const peer_job &from) : array_job<merge_job<T>, T, T>(from), second_(from.n / 2) {}

    static constexpr std::uint64_t largest = INT64_MAX;

    std::size_t results() const { return this->size_ / 2 * 2; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto half = static_cast<std::int64_t>(this->size_ / 2);
        return cub::DeviceMerge::MergeKeys(scratch, bytes, this->in_.get(), half, this->in_.get() + second_, half,
                                           this->out_.get(), below{});
    }

private:
    std::uint64_t second_;
};

} // namespace

job *open_merge(const peer_job &from)
{
    return peers::by_type<job, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint32_t, float>(
        from.type, [&](auto x) { return new merge_job<decltype(x)>(from); });
}

} // namespace cub_peer
