// SPDX-License-Identifier: MIT
//
// Sorts by the standard library, of keys of all types: std::sort and std::stable_sort of a copy, and of each row of it.
// Keys with places of 32 bits are an array of structs, sorted by std::stable_sort. std::is_sorted_until. Top-k of
// integers.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>

namespace std_peer {
namespace {

// Elements are keys, or structs with one.
template <class Policy, class Element> void sort(Policy policy, Element *first, Element *end, bool stable)
{
    if (stable)
        std::stable_sort(policy, first, end);
    else
        std::sort(policy, first, end);
}

template <class Policy, class Element> std::size_t sort_all(Policy policy, const job &s, Element *out, bool stable)
{
    const std::size_t size = s.n / s.rows;
    if (s.rows == 1) {
        sort(policy, out, out + s.n, stable);
        return s.n;
    }
    std::vector<std::size_t> numbers(s.rows);
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto sort_row = [=](std::size_t row) {
        sort(std::execution::seq, out + row * size, out + (row + 1) * size, stable);
    };
    if constexpr (is_serial<Policy>)
        std::for_each(numbers.begin(), numbers.end(), sort_row);
    else
        std::for_each(std::execution::par, numbers.begin(), numbers.end(), sort_row);
    return s.n;
}

template <class T> struct pair {
    T key;
    std::uint32_t place;

    bool operator<(const pair &other) const { return key < other.key; }
};

template <class T> void store(const pair<T> *values, std::size_t count, void *const *out)
{
    for (std::size_t i = 0; i < count; i++) {
        static_cast<T *>(out[0])[i] = values[i].key;
        static_cast<std::uint32_t *>(out[1])[i] = values[i].place;
    }
}

// The array of structs is made beforehand. Where places are none of the input, they are made in every call.
template <class T> job *open_pairs(const peer_job &from, bool parallel)
{
    const bool makes_places = from.inputs == 1;
    std::vector<pair<T>> pairs(from.n);
    for (std::size_t i = 0; i < from.n; i++)
        pairs[i] = {static_cast<const T *>(from.in[0])[i],
                    makes_places ? 0 : static_cast<const std::uint32_t *>(from.in[1])[i]};
    return maker<T, pair<T>>::make(
        from, parallel, [makes_places, pairs = std::move(pairs)](auto policy, job &s, const T *, pair<T> *out) {
            std::copy(pairs.data(), pairs.data() + s.n, out);
            for (std::size_t i = 0; makes_places && i < s.n; i++)
                out[i].place = static_cast<std::uint32_t>(i);
            return sort_all(policy, s, out, true);
        });
}

template <class T> job *open_keys(const peer_job &from, bool parallel, bool stable)
{
    return maker<T, T>::make(from, parallel, [stable](auto policy, job &s, const T *in, T *out) {
        std::copy(in, in + s.n, out);
        return sort_all(policy, s, out, stable);
    });
}

// The least k, as many as the primitive's name says.
template <class T> job *open_top_k(const peer_job &from, bool parallel)
{
    const std::size_t wanted = std::strtoul(std::strpbrk(from.primitive, "0123456789"), nullptr, 10);
    return maker<T, T>::make(from, parallel, [wanted](auto policy, job &s, const T *in, T *out) {
        const std::size_t k = std::min(wanted, s.n);
        if constexpr (is_serial<decltype(policy)>) {
            std::partial_sort_copy(in, in + s.n, out, out + k);
        } else {
            std::memcpy(out, in, s.n * sizeof(T));
            std::nth_element(policy, out, out + k, out + s.n);
            std::sort(policy, out, out + k);
        }
        return k;
    });
}

} // namespace

template <class T> job *open_sort(const peer_job &from, bool parallel)
{
    const std::string primitive = from.primitive;
    const bool by_comparison = primitive.rfind("merge_sort", 0) == 0;
    const bool by_rows = primitive.rfind("segmented_sort", 0) == 0;
    if (primitive == "is_sorted")
        return maker<T, std::uint64_t>::make(from, parallel, [](auto policy, job &s, const T *in, std::uint64_t *out) {
            *out = static_cast<std::uint64_t>(std::is_sorted_until(policy, in, in + s.n) - in);
            return std::size_t(1);
        });
    if ((primitive.rfind("sort", 0) == 0 || by_comparison || by_rows) && primitive != "sort_low8") {
        job *const made = from.outputs > 1 ? open_pairs<T>(from, parallel)
                                           : open_keys<T>(from, parallel, by_comparison);
        made->by_rows = by_rows;
        return made;
    }
    if (std::is_integral_v<T> && primitive.rfind("top_k", 0) == 0 && primitive.find("rows") == primitive.npos &&
        primitive.find("unsorted") == primitive.npos)
        return open_top_k<T>(from, parallel);
    return nullptr;
}

STD_PEER_INTEGERS(open_sort)
template job *open_sort<float>(const peer_job &, bool);
template job *open_sort<double>(const peer_job &, bool);

} // namespace std_peer
