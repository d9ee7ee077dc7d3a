/* SPDX-License-Identifier: MIT */
/*
 * builtin: the library's own operators: clf_sum, clf_product, clf_min, clf_max, clf_and, clf_or, clf_xor.
 *
 * Each is written in OpenCL C for the fields of a value, every one of which is combined for itself. Integer sums and
 * products are taken in unsigned types, where wrapping is defined, and converted back. For CPU kernels there is a form
 * for vectors, too.
 */
#include "operator/operator.h"

#include <stdio.h>
#include <string.h>

static const char *const names[CLF_OP_COUNT] = {
    [CLF_SUM] = "sum", [CLF_PRODUCT] = "product", [CLF_MIN] = "min", [CLF_MAX] = "max",
    [CLF_AND] = "and", [CLF_OR] = "or",           [CLF_XOR] = "xor",
};
static const char *const functions[CLF_OP_COUNT] = {
    [CLF_SUM] = "clf_sum", [CLF_PRODUCT] = "clf_product", [CLF_MIN] = "clf_min", [CLF_MAX] = "clf_max",
    [CLF_AND] = "clf_and", [CLF_OR] = "clf_or",           [CLF_XOR] = "clf_xor",
};

const char *clf_op_name(clf_op op)
{
    return (unsigned)op < CLF_OP_COUNT ? names[op] : NULL;
}

const char *clf_builtin_function(clf_op op)
{
    return functions[op];
}

clf_op clf_builtin_named(const char *name)
{
    int op = 0;
    while (name && op < CLF_OP_COUNT && strcmp(name, functions[op]) != 0)
        ++op;
    return name ? (clf_op)op : CLF_OP_COUNT;
}

/* Are the bits of its operands combined, and not their numbers? */
static bool is_of_bits(clf_op op)
{
    return op == CLF_AND || op == CLF_OR || op == CLF_XOR;
}

/* ---- Descriptors --------------------------------------------------------------------------------------- */

#define DESCRIPTOR(op, type, promises) \
    {.size = sizeof(clf_operator), .value = type " v;", .source = "", .combine = "clf_" op, .flags = promises}
#define ORDERED(type) \
    [CLF_SUM] = DESCRIPTOR("sum", type, CLF_COMMUTATIVE), [CLF_MIN] = DESCRIPTOR("min", type, CLF_COMMUTATIVE), \
    [CLF_MAX] = DESCRIPTOR("max", type, CLF_COMMUTATIVE)
#define INTEGER(type) \
    {ORDERED(type), [CLF_PRODUCT] = DESCRIPTOR("product", type, CLF_COMMUTATIVE), \
     [CLF_AND] = DESCRIPTOR("and", type, CLF_COMMUTATIVE), [CLF_OR] = DESCRIPTOR("or", type, CLF_COMMUTATIVE), \
     [CLF_XOR] = DESCRIPTOR("xor", type, CLF_COMMUTATIVE)}
/* Products in order: every other factor alone may overflow where the product of neighbours does not. */
#define FLOATING(type) {ORDERED(type), [CLF_PRODUCT] = DESCRIPTOR("product", type, 0)}

/* Floats are combined, and what is written is narrowed: by a finish of the shape that the program calls (fields.c). */
#define NARROWED(op, promises) \
    {.size = sizeof(clf_operator), .value = "float v;", .input = "bfloat16 v;", .map = "widened", .source = narrowing, \
     .combine = "clf_" op, .flags = promises, .result = "bfloat16 v;", .finish = "narrowed"}
static const char narrowing[] =
    "clf_value widened(clf_input x, ulong i) { clf_value y; y.v = clf_widen(x.v); return y; }\n"
    "#if CLF_FINISH == 2\n"
    "clf_result narrowed(clf_value a, clf_value before, clf_input x, ulong i)\n"
    "#else\n"
    "clf_result narrowed(clf_value a, ulong i)\n"
    "#endif\n"
    "{ clf_result y; y.v = clf_narrow(a.v); return y; }\n";

const clf_operator *clf_builtin(clf_op op, clf_type type)
{
    static const clf_operator descriptors[CLF_TYPE_COUNT][CLF_OP_COUNT] = {
        [CLF_CHAR] = INTEGER("char"),   [CLF_UCHAR] = INTEGER("uchar"),   [CLF_SHORT] = INTEGER("short"),
        [CLF_USHORT] = INTEGER("ushort"), [CLF_INT] = INTEGER("int"),     [CLF_UINT] = INTEGER("uint"),
        [CLF_LONG] = INTEGER("long"),   [CLF_ULONG] = INTEGER("ulong"),   [CLF_HALF] = FLOATING("half"),
        [CLF_FLOAT] = FLOATING("float"), [CLF_DOUBLE] = FLOATING("double"),
        [CLF_BFLOAT16] = {[CLF_SUM] = NARROWED("sum", CLF_COMMUTATIVE), [CLF_MIN] = NARROWED("min", CLF_COMMUTATIVE),
                          [CLF_MAX] = NARROWED("max", CLF_COMMUTATIVE), [CLF_PRODUCT] = NARROWED("product", 0)},
    };
    if ((unsigned)op >= CLF_OP_COUNT || (unsigned)type >= CLF_TYPE_COUNT || !descriptors[type][op].size)
        return NULL;
    return &descriptors[type][op];
}

clf_status clf_builtin_check(clf_op op, const clf_fields *value, clf_error *error)
{
    for (cl_uint i = 0; is_of_bits(op) && i < value->count; ++i)
        if (clf_type_is_real(value->field[i].type))
            return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.combine: %s is for integers, and field '%s' is none",
                            functions[op], value->field[i].name);
    for (cl_uint i = 0; (op == CLF_MIN || op == CLF_MAX) && i < value->count; ++i)
        if (value->field[i].is_array && clf_type_is_real(value->field[i].type))
            return clf_fail(error, CLF_E_ARGUMENT,
                            "clf_operator.combine: %s is not for arrays of floating numbers, such as field '%s'",
                            functions[op], value->field[i].name);
    if (clf_fields_use(value, CLF_BFLOAT16))
        return clf_fail(error, CLF_E_ARGUMENT,
                        "clf_operator.combine: %s combines no bfloat16. Let the value be float: map "
                        "widens what is read, finish narrows what is written",
                        functions[op]);
    return CLF_SUCCESS;
}

/* ---- Their text ---------------------------------------------------------------------------------------- */

/* The unsigned type that scalars are calculated in: operands are promoted to it. */
static const char *wide_type(const clf_field *field)
{
    return clf_type_size(field->type) == 8 ? "ulong" : "uint";
}

/* What is made of a and b, which have the field's type; vectors of integers are not promoted. */
static void write_combined(clf_text *t, clf_op op, const clf_field *field, const char *a, const char *b)
{
    static const char *const signs[CLF_OP_COUNT] = {
        [CLF_SUM] = "+", [CLF_PRODUCT] = "*", [CLF_AND] = "&", [CLF_OR] = "|", [CLF_XOR] = "^"};
    const bool real = clf_type_is_real(field->type), calls = op == CLF_MIN || op == CLF_MAX;
    char type[16], wide[16];
    const clf_field wider = {.type = CLF_FLOAT, .width = field->width};
    clf_field_type_name(field, type);
    clf_field_type_name(&wider, wide);
    if (calls && field->type == CLF_HALF)
        clf_text_format(t, "CLF_OF_HALVES(f%s, %s, %s, %s, %s)", names[op], type, wide, a, b);
    else if (calls)
        clf_text_format(t, "%s%s(%s, %s)", real ? "f" : "", names[op], a, b);
    else if (real || (field->width > 1 && is_of_bits(op)))
        clf_text_format(t, "((%s) %s (%s))", a, signs[op], b);
    else if (field->width == 1)
        clf_text_format(t, "(%s)((%s)(%s) %s (%s)(%s))", type, wide_type(field), a, signs[op], wide_type(field), b);
    else {
        const clf_type unsigned_type = clf_type_is_signed(field->type) ? (clf_type)(field->type + 1) : field->type;
        const clf_field positive = {.type = unsigned_type, .width = field->width};
        char as[16];
        clf_field_type_name(&positive, as);
        clf_text_format(t, "as_%s(as_%s(%s) %s as_%s(%s))", type, as, a, signs[op], as, b);
    }
}

/* What changes no minimum, or no maximum: NaN, which fmin and fmax ignore, or the largest or least value of a type. */
static void write_limit(clf_text *t, clf_type type, bool largest)
{
    static const char *const sizes[] = {[1] = "CHAR", [2] = "SHRT", [4] = "INT", [8] = "LONG"};
    const bool negative = clf_type_is_signed(type);
    if (clf_type_is_real(type))
        clf_text_format(t, "NAN");
    else if (!largest && !negative)
        clf_text_format(t, "0");
    else
        clf_text_format(t, "%s%s_%s", negative ? "" : "U", sizes[clf_type_size(type)], largest ? "MAX" : "MIN");
}

static void write_neutral(clf_text *t, clf_op op, const clf_field *field)
{
    char type[16];
    clf_field_type_name(field, type);
    clf_text_format(t, "(%s)(", type);
    if (op == CLF_MIN || op == CLF_MAX)
        write_limit(t, field->type, op == CLF_MIN);
    else
        clf_text_format(t, "%s", op == CLF_PRODUCT ? "1" : op == CLF_AND ? "-1" : "0");
    clf_text_format(t, ")");
}

/* A field; or what an array is of, with the head of a loop over it. */
static clf_field each_of(clf_text *t, const clf_field *field)
{
    clf_field each = *field;
    if (!field->is_array)
        return each;
    clf_text_format(t, "    CLF_UNROLL for (uint clf_k = 0; clf_k < %u; ++clf_k)\n", (unsigned)field->width);
    each.is_array = false;
    each.width = 1;
    return each;
}

void clf_builtin_write(clf_text *t, clf_op op, const clf_fields *value)
{
    clf_text_format(t, "clf_value %s(clf_value clf_a, clf_value clf_b)\n{\n", functions[op]);
    for (cl_uint i = 0; i < value->count; ++i) {
        const clf_field each = each_of(t, &value->field[i]);
        const char *const name = value->field[i].name, *const at = value->field[i].is_array ? "[clf_k]" : "";
        char a[64], b[64];
        snprintf(a, sizeof a, "clf_a.%s%s", name, at);
        snprintf(b, sizeof b, "clf_b.%s%s", name, at);
        clf_text_format(t, "    %s = ", a);
        write_combined(t, op, &each, a, b);
        clf_text_format(t, ";\n");
    }
    clf_text_format(t, "    return clf_a;\n}\nclf_value %s(void)\n{\n    clf_value clf_v;\n", CLF_BUILTIN_NEUTRAL);
    for (cl_uint i = 0; i < value->count; ++i) {
        const clf_field each = each_of(t, &value->field[i]);
        clf_text_format(t, "    clf_v.%s%s = ", value->field[i].name, value->field[i].is_array ? "[clf_k]" : "");
        write_neutral(t, op, &each);
        clf_text_format(t, ";\n");
    }
    clf_text_format(t, "    return clf_v;\n}\n");
}

/* 64 bytes, where OpenCL has such a vector; or 16 elements. */
void clf_builtin_write_vector(clf_text *t, clf_op op, const clf_field *field)
{
    const cl_uint most = 64 / field->bytes;
    const clf_field vector = {.type = field->type, .width = most < 16 ? most : 16};
    char element[16], type[16];
    clf_field_type_name(field, element);
    clf_field_type_name(&vector, type);
    clf_text_format(t, "#define CLF_VECTOR_FIELD %s\n#define CLF_VECTOR_ELEMENT %s\n#define CLF_VECTOR_BYTES %u\n"
                       "#define CLF_VECTOR_WIDTH %u\n#define CLF_VECTOR_TYPE %s\n#define CLF_VECTOR_COMBINE(a, b) ",
                    field->name, element, (unsigned)field->bytes, (unsigned)vector.width, type);
    write_combined(t, op, &vector, "a", "b");
    clf_text_format(t, "\n");
}
