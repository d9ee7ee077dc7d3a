/* SPDX-License-Identifier: MIT */
/*
 * Operators checked and copied, and the built-in ones.
 *
 * A built-in is an ordinary operator whose OpenCL C text the preprocessor puts together: one row per type,
 * one column per operation, nothing at run time. Integer sums and products are taken in unsigned types,
 * where wrapping is defined, and converted back. Each also has a vector form, for CPU kernels.
 */
#include "operator/operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Built-ins ----------------------------------------------------------------------------------------- */

#define COMBINE(op, type, expression)           \
    "clf_value clf_builtin_" op "(clf_value a, clf_value b)\n"  \
    "{\n"                                       \
    "    a.v = (" type ")(" expression ");\n"   \
    "    return a;\n"                           \
    "}\n"

#define NEUTRAL(type, value)                    \
    "clf_value clf_builtin_neutral(void)\n"     \
    "{\n"                                       \
    "    clf_value neutral;\n"                  \
    "    neutral.v = (" type ")(" value ");\n"  \
    "    return neutral;\n"                     \
    "}\n"

/* The vector form (cl/cpu/vector.cl): 64 bytes where OpenCL has such a vector, else 16 elements. */
#define VECTOR(type, bytes, width, expression)  \
    "#define CLF_VECTOR_ELEMENT " type "\n"     \
    "#define CLF_VECTOR_BYTES " bytes "\n"      \
    "#define CLF_VECTOR_WIDTH " width "\n"      \
    "#define CLF_VECTOR_TYPE " type width "\n"  \
    "#define CLF_VECTOR_COMBINE(a, b) " expression "\n"

#define DESCRIPTOR(op, type, expression, neutral_value, promises)                                      \
    {                                                                                                  \
        .size = sizeof(clf_operator), .value = type " v;",                                             \
        .source = COMBINE(op, type, expression) NEUTRAL(type, neutral_value),                          \
        .combine = "clf_builtin_" op, .neutral = "clf_builtin_neutral", .flags = promises              \
    }

#define BUILTIN(op, type, bytes, width, expression, vector_expression, neutral_value)                  \
    {                                                                                                  \
        .descriptor = DESCRIPTOR(op, type, expression, neutral_value, CLF_COMMUTATIVE),                \
        .vector = VECTOR(type, bytes, width, vector_expression)                                        \
    }

/* Vectors are not promoted: the type's own unsigned one will do. */
#define WRAPPING(type, narrow, width, sign)                                                            \
    "as_" type width "(as_" narrow width "(a) " sign " as_" narrow width "(b))"

/* `narrow`, `wide`: the unsigned types to calculate vectors and scalars in. */
#define INTEGER(type, narrow, wide, bytes, width, low, high)                                           \
    {                                                                                                  \
        [CLF_SUM] = BUILTIN("sum", type, bytes, width, "(" wide ")a.v + (" wide ")b.v",                \
                            WRAPPING(type, narrow, width, "+"), "0"),                                  \
        [CLF_PRODUCT] = BUILTIN("product", type, bytes, width, "(" wide ")a.v * (" wide ")b.v",        \
                                WRAPPING(type, narrow, width, "*"), "1"),                              \
        [CLF_MIN] = BUILTIN("min", type, bytes, width, "min(a.v, b.v)", "min(a, b)", high),            \
        [CLF_MAX] = BUILTIN("max", type, bytes, width, "max(a.v, b.v)", "max(a, b)", low),             \
        [CLF_AND] = BUILTIN("and", type, bytes, width, "a.v & b.v", "((a) & (b))", "-1"),              \
        [CLF_OR] = BUILTIN("or", type, bytes, width, "a.v | b.v", "((a) | (b))", "0"),                 \
        [CLF_XOR] = BUILTIN("xor", type, bytes, width, "a.v ^ b.v", "((a) ^ (b))", "0"),               \
    }

#define FLOATING(type, bytes, width)                                                                   \
    {                                                                                                  \
        [CLF_SUM] = BUILTIN("sum", type, bytes, width, "a.v + b.v", "((a) + (b))", "0"),               \
        /* In order: every other factor alone may overflow where the product of neighbours does not. */    \
        [CLF_PRODUCT] = {.descriptor = DESCRIPTOR("product", type, "a.v * b.v", "1", 0)},              \
        [CLF_MIN] = BUILTIN("min", type, bytes, width, "fmin(a.v, b.v)", "fmin(a, b)", "INFINITY"),    \
        [CLF_MAX] = BUILTIN("max", type, bytes, width, "fmax(a.v, b.v)", "fmax(a, b)", "-INFINITY"),   \
    }

static const struct {
    clf_operator descriptor;
    const char *vector;
} builtins[CLF_TYPE_COUNT][CLF_OP_COUNT] = {
    [CLF_CHAR] = INTEGER("char", "uchar", "uint", "1", "16", "CHAR_MIN", "CHAR_MAX"),
    [CLF_UCHAR] = INTEGER("uchar", "uchar", "uint", "1", "16", "0", "UCHAR_MAX"),
    [CLF_SHORT] = INTEGER("short", "ushort", "uint", "2", "16", "SHRT_MIN", "SHRT_MAX"),
    [CLF_USHORT] = INTEGER("ushort", "ushort", "uint", "2", "16", "0", "USHRT_MAX"),
    [CLF_INT] = INTEGER("int", "uint", "uint", "4", "16", "INT_MIN", "INT_MAX"),
    [CLF_UINT] = INTEGER("uint", "uint", "uint", "4", "16", "0", "UINT_MAX"),
    [CLF_LONG] = INTEGER("long", "ulong", "ulong", "8", "8", "LONG_MIN", "LONG_MAX"),
    [CLF_ULONG] = INTEGER("ulong", "ulong", "ulong", "8", "8", "0", "ULONG_MAX"),
    [CLF_HALF] = FLOATING("half", "2", "16"),
    [CLF_FLOAT] = FLOATING("float", "4", "16"),
    [CLF_DOUBLE] = FLOATING("double", "8", "8"),
};

const clf_operator *clf_builtin(clf_op op, clf_type type)
{
    if ((unsigned)op >= CLF_OP_COUNT || (unsigned)type >= CLF_TYPE_COUNT)
        return NULL;
    const clf_operator *builtin = &builtins[type][op].descriptor;
    return builtin->size != 0 ? builtin : NULL;
}

/* Only the descriptors themselves have one: a copy may have been changed. */
static const char *vector_form(const clf_operator *op)
{
    for (int type = 0; type < CLF_TYPE_COUNT; type++)
        for (int i = 0; i < CLF_OP_COUNT; i++)
            if (op == &builtins[type][i].descriptor)
                return builtins[type][i].vector;
    return NULL;
}

const char *clf_op_name(clf_op op)
{
    static const char *const names[CLF_OP_COUNT] = {
        [CLF_SUM] = "sum", [CLF_PRODUCT] = "product", [CLF_MIN] = "min", [CLF_MAX] = "max",
        [CLF_AND] = "and", [CLF_OR] = "or",           [CLF_XOR] = "xor",
    };
    return (unsigned)op < CLF_OP_COUNT ? names[op] : NULL;
}

/* ---- Checking ------------------------------------------------------------------------------------------ */

/* "combine", or "combine and same" */
static void write_names(unsigned functions, char names[64])
{
    size_t length = 0;
    for (int i = 0; i < CLF_FUNCTIONS; ++i)
        if (functions & (unsigned)clf_function_number(i))
            length += (size_t)snprintf(names + length, 64 - length, "%s%s", length ? " and " : "",
                                       clf_function_name(clf_function_number(i)));
}

/* All functions that the primitive calls, and no others. */
static clf_status check_functions(const clf_operator *op, unsigned needed, clf_error *error)
{
    const char *const given[CLF_FUNCTIONS] = {op->combine, op->neutral, op->map, op->predicate,
                                              op->same, op->less, op->part, op->key};
    const unsigned wanted = needed | (needed & CLF_FUNCTION_COMBINE ? CLF_FUNCTION_NEUTRAL : 0u) |
                            (op->map ? CLF_FUNCTION_MAP : 0u);
    char names[64];
    write_names(needed, names);
    for (int i = 0; i < CLF_FUNCTIONS; ++i) {
        const clf_function f = clf_function_number(i);
        if (f == CLF_FUNCTION_KEY && (wanted & (unsigned)f))
            continue; /* take_key */
        if (wanted & (unsigned)f)
            CLF_TRY(clf_function_check(f, given[i], error));
        else if (given[i])
            return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.%s: the primitive calls %s, and must find NULL here",
                            clf_function_name(f), names);
    }
    return CLF_SUCCESS;
}

static clf_status check_descriptor(const clf_operator *op, unsigned needed, clf_error *error)
{
    if (op == NULL)
        return clf_fail(error, CLF_E_ARGUMENT, "the operator is NULL");
    if (op->size != sizeof *op)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.size is %zu, not %zu", op->size, sizeof *op);
    if (op->value == NULL)
        return clf_fail(error, CLF_E_ARGUMENT, "the operator has no value fields");
    if (op->source == NULL && (needed != CLF_FUNCTION_KEY || op->key != NULL || op->map != NULL))
        return clf_fail(error, CLF_E_ARGUMENT, "the operator has no source");
    CLF_TRY(check_functions(op, needed, error));
    const bool captures = op->captured != NULL && !op->predicate && !op->part; /* these read captured arrays, too */
    if (op->map == NULL && (op->input != NULL || op->extra != NULL || captures))
        return clf_fail(error, CLF_E_ARGUMENT, "an operator with input, extra or captured fields needs a map");
    if ((op->flags & ~CLF_COMMUTATIVE) != 0)
        return clf_fail(error, CLF_E_ARGUMENT, "the operator has unknown flags: 0x%x", op->flags);
    return CLF_SUCCESS;
}

static clf_status copy_fields(const clf_operator *op, clf_operator_copy *copy, clf_error *error)
{
    CLF_TRY(clf_fields_parse(op->value, "value", &copy->value, error));
    CLF_TRY(clf_fields_parse(op->extra, "extra", &copy->extra, error));
    CLF_TRY(clf_fields_parse(op->captured, "captured", &copy->captured, error));
    if (op->input != NULL && *op->input == '\0' && op->captured != NULL)
        return CLF_SUCCESS; /* no field: all that the map reads is captured */
    if (op->input != NULL)
        return clf_fields_parse(op->input, "input", &copy->input, error);
    copy->input = copy->value;
    return CLF_SUCCESS;
}

static clf_status copy_strings(const clf_operator *op, clf_operator_copy *copy, clf_error *error)
{
    const struct {
        const char *from;
        char **to;
    } list[] = {{op->source ? op->source : "", &copy->source}, {op->combine, &copy->combine},
                {op->neutral, &copy->neutral}, {op->map, &copy->map}, {op->predicate, &copy->predicate},
                {op->same, &copy->same}, {op->less, &copy->less}, {op->part, &copy->part}};
    for (size_t i = 0; i < CLF_COUNT(list); ++i) {
        *list[i].to = clf_strdup(list[i].from);
        if (*list[i].to == NULL && list[i].from != NULL)
            return clf_fail(error, CLF_E_NO_MEMORY, "no memory for a copy of the operator");
    }
    return CLF_SUCCESS;
}

/* "float distance": the type and the name of the function that says what values are sorted by; or the first field. */
static clf_status take_key(const clf_operator *op, clf_operator_copy *copy, clf_error *error)
{
    clf_fields parsed = copy->value;
    if (op->key != NULL)
        CLF_TRY(clf_fields_parse(op->key, "key", &parsed, error));
    if (op->key != NULL && parsed.count != 1)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.key: there is one function, such as \"float distance\"");
    if (parsed.field[0].width != 1)
        return clf_fail(error, CLF_E_ARGUMENT, op->key ? "clf_operator.key: keys are scalars"
                                                       : "the first field of value is the key, and must be a scalar");
    copy->key_type = parsed.field[0].type;
    copy->key = op->key ? clf_strdup(parsed.field[0].name) : NULL;
    return op->key && !copy->key ? clf_fail(error, CLF_E_NO_MEMORY, "no memory for a copy of the operator")
                                 : CLF_SUCCESS;
}

clf_status clf_operator_check(const clf_operator *op, unsigned needed, clf_operator_copy *copy, clf_error *error)
{
    *copy = (clf_operator_copy){0};
    CLF_TRY(check_descriptor(op, needed, error));
    CLF_TRY(copy_fields(op, copy, error));
    copy->in_sets = copy->out_sets = 1;
    copy->called = needed;
    copy->own_input = op->input != NULL;
    copy->flags = op->flags;
    copy->vector = vector_form(op);
    clf_status status = copy_strings(op, copy, error);
    if (status == CLF_SUCCESS && needed == CLF_FUNCTION_KEY)
        status = take_key(op, copy, error);
    if (status != CLF_SUCCESS)
        clf_operator_free(copy);
    return status;
}

void clf_operator_none(cl_uint element_bytes, clf_operator_copy *copy)
{
    const clf_field element = {.type = CLF_UCHAR, .width = element_bytes, .bytes = element_bytes, .name = "element"};
    *copy = (clf_operator_copy){.in_sets = 1, .out_sets = 1};
    copy->value = (clf_fields){.count = 1, .bytes = element_bytes, .field = {element}};
    copy->input = copy->value;
}

cl_uint clf_operator_narrowest(const clf_operator_copy *op)
{
    const clf_fields *const lists[] = {&op->input, &op->value, &op->extra};
    cl_uint bytes = CL_UINT_MAX;
    for (size_t l = 0; l < CLF_COUNT(lists); ++l)
        for (cl_uint i = 0; i < lists[l]->count; ++i)
            bytes = lists[l]->field[i].bytes < bytes ? lists[l]->field[i].bytes : bytes;
    return bytes;
}

void clf_operator_free(clf_operator_copy *copy)
{
    free(copy->source);
    free(copy->combine);
    free(copy->neutral);
    free(copy->map);
    free(copy->predicate);
    free(copy->same);
    free(copy->less);
    free(copy->part);
    free(copy->key);
    *copy = (clf_operator_copy){0};
}
