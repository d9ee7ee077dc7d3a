/* SPDX-License-Identifier: MIT */
/*
 * The child by fork and exec.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "common/common.h"
#include "tune/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void run_child(const char *program, const char *device, int requests, int answers)
{
    char *const arguments[] = {(char *)program, "--worker", "--device", (char *)device, NULL};
    dup2(requests, 0);
    dup2(answers, 1);
    execvp(program, arguments);
    fprintf(stderr, "clfold: cannot start %s\n", program);
    _exit(127);
}

void tune_channel_start(tune_channel *child, const char *program, const char *device)
{
    int requests[2], answers[2];
    signal(SIGPIPE, SIG_IGN); /* a child that is gone is seen by its answer */
    if (pipe(requests) != 0 || pipe(answers) != 0)
        bench_die("no pipe: %s", strerror(errno));
    for (int i = 0; i < 2; ++i) {
        fcntl(requests[i], F_SETFD, FD_CLOEXEC); /* the child has copies of those that it needs */
        fcntl(answers[i], F_SETFD, FD_CLOEXEC);
    }
    const pid_t pid = fork();
    if (pid < 0)
        bench_die("no process: %s", strerror(errno));
    if (pid == 0)
        run_child(program, device, requests[0], answers[1]);
    close(requests[0]);
    close(answers[1]);
    *child = (tune_channel){.process = pid, .to = requests[1], .from = answers[0]};
}

bool tune_channel_send(const tune_channel *child, const char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t sent = write((int)child->to, bytes, count);
        if (sent < 0 && errno != EINTR)
            return false;
        if (sent > 0) {
            bytes += sent;
            count -= (size_t)sent;
        }
    }
    return true;
}

long tune_channel_read(const tune_channel *child, char *bytes, size_t room, double seconds)
{
    struct pollfd wanted = {.fd = (int)child->from, .events = POLLIN};
    const int ready = poll(&wanted, 1, seconds > 1000 ? 1000000 : (int)(seconds * 1e3) + 1);
    if (ready <= 0)
        return ready == 0 || errno == EINTR ? 0 : -1;
    const ssize_t got = read((int)child->from, bytes, room);
    return got > 0 ? (long)got : got < 0 && errno == EINTR ? 0 : -1;
}

/* A child whose driver does not let go of it is left to the system after a while. */
void tune_channel_end(tune_channel *child, bool killed, char why[200])
{
    enum { TURNS = 1000, TURN_US = 10000 };
    const pid_t pid = (pid_t)child->process;
    int status = 0;
    if (killed)
        kill(pid, SIGKILL);
    close((int)child->to);
    close((int)child->from);
    for (int i = 0; i < TURNS && waitpid(pid, &status, WNOHANG) == 0; ++i)
        usleep(TURN_US);
    child->process = 0;
    if (WIFSIGNALED(status))
        snprintf(why, 200, "ended by signal %d", WTERMSIG(status));
    else
        snprintf(why, 200, "ended with status %d", WEXITSTATUS(status));
}
