// SPDX-License-Identifier: MIT
//
// What the jobs of peer "openmp" have in common. C++.
#ifndef CLFOLD_OPENMP_JOB_H
#define CLFOLD_OPENMP_JOB_H

#include "rows/peer.h"

#include <cstddef>

#include <omp.h>

namespace openmp_peer
{

// What stays in a core's cache; no other thread is woken for less.
constexpr std::size_t block_bytes = 1 << 17;

struct job {
    virtual ~job() = default;
    virtual void call() = 0;
    virtual void fetch(void *const *out) const = 0;

    bool by_rows = false; // does it do several segments?
    std::size_t rows = 1, columns = 0;
};

// Are there enough rows that each thread takes some?
inline bool are_many(std::size_t rows) { return rows >= 4 * static_cast<std::size_t>(omp_get_max_threads()); }

// In a file of its own. NULL: no sort, or not of that type.
job *open_sort(const peer_job &from);

} // namespace openmp_peer

#endif
