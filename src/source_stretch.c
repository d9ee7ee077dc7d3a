/* SPDX-License-Identifier: MIT */
/*
 * source, the part of value.cl that moves elements between global memory and stretches of local memory
 * (cl/stretch.cl), or straight to registers (cl/range.cl). Extra fields take the place of an input of the same
 * element size, element by element, where there is one. So do value fields, where results lie in local memory
 * as well (clf_value_stretches).
 */
#include "internal.h"

#include <stdio.h>

/* Which region each field is in; those from input.count on are no input's. */
typedef struct places {
    bool taken[CLF_MAX_FIELDS]; /* an input's region, by another field */
    cl_uint count;              /* regions */
    cl_uint extra[CLF_MAX_FIELDS], value[CLF_MAX_FIELDS];
} places;

static void place(const clf_fields *input, const clf_fields *fields, places *p, cl_uint region[CLF_MAX_FIELDS])
{
    for (cl_uint i = 0; i < fields->count; ++i) {
        cl_uint r = 0;
        while (r < input->count && (p->taken[r] || input->field[r].bytes != fields->field[i].bytes))
            ++r;
        region[i] = r < input->count ? r : p->count++;
        if (r < input->count)
            p->taken[r] = true;
    }
}

static void write_regions(clf_text *t, const clf_operator_copy *op, const cl_uint *region)
{
    clf_text_format(t, "typedef struct {\n");
    for (cl_uint i = 0; i < op->input.count; ++i)
        clf_text_format(t, "    clf_stretch_%u r%u;\n", op->input.field[i].bytes, i);
    for (cl_uint e = 0; e < op->extra.count; ++e)
        if (region[e] >= op->input.count)
            clf_text_format(t, "    clf_stretch_%u r%u;\n", op->extra.field[e].bytes, region[e]);
    clf_text_format(t, "%s} clf_stretches;\n", op->input.count + op->extra.count ? "" : "    uchar none;\n");
}

/* Stretches with room for a value in the place of each element. */
static void write_values(clf_text *t, const clf_operator_copy *op, const cl_uint *region)
{
    const clf_fields *value = &op->value;
    clf_text_format(t, "typedef struct {\n    clf_stretches in;\n");
    for (cl_uint i = 0; i < value->count; ++i)
        if (region[i] >= op->input.count)
            clf_text_format(t, "    clf_stretch_%u v%u;\n", value->field[i].bytes, i);
    clf_text_format(t, "} clf_value_stretches;\n"
                       "static inline void clf_values_set(__local clf_value_stretches *s, uint i, clf_value v)\n{\n");
    for (cl_uint i = 0; i < value->count; ++i) {
        const bool new = region[i] >= op->input.count;
        clf_text_format(t, "    *clf_stretch_at_%u(s->%s%u, i, 0) = as_%s(v.%s);\n", value->field[i].bytes,
                        new ? "v" : "in.r", new ? i : region[i], clf_exchange_type(value->field[i].bytes),
                        value->field[i].name);
    }
    clf_text_format(t, "}\nstatic inline clf_value clf_values_get(__local clf_value_stretches *s, uint i)\n{\n"
                       "    clf_value v;\n");
    for (cl_uint i = 0; i < value->count; ++i) {
        char type[16];
        const bool new = region[i] >= op->input.count;
        clf_field_type_name(&value->field[i], type);
        clf_text_format(t, "    v.%s = as_%s(*clf_stretch_at_%u(s->%s%u, i, 0));\n", value->field[i].name, type,
                        value->field[i].bytes, new ? "v" : "in.r", new ? i : region[i]);
    }
    clf_text_format(t, "    return v;\n}\n");
}

/*
 * fetch_rows, or flush and flush_rows: `parameters` and `arguments` are those between pointer and
 * region.
 */
static void write_moves(clf_text *t, bool inputs, const char *name, const char *parameters, const char *arguments,
                        const clf_fields *fields, const cl_uint *region)
{
    const char *direction = inputs ? "in" : "out", *qualifier = inputs ? "const " : "";
    clf_text_format(t, "static inline void clf_stretches_%s(const clf_%sputs *%s, ulong first, %s, "
                       "__local clf_stretches *s)\n{\n", name, direction, direction, parameters);
    for (cl_uint i = 0; i < fields->count; ++i)
        clf_text_format(t, "    clf_stretch_%s_%u((__global %s%s *)(%s->%c%u + first), %s, s->r%u);\n", name,
                        fields->field[i].bytes, qualifier, clf_exchange_type(fields->field[i].bytes), direction,
                        inputs ? 'p' : 'e', i, arguments, inputs ? i : region[i]);
    clf_text_format(t, "}\n");
}

/* Loads of all arrays, then stores, in turns of 128 bytes per work-item. */
static void write_fetch(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "static inline void clf_stretches_fetch(const clf_inputs *in, ulong first, uint count, uint pad, "
                       "__local clf_stretches *s)\n{\n    CLF_UNROLL for (uint turn = 0; turn < CLF_FETCHES; ++turn) {\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "        __global const %s *const from%u = (__global const %s *)(in->p%u + first);\n"
                           "        clf_fetched_%u f%u;\n        clf_stretch_load_%u(from%u, count, turn, &f%u);\n",
                        clf_exchange_type(input->field[i].bytes), i, clf_exchange_type(input->field[i].bytes), i,
                        input->field[i].bytes, i, input->field[i].bytes, i, i);
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "        clf_stretch_store_%u(from%u, count, turn, pad, &f%u, s->r%u);\n", input->field[i].bytes, i,
                        i, i);
    clf_text_format(t, "    }\n}\n");
}

static void write_element_get(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "static inline clf_input clf_stretches_get(__local clf_stretches *s, uint i, uint pad)\n{\n"
                       "    clf_input x;\n");
    for (cl_uint i = 0; i < input->count; ++i) {
        char type[16];
        clf_field_type_name(&input->field[i], type);
        clf_text_format(t, "    x.%s = as_%s(*clf_stretch_at_%u(s->r%u, i, pad));\n", input->field[i].name, type,
                        input->field[i].bytes, i);
    }
    clf_text_format(t, "    return x;\n}\n");
}

/* All inputs of a whole stretch, on their way. */
static void write_lots(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "typedef struct {\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "    clf_lot_%u r%u;\n", input->field[i].bytes, i);
    clf_text_format(t, "%s} clf_lots;\n"
                       "static inline void clf_lots_load(const clf_inputs *in, ulong first, clf_lots *lots)\n{\n",
                    input->count ? "" : "    uchar none;\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "    clf_lot_load_%u((__global const %s *)(in->p%u + first), &lots->r%u);\n",
                        input->field[i].bytes, clf_exchange_type(input->field[i].bytes), i, i);
    clf_text_format(t, "}\nstatic inline void clf_lots_store(const clf_lots *lots, __local clf_stretches *s)\n{\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "    clf_lot_store_%u(&lots->r%u, s->r%u);\n", input->field[i].bytes, i, i);
    clf_text_format(t, "}\n");
}

/* A field of several elements, fetched by `name`, to x[…]. */
static void write_split(clf_text *t, const clf_field *field, const char *count, const char *name, const char *region,
                        const char *place, cl_uint i)
{
    char type[16];
    clf_field_type_name(field, type);
    clf_text_format(t, "    {\n        %s w[%s];\n        %s_%u(%s%u%s, w);\n"
                       "        CLF_UNROLL for (uint k = 0; k < %s; ++k)\n            x[k].%s = as_%s(w[k]);\n    }\n",
                    clf_exchange_type(field->bytes), count, name, field->bytes, region, i, place, count, field->name,
                    type);
}

static void write_pack_get(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "static inline void clf_stretches_pack(__local clf_stretches *s, uint i, uint pad, "
                       "clf_input x[CLF_PACK])\n{\n");
    for (cl_uint i = 0; i < input->count; ++i)
        write_split(t, &input->field[i], "CLF_PACK", "clf_stretch_pack", "s->r", ", i, pad", i);
    clf_text_format(t, "}\n");
}

static void write_readers(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "typedef struct {\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "    clf_reader_%u r%u;\n", input->field[i].bytes, i);
    clf_text_format(t, "%s} clf_reader;\n"
                       "static inline clf_reader clf_stretches_reader(__local clf_stretches *s, uint from, "
                       "uint pad)\n{\n    clf_reader r;\n", input->count ? "" : "    uchar none;\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "    r.r%u = clf_reader_at_%u(s->r%u, from, pad);\n", i, input->field[i].bytes, i);
    clf_text_format(t, "    return r;\n}\n"
                       "static inline void clf_reader_next(__local clf_stretches *s, clf_reader *r, uint pad, "
                       "clf_input x[CLF_PACK])\n{\n");
    for (cl_uint i = 0; i < input->count; ++i) {
        char arguments[48];
        snprintf(arguments, sizeof arguments, ", &r->r%u, pad", (unsigned)i);
        write_split(t, &input->field[i], "CLF_PACK", "clf_reader_next", "s->r", arguments, i);
    }
    clf_text_format(t, "}\n");
}

static void write_chunk_get(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "static inline void clf_stretches_chunk(__local clf_stretches *s, uint i, uint pad, "
                       "clf_input x[CLF_CHUNK])\n{\n");
    for (cl_uint i = 0; i < input->count; ++i)
        write_split(t, &input->field[i], "CLF_CHUNK", "clf_stretch_chunk", "s->r", ", i, pad", i);
    clf_text_format(t, "}\n");
}

static void write_run_get(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "static inline void clf_stretches_run(__local clf_stretches *s, clf_input x[CLF_ITEMS])\n{\n");
    for (cl_uint i = 0; i < input->count; ++i)
        write_split(t, &input->field[i], "CLF_ITEMS", "clf_stretch_run", "s->r", "", i);
    clf_text_format(t, "}\n");
}

static void write_element_set(clf_text *t, const clf_fields *extra, const cl_uint *region)
{
    clf_text_format(t, "static inline void clf_stretches_set(__local clf_stretches *s, uint i, uint pad, "
                       "clf_extra x)\n{\n");
    for (cl_uint e = 0; e < extra->count; ++e)
        clf_text_format(t, "    *clf_stretch_at_%u(s->r%u, i, pad) = as_%s(x.%s);\n", extra->field[e].bytes, region[e],
                        clf_exchange_type(extra->field[e].bytes), extra->field[e].name);
    clf_text_format(t, "}\n");
}

/* Chunks of all inputs to registers. The first array decides where vectors begin. */
static void write_loads(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "static inline clf_inputs clf_inputs_from(const clf_inputs *in, ulong first)\n{\n"
                       "    clf_inputs here = *in;\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "    here.p%u += first;\n", i);
    clf_text_format(t, "    return here;\n}\n"
                       "static inline uint clf_inputs_head(const clf_inputs *in, ulong first)\n{\n");
    if (input->count == 0)
        clf_text_format(t, "    return 0;\n}\n");
    else
        clf_text_format(t, "    return clf_packed_head_%u((__global const %s *)(in->p0 + first));\n}\n",
                        input->field[0].bytes, clf_exchange_type(input->field[0].bytes));
    clf_text_format(t, "static inline bool clf_inputs_aligned(const clf_inputs *in, ulong first)\n{\n    return true");
    for (cl_uint i = 1; i < input->count; ++i)
        clf_text_format(t, " && clf_packed_head_%u((__global const %s *)(in->p%u + first)) == 0",
                        input->field[i].bytes, clf_exchange_type(input->field[i].bytes), i);
    clf_text_format(t, ";\n}\ntypedef struct {\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "    clf_packed_%u r%u;\n", input->field[i].bytes, i);
    clf_text_format(t, "%s} clf_packed;\n"
                       "static inline void clf_packed_load(const clf_inputs *in, ulong first, bool aligned, "
                       "clf_packed *chunk)\n{\n", input->count ? "" : "    uchar none;\n");
    for (cl_uint i = 0; i < input->count; ++i)
        clf_text_format(t, "    clf_packed_load_%u((__global const %s *)(in->p%u + first), aligned, &chunk->r%u);\n",
                        input->field[i].bytes, clf_exchange_type(input->field[i].bytes), i, i);
    clf_text_format(t, "}\nstatic inline void clf_packed_split(const clf_packed *chunk, clf_input x[CLF_CHUNK])\n{\n");
    for (cl_uint i = 0; i < input->count; ++i)
        write_split(t, &input->field[i], "CLF_CHUNK", "clf_packed_split", "&chunk->r", "", i);
    clf_text_format(t, "}\n");
}

void clf_source_stretches(clf_text *t, const clf_operator_copy *op)
{
    places p = {.count = op->input.count};
    place(&op->input, &op->extra, &p, p.extra);
    place(&op->input, &op->value, &p, p.value);
    const cl_uint *region = p.extra;
    clf_text_format(t, "#include \"stretch.cl\"\n#if CLF_GROUP > 1\n"
                       "#define CLF_FETCHES ((CLF_ITEMS * %u + 127) / 128)\n", clf_fields_sum(&op->input) + !op->input.count);
    clf_source_templates(t, op, "stretch_template.cl");
    write_regions(t, op, region);
    write_fetch(t, &op->input);
    write_moves(t, true, "fetch_rows", "ulong pitch, uint rows, uint columns", "pitch, rows, columns", &op->input,
                region);
    write_moves(t, false, "flush", "uint count, uint pad", "count, pad", &op->extra, region);
    write_moves(t, false, "flush_rows", "ulong pitch, uint rows, uint columns", "pitch, rows, columns", &op->extra,
                region);
    write_lots(t, &op->input);
    write_element_get(t, &op->input);
    clf_text_format(t, "#if !CLF_PACK_WORDS\n");
    write_pack_get(t, &op->input);
    clf_text_format(t, "#else\n");
    write_readers(t, &op->input);
    clf_text_format(t, "#endif\n");
    write_chunk_get(t, &op->input);
    write_run_get(t, &op->input);
    write_element_set(t, &op->extra, region);
    write_values(t, op, p.value);
    write_loads(t, &op->input);
    clf_text_format(t, "#endif\n");
}
