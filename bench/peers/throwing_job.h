// SPDX-License-Identifier: MIT
//
// Calls of jobs of libraries that throw. C++. A Job has `peer_name`, `failed`, and what a peer does (rows/peer.h).
#ifndef CLFOLD_THROWING_JOB_H
#define CLFOLD_THROWING_JOB_H

#include <cstdint>
#include <cstdio>
#include <exception>

namespace peers
{

// A failure shows as a wrong result; the sentence is said once.
template <class Job, class Action> void attempt(void *state, Action action)
{
    Job *self = static_cast<Job *>(state);
    try {
        action(self);
    } catch (const std::exception &error) {
        if (!self->failed)
            std::fprintf(stderr, "%s: %s\n", Job::peer_name, error.what());
        self->failed = true;
    }
}

template <class Job> int shape(void *state, std::uint64_t count, std::uint64_t size)
{
    bool does = false;
    attempt<Job>(state, [&](Job *self) { does = self->shape(count, size); });
    return does;
}

template <class Job> void call(void *state)
{
    attempt<Job>(state, [](Job *self) { self->call(); });
}

template <class Job> void fetch(void *state, void *const *out)
{
    attempt<Job>(state, [out](Job *self) { self->fetch(out); });
}

} // namespace peers

#endif
