// SPDX-License-Identifier: MIT
//
// What goes where an index or an order tells: gathers and scatters by std::for_each, std::merge, std::lower_bound,
// std::sort and std::stable_sort of a copy, std::sort of each row of it, std::is_sorted_until.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
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

template <class T> class sort_job final : public job {
public:
    sort_job(const peer_job &from, bool parallel)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), out_(from.n),
          stable_(std::strncmp(from.primitive, "merge_sort", 10) == 0)
    {
        by_rows = std::strcmp(from.primitive, "segmented_sort") == 0;
    }

    void call() override
    {
        std::memcpy(out_.data(), in_, n * sizeof(T));
        if (rows > 1)
            sort_rows();
        else if (stable_)
            call_stable();
        else if (parallel)
            std::sort(std::execution::par_unseq, out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(n));
        else
            std::sort(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(n));
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(T)); }

private:
    void sort_rows()
    {
        std::vector<std::size_t> starts(rows);
        for (std::size_t row = 0; row < rows; row++)
            starts[row] = row * (n / rows);
        const auto sort_row = [this](std::size_t start) {
            std::sort(out_.data() + start, out_.data() + start + n / rows);
        };
        if (parallel)
            std::for_each(std::execution::par, starts.begin(), starts.end(), sort_row);
        else
            std::for_each(starts.begin(), starts.end(), sort_row);
    }

    void call_stable()
    {
        const auto end = out_.begin() + static_cast<std::ptrdiff_t>(n);
        if (parallel)
            std::stable_sort(std::execution::par_unseq, out_.begin(), end);
        else
            std::stable_sort(out_.begin(), end);
    }

    const T *in_;
    std::vector<T> out_;
    bool stable_;
};

template <class T> class is_sorted_job final : public job {
public:
    is_sorted_job(const peer_job &from, bool parallel) : job(parallel), in_(static_cast<const T *>(from.in[0])) {}

    void call() override
    {
        const T *const end = parallel ? std::is_sorted_until(std::execution::par_unseq, in_, in_ + n)
                                      : std::is_sorted_until(in_, in_ + n);
        found_ = static_cast<std::uint64_t>(end - in_);
    }

    void fetch(void *out) const override { std::memcpy(out, &found_, sizeof found_); }

private:
    const T *in_;
    std::uint64_t found_ = 0;
};

// The least k, as many as the primitive's name says.
template <class T> class top_k_job final : public job {
public:
    top_k_job(const peer_job &from, bool parallel)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), copy_(parallel ? from.n : 0), out_(from.n),
          k_(std::strtoul(std::strpbrk(from.primitive, "0123456789"), nullptr, 10))
    {
    }

    void call() override
    {
        const auto k = static_cast<std::ptrdiff_t>(std::min(k_, n));
        if (!parallel) {
            std::partial_sort_copy(in_, in_ + n, out_.begin(), out_.begin() + k);
            return;
        }
        std::memcpy(copy_.data(), in_, n * sizeof(T));
        const auto policy = std::execution::par_unseq;
        std::nth_element(policy, copy_.begin(), copy_.begin() + k, copy_.begin() + static_cast<std::ptrdiff_t>(n));
        std::sort(policy, copy_.begin(), copy_.begin() + k);
    }

    void fetch(void *out) const override
    {
        std::memcpy(out, parallel ? copy_.data() : out_.data(), std::min(k_, n) * sizeof(T));
    }

private:
    const T *in_;
    std::vector<T> copy_, out_;
    std::size_t k_;
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
    if (primitive == "is_sorted")
        return new is_sorted_job<T>(from, parallel);
    if ((primitive.rfind("sort", 0) == 0 || primitive.rfind("merge_sort", 0) == 0 || primitive == "segmented_sort") &&
        from.outputs == 1 && primitive != "sort_low8")
        return new sort_job<T>(from, parallel);
    if (primitive.rfind("top_k", 0) == 0 && primitive.find("rows") == primitive.npos &&
        primitive.find("unsorted") == primitive.npos)
        return new top_k_job<T>(from, parallel);
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
