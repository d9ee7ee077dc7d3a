/* SPDX-License-Identifier: MIT */
/*
 * source, the part of value.cl that moves tiles between global memory and their regions of local memory
 * (cl/tile.cl), and rows between regions and registers. Which output lies where in which round, slab.c says; own
 * regions of one round lie over those of the others.
 */
#include "internal.h"

static cl_uint output_count(const clf_operator_copy *op)
{
    return op->value.count + op->extra.count;
}

/* Value fields, then extra fields. */
static cl_uint output_bytes(const clf_operator_copy *op, cl_uint o)
{
    return clf_output_field(op, o)->bytes;
}

/* ---- Regions ------------------------------------------------------------------------------------------- */

/* "r1", or "own.t0.o3": output 3, staged in round 0. */
static void write_region(clf_text *t, const clf_slab_map *map, cl_uint o)
{
    if (map->region[o] == CLF_REGION_OWN)
        clf_text_format(t, "slab->own.t%u.o%u", map->round[o], o);
    else
        clf_text_format(t, "slab->r%u", map->region[o]);
}

/* The own regions of a round, in a struct; nothing if there are none. */
static void write_round(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map, cl_uint round)
{
    cl_uint count = 0;
    for (cl_uint o = 0; o < output_count(op); ++o)
        if (map->round[o] == round && map->region[o] == CLF_REGION_OWN)
            clf_text_format(t, "%sclf_region_%u o%u;", count++ ? " " : "        struct { ", output_bytes(op, o), o);
    if (count > 0)
        clf_text_format(t, " } t%u;\n", round);
}

static bool has_own(const clf_operator_copy *op, const clf_slab_map *map)
{
    bool own = false;
    for (cl_uint o = 0; o < output_count(op); ++o)
        own = own || map->region[o] == CLF_REGION_OWN;
    return own;
}

/* Has an input or an output elements of this size? */
static bool has_size(const clf_operator_copy *op, cl_uint bytes)
{
    bool has = false;
    for (cl_uint i = 0; i < op->input.count; ++i)
        has = has || op->input.field[i].bytes == bytes;
    for (cl_uint o = 0; o < output_count(op); ++o)
        has = has || output_bytes(op, o) == bytes;
    return has;
}

enum { LARGEST = 128 }; /* bytes of an element: 16 doubles */

void clf_source_templates(clf_text *t, const clf_operator_copy *op, const char *file)
{
    for (cl_uint bytes = 1; bytes <= LARGEST; bytes *= 2)
        if (has_size(op, bytes))
            clf_text_format(t, "#define CLF_X %u\n#define CLF_X_TYPE %s\n#include \"%s\"\n", bytes,
                            clf_exchange_type(bytes), file);
}

/* Which element sizes there are, the functions for them, and the regions. */
static void write_slab(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map)
{
    clf_text_format(t, "#if CLF_GROUP > 1\n");
    for (cl_uint bytes = 1; bytes <= LARGEST; bytes *= 2)
        if (has_size(op, bytes))
            clf_text_format(t, "#define CLF_NEED_%u\n", bytes);
    clf_text_format(t, "#endif\n" /* but templates, includes stand outside of conditions, which flattening does not see */
                       "#include \"tile.cl\"\n"
                       "#if CLF_GROUP > 1\n");
    clf_source_templates(t, op, "tile_template.cl");
    clf_text_format(t, "typedef struct {\n");
    for (cl_uint i = 0; i < op->input.count; ++i)
        clf_text_format(t, "    clf_region_%u r%u;\n", op->input.field[i].bytes, i);
    if (has_own(op, map)) {
        clf_text_format(t, "    union {\n");
        for (cl_uint round = 0; round < map->rounds; ++round)
            write_round(t, op, map, round);
        clf_text_format(t, "    } own;\n");
    }
    clf_text_format(t, "} clf_slab;\n");
}

/* ---- Between global memory and regions --------------------------------------------------------------- */

/* An array is "in->p0", "out->p1", "out->e0" … */
static void write_array(clf_text *t, const clf_operator_copy *op, bool input, cl_uint i)
{
    if (input || i < op->value.count)
        clf_text_format(t, "%s->p%u", input ? "in" : "out", i);
    else
        clf_text_format(t, "out->e%u", i - op->value.count);
}

static void write_move(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map, bool input, cl_uint i)
{
    const cl_uint bytes = input ? op->input.field[i].bytes : output_bytes(op, i);
    const char *qualifier = input ? "const " : "", *which = input ? "fetch" : "flush";
    const char *type = clf_exchange_type(bytes);
    clf_text_format(t, "    {\n        __global %s%s *const array = (__global %s%s *)(", qualifier, type, qualifier,
                    type);
    write_array(t, op, input, i);
    clf_text_format(t, " + first);\n        if (whole)\n            clf_%s_whole_%u(array, ", which, bytes);
    input ? clf_text_format(t, "slab->r%u", i) : write_region(t, map, i);
    clf_text_format(t, ");\n        else\n            clf_%s_part_%u(array, count, ", which, bytes);
    input ? clf_text_format(t, "slab->r%u", i) : write_region(t, map, i);
    clf_text_format(t, ");\n    }\n");
}

/*
 * Moves all inputs, or all outputs of a round, by whole vectors where all of them can, one array after the
 * other: all loads at once would take registers, and so occupancy. One condition for all arrays: PoCL's compile
 * time grows exponentially with one for each.
 */
static void write_moves(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map, bool input, cl_uint round)
{
    const cl_uint count = input ? op->input.count : output_count(op);
    clf_text_format(t, "{\n    size_t bits = 0;\n");
    for (cl_uint i = 0; i < count; ++i) {
        if (!input && map->round[i] != round)
            continue;
        clf_text_format(t, "    bits |= (size_t)(");
        write_array(t, op, input, i);
        clf_text_format(t, " + first);\n");
    }
    clf_text_format(t, "    const bool whole = count == CLF_TILE && (bits & 15) == 0;\n");
    for (cl_uint i = 0; i < count; ++i)
        if (input || map->round[i] == round)
            write_move(t, op, map, input, i);
    clf_text_format(t, "}\n");
}

/* "if (round == 2)" before a block; nothing where there is but one. */
static void write_condition(clf_text *t, const clf_slab_map *map, cl_uint round)
{
    if (map->rounds > 1)
        clf_text_format(t, "if (round == %u)\n", round);
}

static void write_flush(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map)
{
    clf_text_format(t, "static inline void clf_outputs_flush(const clf_outputs *out, ulong first, uint count, "
                       "__local clf_slab *slab, uint round)\n{\n");
    for (cl_uint round = 0; round < map->rounds; ++round) {
        write_condition(t, map, round);
        write_moves(t, op, map, false, round);
    }
    clf_text_format(t, "}\n");
}

static void write_fetch(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map)
{
    clf_text_format(t, "static inline void clf_inputs_fetch(const clf_inputs *in, ulong first, uint count, "
                       "__local clf_slab *slab)\n");
    write_moves(t, op, map, true, 0);
}

/* ---- Between regions and registers ------------------------------------------------------------------- */

static void write_get(clf_text *t, const clf_fields *input)
{
    clf_text_format(t, "static inline void clf_inputs_get(__local clf_slab *slab, uint j, "
                       "clf_input x[CLF_CHUNK])\n{\n");
    for (cl_uint i = 0; i < input->count; ++i) {
        const clf_field *field = &input->field[i];
        char type[16];
        clf_field_type_name(field, type);
        clf_text_format(t, "    {\n"
                           "        %s w[CLF_CHUNK];\n"
                           "        clf_row_get_%u(slab->r%u, j, w);\n"
                           "        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)\n"
                           "            x[k].%s = as_%s(w[k]);\n"
                           "    }\n",
                        clf_exchange_type(field->bytes), field->bytes, i, field->name, type);
    }
    clf_text_format(t, "}\n");
}

static void write_set_one(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map, cl_uint o)
{
    const clf_field *field = clf_output_field(op, o);
    const char *move = clf_exchange_type(field->bytes);
    write_condition(t, map, map->round[o]);
    clf_text_format(t, "    {\n"
                       "        %s w[CLF_CHUNK];\n"
                       "        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)\n"
                       "            w[k] = as_%s(%c[k].%s);\n"
                       "        clf_row_set_%u(",
                    move, move, o < op->value.count ? 'v' : 'x', field->name, field->bytes);
    write_region(t, map, o);
    clf_text_format(t, ", j, w);\n    }\n");
}

static void write_set(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map)
{
    clf_text_format(t, "static inline void clf_outputs_set(__local clf_slab *slab, uint j, "
                       "const clf_value v[CLF_CHUNK], const clf_extra x[CLF_CHUNK], uint round)\n{\n");
    for (cl_uint o = 0; o < output_count(op); ++o)
        write_set_one(t, op, map, o);
    clf_text_format(t, "}\n");
}

void clf_source_tiles(clf_text *t, const clf_operator_copy *op, cl_uint rounds)
{
    clf_slab_map map;
    (void)clf_slab_deal(op, rounds, &map);
    write_slab(t, op, &map);
    write_fetch(t, op, &map);
    write_get(t, &op->input);
    write_set(t, op, &map);
    write_flush(t, op, &map);
    clf_text_format(t, "#endif\n");
}
