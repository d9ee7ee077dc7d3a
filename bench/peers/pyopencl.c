/* SPDX-License-Identifier: MIT */
/*
 * PyOpenCL on the same device, in a child: a Python that has it runs pyopencl_peer.py, which is embedded and tells what
 * the two say to each other. The child gets arrays through a pipe before anything is timed; a call is a line that
 * is sent and not answered, so that calls follow each other there as they would in a program of its own.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "bench.h"
#include "embedded.h"
#include "peer.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* One for all operators: it is started by the first, and ends with the bench. */
static struct {
    bool started;
    pid_t pid;
    FILE *to, *from; /* NULL: there is none */
    bool busy; /* it has a job */
    unsigned outputs;
    size_t most[BENCH_FIELDS]; /* bytes of a result */
} child;

enum { LINE = 512 };

/* ---- The child --------------------------------------------------------------------------------------------- */

/* Ends it at once: it has nothing to save, and must not go on beside what is measured next. */
static void hang_up(void)
{
    if (!child.to)
        return;
    fclose(child.to);
    fclose(child.from);
    child.to = child.from = NULL;
    kill(child.pid, SIGKILL);
    waitpid(child.pid, NULL, 0);
}

/* The next line without its end; "" where the child is gone. */
static const char *read_line(char line[LINE])
{
    if (!child.from || !fgets(line, LINE, child.from))
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return line;
}

/* Sends what was written; is the answer "ok" or "ready …"? */
static bool is_agreed(char line[LINE])
{
    if (!child.to || fflush(child.to) != 0)
        return false;
    read_line(line);
    return strncmp(line, "ok", 2) == 0 || strncmp(line, "ready", 5) == 0;
}

static bool is_spawned(const char *python, const char *script)
{
    int requests[2], replies[2];
    char *const arguments[] = {(char *)python, "-c", (char *)script, NULL};
    posix_spawn_file_actions_t actions;
    if (pipe(requests) != 0 || pipe(replies) != 0)
        bench_die("no pipe");
    for (int i = 0; i < 2; i++) {
        fcntl(requests[i], F_SETFD, FD_CLOEXEC);
        fcntl(replies[i], F_SETFD, FD_CLOEXEC);
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, requests[0], 0);
    posix_spawn_file_actions_adddup2(&actions, replies[1], 1);
    const bool started = posix_spawnp(&child.pid, python, &actions, NULL, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(requests[0]);
    close(replies[1]);
    if (!started) {
        close(requests[1]);
        close(replies[0]);
        return false;
    }
    child.to = fdopen(requests[1], "w");
    child.from = fdopen(replies[0], "r");
    if (!child.to || !child.from)
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
        i++;
    free(list);
    return i;
}

/* The first Python that has PyOpenCL; says so once where there is none. */
static bool has_child(const peer_job *job)
{
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    char line[LINE] = "no Python";
    if (child.started)
        return child.to != NULL;
    child.started = true;
    signal(SIGPIPE, SIG_IGN); /* a child that is gone is seen by its answer */
    char *script = bench_copy_text((const char *)pyopencl_files[0].data, pyopencl_files[0].bytes);
    for (size_t i = 0; i < sizeof pythons / sizeof pythons[0] && !child.to; i++) {
        if (!is_spawned(pythons[i], script))
            continue;
        fprintf(child.to, "device %u\n", number_of(job->device));
        if (!is_agreed(line))
            hang_up();
    }
    free(script);
    if (child.to)
        atexit(hang_up);
    else
        bench_note("skipped: peer pyopencl: %s", strncmp(line, "no ", 3) == 0 ? line + 3 : "Python ended");
    return child.to != NULL;
}

/* ---- A job ------------------------------------------------------------------------------------------------- */

/* Bytes of an element of field number `field`: those behind the first are places. */
static size_t size_of(const peer_job *job, unsigned field)
{
    return field ? sizeof(cl_uint) : strtoul(job->type + 1, NULL, 10) / 8;
}

static void send_inputs(const peer_job *job)
{
    fprintf(child.to, "open %s %s %s %d %u %llu", job->primitive, job->op, job->type, job->exclusive, job->kept,
            (unsigned long long)job->n);
    for (unsigned i = 0; i < job->inputs; i++)
        fprintf(child.to, " %llu", (unsigned long long)(job->n * size_of(job, i)));
    fputc('\n', child.to);
    for (unsigned i = 0; i < job->inputs; i++)
        fwrite(job->in[i], size_of(job, i), (size_t)job->n, child.to);
}

/* One field of numbers, or keys and places: what the child may have a job for. */
static bool is_plain(const peer_job *job)
{
    const bool number = (job->type[0] == 'i' || job->type[0] == 'u' || job->type[0] == 'f') && !strchr(job->type, ',');
    return number && job->inputs == job->outputs &&
           (job->inputs == 1 || (job->inputs == 2 && strcmp(job->primitive, "sort_pairs") == 0));
}

static void *open_child(const peer_job *job)
{
    char line[LINE];
    if (child.busy || !is_plain(job) || !has_child(job))
        return NULL;
    send_inputs(job);
    if (!is_agreed(line)) {
        if (strcmp(line, "no not there") != 0)
            bench_note("skipped: peer pyopencl, %s of %s: %s", job->primitive, job->type,
                       line[0] ? line + 3 : "it ended");
        if (!line[0])
            hang_up();
        return NULL;
    }
    child.busy = true;
    child.outputs = job->outputs;
    for (unsigned o = 0; o < job->outputs; o++)
        child.most[o] = (size_t)job->results * size_of(job, o);
    return &child;
}

static int shape_child(void *state, uint64_t count, uint64_t size)
{
    char line[LINE];
    (void)state;
    if (child.to)
        fprintf(child.to, "shape %llu %llu\n", (unsigned long long)count, (unsigned long long)size);
    return is_agreed(line);
}

static void call_child(void *state)
{
    (void)state;
    if (child.to && (fputs("call\n", child.to) == EOF || fflush(child.to) != 0))
        hang_up();
}

static void wait_child(void *state)
{
    char line[LINE];
    (void)state;
    if (child.to)
        fputs("wait\n", child.to);
    if (!is_agreed(line))
        hang_up();
}

/* What is not sent stays wrong, whatever was there. */
static void fetch_child(void *state, void *const *out)
{
    char line[LINE];
    (void)state;
    for (unsigned o = 0; o < child.outputs; o++)
        memset(out[o], 0xA5, child.most[o]);
    if (!child.to || fputs("fetch\n", child.to) == EOF || fflush(child.to) != 0)
        return;
    for (unsigned o = 0; strcmp(read_line(line), "end") != 0; o++) {
        const unsigned long long bytes = strtoull(line, NULL, 10);
        if (o == child.outputs || bytes > child.most[o] || fread(out[o], 1, (size_t)bytes, child.from) != bytes) {
            hang_up();
            return;
        }
    }
}

static void close_child(void *state)
{
    char line[LINE];
    (void)state;
    child.busy = false;
    if (child.to)
        fputs("close\n", child.to);
    if (!is_agreed(line))
        hang_up();
}

const peer peer_pyopencl = {"pyopencl", open_child, shape_child, call_child, NULL, wait_child, fetch_child, close_child,
                            NULL, 1};
