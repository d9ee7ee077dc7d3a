/* SPDX-License-Identifier: MIT */
/*
 * clfold-info --check FILE: does the operator in a file obey the laws? The file has a line for each member of
 * clf_operator that is not NULL, NAME = TEXT, and then its source, from a line "source:" to the end:
 *
 *     # the largest of absolute values
 *     value = float v;
 *     map = absolute
 *     combine = larger
 *     neutral = zero
 *     flags = commutative no_index
 *     source:
 *     clf_value absolute(clf_value a, ulong i) { a.v = fabs(a.v); return a; }
 *     clf_value larger(clf_value a, clf_value b) { a.v = fmax(a.v, b.v); return a; }
 *     clf_value zero(void) { clf_value v = {0}; return v; }
 *
 * A line "array NAME = NUMBERS" says what a captured array holds, and "elements NAME = NUMBERS" what a field of the
 * elements that are tried does (info_arrays.c).
 */
#include "info_check.h"

#include <stdlib.h>
#include <string.h>

/* The whole file, terminated. */
static char *read_file(const char *path)
{
    size_t used = 0, room = 4096, got;
    char *text = bench_alloc(room);
    FILE *const file = fopen(path, "r");
    while (file && (got = fread(text + used, 1, room - used - 1, file)) > 0) {
        used += got;
        if (used == room - 1 && !(text = realloc(text, room *= 2)))
            bench_die("out of memory");
    }
    if (!file || ferror(file))
        bench_die("--check: %s cannot be read", path);
    fclose(file);
    text[used] = '\0';
    if (strlen(text) != used)
        bench_die("--check: %s has a zero byte, and so is no text", path);
    return text;
}

enum { MOST_ARRAYS = 32 };

/* An operator, and arrays, whose texts are in the file's. */
typedef struct law_file {
    clf_operator op;
    info_array array[MOST_ARRAYS];
    unsigned arrays;
} law_file;

static char *trimmed(char *text)
{
    text += strspn(text, " \t\r");
    for (size_t length = strlen(text); length && strchr(" \t\r", text[length - 1]);)
        text[--length] = '\0';
    return text;
}

static unsigned flags_of(const char *path, char *words)
{
    unsigned flags = 0;
    for (char *word = strtok(words, " \t,"); word; word = strtok(NULL, " \t,")) {
        if (strcmp(word, "commutative") == 0)
            flags |= CLF_COMMUTATIVE;
        else if (strcmp(word, "no_index") == 0)
            flags |= CLF_NO_INDEX;
        else if (strcmp(word, "with_segment") == 0)
            flags |= CLF_WITH_SEGMENT;
        else if (strcmp(word, "combine_captures") == 0)
            flags |= CLF_COMBINE_CAPTURES;
        else if (strcmp(word, "denorms_are_zero") == 0)
            flags |= CLF_DENORMS_ARE_ZERO;
        else
            bench_die(
                "--check: %s: there is no flag \"%s\", but commutative, no_index, with_segment, "
                "combine_captures, denorms_are_zero",
                path, word);
    }
    return flags;
}

/* "array NAME" or "elements NAME" */
static bool take_array(law_file *file, const char *name, char *text)
{
    info_array *const a = &file->array[file->arrays];
    char kind[16], more;
    if (file->arrays == MOST_ARRAYS || sscanf(name, "%15s %63s %c", kind, a->name, &more) != 2 ||
        (strcmp(kind, "array") != 0 && strcmp(kind, "elements") != 0))
        return false;
    a->captured = strcmp(kind, "array") == 0;
    a->text = text;
    ++file->arrays;
    return true;
}

static void take_line(const char *path, unsigned number, char *line, law_file *file)
{
    clf_operator *const op = &file->op;
    const struct {
        const char *name;
        const char **to;
    } members[] = {{"value", &op->value}, {"input", &op->input}, {"extra", &op->extra}, {"captured", &op->captured},
                   {"combine", &op->combine}, {"neutral", &op->neutral}, {"map", &op->map},
                   {"predicate", &op->predicate}, {"same", &op->same}, {"less", &op->less}, {"part", &op->part},
                   {"key", &op->key}, {"result", &op->result}, {"finish", &op->finish}};
    char *const equals = strchr(line, '=');
    if (!equals)
        bench_die("--check: %s:%u: a line is NAME = TEXT, or \"source:\"", path, number);
    *equals = '\0';
    const char *const name = trimmed(line);
    char *const text = trimmed(equals + 1);
    if (strcmp(name, "flags") == 0) {
        op->flags = flags_of(path, text);
        return;
    }
    if (take_array(file, name, text))
        return;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        if (strcmp(name, members[i].name) == 0) {
            *members[i].to = text;
            return;
        }
    }
    bench_die("--check: %s:%u: clf_operator has no \"%s\" for laws", path, number, name);
}

static law_file parse(const char *path, char *text)
{
    law_file file = {.op = {.size = sizeof file.op}};
    unsigned number = 1;
    for (char *line = text, *next; *line; line = next, ++number) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        line = trimmed(line);
        if (strcmp(line, "source:") == 0) {
            file.op.source = next;
            break;
        }
        if (*line && *line != '#')
            take_line(path, number, line, &file);
    }
    bool maps = file.op.input && file.op.map && !file.op.captured;
    for (unsigned i = 0; i < file.arrays; ++i)
        maps = maps || (file.op.input && file.array[i].captured); /* else nobody calls the map */
    const char *const elements = maps ? file.op.input : file.op.value;
    for (unsigned i = 0; i < file.arrays; ++i)
        info_array_fill(&file.array[i], file.array[i].captured ? file.op.captured : elements);
    return file;
}

/* Copies of captured arrays in this context; elements, of which each field has as many. */
static clf_laws_options options_of(const law_file *file, cl_context cl, clf_array captured[], const void *elements[])
{
    clf_laws_options options = {.size = sizeof options};
    for (unsigned i = 0; i < file->arrays; ++i) {
        const info_array *const a = &file->array[i];
        if (a->captured) {
            captured[a->field].buffer = clCreateBuffer(cl, CL_MEM_COPY_HOST_PTR, a->count * clf_type_size(a->type),
                                                       a->data, NULL);
            options.captured = captured;
        } else {
            if (options.elements && a->count != options.count)
                bench_die("--check: elements %s: %zu numbers, not %zu", a->name, a->count, options.count);
            elements[a->field] = a->data;
            options.elements = elements;
            options.count = a->count;
        }
    }
    return options;
}

static bool check_on(const bench_device *device, const law_file *file)
{
    clf_array captured[MOST_ARRAYS] = {{0}};
    const void *elements[MOST_ARRAYS] = {NULL};
    clf_error error = {.size = sizeof error};
    clf_laws laws = {.size = sizeof laws};
    clf_context *context;
    cl_context cl = bench_context(device);
    clf_status status = clf_context_create(cl, device->id, NULL, &context, &error);
    if (status == CLF_SUCCESS) {
        const clf_laws_options options = options_of(file, cl, captured, elements);
        status = clf_operator_check(context, &file->op, &options, &laws, &error);
        clf_context_release(context);
    }
    for (unsigned i = 0; i < MOST_ARRAYS; ++i)
        if (captured[i].buffer)
            clReleaseMemObject(captured[i].buffer);
    clReleaseContext(cl);
    if (status == CLF_SUCCESS)
        printf("%s: all laws hold in %llu cases\n", device->name, (unsigned long long)laws.cases);
    else if (status == CLF_E_LAW)
        printf("%s: %s\n", device->name, *error.log ? error.log : error.message);
    else
        printf("%s: %s\n%s%s", device->name, error.message, error.log, *error.log ? "\n" : "");
    return status == CLF_SUCCESS;
}

bool info_check(const char *path, const char *device)
{
    char *const text = read_file(path);
    const law_file file = parse(path, text);
    bench_device *list;
    const unsigned count = device ? 0 : bench_devices(&list);
    bool lawful = true;
    if (device) {
        const bench_device one = bench_pick_device(device);
        lawful = check_on(&one, &file);
    } else {
        for (unsigned i = 0; i < count; ++i)
            lawful = check_on(&list[i], &file) && lawful;
        free(list);
        if (count == 0)
            bench_die("no OpenCL device found; on a machine without one, install pocl-opencl-icd");
    }
    for (unsigned i = 0; i < file.arrays; ++i)
        free(file.array[i].data);
    free(text);
    return lawful;
}
