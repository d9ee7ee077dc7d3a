// SPDX-License-Identifier: MIT
//
// The C++ standard library on host memory: std::inclusive_scan, std::exclusive_scan, std::reduce,
// std::adjacent_difference, std::copy_if, std::unique_copy, std::partition_copy, std::merge, std::lower_bound and, for
// gathers and scatters, std::for_each, serial ("std") and with std::execution::par_unseq ("std-par"; libstdc++ runs it
// on TBB). What a C++ programmer with a CPU uses.
#include "peer.h"

#include <algorithm>
#include <cstring>
#include <execution>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

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

struct job {
    explicit job(bool parallel) : parallel(parallel) {}
    virtual ~job() = default;
    virtual void call() = 0;
    virtual void fetch(void *out) const = 0;

    bool parallel;
    std::size_t n = 0;
};

template <class T, class Op> class scan_job final : public job {
public:
    scan_job(const peer_job &from, bool parallel, Op op, T neutral)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), out_(from.n), exclusive_(from.exclusive != 0),
          op_(op), neutral_(neutral)
    {
    }

    void call() override
    {
        if (parallel)
            run(std::execution::par_unseq);
        else
            run(std::execution::seq);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(T)); }

private:
    template <class Policy> void run(Policy policy)
    {
        const T *end = in_ + n;
        if (exclusive_)
            std::exclusive_scan(policy, in_, end, out_.begin(), neutral_, op_);
        else
            std::inclusive_scan(policy, in_, end, out_.begin(), op_);
    }

    const T *in_;
    std::vector<T> out_;
    bool exclusive_;
    Op op_;
    T neutral_;
};

template <class T, class Op> class reduce_job final : public job {
public:
    reduce_job(const peer_job &from, bool parallel, Op op, T neutral)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), op_(op), neutral_(neutral)
    {
    }

    void call() override
    {
        sum_ = parallel ? std::reduce(std::execution::par_unseq, in_, in_ + n, neutral_, op_)
                        : std::reduce(std::execution::seq, in_, in_ + n, neutral_, op_);
    }

    void fetch(void *out) const override { std::memcpy(out, &sum_, sizeof(T)); }

private:
    const T *in_;
    Op op_;
    T neutral_, sum_ = neutral_;
};

// Its operator is given the element, then the one before it.
template <class T, class Op> class adjacent_job final : public job {
public:
    adjacent_job(const peer_job &from, bool parallel, Op op)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), out_(from.n), op_(op)
    {
    }

    void call() override
    {
        const auto f = [op = op_](T x, T previous) { return op(previous, x); };
        if (parallel)
            std::adjacent_difference(std::execution::par_unseq, in_, in_ + n, out_.begin(), f);
        else
            std::adjacent_difference(std::execution::seq, in_, in_ + n, out_.begin(), f);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(T)); }

private:
    const T *in_;
    std::vector<T> out_;
    Op op_;
};

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

// Runs of equal keys by the loop that one would write: there is none in the library. Sums of Value wrap around;
// Lengths: how long each run is.
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

template <class T> T least()
{
    return std::is_integral_v<T> ? std::numeric_limits<T>::min() : -std::numeric_limits<T>::infinity();
}

template <class T> T largest()
{
    return std::is_integral_v<T> ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
}

template <class T, class Op> job *open_with(const peer_job &from, bool parallel, T neutral)
{
    const std::string primitive = from.primitive;
    if (primitive == "scan")
        return new scan_job<T, Op>(from, parallel, {}, neutral);
    if (primitive == "reduce")
        return new reduce_job<T, Op>(from, parallel, {}, neutral);
    if (primitive == "adjacent_difference")
        return new adjacent_job<T, Op>(from, parallel, {});
    if constexpr (std::is_integral_v<T> && std::is_same_v<Op, plus>) {
        using U = std::make_unsigned_t<T>;
            return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
        } else {
            return a + b;
        }
    }
};

struct job {
    explicit job(bool parallel) : parallel(parallel) {}
    virtual ~job() = default;
    virtual void call() = 0;
    virtual void fetch(void *out) const = 0;
    virtual void fetch_all(void *const *out) const { fetch(out[0]); }

    bool parallel;
    std::size_t n = 0;
};

template <class T, class Op> class scan_job final : public job {
public:
    scan_job(const peer_job &from, bool parallel, Op op, T neutral)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), out_(from.n), exclusive_(from.exclusive != 0),
          op_(op), neutral_(neutral)
    {
    }

    void call() override
    {
        if (parallel)
            run(std::execution::par_unseq);
        else
            run(std::execution::seq);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(T)); }

private:
    template <class Policy> void run(Policy policy)
    {
        const T *end = in_ + n;
        if (exclusive_)
            std::exclusive_scan(policy, in_, end, out_.begin(), neutral_, op_);
        else
            std::inclusive_scan(policy, in_, end, out_.begin(), op_);
    }

    const T *in_;
    std::vector<T> out_;
    bool exclusive_;
    Op op_;
    T neutral_;
};

template <class T, class Op> class reduce_job final : public job {
public:
    reduce_job(const peer_job &from, bool parallel, Op op, T neutral)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), op_(op), neutral_(neutral)
    {
    }

    void call() override
    {
        sum_ = parallel ? std::reduce(std::execution::par_unseq, in_, in_ + n, neutral_, op_)
                        : std::reduce(std::execution::seq, in_, in_ + n, neutral_, op_);
    }

    void fetch(void *out) const override { std::memcpy(out, &sum_, sizeof(T)); }

private:
    const T *in_;
    Op op_;
    T neutral_, sum_ = neutral_;
};

// Its operator is given the element, then the one before it.
template <class T, class Op> class adjacent_job final : public job {
public:
    adjacent_job(const peer_job &from, bool parallel, Op op)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), out_(from.n), op_(op)
    {
    }

    void call() override
    {
        const auto f = [op = op_](T x, T previous) { return op(previous, x); };
        if (parallel)
            std::adjacent_difference(std::execution::par_unseq, in_, in_ + n, out_.begin(), f);
        else
            std::adjacent_difference(std::execution::seq, in_, in_ + n, out_.begin(), f);
    }

    void fetch(void *out) const override { std::memcpy(out, out_.data(), n * sizeof(T)); }

private:
    const T *in_;
    std::vector<T> out_;
    Op op_;
};

// What is kept as rows of filter keep it; Unique: the first of each run.
template <class T, bool Unique> class filter_job final : public job {
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
        if constexpr (Unique)
            last = std::unique_copy(policy, in_, end, out_.begin());
        else
            last = std::copy_if(policy, in_, end, out_.begin(), kept);
        found_ = static_cast<std::size_t>(last - out_.begin());
    }

    const T *in_;
    std::vector<T> out_;
    unsigned bound_;
    std::size_t found_ = 0;
};

// Runs of equal keys by the loop that one would write: there is none in the library. Sums of Value wrap around;
// Lengths: how long each run is.
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

template <class T> T least()
{
    return std::is_integral_v<T> ? std::numeric_limits<T>::min() : -std::numeric_limits<T>::infinity();
}

template <class T> T largest()
{
    return std::is_integral_v<T> ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
}

template <class T, class Op> job *open_with(const peer_job &from, bool parallel, T neutral)
{
    const std::string primitive = from.primitive;
    if (primitive == "scan")
        return new scan_job<T, Op>(from, parallel, {}, neutral);
    if (primitive == "reduce")
        return new reduce_job<T, Op>(from, parallel, {}, neutral);
    if (primitive == "adjacent_difference")
        return new adjacent_job<T, Op>(from, parallel, {});
    if constexpr (std::is_integral_v<T> && std::is_same_v<Op, plus>) {
        using U = std::make_unsigned_t<T>;
        if (primitive == "reduce_by_key" && !parallel)
            return new runs_job<std::uint32_t, U, false>(from);
        if (primitive == "run_lengths" && !parallel)
            return new runs_job<U, std::uint32_t, true>(from);
        if (primitive == "unique")
            return new filter_job<T, select::unique>(from, parallel);
        if (primitive == "partition")
            return new filter_job<T, select::partition>(from, parallel);
        if (primitive.rfind("gather", 0) == 0 || primitive.rfind("scatter", 0) == 0)
            return new gather_job<T>(from, parallel);
        if (primitive == "merge")
            return new merge_job<T>(from, parallel);
        if (primitive.rfind("lower_bound", 0) == 0)
            return new lower_bound_job<T>(from, parallel);
        if (primitive.rfind("filter", 0) == 0 && primitive != "filter_bits")
            return new filter_job<T, select::filter>(from, parallel);
    }
    return nullptr;
}

template <class T> job *open_typed(const peer_job &from, bool parallel)
{
    const std::string op = from.op;
    if (op == "sum")
        return open_with<T, plus>(from, parallel, T(0));
    if (op == "min")
        return open_with<T, minimum>(from, parallel, largest<T>());
    if (op == "max")
        return open_with<T, maximum>(from, parallel, least<T>());
    return nullptr;
}

job *open_job(const peer_job &from, bool parallel)
{
    const std::string type = from.type;
    if (type == "i8") return open_typed<std::int8_t>(from, parallel);
    if (type == "u8") return open_typed<std::uint8_t>(from, parallel);
    if (type == "i16") return open_typed<std::int16_t>(from, parallel);
    if (type == "u16") return open_typed<std::uint16_t>(from, parallel);
    if (type == "i32") return open_typed<std::int32_t>(from, parallel);
    if (type == "u32") return open_typed<std::uint32_t>(from, parallel);
    if (type == "i64") return open_typed<std::int64_t>(from, parallel);
    if (type == "u64") return open_typed<std::uint64_t>(from, parallel);
    if (type == "f32") return open_typed<float>(from, parallel);
    if (type == "f64") return open_typed<double>(from, parallel);
    return nullptr;
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
    static_cast<job *>(state)->n = size;
    return count == 1;
}
void call(void *state) { static_cast<job *>(state)->call(); }
void wait(void *) {}
void fetch(void *state, void *const *out) { static_cast<job *>(state)->fetch(out[0]); }
void close(void *state) { delete static_cast<job *>(state); }

} // namespace

extern "C" {
extern const peer peer_std_serial = {"std", open_serial, shape, call, nullptr, wait, fetch, close};
extern const peer peer_std_par = {"std-par", open_parallel, shape, call, nullptr, wait, fetch, close};
}
