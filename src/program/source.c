/* SPDX-License-Identifier: MIT */
/*
 * source: the one source text of a program: a file of cl/ and all that it includes, each file once, under #line
 * directives. So every driver takes it (one call of clBuildProgram, which drivers also cache), and a build log names
 * file and line. Files named *_template.cl are included every time; only those may be included under an #if.
 *
 * Some of the files are generated:
 *   fields.cl     lists of the operator's fields (fields.c), as are vector_sizes.cl, tile_sizes.cl, narrow_sizes.cl and
 *                 stretch_sizes.cl of their sizes
 *   functions.cl  the caller's functions declared, and which of them kernels call; cl/memory/wrapper.cl calls them
 *   entry.cl      the algorithm, and which kernels it has
 *   operator.cl   behind all others the caller's source verbatim, and the functions that call its own
 */
#include "program/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- Files made one text ----------------------------------------------------------------------------- */

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

/* ---- functions.cl ------------------------------------------------------------------------------------ */

/* "static inline clf_value clf_caller_combine(clf_value clf_a, clf_value clf_b)" */
static void write_head(clf_text *t, const clf_operator_copy *op, clf_function function)
{
    clf_text_format(t, "static inline %s clf_caller_%s", clf_function_type(op, function), clf_function_name(function));
    clf_function_parameters(t, op, function, "");
}

/* "#define CLF_CALLS_COMBINE" */
static void write_called(clf_text *t, const clf_operator_copy *op)
{
    static const struct {
        clf_function function;
        const char *name;
    } all[] = {{CLF_FUNCTION_COMBINE, "COMBINE"}, {CLF_FUNCTION_PREDICATE, "PREDICATE"}, {CLF_FUNCTION_SAME, "SAME"},
               {CLF_FUNCTION_LESS, "LESS"}, {CLF_FUNCTION_PART, "PART"}, {CLF_FUNCTION_KEY, "KEY"}};
    for (size_t i = 0; i < CLF_COUNT(all); ++i)
        if (op->called & (unsigned)all[i].function)
            clf_text_format(t, "#define CLF_CALLS_%s\n", all[i].name);
}

/* Does the caller's finish make results that nobody wants? */
static bool makes_more(const clf_operator_copy *op)
{
    return op->finish && op->wanted;
}

/* Where the program has codes instead of numbers, the caller's functions have a type of their own for these. */
static void begin_bare(clf_text *t, const clf_operator_copy *op)
{
    if (clf_extremes_are_coded(op))
        clf_text_format(t, "#define clf_value clf_bare_value\n");
}

static void end_bare(clf_text *t, const clf_operator_copy *op)
{
    if (clf_extremes_are_coded(op))
        clf_text_format(t, "#undef clf_value\n");
}

/* So they have for results where some are not wanted. */
static void begin_caller(clf_text *t, const clf_operator_copy *op)
{
    begin_bare(t, op);
    if (makes_more(op))
        clf_text_format(t, "#define clf_result clf_made\n#define clf_caller_finish clf_caller_make\n");
}

static void end_caller(clf_text *t, const clf_operator_copy *op)
{
    end_bare(t, op);
    if (makes_more(op))
        clf_text_format(t, "#undef clf_result\n#undef clf_caller_finish\n");
}

/* All that the caller's finish makes. */
static void write_made(clf_text *t, const clf_operator_copy *op)
{
    clf_text_format(t, "typedef struct {");
    for (cl_uint f = 0; f < op->result.count; ++f)
        clf_field_declare(t, &op->result.field[f]);
    clf_text_format(t, " } clf_made;\n");
}

/* Results that no function makes as they are written: fields of the values, or of what the caller's function makes. */
static void write_plain_finish(clf_text *t, const clf_operator_copy *op)
{
    const clf_fields *const results = clf_operator_results(op);
    const char *const from = op->finish ? "clf_all" : "clf_a";
    begin_bare(t, op);
    clf_text_format(t, "static inline clf_result clf_caller_finish");
    clf_function_parameters(t, op, CLF_FUNCTION_FINISH, "");
    clf_text_format(t, " {");
    if (op->finish) {
        clf_text_format(t, " const clf_made clf_all = clf_caller_make");
        clf_function_arguments(t, op, CLF_FUNCTION_FINISH);
        clf_text_format(t, ";");
    }
    clf_text_format(t, " clf_result r;");
    for (cl_uint f = 0; f < results->count; ++f) {
        const clf_listed l = clf_field_listed(&results->field[f]);
        clf_text_format(t, " r.%s = %s.%s;", l.name, from, l.name);
    }
    clf_text_format(t, " return r; }\n");
    end_bare(t, op);
}

static void write_functions(clf_text *t, const clf_operator_copy *op, const clf_entry *entry)
{
    clf_text_format(t, "#include \"memory/value.cl\"\n%s", op->vector ? op->vector : "");
    if (makes_more(op))
        write_made(t, op);
    begin_caller(t, op);
    for (int i = 0; i < CLF_FUNCTIONS; ++i) {
        if (clf_function_given(op, clf_function_number(i))) {
            write_head(t, op, clf_function_number(i));
            clf_text_format(t, ";\n");
        }
    }
    end_caller(t, op);
    if (op->wanted || (op->place && !op->finish))
        write_plain_finish(t, op);
    write_called(t, op);
    if (entry->write)
        entry->write(t, op);
}

/* ---- operator.cl ------------------------------------------------------------------------------------- */

/*
 * The wrapper comes before the declaration: so a name that the source does not have is an error of the compiler's and
 * not of the linker's. Both speak of the field of clf_operator.
 */
static void write_function(clf_text *t, const clf_operator_copy *op, clf_function function)
{
    clf_text_format(t, "#line 1 \"clf_operator.%s\"\n", clf_function_name(function));
    write_head(t, op, function);
    clf_text_format(t, " { return %s", clf_function_given(op, function));
    clf_function_arguments(t, op, function);
    clf_text_format(t, "; }\n");
    clf_function_declare(t, op, function, "", false);
}

/* A brace that the source leaves open is an error in its own lines: no static function is declared within another. */
static void write_operator(clf_text *t, const clf_operator_copy *op)
{
    begin_caller(t, op);
    clf_text_format(t, "#line 1 \"operator.cl\"\n");
    clf_text_append(t, op->source, strlen(op->source));
    clf_text_format(t, "\n");
    for (int i = 0; i < CLF_FUNCTIONS; ++i) {
        if (clf_function_given(op, clf_function_number(i)) && op->called & (unsigned)clf_function_number(i)) {
            write_head(t, op, clf_function_number(i));
            clf_text_format(t, ";\n");
        }
    }
    for (int i = 0; i < CLF_FUNCTIONS; ++i)
        if (clf_function_given(op, clf_function_number(i)))
            write_function(t, op, clf_function_number(i));
    end_caller(t, op);
}

/* ---- entry.cl ---------------------------------------------------------------------------------------- */

static void write_entry(clf_text *t, const clf_entry *entry)
{
    clf_text_format(t, "#include \"memory/value.cl\"\n");
    if (entry->first)
        clf_text_format(t, "#include \"%s\"\n", entry->first);
    clf_text_format(t, "#include \"%s\"\n", entry->file);
    for (const char *const *kernel = entry->kernels; *kernel; ++kernel)
        clf_text_format(t, "#define CLF_KERNEL %s\n#include \"program/kernel_template.cl\"\n", *kernel);
    clf_text_format(t, "#include \"operator.cl\"\n");
}

/* Arguments besides those that all kernels have: CLF_MORE_ARRAYS(F) and CLF_MORE_NUMBERS(F). */
static void write_more(clf_text *t, const clf_entry *entry)
{
    clf_text_format(t, "#define CLF_MORE_ARRAYS(CLF_F)");
    for (const clf_named_array *array = entry->arrays; array && array->name; ++array)
        clf_text_format(t, " CLF_F(%s, %s)", array->type, array->name);
    clf_text_format(t, "\n#define CLF_MORE_NUMBERS(CLF_F)");
    for (const char *const *number = entry->numbers; number && *number; ++number)
        clf_text_format(t, " CLF_F(%s)", *number);
    clf_text_format(t, "\n");
}

clf_status clf_source_write(clf_text *text, const clf_operator_copy *op, cl_uint rounds, const clf_entry *entry)
{
    if (!op->source)
        return clf_flatten(text, entry->file, NULL);
    clf_generated files[] = {{.name = "fields.cl"}, {.name = "vector_sizes.cl"}, {.name = "tile_sizes.cl"},
                             {.name = "stretch_sizes.cl"}, {.name = "narrow_sizes.cl"}, {.name = "functions.cl"},
                             {.name = "entry.cl"}, {.name = "operator.cl"}, {.name = NULL}};
    clf_fields_write(&files[0].text, op, rounds);
    write_more(&files[0].text, entry);
    clf_sizes_write(&files[1].text, op, "memory/vector_template.cl");
    clf_sizes_write(&files[2].text, op, "memory/tile_template.cl");
    clf_sizes_write(&files[3].text, op, "memory/stretch_template.cl");
    clf_narrow_write(&files[4].text, op, rounds);
    write_functions(&files[5].text, op, entry);
    write_entry(&files[6].text, entry);
    write_operator(&files[7].text, op);
    bool failed = false;
    for (const clf_generated *g = files; g->name; ++g)
        failed = failed || g->text.failed;
    const clf_status status = failed ? CLF_E_NO_MEMORY : clf_flatten(text, "entry.cl", files);
    for (clf_generated *g = files; g->name; ++g)
        clf_text_free(&g->text);
    return status;
}
