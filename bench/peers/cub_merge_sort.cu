// SPDX-License-Identifier: MIT
//
// cub::DeviceMergeSort::StableSortKeysCopy and, with places of 32 bits, StableSortPairs, which sorts where its input
// is: that is copied there within the timed call.
#include "cub_pairs.cuh"

#include <cub/device/device_merge_sort.cuh>

#include <string>

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
    const std::string type = from.type;
    if (type == "u8") return open_typed<std::uint8_t>(from);
    if (type == "i32") return open_typed<std::int32_t>(from);
    if (type == "u32") return open_typed<std::uint32_t>(from);
    if (type == "i64") return open_typed<std::int64_t>(from);
    if (type == "f32") return open_typed<float>(from);
    return nullptr;
}

} // namespace cub_peer
