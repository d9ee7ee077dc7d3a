/* SPDX-License-Identifier: MIT */
/* The transport of members that all live in one process, which is copies. `self` is their number. */
#include "distributed/distributed.h"

#include <stdint.h>
#include <string.h>

static cl_uint members_of(void *self)
{
    return (cl_uint)(uintptr_t)self;
}

static clf_status gather(void *self, size_t bytes, const void *from, void *to)
{
    memcpy(to, from, bytes * members_of(self));
    return CLF_SUCCESS;
}

static clf_status sum(void *self, size_t count, const cl_ulong *from, cl_ulong *to)
{
    memcpy(to, from, count * sizeof *to);
    for (cl_uint rank = 1; rank < members_of(self); rank++)
        for (size_t i = 0; i < count; i++)
            to[i] += from[rank * count + i];
    return CLF_SUCCESS;
}

/* Where the part for, or of, a member begins. */
static size_t begin_of(const size_t *bytes, cl_uint rank)
{
    size_t begin = 0;
    for (cl_uint before = 0; before < rank; before++)
        begin += bytes[before];
    return begin;
}

static clf_status exchange(void *self, const void *const *from, const size_t *sent, void *const *to, const size_t *got)
{
    const cl_uint members = members_of(self);
    for (cl_uint target = 0; target < members; target++) {
        char *at = to[target];
        for (cl_uint source = 0; source < members; source++) {
            const size_t bytes = got[target * members + source];
            if (bytes != 0)
                memcpy(at, (const char *)from[source] + begin_of(sent + source * members, target), bytes);
            at += bytes;
        }
    }
    return CLF_SUCCESS;
}

void clf_dist_in_process(cl_uint members, clf_comm_transport *transport)
{
    *transport = (clf_comm_transport){.size = sizeof *transport,
                                      .members = members,
                                      .self = (void *)(uintptr_t)members,
                                      .gather = gather,
                                      .sum = sum,
                                      .exchange = exchange};
}
