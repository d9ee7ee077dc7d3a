// SPDX-License-Identifier: MIT
//
// CUB's cub::DeviceScan on the same GPU through CUDA: the fastest scan there is today on NVIDIA's own
// platform. Tuples are arrays of structs, which is how CUB users write them. Temporary storage is allocated
// once, outside of the timed calls. The copy is cudaMemcpyAsync from device to device.
#include "peer.h"

#include <cub/device/device_scan.cuh>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// ---- values and operators ----

template <class Field, int Fields> struct tuple {
    Field field[Fields];
};
using tuple4 = tuple<std::int64_t, 4>;
using affine = tuple<std::uint32_t, 2>;
using mat2 = tuple<std::uint32_t, 4>;

struct plus {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
struct minimum {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
struct maximum {
    template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
struct plus4 {
    __host__ __device__ tuple4 operator()(const tuple4 &a, const tuple4 &b) const
    {
        const auto &x = a.field, &y = b.field;
        return {{x[0] + y[0], x[1] + y[1], x[2] + y[2], x[3] + y[3]}};
    }
};
struct compose {
    __host__ __device__ affine operator()(const affine &x, const affine &y) const
    {
        return {{x.field[0] * y.field[0], x.field[1] * y.field[0] + y.field[1]}};
    }
};
struct multiply {
    static constexpr std::uint32_t prime = 46337;
    __host__ __device__ mat2 operator()(const mat2 &a, const mat2 &b) const
    {
        const auto &x = a.field, &y = b.field;
        return {{(x[0] * y[0] + x[1] * y[2]) % prime, (x[0] * y[1] + x[1] * y[3]) % prime,
                 (x[2] * y[0] + x[3] * y[2]) % prime, (x[2] * y[1] + x[3] * y[3]) % prime}};
    }
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

// ---- jobs ----

void check(cudaError_t status)
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

struct job {
    virtual ~job() = default;
    virtual void call() = 0;
    virtual void copy() = 0;
    virtual void fetch(void *const *out) = 0;
    bool failed = false;
};

template <class T, class Op> class scan_job final : public job {
public:
    scan_job(const peer_job &from, Op op, T neutral)
        : n_(from.n), exclusive_(from.exclusive != 0), op_(op), neutral_(neutral),
          in_(allocate<T>(from.n * sizeof(T))), out_(allocate<T>(from.n * sizeof(T)))
    {
        std::vector<T> values(n_);
        gather(from.in, values);
        check(cudaMemcpy(in_.get(), values.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
        check(scan(nullptr));
        scratch_ = allocate<char>(scratch_bytes_);
    }

    void call() override { check(scan(scratch_.get())); }

    void copy() override
    {
        check(cudaMemcpyAsync(out_.get(), in_.get(), n_ * sizeof(T), cudaMemcpyDeviceToDevice));
    }

    void fetch(void *const *out) override
    {
        std::vector<T> values(n_);
        check(cudaMemcpy(values.data(), out_.get(), n_ * sizeof(T), cudaMemcpyDeviceToHost));
        scatter(values, out);
    }

private:
    cudaError_t scan(void *scratch)
    {
        const auto n = static_cast<std::int64_t>(n_);
        if constexpr (std::is_same_v<Op, plus>)
            return exclusive_ ? cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes_, in_.get(), out_.get(), n)
                              : cub::DeviceScan::InclusiveSum(scratch, scratch_bytes_, in_.get(), out_.get(), n);
        else
            return exclusive_
                ? cub::DeviceScan::ExclusiveScan(scratch, scratch_bytes_, in_.get(), out_.get(), op_, neutral_, n)
                : cub::DeviceScan::InclusiveScan(scratch, scratch_bytes_, in_.get(), out_.get(), op_, n);
    }

    std::size_t n_, scratch_bytes_ = 0;
    bool exclusive_;
    Op op_;
    T neutral_;
    std::unique_ptr<T, free_device> in_, out_;
    std::unique_ptr<char, free_device> scratch_;
};

// Sums of every type; minimum and maximum of the common ones.
template <class T> job *open_sum(const peer_job &from)
{
    return std::strcmp(from.op, "sum") == 0 ? new scan_job<T, plus>(from, {}, T(0)) : nullptr;
}

template <class T> job *open_number(const peer_job &from, T least, T largest)
{
    if (std::strcmp(from.op, "min") == 0)
        return new scan_job<T, minimum>(from, {}, largest);
    if (std::strcmp(from.op, "max") == 0)
        return new scan_job<T, maximum>(from, {}, least);
    return open_sum<T>(from);
}

job *open_scalar(const peer_job &from)
{
    const std::string type = from.type;
    if (type == "i8") return open_sum<std::int8_t>(from);
    if (type == "u8") return open_sum<std::uint8_t>(from);
    if (type == "i16") return open_sum<std::int16_t>(from);
    if (type == "u16") return open_sum<std::uint16_t>(from);
    if (type == "i32") return open_number<std::int32_t>(from, INT32_MIN, INT32_MAX);
    if (type == "u32") return open_sum<std::uint32_t>(from);
    if (type == "i64") return open_number<std::int64_t>(from, INT64_MIN, INT64_MAX);
    if (type == "u64") return open_sum<std::uint64_t>(from);
    if (type == "f16") return open_sum<__half>(from);
    if (type == "f32") {
        const float infinity = std::numeric_limits<float>::infinity();
        return open_number<float>(from, -infinity, infinity);
    }
    if (type == "f64") return open_sum<double>(from);
    return nullptr;
}

job *open_job(const peer_job &from)
{
    const std::string op = from.op;
    if (op == "tuple4") return new scan_job<tuple4, plus4>(from, {}, {{0, 0, 0, 0}});
    if (op == "affine") return new scan_job<affine, compose>(from, {}, {{1, 0}});
    if (op == "mat2") return new scan_job<mat2, multiply>(from, {}, {{1, 0, 0, 1}});
    return open_scalar(from);
}

// ---- the peer ----

bool have_cuda()
{
    static const cudaError_t status = [] { int count; return cudaGetDeviceCount(&count); }();
    static const bool said = status != cudaSuccess
        && std::fprintf(stderr, "cub: %s\n", cudaGetErrorString(status));
    return !said;
}

void *open(const peer_job *from)
{
    try {
        return std::strcmp(from->primitive, "scan") == 0 && have_cuda() ? open_job(*from) : nullptr;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "cub: %s\n", error.what());
        return nullptr;
    }
}

// A failure shows as a wrong result; the sentence is said once.
template <class Action> void attempt(void *state, Action action)
{
    job *self = static_cast<job *>(state);
    try {
        action(self);
    } catch (const std::exception &error) {
        if (!self->failed)
            std::fprintf(stderr, "cub: %s\n", error.what());
        self->failed = true;
    }
}

void call(void *state) { attempt(state, [](job *self) { self->call(); }); }
void copy(void *state) { attempt(state, [](job *self) { self->copy(); }); }
void wait(void *state) { attempt(state, [](job *) { check(cudaDeviceSynchronize()); }); }
void fetch(void *state, void *const *out) { attempt(state, [out](job *self) { self->fetch(out); }); }
void close(void *state) { delete static_cast<job *>(state); }

} // namespace

extern "C" {
extern const peer peer_cub = {"cub", open, call, copy, wait, fetch, close};
}
