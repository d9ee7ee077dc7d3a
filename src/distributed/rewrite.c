/* SPDX-License-Identifier: MIT */
/*
 * Operators made of the caller's. The source stays the same. Macros rename the types that the new operator lacks, or
 * has in another shape. Functions behind the source call the caller's. Names made here begin with distributed_.
 */
#include "distributed/distributed.h"

#include <stdlib.h>
#include <string.h>

/* The caller's type, as a struct of a name of ours, and a macro that gives the source that name for it. */
static void rename_type(clf_dist_text *t, const char *list, const char *type, bool captured)
{
    clf_dist_fields fields;
    if (clf_dist_parse(list, type, &fields, NULL) != CLF_SUCCESS)
        return; /* clf_dist_plan_new has refused it before */
    clf_dist_append(t, "typedef struct {");
    for (cl_uint f = 0; f < fields.count; ++f)
        clf_dist_append(t, captured ? " __global const %s *%s;" : " %s %s;", fields.field[f].type,
                        fields.field[f].name);
    clf_dist_append(t, "%s } distributed_%s;\n",
                    captured            ? " ulong clf_size, clf_bins;"
                    : fields.count != 0 ? ""
                                        : " uchar none;",
                    type);
    clf_dist_append(t, "#define clf_%s distributed_%s\n", type, type);
}

enum { INPUT = 1, EXTRA = 2, CAPTURED = 4, VALUE = 8 };

/* The source, with those types that `types` says renamed, and clf_value being clf_input if `value_is_input`. */
static void write_source(clf_dist_text *t, const clf_operator *op, unsigned types, bool value_is_input)
{
    if (!op->source)
        return;
    const bool input = types & INPUT && op->input, extra = types & EXTRA && op->extra;
    const bool captured = types & CAPTURED && op->captured;
    if (value_is_input)
        clf_dist_append(t, "typedef clf_input distributed_value;\n#define clf_value distributed_value\n");
    if (types & VALUE)
        rename_type(t, op->value, "value", false);
    if (input)
        rename_type(t, op->input, "input", false);
    if (extra)
        rename_type(t, op->extra, "extra", false);
    if (captured)
        rename_type(t, op->captured, "captured", true);
    clf_dist_append(t, "#line 1 \"operator.cl\"\n%s\n", op->source);
    clf_dist_append(t, "%s%s%s%s", input ? "#undef clf_input\n" : "", extra ? "#undef clf_extra\n" : "",
                    captured ? "#undef clf_captured\n" : "",
                    value_is_input || types & VALUE ? "#undef clf_value\n" : "");
}

bool clf_dist_sees_index(const clf_operator *op)
{
    return (op->map || op->predicate || op->part) && (!(op->flags & CLF_NO_INDEX) || op->captured);
}

/* A function of an element and its index, which calls the caller's with the index among all members. */
static void write_indexed(clf_dist_text *t, const clf_operator *op, const char *returns, const char *kind,
                          const char *caller, bool extra, bool drop_extra)
{
    clf_dist_append(t, "%s distributed_%s(clf_input x, ulong i, const clf_captured *c%s)\n{\n", returns, kind,
                    extra ? ", clf_extra *e" : "");
    if (op->captured) /* the length of segments that the caller knows, and not that of one step */
        clf_dist_append(t, "    clf_captured whole = *c;\n    whole.clf_size = c->distributed_first[1];\n");
    if (drop_extra)
        clf_dist_append(t, "    distributed_extra none;\n");
    clf_dist_append(t, "    return %s(x, i + c->distributed_first[0]%s%s);\n}\n", caller,
                    op->captured ? ", &whole" : "",
                    extra        ? ", e"
                    : drop_extra ? ", &none"
                                 : "");
}

/* The same without an index to correct: the map, but for its extra outputs. */
static void write_dropping(clf_dist_text *t, const clf_operator *op)
{
    clf_dist_append(t,
                    "clf_value distributed_map(clf_input x, ulong i%s)\n{\n    distributed_extra none;\n"
                    "    return %s(x, i%s, &none);\n}\n",
                    op->captured ? ", const clf_captured *c" : "", op->map, op->captured ? ", c" : "");
}

static void add_captured(clf_dist_text *t, const char *list)
{
    size_t length = list ? strlen(list) : 0;
    while (length > 0 && strchr(" \t\r\n;", list[length - 1]))
        --length;
    clf_dist_append(t, "%.*s%sulong distributed_first;", (int)length, list ? list : "", length > 0 ? "; " : "");
}

/* The type of an operator's key, and what makes it of a value: a function, or the first field. */
static clf_type key_of(const clf_operator *op, const char **type_name, char name[64], bool *called)
{
    static const char blanks[] = " \t\r\n";
    const char *at = op->key ? op->key : op->value;
    at += strspn(at, blanks);
    const size_t length = strcspn(at, blanks);
    const clf_type type = clf_dist_scalar(at, length);
    at += length + strspn(at + length, blanks);
    const size_t name_length = strcspn(at, " \t\r\n;");
    *called = op->key != NULL;
    if (type == CLF_TYPE_COUNT || name_length == 0 || name_length >= 64)
        return CLF_TYPE_COUNT;
    memcpy(name, at, name_length);
    name[name_length] = '\0';
    *type_name = clf_type_name(type);
    return type;
}

/* `key`, where the new operator has captured arrays that the caller's has not. */
static void write_key(clf_dist_operator *made, const clf_operator *op)
{
    const char *type_name = "";
    char name[64] = "";
    bool called;
    if (key_of(op, &type_name, name, &called) == CLF_TYPE_COUNT || !called || op->captured)
        return; /* or a key that clf_dist_key_codes refuses, or one that gets them anyway */
    clf_dist_append(&made->source, "%s distributed_key(clf_value v, const clf_captured *c)\n{\n    return %s(v);\n}\n",
                    type_name, name);
    clf_dist_append(&made->key, "%s distributed_key", type_name);
    made->op.key = made->key.begin;
}

static void write_functions(clf_dist_operator *made, const clf_operator *op, unsigned how)
{
    clf_operator *to = &made->op;
    const bool drop = how & CLF_DIST_NO_EXTRA && op->extra;
    if (!(how & CLF_DIST_INDEXED)) {
        if (drop) {
            write_dropping(&made->source, op);
            to->map = "distributed_map";
        }
        return;
    }
    if (op->map) {
        write_indexed(&made->source, op, "clf_value", "map", op->map, op->extra && !drop, drop);
        to->map = "distributed_map";
    }
    if (op->predicate) {
        write_indexed(&made->source, op, "bool", "predicate", op->predicate, false, false);
        to->predicate = "distributed_predicate";
    }
    if (op->part) {
        write_indexed(&made->source, op, "uint", "part", op->part, false, false);
        to->part = "distributed_part";
    }
    if (op->same) { /* which gets captured arrays now */
        clf_dist_append(&made->source,
                        "bool distributed_same(clf_input a, clf_input b, const clf_captured *c)\n"
                        "{\n    return %s(a, b%s);\n}\n",
                        op->same, op->captured ? ", c" : "");
        to->same = "distributed_same";
    }
    if (op->key)
        write_key(made, op);
    add_captured(&made->captured, op->captured);
}

static clf_status finish(clf_dist_operator *made, bool captured)
{
    if (made->source.length != 0)
        made->op.source = made->source.begin;
    if (captured)
        made->op.captured = made->captured.begin;
    if (!made->source.failed && !made->captured.failed && !made->key.failed)
        return CLF_SUCCESS;
    clf_dist_operator_free(made);
    return CLF_E_NO_MEMORY;
}

clf_operator clf_dist_operator_whole(const clf_operator *op)
{
    clf_operator whole = {0};
    memcpy(&whole, op, op->size);
    whole.size = sizeof whole;
    return whole;
}

clf_status clf_dist_rewrite(const clf_operator *op, unsigned how, clf_dist_operator *made)
{
    *made = (clf_dist_operator){.op = clf_dist_operator_whole(op)};
    if (how & CLF_DIST_NO_MAP) {
        made->op.input = made->op.extra = made->op.map = NULL;
        made->op.captured = op->key ? op->captured : NULL;
        made->op.predicate = made->op.same = made->op.part = NULL;
        if (op->map)
            write_source(&made->source, op, INPUT | EXTRA | (op->key ? 0 : CAPTURED), false);
        return finish(made, false);
    }
    if (!clf_dist_sees_index(op))
        how &= ~(unsigned)CLF_DIST_INDEXED;
    if (how & CLF_DIST_NO_EXTRA)
        made->op.extra = NULL;
    if (how & CLF_DIST_INDEXED || made->op.extra != op->extra) {
        write_source(&made->source, op, made->op.extra != op->extra ? EXTRA : 0, false);
        write_functions(made, op, how);
    }
    return finish(made, how & CLF_DIST_INDEXED);
}

void clf_dist_operator_free(clf_dist_operator *made)
{
    free(made->source.begin);
    free(made->captured.begin);
    free(made->value.begin);
    free(made->key.begin);
    *made = (clf_dist_operator){0};
}

/* ---- Arrays of several members, combined element by element -------------------------------------------- */

clf_status clf_dist_columns_operator(const clf_operator *op, const clf_dist_fields *value, clf_dist_operator *made)
{
    *made = (clf_dist_operator){.op = clf_dist_operator_whole(op)};
    clf_operator *to = &made->op;
    clf_dist_text *t = &made->source;
    to->input = "";
    to->map = "distributed_column";
    to->extra = NULL;
    to->predicate = to->same = to->less = to->part = to->key = NULL;
    write_source(t, op, INPUT | EXTRA | CAPTURED, false);
    /* Segment s of clf_size elements is element s of all members. */
    clf_dist_append(t,
                    "clf_value distributed_column(clf_input x, ulong i, const clf_captured *c)\n{\n"
                    "    const ulong at = i %% c->clf_size * c->distributed_first[0] + i / c->clf_size;\n"
                    "    clf_value v;\n");
    for (cl_uint f = 0; f < value->count; ++f) {
        const clf_dist_field *field = &value->field[f];
        clf_dist_append(t, "    v.%s = c->%s[at];\n", field->name, field->name);
        clf_dist_append(&made->captured, "%s %s; ", field->type, field->name);
    }
    clf_dist_append(t, "    return v;\n}\n");
    clf_dist_append(&made->captured, "ulong distributed_first;");
    return finish(made, true);
}

/* ---- Heads of runs ------------------------------------------------------------------------------------- */

clf_status clf_dist_heads_operator(const clf_operator *op, clf_dist_operator *made)
{
    *made = (clf_dist_operator){.op = {.size = sizeof made->op,
                                       .input = op->input ? op->input : op->value,
                                       .value = "uint distributed_at;",
                                       .map = "distributed_place",
                                       .captured = op->captured,
                                       .same = op->same,
                                       .flags = op->flags & CLF_DENORMS_ARE_ZERO}};
    write_source(&made->source, op, EXTRA | (op->input ? VALUE : 0), !op->input);
    clf_dist_append(&made->source,
                    "clf_value distributed_place(clf_input x, ulong i%s)\n{\n"
                    "    clf_value v = {(uint)i};\n    return v;\n}\n",
                    op->captured ? ", const clf_captured *c" : "");
    return finish(made, false);
}

/* ---- Keys ---------------------------------------------------------------------------------------------- */

/* Statements that make `code` of `raw`, the bits of a key k: a number in the order of a sort with these flags. */
static void write_code(clf_dist_text *t, clf_type type, cl_uint bits, unsigned flags)
{
    const char *const number = type == CLF_BFLOAT16 ? "clf_widen(k)" : "k";
    const bool real = type >= CLF_HALF, own_order = real && !(flags & CLF_TOTAL_ORDER);
    clf_dist_append(t, "    const ulong sign = 1ul << %u, mask = ~0ul >> %u;\n", bits - 1, 64 - bits);
    if (own_order)
        clf_dist_append(t, "    ulong code = %s == 0 ? 0 : raw;\n", number);
    else
        clf_dist_append(t, "    ulong code = raw;\n");
    if (real)
        clf_dist_append(t, "    code = code & sign ? ~code & mask : code | sign;\n");
    else if ((type - CLF_CHAR) % 2 == 0) /* signed */
        clf_dist_append(t, "    code ^= sign;\n");
    if (flags & CLF_DESCENDING)
        clf_dist_append(t, "    code = ~code & mask;\n");
    if (own_order) /* NaNs last, when descending, too */
        clf_dist_append(t, "    code = isnan(%s) ? mask : code;\n", number);
}

clf_status clf_dist_key_codes(const clf_operator *op, unsigned flags, clf_dist_operator *made, cl_uint *bits,
                              clf_error *error)
{
    const char *type_name = "";
    char name[64] = "";
    bool called;
    const clf_type key = key_of(op, &type_name, name, &called);
    if (key == CLF_TYPE_COUNT)
        return clf_dist_fail(error, CLF_E_ARGUMENT, "the key, or the first field of the value, is no scalar");
    if (key == CLF_BFLOAT16 && called)
        return clf_dist_fail(error, CLF_E_UNSUPPORTED, "over several devices no key is of bfloat16: let it be a float");
    *bits = (cl_uint)(8 * clf_type_size(key));
    *made = (clf_dist_operator){.op = {.size = sizeof made->op,
                                       .input = op->value,
                                       .map = "distributed_code_of",
                                       .captured = op->key ? op->captured : NULL,
                                       .combine = "distributed_second",
                                       .neutral = "distributed_none",
                                       .flags = op->flags & CLF_DENORMS_ARE_ZERO}};
    made->op.value = *bits > 32 ? "ulong distributed_code;" : "uint distributed_code;";
    clf_dist_text *t = &made->source;
    write_source(t, op, INPUT | EXTRA | (op->key ? 0 : CAPTURED), true);
    clf_dist_append(t,
                    "clf_value distributed_second(clf_value a, clf_value b)\n{\n    return b;\n}\n"
                    "clf_value distributed_none(void)\n{\n    clf_value v = {0};\n    return v;\n}\n"
                    "clf_value distributed_code_of(clf_input x, ulong i%s)\n{\n    const %s k = ",
                    made->op.captured ? ", const clf_captured *c" : "", type_name);
    clf_dist_append(t, called ? "%s(x%s);\n" : "x.%s;\n", name, made->op.captured ? ", c" : "");
    const char *raw = *bits == 8 ? "uchar" : *bits == 16 ? "ushort" : *bits == 32 ? "uint" : "ulong";
    clf_dist_append(t, "    %s raw = as_%s(k);\n", raw, raw);
    write_code(t, key, *bits, flags);
    clf_dist_append(t, "    clf_value v = {(%s)code};\n    return v;\n}\n", *bits > 32 ? "ulong" : "uint");
    return finish(made, false);
}
