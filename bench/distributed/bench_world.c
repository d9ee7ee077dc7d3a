/* SPDX-License-Identifier: MIT */
#include "bench_world.h"

#ifdef WITH_MPI
#include <clfold/clfold_mpi.h>
#endif

void bench_check(cl_int status, const char *what)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", what, clf_status_text(status));
    exit(1);
}

/* ---- Processes ----------------------------------------------------------------------------------------- */

#ifdef WITH_MPI
static int rank_here(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/* The place of this process among those of its host, and how many these are. */
static void place_here(cl_uint *place, cl_uint *count)
{
    MPI_Comm host;
    int rank, size;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank);
    MPI_Comm_size(host, &size);
    MPI_Comm_free(&host);
    *place = (cl_uint)rank;
    *count = (cl_uint)size;
}

void bench_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
}

void bench_stop(void)
{
    MPI_Finalize();
}

void bench_range(cl_uint wanted, cl_uint *least, cl_uint *most)
{
    int size;
    (void)wanted;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *least = *most = (cl_uint)size;
}

bool bench_all(bool good)
{
    int mine = good, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

double bench_most(double number)
{
    double most;
    MPI_Allreduce(&number, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

bool bench_speaks(void)
{
    return rank_here() == 0;
}

bool bench_exscan(cl_uint mine, cl_uint *before)
{
    *before = 0; /* which the first process keeps */
    return MPI_Exscan(&mine, before, 1, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS;
}

/* The first process prints everyone's line, in the order of ranks. */
static void say(const bench_world *w, char line[BENCH_NAME])
{
    char *all = malloc((size_t)w->total * BENCH_NAME);
    bench_check(all ? CLF_SUCCESS : CLF_E_NO_MEMORY, "malloc");
    MPI_Gather(line, BENCH_NAME, MPI_CHAR, all, BENCH_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (cl_uint rank = 0; rank < w->total && bench_speaks(); ++rank)
        puts(all + (size_t)rank * BENCH_NAME);
    free(all);
}
#else
static int rank_here(void)
{
    return 0;
}

static void place_here(cl_uint *place, cl_uint *count)
{
    *place = 0;
    *count = 1;
}

void bench_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void bench_stop(void)
{
}

void bench_range(cl_uint wanted, cl_uint *least, cl_uint *most)
{
    *least = 1;
    *most = wanted;
}

bool bench_all(bool good)
{
    return good;
}

double bench_most(double number)
{
    return number;
}

bool bench_speaks(void)
{
    return true;
}

bool bench_exscan(cl_uint mine, cl_uint *before)
{
    (void)mine;
    *before = 0;
    return false;
}

static void say(const bench_world *w, char line[BENCH_NAME])
{
    (void)w;
    puts(line);
}
#endif

/* ---- Devices ------------------------------------------------------------------------------------------- */

/* The devices of the first platform that has GPUs, or else any devices; at most `room`. */
static cl_uint find_devices(cl_device_id *devices, cl_uint room)
{
    static const cl_device_type wanted[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[16];
    cl_uint platform_count = 0, count;
    bench_check(clGetPlatformIDs(16, platforms, &platform_count), "platforms");
    for (int t = 0; t < 2; ++t)
        for (cl_uint p = 0; p < platform_count && p < 16; ++p)
            if (clGetDeviceIDs(platforms[p], wanted[t], room, devices, &count) == CL_SUCCESS && count != 0)
                return count < room ? count : room;
    bench_check(CL_DEVICE_NOT_FOUND, "a device");
    return 0;
}

static cl_ulong memory_of(cl_device_id device, cl_device_info what)
{
    cl_ulong bytes = 0;
    bench_check(clGetDeviceInfo(device, what, sizeof bytes, &bytes, NULL), "a device's memory");
    return bytes;
}

static void open_device(bench_world *w, cl_uint l, cl_uint number)
{
    cl_int status;
    char name[BENCH_NAME - 100] = "", line[BENCH_NAME];
    const cl_device_id device = w->device[l];
    w->cl[l] = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    bench_check(status, "a context");
    w->queue[l] = clCreateCommandQueue(w->cl[l], device, 0, &status);
    bench_check(status, "a queue");
    bench_check(clf_context_create(w->cl[l], device, NULL, &w->context[l], NULL), "clf_context_create");
    (void)clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    for (char *at = name; *at != '\0'; ++at)
        *at = *at == '"' || *at == '\\' || (unsigned char)*at < ' ' ? '_' : *at; /* a string of JSON as it is */
    snprintf(line, sizeof line, "member %u: device %u of %u, %s, %.1f GiB", w->place + l, number, w->devices, name,
             (double)memory_of(device, CL_DEVICE_GLOBAL_MEM_SIZE) / (1 << 30));
    say(w, line);
    if (l == 0)
        memcpy(w->name, name, sizeof name);
}

void bench_open(bench_world *w, cl_uint members)
{
    cl_device_id devices[BENCH_MEMBERS];
    cl_uint place, processes;
    *w = (bench_world){.opened = members, .total = members, .place = (cl_uint)rank_here()};
#ifdef WITH_MPI
    w->opened = 1;
#endif
    w->devices = find_devices(devices, BENCH_MEMBERS);
    place_here(&place, &processes);
    w->sharing = (cl_uint)bench_most((w->opened * processes + w->devices - 1) / w->devices);
    for (cl_uint l = 0; l < w->opened; ++l) {
        const cl_uint number = (place + l) % w->devices;
        w->device[l] = devices[number];
        open_device(w, l, number);
    }
    if (w->sharing > 1 && bench_speaks())
        printf("up to %u members share a device: times over members say little\n", w->sharing);
}

void bench_memory(const bench_world *w, cl_ulong *bytes, cl_ulong *buffer)
{
    double global = 0, one = 0; /* negative, as the largest is what processes tell each other */
    for (cl_uint l = 0; l < w->opened; ++l) {
        const double all = -(double)memory_of(w->device[l], CL_DEVICE_GLOBAL_MEM_SIZE) / w->sharing;
        const double most = -(double)memory_of(w->device[l], CL_DEVICE_MAX_MEM_ALLOC_SIZE);
        global = l == 0 || all > global ? all : global;
        one = l == 0 || most > one ? most : one;
    }
    *bytes = (cl_ulong)-bench_most(global);
    *buffer = (cl_ulong)-bench_most(one);
}

void bench_close(bench_world *w)
{
    for (cl_uint l = 0; l < w->opened; ++l) {
        clf_context_release(w->context[l]);
        clReleaseCommandQueue(w->queue[l]);
        clReleaseContext(w->cl[l]);
    }
}

/* ---- Members ------------------------------------------------------------------------------------------- */

void bench_meet(bench_world *w, cl_uint members)
{
#ifdef WITH_MPI
    (void)members;
    bench_check(clf_mpi_comm_create(MPI_COMM_WORLD, w->context[0], w->queue[0], &w->comm), "clf_mpi_comm_create");
#else
    clf_comm_member list[BENCH_MEMBERS];
    for (cl_uint l = 0; l < members; ++l)
        list[l] = (clf_comm_member){w->context[l], w->queue[l]};
    bench_check(clf_comm_create(members, list, NULL, &w->comm), "clf_comm_create");
#endif
    w->members = clf_comm_members(w->comm);
    w->first = clf_comm_first(w->comm);
    w->locals = clf_comm_locals(w->comm);
}

void bench_part(bench_world *w)
{
    clf_comm_release(w->comm);
    w->comm = NULL;
}
