// SPDX-License-Identifier: MIT
//
// The operators on tuples over an array of structs, as C++ programmers write them: scans and reductions by the
// standard library. Where an element is a map's result, the array holds what is mapped. std::reduce wants a commutative
// operator: others are reduced by std::execution::par, which libstdc++ joins in order. Serially a reduction is a plain
// loop.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <execution>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace std_peer {
namespace {

// ---- Operators: as in ../user_operators.c ----

struct tuple4 {
    struct value {
        std::uint64_t a, b, c, d;
    };
    using field = std::uint64_t;
    using element = value;
    static constexpr bool commutative = true;
    static constexpr value neutral() { return {0, 0, 0, 0}; }
    value operator()(const value &x, const value &y) const { return {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d}; }
};

struct affine {
    struct value {
        std::uint32_t scale, shift;
    };
    using field = std::uint32_t;
    using element = value;
    static constexpr bool commutative = false;
    static constexpr value neutral() { return {1, 0}; }
    value operator()(const value &x, const value &y) const { return {x.scale * y.scale, x.shift * y.scale + y.shift}; }
};

struct mat2 {
    struct value {
        std::uint32_t a, b, c, d;
    };
    using field = std::uint32_t;
    using element = value;
    static constexpr bool commutative = false;
    static constexpr std::uint32_t P = 46337;
    static constexpr value neutral() { return {1, 0, 0, 1}; }
    value operator()(const value &x, const value &y) const
    {
        return {(x.a * y.a + x.b * y.c) % P, (x.a * y.b + x.b * y.d) % P, (x.c * y.a + x.d * y.c) % P,
                (x.c * y.b + x.d * y.d) % P};
    }
};

struct lssp {
    struct value {
        std::int32_t best, head, tail, length, first, last;
    };
    using field = std::int32_t;
    using element = std::int32_t;
    static constexpr bool commutative = false;
    static constexpr value neutral() { return {0, 0, 0, 0, 0, 0}; }
    static value map(element x) { return {1, 1, 1, 1, x, x}; }
    value operator()(const value &x, const value &y) const
    {
        const bool joined = x.last <= y.first || x.length == 0 || y.length == 0;
        value z;
        z.best = std::max(std::max(x.best, y.best), joined ? x.tail + y.head : 0);
        z.head = x.head == x.length && joined ? x.length + y.head : x.head;
        z.tail = y.tail == y.length && joined ? y.length + x.tail : y.tail;
        z.length = x.length + y.length;
        z.first = x.length == 0 ? y.first : x.first;
        z.last = y.length == 0 ? x.last : y.last;
        return z;
    }
};

struct gcd {
    struct value {
        std::uint32_t d;
    };
    using field = std::uint32_t;
    using element = value;
    static constexpr bool commutative = true;
    static constexpr value neutral() { return {0}; }
    value operator()(value x, value y) const
    {
        while (y.d) {
            const std::uint32_t rest = x.d % y.d;
            x.d = y.d;
            y.d = rest;
        }
        return x;
    }
};

// ---- Jobs ----

template <class Op> class tuple_job : public job {
protected:
    using value = typename Op::value;
    using element = typename Op::element;
    using field = typename Op::field;
    static constexpr bool mapped = !std::is_same_v<value, element>;

    tuple_job(const peer_job &from, bool parallel) : job(parallel), in_(from.n)
    {
        constexpr unsigned fields = sizeof(element) / sizeof(field);
        for (std::size_t i = 0; i < from.n; i++)
            for (unsigned f = 0; f < fields; f++)
                std::memcpy(reinterpret_cast<char *>(&in_[i]) + f * sizeof(field),
                            static_cast<const field *>(from.in[f]) + i, sizeof(field));
    }

    static void scatter(const value *values, std::size_t count, void *const *out)
    {
        constexpr unsigned fields = sizeof(value) / sizeof(field);
        for (std::size_t i = 0; i < count; i++)
            for (unsigned f = 0; f < fields; f++)
                std::memcpy(static_cast<field *>(out[f]) + i,
                            reinterpret_cast<const char *>(&values[i]) + f * sizeof(field), sizeof(field));
    }

    void fetch(void *) const override {} // fetch_all does it

    std::vector<element> in_;
};

template <class Op> class tuple_scan final : public tuple_job<Op> {
public:
    tuple_scan(const peer_job &from, bool parallel)
        : tuple_job<Op>(from, parallel), out_(from.n), exclusive_(from.exclusive != 0)
    {
    }

    void call() override
    {
        if (this->parallel)
            run(std::execution::par_unseq);
        else
            run(std::execution::seq);
    }

    void fetch_all(void *const *out) const override { this->scatter(out_.data(), this->n, out); }

private:
    template <class Policy> void run(Policy policy)
    {
        const auto first = this->in_.cbegin(), last = first + static_cast<std::ptrdiff_t>(this->n);
        if constexpr (tuple_job<Op>::mapped) {
            if (exclusive_)
                std::transform_exclusive_scan(policy, first, last, out_.begin(), Op::neutral(), Op(), Op::map);
            else
                std::transform_inclusive_scan(policy, first, last, out_.begin(), Op(), Op::map);
        } else if (exclusive_) {
            std::exclusive_scan(policy, first, last, out_.begin(), Op::neutral(), Op());
        } else {
            std::inclusive_scan(policy, first, last, out_.begin(), Op());
        }
    }

    std::vector<typename Op::value> out_;
    bool exclusive_;
};

template <class Op> class tuple_reduce final : public tuple_job<Op> {
public:
    tuple_reduce(const peer_job &from, bool parallel) : tuple_job<Op>(from, parallel) {}

    void call() override
    {
        if (!this->parallel)
            accumulate();
        else if constexpr (Op::commutative)
            reduce(std::execution::par_unseq);
        else
            reduce(std::execution::par);
    }

    void fetch_all(void *const *out) const override { this->scatter(&total_, 1, out); }

private:
    void accumulate()
    {
        typename Op::value total = Op::neutral();
        for (std::size_t i = 0; i < this->n; i++)
            if constexpr (tuple_job<Op>::mapped)
                total = Op()(total, Op::map(this->in_[i]));
            else
                total = Op()(total, this->in_[i]);
        total_ = total;
    }

    template <class Policy> void reduce(Policy policy)
    {
        const auto first = this->in_.cbegin(), last = first + static_cast<std::ptrdiff_t>(this->n);
        if constexpr (tuple_job<Op>::mapped)
            total_ = std::transform_reduce(policy, first, last, Op::neutral(), Op(), Op::map);
        else
            total_ = std::reduce(policy, first, last, Op::neutral(), Op());
    }

    typename Op::value total_ = Op::neutral();
};

template <class Op> job *open_with(const peer_job &from, bool parallel)
{
    const std::string primitive = from.primitive;
    if (primitive == "scan")
        return new tuple_scan<Op>(from, parallel);
    if (primitive == "reduce")
        return new tuple_reduce<Op>(from, parallel);
    return nullptr;
}

} // namespace

job *open_tuple(const peer_job &from, bool parallel)
{
    const std::string op = from.op;
    if (op == "tuple4") return open_with<tuple4>(from, parallel);
    if (op == "affine") return open_with<affine>(from, parallel);
    if (op == "mat2") return open_with<mat2>(from, parallel);
    if (op == "lssp") return open_with<lssp>(from, parallel);
    if (op == "gcd") return open_with<gcd>(from, parallel);
    return nullptr;
}

} // namespace std_peer
