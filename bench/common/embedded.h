/* SPDX-License-Identifier: MIT */
/* Kernels and scripts that programs carry along: cmake/EmbedKernels.cmake. */
#ifndef CLFOLD_EMBEDDED_H
#define CLFOLD_EMBEDDED_H

#include <stddef.h>

typedef struct embedded_file {
    const char *name;
    const unsigned char *data;
    size_t bytes;
} embedded_file;
/* Of textbook/ and of peers/. */
extern const embedded_file composed_files[], textbook_files[], python_files[];

#endif
