// SPDX-License-Identifier: MIT
//
// cub::DeviceRadixSort::SortKeys, and SortPairs with places of 32 bits; for sort_indices these are made by
// thrust::sequence in every call.
#include "cub_pairs.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <cstring>
#include <string>
#include <thrust/sequence.h>
#include <thrust/system/cuda/execution_policy.h>

namespace cub_peer {
namespace {

template <class T> class sort_job final : public array_job<sort_job<T>, T, T> {
public:
    explicit sort_job(const peer_job &from)
        : array_job<sort_job<T>, T, T>(from),
          bits_(std::strcmp(from.primitive, "sort_low8") == 0 ? 8 : 8 * static_cast<int>(sizeof(T)))
    {
    }

    static constexpr std::uint64_t largest = INT64_MAX;

    std::size_t results() const { return this->size_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, this->in_.get(), this->out_.get(),
                                              static_cast<std::int64_t>(this->size_), 0, bits_);
    }

private:
    int bits_;
};

template <class T> class sort_pairs_job final : public pairs_job<sort_pairs_job<T>, T> {
public:
    explicit sort_pairs_job(const peer_job &from)
        : pairs_job<sort_pairs_job<T>, T>(from), makes_places_(from.inputs == 1)
    {
    }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        if (scratch && makes_places_)
            thrust::sequence(thrust::cuda::par_nosync, this->places_.get(), this->places_.get() + this->size_);
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, this->keys_.get(), this->sorted_.get(),
                                               this->places_.get(), this->moved_.get(),
                                               static_cast<std::int64_t>(this->size_));
    }

private:
    bool makes_places_;
};

template <class T> job *open_typed(const peer_job &from)
{
    if (from.outputs > 1)
        return new sort_pairs_job<T>(from);
    return new sort_job<T>(from);
}

} // namespace

job *open_sort(const peer_job &from)
{
    const std::string type = from.type;
    if (type == "i8") return open_typed<std::int8_t>(from);
    if (type == "u8") return open_typed<std::uint8_t>(from);
    if (type == "i16") return open_typed<std::int16_t>(from);
    if (type == "u16") return open_typed<std::uint16_t>(from);
    if (type == "i32") return open_typed<std::int32_t>(from);
    if (type == "u32") return open_typed<std::uint32_t>(from);
    if (type == "i64") return open_typed<std::int64_t>(from);
    if (type == "u64") return open_typed<std::uint64_t>(from);
    if (type == "f32") return open_typed<float>(from);
    if (type == "f64") return open_typed<double>(from);
    return nullptr;
}

} // namespace cub_peer
