// SPDX-License-Identifier: MIT
//
// cub::DeviceBatchedTopK::MinKeys (since CUB 3.5), which finds the least of each row in any order. It wants to know the
// longest row when it is compiled, and is told all that it can be: rows of 64, 256, 2^10 and 2^12, of which 10 or 100
// are wanted. They are sorted where results are compared.
#include "cub_job.cuh"

#if __has_include(<cub/device/device_batched_topk.cuh>)

#include <cub/device/device_batched_topk.cuh>

#include <cstdlib>
#include <cstring>
#include <cuda/argument>
#include <cuda/std/execution>
#include <string>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace cub_peer {
namespace {

template <class T> struct row_at {
    T *first;
    std::int64_t size;
    __host__ __device__ T *operator()(std::int64_t row) const { return first + row * size; }
};

template <class T> auto rows_of(T *first, std::int64_t size)
{
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t(0)), row_at<T>{first, size});
}

template <class T, int Wanted> class rows_job final : public array_job<rows_job<T, Wanted>, T, T> {
    using base = array_job<rows_job<T, Wanted>, T, T>;

public:
    explicit rows_job(const peer_job &from) : base(from) {}

    static constexpr std::uint64_t largest = INT64_MAX;

    std::size_t results() const { return this->count_ * Wanted; }

    bool shape(std::uint64_t count, std::uint64_t size) override
    {
        const bool known = size == 64 || size == 256 || size == 1024 || size == 4096;
        return known && size >= Wanted && base::shape(count, size);
    }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        switch (this->size_) {
        case 64: return run_rows<Wanted <= 64 ? 64 : 256>(scratch, bytes);
        case 256: return run_rows<256>(scratch, bytes);
        case 1024: return run_rows<1024>(scratch, bytes);
        default: return run_rows<4096>(scratch, bytes);
        }
    }

    void fetch(void *const *out) override
    {
        base::fetch(out);
        T *const values = static_cast<T *>(out[0]);
        for (std::uint64_t row = 0; row < this->count_; row++)
            std::sort(values + row * Wanted, values + (row + 1) * Wanted);
    }

private:
    template <int Size> cudaError_t run_rows(void *scratch, std::size_t &bytes)
    {
        namespace execution = cuda::execution;
        const auto how = execution::require(execution::determinism::not_guaranteed, execution::tie_break::unspecified,
                                            execution::output_ordering::unsorted);
        return cub::DeviceBatchedTopK::MinKeys(scratch, bytes, rows_of(this->in_.get(), Size),
                                               rows_of(this->out_.get(), Wanted), cuda::args::constant<Size>{},
                                               cuda::args::constant<Wanted>{},
                                               static_cast<std::int64_t>(this->count_), how);
    }
};

template <int Wanted> job *open_typed(const peer_job &from)
{
    const std::string type = from.type;
    if (type == "u32") return new rows_job<std::uint32_t, Wanted>(from);
    if (type == "f32") return new rows_job<float, Wanted>(from);
    return nullptr;
}

} // namespace

job *open_top_k_rows(const peer_job &from)
{
    // "top_k_rows_10" asks for 10.
    const long wanted = std::strtol(std::strpbrk(from.primitive, "0123456789"), nullptr, 10);
    return wanted == 10 ? open_typed<10>(from) : wanted == 100 ? open_typed<100>(from) : nullptr;
}

} // namespace cub_peer

#else

cub_peer::job *cub_peer::open_top_k_rows(const peer_job &)
{
    want("DeviceBatchedTopK", "3.5");
    return nullptr;
}

#endif
