// SPDX-License-Identifier: MIT
//
// Counts by bin, as one would write them: a loop, or, in parallel, one for each of several equal parts, each with
// counts of its own, which are added up. The standard library has no histogram.
#include "std_job.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <execution>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace std_peer {
namespace {

template <class T> class histogram_job final : public job {
public:
    histogram_job(const peer_job &from, bool parallel)
        : job(parallel), in_(static_cast<const T *>(from.in[0])),
          bins_(std::strtoull(std::strpbrk(from.primitive, "0123456789"), nullptr, 10)),
          parts_(parallel ? std::max(1u, std::thread::hardware_concurrency()) : 1), counts_(parts_ * bins_)
    {
        for (unsigned part = 0; part < parts_; part++)
            numbers_.push_back(part);
    }

    void call() override
    {
        if (!parallel) {
            count(0);
            return;
        }
        const auto policy = std::execution::par;
        std::for_each(policy, numbers_.begin(), numbers_.end(), [this](unsigned part) { count(part); });
        std::for_each(policy, numbers_.begin(), numbers_.end(), [this](unsigned part) { add_up(part); });
    }

    void fetch(void *out) const override
    {
        std::memcpy(out, counts_.data(), std::min<std::size_t>(bins_, n) * sizeof counts_[0]);
    }

private:
    void count(unsigned part)
    {
        std::uint32_t *const counts = counts_.data() + part * bins_;
        std::fill(counts, counts + bins_, 0u);
        for (std::size_t i = part * n / parts_, end = (part + 1) * n / parts_; i < end; i++) {
            const auto bin = static_cast<std::make_unsigned_t<T>>(in_[i]);
            if (bin < bins_)
                counts[bin]++;
        }
    }

    void add_up(unsigned part)
    {
        for (std::size_t bin = part * bins_ / parts_, end = (part + 1) * bins_ / parts_; bin < end; bin++)
            for (unsigned other = 1; other < parts_; other++)
                counts_[bin] += counts_[other * bins_ + bin];
    }

    const T *in_;
    std::size_t bins_;
    unsigned parts_;
    std::vector<std::uint32_t> counts_;
    std::vector<unsigned> numbers_;
};

} // namespace

template <class T> job *open_histogram(const peer_job &from, bool parallel)
{
    return std::string(from.primitive).rfind("histogram", 0) == 0 ? new histogram_job<T>(from, parallel) : nullptr;
}

template job *open_histogram<std::int8_t>(const peer_job &, bool);
template job *open_histogram<std::uint8_t>(const peer_job &, bool);
template job *open_histogram<std::int16_t>(const peer_job &, bool);
template job *open_histogram<std::uint16_t>(const peer_job &, bool);
template job *open_histogram<std::int32_t>(const peer_job &, bool);
template job *open_histogram<std::uint32_t>(const peer_job &, bool);
template job *open_histogram<std::int64_t>(const peer_job &, bool);
template job *open_histogram<std::uint64_t>(const peer_job &, bool);

} // namespace std_peer
