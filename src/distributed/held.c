/* SPDX-License-Identifier: MIT */
/*
 * Operators whose values know whether an element has come: made of the caller's, which have minima or maxima of
 * floating types by the library. What a member has of no elements is infinite there, and would hide the NaNs of others.
 */
#include "distributed/distributed.h"

#include <string.h>

#define CAME "distributed_came"

/* The neutral function of an operator of clf_operator_join: letters behind that say which fields are extremes. */
static const char joined[] = "clf_joined_neutral_";

static bool is_named(const char *name, const char *wanted)
{
    return name && strcmp(name, wanted) == 0;
}

static bool is_extreme(const clf_operator *op)
{
    return is_named(op->combine, "clf_min") || is_named(op->combine, "clf_max");
}

/* "float4" is of floats. */
static clf_type type_of(const clf_dist_field *field)
{
    return clf_dist_scalar(field->type, strcspn(field->type, "0123456789"));
}

/* n: a minimum of floating numbers, x: a maximum; of a joined operator as its name says. */
static char letter_of(const clf_operator *op, const clf_dist_fields *value, cl_uint f)
{
    const size_t length = sizeof joined - 1;
    if (op->neutral && strncmp(op->neutral, joined, length) == 0)
        return strlen(op->neutral) == length + value->count ? op->neutral[length + f] : 'o';
    if (!is_extreme(op) || type_of(&value->field[f]) < CLF_HALF)
        return 'o';
    return is_named(op->combine, "clf_min") ? 'n' : 'x';
}

bool clf_dist_has_extremes(const clf_operator *op, const clf_dist_fields *value)
{
    bool has = false;
    for (cl_uint f = 0; f < value->count; ++f)
        has = has || letter_of(op, value, f) != 'o';
    return has;
}

clf_status clf_dist_held_fields(const clf_dist_fields *value, clf_dist_fields *held)
{
    if (value->count == CLF_MAX_FIELDS)
        return CLF_E_UNSUPPORTED;
    *held = *value;
    held->field[held->count++] = (clf_dist_field){"uint", CAME, sizeof(cl_uint)};
    held->packed += sizeof(cl_uint);
    return CLF_SUCCESS;
}

/* ---- Functions ----------------------------------------------------------------------------------------- */

static void write_copies(clf_dist_text *t, const clf_dist_fields *value, const char *to, const char *from)
{
    for (cl_uint f = 0; f < value->count; ++f)
        clf_dist_append(t, "    %s.%s = %s.%s;\n", to, value->field[f].name, from, value->field[f].name);
}

static void write_map(clf_dist_text *t, const clf_operator *op, const clf_dist_fields *value)
{
    const bool captured = op->captured && op->map;
    clf_dist_append(t, "clf_value distributed_come(clf_input x, ulong i%s)\n{\n    const distributed_held w = ",
                    op->captured ? ", const clf_captured *c" : "");
    if (op->map)
        clf_dist_append(t, "%s(x, i%s);\n", op->map, captured ? ", c" : "");
    else
        clf_dist_append(t, "x;\n");
    clf_dist_append(t, "    clf_value v;\n");
    write_copies(t, value, "v", "w");
    clf_dist_append(t, "    v." CAME " = 1;\n    return v;\n}\n");
}

static void write_combine(clf_dist_text *t, const clf_operator *op, const clf_dist_fields *value)
{
    clf_dist_append(t,
                    "clf_value distributed_both(clf_value a, clf_value b)\n{\n"
                    "    if (!a." CAME ")\n        return b;\n    if (!b." CAME ")\n        return a;\n");
    if (is_extreme(op)) {
        for (cl_uint f = 0; f < value->count; ++f)
            clf_dist_append(t, "    a.%s = %s%s(a.%s, b.%s);\n", value->field[f].name,
                            type_of(&value->field[f]) < CLF_HALF ? "" : "f", op->combine + strlen("clf_"),
                            value->field[f].name, value->field[f].name);
    } else {
        clf_dist_append(t, "    distributed_held x, y;\n");
        write_copies(t, value, "x", "a");
        write_copies(t, value, "y", "b");
        clf_dist_append(t, "    x = %s(x, y);\n", op->combine);
        write_copies(t, value, "a", "x");
    }
    clf_dist_append(t, "    return a;\n}\n");
}

/* The largest, or least, number of an integer type. */
static const char *limit_of(clf_type type, bool largest)
{
    static const char *const limits[][2] = {
        [CLF_CHAR] = {"CHAR_MIN", "CHAR_MAX"}, [CLF_UCHAR] = {"0", "UCHAR_MAX"},
        [CLF_SHORT] = {"SHRT_MIN", "SHRT_MAX"}, [CLF_USHORT] = {"0", "USHRT_MAX"},
        [CLF_INT] = {"INT_MIN", "INT_MAX"}, [CLF_UINT] = {"0", "UINT_MAX"},
        [CLF_LONG] = {"LONG_MIN", "LONG_MAX"}, [CLF_ULONG] = {"0", "ULONG_MAX"}};
    return limits[type][largest];
}

/* What a bin without elements has in the end. */
static void write_neutral(clf_dist_text *t, const clf_operator *op, const clf_dist_fields *value)
{
    clf_dist_append(t, "clf_value distributed_nobody(void)\n{\n    clf_value v;\n");
    if (!is_extreme(op)) {
        clf_dist_append(t, "    const distributed_held x = %s();\n", op->neutral);
        write_copies(t, value, "v", "x");
    }
    for (cl_uint f = 0; f < value->count; ++f) {
        const clf_dist_field *const field = &value->field[f];
        const char letter = letter_of(op, value, f);
        if (letter != 'o')
            clf_dist_append(t, "    v.%s = (%s)(%sINFINITY);\n", field->name, field->type, letter == 'n' ? "" : "-");
        else if (is_extreme(op))
            clf_dist_append(t, "    v.%s = (%s)(%s);\n", field->name, field->type,
                            limit_of(type_of(field), is_named(op->combine, "clf_min")));
    }
    clf_dist_append(t, "    v." CAME " = 0;\n    return v;\n}\n");
}

clf_status clf_dist_held_operator(const clf_operator *op, const clf_dist_fields *value, clf_dist_operator *made)
{
    *made = (clf_dist_operator){.op = clf_dist_operator_whole(op)};
    clf_operator *const to = &made->op;
    clf_dist_text *const t = &made->source;
    for (cl_uint f = 0; f < value->count; ++f)
        clf_dist_append(&made->value, "%s %s; ", value->field[f].type, value->field[f].name);
    if (!op->input)
        clf_dist_append(t, "typedef clf_input distributed_held;\n");
    else
        clf_dist_append(t, "typedef struct { %s} distributed_held;\n", made->value.failed ? "" : made->value.begin);
    clf_dist_append(t, "#define clf_value distributed_held\n#line 1 \"operator.cl\"\n%s\n#undef clf_value\n",
                    op->source ? op->source : "");
    clf_dist_append(&made->value, "uint " CAME ";");
    write_map(t, op, value);
    write_combine(t, op, value);
    write_neutral(t, op, value);
    to->input = op->input ? op->input : op->value;
    to->map = "distributed_come";
    to->combine = "distributed_both";
    to->neutral = "distributed_nobody";
    to->flags = op->flags | (!op->map && !op->part ? CLF_NO_INDEX : 0);
    to->source = t->begin;
    to->value = made->value.begin;
    if (!t->failed && !made->value.failed)
        return CLF_SUCCESS;
    clf_dist_operator_free(made);
    return CLF_E_NO_MEMORY;
}
