/* SPDX-License-Identifier: MIT */
/*
 * Libraries of Python, each in a child: PyOpenCL on the same device (pyopencl_peer.py), NumPy on one core
 * (numpy_peer.py). The scripts are embedded, behind python_peer.py, which tells what the two say to each other. The
 * child gets arrays through a pipe before anything is timed; a call is a line that is sent and not answered, so that
 * calls follow each other there as they would in a program of its own.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "rows/operators.h"
#include "common/embedded.h"
#include "rows/peer.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LINE = 512 };

/* One for all operators: it is started by the first, and ends with the bench. */
typedef struct child {
    const char *name, *script; /* the latter a file's name */
    char version[64];
    bool started;
    pid_t pid;
    FILE *to, *from; /* NULL: there is none */
    bool busy;       /* it has a job */
    unsigned outputs;
    size_t most[BENCH_FIELDS]; /* bytes of a result */
} child;
static child pyopencl = {.name = "pyopencl", .script = "pyopencl_peer.py"};
static child numpy = {.name = "numpy", .script = "numpy_peer.py"};

/* ---- The child --------------------------------------------------------------------------------------------- */

/* Ends it at once: it has nothing to save, and must not go on beside what is measured next. */
static void hang_up(child *self)
{
    if (!self->to)
        return;
    fclose(self->to);
    fclose(self->from);
    self->to = self->from = NULL;
    kill(self->pid, SIGKILL);
    waitpid(self->pid, NULL, 0);
}

static void hang_up_all(void)
{
    hang_up(&pyopencl);
    hang_up(&numpy);
}

/* The next line without its end; "" where the child is gone. */
static const char *read_line(child *self, char line[LINE])
{
    if (!self->from || !fgets(line, LINE, self->from))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return line;
}

/* Sends what was written; is the answer "ok" or "ready …"? */
static bool is_agreed(child *self, char line[LINE])
{
    if (!self->to || fflush(self->to) != 0)
        return false;
    read_line(self, line);
    return strncmp(line, "ok", 2) == 0 || strncmp(line, "ready", 5) == 0;
}

static bool is_spawned(child *self, const char *python, const char *script)
{
    int requests[2], replies[2];
    char *const arguments[] = {(char *)python, "-c", (char *)script, NULL};
    posix_spawn_file_actions_t actions;
    if (pipe(requests) != 0 || pipe(replies) != 0)
        bench_die("no pipe");
    for (int i = 0; i < 2; ++i) {
        fcntl(requests[i], F_SETFD, FD_CLOEXEC);
        fcntl(replies[i], F_SETFD, FD_CLOEXEC);
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, requests[0], 0);
    posix_spawn_file_actions_adddup2(&actions, replies[1], 1);
    const bool started = posix_spawnp(&self->pid, python, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(requests[0]);
    close(replies[1]);
    if (!started) {
        close(requests[1]);
        close(replies[0]);
        return false;
    }
    self->to = fdopen(requests[1], "w");
    self->from = fdopen(replies[0], "r");
    if (!self->to || !self->from)
        bench_die("no stream for a pipe");
    return true;
}

/* As the loader counts them. */
static unsigned number_of(const void *device)
{
    bench_device *list;
    const unsigned count = bench_devices(&list);
    unsigned i = 0;
    while (i < count && list[i].id != device)
        ++i;
    free(list);
    return i;
}

/* What both say, then the library's own part. */
static char *script_of(const child *self)
{
    const embedded_file *own = python_files;
    while (strcmp(own->name, self->script) != 0)
        ++own;
    char *const script = bench_alloc(python_files[0].bytes + own->bytes + 1);
    memcpy(script, python_files[0].data, python_files[0].bytes);
    memcpy(script + python_files[0].bytes, own->data, own->bytes);
    script[python_files[0].bytes + own->bytes] = '\0';
    return script;
}

/* The first Python that has the library; says so once where there is none. */
static bool has_child(child *self, const peer_job *job)
{
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    char line[LINE] = "no Python";
    if (self->started)
        return self->to;
    self->started = true;
    signal(SIGPIPE, SIG_IGN); /* a child that is gone is seen by its answer */
    char *script = script_of(self);
    for (size_t i = 0; i < sizeof pythons / sizeof pythons[0] && !self->to; ++i) {
        if (!is_spawned(self, pythons[i], script))
            continue;
        fprintf(self->to, "device %u\n", number_of(job->device));
        if (!is_agreed(self, line))
            hang_up(self);
    }
    free(script);
    if (self->to) {
        snprintf(self->version, sizeof self->version, "%.63s", line + strlen("ready "));
        atexit(hang_up_all);
    } else {
        bench_note("skipped: peer %s: %s", self->name, strncmp(line, "no ", 3) == 0 ? line + 3 : "Python ended");
    }
    return self->to;
}

/* ---- A job ------------------------------------------------------------------------------------------------- */

/* Bytes of an element of field number `field`: those behind the first are places. */
static size_t size_of(const peer_job *job, unsigned field)
{
    return field ? sizeof(cl_uint) : strtoul(job->type + 1, NULL, 10) / 8;
}

static void send_inputs(const child *self, const peer_job *job)
{
    fprintf(self->to, "open %s %s %s %d %u %llu", job->primitive, job->op, job->type, job->exclusive, job->kept,
            (unsigned long long)job->n);
    for (unsigned i = 0; i < job->inputs; ++i)
        fprintf(self->to, " %llu", (unsigned long long)(job->n * size_of(job, i)));
    fputc('\n', self->to);
    for (unsigned i = 0; i < job->inputs; ++i)
        fwrite(job->in[i], size_of(job, i), (size_t)job->n, self->to);
}

/* One field of numbers, or keys and places: what a child may have a job for. */
static bool is_plain(const peer_job *job)
{
    const bool number = (job->type[0] == 'i' || job->type[0] == 'u' || job->type[0] == 'f') && !strchr(job->type, ',');
    const bool places = strcmp(job->primitive, "sort_pairs") == 0 || strcmp(job->primitive, "sort_indices") == 0;
    return number && (places || (job->inputs == 1 && job->outputs == 1));
}

static void *open_child(child *self, const peer_job *job)
{
    char line[LINE];
    if (self->busy || !is_plain(job) || !has_child(self, job))
        return NULL;
    send_inputs(self, job);
    if (!is_agreed(self, line)) {
        if (strcmp(line, "no not there") != 0)
            bench_note("skipped: peer %s, %s of %s: %s", self->name, job->primitive, job->type,
                       line[0] ? line + 3 : "it ended");
        if (!line[0])
            hang_up(self);
        return NULL;
    }
    self->busy = true;
    self->outputs = job->outputs;
    for (unsigned o = 0; o < job->outputs; ++o)
        self->most[o] = (size_t)job->results * size_of(job, o);
    return self;
}

static void *open_pyopencl(const peer_job *job) { return open_child(&pyopencl, job); }
static void *open_numpy(const peer_job *job) { return open_child(&numpy, job); }

static int shape_child(void *state, uint64_t count, uint64_t size)
{
    child *const self = state;
    char line[LINE];
    if (self->to)
        fprintf(self->to, "shape %llu %llu\n", (unsigned long long)count, (unsigned long long)size);
    return is_agreed(self, line);
}

static void call_child(void *state)
{
    child *const self = state;
    if (self->to && (fputs("call\n", self->to) == EOF || fflush(self->to) != 0))
        hang_up(self);
}

static void wait_child(void *state)
{
    child *const self = state;
    char line[LINE];
    if (self->to)
        fputs("wait\n", self->to);
    if (!is_agreed(self, line))
        hang_up(self);
}

/* What is not sent stays wrong, whatever was there. */
static void fetch_child(void *state, void *const *out)
{
    child *const self = state;
    char line[LINE];
    for (unsigned o = 0; o < self->outputs; ++o)
        memset(out[o], 0xA5, self->most[o]);
    if (!self->to || fputs("fetch\n", self->to) == EOF || fflush(self->to) != 0)
        return;
    for (unsigned o = 0; strcmp(read_line(self, line), "end") != 0; ++o) {
        const unsigned long long bytes = strtoull(line, NULL, 10);
        if (o == self->outputs || bytes > self->most[o] || fread(out[o], 1, (size_t)bytes, self->from) != bytes) {
            hang_up(self);
            return;
        }
    }
}

static void close_child(void *state)
{
    child *const self = state;
    char line[LINE];
    self->busy = false;
    if (self->to)
        fputs("close\n", self->to);
    if (!is_agreed(self, line))
        hang_up(self);
}

static const char *version_of_pyopencl(void) { return pyopencl.version; }
static const char *version_of_numpy(void) { return numpy.version; }

#define PEER(name)                                                                                                     \
    const peer peer_##name = {#name, open_##name, shape_child, call_child, NULL, wait_child, fetch_child, close_child, \
                              NULL, 1, version_of_##name};
PEER(pyopencl)
PEER(numpy)
