/* SPDX-License-Identifier: MIT */
/*
 * fields: what a program is told of its operator: lists of fields and where these lie, for the macros of
 * cl/memory/value.cl, cl/memory/tile_fields.cl and cl/memory/stretch_fields.cl, which say what a list is. Nothing in
 * here is code that runs.
 */
#include "program/program.h"

/* ---- fields.cl ----------------------------------------------------------------------------------------- */

static void write_fields(clf_text *t, const clf_fields *fields, cl_uint some /* a bit for each */)
{
    for (cl_uint i = 0; i < fields->count; ++i) {
        const clf_listed l = clf_field_listed(&fields->field[i]);
        if (some >> i & 1)
            clf_text_format(t, " \\\n    CLF_F(%u, %s, %s, %s, %s)", i, l.type, l.move, l.bytes, l.name);
    }
    clf_text_format(t, "\n");
}

/* CLF_INPUT_COUNT, CLF_INPUT_FIELDS(F); CLF_INPUT_NONE: what structs have without members, or with gaps (base.cl). */
static void write_list_or(clf_text *t, const char *list, const clf_fields *fields, const char *none)
{
    clf_text_format(t, "#define CLF_%s_COUNT %u\n#define CLF_%s_NONE%s\n#define CLF_%s_FIELDS(CLF_F)", list,
                    fields->count, list, none, list);
    write_fields(t, fields, ~0u);
}

static void write_list(clf_text *t, const char *list, const clf_fields *fields)
{
    const bool moves = fields->bytes == 4 || fields->bytes == 8, gap = clf_fields_sum(fields) < fields->bytes;
    write_list_or(t, list, fields, !fields->count ? " uint none;" : moves && gap ? " CLF_SPARE" : "");
}

/* Elements that no array has are a segment's number, and a place in it. */
static void write_input(clf_text *t, const clf_operator_copy *op)
{
    if (op->called == CLF_FUNCTION_MAP)
        write_list_or(t, "INPUT", &op->input, " ulong segment, place;");
    else
        write_list(t, "INPUT", &op->input);
}

/* Fields of the value as the program has them: extremes may be codes. */
static clf_fields value_of(const clf_operator_copy *op)
{
    clf_fields value = op->value;
    for (cl_uint f = 0; clf_extremes_are_coded(op) && f < value.count; ++f)
        if ((op->extremes.minima | op->extremes.maxima) >> f & 1)
            value.field[f] = clf_extremes_code(&op->value.field[f]);
    return value;
}

/* Some fields of the value, a bit for each: CLF_MINIMA(F). Bits are those of a scalar: F(0, float4, 32, x). */
static void write_some(clf_text *t, const char *list, const clf_fields *value, cl_uint some)
{
    clf_text_format(t, "#define CLF_%s(CLF_F)", list);
    for (cl_uint f = 0; f < value->count; ++f) {
        const clf_listed l = clf_field_listed(&value->field[f]);
        if (some >> f & 1)
            clf_text_format(t, " CLF_F(%u, %s, %u, %s)", f, l.type, (unsigned)(8 * clf_type_size(value->field[f].type)),
                            l.name);
    }
    clf_text_format(t, "\n");
}

/* Which fields of the value are minima and maxima of floating types, and how the program has them. */
static void write_extremes(clf_text *t, const clf_operator_copy *op, const clf_fields *value)
{
    const clf_extremes e = op->extremes;
    clf_text_format(t, "#define CLF_EXTREMES %d\n#define CLF_CODED %d\n", (e.minima | e.maxima) != 0,
                    clf_extremes_are_coded(op));
    write_some(t, "MINIMA", value, e.minima);
    write_some(t, "MAXIMA", value, e.maxima);
    write_some(t, "OTHERS", value, ~(e.minima | e.maxima));
    if (clf_extremes_are_coded(op))
        write_list(t, "BARE", &op->value);
}

/*
 * CLF_FINISH: 0 none, 1 of sums, 2 of the steps of a scan, for `place` and results that nobody wants, too; and the
 * fields of what is written. Where these are fields of values, in their places, there is CLF_PARTLY, too.
 */
static void write_finish(clf_text *t, const clf_operator_copy *op, const clf_fields *value)
{
    const bool any = clf_operator_ends(op), steps = op->called & CLF_FUNCTION_STEPS;
    clf_text_format(t, "#define CLF_FINISH %d\n#define CLF_PLACING %d\n", any + (any && steps), op->place != NULL);
    if (any && !clf_operator_makes(op))
        clf_text_format(t, "#define CLF_PARTLY\n");
    if (op->place)
        clf_text_format(t, "enum { CLF_ARG_COUNTED = %d, CLF_ARG_LAST = %d };\n", CLF_ARG_COUNTED, CLF_ARG_LAST);
    write_list(t, "RESULT", op->finish || op->wanted ? clf_operator_results(op) : value);
}

/* Functions of elements may get their segments (CLF_NUMBERED): by heads, which are counted, and the segment of each. */
static void write_segment(clf_text *t, const clf_operator_copy *op)
{
    const bool any = op->numbers != CLF_NO_NUMBERS, heads = op->numbers >= CLF_NUMBERS_OF_HEADS;
    clf_text_format(
        t, "%s#define CLF_HEAD_OF(a, i) %s\n#define CLF_SEGMENT_OF(a, h) %s\n#define CLF_NUMBERED(text)%s\n",
        heads ? "#include \"segments/head_number.cl\"\n" : "",
        heads ? "clf_head_number((a)->heads, (a)->before, CLF_INDEX_OF(a, i))" : "((CLF_INDEX_OF(a, i)) / (a)->size)",
        op->numbers == CLF_NUMBERS_BY_NAMES ? "(a)->names[h]" : "(h)", any ? " text" : "");
    clf_text_format(t, "#define CLF_NUMBERED_PARAMETER%s\n#define CLF_NUMBERED_SEGMENT%s\n",
                    any ? " , ulong segment" : "", any ? " , segment" : "");
    clf_text_format(t, "#define CLF_NUMBERED_BY(n)%s\n#define CLF_NUMBERED_AT(a, i)%s\n", any ? " , (n).segment" : "",
                    any ? " , CLF_SEGMENT_OF(a, CLF_HEAD_OF(a, i))" : "");
}

/*
 * Captured arrays for `combine`, if it reads any: then functions that combine have the kernel's arguments, `a`. Those
 * that had them not already get them as their last parameter, or from a struct.
 */
static void write_combine(clf_text *t, bool captures)
{
    clf_text_format(t,
                    "#define CLF_COMBINE_PARAMETER%s\n#define CLF_COMBINE_A%s\n#define CLF_COMBINE_CAPTURED%s\n"
                    "#define CLF_COMBINE_FROM(arguments)%s\n",
                    captures ? " , const clf_arguments *a" : "", captures ? " , a" : "",
                    captures ? " , &a->captured" : "", captures ? " const clf_arguments *const a = arguments;" : "");
}

static void write_extensions(clf_text *t, const clf_operator_copy *op)
{
    const clf_fields *lists[] = {&op->input, &op->value, &op->extra, &op->captured, &op->result};
    bool fp64 = op->key_type == CLF_DOUBLE, fp16 = op->key_type == CLF_HALF, bf16 = op->key_type == CLF_BFLOAT16;
    for (size_t l = 0; l < CLF_COUNT(lists); ++l) {
        fp64 = fp64 || clf_fields_use(lists[l], CLF_DOUBLE);
        fp16 = fp16 || clf_fields_use(lists[l], CLF_HALF);
        bf16 = bf16 || clf_fields_use(lists[l], CLF_BFLOAT16);
    }
    if (fp64)
        clf_text_format(t, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (fp16)
        clf_text_format(t, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    if (bf16)
        clf_text_format(t, "#include \"device/bfloat16.cl\"\n");
}

static cl_uint staged_count(const clf_operator_copy *op)
{
    return clf_operator_staged(op)->count + op->extra.count;
}

/* Does the output lie in the region of an input with wider elements? */
static bool is_narrowed(const clf_operator_copy *op, const clf_slab_map *map, cl_uint o)
{
    const cl_uint region = map->region[o];
    return region != CLF_REGION_OWN && clf_slab_narrows(op, &op->input.field[region], clf_staged_field(op, o));
}

/* An output, by the values v or the extra outputs x it is of, its array, and its region of a tile. */
static void write_output(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map, cl_uint o)
{
    const clf_listed l = clf_field_listed(clf_staged_field(op, o));
    const cl_uint results = clf_operator_staged(op)->count;
    const bool is_value = o < results;
    clf_text_format(t, " CLF_F(%s, %s", l.move, l.bytes);
    if (is_narrowed(op, map, o))
        clf_text_format(t, "in%u", op->input.field[map->region[o]].bytes);
    clf_text_format(t, ", %c, %s, %c%u, ", is_value ? 'v' : 'x', l.name, is_value ? 'p' : 'e',
                    is_value ? o : o - results);
    if (map->region[o] == CLF_REGION_OWN)
        clf_text_format(t, "own.t%u.o%u)", map->round[o], o);
    else
        clf_text_format(t, "r%u)", map->region[o]);
}

static bool is_own(const clf_slab_map *map, cl_uint o, cl_uint round)
{
    return map->round[o] == round && map->region[o] == CLF_REGION_OWN;
}

/* The outputs of a round, CLF_ROUND_1(F), and their own regions, CLF_OWN_1(F). Returns the number of these. */
static cl_uint write_round(clf_text *t, const clf_operator_copy *op, const clf_slab_map *map, cl_uint round)
{
    cl_uint own = 0;
    clf_text_format(t, "#define CLF_ROUND_%u(CLF_F)", round);
    for (cl_uint o = 0; o < staged_count(op); ++o)
        if (map->round[o] == round)
            write_output(t, op, map, o);
    clf_text_format(t, "\n#define CLF_OWN_%u(CLF_F)", round);
    for (cl_uint o = 0; o < staged_count(op); ++o) {
        if (is_own(map, o, round)) {
            clf_text_format(t, " CLF_F(o%u, %s)", o, clf_field_listed(clf_staged_field(op, o)).bytes);
            ++own;
        }
    }
    clf_text_format(t, "\n");
    return own;
}

/* And the lists of rounds, CLF_EACH_ROUND(F), and of those with own regions, CLF_OWN_ROUNDS(F), if there are any. */
static void write_rounds(clf_text *t, const clf_operator_copy *op, cl_uint rounds)
{
    clf_slab_map map;
    cl_uint own[2 * CLF_MAX_FIELDS], all = 0;
    (void)clf_slab_deal(op, rounds, &map);
    for (cl_uint round = 0; round < map.rounds; ++round)
        all += own[round] = write_round(t, op, &map, round);
    clf_text_format(t, "#define CLF_EACH_ROUND(CLF_F)");
    for (cl_uint round = 0; round < map.rounds; ++round)
        clf_text_format(t, " CLF_F(%u)", round);
    clf_text_format(t, "\n");
    if (all == 0)
        return;
    clf_text_format(t, "#define CLF_OWN_ROUNDS(CLF_F)");
    for (cl_uint round = 0; round < map.rounds; ++round)
        if (own[round])
            clf_text_format(t, " CLF_F(%u)", round);
    clf_text_format(t, "\n");
}

/*
 * Where fields lie in stretches, CLF_EXTRA_PLACE_0 …: in the place of an input of the same element size that no other
 * field has taken, or of their own; and a list of the latter, CLF_EXTRA_OWN(F).
 */
static void write_places(clf_text *t, const char *list, const char *inputs, char own, const clf_fields *input,
                         const clf_fields *fields, bool taken[CLF_MAX_FIELDS])
{
    bool is_own[CLF_MAX_FIELDS];
    for (cl_uint i = 0; i < fields->count; ++i) {
        cl_uint r = 0;
        while (r < input->count && (taken[r] || !clf_fields_alike(&input->field[r], &fields->field[i])))
            ++r;
        is_own[i] = r == input->count;
        if (is_own[i]) {
            clf_text_format(t, "#define CLF_%s_PLACE_%u %c%u\n", list, i, own, i);
        } else {
            clf_text_format(t, "#define CLF_%s_PLACE_%u %s%u\n", list, i, inputs, r);
            taken[r] = true;
        }
    }
    clf_text_format(t, "#define CLF_%s_OWN(CLF_F)", list);
    for (cl_uint i = 0; i < fields->count; ++i)
        if (is_own[i])
            clf_text_format(t, " CLF_F(%c%u, %s)", own, i, clf_field_listed(&fields->field[i]).bytes);
    clf_text_format(t, "\n");
}

/* ---- Fields that are arrays ----------------------------------------------------------------------------- */

/* Field i of all that functions see as members of structs; NULL: there is none. */
static const clf_field *field_of(const clf_operator_copy *op, cl_uint i)
{
    const clf_fields *const lists[] = {&op->input, &op->value, &op->extra, &op->result};
    for (size_t l = 0; l < CLF_COUNT(lists); i -= lists[l++]->count)
        if (i < lists[l]->count)
            return &lists[l]->field[i];
    return NULL;
}

/* Is field i an array, and none before it moves alike? */
static bool is_new_array(const clf_operator_copy *op, cl_uint i)
{
    bool is = field_of(op, i)->is_array;
    for (cl_uint before = 0; before < i; ++before)
        is = is && !clf_fields_alike(field_of(op, before), field_of(op, i));
    return is;
}

static void write_array_type(clf_text *t, const clf_field *field)
{
    const clf_listed l = clf_field_listed(field);
    const cl_uint each = clf_field_alignment(field);
    clf_text_format(t,
                    "#define CLF_X_TYPE %s\n#define CLF_X_OF %s\n#define CLF_X %u\n#define CLF_X_NUMBER %u\n"
                    "#include \"memory/array_template.cl\"\n"
                    "#define as_%s(x) clf_copy_of_%s(x)\n"
                    "#define CLF_TO_WORDS_%s(w, x) clf_words_of_%s(x, w)\n"
                    "#define CLF_FROM_WORDS_%s(w) clf_words_to_%s(w)\n"
                    "#define CLF_COMPRESS_%s CLF_COMPRESS_SINGLY\n"
                    "#define CLF_PUT_%s clf_put_of_%s\n"
                    "#define CLF_MOVE_%s(f) CLF_MOVE_WHOLE(f, %s, %s)\n",
                    l.type, clf_exchange_type(each), (unsigned)each, (unsigned)field->width, l.type, l.type, l.bytes,
                    l.type, l.bytes, l.type, l.bytes, l.bytes, l.type, l.bytes, l.bytes, l.type);
}

/* The types, whether there are any, and how members of structs are declared: CLF_MEMBER_OF_name, for all lists. */
static void write_array_types(clf_text *t, const clf_operator_copy *op)
{
    const clf_field *field;
    bool any = false;
    for (cl_uint i = 0; field_of(op, i); ++i) {
        if (is_new_array(op, i))
            write_array_type(t, field_of(op, i));
        any = any || field_of(op, i)->is_array;
    }
    clf_text_format(t, "#define CLF_ARRAYS %d\n", any);
    for (cl_uint i = 0; any && (field = field_of(op, i)); ++i) {
        clf_text_format(t, "#define CLF_MEMBER_OF_%s(CLF_T)", clf_field_listed(field).name);
        if (field->is_array)
            clf_field_declare(t, field);
        else
            clf_text_format(t, " CLF_T %s;", field->name);
        clf_text_format(t, "\n");
    }
}

/* ---- All ----------------------------------------------------------------------------------------------- */

void clf_fields_write(clf_text *t, const clf_operator_copy *op, cl_uint rounds)
{
    bool taken[CLF_MAX_FIELDS] = {false};
    const clf_fields value = value_of(op);
    write_extensions(t, op);
    write_array_types(t, op);
    write_input(t, op);
    write_list(t, "VALUE", &value);
    clf_text_format(
        t, "#define CLF_CARRIED_DECLARED()%s\n#define CLF_CARRIED_REST%s\n#define CLF_CARRIED_FIELDS(CLF_F)",
        op->carried ? " static inline clf_value clf_neutral(void);" : "", op->carried ? " = clf_neutral()" : "");
    write_fields(t, &value, op->carried ? op->carried : ~0u);
    write_extremes(t, op, &value);
    write_list(t, "EXTRA", &op->extra);
    write_list(t, "CAPTURED", &op->captured);
    if (clf_key_captures(op) || (op->less && op->captured.count))
        clf_text_format(t, "#define CLF_LESS_CAPTURES\n");
    write_combine(t, clf_combine_captures(op));
    write_finish(t, op, &value);
    write_segment(t, op);
    write_rounds(t, op, rounds);
    write_places(t, "EXTRA", "r", 'e', &op->input, &op->extra, taken);
    write_places(t, "VALUE", "in.r", 'v', &op->input, &op->value, taken);
    clf_text_format(t,
                    "#define CLF_OWN_INPUT %d\n#define CLF_MAPPED %d\n#define CLF_COMMUTATIVE %d\n"
                    "#define CLF_REVERSED %d\n#define CLF_NARROWEST %u\n"
                    "#define CLF_IN_SETS %u\n#define CLF_OUT_SETS %u\n"
                    "enum { CLF_ARG_INITIAL = %d, CLF_ARG_IN_PLACE = %d, CLF_ARG_STREAM = %d, "
                    "CLF_ARG_ALONE = %d, CLF_ARG_NEAR = %d, CLF_ARG_GIVEN_SIZE = %d, CLF_ARG_GIVEN_COUNT = %d, "
                    "CLF_ARG_GIVEN_INITIAL = %d };\n",
                    op->own_input, op->map != NULL, (op->flags & CLF_COMMUTATIVE) != 0, op->reversed,
                    clf_smallest_field(op), op->in_sets, op->out_sets, CLF_ARG_INITIAL, CLF_ARG_IN_PLACE,
                    CLF_ARG_STREAM, CLF_ARG_ALONE, CLF_ARG_NEAR, CLF_ARG_GIVEN_SIZE, CLF_ARG_GIVEN_COUNT,
                    CLF_ARG_GIVEN_INITIAL);
}

/* ---- vector_sizes.cl, tile_sizes.cl, stretch_sizes.cl --------------------------------------------------- */

/* Has an input, an output or a value elements of this size that are no arrays? */
static bool has_size(const clf_operator_copy *op, cl_uint bytes)
{
    const clf_field like = {.bytes = bytes};
    bool has = false;
    for (cl_uint i = 0; i < op->input.count; ++i)
        has = has || clf_fields_alike(&op->input.field[i], &like);
    for (cl_uint o = 0; o < staged_count(op); ++o)
        has = has || clf_fields_alike(clf_staged_field(op, o), &like);
    for (cl_uint v = 0; v < op->value.count; ++v)
        has = has || clf_fields_alike(&op->value.field[v], &like);
    for (cl_uint r = 0; r < clf_operator_results(op)->count; ++r)
        has = has || clf_fields_alike(&clf_operator_results(op)->field[r], &like);
    return has;
}

static void write_array_sizes(clf_text *t, const clf_operator_copy *op, const char *file)
{
    for (cl_uint i = 0; field_of(op, i); ++i)
        if (is_new_array(op, i)) {
            const clf_listed l = clf_field_listed(field_of(op, i));
            clf_text_format(t,
                            "#undef CLF_X_ARRAY\n#define CLF_X_ARRAY 1\n#define CLF_X %s\n#define CLF_X_TYPE %s\n"
                            "#include \"%s\"\n#undef CLF_X_ARRAY\n#define CLF_X_ARRAY 0\n",
                            l.bytes, l.type, file);
        }
}

enum { LARGEST = 128 }; /* bytes of an element: 16 doubles */

void clf_sizes_write(clf_text *t, const clf_operator_copy *op, const char *file)
{
    for (cl_uint bytes = 1; bytes <= LARGEST; bytes *= 2)
        if (has_size(op, bytes))
            clf_text_format(t, "#define CLF_X %u\n#define CLF_X_TYPE %s\n#include \"%s\"\n", bytes,
                            clf_exchange_type(bytes), file);
    write_array_sizes(t, op, file);
}

static bool has_narrowed(const clf_operator_copy *op, const clf_slab_map *map, cl_uint bytes, cl_uint wide)
{
    for (cl_uint o = 0; o < staged_count(op); ++o)
        if (is_narrowed(op, map, o) && clf_staged_field(op, o)->bytes == bytes &&
            op->input.field[map->region[o]].bytes == wide)
            return true;
    return false;
}

void clf_narrow_write(clf_text *t, const clf_operator_copy *op, cl_uint rounds)
{
    clf_slab_map map;
    (void)clf_slab_deal(op, rounds, &map);
    for (cl_uint b = 1; b <= 4; b *= 2)
        for (cl_uint wide = 2 * b; wide <= 8; wide *= 2)
            if (has_narrowed(op, &map, b, wide))
                clf_text_format(t,
                                "#define CLF_X %uin%u\n#define CLF_T %u\n#define CLF_T_TYPE %s\n#define CLF_S %u\n"
                                "#define CLF_S_TYPE %s\n#include \"memory/tile_narrow_template.cl\"\n"
                                "#define CLF_PUT_%uin%u CLF_PUT_WHOLE\n",
                                b, wide, b, clf_exchange_type(b), wide, clf_exchange_type(wide), b, wide);
}
