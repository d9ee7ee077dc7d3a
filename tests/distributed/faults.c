/* SPDX-License-Identifier: MIT */
/*
 * clfold-distributed-faults: every call that src/distributed makes of OpenCL, of clfold and of the host's allocator
 * fails in turn, once or from then on, on each of three members that have a thread each, and of members of one thread.
 * All members must return the same status, nobody may be left waiting, nothing may be leaked, and what was made before
 * must work, and give right results, afterwards.
 */
#define FAULT_PLAIN /* calls of this file do not fail */
#include "fault.h"
#include "meeting.h"

enum { MEMBERS = 3, EACH = 1000 };
enum { CREATES, PLANS, CALLS, STEPS };

/* What one member does, and what comes of it. */
typedef struct player {
    seat s;
    const world *w;
    clf_array in, out;
    const table *wanted;
    int primitive;
    unsigned long fails; /* which call; 0: none */
    bool lasting;
    clf_status status[STEPS];
    cl_uint named; /* the member that has failed, as others are told */
    const fault_site *site;
    bool good; /* afterwards */
} player;

static const cl_ulong all_of_them[MOST_MEMBERS] = {EACH, EACH, EACH};

static clf_status call(const player *p, clf_comm_plan *plan)
{
    return plain_call(plan, p->primitive, MEMBERS, all_of_them, &p->in, &p->out);
}

/* Makes what is missing; all of that, and results, must be right then. */
static bool works_afterwards(const player *p, clf_comm *comm, clf_comm_plan **plan)
{
    HOLDS(*plan || plain_plan(comm, p->primitive, plan) == CLF_SUCCESS);
    HOLDS(call(p, *plan) == CLF_SUCCESS);
    const unsigned long buffers = fault_buffers();
    HOLDS(call(p, *plan) == CLF_SUCCESS && fault_buffers() == buffers); /* all that is needed is there */
    return same_rows(p->w, p->s.rank, &p->out, p->wanted, (cl_ulong)p->s.rank * EACH, EACH);
}

static void *play(void *data)
{
    player *p = data;
    const clf_comm_member member = {p->w->context[p->s.rank], p->w->queue[p->s.rank]};
    const clf_comm_transport transport = meeting_transport(&p->s);
    clf_comm *comm = NULL;
    clf_comm_plan *plan = NULL;
    if (p->fails != 0)
        fault_arm(p->fails, p->lasting);
    p->status[CREATES] = clf_comm_create(1, &member, &transport, &comm);
    if (p->status[CREATES] == CLF_SUCCESS)
        p->status[PLANS] = plain_plan(comm, p->primitive, &plan);
    if (p->status[CREATES] == CLF_SUCCESS && p->status[PLANS] == CLF_SUCCESS)
        p->status[CALLS] = call(p, plan);
    p->site = fault_disarm();
    p->named = clf_comm_failed(comm);
    p->good = (comm != NULL) == (p->status[CREATES] == CLF_SUCCESS);
    p->good = p->good && (plan != NULL) == (comm && p->status[PLANS] == CLF_SUCCESS);
    if (comm) {
        p->good = works_afterwards(p, comm, &plan) && p->good;
        if (plan)
            clf_comm_plan_release(plan);
        clf_comm_release(comm);
        p->good = p->good && p->s.released == 1;
    }
    return NULL;
}

/* ---- One failure --------------------------------------------------------------------------------------- */

/* Of these nobody looks at what they return. */
static bool may_be_left(const fault_site *site)
{
    return strstr(site->call, "elease") || strcmp(site->call, "clEnqueueUnmapMemObject") == 0 ||
           (strcmp(site->call, "clFinish") == 0 && strstr(site->file, "block.c"));
}

/* Does the first status that is one say what has happened? */
static bool is_told(const player *bad)
{
    const bool memory = bad->site && strstr(bad->site->call, "alloc");
    clf_status first = CLF_SUCCESS;
    for (int step = 0; step < STEPS && first == CLF_SUCCESS; ++step)
        first = bad->status[step];
    if (!bad->site)
        return first == CLF_SUCCESS;
    if (may_be_left(bad->site) && (first == CLF_SUCCESS || bad->lasting))
        return true;
    return first == (memory ? CLF_E_NO_MEMORY : CL_OUT_OF_RESOURCES);
}

static bool agree(const player *players, cl_uint bad)
{
    for (cl_uint rank = 0; rank < MEMBERS; ++rank) {
        for (int step = 0; step < STEPS; ++step)
            HOLDS(players[rank].status[step] == players[bad].status[step]);
        HOLDS(players[rank].good);
        HOLDS(players[rank].status[PLANS] == CLF_SUCCESS || players[rank].named == bad);
        HOLDS(players[rank].status[CALLS] == CLF_SUCCESS || players[rank].named == bad);
    }
    HOLDS(is_told(&players[bad]));
    return true;
}

static bool nothing_leaked(const long *before)
{
    for (int kind = 0; kind < FAULT_KINDS; ++kind)
        HOLDS(fault_live(kind) == before[kind]);
    return true;
}

/* Fails one call; *more says whether there was one. */
static bool fail(player *players, cl_uint bad, unsigned long k, bool lasting, bool *more)
{
    pthread_t threads[MEMBERS];
    long before[FAULT_KINDS];
    for (int kind = 0; kind < FAULT_KINDS; ++kind)
        before[kind] = fault_live(kind);
    for (cl_uint rank = 0; rank < MEMBERS; ++rank) {
        player *p = &players[rank];
        p->fails = rank == bad ? k : 0;
        p->lasting = lasting;
        p->s.released = 0;
        memset(p->status, 0, sizeof p->status);
        HOLDS(pthread_create(&threads[rank], NULL, play, p) == 0);
    }
    for (cl_uint rank = 0; rank < MEMBERS; ++rank)
        pthread_join(threads[rank], NULL);
    const fault_site *site = players[bad].site;
    *more = site != NULL;
    const bool good = agree(players, bad) && nothing_leaked(before);
    if (!good)
        fprintf(stderr, "primitive %d, member %u, call %lu%s: %s in %s:%d\n", players[0].primitive, bad, k,
                lasting ? " and all behind" : "", site ? site->call : "none", site ? site->file : "",
                site ? site->line : 0);
    return good;
}

/* ---- Members of one thread ----------------------------------------------------------------------------- */

/* Everything between a communicator's creation and its release, with a call that fails; *site is NULL without. */
static clf_status work_together(const player *players, cl_uint locals, unsigned long k, const fault_site **site)
{
    clf_comm_member members[MEMBERS];
    clf_array in[MEMBERS], out[MEMBERS];
    clf_comm *comm = NULL;
    clf_comm_plan *plan = NULL;
    for (cl_uint l = 0; l < locals; ++l) {
        members[l] = (clf_comm_member){players[l].w->context[l], players[l].w->queue[l]};
        in[l] = players[l].in;
        out[l] = players[l].out;
    }
    fault_arm(k, k % 2);
    clf_status status = clf_comm_create(locals, members, NULL, &comm);
    if (status == CLF_SUCCESS)
        status = plain_plan(comm, players[0].primitive, &plan);
    if (status == CLF_SUCCESS)
        status = plain_call(plan, players[0].primitive, locals, all_of_them, in, out);
    *site = fault_disarm();
    if (plan && plain_call(plan, players[0].primitive, locals, all_of_them, in, out) != CLF_SUCCESS)
        status = CLF_E_ALIAS; /* what no failure is */
    if (plan)
        clf_comm_plan_release(plan);
    if (comm)
        clf_comm_release(comm);
    return status;
}

static bool fail_together(const player *players, cl_uint locals, unsigned long *failures)
{
    player one = {0};
    long before[FAULT_KINDS];
    for (int kind = 0; kind < FAULT_KINDS; ++kind)
        before[kind] = fault_live(kind);
    for (unsigned long k = 1; k == 1 || one.site; ++k) {
        one.status[CREATES] = work_together(players, locals, k, &one.site);
        one.lasting = k % 2;
        if (!is_told(&one) || !nothing_leaked(before)) {
            fprintf(stderr, "primitive %d, %u together, call %lu: %s, status %d\n", players[0].primitive, locals, k,
                    one.site ? one.site->call : "none", one.status[CREATES]);
            return false;
        }
        *failures += one.site != NULL;
    }
    return true;
}

/* ---- A primitive --------------------------------------------------------------------------------------- */

/* Results of three members of one thread, without failures; compiles all there is to compile. */
static bool find_wanted(const world *w, const player *players, int primitive, clf_comm_plan **plan, table *wanted)
{
    clf_array in[MEMBERS], out[MEMBERS];
    for (cl_uint rank = 0; rank < MEMBERS; ++rank) {
        in[rank] = players[rank].in;
        out[rank] = players[rank].out;
    }
    HOLDS(plain_plan(w->comm, primitive, plan) == CLF_SUCCESS);
    HOLDS(plain_call(*plan, primitive, MEMBERS, all_of_them, in, out) == CLF_SUCCESS);
    for (cl_uint rank = 0; rank < MEMBERS; ++rank) {
        cl_uint numbers[EACH];
        HOLDS(clEnqueueReadBuffer(w->queue[rank], out[rank].buffer, CL_TRUE, out[rank].offset * sizeof *numbers,
                                  sizeof numbers, numbers, 0, NULL, NULL) == CL_SUCCESS);
        for (uint64_t i = 0; i < EACH; ++i)
            row(wanted, rank * EACH + i)[0] = numbers[i];
    }
    return true;
}

static bool fail_all(const world *w, int primitive, unsigned long *failures)
{
    static const size_t bytes[] = {4};
    player players[MEMBERS];
    meeting m;
    clf_comm_plan *plan = NULL;
    table data = table_make((uint64_t)MEMBERS * EACH, 1, bytes);
    table wanted = table_make((uint64_t)MEMBERS * EACH, 1, bytes);
    meeting_open(&m, MEMBERS);
    for (uint64_t i = 0; i < data.count; ++i)
        data.at[i] = i / 700; /* runs that go on from member to member */
    for (cl_uint rank = 0; rank < MEMBERS; ++rank) {
        players[rank] = (player){.s = {&m, rank, 0}, .w = w, .wanted = &wanted, .primitive = primitive};
        give(w, rank, &data, (uint64_t)rank * EACH, EACH, &players[rank].in);
        make_room(w, rank, &data, EACH, &players[rank].out);
    }
    bool good = find_wanted(w, players, primitive, &plan, &wanted);
    cl_uint misses = 0; /* members have not so many calls, one after the other */
    for (unsigned long turn = 0; good && misses < MEMBERS; ++turn) {
        bool more = false;
        good = fail(players, (cl_uint)(turn % MEMBERS), 1 + turn / MEMBERS, turn % 2, &more);
        misses = more ? 0 : misses + 1;
        *failures += more;
    }
    for (cl_uint locals = 1; locals <= MEMBERS && good; locals += MEMBERS - 1)
        good = fail_together(players, locals, failures);
    if (plan)
        clf_comm_plan_release(plan); /* it kept what is compiled */
    meeting_close(&m);
    case_end();
    return good;
}

/* ---- All ----------------------------------------------------------------------------------------------- */

static bool every_place_has_failed(void)
{
    size_t count, failed = 0;
    fault_site *const *sites = fault_sites(&count);
    for (size_t i = 0; i < count; ++i) {
        if (sites[i]->failed != 0 || may_be_left(sites[i]))
            ++failed;
        else
            fprintf(stderr, "%s:%d: %s has not failed\n", sites[i]->file, sites[i]->line, sites[i]->call);
    }
    printf("%zu of %zu places have failed\n", failed, count);
    return failed == count;
}

int main(void)
{
    world w;
    unsigned long failures = 0;
    bool good = world_open(&w, MEMBERS);
    for (int primitive = 0; primitive < PLAIN_CALLS && good; ++primitive)
        good = fail_all(&w, primitive, &failures);
    printf("%lu failures\n", failures);
    good = good && every_place_has_failed();
    world_close(&w);
    return !good;
}
