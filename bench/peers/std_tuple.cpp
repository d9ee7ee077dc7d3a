// SPDX-License-Identifier: MIT
//
// The operators on tuples over an array of structs, as C++ programmers write them: scans and reductions by the
// standard library. Where an element is a map's result, the array holds what is mapped. std::reduce wants a commutative
// operator: others are reduced by std::execution::par, which libstdc++ joins in order. Serially a reduction is a plain
// loop.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

namespace std_peer {
namespace {

// ---- Operators: as in ../rows/user_operators.c ----

struct tuple4 {
    struct value {
        using field = std::uint64_t;
        std::uint64_t a, b, c, d;
    };
    using field = value::field;
    using element = value;
    static constexpr bool commutative = true;
    static constexpr value neutral() { return {0, 0, 0, 0}; }
    value operator()(const value &x, const value &y) const { return {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d}; }
};

struct affine {
    struct value {
        using field = std::uint32_t;
        std::uint32_t scale, shift;
    };
    using field = value::field;
    using element = value;
    static constexpr bool commutative = false;
    static constexpr value neutral() { return {1, 0}; }
    value operator()(const value &x, const value &y) const { return {x.scale * y.scale, x.shift * y.scale + y.shift}; }
};

struct mat2 {
    struct value {
        using field = std::uint32_t;
        std::uint32_t a, b, c, d;
    };
    using field = value::field;
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
        using field = std::int32_t;
        std::int32_t best, head, tail, length, first, last;
    };
    using field = value::field;
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
        using field = std::uint32_t;
        std::uint32_t d;
    };
    using field = value::field;
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

template <class Op> constexpr bool is_mapped = !std::is_same_v<typename Op::value, typename Op::element>;

template <class Op> std::vector<typename Op::element> gather(const peer_job &from)
{
    using field = typename Op::field;
    std::vector<typename Op::element> values(from.n);
    for (std::size_t i = 0; i < from.n; i++)
        for (unsigned f = 0; f < sizeof values[0] / sizeof(field); f++)
            std::memcpy(reinterpret_cast<char *>(&values[i]) + f * sizeof(field),
                        static_cast<const field *>(from.in[f]) + i, sizeof(field));
    return values;
}

template <class Value, class field = typename Value::field>
void store(const Value *values, std::size_t count, void *const *out)
{
    for (std::size_t i = 0; i < count; i++)
        for (unsigned f = 0; f < sizeof(Value) / sizeof(field); f++)
            std::memcpy(static_cast<field *>(out[f]) + i,
                        reinterpret_cast<const char *>(&values[i]) + f * sizeof(field), sizeof(field));
}

template <class Op, class Policy>
void scan(Policy policy, const typename Op::element *first, const typename Op::element *last, typename Op::value *out,
          bool exclusive)
{
    if constexpr (is_mapped<Op>) {
        if (exclusive)
            std::transform_exclusive_scan(policy, first, last, out, Op::neutral(), Op(), Op::map);
        else
            std::transform_inclusive_scan(policy, first, last, out, Op(), Op::map);
    } else if (exclusive) {
        std::exclusive_scan(policy, first, last, out, Op::neutral(), Op());
    } else {
        std::inclusive_scan(policy, first, last, out, Op());
    }
}

template <class Op, class Policy>
typename Op::value reduce(Policy policy, const typename Op::element *first, const typename Op::element *last)
{
    typename Op::value total = Op::neutral();
    if constexpr (is_serial<Policy>) {
        for (; first != last; first++)
            if constexpr (is_mapped<Op>)
                total = Op()(total, Op::map(*first));
            else
                total = Op()(total, *first);
        return total;
    } else if constexpr (is_mapped<Op>) {
        return std::transform_reduce(policy, first, last, total, Op(), Op::map);
    } else {
        return std::reduce(policy, first, last, total, Op());
    }
}

template <class Op> job *open_with(const peer_job &from, bool parallel)
{
    using value = typename Op::value;
    const std::string primitive = from.primitive;
    if (primitive == "scan")
        return maker<char, value>::make(from, parallel, [in = gather<Op>(from), exclusive = from.exclusive != 0](
                                                            auto policy, job &s, const char *, value *out) {
            scan<Op>(policy, in.data(), in.data() + s.n, out, exclusive);
            return s.n;
        });
    if (primitive == "reduce")
        return maker<char, value>::make(from, parallel, [in = gather<Op>(from)](auto policy, job &s, const char *,
                                                                              value *out) {
            if constexpr (Op::commutative || is_serial<decltype(policy)>)
                *out = reduce<Op>(policy, in.data(), in.data() + s.n);
            else
                *out = reduce<Op>(std::execution::par, in.data(), in.data() + s.n);
            return std::size_t(1);
        });
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
