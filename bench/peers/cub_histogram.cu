// SPDX-License-Identifier: MIT
//
// cub::DeviceHistogram::HistogramEven of integers, each bin one number wide.
#include "cub_job.cuh"

#include <cub/device/device_histogram.cuh>

#include <algorithm>
#include <string>

namespace cub_peer {
namespace {

template <class T> class histogram_job final : public scratch_job<histogram_job<T>> {
public:
    explicit histogram_job(const peer_job &from)
        : in_(upload<T>(from)), bins_(from.bins), counts_(allocate<std::uint32_t>(bins_ * sizeof(std::uint32_t)))
    {
    }

    bool shape(std::uint64_t count, std::uint64_t size) override
    {
        if (count != 1)
            return false;
        size_ = size;
        this->prepare();
        return true;
    }

    void copy() override {}

    void fetch(void *const *out) override
    {
        check(cudaMemcpy(out[0], counts_.get(), std::min(bins_, size_) * sizeof(std::uint32_t),
                         cudaMemcpyDeviceToHost));
    }

    // Levels of a type that holds the last: 256 is no byte.
    using level = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        return cub::DeviceHistogram::HistogramEven(scratch, bytes, in_.get(), counts_.get(),
                                                   static_cast<int>(bins_) + 1, level(0), static_cast<level>(bins_),
                                                   static_cast<std::int64_t>(size_));
    }

private:
    std::unique_ptr<T, free_device> in_;
    std::uint64_t bins_, size_ = 0;
    std::unique_ptr<std::uint32_t, free_device> counts_;
};

} // namespace

job *open_histogram(const peer_job &from)
{
    const std::string type = from.type, op = from.op;
    if (op != "count" && op != "own_count") return nullptr;
    if (type == "i8" || type == "u8") return new histogram_job<std::uint8_t>(from);
    if (type == "i16" || type == "u16") return new histogram_job<std::uint16_t>(from);
    if (type == "i32" || type == "u32") return new histogram_job<std::int32_t>(from);
    if (type == "i64" || type == "u64") return new histogram_job<std::int64_t>(from);
    return nullptr;
}

} // namespace cub_peer
