// SPDX-License-Identifier: MIT
//
// OpenMP on host memory, as a good engineer writes it: loops that are vectorised, on every core, that read memory once.
//
//     scan              threads take blocks that fit into their caches in turn: reduce one, wait for what is before it,
//                       pass on what is before the next, and scan it while it is still cached
//     reduce            one loop; rows: a row to a thread, or one after the other where they are few and long
//     filter            blocks are compacted without branches, then copied behind what the blocks before them keep
//     sort              openmp_sort.cpp
#include "openmp_job.h"
#include "peer_types.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using openmp_peer::are_many;
using openmp_peer::block_bytes;
using openmp_peer::job;

// ---- Operators: totals and scans of what one thread does ----

#define DEFINE_OPERATOR(name, token, expression, nothing)                                               \
    struct name {                                                                                       \
        template <class T> static T neutral() { return nothing; }                                       \
        template <class T> static T join(T total, T x) { return static_cast<T>(expression); }           \
        template <class T> static T reduce(const T *in, std::size_t n)                                  \
        {                                                                                               \
            T total = nothing;                                                                          \
            _Pragma(PRAGMA(omp simd reduction(token : total)))                                          \
            for (std::size_t i = 0; i < n; i++)                                                         \
                total = join(total, in[i]);                                                             \
            return total;                                                                               \
        }                                                                                               \
        template <class T> static T reduce_by_all(const T *in, std::size_t n)                           \
        {                                                                                               \
            T total = nothing;                                                                          \
            _Pragma(PRAGMA(omp parallel for simd reduction(token : total) if (n * sizeof(T) > block_bytes))) \
            for (std::size_t i = 0; i < n; i++)                                                         \
                total = join(total, in[i]);                                                             \
            return total;                                                                               \
        }                                                                                               \
        template <class T> static void inclusive(const T *in, T *out, std::size_t n, T total)           \
        {                                                                                               \
            _Pragma(PRAGMA(omp simd reduction(inscan, token : total)))                                  \
            for (std::size_t i = 0; i < n; i++) {                                                       \
                total = join(total, in[i]);                                                             \
                _Pragma(PRAGMA(omp scan inclusive(total)))                                              \
                out[i] = total;                                                                         \
            }                                                                                           \
        }                                                                                               \
        template <class T> static void exclusive(const T *in, T *out, std::size_t n, T total)           \
        {                                                                                               \
            _Pragma(PRAGMA(omp simd reduction(inscan, token : total)))                                  \
            for (std::size_t i = 0; i < n; i++) {                                                       \
                out[i] = total;                                                                         \
                _Pragma(PRAGMA(omp scan exclusive(total)))                                              \
                total = join(total, in[i]);                                                             \
            }                                                                                           \
        }                                                                                               \
    };
#define PRAGMA(...) #__VA_ARGS__

DEFINE_OPERATOR(plus, +, total + x, T(0))
DEFINE_OPERATOR(minimum, min, x < total ? x : total, peers::largest<T>())
DEFINE_OPERATOR(maximum, max, total < x ? x : total, peers::least<T>())

// ---- Blocks in turn ----

// What is before a block, passed on from block to block. Marks are the number of the call: nothing is cleared.
template <class T> class chain {
public:
    explicit chain(std::size_t blocks) : slots_(std::make_unique<slot[]>(blocks + 1)) {}

    void start(T nothing)
    {
        call_++;
        next_.store(0, std::memory_order_relaxed);
        pass(0, nothing);
    }

    std::size_t take() { return next_.fetch_add(1, std::memory_order_relaxed); }

    void pass(std::size_t block, T before)
    {
        slots_[block].before = before;
        slots_[block].mark.store(call_, std::memory_order_release);
    }

    T before(std::size_t block) const
    {
        for (unsigned turns = 0; slots_[block].mark.load(std::memory_order_acquire) != call_; turns++)
            if (turns > 1000) // its thread has lost its core
                std::this_thread::yield();
        return slots_[block].before;
    }

private:
    struct alignas(64) slot {
        std::atomic<std::uint64_t> mark{0};
        T before;
    };
    std::unique_ptr<slot[]> slots_;
    std::atomic<std::size_t> next_{0};
    std::uint64_t call_ = 0;
};

template <class T> constexpr std::size_t block_size = block_bytes / sizeof(T);

template <class T> std::size_t blocks_of(std::size_t n) { return (n + block_size<T> - 1) / block_size<T>; }

// ---- Jobs ----

template <class T, class Op> class scan_job final : public job {
public:
    explicit scan_job(const peer_job &from)
        : in_(static_cast<const T *>(from.in[0])), out_(from.n), exclusive_(from.exclusive != 0),
          chain_(blocks_of<T>(from.n))
    {
        by_rows = true;
    }

    void call() override
    {
        if (rows == 1 || !are_many(rows)) {
            for (std::size_t r = 0; r < rows; r++)
                scan_row(in_ + r * columns, out_.data() + r * columns);
            return;
        }
#pragma omp parallel for if (rows * columns * sizeof(T) > block_bytes)
        for (std::size_t r = 0; r < rows; r++)
            scan(in_ + r * columns, out_.data() + r * columns, columns, Op::template neutral<T>());
    }

    void fetch(void *const *out) const override { std::memcpy(out[0], out_.data(), rows * columns * sizeof(T)); }

private:
    void scan(const T *in, T *out, std::size_t n, T before) const
    {
        if (exclusive_)
            Op::exclusive(in, out, n, before);
        else
            Op::inclusive(in, out, n, before);
    }

    void scan_row(const T *in, T *out)
    {
        const std::size_t blocks = blocks_of<T>(columns);
        if (blocks == 1) {
            scan(in, out, columns, Op::template neutral<T>());
            return;
        }
        chain_.start(Op::template neutral<T>());
#pragma omp parallel
        for (std::size_t block; (block = chain_.take()) < blocks;) {
            const std::size_t first = block * block_size<T>, n = std::min(block_size<T>, columns - first);
            const T total = Op::reduce(in + first, n), before = chain_.before(block);
            chain_.pass(block + 1, Op::join(before, total));
            scan(in + first, out + first, n, before);
        }
    }

    const T *in_;
    std::vector<T> out_;
    bool exclusive_;
    chain<T> chain_;
};

template <class T, class Op> class reduce_job final : public job {
public:
    explicit reduce_job(const peer_job &from) : in_(static_cast<const T *>(from.in[0])), out_(from.results)
    {
        by_rows = true;
    }

    void call() override
    {
        if (rows == 1 || !are_many(rows)) {
            for (std::size_t r = 0; r < rows; r++)
                out_[r] = Op::reduce_by_all(in_ + r * columns, columns);
            return;
        }
#pragma omp parallel for if (rows * columns * sizeof(T) > block_bytes)
        for (std::size_t r = 0; r < rows; r++)
            out_[r] = Op::reduce(in_ + r * columns, columns);
    }

    void fetch(void *const *out) const override { std::memcpy(out[0], out_.data(), rows * sizeof(T)); }

private:
    const T *in_;
    std::vector<T> out_;
};

template <class T> class filter_job final : public job {
public:
    explicit filter_job(const peer_job &from)
        : in_(static_cast<const T *>(from.in[0])), out_(from.n), bound_(from.kept), chain_(blocks_of<T>(from.n))
    {
    }

    void call() override
    {
        const std::size_t blocks = blocks_of<T>(columns);
        if (blocks == 1) {
            found_ = compact(in_, columns, out_.data());
            return;
        }
        chain_.start(0);
#pragma omp parallel
        {
            std::vector<T> kept(block_size<T>);
            for (std::size_t block; (block = chain_.take()) < blocks;) {
                const std::size_t first = block * block_size<T>;
                const std::size_t count = compact(in_ + first, std::min(block_size<T>, columns - first), kept.data());
                const std::size_t before = chain_.before(block);
                chain_.pass(block + 1, before + count);
                std::memcpy(out_.data() + before, kept.data(), count * sizeof(T));
            }
        }
        found_ = chain_.before(blocks);
    }

    void fetch(void *const *out) const override { std::memcpy(out[0], out_.data(), found_ * sizeof(T)); }

private:
    // Writes no more than n elements, but those behind the last one kept as well.
    std::size_t compact(const T *in, std::size_t n, T *out) const
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < n; i++) {
            out[count] = in[i];
            count += (static_cast<unsigned>(in[i]) & 127) < bound_;
        }
        return count;
    }

    const T *in_;
    std::vector<T> out_;
    unsigned bound_;
    std::size_t found_ = 0;
    chain<std::size_t> chain_;
};

// ---- Which job ----

template <class T, class Op> job *open_with(const std::string &primitive, const peer_job &from)
{
    if (primitive == "scan" || primitive == "segmented_scan")
        return new scan_job<T, Op>(from);
    if (primitive == "reduce" || primitive == "segmented_reduce")
        return new reduce_job<T, Op>(from);
    return nullptr;
}

template <class T> job *open_typed(const peer_job &from)
{
    using Sum = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::common_type<T>>::type;
    const std::string op = from.op, primitive = from.primitive;
    if constexpr (std::is_integral_v<T>)
        if (primitive.rfind("filter", 0) == 0 && primitive != "filter_bits" && primitive != "filter_tuple")
            return new filter_job<T>(from);
    return op == "sum" ? open_with<Sum, plus>(primitive, from)
           : op == "min" ? open_with<T, minimum>(primitive, from)
           : op == "max" ? open_with<T, maximum>(primitive, from)
           : nullptr;
}

job *open_job(const peer_job &from)
{
    if (job *const sort = openmp_peer::open_sort(from)) return sort;
    return peers::by_number<job>(from.type, [&](auto x) { return open_typed<decltype(x)>(from); });
}

void *open(const peer_job *from) noexcept
{
    try {
        return open_job(*from);
    } catch (...) {
        return nullptr; // out of memory
    }
}

int shape(void *state, std::uint64_t count, std::uint64_t size)
{
    job *const self = static_cast<job *>(state);
    self->rows = count;
    self->columns = size;
    return count == 1 || self->by_rows;
}
void call(void *state) { static_cast<job *>(state)->call(); }
void wait(void *) {}
void fetch(void *state, void *const *out) { static_cast<job *>(state)->fetch(out); }
void close(void *state) { delete static_cast<job *>(state); }

} // namespace

extern "C" {
extern const peer peer_openmp = {"openmp", open, shape, call, nullptr, wait, fetch, close, nullptr, 0, nullptr};
}
