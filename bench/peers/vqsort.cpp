// SPDX-License-Identifier: MIT
//
// vqsort of Highway on one core: keys of 32 and 64 bits, rows, and pairs of a key and a place of 32 bits each, which
// are one number of 64, made beforehand. Each call copies them and sorts the copy.
#include "peer_types.h"
#include "rows/peer.h"

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace {

struct job {
    virtual ~job() = default;
    virtual bool shape(std::uint64_t count, std::uint64_t size) = 0;
    virtual void call() = 0;
    virtual void fetch(void *const *out) = 0;
};

// Rows of what vqsort knows: T.
template <class T> class sort_job : public job {
public:
    sort_job(std::vector<T> in, bool segmented) : in_(std::move(in)), out_(in_.size()), segmented_(segmented) {}

    bool shape(std::uint64_t count, std::uint64_t size) override
    {
        count_ = count;
        size_ = size;
        return count == 1 || segmented_;
    }

    void call() override
    {
        std::copy_n(in_.begin(), count_ * size_, out_.begin());
        for (std::uint64_t row = 0; row < count_; row++)
            sorter_(out_.data() + row * size_, size_, hwy::SortAscending());
    }

    void fetch(void *const *out) override { std::memcpy(out[0], out_.data(), count_ * size_ * sizeof(T)); }

protected:
    std::uint64_t count_ = 0, size_ = 0;
    std::vector<T> in_, out_;
    bool segmented_;
    hwy::Sorter sorter_;
};

// Numbers of 32 bits in the order of keys, and back.
std::uint32_t ordered(char type, std::uint32_t bits)
{
    const std::uint32_t sign = UINT32_C(1) << 31;
    return type == 'u' ? bits : type == 'i' ? bits ^ sign : bits & sign ? ~bits : bits | sign;
}

std::uint32_t as_it_was(char type, std::uint32_t number)
{
    const std::uint32_t sign = UINT32_C(1) << 31;
    return type == 'u' ? number : type == 'i' ? number ^ sign : number & sign ? number ^ sign : ~number;
}

std::vector<std::uint64_t> pack(const peer_job &from)
{
    const auto *keys = static_cast<const std::uint32_t *>(from.in[0]);
    const auto *places = from.inputs > 1 ? static_cast<const std::uint32_t *>(from.in[1]) : nullptr;
    std::vector<std::uint64_t> packed(from.n);
    for (std::uint64_t i = 0; i < from.n; i++)
        packed[i] = std::uint64_t(ordered(from.type[0], keys[i])) << 32 | (places ? places[i] : std::uint32_t(i));
    return packed;
}

class pairs_job final : public sort_job<std::uint64_t> {
public:
    explicit pairs_job(const peer_job &from) : sort_job(pack(from), false), type_(from.type[0]) {}

    void fetch(void *const *out) override
    {
        for (std::uint64_t i = 0; i < size_; i++) {
            static_cast<std::uint32_t *>(out[0])[i] = as_it_was(type_, std::uint32_t(out_[i] >> 32));
            static_cast<std::uint32_t *>(out[1])[i] = std::uint32_t(out_[i]);
        }
    }

private:
    char type_;
};

template <class T> job *open_keys(const peer_job &from)
{
    const T *keys = static_cast<const T *>(from.in[0]);
    return new sort_job<T>(std::vector<T>(keys, keys + from.n), std::strcmp(from.primitive, "segmented_sort") == 0);
}

job *open_job(const peer_job &from)
{
    const std::string primitive = from.primitive, type = from.type;
    if (primitive == "sort_pairs" || primitive == "sort_indices")
        return type == "u32" || type == "i32" || type == "f32" ? new pairs_job(from) : nullptr;
    if (primitive == "sort_low8" || (primitive.rfind("sort", 0) != 0 && primitive != "segmented_sort")) return nullptr;
    if (from.inputs > 1) return nullptr;
    if (type == "f64" && !hwy::Sorter::HaveFloat64()) return nullptr;
    return peers::by_type<job, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>(
        from.type, [&](auto x) { return open_keys<decltype(x)>(from); });
}

void *open(const peer_job *from)
{
    try {
        return open_job(*from);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

int shape(void *state, std::uint64_t count, std::uint64_t size)
{
    return static_cast<job *>(state)->shape(count, size);
}

void call(void *state) { static_cast<job *>(state)->call(); }
void wait(void *) {}
void fetch(void *state, void *const *out) { static_cast<job *>(state)->fetch(out); }
void close(void *state) { delete static_cast<job *>(state); }

const char *version()
{
    static const std::string text = std::to_string(HWY_MAJOR) + "." + std::to_string(HWY_MINOR) + "." +
                                    std::to_string(HWY_PATCH);
    return text.c_str();
}

} // namespace

extern "C" {
extern const peer peer_vqsort = {"vqsort", open, shape, call, nullptr, wait, fetch, close, nullptr, 0, version};
}
