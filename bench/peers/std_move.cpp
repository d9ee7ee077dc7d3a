// SPDX-License-Identifier: MIT
//
// What goes where an index or an order tells: gathers and scatters by std::for_each, std::merge, std::lower_bound.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <execution>
#include <string>
#include <vector>

namespace std_peer {
namespace {

// std::for_each over the indices: the standard library has no gather.
template <class T> class gather_job final : public job {
public:
    gather_job(const peer_job &from, bool parallel)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), indices_(from.indices), out_(from.n),
          scatters_(std::strncmp(from.primitive, "scatter", 7) == 0),
          halves_(std::strcmp(from.primitive, "gather_sorted") == 0)
    {
    }

    void call() override
    {
        if (parallel)
            run(std::execution::par_unseq);
        else
            run(std::execution::seq);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), moved() * sizeof(T)); }

private:
    std::size_t moved() const { return halves_ ? n / 2 : n; }

    template <class Policy> void run(Policy policy)
    {
        const auto move = [first = indices_, in = in_, out = out_.data(),
                           scatters = scatters_](const std::uint32_t &x) {
            const std::size_t i = static_cast<std::size_t>(&x - first);
            out[scatters ? x : i] = in[scatters ? i : x];
        };
        std::for_each(policy, indices_, indices_ + moved(), move);
    }

    const T *in_;
    const std::uint32_t *indices_;
    std::vector<T> out_;
    bool scatters_, halves_;
};

// Halves of n elements, each sorted; the second begins where that of the longest case does.
template <class T> class merge_job final : public job {
public:
    merge_job(const peer_job &from, bool parallel)
        : job(parallel), first_(static_cast<const T *>(from.in[0])), second_(first_ + from.n / 2), out_(from.n)
    {
    }

    void call() override
    {
        if (parallel)
            run(std::execution::par_unseq);
        else
            run(std::execution::seq);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n / 2 * 2 * sizeof(T)); }

private:
    template <class Policy> void run(Policy policy)
    {
        std::merge(policy, first_, first_ + n / 2, second_, second_ + n / 2, out_.begin());
    }

    const T *first_, *second_;
    std::vector<T> out_;
};

// The first half is searched for each of the second.
template <class T> class lower_bound_job final : public job {
public:
    lower_bound_job(const peer_job &from, bool parallel)
        : job(parallel), first_(static_cast<const T *>(from.in[0])), second_(first_ + from.n / 2), out_(from.n / 2)
    {
    }

    void call() override
    {
        if (parallel)
            run(std::execution::par_unseq);
        else
            run(std::execution::seq);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n / 2 * sizeof out_[0]); }

private:
    template <class Policy> void run(Policy policy)
    {
        std::transform(policy, second_, second_ + n / 2, out_.begin(), [first = first_, end = first_ + n / 2](T x) {
            return static_cast<std::uint32_t>(std::lower_bound(first, end, x) - first);
        });
    }

    const T *first_, *second_;
    std::vector<std::uint32_t> out_;
};

} // namespace

template <class T> job *open_move(const peer_job &from, bool parallel)
{
    const std::string primitive = from.primitive;
    if (primitive.rfind("gather", 0) == 0 || primitive.rfind("scatter", 0) == 0)
        return new gather_job<T>(from, parallel);
    if (primitive == "merge")
        return new merge_job<T>(from, parallel);
    if (primitive.rfind("lower_bound", 0) == 0)
        return new lower_bound_job<T>(from, parallel);
    return nullptr;
}

template job *open_move<std::int8_t>(const peer_job &, bool);
template job *open_move<std::uint8_t>(const peer_job &, bool);
template job *open_move<std::int16_t>(const peer_job &, bool);
template job *open_move<std::uint16_t>(const peer_job &, bool);
template job *open_move<std::int32_t>(const peer_job &, bool);
template job *open_move<std::uint32_t>(const peer_job &, bool);
template job *open_move<std::int64_t>(const peer_job &, bool);
template job *open_move<std::uint64_t>(const peer_job &, bool);

} // namespace std_peer
