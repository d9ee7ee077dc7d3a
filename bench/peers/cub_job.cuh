// SPDX-License-Identifier: MIT
//
// What the jobs of peer "cub" have in common: the input uploaded once, an output, and temporary storage, which is
// allocated per shape, outside of the timed calls.
#ifndef CLFOLD_CUB_JOB_CUH
#define CLFOLD_CUB_JOB_CUH

#include "peer_types.h"
#include "rows/peer.h"
#include "throwing_job.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cuda_runtime.h>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace cub_peer {

// Tuples are arrays of structs, which is how CUB users write them.
template <class Field, int Fields> struct tuple {
    Field field[Fields];
};

// ---- arrays of structs from and to one array per field ----

template <class T> struct layout {
    using field = T;
    static constexpr unsigned fields = 1;
};
template <class Field, int Fields> struct layout<tuple<Field, Fields>> {
    using field = Field;
    static constexpr unsigned fields = Fields;
};

template <class T> void gather(void *const *arrays, std::vector<T> &values)
{
    using field = typename layout<T>::field;
    for (unsigned f = 0; f < layout<T>::fields; f++)
        for (std::size_t i = 0; i < values.size(); i++)
            reinterpret_cast<field *>(&values[i])[f] = static_cast<const field *>(arrays[f])[i];
}

template <class T> void scatter(const std::vector<T> &values, void *const *arrays)
{
    using field = typename layout<T>::field;
    for (unsigned f = 0; f < layout<T>::fields; f++)
        for (std::size_t i = 0; i < values.size(); i++)
            static_cast<field *>(arrays[f])[i] = reinterpret_cast<const field *>(&values[i])[f];
}

// ---- memory ----

inline void check(cudaError_t status)
{
    if (status != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(status));
}

struct free_device {
    void operator()(void *pointer) const { cudaFree(pointer); }
};

template <class T> std::unique_ptr<T, free_device> allocate(std::size_t bytes)
{
    void *pointer = nullptr;
    check(cudaMalloc(&pointer, bytes ? bytes : 1));
    return std::unique_ptr<T, free_device>(static_cast<T *>(pointer));
}

template <class T> std::unique_ptr<T, free_device> upload(const peer_job &from)
{
    auto memory = allocate<T>(from.n * sizeof(T));
    if constexpr (layout<T>::fields == 1) {
        check(cudaMemcpy(memory.get(), from.in[0], from.n * sizeof(T), cudaMemcpyHostToDevice));
    } else {
        std::vector<T> values(from.n);
        gather(from.in, values);
        check(cudaMemcpy(memory.get(), values.data(), from.n * sizeof(T), cudaMemcpyHostToDevice));
    }
    return memory;
}

// ---- jobs ----

// Says that a CUB of this version is wanted for what it names ("DeviceTopK", "3.2"); once for each.
void want(const char *entry, const char *version);

struct job {
    virtual ~job() = default;
    virtual bool shape(std::uint64_t count, std::uint64_t size) = 0;
    virtual void call() = 0;
    virtual void copy() = 0;
    virtual void fetch(void *const *out) = 0;
    static constexpr const char *peer_name = "cub";
    bool failed = false;
};

// `Self::run(scratch, scratch_bytes)` is CUB's call.
template <class Self> class scratch_job : public job {
public:
    void call() override { check(static_cast<Self *>(this)->run(scratch_.get(), scratch_bytes_)); }

protected:
    // For the shape that there is now.
    void prepare()
    {
        scratch_bytes_ = 0;
        check(static_cast<Self *>(this)->run(nullptr, scratch_bytes_));
        scratch_.reset();
        scratch_ = allocate<char>(scratch_bytes_);
    }

private:
    std::size_t scratch_bytes_ = 0;
    std::unique_ptr<char, free_device> scratch_;
};

// From arrays of In to arrays of Out, of up to Self::largest elements. Where CUB has several entries for the same job,
// there are Self::ways of them, way_ tells which one to call, and each shape is measured by the fastest.
template <class Self, class In, class Out> class array_job : public scratch_job<Self> {
public:
    explicit array_job(const peer_job &from) : in_(upload<In>(from)), out_(allocate<Out>(from.results * sizeof(Out))) {}

    bool shape(std::uint64_t count, std::uint64_t size) override
    {
        count_ = count;
        size_ = size;
        if (count * size > Self::largest)
            return false;
        if constexpr (Self::ways > 1)
            choose();
        this->prepare();
        return true;
    }

    void copy() override
    {
        if constexpr (std::is_same_v<In, Out>)
            check(cudaMemcpyAsync(out_.get(), in_.get(), count_ * size_ * sizeof(In), cudaMemcpyDeviceToDevice));
    }

    void fetch(void *const *out) override
    {
        const std::size_t n = static_cast<Self *>(this)->results();
        if constexpr (layout<Out>::fields == 1) {
            check(cudaMemcpy(out[0], out_.get(), n * sizeof(Out), cudaMemcpyDeviceToHost));
        } else {
            std::vector<Out> values(n);
            check(cudaMemcpy(values.data(), out_.get(), n * sizeof(Out), cudaMemcpyDeviceToHost));
            scatter(values, out);
        }
    }

    static constexpr int ways = 1;

protected:
    std::uint64_t count_ = 0, size_ = 0;
    int way_ = 0;
    std::unique_ptr<In, free_device> in_;
    std::unique_ptr<Out, free_device> out_;

private:
    // Seconds of one call; the first call is not counted.
    double time_of_way()
    {
        double least = 1e9;
        this->prepare();
        for (int i = 0; i < 4; i++) {
            const auto start = std::chrono::steady_clock::now();
            this->call();
            check(cudaDeviceSynchronize());
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
            least = i ? std::min(least, took.count()) : least;
        }
        return least;
    }

    void choose()
    {
        double least = 1e9;
        int best = 0;
        for (way_ = 0; way_ < Self::ways; way_++) {
            const double seconds = time_of_way();
            best = seconds < least ? way_ : best;
            least = std::min(least, seconds);
        }
        way_ = best;
    }
};

// In files of their own: each takes the compiler a while. NULL: not for that operator or type.
using opener = job *(const peer_job &from);
opener open_scan, open_segmented_scan, open_reduce, open_segmented_reduce, open_adjacent_difference, open_select,
    open_gather, open_merge, open_runs, open_sort, open_segmented_sort, open_merge_sort, open_histogram, open_top_k,
    open_top_k_rows;

} // namespace cub_peer

#endif
