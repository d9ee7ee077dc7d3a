/* SPDX-License-Identifier: MIT */
/*
 * A child process and the pipes to and from it: what process.c needs of the system, which process_posix.c or
 * process_windows.c has.
 */
#ifndef CLFOLD_TUNE_PROCESS_H
#define CLFOLD_TUNE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tune_channel {
    intptr_t process; /* 0: none is running */
    intptr_t to, from;
} tune_channel;
/* This program again, with --worker; what is written to `to` is its standard input. Dies if there is none. */
void tune_channel_start(tune_channel *child, const char *program, const char *device);
/* False: nobody reads it any more. */
bool tune_channel_send(const tune_channel *child, const char *bytes, size_t count);
/* Waits for what it says, at most so long. How many bytes there were; 0: none in that time; negative: it has ended. */
long tune_channel_read(const tune_channel *child, char *bytes, size_t room, double seconds);
/* Waits for its end, which is near or brought about; `why` has a sentence then. One that does not end is left alone. */
void tune_channel_end(tune_channel *child, bool killed, char why[200]);

#endif
