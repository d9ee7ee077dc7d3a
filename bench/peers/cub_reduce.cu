// SPDX-License-Identifier: MIT
//
// cub::DeviceReduce::Sum and ArgMax; for rows cub::DeviceSegmentedReduce::Sum for segments of one size (since CUB 3.1)
// or with offsets computed on the fly: of each shape by the one that is faster.
#include "cub_rows.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>

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

constexpr bool has_fixed_size = CUB_VERSION >= 300100;

template <class T> class segmented_job final : public array_job<segmented_job<T>, T, T> {
public:
    explicit segmented_job(const peer_job &from) : array_job<segmented_job<T>, T, T>(from) {}

    static constexpr std::uint64_t largest = INT32_MAX; // 32-bit offsets are the faster ones
    static constexpr int ways = has_fixed_size ? 2 : 1;
    std::size_t results() const { return this->count_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto count = static_cast<std::int64_t>(this->count_);
        const T *in = this->in_.get();
        T *out = this->out_.get();
        if constexpr (has_fixed_size)
            if (this->way_ == 1)
                return cub::DeviceSegmentedReduce::Sum(scratch, bytes, in, out, count, static_cast<int>(this->size_));
        const auto offsets = begins(this->size_);
        return cub::DeviceSegmentedReduce::Sum(scratch, bytes, in, out, count, offsets, offsets + 1);
    }
};

template <template <class> class Job> job *open_sum(const peer_job &from)
{
    const std::string op = from.op;
    if (op != "sum") return nullptr;
    return peers::by_type<job, std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>(
        from.type, [&](auto x) { return new Job<decltype(x)>(from); });
}

} // namespace

job *open_reduce(const peer_job &from)
{
    if (std::string(from.op) == "argmax" && std::string(from.type) == "f32,u32")
        return new argmax_job(from);
    return open_sum<reduce_job>(from);
}

job *open_segmented_reduce(const peer_job &from)
{
    if (!has_fixed_size)
        want("DeviceSegmentedReduce of segments of one size", "3.1");
    return open_sum<segmented_job>(from);
}

} // namespace cub_peer
