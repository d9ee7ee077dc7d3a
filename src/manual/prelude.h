/* SPDX-License-Identifier: MIT */
/* What the manual's examples in C share, besides tests/examples/example.h: the plan, and results compared. */
#ifndef CLFOLD_MANUAL_PRELUDE_H
#define CLFOLD_MANUAL_PRELUDE_H

#include "example.h"

#include <math.h>
#include <string.h>

/* Ends the program, with the compiler's words if there are any, unless the call of clfold succeeds. Wants an `x`. */
#define TRY(call) check((call), #call, &x.error)

/* An array on the device with the elements of a C array, and one with room for as many bytes. */
#define COPY(c_array) example_array(&x, sizeof(c_array), c_array)
#define ROOM(bytes)   example_array(&x, (bytes), NULL)

/* Ends the program with an error unless the array on the device begins like the C array. */
#define EXPECT(array, c_array) expect(&x, array, sizeof(c_array), c_array, #array)

static inline void expect(const example *x, clf_array array, size_t bytes, const void *wanted, const char *name)
{
    void *got = malloc(bytes);
    check(got ? CLF_SUCCESS : CLF_E_NO_MEMORY, "malloc", NULL);
    check(clEnqueueReadBuffer(x->queue, array.buffer, CL_TRUE, 0, bytes, got, 0, NULL, NULL), "reading", NULL);
    const int other = memcmp(got, wanted, bytes);
    free(got);
    if (other) {
        fprintf(stderr, "%s is not what it should be\n", name);
        exit(1);
    }
}
#endif
