/* SPDX-License-Identifier: MIT */
/*
 * source: the one source text of a program.
 *
 * The files of cl/ are flattened (flatten.c), with some that are generated, and nothing else is:
 *   fields.cl     lists of the operator's fields (fields.c), as are tile_sizes.cl and stretch_sizes.cl of their sizes
 *   operator.cl   the caller's source verbatim, and wrappers that call its functions
 *   entry.cl      the algorithm, and which kernels it has
 */
#include "internal.h"

#include <string.h>

/* ---- operator.cl ------------------------------------------------------------------------------------- */

static void write_operator(clf_text *t, const clf_operator_copy *op)
{
    clf_text_format(t, "#include \"value.cl\"\n#line 1 \"operator.cl\"\n");
    clf_text_append(t, op->source, strlen(op->source));
    clf_text_format(t, "\n#line 1 \"wrapper.cl\"\n%s"
                       "static inline clf_value clf_combine(clf_value a, clf_value b)\n{\n"
                       "    return clf_value_copy(%s(clf_value_copy(a), clf_value_copy(b)));\n}\n"
                       "static inline clf_value clf_neutral(void) { return %s(); }\n"
                       "static inline clf_value clf_map_at(const clf_arguments *a, clf_input x, ulong index, "
                       "clf_extra *extra)\n{\n",
                    op->vector ? op->vector : "", op->combine, op->neutral);
    if (!op->map)
        clf_text_format(t, "    return x;\n}\n");
    else
        clf_text_format(t, "    return %s(x, index%s%s);\n}\n", op->map, op->captured.count ? ", &a->captured" : "",
                        op->extra.count ? ", extra" : "");
    clf_text_format(t, "static inline clf_value clf_initial(const clf_arguments *a)\n{\n"
                       "    return a->flags & CLF_ARG_INITIAL ? a->initial : clf_neutral();\n}\n"
                       "static inline clf_value clf_value_at(const clf_arguments *a, ulong i)\n{\n"
                       "    clf_extra extra;\n"
                       "    return clf_map_at(a, clf_input_at(&a->in, i), i, &extra);\n}\n");
}

/* ---- entry.cl ---------------------------------------------------------------------------------------- */

static void write_entry(clf_text *t, const char *file, const char *const *kernels)
{
    clf_text_format(t, "#include \"%s\"\n", file);
    for (; *kernels; ++kernels)
        clf_text_format(t, "#define CLF_KERNEL %s\n#include \"kernel_template.cl\"\n", *kernels);
}

clf_status clf_source_write(clf_text *text, const clf_operator_copy *op, cl_uint rounds, const char *file,
                            const char *const *kernels)
{
    if (!op->source)
        return clf_flatten(text, file, NULL);
    clf_generated files[] = {{.name = "fields.cl"},   {.name = "tile_sizes.cl"}, {.name = "stretch_sizes.cl"},
                             {.name = "operator.cl"}, {.name = "entry.cl"},      {.name = NULL}};
    clf_fields_write(&files[0].text, op, rounds);
    clf_sizes_write(&files[1].text, op, "tile_template.cl");
    clf_sizes_write(&files[2].text, op, "stretch_template.cl");
    write_operator(&files[3].text, op);
    write_entry(&files[4].text, file, kernels);
    bool failed = false;
    for (const clf_generated *g = files; g->name; ++g)
        failed = failed || g->text.failed;
    const clf_status status = failed ? CLF_E_NO_MEMORY : clf_flatten(text, "entry.cl", files);
    for (clf_generated *g = files; g->name; ++g)
        clf_text_free(&g->text);
    return status;
}
