/* SPDX-License-Identifier: MIT */
/*
 * The child that does the work: this program again, with --worker. It is a process of its own because kernels that are
 * tried out may hang or crash it, and because nobody may fork once OpenCL is there.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "tune/tune.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(const tune_process *process, int requests, int answers)
{
    char *const arguments[] = {(char *)process->program, "--worker", "--device",
                               (char *)(process->device ? process->device : ""), NULL};
    dup2(requests, 0);
    dup2(answers, 1);
    execvp(process->program, arguments);
    fprintf(stderr, "clfold: cannot start %s\n", process->program);
    _exit(127);
}

static void start(tune_process *process)
{
    int requests[2], answers[2];
    signal(SIGPIPE, SIG_IGN); /* a child that is gone is seen by its answer */
    if (pipe(requests) != 0 || pipe(answers) != 0)
        bench_die("no pipe: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        fcntl(requests[i], F_SETFD, FD_CLOEXEC); /* the child has copies of those that it needs */
        fcntl(answers[i], F_SETFD, FD_CLOEXEC);
    }
    process->pid = (int)fork();
    if (process->pid < 0)
        bench_die("no process: %s", strerror(errno));
    if (process->pid == 0)
        run_child(process, requests[0], answers[1]);
    close(requests[0]);
    close(answers[1]);
    process->to = requests[1];
    process->from = answers[0];
    process->held = 0;
}

/* Its exit status, after its end. A child whose driver does not let go of it is left to the system after a while. */
static int reap(tune_process *process)
{
    enum { TURNS = 1000, TURN_US = 10000 };
    int status = 0;
    close(process->to);
    close(process->from);
    for (int i = 0; i < TURNS && waitpid((pid_t)process->pid, &status, WNOHANG) == 0; i++)
        usleep(TURN_US);
    process->pid = 0;
    return status;
}

void tune_process_end(tune_process *process)
{
    if (!process->pid)
        return;
    kill((pid_t)process->pid, SIGKILL);
    reap(process);
}

static bool send_line(const tune_process *process, const char *line)
{
    for (size_t length = strlen(line); length > 0;) {
        const ssize_t sent = write(process->to, line, length);
        if (sent < 0 && errno != EINTR)
            return false;
        if (sent > 0) {
            line += sent;
            length -= (size_t)sent;
        }
    }
    return true;
}

/* Takes a line from what was read; false if there is no whole one yet. */
static bool take_line(tune_process *process, char answer[TUNE_LINE])
{
    char *newline = memchr(process->buffer, '\n', process->held);
    if (!newline)
        return false;
    const size_t length = (size_t)(newline - process->buffer);
    memcpy(answer, process->buffer, length);
    answer[length] = '\0';
    process->held -= length + 1;
    memmove(process->buffer, newline + 1, process->held);
    return true;
}

/* 1: there is more; 0: the child has ended; -1: it is too late. */
static int read_more(tune_process *process, double deadline)
{
    struct pollfd wanted = {.fd = process->from, .events = POLLIN};
    const double left = deadline - bench_seconds();
    if (left <= 0 || process->held == sizeof process->buffer)
        return -1;
    const int ready = poll(&wanted, 1, left > 1000 ? 1000000 : (int)(left * 1e3) + 1);
    if (ready <= 0)
        return ready == 0 || errno == EINTR ? 1 : 0;
    const ssize_t bytes = read(process->from, process->buffer + process->held, sizeof process->buffer - process->held);
    if (bytes <= 0)
        return bytes < 0 && errno == EINTR;
    process->held += (size_t)bytes;
    return 1;
}

static const char *crashed(tune_process *process, char why[200])
{
    const int status = reap(process);
    if (WIFSIGNALED(status))
        snprintf(why, 200, "ended by signal %d", WTERMSIG(status));
    else
        snprintf(why, 200, "ended with status %d", WEXITSTATUS(status));
    return "crashed";
}

void tune_tell(tune_process *process, const char *line)
{
    if (!process->pid)
        start(process);
    send_line(process, line);
}

const char *tune_ask(tune_process *process, const char *line, double seconds, char answer[TUNE_LINE], char why[200])
{
    const double deadline = bench_seconds() + seconds;
    int more = 1;
    tune_tell(process, line);
    while (!take_line(process, answer) && more > 0)
        more = read_more(process, deadline);
    if (more > 0)
        return NULL;
    if (more == 0)
        return crashed(process, why);
    snprintf(why, 200, "no answer for %.3g s", seconds);
    tune_process_end(process);
    return "hung";
}
