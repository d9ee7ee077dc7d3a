// SPDX-License-Identifier: MIT
//
// cub::DeviceRadixSort::SortKeys, and SortPairs with places of 32 bits; for sort_indices these are made by
// thrust::sequence in every call.
#include "cub_pairs.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <cstring>
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
    return peers::by_number<job>(from.type, [&](auto x) { return open_typed<decltype(x)>(from); });
}

} // namespace cub_peer
