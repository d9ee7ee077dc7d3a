// SPDX-License-Identifier: MIT
//
// Memory of the sorts of peer "openmp", and the lines by which they write to it. C++.
#ifndef CLFOLD_OPENMP_LINES_H
#define CLFOLD_OPENMP_LINES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace openmp_peer
{

constexpr unsigned radix = 256, line_bytes = 64;
constexpr std::size_t page_bytes = 1 << 21;

// ---- Memory ----

struct free_memory {
    void operator()(void *memory) const
    {
        std::free(memory);
    }
};
template <class X> using memory = std::unique_ptr<X[], free_memory>;

// In large pages where the system gives them: a pass writes to 256 places in turn.
template <class X> memory<X> allocate(std::size_t n)
{
    const std::size_t bytes = (n * sizeof(X) / page_bytes + 1) * page_bytes;
    void *const all = std::aligned_alloc(page_bytes, bytes);
    if (!all)
        throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
    madvise(all, bytes, MADV_HUGEPAGE);
#endif
    return memory<X>(static_cast<X *>(all));
}

// One line, past the caches where the processor can.
template <class X> void stream(X *to, const X *from)
{
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i *>(to), _mm512_load_si512(from));
#elif defined(__AVX__)
    for (unsigned k = 0; k < 2; ++k)
        _mm256_stream_si256(reinterpret_cast<__m256i *>(to) + k,
                            _mm256_load_si256(reinterpret_cast<const __m256i *>(from) + k));
#elif defined(__SSE2__)
    for (unsigned k = 0; k < 4; ++k)
        _mm_stream_si128(reinterpret_cast<__m128i *>(to) + k,
                         _mm_load_si128(reinterpret_cast<const __m128i *>(from) + k));
#else
    std::memcpy(to, from, line_bytes);
#endif
}

// Before others may read what was streamed.
inline void finish_streams()
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

// Elements on their way to an array, a line for each digit. The first and the last line of a digit may be shared with
// another thread: of these only our own elements are written.
template <class X> class lines
{
  public:
    // begin: where the first element of each digit goes.
    lines(X *array, const std::size_t *begin)
        : begin_(begin), lead_(reinterpret_cast<std::uintptr_t>(array) % line_bytes / sizeof(X)), array_(array - lead_)
    {
    }

    void put(unsigned digit, std::size_t at, X x)
    {
        at += lead_;
        line_[digit][at % width] = x;
        if (at % width == width - 1)
            write(digit, at + 1 - width);
    }

    // end: behind the last element of each digit.
    void finish(const std::size_t *end)
    {
        for (unsigned d = 0; d < radix; ++d)
            copy(d, (end[d] + lead_) / width * width, end[d] + lead_);
    }

  private:
    static constexpr std::size_t width = line_bytes / sizeof(X);

    void write(unsigned digit, std::size_t at)
    {
        if (at >= begin_[digit] + lead_)
            stream(array_ + at, line_[digit]);
        else
            copy(digit, at, at + width);
    }

    void copy(unsigned digit, std::size_t at, std::size_t end)
    {
        for (at = std::max(at, begin_[digit] + lead_); at < end; ++at)
            array_[at] = line_[digit][at % width];
    }

    alignas(line_bytes) X line_[radix][width];
    const std::size_t *begin_;
    std::size_t lead_; // elements between the start of the array's first line and the array
    X *array_;
};

} // namespace openmp_peer

#endif
