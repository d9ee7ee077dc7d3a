/* SPDX-License-Identifier: MIT */
#include "world.h"

#ifdef WITH_MPI
#include <clfold/clfold_mpi.h>
#endif

/* ---- Processes ----------------------------------------------------------------------------------------- */

#ifdef WITH_MPI
void world_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
}

void world_stop(void)
{
    MPI_Finalize();
}

bool world_agrees(bool good)
{
    int mine = good, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

bool world_speaks(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == 0;
}
#else
void world_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void world_stop(void)
{
}

bool world_agrees(bool good)
{
    return good;
}

bool world_speaks(void)
{
    return true;
}
#endif

/* ---- Members ------------------------------------------------------------------------------------------- */

static cl_device_id find_device(void)
{
    const char *wanted = getenv("CLFOLD_TEST_DEVICE");
    cl_platform_id platforms[16];
    cl_uint count = 0;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
        return NULL;
    for (cl_uint p = 0; p < count && p < 16; ++p) {
        cl_device_id device;
        char name[256] = "";
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
            continue;
        (void)clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
        if (!wanted || strstr(name, wanted))
            return device;
    }
    return NULL;
}

/* Members 0 and 1 share their contexts, the others have their own. */
static bool open_member(world *w, cl_uint l)
{
    cl_int status;
    if (l == 1) {
        w->cl[l] = w->cl[0];
        w->context[l] = w->context[0];
        clRetainContext(w->cl[l]);
        clf_context_retain(w->context[l]);
    } else {
        w->cl[l] = clCreateContext(NULL, 1, &w->device, NULL, NULL, &status);
        HOLDS(status == CL_SUCCESS);
        HOLDS(clf_context_create(w->cl[l], w->device, NULL, &w->context[l], NULL) == CLF_SUCCESS);
    }
    w->queue[l] = clCreateCommandQueue(w->cl[l], w->device, 0, &status);
    HOLDS(status == CL_SUCCESS);
    return true;
}

bool world_open(world *w, cl_uint members)
{
    clf_comm_member list[MOST_MEMBERS];
    *w = (world){.device = find_device(), .locals = members};
    HOLDS(w->device);
    for (cl_uint l = 0; l < w->locals; ++l) {
        HOLDS(open_member(w, l));
        list[l] = (clf_comm_member){w->context[l], w->queue[l]};
    }
#ifdef WITH_MPI
    HOLDS(clf_mpi_comm_create(MPI_COMM_WORLD, list[0].context, list[0].queue, &w->comm) == CLF_SUCCESS);
#else
    HOLDS(clf_comm_create(w->locals, list, NULL, &w->comm) == CLF_SUCCESS);
#endif
    w->members = clf_comm_members(w->comm);
    w->first = clf_comm_first(w->comm);
    HOLDS(clf_comm_locals(w->comm) == w->locals && w->members <= MOST_MEMBERS);
    return true;
}

void world_close(world *w)
{
    clf_comm_release(w->comm);
    for (cl_uint l = 0; l < w->locals; ++l) {
        clReleaseCommandQueue(w->queue[l]);
        clf_context_release(w->context[l]);
        clReleaseContext(w->cl[l]);
    }
}

/* ---- Random numbers ------------------------------------------------------------------------------------ */

/* splitmix64 */
uint64_t draw(generator *g)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t draw_below(generator *g, uint64_t n)
{
    return draw(g) % n;
}

uint64_t distribute(enum pattern pattern, cl_uint members, generator *g, cl_ulong *n)
{
    uint64_t total = 0;
    const uint64_t each = 1 + draw_below(g, 700);
    for (cl_uint rank = 0; rank < members; ++rank) {
        n[rank] = pattern == EVEN                               ? each
                  : pattern == ONE_EACH                         ? 1
                  : pattern == FIRST_ONLY && rank == 0          ? each
                  : pattern == LAST_ONLY && rank + 1 == members ? each
                  : pattern == HOLES                            ? draw_below(g, 3) * each / 2
                  : pattern == SKEWED                           ? draw_below(g, 1 + (each << draw_below(g, 4)))
                                                                : 0;
        total += n[rank];
    }
    return total;
}

/* ---- Arrays of fields ---------------------------------------------------------------------------------- */

/* Arrays begin behind so many elements. */
enum { BEFORE = 3 };

/* What a case has made: a table's numbers, or a buffer. */
typedef struct owned {
    uint64_t *numbers;
    cl_mem buffer;
} owned;
static owned *made;
static size_t made_count;

static void own(owned one)
{
    made = realloc(made, (made_count + 1) * sizeof *made);
    if (!made || (!one.numbers && !one.buffer))
        abort();
    made[made_count++] = one;
}

void case_end(void)
{
    for (; made_count > 0; --made_count) {
        free(made[made_count - 1].numbers);
        if (made[made_count - 1].buffer)
            clReleaseMemObject(made[made_count - 1].buffer);
    }
    free(made);
    made = NULL;
}

table table_make(uint64_t count, cl_uint fields, const size_t *bytes)
{
    table t = {.count = count, .fields = fields, .at = calloc(count * fields + 1, sizeof *t.at)};
    for (cl_uint f = 0; f < fields; ++f)
        t.bytes[f] = bytes[f];
    own((owned){t.at, NULL});
    return t;
}

uint64_t *row(const table *t, uint64_t i)
{
    return t->at + i * t->fields;
}

static void put(char *to, size_t bytes, uint64_t number)
{
    for (size_t i = 0; i < bytes; ++i) /* as all machines that PoCL runs on here: the lowest byte first */
        to[i] = (char)(number >> 8 * (i % 8) ^ i / 8 * 0x5a);
}

void give(const world *w, cl_uint l, const table *t, uint64_t begin, uint64_t count, clf_array *arrays)
{
    for (cl_uint f = 0; f < t->fields; ++f) {
        const size_t bytes = t->bytes[f];
        char *data = calloc(count + BEFORE, bytes);
        for (uint64_t i = 0; data && t->count != 0 && i < count; ++i)
            put(data + (i + BEFORE) * bytes, bytes, row(t, begin + i)[f]);
        arrays[f].offset = BEFORE;
        arrays[f].buffer = clCreateBuffer(w->cl[l], CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, (count + BEFORE) * bytes,
                                          data, NULL);
        free(data);
        own((owned){NULL, arrays[f].buffer});
    }
}

void make_room(const world *w, cl_uint l, const table *like, uint64_t count, clf_array *arrays)
{
    table none = *like;
    none.count = 0;
    give(w, l, &none, 0, count, arrays);
}

bool same_rows(const world *w, cl_uint l, const clf_array *arrays, const table *t, uint64_t begin, uint64_t count)
{
    bool same = true;
    for (cl_uint f = 0; f < t->fields && count != 0; ++f) {
        const size_t bytes = t->bytes[f];
        char *data = malloc(count * bytes), wanted[16];
        if (!data || clEnqueueReadBuffer(w->queue[l], arrays[f].buffer, CL_TRUE, arrays[f].offset * bytes,
                                         count * bytes, data, 0, NULL, NULL) != CL_SUCCESS)
            abort();
        for (uint64_t i = 0; i < count && same; ++i) {
            put(wanted, bytes, row(t, begin + i)[f]);
            same = memcmp(wanted, data + i * bytes, bytes) == 0;
            if (!same)
                fprintf(stderr, "member %u, field %u: element %llu of %llu differs\n", w->first + l, f,
                        (unsigned long long)i, (unsigned long long)count);
        }
        free(data);
    }
    return same;
}

/* ---- Cases --------------------------------------------------------------------------------------------- */

bool right_results(const test_case *c, const clf_comm_results *results, const uint64_t *first, const table *wanted,
                   const clf_array *out)
{
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        HOLDS(results[l].count == first[me + 1] - first[me] && results[l].first == first[me]);
        HOLDS(results[l].total == first[c->w->members]);
        HOLDS(same_rows(c->w, l, out + wanted->fields * l, wanted, first[me], results[l].count));
    }
    return true;
}
