/* SPDX-License-Identifier: MIT */
/* A directory of a test's own, for caches: one at a time. */
#ifndef CLFOLD_TESTS_FOLDER_H
#define CLFOLD_TESTS_FOLDER_H

#include <stddef.h>

/* Makes it, empty, and returns its path (shorter than 48 bytes); removes its files; removes it with them. */
const char *folder_open(void);
void folder_empty(void);
void folder_close(void);
/* Calls `visit` (may be NULL) with the path of each file; returns how many there are. */
size_t folder_each(void (*visit)(const char *path));
/* Damages a file, as little as can be. */
void folder_flip_last_bit(const char *path);

#endif
