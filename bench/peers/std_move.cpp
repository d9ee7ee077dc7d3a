// SPDX-License-Identifier: MIT
//
// What goes where an index or an order tells: gathers and scatters by std::for_each, std::merge, std::lower_bound.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace std_peer {
namespace {

// std::for_each over the indices: the standard library has no gather.
template <class T> job *open_gather(const peer_job &from, bool parallel, bool scatters, bool halves)
{
    return maker<T, T>::make(from, parallel, [=, first = from.indices](auto policy, job &s, const T *in, T *out) {
        const std::size_t moved = halves ? s.n / 2 : s.n;
        std::for_each(policy, first, first + moved, [=](const std::uint32_t &x) {
            const std::size_t i = static_cast<std::size_t>(&x - first);
            out[scatters ? x : i] = in[scatters ? i : x];
        });
        return moved;
    });
}

} // namespace

// Halves of n elements, each sorted; the second begins where that of the longest case does.
template <class T> job *open_move(const peer_job &from, bool parallel)
{
    const std::string primitive = from.primitive;
    const std::size_t second = from.n / 2;
    const bool scatters = primitive.rfind("scatter", 0) == 0;
    if (scatters || primitive.rfind("gather", 0) == 0)
        return open_gather<T>(from, parallel, scatters, primitive == "gather_sorted");
    if (primitive == "merge")
        return maker<T, T>::make(from, parallel, [second](auto policy, job &s, const T *in, T *out) {
            const std::size_t half = s.n / 2;
            std::merge(policy, in, in + half, in + second, in + second + half, out);
            return 2 * half;
        });
    if (primitive.rfind("lower_bound", 0) == 0) // the first half is searched for each of the second
        return maker<T, std::uint32_t>::make(from, parallel, [second](auto policy, job &s, const T *in, auto *out) {
            const T *const end = in + s.n / 2;
            std::transform(policy, in + second, in + second + s.n / 2, out, [in, end](T x) {
                return static_cast<std::uint32_t>(std::lower_bound(in, end, x) - in);
            });
            return s.n / 2;
        });
    return nullptr;
}
STD_PEER_INTEGERS(open_move)

} // namespace std_peer
