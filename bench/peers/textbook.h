/* SPDX-License-Identifier: MIT */
/*
 * The kernels of textbook.c, embedded by cmake/EmbedKernels.cmake.
 */
#ifndef CLFOLD_TEXTBOOK_H
#define CLFOLD_TEXTBOOK_H

#include <stddef.h>

typedef struct textbook_file {
    const char *name;
    const unsigned char *data;
    size_t bytes;
} textbook_file;
extern const textbook_file textbook_files[];

#endif
