// SPDX-License-Identifier: MIT
//
// The C++ standard library on host memory, serial ("std") and with std::execution::par_unseq ("std-par"; libstdc++ runs
// it on TBB): what a C++ programmer with a CPU uses. Here: std::inclusive_scan, std::exclusive_scan, std::reduce,
// std::adjacent_difference. In std_select.cpp: std::copy_if, std::unique_copy, std::partition_copy, runs by key. In
// std_move.cpp: std::merge, std::lower_bound and, for gathers and scatters, std::for_each. In std_sort.cpp: sorts and
// top-k. In std_tuple.cpp: scans and reductions of structs.
#include "peer_types.h"
#include "std_job.h"

#include <numeric>
#include <string>

namespace {

using std_peer::job;
using std_peer::maker;

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

template <class T, class Op> job *open_with(const peer_job &from, bool parallel, T neutral)
{
    const std::string primitive = from.primitive;
    const Op op{};
    if (primitive == "scan")
        return maker<T, T>::make(from, parallel, [=, x = from.exclusive](auto policy, job &s, const T *in, T *out) {
            if (x)
                std::exclusive_scan(policy, in, in + s.n, out, neutral, op);
            else
                std::inclusive_scan(policy, in, in + s.n, out, op);
            return s.n;
        });
    if (primitive == "reduce")
        return maker<T, T>::make(from, parallel, [=](auto policy, job &s, const T *in, T *out) {
            *out = std::reduce(policy, in, in + s.n, neutral, op);
            return std::size_t(1);
        });
    if (primitive == "adjacent_difference") // its operator is given the element, then the one before it
        return maker<T, T>::make(from, parallel, [=](auto policy, job &s, const T *in, T *out) {
            std::adjacent_difference(policy, in, in + s.n, out, [=](T x, T previous) { return op(previous, x); });
            return s.n;
        });
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
        return open_with<T, minimum>(from, parallel, peers::largest<T>());
    if (op == "max")
        return open_with<T, maximum>(from, parallel, peers::least<T>());
    return nullptr;
}

job *open_job(const peer_job &from, bool parallel)
{
    if (job *const tuple = std_peer::open_tuple(from, parallel)) return tuple;
    return peers::by_number<job>(from.type, [&](auto x) { return open_typed<decltype(x)>(from, parallel); });
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
void fetch(void *state, void *const *out) { static_cast<job *>(state)->fetch(out); }
void close(void *state) { delete static_cast<job *>(state); }

} // namespace

extern "C" {
extern const peer peer_std_serial = {"std", open_serial, shape, call, nullptr, wait, fetch, close, nullptr, 0, nullptr};
extern const peer peer_std_par = {"std-par", open_parallel, shape, call, nullptr, wait, fetch, close, nullptr, 0,
                                   nullptr};
}
