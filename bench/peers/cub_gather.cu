// SPDX-License-Identifier: MIT
//
// thrust::gather and thrust::scatter, which come with CUB. The indices are uploaded for each shape.
#include "cub_job.cuh"

#include <cstring>
#include <string>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>
#include <thrust/system/cuda/execution_policy.h>

namespace cub_peer {
namespace {

template <class T> class gather_job final : public array_job<gather_job<T>, T, T> {
public:
    explicit gather_job(const peer_job &from)
        : array_job<gather_job<T>, T, T>(from), host_(from.indices), indices_(allocate<std::uint32_t>(from.n * 4)),
          scatters_(std::strncmp(from.primitive, "scatter", 7) == 0),
          halves_(std::strcmp(from.primitive, "gather_sorted") == 0)
    {
    }

    static constexpr std::uint64_t largest = UINT32_MAX;

    std::size_t results() const { return halves_ ? this->size_ / 2 : this->size_; }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const std::uint32_t *first = indices_.get(), *last = first + results();
        if (!scratch) {
            bytes = 1; // thrust needs none that we know of
            return cudaMemcpy(indices_.get(), host_, results() * 4, cudaMemcpyHostToDevice);
        }
        if (scatters_)
            thrust::scatter(thrust::cuda::par_nosync, this->in_.get(), this->in_.get() + results(), first,
                            this->out_.get());
        else
            thrust::gather(thrust::cuda::par_nosync, first, last, this->in_.get(), this->out_.get());
        return cudaGetLastError();
    }

private:
    const std::uint32_t *host_;
    std::unique_ptr<std::uint32_t, free_device> indices_;
    bool scatters_, halves_;
};

} // namespace

job *open_gather(const peer_job &from)
{
    const std::string type = from.type;
    if (type == "i8" || type == "u8") return new gather_job<std::int8_t>(from);
    if (type == "i16" || type == "u16") return new gather_job<std::int16_t>(from);
    if (type == "i32" || type == "u32") return new gather_job<std::int32_t>(from);
    if (type == "i64" || type == "u64") return new gather_job<std::int64_t>(from);
    return nullptr;
}

} // namespace cub_peer
