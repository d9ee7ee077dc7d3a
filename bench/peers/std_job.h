// SPDX-License-Identifier: MIT
//
// What the jobs of peers "std" and "std-par" have in common. C++.
#ifndef CLFOLD_STD_JOB_H
#define CLFOLD_STD_JOB_H

#include "rows/peer.h"

#include <cstddef>
#include <cstring>
#include <execution>
#include <tuple>
#include <type_traits>
#include <vector>

namespace std_peer
{

struct job {
    explicit job(bool in_parallel) : parallel(in_parallel)
    {
    }
    virtual ~job() = default;
    virtual void call() = 0;
    virtual void fetch(void *const *out) const = 0;

    bool parallel;
    bool by_rows = false; // does it do several segments?
    std::size_t n = 0, rows = 1;
};

// Results as the bench wants them: structs have a `store` of their own.
template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
void store(const T *values, std::size_t count, void *const *out)
{
    std::memcpy(out[0], values, count * sizeof(T));
}

// `run(policy, job, in, outputs...)` says how many results there are.
template <class T, class Run, class... Out> class array_job final : public job
{
  public:
    array_job(const peer_job &from, bool in_parallel, Run run)
        : job(in_parallel), in_(static_cast<const T *>(from.in[0])), out_(std::vector<Out>(from.results)...),
          run_(std::move(run))
    {
    }

    void call() override
    {
        std::apply(
            [this](auto &...out) {
                found_ = parallel ? run_(std::execution::par_unseq, *this, in_, out.data()...)
                                  : run_(std::execution::seq, *this, in_, out.data()...);
            },
            out_);
    }

    void fetch(void *const *out) const override
    {
        std::apply([this, out](const auto &...values) mutable { (store(values.data(), found_, out++), ...); }, out_);
    }

  private:
    const T *in_;
    std::tuple<std::vector<Out>...> out_;
    Run run_;
    std::size_t found_ = 0;
};

template <class T, class... Out> struct maker {
    template <class Run> static job *make(const peer_job &from, bool parallel, Run run)
    {
        return new array_job<T, Run, Out...>(from, parallel, std::move(run));
    }
};

template <class Policy> constexpr bool is_serial = std::is_same_v<Policy, std::execution::sequenced_policy>;

// In files of their own, the first three for integers. NULL: none of theirs.
template <class T> job *open_select(const peer_job &from, bool parallel);
template <class T> job *open_move(const peer_job &from, bool parallel);
template <class T> job *open_histogram(const peer_job &from, bool parallel);
template <class T> job *open_sort(const peer_job &from, bool parallel);
// By operators on tuples, over an array of structs.
job *open_tuple(const peer_job &from, bool parallel);

#define STD_PEER_INTEGERS(open)                                                                                        \
    template job *open<std::int8_t>(const peer_job &, bool);                                                           \
    template job *open<std::uint8_t>(const peer_job &, bool);                                                          \
    template job *open<std::int16_t>(const peer_job &, bool);                                                          \
    template job *open<std::uint16_t>(const peer_job &, bool);                                                         \
    template job *open<std::int32_t>(const peer_job &, bool);                                                          \
    template job *open<std::uint32_t>(const peer_job &, bool);                                                         \
    template job *open<std::int64_t>(const peer_job &, bool);                                                          \
    template job *open<std::uint64_t>(const peer_job &, bool);

} // namespace std_peer

#endif
