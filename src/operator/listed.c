/* SPDX-License-Identifier: MIT */
/*
 * listed: how programs have fields. An array is moved as a struct of unsigned scalars (cl/memory/array_template.cl).
 * The caller's functions know it by another name of the same memory. What says its bytes is a number, too, but
 * written like no other's: names of functions end with it.
 */
#include "operator/operator.h"

#include <stdio.h>

/* The unsigned type that moves an element of `bytes` in cl/memory/tile.cl and cl/memory/stretch.cl. */
const char *clf_exchange_type(cl_uint bytes)
{
    switch (bytes) {
    case 1: return "uchar";
    case 2: return "ushort";
    case 4: return "uint";
    case 8: return "ulong";
    case 16: return "ulong2";
    case 32: return "ulong4";
    case 64: return "ulong8";
    default: return "ulong16";
    }
}

/* 40 bytes that are aligned as chars: 0x28; as shorts, ints or longs: 0x028, 0x0028, 0x00028. */
static void write_bytes(const clf_field *field, char bytes[12])
{
    const char *const zeros[] = {[1] = "", [2] = "0", [4] = "00", [8] = "000"};
    snprintf(bytes, 12, "0x%s%x", zeros[clf_field_alignment(field)], (unsigned)field->bytes);
}

clf_listed clf_field_listed(const clf_field *field)
{
    clf_listed l;
    char type[16];
    clf_field_type_name(field, type);
    if (field->is_array) {
        snprintf(l.move, sizeof l.move, "clf_%s_%u", clf_exchange_type(clf_field_alignment(field)),
                 (unsigned)field->width);
        snprintf(l.type, sizeof l.type, "%s", l.move);
        write_bytes(field, l.bytes);
        snprintf(l.name, sizeof l.name, "clf_%s_%u_%s", type, (unsigned)field->width, field->name);
    } else {
        snprintf(l.move, sizeof l.move, "%s", clf_exchange_type(field->bytes));
        snprintf(l.type, sizeof l.type, "%s", type);
        snprintf(l.bytes, sizeof l.bytes, "%u", (unsigned)field->bytes);
        snprintf(l.name, sizeof l.name, "%s", field->name);
    }
    return l;
}

void clf_field_write_length(clf_text *text, const clf_field *field)
{
    if (field->is_array)
        clf_text_format(text, "[%u]", (unsigned)field->width);
}

void clf_field_declare(clf_text *text, const clf_field *field)
{
    const clf_listed l = clf_field_listed(field);
    char type[16];
    clf_field_type_name(field, type);
    if (field->is_array)
        clf_text_format(text, " union { %s %s[%u]; %s %s;", type, field->name, (unsigned)field->width, l.type, l.name);
    else
        clf_text_format(text, " %s %s;", type, field->name);
    if (field->is_array && field->bytes < sizeof(cl_ulong))
        clf_text_format(text, " CLF_SPARE_BYTES(%u, %s)", (unsigned)field->bytes, l.name);
    clf_text_format(text, "%s", field->is_array ? " };" : "");
}
