/* SPDX-License-Identifier: MIT */
/*
 * An array of a test on both sides: at an odd place in a buffer, with canaries around it, and what the host expects
 * the whole buffer to be in the end.
 */
#ifndef CLFOLD_TESTS_GUARDED_H
#define CLFOLD_TESTS_GUARDED_H

#include "harness.h"

typedef struct guarded {
    unsigned char *bytes;
    size_t element, first, n, all; /* bytes of an element; elements before the array, and in it; bytes of the buffer */
    clf_array device;
} guarded;

/* Random bytes, of which the array begins `offset` elements behind the canary; the buffer ends with it if `tight`. */
guarded guarded_open(uint64_t seed, size_t element, size_t n, size_t offset, bool tight);
void *guarded_data(const guarded *g);
/* Makes the device's buffer; `late`: with nothing in it, until guarded_send_late. */
void guarded_send(guarded *g, bool late);
void guarded_send_late(const guarded *g);
/* True if the buffer is as expected; else says what differs. `inside`: the array itself may be anything. */
bool guarded_check(const guarded *g, cl_command_queue queue, bool anything_inside, char *what, size_t bytes);
void guarded_close(guarded *g);

#endif
