// SPDX-License-Identifier: MIT
//
// Rows by cub::DeviceSegmentedSort or cub::DeviceSegmentedRadixSort, with offsets computed on the fly: of each shape by
// the one that is faster.
#include "cub_rows.cuh"

#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

namespace cub_peer {
namespace {

template <class T> class rows_job final : public array_job<rows_job<T>, T, T> {
public:
    explicit rows_job(const peer_job &from) : array_job<rows_job<T>, T, T>(from) {}

    static constexpr std::uint64_t largest = INT32_MAX; // 32-bit offsets are the faster ones
    static constexpr int ways = 2;
    std::size_t results() const { return this->count_ * this->size_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto offsets = begins(this->size_);
        const auto n = static_cast<std::int32_t>(results()), count = static_cast<std::int32_t>(this->count_);
        const T *in = this->in_.get();
        T *out = this->out_.get();
        if (this->way_ == 1)
            return cub::DeviceSegmentedRadixSort::SortKeys(scratch, bytes, in, out, n, count, offsets, offsets + 1);
        return cub::DeviceSegmentedSort::SortKeys(scratch, bytes, in, out, n, count, offsets, offsets + 1);
    }
};

} // namespace

job *open_segmented_sort(const peer_job &from)
{
    if (from.inputs > 1) return nullptr;
    return peers::by_type<job, std::uint8_t, std::int32_t, std::uint32_t, std::int64_t, float>(
        from.type, [&](auto x) { return new rows_job<decltype(x)>(from); });
}

} // namespace cub_peer
