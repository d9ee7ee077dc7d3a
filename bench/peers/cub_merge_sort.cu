// SPDX-License-Identifier: MIT
//
// cub::DeviceMergeSort::StableSortKeysCopy and, with places of 32 bits, StableSortPairs, which sorts where its input
// is: that is copied there within the timed call.
#include "cub_pairs.cuh"

#include <cub/device/device_merge_sort.cuh>

namespace cub_peer {
namespace {

struct below {
    template <class T> __host__ __device__ bool operator()(T a, T b) const { return a < b; }
};

template <class T> class merge_sort_job final : public array_job<merge_sort_job<T>, T, T> {
public:
    explicit merge_sort_job(const peer_job &from) : array_job<merge_sort_job<T>, T, T>(from) {}

    static constexpr std::uint64_t largest = INT64_MAX;

    std::size_t results() const { return this->size_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        return cub::DeviceMergeSort::StableSortKeysCopy(scratch, bytes, this->in_.get(), this->out_.get(),
                                                        static_cast<std::int64_t>(this->size_), below{});
    }
};

template <class T> class merge_pairs_job final : public pairs_job<merge_pairs_job<T>, T> {
public:
    explicit merge_pairs_job(const peer_job &from) : pairs_job<merge_pairs_job<T>, T>(from) {}

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        if (scratch)
            this->copy();
        return cub::DeviceMergeSort::StableSortPairs(scratch, bytes, this->sorted_.get(), this->moved_.get(),
                                                     static_cast<std::int64_t>(this->size_), below{});
    }
};

template <class T> job *open_typed(const peer_job &from)
{
    if (from.inputs > 1)
        return new merge_pairs_job<T>(from);
    return new merge_sort_job<T>(from);
}

} // namespace

job *open_merge_sort(const peer_job &from)
{
    return peers::by_type<job, std::uint8_t, std::int32_t, std::uint32_t, std::int64_t, float>(
        from.type, [&](auto x) { return open_typed<decltype(x)>(from); });
}

} // namespace cub_peer
