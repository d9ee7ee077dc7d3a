/* SPDX-License-Identifier: MIT */
/*
 * source, the part of value.cl that reads results again (cl/scan_propagate.cl): one element, or a chunk of CLF_CHUNK
 * that starts at whole vectors in every array;
 * and that writes such chunks (cl/reduce_small.cl, too).
 */
#include "internal.h"

static void write_one(clf_text *t, const clf_fields *value)
{
    clf_text_format(t, "static inline clf_value clf_result_at(const clf_outputs *out, ulong i)\n{\n    clf_value v;\n");
    for (cl_uint i = 0; i < value->count; ++i)
        clf_text_format(t, "    v.%s = out->p%u[i];\n", value->field[i].name, i);
    clf_text_format(t, "    return v;\n}\n");
}

static void write_alignment(clf_text *t, const clf_fields *value)
{
    clf_text_format(t, "static inline bool clf_results_aligned(const clf_outputs *out, ulong first)\n{\n"
                       "    size_t bits = 0;\n");
    for (cl_uint i = 0; i < value->count; ++i)
        clf_text_format(t, "    bits |= (size_t)(out->p%u + first);\n", i);
    clf_text_format(t, "    return (bits & 15) == 0;\n}\n");
}

static void write_load(clf_text *t, const clf_fields *value)
{
    clf_text_format(t, "static inline void clf_results_load(const clf_outputs *out, ulong first, "
                       "clf_value v[CLF_CHUNK])\n{\n");
    for (cl_uint i = 0; i < value->count; ++i) {
        char type[16];
        const clf_field *field = &value->field[i];
        const char *move = clf_exchange_type(field->bytes);
        clf_field_type_name(field, type);
        clf_text_format(t, "    {\n        %s w[CLF_CHUNK];\n"
                           "        clf_chunk_load_%u((__global const %s *)(out->p%u + first), w);\n"
                           "        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)\n"
                           "            v[k].%s = as_%s(w[k]);\n    }\n",
                        move, field->bytes, move, i, field->name, type);
    }
    clf_text_format(t, "}\n");
}

/* All of a chunk, or the first `count`. */
static void write_store(clf_text *t, const clf_fields *value, bool all)
{
    clf_text_format(t, "static inline void clf_results_store%s(const clf_outputs *out, ulong first, "
                       "%sconst clf_value v[CLF_CHUNK])\n{\n", all ? "" : "_some", all ? "" : "uint count, ");
    for (cl_uint i = 0; i < value->count; ++i) {
        const clf_field *field = &value->field[i];
        const char *move = clf_exchange_type(field->bytes);
        clf_text_format(t, "    {\n        %s w[CLF_CHUNK];\n"
                           "        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)\n"
                           "            w[k] = as_%s(v[k].%s);\n"
                           "        clf_chunk_store%s_%u((__global %s *)(out->p%u + first), %sw);\n    }\n",
                        move, move, field->name, all ? "" : "_some", field->bytes, move, i, all ? "" : "count, ");
    }
    clf_text_format(t, "}\n");
}

void clf_source_results(clf_text *t, const clf_operator_copy *op)
{
    clf_text_format(t, "#if CLF_GROUP > 1\n");
    write_one(t, &op->value);
    write_alignment(t, &op->value);
    write_load(t, &op->value);
    write_store(t, &op->value, true);
    write_store(t, &op->value, false);
    clf_text_format(t, "#endif\n");
}
