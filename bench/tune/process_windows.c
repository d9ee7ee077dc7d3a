/* SPDX-License-Identifier: MIT */
/*
 * The child by CreateProcess. There is no waiting for a pipe with a bound, so it is looked at in turns.
 */
#include "common/common.h"
#include "tune/process.h"

#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { PIPE_BYTES = 1 << 16 }; /* of lines that are told ahead, so that nobody waits until they are read */

/* ---- Its command line ---------------------------------------------------------------------------------------- */

/* As the C library takes it apart again: backslashes are themselves, but for those before a quote. */
static char *put_quoted(char *at, const char *text)
{
    size_t backslashes = 0;
    *at++ = '"';
    for (; *text; ++text) {
        if (*text == '"')
            for (backslashes++; backslashes > 0; --backslashes)
                *at++ = '\\';
        backslashes = *text == '\\' ? backslashes + 1 : 0;
        *at++ = *text;
    }
    for (; backslashes > 0; --backslashes)
        *at++ = '\\';
    *at++ = '"';
    *at = '\0';
    return at;
}

static char *command_line(const char *program, const char *device)
{
    static const char options[] = " --worker --device ";
    char *line = bench_alloc(2 * strlen(program) + 2 * strlen(device) + sizeof options + 4);
    char *at = put_quoted(line, program);
    memcpy(at, options, sizeof options);
    put_quoted(at + sizeof options - 1, device);
    return line;
}

/* ---- Pipes --------------------------------------------------------------------------------------------------- */

/* The child inherits one of its ends. */
static void make_pipe(HANDLE *from, HANDLE *to, HANDLE *inherited)
{
    if (!CreatePipe(from, to, NULL, PIPE_BYTES) ||
        !SetHandleInformation(*inherited, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT))
        bench_die("no pipe: error %lu", (unsigned long)GetLastError());
}

/* For the child; none, where this process has none. */
static HANDLE copy_errors(void)
{
    HANDLE copy = NULL;
    if (!DuplicateHandle(GetCurrentProcess(), GetStdHandle(STD_ERROR_HANDLE), GetCurrentProcess(), &copy, 0, TRUE,
                         DUPLICATE_SAME_ACCESS))
        return NULL;
    return copy;
}

void tune_channel_start(tune_channel *child, const char *program, const char *device)
{
    enum { PATH_BYTES = 4096 };
    char path[PATH_BYTES];
    HANDLE request_end, requests, answers, answer_end;
    PROCESS_INFORMATION started;
    const DWORD length = GetModuleFileNameA(NULL, path, PATH_BYTES); /* the program's name may lack its folder */
    if (length == 0 || length == PATH_BYTES)
        bench_die("cannot start %s: its path is not known", program);
    make_pipe(&request_end, &requests, &request_end);
    make_pipe(&answers, &answer_end, &answer_end);
    STARTUPINFOA how = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES, .hStdInput = request_end,
                        .hStdOutput = answer_end, .hStdError = copy_errors()};
    char *line = command_line(path, device);
    /* A child that crashes ends: else Windows would show a window, and wait until it is closed. */
    SetErrorMode(GetErrorMode() | SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    if (!CreateProcessA(path, line, NULL, NULL, TRUE, 0, NULL, NULL, &how, &started))
        bench_die("no process: error %lu", (unsigned long)GetLastError());
    free(line);
    CloseHandle(started.hThread);
    CloseHandle(request_end);
    CloseHandle(answer_end);
    if (how.hStdError)
        CloseHandle(how.hStdError);
    *child = (tune_channel){(intptr_t)started.hProcess, (intptr_t)requests, (intptr_t)answers};
}

bool tune_channel_send(const tune_channel *child, const char *bytes, size_t count)
{
    while (count > 0) {
        DWORD sent = 0;
        if (!WriteFile((HANDLE)child->to, bytes, (DWORD)count, &sent, NULL))
            return false;
        bytes += sent;
        count -= sent;
    }
    return true;
}

/* Processes that a driver has started may keep the pipe open, so an ended child is one whose process has ended. */
long tune_channel_read(const tune_channel *child, char *bytes, size_t room, double seconds)
{
    enum { TURN_MS = 5 };
    const double deadline = bench_seconds() + seconds;
    for (bool ended = false;;) {
        DWORD there = 0, got = 0;
        if (!PeekNamedPipe((HANDLE)child->from, NULL, 0, NULL, &there, NULL))
            return -1;
        const DWORD most = room < there ? (DWORD)room : there;
        if (most > 0)
            return ReadFile((HANDLE)child->from, bytes, most, &got, NULL) ? (long)got : -1;
        if (ended)
            return -1;
        if (bench_seconds() >= deadline)
            return 0;
        ended = WaitForSingleObject((HANDLE)child->process, TURN_MS) == WAIT_OBJECT_0;
    }
}

/* A child whose driver does not let go of it is left to the system after a while. */
void tune_channel_end(tune_channel *child, bool killed, char why[200])
{
    enum { PATIENCE_MS = 10000 };
    const DWORD exception = 0xC0000000; /* what statuses of programs that crash have in front */
    HANDLE process = (HANDLE)child->process;
    DWORD status = 0;
    if (killed)
        TerminateProcess(process, 1);
    CloseHandle((HANDLE)child->to);
    CloseHandle((HANDLE)child->from);
    if (WaitForSingleObject(process, PATIENCE_MS) == WAIT_OBJECT_0)
        GetExitCodeProcess(process, &status);
    CloseHandle(process);
    child->process = 0;
    if ((status & exception) == exception)
        snprintf(why, 200, "ended by exception 0x%lx", (unsigned long)status);
    else
        snprintf(why, 200, "ended with status %lu", (unsigned long)status);
}
