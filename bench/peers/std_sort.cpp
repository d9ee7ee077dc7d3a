// SPDX-License-Identifier: MIT
//
// Sorts by the standard library, of keys of all types: std::sort and std::stable_sort of a copy, and of each row of it.
// Keys with places of 32 bits are an array of structs, sorted by std::stable_sort. std::is_sorted_until. Top-k of
// integers.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <execution>
#include <string>
#include <type_traits>
#include <vector>

namespace std_peer {
namespace {

// Elements are keys, or structs with one.
template <class Element> class sort_job : public job {
public:
    sort_job(const peer_job &from, bool parallel, const Element *in, bool stable)
        : job(parallel), in_(in), out_(from.n), stable_(stable)
    {
        by_rows = std::strncmp(from.primitive, "segmented_sort", 14) == 0;
    }

    void call() override
    {
        std::copy(in_, in_ + n, out_.begin());
        sort_copy();
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(Element)); }

protected:
    void sort_copy()
    {
        if (rows > 1)
            sort_rows();
        else if (parallel)
            sort(std::execution::par_unseq);
        else
            sort(std::execution::seq);
    }

    const Element *in_;
    std::vector<Element> out_;

private:
    template <class Policy> void sort(Policy policy)
    {
        const auto end = out_.begin() + static_cast<std::ptrdiff_t>(n);
        if (stable_)
            std::stable_sort(policy, out_.begin(), end);
        else
            std::sort(policy, out_.begin(), end);
    }

    void sort_rows()
    {
        std::vector<std::size_t> starts(rows);
        for (std::size_t row = 0; row < rows; row++)
            starts[row] = row * (n / rows);
        const auto sort_row = [this](std::size_t start) {
            Element *const first = out_.data() + start, *const end = first + n / rows;
            if (stable_)
                std::stable_sort(first, end);
            else
                std::sort(first, end);
        };
        if (parallel)
            std::for_each(std::execution::par, starts.begin(), starts.end(), sort_row);
        else
            std::for_each(starts.begin(), starts.end(), sort_row);
    }

    bool stable_;
};

template <class T> struct pair {
    T key;
    std::uint32_t place;

    bool operator<(const pair &other) const { return key < other.key; }
};

// The array of structs is made beforehand. Where places are none of the input, they are made in every call.
template <class T> class pairs_job final : public sort_job<pair<T>> {
public:
    pairs_job(const peer_job &from, bool parallel)
        : sort_job<pair<T>>(from, parallel, nullptr, true), pairs_(from.n), makes_places_(from.inputs == 1)
    {
        this->in_ = pairs_.data();
        for (std::size_t i = 0; i < from.n; i++)
            pairs_[i] = {static_cast<const T *>(from.in[0])[i],
                         makes_places_ ? 0 : static_cast<const std::uint32_t *>(from.in[1])[i]};
    }

    void call() override
    {
        if (makes_places_)
            for (std::size_t i = 0; i < this->n; i++)
                this->out_[i] = {pairs_[i].key, static_cast<std::uint32_t>(i)};
        else
            std::copy(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(this->n), this->out_.begin());
        this->sort_copy();
    }

    void fetch_all(void *const *out) const override
    {
        for (std::size_t i = 0; i < this->n; i++) {
            static_cast<T *>(out[0])[i] = this->out_[i].key;
            static_cast<std::uint32_t *>(out[1])[i] = this->out_[i].place;
        }
    }

private:
    std::vector<pair<T>> pairs_;
    bool makes_places_;
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

template <class T> job *open_sort(const peer_job &from, bool parallel)
{
    const std::string primitive = from.primitive;
    const bool by_comparison = primitive.rfind("merge_sort", 0) == 0;
    if (primitive == "is_sorted")
        return new is_sorted_job<T>(from, parallel);
    if ((primitive.rfind("sort", 0) == 0 || by_comparison || primitive.rfind("segmented_sort", 0) == 0) &&
        primitive != "sort_low8") {
        if (from.outputs > 1)
            return new pairs_job<T>(from, parallel);
        return new sort_job<T>(from, parallel, static_cast<const T *>(from.in[0]), by_comparison);
    }
    if (std::is_integral_v<T> && primitive.rfind("top_k", 0) == 0 && primitive.find("rows") == primitive.npos &&
        primitive.find("unsorted") == primitive.npos)
        return new top_k_job<T>(from, parallel);
    return nullptr;
}

template job *open_sort<std::int8_t>(const peer_job &, bool);
template job *open_sort<std::uint8_t>(const peer_job &, bool);
template job *open_sort<std::int16_t>(const peer_job &, bool);
template job *open_sort<std::uint16_t>(const peer_job &, bool);
template job *open_sort<std::int32_t>(const peer_job &, bool);
template job *open_sort<std::uint32_t>(const peer_job &, bool);
template job *open_sort<std::int64_t>(const peer_job &, bool);
template job *open_sort<std::uint64_t>(const peer_job &, bool);
template job *open_sort<float>(const peer_job &, bool);
template job *open_sort<double>(const peer_job &, bool);

} // namespace std_peer
