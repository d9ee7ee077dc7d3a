/* SPDX-License-Identifier: MIT */
/*
 * binned: operators for the steps of a reduction by index that sorts: elements sorted by their bins, and
 * sorted values combined. Both contain the caller's source, which must see the types that it was written for. Where the
 * step has another type of the same name, a macro renames the type for that source: clf_bare_TYPE.
 */
#include "primitives/binned.h"

#include <stdio.h>
#include <string.h>

/* ---- Fields -------------------------------------------------------------------------------------------- */

/* "float sum; uint count;" */
static void write_list(clf_text *t, const clf_fields *fields)
{
    for (cl_uint f = 0; f < fields->count; ++f) {
        char type[16];
        clf_field_type_name(&fields->field[f], type);
        clf_text_format(t, "%s %s", type, fields->field[f].name);
        clf_field_write_length(t, &fields->field[f]);
        clf_text_format(t, "; ");
    }
}

/* A name like `name` that no field has, nor any word of the source, where it could be a macro. */
static void name_field(char name[48], const clf_fields *fields, const char *source)
{
    size_t length = strlen(name);
    while (length < 47 && (clf_fields_have(fields, name) || strstr(source, name))) {
        name[length++] = '_';
        name[length] = '\0';
    }
}

/* ---- Types --------------------------------------------------------------------------------------------- */

/* Arrays as the caller sees them alone: the type that moves one is only in programs that have such a field. They lie in
 * unions as elsewhere, for the braces of initialisers. */
static void write_struct(clf_text *t, const char *type, const clf_fields *fields)
{
    clf_text_format(t, "typedef struct {");
    for (cl_uint f = 0; f < fields->count; ++f) {
        const clf_field *const field = &fields->field[f];
        char scalar[16];
        clf_field_type_name(field, scalar);
        if (field->is_array)
            clf_text_format(t, " union { %s %s[%u]; };", scalar, field->name, (unsigned)field->width);
        else
            clf_field_declare(t, field);
    }
    clf_text_format(t, " %s} clf_bare_%s;\n", fields->count ? "" : "uchar none; ", type);
}

static void write_captured(clf_text *t, const clf_fields *fields)
{
    clf_text_format(t, "typedef struct { ");
    for (cl_uint f = 0; f < fields->count; ++f) {
        char type[16];
        clf_field_type_name(&fields->field[f], type);
        clf_text_format(t, "__global const %s *%s; ", type, fields->field[f].name);
    }
    clf_text_format(t, "ulong clf_size, clf_bins; } clf_bare_captured;\n");
}

static void begin_bare(clf_text *t, const char *type)
{
    clf_text_format(t, "#define clf_%s clf_bare_%s\n", type, type);
}

static void end_bare(clf_text *t, const char *type)
{
    clf_text_format(t, "#undef clf_%s\n", type);
}

/* What comes before the source of an operator that finishes: the step has no such results. */
static void begin_results(clf_text *t, const clf_operator_copy *op)
{
    if (!op->finish)
        return;
    clf_text_format(t, "#undef clf_result\n");
    write_struct(t, "result", &op->result);
    begin_bare(t, "result");
}

static void write_source(clf_text *t, const clf_operator_copy *op)
{
    begin_results(t, op);
    clf_text_format(t, "#line 1 \"operator.cl\"\n");
    clf_text_append(t, op->source, strlen(op->source));
    clf_text_format(t, "\n#line 1 \"binned.cl\"\n");
}

/* ---- Elements sorted by bins --------------------------------------------------------------------------- */

/* The caller's function under a name of ours, for it may be a macro that names types. */
static void write_call(clf_text *t, const clf_operator_copy *op, clf_function function)
{
    clf_text_format(t, "static %s clf_bare_%s", clf_function_type(op, function), clf_function_name(function));
    clf_function_parameters(t, op, function, "");
    clf_text_format(t, "\n{\n    return %s", clf_function_given(op, function));
    clf_function_arguments(t, op, function);
    clf_text_format(t, ";\n}\n");
}

static void write_copies(clf_text *t, const clf_fields *fields, const char *to, const char *from)
{
    for (cl_uint f = 0; f < fields->count; ++f) {
        const clf_field *const field = &fields->field[f];
        if (field->is_array)
            clf_text_format(t, "    for (uint clf_e = 0; clf_e < %u; ++clf_e)\n        %s.%s[clf_e] = %s%s[clf_e];\n",
                            (unsigned)field->width, to, field->name, from, field->name);
        else
            clf_text_format(t, "    %s.%s = %s%s;\n", to, field->name, from, field->name);
    }
}

static void write_nothing(clf_text *t, const clf_fields *fields)
{
    for (cl_uint f = 0; f < fields->count; ++f) {
        const clf_listed l = clf_field_listed(&fields->field[f]);
        clf_text_format(t, fields->field[f].is_array ? "    clf_v.%s = (%s){{0}};\n" : "    clf_v.%s = (%s)(0);\n",
                        l.name, l.type);
    }
}

/* What the caller's functions get behind element and index. */
static const char *more_of(const clf_operator_copy *op)
{
    return op->captured.count ? ", &clf_c" : "";
}

/* What a function of an element begins with: whose bin it is. */
static void write_bin(clf_text *t, const clf_operator_copy *op, const char *function, const char *numbers)
{
    clf_text_format(t,
                    "%s(clf_input clf_x, ulong clf_i, const clf_captured *clf_all)\n{\n"
                    "    const ulong clf_bins = clf_all->%s[%d];\n",
                    function, numbers, CLF_BINNED_BINS);
    if (op->captured.count) {
        clf_text_format(t,
                        "    clf_bare_captured clf_c;\n    clf_c.clf_size = clf_all->%s[%d];\n"
                        "    clf_c.clf_bins = clf_bins;\n",
                        numbers, CLF_BINNED_SIZE);
        write_copies(t, &op->captured, "clf_c", "clf_all->");
    }
    if (op->part)
        clf_text_format(t, "    const ulong clf_bin = clf_bare_part(clf_x, clf_i%s);\n", more_of(op));
    else
        clf_text_format(t, "    const ulong clf_bin = (ulong)clf_x.%s;\n", op->input.field[0].name);
}

/* The number of the element's bin, counted through all rows. A sort has this for many elements at once: where there is
 * one row no division must be in the way, which would double the time of its first pass on an H200. */
static void write_number(clf_text *t, bool rows, const char *bin, const char *numbers)
{
    if (rows)
        clf_text_format(t,
                        "    const ulong clf_rows = clf_all->%s[%d];\n"
                        "    const ulong clf_row = clf_i >> 32 ? clf_i / clf_rows\n"
                        "                          : clf_rows >> 32 ? 0 : (uint)clf_i / (uint)clf_rows;\n"
                        "    clf_v.%s = (uint)(clf_row * clf_bins + clf_bin);\n",
                        numbers, CLF_BINNED_SIZE, bin);
    else
        clf_text_format(t, "    clf_v.%s = (uint)clf_bin;\n", bin);
}

/* The map: bin and value. An element of no bin has the number behind them, and the caller's map does not see it. */
static void write_binning(clf_text *t, const clf_operator_copy *op, bool rows, const char *bin, const char *numbers)
{
    write_bin(t, op, "clf_value clf_joined_binned", numbers);
    clf_text_format(t, "    clf_value clf_v;\n");
    write_nothing(t, &op->value);
    clf_text_format(t,
                    "    clf_v.%s = (uint)clf_all->%s[%d];\n"
                    "    if (clf_bin >= clf_bins)\n        return clf_v;\n",
                    bin, numbers, CLF_BINNED_END);
    clf_text_format(t,
                    op->map ? "    const clf_bare_value clf_w = clf_bare_map(clf_x, clf_i%s);\n"
                            : "    const clf_bare_value clf_w = clf_x;\n",
                    more_of(op));
    write_copies(t, &op->value, "clf_v", "clf_w.");
    write_number(t, rows, bin, numbers);
    clf_text_format(t, "    return clf_v;\n}\n");
}

/* The caller's source, and the functions of an element. */
static void write_caller(clf_text *t, const clf_operator_copy *op)
{
    if (op->own_input)
        write_struct(t, "value", &op->value);
    else
        clf_text_format(t, "typedef clf_input clf_bare_value;\n");
    begin_bare(t, "value");
    if (op->captured.count) {
        write_captured(t, &op->captured);
        begin_bare(t, "captured");
    }
    write_source(t, op);
    if (op->part)
        write_call(t, op, CLF_FUNCTION_PART);
    if (op->map)
        write_call(t, op, CLF_FUNCTION_MAP);
    end_bare(t, "value");
    if (op->captured.count)
        end_bare(t, "captured");
}

static clf_status finish(clf_binned *b, clf_error *error)
{
    const clf_text *const texts[] = {&b->value, &b->input, &b->captured, &b->source};
    for (size_t i = 0; i < CLF_COUNT(texts); ++i)
        if (texts[i]->failed)
            return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    b->op.size = sizeof b->op;
    b->op.value = b->value.data;
    b->op.input = b->input.data;
    b->op.captured = b->captured.data;
    b->op.source = b->source.data;
    return CLF_SUCCESS;
}

clf_status clf_binned_elements(const clf_operator_copy *op, bool rows, clf_binned *b, clf_error *error)
{
    char bin[48] = "bin", numbers[48] = "numbers";
    *b = (clf_binned){0};
    if (op->value.count == CLF_MAX_FIELDS || op->captured.count == CLF_MAX_FIELDS)
        return clf_fail(error, CLF_E_UNSUPPORTED,
                        "elements of %u value and %u captured fields cannot be sorted by "
                        "their bins: there is room for %d of each",
                        op->value.count, op->captured.count, CLF_MAX_FIELDS - 1);
    name_field(bin, &op->value, op->source);
    name_field(numbers, &op->captured, op->source);
    clf_text_format(&b->value, "uint %s; ", bin);
    write_list(&b->value, &op->value);
    write_list(&b->input, &op->input);
    write_list(&b->captured, &op->captured);
    clf_text_format(&b->captured, "ulong %s;", numbers);
    write_caller(&b->source, op);
    write_binning(&b->source, op, rows, bin, numbers);
    b->op.map = "clf_joined_binned";
    CLF_TRY(finish(b, error));
    if (!b->op.input)
        b->op.input = ""; /* all that the map reads is captured */
    return CLF_SUCCESS;
}

clf_status clf_binned_inputs(const clf_operator_copy *op, clf_binned *b, clf_error *error)
{
    clf_fields fields = op->input;
    fields.field[0].type = CLF_UINT;
    *b = (clf_binned){0};
    write_list(&b->value, &fields);
    return finish(b, error);
}

/* ---- Elements dealt out by ranges of bins -------------------------------------------------------------- */

clf_status clf_binned_ranges(const clf_operator_copy *op, clf_binned *b, clf_error *error)
{
    char numbers[48] = "numbers";
    *b = (clf_binned){0};
    name_field(numbers, &op->captured, op->source);
    write_list(&b->value, &op->input);
    write_list(&b->captured, &op->captured);
    clf_text_format(&b->captured, "ulong %s;", numbers);
    write_caller(&b->source, op);
    write_bin(&b->source, op, "uint clf_joined_range", numbers);
    clf_text_format(&b->source, "    return clf_bin < clf_bins ? (uint)clf_bin >> (uint)clf_all->%s[%d] : ~0u;\n}\n",
                    numbers, CLF_BINNED_SHIFT);
    b->op.part = "clf_joined_range";
    return finish(b, error);
}

/* ---- Values combined ----------------------------------------------------------------------------------- */

clf_status clf_binned_values(const clf_operator_copy *op, clf_binned *b, clf_error *error)
{
    const bool ours = op->builtin < CLF_OP_COUNT; /* and needs no source */
    const bool captures = clf_combine_captures(op);
    *b = (clf_binned){0};
    write_list(&b->value, &op->value);
    if (captures)
        write_list(&b->captured, &op->captured);
    if (!ours) {
        if (op->own_input) {
            write_struct(&b->source, "input", &op->input);
            begin_bare(&b->source, "input");
        }
        if (op->captured.count && !captures) {
            write_captured(&b->source, &op->captured);
            begin_bare(&b->source, "captured");
        }
        write_source(&b->source, op);
        if (op->own_input)
            end_bare(&b->source, "input");
        if (op->captured.count && !captures)
            end_bare(&b->source, "captured");
    }
    b->op.combine = ours ? clf_builtin_function(op->builtin) : op->combine;
    b->op.neutral = ours ? NULL : op->neutral;
    b->op.flags = op->flags;
    return finish(b, error);
}

/* The caller's operator as it is, but for the search of bins. (The library's function is written for it anew.) */
clf_status clf_binned_made(const clf_operator_copy *op, clf_binned *b, clf_error *error)
{
    const bool ours = op->builtin < CLF_OP_COUNT;
    *b = (clf_binned){0};
    write_list(&b->value, &op->value);
    if (op->own_input)
        write_list(&b->input, &op->input);
    begin_results(&b->source, op);
    clf_text_append(&b->source, op->source, ours ? op->own_source : strlen(op->source));
    b->op.map = op->map;
    b->op.combine = ours ? clf_builtin_function(op->builtin) : op->combine;
    b->op.neutral = ours ? NULL : op->neutral;
    b->op.flags = op->flags;
    return finish(b, error);
}

void clf_binned_free(clf_binned *b)
{
    clf_text_free(&b->value);
    clf_text_free(&b->input);
    clf_text_free(&b->captured);
    clf_text_free(&b->source);
}
