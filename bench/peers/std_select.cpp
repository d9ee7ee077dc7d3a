// SPDX-License-Identifier: MIT
//
// What is kept of an array: std::copy_if, std::unique_copy, std::partition_copy. And what the library has nothing for,
// by the loop that one would write: runs of equal keys, what bits say, tuples, splits.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace std_peer {
namespace {

// Runs of equal keys, and what `value_at` adds up to in each; sums wrap around.
template <class Key, class Value, class At> job *open_runs(const peer_job &from, At value_at)
{
    return maker<Key, Value, Key>::make(from, false, [=](auto, job &s, const Key *keys, Value *sums, Key *unique) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < s.n; i++) {
            if (i > 0 && keys[i] == keys[i - 1]) {
                sums[found - 1] = static_cast<Value>(sums[found - 1] + value_at(i));
            } else {
                unique[found] = keys[i];
                sums[found++] = value_at(i);
            }
        }
        return found;
    });
}

// What a bit for each element says; it is told as in rows of filter.
template <class T> job *open_bits(const peer_job &from)
{
    std::vector<std::uint32_t> bits((from.n + 31) / 32);
    for (std::size_t i = 0; i < from.n; i++) {
        const auto x = static_cast<unsigned>(static_cast<const T *>(from.in[0])[i]);
        bits[i / 32] |= static_cast<std::uint32_t>((x & 127) < from.kept) << i % 32;
    }
    return maker<T, T>::make(from, false, [bits = std::move(bits)](auto, job &s, const T *in, T *out) {
        std::size_t found = 0;
        for (std::size_t i = 0; i < s.n; i++) { // no branch on what is kept
            out[found] = in[i];
            found += bits[i / 32] >> i % 32 & 1;
        }
        return found;
    });
}

// Values with a float and an unsigned integer beside each.
template <class T> job *open_beside(const peer_job &from)
{
    const auto *const floats = static_cast<const float *>(from.in[1]);
    const auto *const numbers = static_cast<const std::uint32_t *>(from.in[2]);
    return maker<T, T, float, std::uint32_t>::make(
        from, false, [=, bound = from.kept](auto, job &s, const T *in, T *out, float *reals, std::uint32_t *ids) {
            std::size_t found = 0;
            for (std::size_t i = 0; i < s.n; i++) {
                out[found] = in[i];
                reals[found] = floats[i];
                ids[found] = numbers[i];
                found += (static_cast<unsigned>(in[i]) & 127) < bound;
            }
            return found;
        });
}

// Dealt out by the lowest bits: counted first, then each goes to its place.
template <class T> job *open_split(const peer_job &from, unsigned parts)
{
    return maker<T, T>::make(from, false, [mask = parts - 1](auto, job &s, const T *in, T *out) {
        std::size_t place[257] = {};
        for (std::size_t i = 0; i < s.n; i++)
            place[(static_cast<unsigned>(in[i]) & mask) + 1]++;
        for (unsigned d = 1; d < 257; d++)
            place[d] += place[d - 1];
        for (std::size_t i = 0; i < s.n; i++)
            out[place[static_cast<unsigned>(in[i]) & mask]++] = in[i];
        return s.n;
    });
}

// Loops on one core.
template <class T> job *open_loop(const peer_job &from, const std::string &primitive)
{
    using U = std::make_unsigned_t<T>;
    if (primitive == "reduce_by_key")
        return open_runs<std::uint32_t, U>(from, [values = static_cast<const U *>(from.in[1])](std::size_t i) {
            return values[i];
        });
    if (primitive == "run_lengths")
        return open_runs<U, std::uint32_t>(from, [](std::size_t) { return std::uint32_t(1); });
    if (primitive == "filter_bits")
        return open_bits<T>(from);
    if (primitive == "filter_tuple")
        return open_beside<T>(from);
    if (primitive == "split" || primitive == "split_16")
        return open_split<T>(from, primitive == "split" ? 256 : 16);
    return nullptr;
}

} // namespace

template <class T> job *open_select(const peer_job &from, bool parallel)
{
    const std::string primitive = from.primitive;
    const auto kept = [bound = from.kept](T x) { return (static_cast<unsigned>(x) & 127) < bound; };
    const auto count = [](const T *last, const T *out) { return static_cast<std::size_t>(last - out); };
    if (job *const loop = parallel ? nullptr : open_loop<T>(from, primitive))
        return loop;
    if (primitive == "unique") // the first of each run
        return maker<T, T>::make(from, parallel, [=](auto policy, job &s, const T *in, T *out) {
            return count(std::unique_copy(policy, in, in + s.n, out), out);
        });
    if (primitive == "partition") // the others, too, in the second half
        return maker<T, T>::make(from, parallel, [=](auto policy, job &s, const T *in, T *out) {
            return count(std::partition_copy(policy, in, in + s.n, out, out + s.n / 2, kept).second, out);
        });
    if (primitive.rfind("filter", 0) == 0 && primitive != "filter_bits" && primitive != "filter_tuple")
        return maker<T, T>::make(from, parallel, [=](auto policy, job &s, const T *in, T *out) {
            return count(std::copy_if(policy, in, in + s.n, out, kept), out);
        });
    return nullptr;
}
STD_PEER_INTEGERS(open_select)

} // namespace std_peer
