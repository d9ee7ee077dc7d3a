// SPDX-License-Identifier: MIT
//
// cub::DeviceTopK::MinKeys (since CUB 3.2), which finds the least in any order, and not the same order each time. That
// is what is timed; they are sorted where results are compared.
#include "cub_job.cuh"

#if __has_include(<cub/device/device_topk.cuh>)

#include <cub/device/device_topk.cuh>

#include <cstdlib>
#include <cstring>
#include <cuda/std/execution>

namespace cub_peer {
namespace {

template <class T> class top_k_job final : public array_job<top_k_job<T>, T, T> {
public:
    // "top_k_10" asks for 10.
    explicit top_k_job(const peer_job &from)
        : array_job<top_k_job<T>, T, T>(from),
          wanted_(std::strtoull(std::strpbrk(from.primitive, "0123456789"), nullptr, 10))
    {
    }

    static constexpr std::uint64_t largest = INT64_MAX;

    std::size_t results() const { return std::min<std::uint64_t>(wanted_, this->size_); }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        namespace execution = cuda::execution;
        const auto how = execution::require(execution::determinism::not_guaranteed,
                                            execution::output_ordering::unsorted);
        return cub::DeviceTopK::MinKeys(scratch, bytes, this->in_.get(), this->out_.get(),
                                        static_cast<std::int64_t>(this->size_), static_cast<std::int64_t>(results()),
                                        how);
    }

    void fetch(void *const *out) override
    {
        array_job<top_k_job<T>, T, T>::fetch(out);
        T *const values = static_cast<T *>(out[0]);
        std::sort(values, values + results());
    }

private:
    std::uint64_t wanted_;
};

} // namespace

job *open_top_k(const peer_job &from)
{
    if (std::strstr(from.primitive, "unsorted")) return nullptr; // in the order of the input
    return peers::by_type<job, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>(
        from.type, [&](auto x) { return new top_k_job<decltype(x)>(from); });
}

} // namespace cub_peer

#else

cub_peer::job *cub_peer::open_top_k(const peer_job &)
{
    want("DeviceTopK", "3.2");
    return nullptr;
}

#endif
