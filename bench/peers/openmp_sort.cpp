// SPDX-License-Identifier: MIT
//
// Radix sort of keys, and of pairs with places of 32 bits, on host memory by OpenMP: from the lowest digit of 8 bits to
// the highest. One reading counts all digits; those that all keys share are skipped. Each thread moves a part of its
// own. Where arrays are larger than caches, each digit has a line of 64 bytes, which goes to memory past them when it
// is full. Before each pass but the first, each of several threads counts that pass's digit of what it will move.
//
// Rows: one to a thread where there are many, else one after the other by all. What is short is sorted by comparisons.
// Floating-point numbers are in the order of their bits, -0 before +0.
#include "openmp_job.h"
#include "peer_types.h"
#include "openmp_lines.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace openmp_peer {
namespace {

constexpr std::size_t stream_bytes = 3 << 23; // arrays of more do not stay in caches

using place = std::uint32_t;

// ---- Keys ----

template <class T>
using bits_of = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                std::conditional_t<sizeof(T) == 2, std::uint16_t,
                std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

// A number that is in the order of the keys.
template <class T> bits_of<T> rank_of(bits_of<T> key)
{
    using bits = bits_of<T>;
    constexpr unsigned sign = 8 * sizeof(T) - 1;
    if constexpr (std::is_unsigned_v<T>)
        return key;
    else if constexpr (std::is_integral_v<T>)
        return static_cast<bits>(key ^ bits(1) << sign);
    else
        return key ^ ((bits(0) - (key >> sign)) | bits(1) << sign);
}

template <class T> unsigned digit_of(bits_of<T> key, unsigned digit)
{
    return static_cast<unsigned>(rank_of<T>(key) >> 8 * digit) & (radix - 1);
}

// ---- A sort ----

template <class Key> struct arrays {
    Key *keys;
    place *places; // of pairs; none of an input: the indices

    arrays from(std::size_t first) const { return {keys + first, places ? places + first : nullptr}; }
};

template <class T, bool Pairs> class sort {
public:
    using bits = bits_of<T>;
    using input = arrays<const bits>;
    using output = arrays<bits>;
    static constexpr unsigned digits = sizeof(T);
    struct alignas(line_bytes) counts {
        std::array<std::array<std::size_t, radix>, digits> of;
    };

    // counts: of each thread that there can be. wanted: so many digits decide.
    sort(input in, output out, output spare, std::size_t n, unsigned wanted, counts *all)
        : in_(in), out_(out), spare_(spare), n_(n), wanted_(wanted), counts_(all)
    {
    }

    // What one of several threads does; wait(): until all are there.
    template <class Wait> void work(unsigned self, unsigned threads, Wait wait)
    {
        const std::size_t first = n_ * self / threads, last = n_ * (self + 1) / threads;
        count_all(counts_[self], first, last);
        wait();
        const counts total = sum(threads);
        unsigned pass[digits], passes = 0;
        for (unsigned d = 0; d < wanted_; d++)
            if (total.of[d][digit_of<T>(in_.keys[0], d)] != n_)
                pass[passes++] = d;
        if (!passes)
            copy(first, last);
        input from = in_;
        for (unsigned k = 0; k < passes; k++) {
            const output to = (passes - k) % 2 ? out_ : spare_;
            if (k > 0 && threads > 1) {
                count(from.keys, counts_[self].of[pass[k]], pass[k], first, last);
                wait();
            }
            std::size_t next[radix];
            start(total, self, pass[k], next);
            if (n_ * (sizeof(T) + (Pairs ? sizeof(place) : 0)) > stream_bytes)
                stream_to(from, to, pass[k], first, last, next);
            else
                move(from, to, pass[k], first, last, next);
            wait();
            from = {to.keys, to.places};
        }
    }

    // Few elements, by one thread.
    void compare()
    {
        if constexpr (Pairs) {
            std::pair<bits, place> list[few];
            for (std::size_t i = 0; i < n_; i++)
                list[i] = {rank_of<T>(in_.keys[i]), static_cast<place>(i)};
            std::sort(list, list + n_);
            for (std::size_t i = 0; i < n_; i++) {
                out_.keys[i] = in_.keys[list[i].second];
                out_.places[i] = place_at(in_, list[i].second);
            }
        } else {
            std::memcpy(out_.keys, in_.keys, n_ * sizeof(T));
            std::sort(out_.keys, out_.keys + n_, [](bits a, bits b) { return rank_of<T>(a) < rank_of<T>(b); });
        }
    }

    static constexpr std::size_t few = 2 * sizeof(T) * sizeof(T); // digits cost more than these

private:
    static place place_at(input from, std::size_t i) { return from.places ? from.places[i] : static_cast<place>(i); }

    void count_all(counts &own, std::size_t first, std::size_t last) const
    {
        own = {};
        for (std::size_t i = first; i < last; i++) {
            const bits key = in_.keys[i];
#pragma GCC unroll 8
            for (unsigned d = 0; d < digits; d++)
                own.of[d][digit_of<T>(key, d)]++;
        }
    }

    static void count(const bits *keys, std::array<std::size_t, radix> &own, unsigned digit, std::size_t first,
                      std::size_t last)
    {
        own = {};
        for (std::size_t i = first; i < last; i++)
            own[digit_of<T>(keys[i], digit)]++;
    }

    counts sum(unsigned threads) const
    {
        counts total = counts_[0];
        for (unsigned t = 1; t < threads; t++)
            for (unsigned d = 0; d < digits; d++)
                for (unsigned b = 0; b < radix; b++)
                    total.of[d][b] += counts_[t].of[d][b];
        return total;
    }

    // Where the first element of each digit of a thread goes: behind lower digits, and the same of threads before it.
    void start(const counts &total, unsigned self, unsigned digit, std::size_t *next) const
    {
        std::size_t before = 0;
        for (unsigned b = 0; b < radix; b++) {
            next[b] = before;
            before += total.of[digit][b];
        }
        for (unsigned t = 0; t < self; t++)
            for (unsigned b = 0; b < radix; b++)
                next[b] += counts_[t].of[digit][b];
    }

    void copy(std::size_t first, std::size_t last) const
    {
        std::memcpy(out_.keys + first, in_.keys + first, (last - first) * sizeof(T));
        for (std::size_t i = first; Pairs && i < last; i++)
            out_.places[i] = place_at(in_, i);
    }

    static void move(input from, output to, unsigned digit, std::size_t first, std::size_t last, std::size_t *next)
    {
        for (std::size_t i = first; i < last; i++) {
            const bits key = from.keys[i];
            const std::size_t at = next[digit_of<T>(key, digit)]++;
            to.keys[at] = key;
            if constexpr (Pairs)
                to.places[at] = place_at(from, i);
        }
    }

    static void stream_to(input from, output to, unsigned digit, std::size_t first, std::size_t last, std::size_t *next)
    {
        struct nothing {
            nothing(place *, const std::size_t *) {}
        };
        std::size_t begin[radix];
        std::copy(next, next + radix, begin);
        lines<bits> keys(to.keys, begin);
        [[maybe_unused]] std::conditional_t<Pairs, lines<place>, nothing> places(to.places, begin);
        for (std::size_t i = first; i < last; i++) {
            const bits key = from.keys[i];
            const unsigned d = digit_of<T>(key, digit);
            const std::size_t at = next[d]++;
            keys.put(d, at, key);
            if constexpr (Pairs)
                places.put(d, at, place_at(from, i));
        }
        keys.finish(next);
        if constexpr (Pairs)
            places.finish(next);
        finish_streams();
    }

    input in_;
    output out_, spare_;
    std::size_t n_;
    unsigned wanted_;
    counts *counts_;
};

// ---- Jobs ----

template <class T, bool Pairs> class sort_job final : public job {
public:
    explicit sort_job(const peer_job &from)
        : in_{static_cast<const bits *>(from.in[0]),
              from.inputs > 1 ? static_cast<place *>(from.in[1]) : nullptr},
          keys_(allocate<bits>(from.n)), spare_keys_(allocate<bits>(from.n)), counts_(omp_get_max_threads()),
          wanted_(std::strcmp(from.primitive, "sort_low8") == 0 ? 1 : sizeof(T))
    {
        by_rows = true;
        if (!Pairs)
            return;
        places_ = allocate<place>(from.n);
        spare_places_ = allocate<place>(from.n);
    }

    void call() override
    {
        if (rows == 1 || !are_many(rows)) {
            for (std::size_t r = 0; r < rows; r++)
                sort_by_all(row(r, counts_.data()));
            return;
        }
#pragma omp parallel for schedule(dynamic, 4) if (rows * columns * sizeof(T) > block_bytes)
        for (std::size_t r = 0; r < rows; r++)
            sort_alone(row(r, &counts_[static_cast<unsigned>(omp_get_thread_num())]));
    }

    void fetch(void *const *out) const override
    {
        std::memcpy(out[0], keys_.get(), rows * columns * sizeof(T));
        if (Pairs)
            std::memcpy(out[1], places_.get(), rows * columns * sizeof(place));
    }

private:
    using bits = bits_of<T>;
    using one = sort<T, Pairs>;

    one row(std::size_t r, typename one::counts *counts)
    {
        const std::size_t first = r * columns;
        return one(in_.from(first), arrays<bits>{keys_.get(), places_.get()}.from(first),
                   arrays<bits>{spare_keys_.get(), spare_places_.get()}.from(first), columns, wanted_, counts);
    }

    void sort_alone(one row) const
    {
        if (columns <= one::few && wanted_ == sizeof(T))
            row.compare();
        else
            row.work(0, 1, [] {});
    }

    void sort_by_all(one row) const
    {
        if (columns * sizeof(T) <= block_bytes) {
            sort_alone(row);
            return;
        }
#pragma omp parallel firstprivate(row)
        row.work(static_cast<unsigned>(omp_get_thread_num()), static_cast<unsigned>(omp_get_num_threads()), [] {
#pragma omp barrier
        });
    }

    arrays<const bits> in_;
    memory<bits> keys_, spare_keys_;
    memory<place> places_, spare_places_;
    std::vector<typename one::counts> counts_;
    unsigned wanted_;
};

} // namespace

job *open_sort(const peer_job &from)
{
    const std::string primitive = from.primitive;
    if (primitive.rfind("sort", 0) != 0 && primitive.rfind("segmented_sort", 0) != 0) return nullptr;
    return peers::by_number<job>(from.type, [&](auto x) -> job * {
        using T = decltype(x);
        return from.outputs > 1 ? static_cast<job *>(new sort_job<T, true>(from)) : new sort_job<T, false>(from);
    });
}

} // namespace openmp_peer
