// SPDX-License-Identifier: MIT
//
// Boost.Compute on the same device, queue and buffers as clfold: inclusive_scan and exclusive_scan. The other
// OpenCL library that is still installed by distributions.
#define BOOST_COMPUTE_MAX_CL_VERSION 102
#include "peer.h"

#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/functional.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

namespace {

namespace compute = boost::compute;

struct job {
    explicit job(const peer_job &from)
        : queue(static_cast<cl_command_queue>(from.queue)), in(static_cast<cl_mem>(from.in_buffer)),
          out(static_cast<cl_mem>(from.out_buffer)), n(from.n), exclusive(from.exclusive != 0)
    {
    }
    virtual ~job() = default;
    virtual void call() = 0;
    virtual std::size_t bytes() const = 0;

    compute::command_queue queue;
    compute::buffer in, out;
    std::size_t n;
    bool exclusive, failed = false;
};

template <class T, class Op> struct scan_job final : job {
    scan_job(const peer_job &from, Op op, T neutral) : job(from), op(op), neutral(neutral) {}

    void call() override
    {
        auto first = compute::make_buffer_iterator<T>(in, 0), last = compute::make_buffer_iterator<T>(in, n);
        auto target = compute::make_buffer_iterator<T>(out, 0);
        if (exclusive)
            compute::exclusive_scan(first, last, target, neutral, op, queue);
        else
            compute::inclusive_scan(first, last, target, op, queue);
    }

    std::size_t bytes() const override { return n * sizeof(T); }

    Op op;
    T neutral;
};

// Sums only: what the comparison is about.
template <class T> job *open_typed(const peer_job &from)
{
    return std::string(from.op) == "sum" ? new scan_job<T, compute::plus<T>>(from, {}, T(0)) : nullptr;
}

job *open_job(const peer_job &from)
{
    const std::string type = from.type;
    if (type == "i8") return open_typed<compute::char_>(from);
    if (type == "u8") return open_typed<compute::uchar_>(from);
    if (type == "i16") return open_typed<compute::short_>(from);
    if (type == "u16") return open_typed<compute::ushort_>(from);
    if (type == "i32") return open_typed<compute::int_>(from);
    if (type == "u32") return open_typed<compute::uint_>(from);
    if (type == "i64") return open_typed<compute::long_>(from);
    if (type == "u64") return open_typed<compute::ulong_>(from);
    if (type == "f32") return open_typed<compute::float_>(from);
    if (type == "f64") return open_typed<compute::double_>(from);
    return nullptr;
}

void *open(const peer_job *from)
{
    try {
        return std::strcmp(from->primitive, "scan") == 0 ? open_job(*from) : nullptr;
    } catch (const std::exception &) {
        return nullptr;
    }
}

// A failure shows as a wrong result; the sentence is said once.
void call(void *state)
{
    job *self = static_cast<job *>(state);
    try {
        self->call();
    } catch (const std::exception &error) {
        if (!self->failed)
            std::fprintf(stderr, "boost-compute: %s\n", error.what());
        self->failed = true;
    }
}

void wait(void *state) { clFinish(static_cast<job *>(state)->queue.get()); }

void fetch(void *state, void *const *out)
{
    job *self = static_cast<job *>(state);
    clEnqueueReadBuffer(self->queue.get(), self->out.get(), CL_TRUE, 0, self->bytes(), out[0], 0, nullptr,
                        nullptr);
}

void close(void *state) { delete static_cast<job *>(state); }

} // namespace

extern "C" {
extern const peer peer_boost_compute = {"boost-compute", open, call, nullptr, wait, fetch, close};
}
