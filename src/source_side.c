/* SPDX-License-Identifier: MIT */
/*
 * source, the part of value.cl about values and inputs side by side (cl/side.cl): CLF_STREAMS of them, field by field
 * in arrays, so that compilers make vectors of loops over them.
 */
#include "internal.h"

static void write_sides(clf_text *t, const char *name, const char *one, const clf_fields *fields)
{
    clf_text_format(t, "typedef struct {\n");
    for (cl_uint i = 0; i < fields->count; ++i) {
        char type[16];
        clf_field_type_name(&fields->field[i], type);
        clf_text_format(t, "    %s %s[CLF_STREAMS];\n", type, fields->field[i].name);
    }
    clf_text_format(t, "%s} %ss;\nstatic inline %s %s_get(const %ss *s, ulong k)\n{\n    %s v;\n",
                    fields->count ? "" : "    uchar none;\n", name, one, name, name, one);
    for (cl_uint i = 0; i < fields->count; ++i)
        clf_text_format(t, "    v.%s = s->%s[k];\n", fields->field[i].name, fields->field[i].name);
    clf_text_format(t, "    return v;\n}\nstatic inline void %s_set(%ss *s, ulong k, %s v)\n{\n", name, name, one);
    for (cl_uint i = 0; i < fields->count; ++i)
        clf_text_format(t, "    s->%s[k] = v.%s;\n", fields->field[i].name, fields->field[i].name);
    clf_text_format(t, "}\n");
}

void clf_source_sides(clf_text *t, const clf_operator_copy *op)
{
    clf_text_format(t, "#if defined(CLF_STREAMS) && CLF_STREAMS > 0\n");
    write_sides(t, "clf_side", "clf_value", &op->value);
    write_sides(t, "clf_aside", "clf_input", &op->input);
    clf_text_format(t, "#endif\n");
}
