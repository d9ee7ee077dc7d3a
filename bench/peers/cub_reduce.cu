// SPDX-License-Identifier: MIT
//
// cub::DeviceReduce::Sum and ArgMax, and cub::DeviceSegmentedReduce::Sum with offsets computed on the fly.
#include "cub_job.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <string>

namespace cub_peer {
namespace {

template <class T> class reduce_job final : public array_job<reduce_job<T>, T, T> {
public:
    explicit reduce_job(const peer_job &from) : array_job<reduce_job<T>, T, T>(from) {}

    static constexpr std::uint64_t largest = INT64_MAX;
    std::size_t results() const { return 1; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        return cub::DeviceReduce::Sum(scratch, bytes, this->in_.get(), this->out_.get(),
                                      static_cast<std::int64_t>(this->size_));
    }
};

// The largest and where it is: two results from one input.
class argmax_job final : public array_job<argmax_job, float, float> {
public:
    explicit argmax_job(const peer_job &from)
        : array_job(from), index_(allocate<std::uint32_t>(sizeof(std::uint32_t)))
    {
    }

    static constexpr std::uint64_t largest = UINT32_MAX;
    std::size_t results() const { return 1; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        return cub::DeviceReduce::ArgMax(scratch, bytes, in_.get(), out_.get(), index_.get(),
                                         static_cast<std::int64_t>(size_));
    }

    void fetch(void *const *out) override
    {
        array_job::fetch(out);
        check(cudaMemcpy(out[1], index_.get(), sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    }

private:
    std::unique_ptr<std::uint32_t, free_device> index_;
};

struct offset {
    std::int32_t size;
    __host__ __device__ std::int32_t operator()(std::int32_t segment) const { return segment * size; }
};

template <class T> class segmented_job final : public array_job<segmented_job<T>, T, T> {
public:
    explicit segmented_job(const peer_job &from) : array_job<segmented_job<T>, T, T>(from) {}

    static constexpr std::uint64_t largest = INT32_MAX; // 32-bit offsets are the faster ones
    std::size_t results() const { return this->count_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto offsets = thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t(0)),
                                                             offset{static_cast<std::int32_t>(this->size_)});
        return cub::DeviceSegmentedReduce::Sum(scratch, bytes, this->in_.get(), this->out_.get(),
                                               static_cast<std::int64_t>(this->count_), offsets, offsets + 1);
    }
};

template <template <class> class Job> job *open_sum(const peer_job &from)
{
    const std::string op = from.op, type = from.type;
    if (op != "sum") return nullptr;
    if (type == "i8") return new Job<std::int8_t>(from);
    if (type == "i16") return new Job<std::int16_t>(from);
    if (type == "i32") return new Job<std::int32_t>(from);
    if (type == "i64") return new Job<std::int64_t>(from);
    if (type == "f32") return new Job<float>(from);
    if (type == "f64") return new Job<double>(from);
    return nullptr;
}

} // namespace

job *open_reduce(const peer_job &from)
{
    if (std::string(from.op) == "argmax" && std::string(from.type) == "f32,u32")
        return new argmax_job(from);
    return open_sum<reduce_job>(from);
}

job *open_segmented_reduce(const peer_job &from) { return open_sum<segmented_job>(from); }

} // namespace cub_peer
