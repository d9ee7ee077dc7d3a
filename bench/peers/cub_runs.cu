// SPDX-License-Identifier: MIT
//
// cub::DeviceReduce::ReduceByKey, sums by keys of 32 bits, and cub::DeviceRunLengthEncode::Encode.
#include "cub_job.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>

#include <cstring>
#include <string>

namespace cub_peer {
namespace {

template <class T> std::unique_ptr<T, free_device> upload_field(const peer_job &from, unsigned field)
{
    auto memory = allocate<T>(from.n * sizeof(T));
    check(cudaMemcpy(memory.get(), from.in[field], from.n * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

struct wrapping {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};

// Key: of each run; Value: what is added up, or, of run lengths, the length (CUB counts those by int).
template <class Key, class Value, bool Lengths>
class runs_job final : public scratch_job<runs_job<Key, Value, Lengths>> {
public:
    explicit runs_job(const peer_job &from)
        : keys_(upload_field<Key>(from, 0)), unique_(allocate<Key>(from.results * sizeof(Key))),
          sums_(allocate<Value>(from.results * sizeof(Value))), found_(allocate<std::int64_t>(8))
    {
        if (!Lengths)
            values_ = upload_field<Value>(from, 1);
    }

    bool shape(std::uint64_t count, std::uint64_t size) override
    {
        if (count != 1 || size > (Lengths ? INT32_MAX : INT64_MAX))
            return false;
        size_ = size;
        this->prepare();
        return true;
    }

    // As many bytes as are read and written are those of the copy that the device's driver makes.
    void copy() override
    {
        check(cudaMemcpyAsync(unique_.get(), keys_.get(), size_ * sizeof(Key), cudaMemcpyDeviceToDevice));
        if (!Lengths)
            check(cudaMemcpyAsync(sums_.get(), values_.get(), size_ * sizeof(Value), cudaMemcpyDeviceToDevice));
    }

    void fetch(void *const *out) override
    {
        std::int64_t found = 0;
        check(cudaMemcpy(&found, found_.get(), sizeof found, cudaMemcpyDeviceToHost));
        const auto n = static_cast<std::size_t>(found);
        check(cudaMemcpy(out[0], sums_.get(), n * sizeof(Value), cudaMemcpyDeviceToHost));
        check(cudaMemcpy(out[1], unique_.get(), n * sizeof(Key), cudaMemcpyDeviceToHost));
    }

    cudaError_t run(void *scratch, std::size_t &bytes)
    {
        const auto n = static_cast<std::int64_t>(size_);
        if constexpr (Lengths)
            return cub::DeviceRunLengthEncode::Encode(scratch, bytes, keys_.get(), unique_.get(), sums_.get(),
                                                      found_.get(), n);
        else
            return cub::DeviceReduce::ReduceByKey(scratch, bytes, keys_.get(), unique_.get(), values_.get(),
                                                  sums_.get(), found_.get(), wrapping(), n);
    }

private:
    std::uint64_t size_ = 0;
    std::unique_ptr<Key, free_device> keys_, unique_;
    std::unique_ptr<Value, free_device> values_, sums_;
    std::unique_ptr<std::int64_t, free_device> found_;
};

template <class T> job *open_typed(const peer_job &from)
{
    if (std::strcmp(from.primitive, "run_lengths") == 0)
        return new runs_job<T, std::uint32_t, true>(from);
    return new runs_job<std::uint32_t, T, false>(from);
}

} // namespace

job *open_runs(const peer_job &from)
{
    const std::string type = from.type;
    if (type == "u8") return open_typed<std::uint8_t>(from);
    if (type == "i32" || type == "u32") return open_typed<std::uint32_t>(from);
    if (type == "i64" || type == "u64") return open_typed<std::uint64_t>(from);
    return nullptr;
}

} // namespace cub_peer
