// SPDX-License-Identifier: MIT
//
// Counts, sums and maxima by bin, as one would write them: a loop, or, in parallel, one for each of several equal
// parts, each with results of its own, which are then combined. The standard library has no histogram.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>

namespace std_peer {
namespace {

// How an element's value changes what a bin has; `values` is what lies beside the bins.
struct counts {
    using value = std::uint32_t;
    static constexpr value neutral = 0;
    static value at(const void *, std::size_t) { return 1; }
    static value combine(value a, value b) { return a + b; }
};
struct sums {
    using value = float;
    static constexpr value neutral = 0;
    static value at(const void *values, std::size_t i) { return static_cast<const value *>(values)[i]; }
    static value combine(value a, value b) { return a + b; }
};
struct maxima : sums {
    static constexpr value neutral = -std::numeric_limits<value>::infinity();
    static value combine(value a, value b) { return a < b ? b : a; }
};

template <class T, class Op> class histogram_job final : public job {
public:
    histogram_job(const peer_job &from, bool parallel)
        : job(parallel), in_(static_cast<const T *>(from.in[0])), values_(from.inputs > 1 ? from.in[1] : nullptr),
          bins_(from.bins), parts_(parallel ? std::max(1u, std::thread::hardware_concurrency()) : 1),
          results_(parts_ * bins_)
    {
        for (unsigned part = 0; part < parts_; part++)
            numbers_.push_back(part);
    }

    void call() override
    {
        if (!parallel) {
            combine(0);
            return;
        }
        const auto policy = std::execution::par;
        std::for_each(policy, numbers_.begin(), numbers_.end(), [this](unsigned part) { combine(part); });
        std::for_each(policy, numbers_.begin(), numbers_.end(), [this](unsigned part) { combine_parts(part); });
    }

    void fetch(void *const *out) const override { store(results_.data(), std::min<std::size_t>(bins_, n), out); }

private:
    void combine(unsigned part)
    {
        auto *const results = results_.data() + part * bins_;
        std::fill(results, results + bins_, Op::neutral);
        for (std::size_t i = part * n / parts_, end = (part + 1) * n / parts_; i < end; i++) {
            const auto bin = static_cast<std::make_unsigned_t<T>>(in_[i]);
            if (bin < bins_)
                results[bin] = Op::combine(results[bin], Op::at(values_, i));
        }
    }

    void combine_parts(unsigned part)
    {
        for (std::size_t bin = part * bins_ / parts_, end = (part + 1) * bins_ / parts_; bin < end; bin++)
            for (unsigned other = 1; other < parts_; other++)
                results_[bin] = Op::combine(results_[bin], results_[other * bins_ + bin]);
    }

    const T *in_;
    const void *values_;
    std::size_t bins_;
    unsigned parts_;
    std::vector<typename Op::value> results_;
    std::vector<unsigned> numbers_;
};

} // namespace

template <class T> job *open_histogram(const peer_job &from, bool parallel)
{
    const std::string op = from.op;
    if (op == "count" || op == "own_count")
        return new histogram_job<T, counts>(from, parallel);
    if (op == "sum")
        return new histogram_job<T, sums>(from, parallel);
    if (op == "max")
        return new histogram_job<T, maxima>(from, parallel);
    return nullptr;
}
STD_PEER_INTEGERS(open_histogram)

} // namespace std_peer
