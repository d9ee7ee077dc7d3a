// SPDX-License-Identifier: MIT
//
// cub::DeviceSelect::If and cub::DevicePartition::If, by the predicate that rows of filter have, and
// cub::DeviceSelect::Unique. Tuples are structs of fields of 32 bits, whatever these mean.
#include "cub_job.cuh"

#include <algorithm>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>

#include <cstring>

namespace cub_peer {
namespace {

struct below {
    unsigned bound;
    template <class T> __host__ __device__ bool operator()(T x) const
    {
        return (static_cast<unsigned>(x) & 127) < bound;
    }
    template <class Field, int Fields> __host__ __device__ bool operator()(const tuple<Field, Fields> &x) const
    {
        return (*this)(x.field[0]);
    }
};

template <class T, bool Unique> class select_job final : public array_job<select_job<T, Unique>, T, T> {
public:
    explicit select_job(const peer_job &from)
        : array_job<select_job<T, Unique>, T, T>(from), kept_{from.kept}, found_(allocate<std::int64_t>(8))
    {
    }

    static constexpr std::uint64_t largest = INT64_MAX;

    std::size_t results() const
    {
        std::int64_t found = 0;
        check(cudaMemcpy(&found, found_.get(), sizeof found, cudaMemcpyDeviceToHost));
        return static_cast<std::size_t>(found);
    }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto n = static_cast<std::int64_t>(this->size_);
        if constexpr (Unique)
            return cub::DeviceSelect::Unique(scratch, bytes, this->in_.get(), this->out_.get(), found_.get(), n);
        else
            return cub::DeviceSelect::If(scratch, bytes, this->in_.get(), this->out_.get(), found_.get(), n, kept_);
    }

private:
    below kept_;
    std::unique_ptr<std::int64_t, free_device> found_;
};

// CUB writes those that are not kept behind the others, in reverse.
template <class T> class partition_job final : public array_job<partition_job<T>, T, T> {
public:
    explicit partition_job(const peer_job &from)
        : array_job<partition_job<T>, T, T>(from), kept_{from.kept}, found_(allocate<std::int64_t>(8))
    {
    }

    static constexpr std::uint64_t largest = INT64_MAX;

    std::size_t results() const { return static_cast<std::size_t>(this->size_); }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto n = static_cast<std::int64_t>(this->size_);
        return cub::DevicePartition::If(scratch, bytes, this->in_.get(), this->out_.get(), found_.get(), n, kept_);
    }

    void fetch(void *const *out) override
    {
        std::int64_t found = 0;
        check(cudaMemcpy(&found, found_.get(), sizeof found, cudaMemcpyDeviceToHost));
        array_job<partition_job<T>, T, T>::fetch(out);
        T *const values = static_cast<T *>(out[0]);
        std::reverse(values + found, values + this->size_);
    }

private:
    below kept_;
    std::unique_ptr<std::int64_t, free_device> found_;
};

template <class T> job *open_typed(const peer_job &from)
{
    if (std::strcmp(from.primitive, "partition") == 0)
        return new partition_job<T>(from);
    if (std::strcmp(from.primitive, "unique") == 0)
        return new select_job<T, true>(from);
    return new select_job<T, false>(from);
}

} // namespace

job *open_select(const peer_job &from)
{
    if (from.inputs == 3)
        return std::strcmp(from.type, "i32") == 0 ? new select_job<tuple<std::int32_t, 3>, false>(from) : nullptr;
    return peers::by_type<job, std::int8_t, std::int16_t, std::int32_t, std::int64_t>(
        from.type, [&](auto x) { return open_typed<decltype(x)>(from); });
}

} // namespace cub_peer
