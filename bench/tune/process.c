/* SPDX-License-Identifier: MIT */
/*
 * The child that does the work: this program again, with --worker. It is a process of its own because kernels that are
 * tried out may hang or crash it, and because nobody may fork once OpenCL is there. Lines go to it, and come from it.
 */
#include "tune/tune.h"

#include <string.h>

void tune_process_end(tune_process *process)
{
    char why[200];
    if (process->child.process)
        tune_channel_end(&process->child, true, why);
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
    const size_t room = sizeof process->buffer - process->held;
    const double left = deadline - bench_seconds();
    if (left <= 0 || room == 0)
        return -1;
    const long bytes = tune_channel_read(&process->child, process->buffer + process->held, room, left);
    if (bytes < 0)
        return 0;
    process->held += (size_t)bytes;
    return 1;
}

void tune_tell(tune_process *process, const char *line)
{
    if (!process->child.process) {
        tune_channel_start(&process->child, process->program, process->device ? process->device : "");
        process->held = 0;
    }
    tune_channel_send(&process->child, line, strlen(line)); /* a child that is gone is seen by its answer */
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
    if (more == 0) {
        tune_channel_end(&process->child, false, why);
        return "crashed";
    }
    snprintf(why, 200, "no answer for %.3g s", seconds);
    tune_process_end(process);
    return "hung";
}
