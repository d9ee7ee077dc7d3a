/* SPDX-License-Identifier: MIT */
#include "meeting.h"

#include <time.h>

/* Seconds that a member waits for the others. */
enum { PATIENCE = 300 };

void meeting_open(meeting *m, cl_uint members)
{
    *m = (meeting){.members = members};
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->changed, NULL);
}

void meeting_close(meeting *m)
{
    pthread_cond_destroy(&m->changed);
    pthread_mutex_destroy(&m->mutex);
}

static void give_up(const char *why, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, why);
    _Exit(1); /* others wait, too */
}

static void wait_for_all(meeting *m, const char *what)
{
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&m->mutex);
    const unsigned long turn = m->turn;
    if (++m->waiting == m->members) {
        m->waiting = 0;
        ++m->turn;
        pthread_cond_broadcast(&m->changed);
    }
    while (m->turn == turn)
        if (pthread_cond_timedwait(&m->changed, &m->mutex, &until) != 0)
            give_up("a member waits for others that do not come", what);
    pthread_mutex_unlock(&m->mutex);
}

void meeting_wait(meeting *m)
{
    wait_for_all(m, "wait");
}

/* All come with what they have; do they mean the same? */
static void come(const seat *s, const char *what, size_t bytes, const void *from, const size_t *sent)
{
    meeting *m = s->m;
    m->what[s->rank] = what;
    m->bytes[s->rank] = bytes;
    m->from[s->rank] = from;
    m->sent[s->rank] = sent;
    wait_for_all(m, what);
    for (cl_uint other = 0; other < m->members; ++other)
        if (strcmp(m->what[other], what) != 0 || m->bytes[other] != bytes)
            give_up("another member does something else", what);
}

static clf_status gather(void *self, size_t bytes, const void *from, void *to)
{
    const seat *s = self;
    come(s, "gather", bytes, from, NULL);
    for (cl_uint other = 0; other < s->m->members; ++other)
        memcpy((char *)to + other * bytes, s->m->from[other], bytes);
    wait_for_all(s->m, "gather");
    return CLF_SUCCESS;
}

static clf_status sum(void *self, size_t count, const cl_ulong *from, cl_ulong *to)
{
    const seat *s = self;
    come(s, "sum", count * sizeof *to, from, NULL);
    memset(to, 0, count * sizeof *to);
    for (cl_uint other = 0; other < s->m->members; ++other)
        for (size_t i = 0; i < count; ++i)
            to[i] += ((const cl_ulong *)s->m->from[other])[i];
    wait_for_all(s->m, "sum");
    return CLF_SUCCESS;
}

static clf_status exchange(void *self, const void *const *from, const size_t *sent, void *const *to, const size_t *got)
{
    const seat *s = self;
    char *at = to[0];
    come(s, "exchange", 0, from[0], sent);
    for (cl_uint other = 0; other < s->m->members; ++other) {
        const size_t *theirs = s->m->sent[other];
        const char *part = s->m->from[other];
        for (cl_uint before = 0; before < s->rank; ++before)
            part += theirs[before];
        if (theirs[s->rank] != got[other])
            give_up("a member sends what another does not expect", "exchange");
        memcpy(at, part, got[other]);
        at += got[other];
    }
    wait_for_all(s->m, "exchange");
    return CLF_SUCCESS;
}

static void release(void *self)
{
    ((seat *)self)->released++;
}

clf_comm_transport meeting_transport(seat *s)
{
    return (clf_comm_transport){.size = sizeof(clf_comm_transport),
                                .members = s->m->members, .first = s->rank, .self = s, .gather = gather, .sum = sum,
                                .exchange = exchange,
                                .release = release};
}
