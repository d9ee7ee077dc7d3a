/* SPDX-License-Identifier: MIT */
/*
 * The kernels of textbook.c and the scripts of python.c, embedded by cmake/EmbedKernels.cmake.
 */
#ifndef CLFOLD_EMBEDDED_H
#define CLFOLD_EMBEDDED_H

#include <stddef.h>

typedef struct embedded_file {
    const char *name;
    const unsigned char *data;
    size_t bytes;
} embedded_file;
extern const embedded_file textbook_files[], python_files[];

#endif
