// SPDX-License-Identifier: MIT
//
// cub::DeviceRadixSort::SortKeys, and SortPairs with places of 32 bits. Top-k is the beginning of the former.
#include "cub_job.cuh"

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace cub_peer {
namespace {

template <class T> class sort_job final : public array_job<sort_job<T>, T, T> {
public:
    // "top_k_10" asks for 10.
    explicit sort_job(const peer_job &from)
        : array_job<sort_job<T>, T, T>(from),
          wanted_(std::strncmp(from.primitive, "top_k", 5) == 0
                      ? std::strtoul(std::strpbrk(from.primitive, "0123456789"), nullptr, 10) : SIZE_MAX)
    {
    }

    static constexpr std::uint64_t largest = INT64_MAX;

    std::size_t results() const { return std::min<std::size_t>(wanted_, this->size_); }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, this->in_.get(), this->out_.get(),
                                              static_cast<std::int64_t>(this->size_));
    }

private:
    std::size_t wanted_;
};

template <class T> class pairs_job final : public job {
public:
    explicit pairs_job(const peer_job &from)
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

    void call() override { check(run(scratch_.get())); }

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
        return cub::DeviceRadixSort::SortPairs(scratch, bytes_, keys_.get(), sorted_.get(), places_.get(),
                                               moved_.get(), static_cast<std::int64_t>(size_));
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
        return new pairs_job<T>(from);
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
