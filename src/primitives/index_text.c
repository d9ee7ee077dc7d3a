/* SPDX-License-Identifier: MIT */
/*
 * index_text: what programs of a reduction by index know of its operator: bins of elements, and atomics for values.
 */
#include "primitives/primitives.h"

/*
 * The device's atomics for values that are one integer, if they are a built-in's; of 64 bits those of the base
 * extension. Of narrow integers those that need not know where the value ends in its word.
 */
static void write_native(clf_text *t, const clf_operator_copy *op)
{
    static const char *const names[CLF_OP_COUNT] = {[CLF_SUM] = "add", [CLF_MIN] = "min", [CLF_MAX] = "max",
                                                    [CLF_AND] = "and", [CLF_OR] = "or",   [CLF_XOR] = "xor"};
    const clf_field *const field = &op->value.field[0];
    const bool ordered = op->builtin == CLF_MIN || op->builtin == CLF_MAX, coded = clf_extremes_are_coded(op);
    const bool is_signed = clf_type_is_signed(field->type) && !coded, wide = field->bytes == 8;
    if (op->builtin == CLF_SUM && op->value.count == 1 && clf_field_is_scalar(field) &&
        (field->type == CLF_FLOAT || field->type == CLF_DOUBLE))
        clf_text_format(t, "#define CLF_REAL_SUM\n");
    clf_text_format(t, "#define CLF_OFTEN_NOTHING %d\n",
                    op->builtin != CLF_SUM && op->builtin != CLF_XOR && op->builtin != CLF_PRODUCT);
    if (op->value.count != 1 || !clf_field_is_scalar(field) || (clf_type_is_real(field->type) && !coded) ||
        op->builtin == CLF_OP_COUNT || !names[op->builtin] || (wide && op->builtin != CLF_SUM) ||
        (ordered && is_signed && field->bytes < 4))
        return;
    clf_text_format(t, "#define CLF_NATIVE %s_%s\n#define CLF_NATIVE_TYPE %s\n", wide ? "atom" : "atomic",
                    names[op->builtin],
                    wide                   ? "ulong"
                    : ordered && is_signed ? "int"
                                           : "uint");
}

/* Bins of elements, if their first field says them; and how many it can say, if that is few. */
static void write_bin(clf_text *t, const clf_operator_copy *op)
{
    const clf_field *const first = &op->input.field[0];
    const bool is_byte = !op->part && first->type == CLF_UCHAR;
    clf_text_format(t, "#define CLF_BIN_BYTES %u\n#define CLF_BIN_NUMBERS %d\n", op->part ? 4u : (unsigned)first->bytes,
                    is_byte ? 256 : 0);
    if (!op->part)
        clf_text_format(t, "#define CLF_BIN_FIELD %s\n", first->name);
    if (op->form != CLF_INDEX_NO_EDGES)
        clf_text_format(t,
                        "#define CLF_EDGES %s\n#define CLF_EDGE_TYPE %s\n#define CLF_EDGE_FIELD %s\n"
                        "#define CLF_EDGES_BELOW %s\n",
                        op->captured.field[0].name, clf_type_name(first->type), first->name,
                        op->form == CLF_INDEX_EDGES_BELOW ? "<" : "<=");
}

void clf_index_write(clf_text *t, const clf_operator_copy *op)
{
    write_bin(t, op);
    write_native(t, op);
}
