/* SPDX-License-Identifier: MIT */
/*
 * Intel's CPU runtime (2026.22.10) forgets commands: host threads that share queues, or have their own, wait for ever.
 * Of eight threads that enqueue, wait and read, some stop for good in most runs on two busy cores. No clfold in here.
 *
 *     cc intel_threads.c -lOpenCL -lpthread && ./a.out
 */
#include "setup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 200, SIZE = 20000, PATIENCE = 60 /* seconds */ };

static const char *source =
    "__kernel void add(__global const uint *x, __global uint *y)"
    "{ y[get_global_id(0)] = x[get_global_id(0)] + 1; }";

static setup s;
static cl_command_queue shared[2];
static atomic_int rounds[THREADS];

static void one_round(cl_command_queue queue, cl_kernel kernel, size_t n, cl_uint *data)
{
    cl_event done;
    cl_mem x = new_buffer(&s, SIZE * sizeof *data, data), y = new_buffer(&s, SIZE * sizeof *data, NULL);
    set_argument(kernel, 0, sizeof x, &x);
    set_argument(kernel, 1, sizeof y, &y);
    launch(queue, kernel, n, 1, &done);
    check(clWaitForEvents(1, &done), "clWaitForEvents");
    read_back(queue, y, n * sizeof *data, data);
    clReleaseEvent(done);
    clReleaseMemObject(x);
    clReleaseMemObject(y);
}

static void *work(void *argument)
{
    const int me = (int)((atomic_int *)argument - rounds);
    const cl_command_queue_properties order = me % 4 == 3 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    cl_command_queue queue = me % 4 < 2 ? shared[me % 4] : new_queue(&s, order);
    cl_kernel kernel = new_kernel(&s, "add");
    cl_uint *data = calloc(SIZE, sizeof *data);
    for (int r = 0; r < ROUNDS; ++r) {
        one_round(queue, kernel, 1 + (size_t)(r * 7919 + me) % SIZE, data);
        ++rounds[me];
    }
    free(data);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    s = set_up(source, "");
    shared[0] = s.queue;
    shared[1] = new_queue(&s, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int i = 0; i < THREADS; ++i)
        pthread_create(&thread, NULL, work, &rounds[i]);
    int before = 0, sum = 0;
    for (int idle = 0; idle < PATIENCE && sum < THREADS * ROUNDS; idle = sum == before ? idle + 1 : 0) {
        before = sum;
        sleep(1);
        sum = 0;
        for (int i = 0; i < THREADS; ++i)
            sum += rounds[i];
    }
    printf(sum == THREADS * ROUNDS ? "right\n" : "hangs after so many of %d rounds:", ROUNDS);
    for (int i = 0; i < THREADS && sum < THREADS * ROUNDS; ++i)
        printf(" %d", rounds[i]);
    puts("");
    fflush(stdout);
    _exit(sum < THREADS * ROUNDS);
}
