/* SPDX-License-Identifier: MIT */
/*
 * join: the product of operators that read the same input: one operator whose value has the fields of all.
 *
 * The joined source has the types and the source of each part. In these clf_value, clf_input and clf_extra get the
 * prefix clf_partI_. So does every name that another part declares, too. A part's macros are undefined behind it. Then
 * follow combine, neutral, map and finish, which call those of the parts. Lines of a part keep their numbers: logs say
 * operatorI.cl:LINE.
 */
#include "operator/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a joined operator, and what is needed to write it. */
typedef struct joint {
    clf_operator descriptor; /* first: the caller gets a pointer to it */
    clf_text list[LISTS], source;
    char neutral[CLF_JOINED_NAME], map[CLF_JOINED_NAME];
} joint;

/* ---- The source ---------------------------------------------------------------------------------------- */

/* Fields are renamed with all else that has their names. */
static void write_struct(clf_text *t, const clf_join *p, cl_uint i, const char *name, const clf_fields *fields)
{
    const bool captured = fields == &p->item[i].op.captured;
    clf_text_format(t, "typedef struct {");
    for (cl_uint f = 0; f < fields->count; ++f) {
        const clf_field *const field = &fields->field[f];
        char type[16];
        clf_field_type_name(field, type);
        clf_text_format(t, captured ? " __global const %s *" : field->is_array ? " union { %s " : " %s ", type);
        clf_join_write_renamed(t, p, i, field->name);
        clf_field_write_length(t, field);
        clf_text_format(t, field->is_array ? "; };" : ";");
    }
    const char *const more = captured ? " ulong clf_size, clf_bins;" : fields->count ? "" : " uchar none;";
    clf_text_format(t, "%s } clf_part%u_%s;\n", more, i, name);
}

static void write_part(clf_text *t, const clf_join *p, cl_uint i)
{
    const clf_join_part *item = &p->item[i];
    write_struct(t, p, i, "clf_value", &item->op.value);
    if (item->op.own_input)
        write_struct(t, p, i, "clf_input", &item->op.input);
    else
        clf_text_format(t, "typedef clf_part%u_clf_value clf_part%u_clf_input;\n", i, i);
    write_struct(t, p, i, "clf_extra", &item->op.extra);
    write_struct(t, p, i, "clf_captured", &item->op.captured);
    if (item->op.finish)
        write_struct(t, p, i, "clf_result", &item->op.result);
    clf_text_format(t, "#line 1 \"operator%u.cl\"\n", i);
    clf_join_write_renamed(t, p, i, item->op.source);
    clf_text_format(t, "\n");
    for (size_t m = 0; m < item->macros.count; ++m)
        clf_text_format(t, "#undef %.*s\n", (int)item->macros.list[m].length, item->macros.list[m].begin);
    clf_text_format(t, "#line 1 \"join.cl\"\n");
}

/* Copies fields of part i between its own struct and the joined one. */
static void write_copies(clf_text *t, const clf_join *p, cl_uint i, enum clf_join_list list, const char *own,
                         const char *joined, bool in)
{
    const clf_fields *const fields = clf_join_fields(p, i, list);
    for (cl_uint f = 0; f < fields->count; ++f) {
        const clf_field *const field = &fields->field[f];
        const char *const each = field->is_array ? "[clf_at]" : "";
        if (field->is_array)
            clf_text_format(t, "        for (uint clf_at = 0; clf_at < %u; ++clf_at)\n    ", (unsigned)field->width);
        clf_text_format(t, "        ");
        if (!in) {
            clf_text_format(t, "%s", joined);
            clf_join_write_name(t, p, i, list, f);
            clf_text_format(t, "%s = ", each);
        }
        clf_text_format(t, "%s.", own);
        clf_join_write_renamed(t, p, i, field->name);
        if (in) {
            clf_text_format(t, "%s = %s", each, joined);
            clf_join_write_name(t, p, i, list, f);
        }
        clf_text_format(t, "%s;\n", each);
    }
}

/* An element as part i sees it. */
static void write_element(clf_text *t, const clf_join *p, cl_uint i, const char *own, const char *joined)
{
    clf_text_format(t, "        clf_part%u_clf_input %s;\n", i, own);
    write_copies(t, p, i, INPUT, own, joined, true);
}

static void write_captured(clf_text *t, const clf_join *p, cl_uint i)
{
    if (p->item[i].op.captured.count == 0)
        return;
    clf_text_format(t,
                    "        clf_part%u_clf_captured clf_c;\n        clf_c.clf_size = clf_all->clf_size;"
                    " clf_c.clf_bins = clf_all->clf_bins;\n",
                    i);
    write_copies(t, p, i, CAPTURED, "clf_c", "clf_all->", true);
}

/* Does the part's combine? */
static bool captures(const clf_join *p, cl_uint i)
{
    return clf_function_captures(&p->item[i].op, CLF_FUNCTION_COMBINE);
}

static void write_combine(clf_text *t, const clf_join *p, bool captured)
{
    clf_text_format(t, "clf_value clf_joined_combine(clf_value clf_a, clf_value clf_b%s)\n{\n",
                    captured ? ", const clf_captured *clf_all" : "");
    for (cl_uint i = 0; i < p->count; ++i) {
        clf_text_format(t, "    {\n        clf_part%u_clf_value clf_x, clf_y;\n", i);
        write_copies(t, p, i, VALUE, "clf_x", "clf_a.", true);
        write_copies(t, p, i, VALUE, "clf_y", "clf_b.", true);
        if (captures(p, i))
            write_captured(t, p, i);
        clf_text_format(t, "        clf_x = ");
        clf_join_write_renamed(t, p, i, p->item[i].op.combine);
        clf_text_format(t, "(clf_x, clf_y%s);\n", captures(p, i) ? ", &clf_c" : "");
        write_copies(t, p, i, VALUE, "clf_x", "clf_a.", false);
        clf_text_format(t, "    }\n");
    }
    clf_text_format(t, "    return clf_a;\n}\n");
}

static void write_neutral(clf_text *t, const clf_join *p, const char *name)
{
    clf_text_format(t, "clf_value %s(void)\n{\n    clf_value clf_v;\n", name);
    for (cl_uint i = 0; i < p->count; ++i) {
        clf_text_format(t, "    {\n        const clf_part%u_clf_value clf_x = ", i);
        clf_join_write_renamed(t, p, i, p->item[i].op.neutral);
        clf_text_format(t, "();\n");
        write_copies(t, p, i, VALUE, "clf_x", "clf_v.", false);
        clf_text_format(t, "    }\n");
    }
    clf_text_format(t, "    return clf_v;\n}\n");
}

static void write_map_of(clf_text *t, const clf_join *p, cl_uint i)
{
    const clf_operator_copy *op = &p->item[i].op;
    clf_text_format(t, "    {\n");
    write_element(t, p, i, "clf_x", "clf_in.");
    if (op->extra.count > 0)
        clf_text_format(t, "        clf_part%u_clf_extra clf_e;\n", i);
    write_captured(t, p, i);
    clf_text_format(t, "        const clf_part%u_clf_value clf_y = ", i);
    if (op->map) {
        clf_join_write_renamed(t, p, i, op->map);
        clf_text_format(t, "(clf_x, clf_i%s%s)", op->captured.count ? ", &clf_c" : "",
                        op->extra.count ? ", &clf_e" : "");
    } else {
        clf_text_format(t, "clf_x");
    }
    clf_text_format(t, ";\n");
    write_copies(t, p, i, VALUE, "clf_y", "clf_v.", false);
    write_copies(t, p, i, EXTRA, "clf_e", "clf_more->", false);
    clf_text_format(t, "    }\n");
}

static void write_map(clf_text *t, const clf_join *p, const char *name, bool captured, bool extra)
{
    clf_text_format(t, "clf_value %s(clf_input clf_in, ulong clf_i%s%s)\n{\n    clf_value clf_v;\n", name,
                    captured ? ", const clf_captured *clf_all" : "", extra ? ", clf_extra *clf_more" : "");
    for (cl_uint i = 0; i < p->count; ++i)
        write_map_of(t, p, i);
    clf_text_format(t, "    return clf_v;\n}\n");
}

/* Where a part does not finish its values, these are its results. */
static void write_finish_of(clf_text *t, const clf_join *p, cl_uint i, bool steps)
{
    const clf_operator_copy *const op = &p->item[i].op;
    clf_text_format(t, "    {\n        clf_part%u_clf_value clf_x;\n", i);
    write_copies(t, p, i, VALUE, "clf_x", "clf_a.", true);
    if (op->finish) {
        if (steps) {
            clf_text_format(t, "        clf_part%u_clf_value clf_y;\n", i);
            write_copies(t, p, i, VALUE, "clf_y", "clf_b.", true);
            write_element(t, p, i, "clf_e", "clf_in.");
        }
        write_captured(t, p, i);
        clf_text_format(t, "        const clf_part%u_clf_result clf_r = ", i);
        clf_join_write_renamed(t, p, i, op->finish);
        clf_text_format(t, "(clf_x%s, clf_i%s);\n", steps ? ", clf_y, clf_e" : "",
                        op->captured.count ? ", &clf_c" : "");
    }
    write_copies(t, p, i, RESULT, op->finish ? "clf_r" : "clf_x", "clf_v.", false);
    clf_text_format(t, "    }\n");
}

static void write_finish(clf_text *t, const clf_join *p, bool captured, bool steps)
{
    clf_text_format(t, "clf_result clf_joined_finish(clf_value clf_a%s, ulong clf_i%s)\n{\n    clf_result clf_v;\n",
                    steps ? ", clf_value clf_b, clf_input clf_in" : "",
                    captured ? ", const clf_captured *clf_all" : "");
    for (cl_uint i = 0; i < p->count; ++i)
        write_finish_of(t, p, i, steps);
    clf_text_format(t, "    return clf_v;\n}\n");
}

/* Neighbours belong together if all parts that have a say say so. */
static void write_same(clf_text *t, const clf_join *p, bool captured)
{
    clf_text_format(t, "bool clf_joined_same(clf_input clf_a, clf_input clf_b%s)\n{\n    bool clf_v = true;\n",
                    captured ? ", const clf_captured *clf_all" : "");
    for (cl_uint i = 0; i < p->count; ++i) {
        if (!p->item[i].op.same)
            continue;
        clf_text_format(t, "    {\n");
        write_element(t, p, i, "clf_x", "clf_a.");
        write_element(t, p, i, "clf_y", "clf_b.");
        write_captured(t, p, i);
        clf_text_format(t, "        clf_v = clf_v && ");
        clf_join_write_renamed(t, p, i, p->item[i].op.same);
        clf_text_format(t, "(clf_x, clf_y%s);\n    }\n", p->item[i].op.captured.count ? ", &clf_c" : "");
    }
    clf_text_format(t, "    return clf_v;\n}\n");
}

static void write_dealing(clf_text *t, const clf_join *p, cl_uint i, bool captured)
{
    clf_text_format(t, "uint clf_joined_part(clf_input clf_in, ulong clf_i%s)\n{\n",
                    captured ? ", const clf_captured *clf_all" : "");
    write_element(t, p, i, "clf_x", "clf_in.");
    write_captured(t, p, i);
    clf_text_format(t, "        return ");
    clf_join_write_renamed(t, p, i, p->item[i].op.part);
    clf_text_format(t, "(clf_x, clf_i%s);\n}\n", p->item[i].op.captured.count ? ", &clf_c" : "");
}

/* What of elements only some parts say, for reductions by key and by index. */
static unsigned write_rest(clf_text *t, const clf_join *p, bool captured)
{
    unsigned functions = 0;
    for (cl_uint i = 0; i < p->count; ++i) {
        functions |= p->item[i].op.same ? CLF_FUNCTION_SAME : 0u;
        functions |= p->item[i].op.part ? CLF_FUNCTION_PART : 0u;
        if (p->item[i].op.part)
            write_dealing(t, p, i, captured);
    }
    if (functions & CLF_FUNCTION_SAME)
        write_same(t, p, captured);
    return functions;
}

/* What finishes the steps of scans, and, where the program has none, what finishes sums. */
#define IF_STEPS "#if CLF_FINISH > 1\n"

/* Behind the calls: a name that a part does not have is an error there. */
static void write_finish_declared(clf_text *t, const clf_join *p, cl_uint i, const char *prefix, bool renamed)
{
    clf_operator_copy steps = p->item[i].op;
    steps.called |= CLF_FUNCTION_STEPS;
    clf_text_format(t, IF_STEPS);
    clf_function_declare(t, &steps, CLF_FUNCTION_FINISH, prefix, renamed);
    clf_text_format(t, "#else\n");
    clf_function_declare(t, &p->item[i].op, CLF_FUNCTION_FINISH, prefix, renamed);
    clf_text_format(t, "#endif\n");
}

static void write_declarations(clf_text *t, const clf_join *p, cl_uint i)
{
    char prefix[24];
    snprintf(prefix, sizeof prefix, "clf_part%u_", (unsigned)i);
    for (int k = 0; k < CLF_FUNCTIONS; ++k) {
        const char *name = clf_function_given(&p->item[i].op, clf_function_number(k));
        if (!name)
            continue;
        clf_text_format(t, "#line 1 \"operator%u.%s\"\n", i, clf_function_name(clf_function_number(k)));
        const bool renamed = clf_join_is_renamed(p, i, name, strlen(name));
        if (clf_function_number(k) == CLF_FUNCTION_FINISH)
            write_finish_declared(t, p, i, prefix, renamed);
        else
            clf_function_declare(t, &p->item[i].op, clf_function_number(k), prefix, renamed);
    }
}

/* The function of the library's by which all combine, and then so does the joined one; CLF_OP_COUNT: none. */
static clf_op builtin_of(const clf_join *p)
{
    clf_op builtin = p->item[0].op.builtin;
    for (cl_uint i = 1; i < p->count; ++i)
        builtin = p->item[i].op.builtin == builtin ? builtin : CLF_OP_COUNT;
    return builtin;
}

static void write_joint(joint *j, const clf_join *p)
{
    const clf_op builtin = builtin_of(p);
    unsigned flags = CLF_COMMUTATIVE | CLF_NO_INDEX | CLF_DENORMS_ARE_ZERO, more = 0;
    size_t at = strlen(strcpy(j->map, CLF_JOINED_MAP));
    for (int list = 0; list < LISTS; ++list)
        clf_join_write_list(&j->list[list], p, (enum clf_join_list)list);
    clf_text_format(&j->source, "#line 1 \"join.cl\"\n");
    for (cl_uint i = 0; i < p->count; ++i) {
        write_part(&j->source, p, i);
        clf_extremes_append(j->neutral, p->item[i].op.extremes, p->item[i].op.value.count);
        j->map[at++] = (char)('a' + p->item[i].op.value.count);
        j->map[at++] = (char)('a' + clf_operator_made(&p->item[i].op)->count);
        flags &= p->item[i].op.flags | (p->item[i].op.map ? 0 : CLF_NO_INDEX);
        more |= p->item[i].op.flags & CLF_COMBINE_CAPTURES;
    }
    write_combine(&j->source, p, more);
    write_neutral(&j->source, p, j->neutral);
    write_map(&j->source, p, j->map, j->list[CAPTURED].length > 0, j->list[EXTRA].length > 0);
    const unsigned rest = write_rest(&j->source, p, j->list[CAPTURED].length > 0);
    if (p->finishes) {
        clf_text_format(&j->source, IF_STEPS);
        write_finish(&j->source, p, j->list[CAPTURED].length > 0, true);
        clf_text_format(&j->source, "#else\n");
        write_finish(&j->source, p, j->list[CAPTURED].length > 0, false);
        clf_text_format(&j->source, "#endif\n");
    }
    for (cl_uint i = 0; i < p->count; ++i)
        write_declarations(&j->source, p, i);
    j->descriptor = (clf_operator){
        .size = sizeof(clf_operator), .value = j->list[VALUE].data,
        .input = j->list[INPUT].data ? j->list[INPUT].data : "", .extra = j->list[EXTRA].data,
        .captured = j->list[CAPTURED].data, .source = j->source.data, .map = j->map, .flags = flags | more,
        .same = rest & CLF_FUNCTION_SAME ? "clf_joined_same" : NULL,
        .part = rest & CLF_FUNCTION_PART ? "clf_joined_part" : NULL,
        .result = j->list[RESULT].data, .finish = p->finishes ? "clf_joined_finish" : NULL,
        .combine = builtin < CLF_OP_COUNT ? clf_builtin_function(builtin) : "clf_joined_combine",
        .neutral = builtin < CLF_OP_COUNT ? NULL : j->neutral};
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

static clf_status make(const clf_join *p, clf_operator **joined, clf_error *error)
{
    clf_operator_copy copy;
    joint *j = calloc(1, sizeof *j);
    if (!j)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    write_joint(j, p);
    const unsigned functions = CLF_FINISHING | (j->descriptor.same ? CLF_FUNCTION_SAME : 0u) |
                               (j->descriptor.part ? CLF_FUNCTION_PART : 0u);
    const bool failed = j->list[VALUE].failed || j->list[EXTRA].failed || j->list[CAPTURED].failed ||
                        j->list[RESULT].failed || j->list[INPUT].failed || j->source.failed;
    const clf_status status = failed ? clf_fail(error, CLF_E_NO_MEMORY, "out of memory") /* or a name is too long: */
                                     : clf_operator_take(&j->descriptor, functions, &copy, error);
    if (status != CLF_SUCCESS) {
        clf_operator_release(&j->descriptor);
        return status;
    }
    clf_operator_free(&copy);
    *joined = &j->descriptor;
    return CLF_SUCCESS;
}

clf_status clf_operator_join(cl_uint count, const clf_operator *const *operators, clf_operator **joined,
                             clf_error *error)
{
    if (joined)
        *joined = NULL;
    CLF_TRY(clf_error_reset(error));
    if (!operators || !joined)
        return clf_fail(error, CLF_E_ARGUMENT, "operators and joined must not be NULL");
    if (count == 0 || count > CLF_MAX_FIELDS)
        return clf_fail(error, CLF_E_ARGUMENT, "%u operators: needs 1 to %d", count, (int)CLF_MAX_FIELDS);
    clf_join *p = calloc(1, sizeof *p);
    if (!p)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    clf_status status = clf_join_check(p, count, operators, error);
    if (status == CLF_SUCCESS)
        status = make(p, joined, error);
    clf_join_free(p);
    free(p);
    return status;
}

clf_status clf_operator_release(clf_operator *joined)
{
    joint *const j = (joint *)joined;
    if (!j)
        return CLF_E_ARGUMENT;
    for (int list = 0; list < LISTS; ++list)
        clf_text_free(&j->list[list]);
    clf_text_free(&j->source);
    free(j);
    return CLF_SUCCESS;
}
