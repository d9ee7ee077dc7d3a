// SPDX-License-Identifier: MIT
//
// Boost.Compute on the same device, queue and buffers as clfold: inclusive_scan, exclusive_scan, reduce, copy_if,
// unique_copy, sort and sort_by_key of a copy, and for segments reduce_by_key (there is no scan by key), whose keys are
// made before anything is timed.
// The other OpenCL library that is still installed by distributions.
#define BOOST_COMPUTE_MAX_CL_VERSION 102
#include "peer_types.h"
#include "rows/peer.h"
#include "throwing_job.h"

#include <boost/compute/algorithm/copy.hpp>
#include <boost/compute/algorithm/copy_if.hpp>
#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/algorithm/reduce_by_key.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>
#include <boost/compute/algorithm/transform.hpp>
#include <boost/compute/algorithm/unique_copy.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/container/vector.hpp>
#include <boost/compute/functional.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/compute/iterator/counting_iterator.hpp>
#include <boost/compute/lambda.hpp>
#include <boost/version.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

namespace {

namespace compute = boost::compute;

struct job {
    explicit job(const peer_job &from)
        : queue(static_cast<cl_command_queue>(from.queue)), in(static_cast<cl_mem>(from.in_buffer)),
          out(static_cast<cl_mem>(from.out_buffer)), exclusive(from.exclusive != 0)
    {
    }
    virtual ~job() = default;
    virtual bool shape(std::uint64_t segments, std::uint64_t length)
    {
        count = segments;
        size = length;
        return count == 1;
    }
    virtual void call() = 0;
    virtual std::size_t bytes() const = 0;
    virtual void fetch(void *const *to) { queue.enqueue_read_buffer(out, 0, bytes(), to[0]); }

    static constexpr const char *peer_name = "boost-compute";
    compute::command_queue queue;
    compute::buffer in, out;
    std::size_t count = 0, size = 0;
    bool exclusive, failed = false;
};

// Sums only: what the comparison is about.
template <class T> struct scan_job final : job {
    using job::job;

    void call() override
    {
        auto first = compute::make_buffer_iterator<T>(in, 0), last = compute::make_buffer_iterator<T>(in, size);
        auto target = compute::make_buffer_iterator<T>(out, 0);
        if (exclusive)
            compute::exclusive_scan(first, last, target, T(0), compute::plus<T>(), queue);
        else
            compute::inclusive_scan(first, last, target, compute::plus<T>(), queue);
    }

    std::size_t bytes() const override { return size * sizeof(T); }
};

template <class T> struct reduce_job final : job {
    using job::job;

    void call() override
    {
        compute::reduce(compute::make_buffer_iterator<T>(in, 0), compute::make_buffer_iterator<T>(in, size),
                        compute::make_buffer_iterator<T>(out, 0), compute::plus<T>(), queue);
    }

    std::size_t bytes() const override { return sizeof(T); }
};

// What is kept as rows of filter keep it; Unique: the first of each run.
template <class T, bool Unique> struct filter_job final : job {
    explicit filter_job(const peer_job &from) : job(from), bound(static_cast<int>(from.kept)) {}

    void call() override
    {
        using compute::lambda::_1;
        const auto first = compute::make_buffer_iterator<T>(in, 0), last = compute::make_buffer_iterator<T>(in, size);
        const auto target = compute::make_buffer_iterator<T>(out, 0);
        if constexpr (Unique)
            found = compute::unique_copy(first, last, target, queue).get_index();
        else
            found = compute::copy_if(first, last, target, (_1 & 127) < bound, queue).get_index();
    }

    std::size_t bytes() const override { return found * sizeof(T); }

    int bound;
    std::size_t found = 0;
};

// In place, so that each call copies what is to be sorted first.
template <class T> struct sort_job : job {
    using job::job;

    void call() override
    {
        queue.enqueue_copy_buffer(in, out, 0, 0, bytes());
        compute::sort(compute::make_buffer_iterator<T>(out, 0), compute::make_buffer_iterator<T>(out, size), queue);
    }

    std::size_t bytes() const override { return size * sizeof(T); }
};

// The places that the second input holds go with the keys.
template <class T> struct sort_pairs_job final : sort_job<T> {
    explicit sort_pairs_job(const peer_job &from)
        : sort_job<T>(from), places(from.n, this->queue.get_context()), moved(from.n, this->queue.get_context())
    {
        const auto first = static_cast<const compute::uint_ *>(from.in[1]);
        compute::copy(first, first + from.n, places.begin(), this->queue);
    }

    void call() override
    {
        this->queue.enqueue_copy_buffer(this->in, this->out, 0, 0, this->bytes());
        this->queue.enqueue_copy_buffer(places.get_buffer(), moved.get_buffer(), 0, 0, 4 * this->size);
        compute::sort_by_key(compute::make_buffer_iterator<T>(this->out, 0),
                             compute::make_buffer_iterator<T>(this->out, this->size), moved.begin(), this->queue);
    }

    void fetch(void *const *to) override
    {
        job::fetch(to);
        this->queue.enqueue_read_buffer(moved.get_buffer(), 0, 4 * this->size, to[1]);
    }

    compute::vector<compute::uint_> places, moved;
};

template <class T> struct segmented_reduce_job final : job {
    explicit segmented_reduce_job(const peer_job &from)
        : job(from), keys(from.n, queue.get_context()), found(from.results, queue.get_context())
    {
    }

    bool shape(std::uint64_t segments, std::uint64_t length) override
    {
        using compute::lambda::_1;
        job::shape(segments, length);
        const auto first = compute::make_counting_iterator<compute::uint_>(0);
        compute::transform(first, first + count * size, keys.begin(), _1 / static_cast<compute::uint_>(size), queue);
        return count * size <= UINT32_MAX;
    }

    void call() override
    {
        compute::reduce_by_key(keys.begin(), keys.begin() + count * size, compute::make_buffer_iterator<T>(in, 0),
                               found.begin(), compute::make_buffer_iterator<T>(out, 0), compute::plus<T>(),
                               compute::equal_to<compute::uint_>(), queue);
    }

    std::size_t bytes() const override { return count * sizeof(T); }

    compute::vector<compute::uint_> keys, found;
};

template <class T> job *open_typed(const peer_job &from)
{
    const std::string primitive = from.primitive;
    if (std::strcmp(from.op, "sum") != 0) return nullptr;
    if (primitive == "scan") return new scan_job<T>(from);
    if (primitive == "reduce") return new reduce_job<T>(from);
    if (primitive == "segmented_reduce") return new segmented_reduce_job<T>(from);
    if (primitive == "sort_pairs") return new sort_pairs_job<T>(from);
    if (primitive.rfind("sort", 0) == 0 && from.outputs == 1 && primitive != "sort_low8") return new sort_job<T>(from);
    if constexpr (std::is_integral_v<T>) {
        if (primitive == "unique") return new filter_job<T, true>(from);
        if (primitive.rfind("filter", 0) == 0 && primitive != "filter_bits" && primitive != "filter_tuple")
            return new filter_job<T, false>(from);
    }
    return nullptr;
}

job *open_job(const peer_job &from)
{
    return peers::by_type<job, compute::char_, compute::uchar_, compute::short_, compute::ushort_, compute::int_,
                          compute::uint_, compute::long_, compute::ulong_, compute::float_, compute::double_>(
        from.type, [&](auto x) { return open_typed<decltype(x)>(from); });
}

void *open(const peer_job *from)
{
    try {
        return open_job(*from);
    } catch (const std::exception &) {
        return nullptr;
    }
}

void wait(void *state) { clFinish(static_cast<job *>(state)->queue.get()); }

void close(void *state) { delete static_cast<job *>(state); }

const char *version() { return BOOST_LIB_VERSION; }

} // namespace

extern "C" {
extern const peer peer_boost_compute = {job::peer_name, open, peers::shape<job>, peers::call<job>, nullptr, wait,
                                         peers::fetch<job>, close, nullptr, 0, version};
}
