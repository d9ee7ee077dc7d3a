// SPDX-License-Identifier: MIT
//
// Rows by cub::DeviceScan::InclusiveScanByKey, or by cub::DeviceSegmentedScan (since CUB 3.3): of each shape by the one
// that is faster. The key of an element is its row's number. Keys and offsets are computed on the fly.
#include "cub_rows.cuh"
#include "cub_sums.cuh"

#include <cub/device/device_scan.cuh>
#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>
#define HAS_SEGMENTED_SCAN 1
#else
#define HAS_SEGMENTED_SCAN 0
#endif

#include <string>

namespace cub_peer {
namespace {

struct row_number {
    std::uint32_t size;
    __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return i / size; }
};

template <class T, class Op> class rows_job final : public array_job<rows_job<T, Op>, T, T> {
public:
    explicit rows_job(const peer_job &from) : array_job<rows_job<T, Op>, T, T>(from) {}

    static constexpr std::uint64_t largest = INT32_MAX; // 32-bit offsets are the faster ones
    static constexpr int ways = HAS_SEGMENTED_SCAN ? 2 : 1;
    std::size_t results() const { return this->count_ * this->size_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const T *in = this->in_.get();
        T *out = this->out_.get();
#if HAS_SEGMENTED_SCAN
        const auto offsets = begins(this->size_);
        if (this->way_ == 1)
            return cub::DeviceSegmentedScan::InclusiveSegmentedScan(
                scratch, bytes, in, out, offsets, offsets + 1, static_cast<std::int64_t>(this->count_), Op());
#endif
        const auto keys = thrust::make_transform_iterator(thrust::make_counting_iterator(std::uint32_t(0)),
                                                          row_number{static_cast<std::uint32_t>(this->size_)});
        const auto n = static_cast<std::uint32_t>(results());
        return cub::DeviceScan::InclusiveScanByKey(scratch, bytes, keys, in, out, Op(), n);
    }
};

} // namespace

job *open_segmented_scan(const peer_job &from)
{
    const std::string op = from.op;
    if (!HAS_SEGMENTED_SCAN)
        want("DeviceSegmentedScan", "3.3");
    if (op == "tuple4") return new rows_job<tuple4, plus4>(from);
    if (op != "sum") return nullptr;
    return peers::by_type<job, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>(
        from.type, [&](auto x) { return new rows_job<decltype(x), plus>(from); });
}

} // namespace cub_peer
