// SPDX-License-Identifier: MIT
//
// Rows by cub::DeviceSegmentedSort or cub::DeviceSegmentedRadixSort, with offsets computed on the fly: of each shape by
// the one that is faster.
#include "cub_rows.cuh"

#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include <string>

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
    const std::string type = from.type;
    if (from.inputs > 1) return nullptr;
    if (type == "u8") return new rows_job<std::uint8_t>(from);
    if (type == "i32") return new rows_job<std::int32_t>(from);
    if (type == "u32") return new rows_job<std::uint32_t>(from);
    if (type == "i64") return new rows_job<std::int64_t>(from);
    if (type == "f32") return new rows_job<float>(from);
    return nullptr;
}

} // namespace cub_peer
