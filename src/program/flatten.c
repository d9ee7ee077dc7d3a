/* SPDX-License-Identifier: MIT */
/*
 * flatten: one text of a file of cl/ and all that it includes, each file once, under #line directives: so every
 * driver takes it (one call of clBuildProgram, which drivers also cache) and a build log names file and line.
 *
 * Files named *_template.cl are included every time; only those may be included under an #if.
 */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 64 };

typedef struct flattener {
    clf_text *out;
    const clf_generated *generated; /* ends with name NULL; or NULL */
    const char *done[MAX_FILES];
    size_t done_count;
} flattener;

static bool find_file(const flattener *f, const char *name, const char **data, size_t *bytes)
{
    for (const clf_generated *g = f->generated; g && g->name; ++g) {
        if (strcmp(g->name, name) == 0) {
            *data = g->text.data;
            *bytes = g->text.length;
            return true;
        }
    }
    for (const clf_kernel_file *file = clf_kernel_files; file->name; ++file) {
        if (strcmp(file->name, name) == 0) {
            *data = (const char *)file->data;
            *bytes = file->bytes;
            return true;
        }
    }
    return false;
}

/* Is this the file's first inclusion, or a template? */
static bool wants_inclusion(flattener *f, const char *name)
{
    if (strstr(name, "_template.cl"))
        return true;
    for (size_t i = 0; i < f->done_count; ++i)
        if (strcmp(f->done[i], name) == 0)
            return false;
    if (f->done_count < MAX_FILES)
        f->done[f->done_count++] = name;
    return true;
}

/*
 * The name in a line #include "name", as a pointer that lives as long as the files do; NULL for other lines.
 */
static const char *included_name(const flattener *f, const char *line, size_t length)
{
    static const char directive[] = "#include \"";
    const size_t prefix = sizeof directive - 1;
    if (length <= prefix || memcmp(line, directive, prefix) != 0)
        return NULL;
    for (const clf_kernel_file *file = clf_kernel_files; file->name; ++file) {
        const size_t n = strlen(file->name);
        if (length > prefix + n && memcmp(line + prefix, file->name, n) == 0 && line[prefix + n] == '"')
            return file->name;
    }
    for (const clf_generated *g = f->generated; g && g->name; ++g) {
        const size_t n = strlen(g->name);
        if (length > prefix + n && memcmp(line + prefix, g->name, n) == 0 && line[prefix + n] == '"')
            return g->name;
    }
    return NULL;
}

static clf_status write_file(flattener *f, const char *name)
{
    const char *data;
    size_t bytes;
    if (!find_file(f, name, &data, &bytes))
        return CLF_E_INTERNAL;
    if (!wants_inclusion(f, name))
        return CLF_SUCCESS;
    clf_text_format(f->out, "#line 1 \"%s\"\n", name);
    unsigned number = 1;
    for (size_t at = 0; at < bytes; ++number) {
        const char *end = memchr(data + at, '\n', bytes - at);
        const size_t length = end ? (size_t)(end - (data + at)) + 1 : bytes - at;
        const char *target = included_name(f, data + at, length);
        if (target) {
            CLF_TRY(write_file(f, target));
            clf_text_format(f->out, "#line %u \"%s\"\n", number + 1, name);
        } else {
            clf_text_append(f->out, data + at, length);
        }
        at += length;
    }
    return CLF_SUCCESS;
}

clf_status clf_flatten(clf_text *text, const char *file, const clf_generated *generated)
{
    flattener f = {.out = text, .generated = generated};
    CLF_TRY(write_file(&f, file));
    return text->failed ? CLF_E_NO_MEMORY : CLF_SUCCESS;
}

clf_source_place clf_source_locate(const char *text, unsigned long line)
{
    static const char directive[] = "#line ";
    clf_source_place place = {"source", 6, line};
    for (unsigned long number = 1; number < line && *text; ++number) {
        char *end = NULL;
        if (strncmp(text, directive, sizeof directive - 1) == 0) {
            const unsigned long first = strtoul(text + sizeof directive - 1, &end, 10);
            if (end[0] == ' ' && end[1] == '"') {
                place.name = end + 2;
                place.length = strcspn(place.name, "\"");
            }
            place.line = first + (line - number - 1);
        }
        text += strcspn(text, "\n");
        text += *text != 0;
    }
    return place;
}
