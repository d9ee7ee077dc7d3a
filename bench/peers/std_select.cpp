// SPDX-License-Identifier: MIT
//
// What is kept of an array: std::copy_if, std::unique_copy, std::partition_copy. And what the library has nothing for,
// by the loop that one would write: runs of equal keys, what bits say, tuples, splits.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <execution>
#include <string>
#include <type_traits>
#include <vector>

namespace std_peer {
namespace {

// What rows of filter keep; unique: the first of each run; partition: the others, too, in the second half.
enum class select { filter, unique, partition };
template <class T, select What> class filter_job final : public job {
public:
    filter_job(const peer_job &from, bool parallel)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), out_(from.n), bound_(from.kept)
    {
    }

    void call() override
    {
        if (parallel)
            run(std::execution::par_unseq);
        else
            run(std::execution::seq);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), found_ * sizeof(T)); }

private:
    template <class Policy> void run(Policy policy)
    {
        const T *end = in_ + n;
        const auto kept = [bound = bound_](T x) { return (static_cast<unsigned>(x) & 127) < bound; };
        auto last = out_.begin();
        if constexpr (What == select::unique)
            last = std::unique_copy(policy, in_, end, out_.begin());
        else if constexpr (What == select::partition)
            last = std::partition_copy(policy, in_, end, out_.begin(), out_.begin() + n / 2, kept).second;
        else
            last = std::copy_if(policy, in_, end, out_.begin(), kept);
        found_ = static_cast<std::size_t>(last - out_.begin());
    }

    const T *in_;
    std::vector<T> out_;
    unsigned bound_;
    std::size_t found_ = 0;
};

// Runs of equal keys. Sums of Value wrap around; Lengths: how long each run is.
template <class Key, class Value, bool Lengths> class runs_job final : public job {
public:
    explicit runs_job(const peer_job &from)
        : job(false), keys_(static_cast<const Key *>(from.in[0])),
          values_(Lengths ? nullptr : static_cast<const Value *>(from.in[1])), unique_(from.n), sums_(from.n)
    {
    }

    void call() override
    {
        found_ = 0;
        for (std::size_t i = 0; i < n; i++) {
            const Value value = Lengths ? Value(1) : values_[i];
            if (i > 0 && keys_[i] == keys_[i - 1]) {
                sums_[found_ - 1] = static_cast<Value>(sums_[found_ - 1] + value);
            } else {
                unique_[found_] = keys_[i];
                sums_[found_++] = value;
            }
        }
    }

    void fetch(void *out) const override { std::memcpy(out, sums_.data(), found_ * sizeof(Value)); }

    void fetch_all(void *const *out) const override
    {
        fetch(out[0]);
        std::memcpy(out[1], unique_.data(), found_ * sizeof(Key));
    }

private:
    const Key *keys_;
    const Value *values_;
    std::vector<Key> unique_;
    std::vector<Value> sums_;
    std::size_t found_ = 0;
};

// What a bit for each element says; it is told as in rows of filter.
template <class T> class bits_job final : public job {
public:
    explicit bits_job(const peer_job &from)
        : job(false), in_(static_cast<const T *>(from.in[0])), bits_((from.n + 31) / 32), out_(from.n)
    {
        for (std::size_t i = 0; i < from.n; i++)
            bits_[i / 32] |= static_cast<std::uint32_t>((static_cast<unsigned>(in_[i]) & 127) < from.kept) << i % 32;
    }

    void call() override
    {
        found_ = 0;
        for (std::size_t i = 0; i < n; i++) { // no branch on what is kept
            out_[found_] = in_[i];
            found_ += bits_[i / 32] >> i % 32 & 1;
        }
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), found_ * sizeof(T)); }

private:
    const T *in_;
    std::vector<std::uint32_t> bits_;
    std::vector<T> out_;
    std::size_t found_ = 0;
};

// Values with a float and an unsigned integer beside each.
template <class T> class tuple_job final : public job {
public:
    explicit tuple_job(const peer_job &from)
        : job(false), in_(static_cast<const T *>(from.in[0])), floats_(static_cast<const float *>(from.in[1])),
          numbers_(static_cast<const std::uint32_t *>(from.in[2])), out_(from.n), out_floats_(from.n),
          out_numbers_(from.n), bound_(from.kept)
    {
    }

    void call() override
    {
        found_ = 0;
        for (std::size_t i = 0; i < n; i++) {
            out_[found_] = in_[i];
            out_floats_[found_] = floats_[i];
            out_numbers_[found_] = numbers_[i];
            found_ += (static_cast<unsigned>(in_[i]) & 127) < bound_;
        }
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), found_ * sizeof(T)); }

    void fetch_all(void *const *out) const override
    {
        fetch(out[0]);
        std::memcpy(out[1], out_floats_.data(), found_ * sizeof(float));
        std::memcpy(out[2], out_numbers_.data(), found_ * sizeof(std::uint32_t));
    }

private:
    const T *in_;
    const float *floats_;
    const std::uint32_t *numbers_;
    std::vector<T> out_;
    std::vector<float> out_floats_;
    std::vector<std::uint32_t> out_numbers_;
    unsigned bound_;
    std::size_t found_ = 0;
};

// Dealt out by the lowest bits: counted first, then each goes to its place.
template <class T> class split_job final : public job {
public:
    split_job(const peer_job &from, unsigned parts)
        : job(false), in_(static_cast<const T *>(from.in[0])), out_(from.n), mask_(parts - 1)
    {
    }

    void call() override
    {
        std::size_t place[257] = {};
        for (std::size_t i = 0; i < n; i++)
            place[digit(in_[i]) + 1]++;
        for (unsigned d = 1; d < 257; d++)
            place[d] += place[d - 1];
        for (std::size_t i = 0; i < n; i++)
            out_[place[digit(in_[i])]++] = in_[i];
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(T)); }

private:
    unsigned digit(T x) const { return static_cast<unsigned>(x) & mask_; }

    const T *in_;
    std::vector<T> out_;
    unsigned mask_;
};

// Loops on one core.
template <class T> job *open_loop(const peer_job &from)
{
    const std::string primitive = from.primitive;
    using U = std::make_unsigned_t<T>;
    if (primitive == "reduce_by_key")
        return new runs_job<std::uint32_t, U, false>(from);
    if (primitive == "run_lengths")
        return new runs_job<U, std::uint32_t, true>(from);
    if (primitive == "filter_bits")
        return new bits_job<T>(from);
    if (primitive == "filter_tuple")
        return new tuple_job<T>(from);
    if (primitive == "split" || primitive == "split_16")
        return new split_job<T>(from, primitive == "split" ? 256 : 16);
    return nullptr;
}

} // namespace

template <class T> job *open_select(const peer_job &from, bool parallel)
{
    const std::string primitive = from.primitive;
    job *const loop = parallel ? nullptr : open_loop<T>(from);
    if (loop)
        return loop;
    if (primitive == "unique")
        return new filter_job<T, select::unique>(from, parallel);
    if (primitive == "partition")
        return new filter_job<T, select::partition>(from, parallel);
    if (primitive.rfind("filter", 0) == 0 && primitive != "filter_bits" && primitive != "filter_tuple")
        return new filter_job<T, select::filter>(from, parallel);
    return nullptr;
}

template job *open_select<std::int8_t>(const peer_job &, bool);
template job *open_select<std::uint8_t>(const peer_job &, bool);
template job *open_select<std::int16_t>(const peer_job &, bool);
template job *open_select<std::uint16_t>(const peer_job &, bool);
template job *open_select<std::int32_t>(const peer_job &, bool);
template job *open_select<std::uint32_t>(const peer_job &, bool);
template job *open_select<std::int64_t>(const peer_job &, bool);
template job *open_select<std::uint64_t>(const peer_job &, bool);

} // namespace std_peer
