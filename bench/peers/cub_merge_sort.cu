// SPDX-License-Identifier: MIT
//
// cub::DeviceMergeSort::StableSortKeysCopy and, with places of 32 bits, StableSortPairs, which sorts where its input
// is: that is copied there within the timed call.
#include "cub_job.cuh"

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

template <class T> class merge_pairs_job final : public job {
public:
    explicit merge_pairs_job(const peer_job &from)
        : keys_(upload<T>(from)), sorted_(allocate<T>(from.results * sizeof(T))),
          places_(allocate<std::uint32_t>(from.n * 4)), moved_(allocate<std::uint32_t>(from.results * 4))
    {
        check(cudaMemcpy(places_.get(), from.in[1], from.n * 4, cudaMemcpyHostToDevice));
    }

    bool shape(std::uint64_t, std::uint64_t size) override
    {
        size_ = size;
        bytes_ = 0;
        check(run(nullptr));
        scratch_.reset();
        scratch_ = allocate<char>(bytes_);
        return true;
    }

    void call() override
    {
        copy();
        check(run(scratch_.get()));
    }

    void copy() override
    {
        check(cudaMemcpyAsync(sorted_.get(), keys_.get(), size_ * sizeof(T), cudaMemcpyDeviceToDevice));
        check(cudaMemcpyAsync(moved_.get(), places_.get(), size_ * 4, cudaMemcpyDeviceToDevice));
    }

    void fetch(void *const *out) override
    {
        check(cudaMemcpy(out[0], sorted_.get(), size_ * sizeof(T), cudaMemcpyDeviceToHost));
        check(cudaMemcpy(out[1], moved_.get(), size_ * 4, cudaMemcpyDeviceToHost));
    }

private:
    cudaError_t run(void *scratch)
    {
        return cub::DeviceMergeSort::StableSortPairs(scratch, bytes_, sorted_.get(), moved_.get(),
                                                     static_cast<std::int64_t>(size_), below{});
    }

    std::uint64_t size_ = 0;
    std::size_t bytes_ = 0;
    std::unique_ptr<T, free_device> keys_, sorted_;
    std::unique_ptr<std::uint32_t, free_device> places_, moved_;
    std::unique_ptr<char, free_device> scratch_;
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
