// SPDX-License-Identifier: MIT
//
// Rows by cub::DeviceSegmentedSort or cub::DeviceSegmentedRadixSort, with offsets computed on the fly: of each shape by
// the one that is faster.
#include "cub_job.cuh"

#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <chrono>
#include <string>

namespace cub_peer {
namespace {

struct offset {
    std::int32_t size;
    __host__ __device__ std::int32_t operator()(std::int32_t segment) const { return segment * size; }
};

template <class T> class rows_job final : public job {
public:
    explicit rows_job(const peer_job &from) : in_(upload<T>(from)), out_(allocate<T>(from.results * sizeof(T))) {}

    bool shape(std::uint64_t count, std::uint64_t size) override
    {
        if (count * size > INT32_MAX)
            return false;
        count_ = static_cast<std::int32_t>(count);
        size_ = static_cast<std::int32_t>(size);
        const double sorting = time_of(false), by_digits = time_of(true);
        by_digits_ = by_digits < sorting;
        prepare();
        return true;
    }

    void call() override { check(run(scratch_.get())); }

    void copy() override
    {
        check(cudaMemcpyAsync(out_.get(), in_.get(), n() * sizeof(T), cudaMemcpyDeviceToDevice));
    }

    void fetch(void *const *out) override
    {
        check(cudaMemcpy(out[0], out_.get(), n() * sizeof(T), cudaMemcpyDeviceToHost));
    }

private:
    std::size_t n() const { return static_cast<std::size_t>(count_) * static_cast<std::size_t>(size_); }

    void prepare()
    {
        bytes_ = 0;
        check(run(nullptr));
        scratch_.reset();
        scratch_ = allocate<char>(bytes_);
    }

    double time_of(bool by_digits)
    {
        by_digits_ = by_digits;
        prepare();
        call();
        check(cudaDeviceSynchronize());
        const auto start = std::chrono::steady_clock::now();
        call();
        check(cudaDeviceSynchronize());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    cudaError_t run(void *scratch)
    {
        const auto begins = thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t(0)),
                                                            offset{size_});
        const std::int32_t n = count_ * size_;
        if (by_digits_)
            return cub::DeviceSegmentedRadixSort::SortKeys(scratch, bytes_, in_.get(), out_.get(), n, count_, begins,
                                                           begins + 1);
        return cub::DeviceSegmentedSort::SortKeys(scratch, bytes_, in_.get(), out_.get(), n, count_, begins,
                                                  begins + 1);
    }

    std::int32_t count_ = 0, size_ = 0;
    bool by_digits_ = false;
    std::size_t bytes_ = 0;
    std::unique_ptr<T, free_device> in_, out_;
    std::unique_ptr<char, free_device> scratch_;
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
