// SPDX-License-Identifier: MIT
//
// What the jobs of peers "std" and "std-par" have in common. C++.
#ifndef CLFOLD_STD_JOB_H
#define CLFOLD_STD_JOB_H

#include "rows/peer.h"

#include <cstddef>

namespace std_peer {

struct job {
    explicit job(bool parallel) : parallel(parallel) {}
    virtual ~job() = default;
    virtual void call() = 0;
    virtual void fetch(void *out) const = 0;
    virtual void fetch_all(void *const *out) const { fetch(out[0]); }

    bool parallel;
    bool by_rows = false; // does it do several segments?
    std::size_t n = 0, rows = 1;
};

// In files of their own, the first three for integers. NULL: none of theirs.
template <class T> job *open_select(const peer_job &from, bool parallel);
template <class T> job *open_move(const peer_job &from, bool parallel);
template <class T> job *open_histogram(const peer_job &from, bool parallel);
template <class T> job *open_sort(const peer_job &from, bool parallel);
// By operators on tuples, over an array of structs.
job *open_tuple(const peer_job &from, bool parallel);

} // namespace std_peer

#endif
