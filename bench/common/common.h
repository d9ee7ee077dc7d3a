/* SPDX-License-Identifier: MIT */
/*
 * What all tools share: devices, errors, numbers, words, and what is said to people and programs. They use clfold
 * through its public header only. These are programs: what cannot be helped ends them with a sentence (bench_die).
 */
#ifndef CLFOLD_BENCH_COMMON_H
#define CLFOLD_BENCH_COMMON_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120 /* nothing newer is needed */
#endif
#include "clfold/clfold.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- cl_util.c: devices, queues, errors -------------------------------------------------------------------------- */

typedef struct bench_device {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
    char platform_name[128], name[128], driver[128];
} bench_device;

/* Of functions like printf: which argument is the text, and the first one that it speaks of. */
#ifdef __MINGW_PRINTF_FORMAT /* printf as in C99; "printf" is that of Windows there, which knows no %zu */
#define BENCH_FORMAT(text, first) __attribute__((format(__MINGW_PRINTF_FORMAT, text, first)))
#elif defined(__GNUC__)
#define BENCH_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define BENCH_FORMAT(text, first)
#endif
#define BENCH_PRINTF BENCH_FORMAT(1, 2)
#ifdef __GNUC__
__attribute__((noreturn))
#endif
BENCH_PRINTF void
bench_die(const char *format, ...);
/* Dies with the text of a status that is no success. */
void bench_check(clf_status status, const char *what);
void *bench_alloc(size_t bytes);
/* A copy of the first `length` characters. */
char *bench_copy_text(const char *text, size_t length);

/* The file of --json, to append rows to; "-" is standard output, NULL none. Dies if rows cannot be written. */
FILE *bench_open_json(const char *name);
void bench_close_json(FILE *file, const char *name);

/* All devices of all platforms; the caller frees the list. */
unsigned bench_devices(bench_device **list);
/* By number, or by a part of the name or the platform's name, whatever the case. NULL text: the first GPU, or else
 * the first device. */
bench_device bench_pick_device(const char *text);
cl_context bench_context(const bench_device *device);
cl_command_queue bench_queue(cl_context context, cl_device_id device, bool profiling);
cl_mem bench_buffer(cl_context context, cl_ulong bytes);
/* Built; dies of `what` if it cannot be. */
cl_program bench_program(cl_context context, cl_device_id device, const char *source, const char *what);
cl_kernel bench_kernel(cl_program program, const char *name);
/* Blocking transfers, in pieces that drivers stage well. */
void bench_write(cl_command_queue queue, cl_mem buffer, const void *data, cl_ulong bytes);
void bench_read(cl_command_queue queue, cl_mem buffer, void *data, cl_ulong offset, cl_ulong bytes);
/* The value of "name = value" in a text of clf_context_describe or clf_plan_describe; false if there is none. */
bool bench_described(const char *text, const char *name, char *value, size_t bytes);
/* The text of clf_plan_describe and clf_context_describe, malloc'ed. */
char *bench_describe_plan(const clf_plan *plan, cl_ulong n);
char *bench_describe_context(const clf_context *context);
double bench_seconds(void);
/* "PROGRAM 0.1.0": the library's version. */
void bench_print_version(const char *program);

/* ---- numbers.c --------------------------------------------------------------------------------------------------- */

/* 64 well-mixed bits that depend on i alone. */
uint64_t bench_hash(uint64_t i);
/* Number i of those that are equally likely from 0 to 1, and never 1. */
double bench_uniform(uint64_t i);
/* The low bytes of a number, as element i of an array of elements of 1, 2, 4 or 8 bytes; and back. */
void bench_store(void *to, cl_ulong i, unsigned size, uint64_t value);
uint64_t bench_load(const void *from, cl_ulong i, unsigned size);
/* Sorts them; the median. */
double bench_median(double *list, size_t count);

/* ---- arguments.c: command lines ---------------------------------------------------------------------------------- */

typedef struct bench_words {
    unsigned count;
    char **word;
} bench_words;
void bench_add_word(bench_words *words, const char *text, size_t length);
/* Those of a list that are not empty. */
void bench_add_words(bench_words *words, const char *list, char separator);
void bench_free_words(bench_words *words);

typedef struct bench_sizes {
    unsigned count;
    cl_ulong *size;
} bench_sizes;
/* "2^20", "3e6", "1_000", each perhaps with "+1" or "-1" behind; *base is what a range multiplies by. */
cl_ulong bench_parse_size(const char **text, const char *option, cl_ulong *base);

/* An option: where its value goes, or what takes it. A list ends with one without a name. */
typedef struct bench_option {
    const char *name;
    /* bool, const char *, bench_words (one more; a list), bench_sizes, double */
    enum { BENCH_FLAG, BENCH_TEXT, BENCH_WORD, BENCH_WORDS, BENCH_SIZES, BENCH_NUMBER, BENCH_TAKEN } kind;
    void *to;
    double least, most; /* of a number */
    void (*take)(void *to, const char *value);
    const char *missing; /* what is said where there is no value; NULL: the usual */
} bench_option;
/* "--op=sum" or "--op sum"; how many arguments that were. */
int bench_take_option(const bench_option *list, char **arguments);

/* ---- threads.c: the host's processors ---------------------------------------------------------------------------- */

/* Calls `work` for parts of [0, n) that make up the whole, at the same time. */
void bench_parallel(cl_ulong n, void (*work)(void *state, cl_ulong first, cl_ulong last), void *state);

/* ---- say.c ------------------------------------------------------------------------------------------------------- */

/* A line on stderr that the next row or progress overwrites; only on a terminal. */
BENCH_PRINTF void bench_progress(const char *format, ...);
BENCH_PRINTF void bench_note(const char *format, ...);
void bench_json_string(FILE *file, const char *text);
void bench_size_text(cl_ulong n, char text[24]);

#endif
