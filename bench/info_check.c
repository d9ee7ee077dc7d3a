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
 */
#include "info_check.h"

#include <stdlib.h>
#include <string.h>

/* The whole file, terminated. */
static char *read_file(const char *path)
{
    size_t used = 0, room = 4096;
    char *text = bench_alloc(room);
    FILE *const file = fopen(path, "r");
    if (!file)
        bench_die("--check: %s cannot be read", path);
    for (size_t got; (got = fread(text + used, 1, room - used - 1, file)) > 0;) {
        used += got;
        if (used == room - 1) {
            text = realloc(text, room *= 2);
            if (!text)
                bench_die("out of memory");
        }
    }
    fclose(file);
    text[used] = '\0';
    return text;
}

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
        else
            bench_die(
                "--check: %s: there is no flag \"%s\", but commutative, no_index, with_segment, "
                "combine_captures",
                path, word);
    }
    return flags;
}

static void take_line(const char *path, unsigned number, char *line, clf_operator *op)
{
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
    for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i) {
        if (strcmp(name, members[i].name) == 0) {
            *members[i].to = text;
            return;
        }
    }
    bench_die("--check: %s:%u: clf_operator has no \"%s\" for laws", path, number, name);
}

/* Points into the text. */
static clf_operator parse(const char *path, char *text)
{
    clf_operator op = {.size = sizeof op};
    unsigned number = 1;
    for (char *line = text, *next; *line; line = next, ++number) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        line = trimmed(line);
        if (strcmp(line, "source:") == 0) {
            op.source = next;
            break;
        }
        if (*line && *line != '#')
            take_line(path, number, line, &op);
    }
    return op;
}

static bool check_on(const bench_device *device, const clf_operator *op)
{
    clf_error error = {.size = sizeof error};
    clf_laws laws = {.size = sizeof laws};
    clf_context *context;
    cl_context cl = bench_context(device);
    clf_status status = clf_context_create(cl, device->id, NULL, &context, &error);
    if (status == CLF_SUCCESS) {
        status = clf_operator_check(context, op, NULL, &laws, &error);
        clf_context_release(context);
    }
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
    const clf_operator op = parse(path, text);
    bench_device *list;
    const unsigned count = device ? 0 : bench_devices(&list);
    bool lawful = true;
    if (device) {
        const bench_device one = bench_pick_device(device);
        lawful = check_on(&one, &op);
    } else {
        for (unsigned i = 0; i < count; ++i)
            lawful = check_on(&list[i], &op) && lawful;
        free(list);
        if (count == 0)
            bench_die("no OpenCL device found; on a machine without one, install pocl-opencl-icd");
    }
    free(text);
    return lawful;
}
