/* SPDX-License-Identifier: MIT */
/*
 * base: what everything is made of: statuses, strings, hashes. The lowest layer.
 */
#ifndef CLF_BASE_H
#define CLF_BASE_H

#include "clfold/clfold.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Leaves the function with the status of a failed expression: the only control-flow macro. */
#define CLF_TRY(expression)                     \
    do {                                        \
        clf_status try_status_ = (expression);  \
        if (try_status_ != CLF_SUCCESS)         \
            return try_status_;                 \
    } while (0)

#define CLF_COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline cl_ulong clf_least(cl_ulong a, cl_ulong b)
{
    return a < b ? a : b;
}

/* a / b, rounded up; never overflows. */
static inline cl_ulong clf_ceiling(cl_ulong a, cl_ulong b)
{
    return a / b + (a % b != 0);
}

/* On a function like printf: the compiler checks arguments number `first` and on by the text in argument `text`. */
#ifdef __MINGW_PRINTF_FORMAT /* printf as in C99; "printf" is that of Windows there, which knows no %zu */
#define CLF_PRINTF(text, first) __attribute__((format(__MINGW_PRINTF_FORMAT, text, first)))
#elif defined(__GNUC__)
#define CLF_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLF_PRINTF(text, first)
#endif

/* ---- status.c: statuses and errors ----------------------------------------------------------------- */

/* Fills `error` (may be NULL) with a formatted sentence and returns `status`. Keeps error->log. */
clf_status clf_fail(clf_error *error, clf_status status, const char *format, ...) CLF_PRINTF(3, 4);

/* Empties `error`; CLF_E_ARGUMENT if its size is not one we know. NULL is fine. */
clf_status clf_error_reset(clf_error *error);

/* A lock for sections of a few instructions or one allocation; zero-initialised is unlocked. */
typedef struct clf_lock {
    atomic_flag flag;
} clf_lock;
void clf_lock_acquire(clf_lock *lock);
void clf_lock_release(clf_lock *lock);

/* ---- clock.c ------------------------------------------------------------------------------------------- */

/* Since some time in the past. */
double clf_seconds(void);

/* ---- processors.c -------------------------------------------------------------------------------------- */

/* How many processors the system has; 1 if it does not say. */
unsigned clf_processors(void);

/* ---- text.c: growing strings; texts that are read ------------------------------------------------------ */

/* Zero-initialised is empty. A failed allocation sets `failed`, and later appends do nothing: check once. */
typedef struct clf_text {
    char *data; /* terminated; NULL while empty */
    size_t length, capacity;
    bool failed;
} clf_text;
void clf_text_append(clf_text *text, const char *bytes, size_t length);
void clf_text_format(clf_text *text, const char *format, ...) CLF_PRINTF(2, 3);
void clf_text_free(clf_text *text);
/* Copies to a caller's buffer as clf_context_describe promises. */
clf_status clf_text_export(const clf_text *text, char *out, size_t bytes, size_t *needed);
/* malloc'ed copy of a string, NULL for NULL or out of memory. */
char *clf_strdup(const char *string);
/* Is `word` one of the comma-separated words of `list` (may be NULL)? */
bool clf_list_has(const char *list, const char *word);
/* May `c` stand in a C identifier? Whatever the locale says. */
bool clf_is_name_character(char c);
/* What is left of a text. Each of these skips blanks and ends of lines first, and moves on behind what it takes. */
typedef struct clf_cursor {
    const char *at, *end;
} clf_cursor;
bool clf_cursor_at_end(clf_cursor *c);
bool clf_cursor_take(clf_cursor *c, char wanted);
/* A name that fits `bytes`; a decimal number that fits 32 bits. */
bool clf_cursor_name(clf_cursor *c, char *name, size_t bytes);
bool clf_cursor_number(clf_cursor *c, cl_uint *number);

/* ---- sha256.c ------------------------------------------------------------------------------------------ */

typedef struct clf_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
} clf_sha256;
void clf_sha256_init(clf_sha256 *hash);
void clf_sha256_update(clf_sha256 *hash, const void *data, size_t bytes);
void clf_sha256_final(clf_sha256 *hash, unsigned char digest[32]);

#endif
