// SPDX-License-Identifier: MIT
//
// The C++ standard library on host memory, serial ("std") and with std::execution::par_unseq ("std-par"; libstdc++ runs
// it on TBB): what a C++ programmer with a CPU uses. Here: std::inclusive_scan, std::exclusive_scan, std::reduce,
// std::adjacent_difference. In std_select.cpp: std::copy_if, std::unique_copy, std::partition_copy, runs by key. In
// std_move.cpp: std::merge, std::lower_bound and, for gathers and scatters, std::for_each. In std_sort.cpp: sorts and
// top-k. In std_tuple.cpp: scans and reductions of structs.
#include "std_job.h"

#include <cstring>
#include <execution>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using std_peer::job;

struct minimum {
    template <class T> T operator()(T a, T b) const { return b < a ? b : a; }
};
struct maximum {
    template <class T> T operator()(T a, T b) const { return a < b ? b : a; }
};
// Wraps around as the device does: signed overflow is not defined in C++.
struct plus {
    template <class T> T operator()(T a, T b) const
    {
        if constexpr (std::is_integral_v<T>) {
            using U = std::make_unsigned_t<T>;
            return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
        } else {
            return a + b;
        }
    }
};

template <class T, class Op> class scan_job final : public job {
public:
    scan_job(const peer_job &from, bool parallel, Op op, T neutral)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), out_(from.n), exclusive_(from.exclusive != 0),
          op_(op), neutral_(neutral)
    {
    }

    void call() override
    {
        if (parallel)
            run(std::execution::par_unseq);
        else
            run(std::execution::seq);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(T)); }

private:
    template <class Policy> void run(Policy policy)
    {
        const T *end = in_ + n;
        if (exclusive_)
            std::exclusive_scan(policy, in_, end, out_.begin(), neutral_, op_);
        else
            std::inclusive_scan(policy, in_, end, out_.begin(), op_);
    }

    const T *in_;
    std::vector<T> out_;
    bool exclusive_;
    Op op_;
    T neutral_;
};

template <class T, class Op> class reduce_job final : public job {
public:
    reduce_job(const peer_job &from, bool parallel, Op op, T neutral)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), op_(op), neutral_(neutral)
    {
    }

    void call() override
    {
        sum_ = parallel ? std::reduce(std::execution::par_unseq, in_, in_ + n, neutral_, op_)
                        : std::reduce(std::execution::seq, in_, in_ + n, neutral_, op_);
    }

    void fetch(void *out) const override { std::memcpy(out, &sum_, sizeof(T)); }

private:
    const T *in_;
    Op op_;
    T neutral_, sum_ = neutral_;
};

// Its operator is given the element, then the one before it.
template <class T, class Op> class adjacent_job final : public job {
public:
    adjacent_job(const peer_job &from, bool parallel, Op op)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), out_(from.n), op_(op)
    {
    }

    void call() override
    {
        const auto f = [op = op_](T x, T previous) { return op(previous, x); };
        if (parallel)
            std::adjacent_difference(std::execution::par_unseq, in_, in_ + n, out_.begin(), f);
        else
            std::adjacent_difference(std::execution::seq, in_, in_ + n, out_.begin(), f);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(T)); }

private:
    const T *in_;
    std::vector<T> out_;
    Op op_;
};

template <class T> T least()
{
    return std::is_integral_v<T> ? std::numeric_limits<T>::min() : -std::numeric_limits<T>::infinity();
}

template <class T> T largest()
{
    return std::is_integral_v<T> ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
}

template <class T, class Op> job *open_with(const peer_job &from, bool parallel, T neutral)
{
    const std::string primitive = from.primitive;
    if (primitive == "scan")
        return new scan_job<T, Op>(from, parallel, {}, neutral);
    if (primitive == "reduce")
        return new reduce_job<T, Op>(from, parallel, {}, neutral);
    if (primitive == "adjacent_difference")
        return new adjacent_job<T, Op>(from, parallel, {});
    if constexpr (std::is_same_v<Op, plus>)
        if (job *const sort = std_peer::open_sort<T>(from, parallel))
            return sort;
    if constexpr (std::is_integral_v<T> && std::is_same_v<Op, plus>) {
        job *const selects = std_peer::open_select<T>(from, parallel);
        return selects ? selects : std_peer::open_move<T>(from, parallel);
    }
    return nullptr;
}

template <class T> job *open_typed(const peer_job &from, bool parallel)
{
    const std::string op = from.op;
    if constexpr (std::is_integral_v<T>)
        if (std::string(from.primitive).rfind("histogram", 0) == 0)
            return std_peer::open_histogram<T>(from, parallel);
    if (op == "sum")
        return open_with<T, plus>(from, parallel, T(0));
    if (op == "min")
        return open_with<T, minimum>(from, parallel, largest<T>());
    if (op == "max")
        return open_with<T, maximum>(from, parallel, least<T>());
    return nullptr;
}

job *open_job(const peer_job &from, bool parallel)
{
    const std::string type = from.type;
    if (job *const tuple = std_peer::open_tuple(from, parallel)) return tuple;
    if (type == "i8") return open_typed<std::int8_t>(from, parallel);
    if (type == "u8") return open_typed<std::uint8_t>(from, parallel);
    if (type == "i16") return open_typed<std::int16_t>(from, parallel);
    if (type == "u16") return open_typed<std::uint16_t>(from, parallel);
    if (type == "i32") return open_typed<std::int32_t>(from, parallel);
    if (type == "u32") return open_typed<std::uint32_t>(from, parallel);
    if (type == "i64") return open_typed<std::int64_t>(from, parallel);
    if (type == "u64") return open_typed<std::uint64_t>(from, parallel);
    if (type == "f32") return open_typed<float>(from, parallel);
    if (type == "f64") return open_typed<double>(from, parallel);
    return nullptr;
}

void *open_any(const peer_job *from, bool parallel) noexcept
{
    try {
        return open_job(*from, parallel);
    } catch (...) {
        return nullptr; // out of memory
    }
}

void *open_serial(const peer_job *from) { return open_any(from, false); }
void *open_parallel(const peer_job *from) { return open_any(from, true); }
int shape(void *state, std::uint64_t count, std::uint64_t size)
{
    job *const self = static_cast<job *>(state);
    self->n = count * size;
    self->rows = count;
    return count == 1 || self->by_rows;
}
void call(void *state) { static_cast<job *>(state)->call(); }
void wait(void *) {}
void fetch(void *state, void *const *out) { static_cast<job *>(state)->fetch_all(out); }
void close(void *state) { delete static_cast<job *>(state); }

} // namespace

extern "C" {
extern const peer peer_std_serial = {"std", open_serial, shape, call, nullptr, wait, fetch, close, nullptr, 0, nullptr};
extern const peer peer_std_par = {"std-par", open_parallel, shape, call, nullptr, wait, fetch, close, nullptr, 0,
                                   nullptr};
}
