/* SPDX-License-Identifier: MIT */
/*
 * source: the one source text of a program.
 *
 * The files of cl/ are flattened (flatten.c), with four files that are generated here, and nothing else is:
 *   value.cl      the tuple types, their arrays, load and store (this knows the arity, no algorithm does)
 *   wrapper.cl    what kernels call: clf_combine, clf_neutral and clf_map, declared
 *   entry.cl      the __kernel functions with flat arguments, in the order in which launch.c sets them
 *   operator.cl   the caller's source verbatim, and those three, which call its functions
 *
 * The caller's source comes last: so no macro of his reaches our text, and none of our names is in the way of his, but
 * for those that begin with clf_ or CLF_. What stands behind his source has only such names, and keywords.
 */
#include "internal.h"

#include <string.h>

/* ---- value.cl ---------------------------------------------------------------------------------------- */

static void write_struct(clf_text *t, const char *name, const clf_fields *fields)
{
    clf_text_format(t, "typedef struct {\n");
    for (cl_uint i = 0; i < fields->count; ++i) {
        char type[16];
        clf_field_type_name(&fields->field[i], type);
        clf_text_format(t, "    %s %s;\n", type, fields->field[i].name);
    }
    if (fields->count == 0)
        clf_text_format(t, "    uchar none;\n");
    clf_text_format(t, "} %s;\n", name);
}

/* One pointer per array: p0, p1 … for inputs or values, e0, e1 … for extra outputs. */
static void write_pointers(clf_text *t, const char *qualifier, char prefix, const clf_fields *fields)
{
    for (cl_uint i = 0; i < fields->count; ++i) {
        char type[16];
        clf_field_type_name(&fields->field[i], type);
        clf_text_format(t, "    __global %s%s *%c%u;\n", qualifier, type, prefix, i);
    }
}

/* What the map sees of captured arrays, by their names, and of the call. */
static void write_captured(clf_text *t, const clf_fields *captured)
{
    clf_text_format(t, "typedef struct {\n");
    for (cl_uint i = 0; i < captured->count; ++i) {
        char type[16];
        clf_field_type_name(&captured->field[i], type);
        clf_text_format(t, "    __global const %s *%s;\n", type, captured->field[i].name);
    }
    clf_text_format(t, "    ulong clf_size;\n} clf_captured;\n");
}

static void write_types(clf_text *t, const clf_operator_copy *op)
{
    write_struct(t, "clf_value", &op->value);
    if (op->own_input)
        write_struct(t, "clf_input", &op->input);
    else
        clf_text_format(t, "typedef clf_value clf_input;\n");
    write_struct(t, "clf_extra", &op->extra);
    if (op->captured.count > 0)
        write_captured(t, &op->captured);
    clf_text_format(t, "typedef struct {\n");
    write_pointers(t, "const ", 'p', &op->input);
    clf_text_format(t, "%s} clf_inputs;\ntypedef struct {\n", op->input.count ? "" : "    uchar none;\n");
    write_pointers(t, "", 'p', &op->value);
    write_pointers(t, "", 'e', &op->extra);
    clf_text_format(t, "} clf_outputs;\n"
                       "typedef struct {\n"
                       "    clf_inputs in;\n"
                       "    clf_outputs out;\n"
                       "    ulong count, size, bound;\n"
                       "    clf_value initial;\n"
                       "    __global uchar *scratch;\n"
                       "    uint epoch, ticket, flags;\n"
                       "    __global const uint *heads;\n"
                       "    __global ulong *counts;\n"
                       "%s} clf_arguments;\n"
                       "enum { CLF_ARG_INITIAL = %d, CLF_ARG_IN_PLACE = %d, CLF_ARG_STREAM = %d, "
                       "CLF_ARG_ALONE = %d, CLF_ARG_NEAR = %d, CLF_ARG_GIVEN_SIZE = %d, CLF_ARG_GIVEN_COUNT = %d, "
                       "CLF_ARG_GIVEN_INITIAL = %d };\n"
                       "#define CLF_HAS_EXTRA %d\n"
                       "#define CLF_COMMUTATIVE %d\n"
                       "#define CLF_VALUE_FIELDS %u\n",
                    op->captured.count ? "    clf_captured captured;\n" : "", CLF_ARG_INITIAL, CLF_ARG_IN_PLACE,
                    CLF_ARG_STREAM, CLF_ARG_ALONE, CLF_ARG_NEAR, CLF_ARG_GIVEN_SIZE, CLF_ARG_GIVEN_COUNT,
                    CLF_ARG_GIVEN_INITIAL, op->extra.count > 0,
                    (op->flags & CLF_COMMUTATIVE) != 0, op->value.count);
}

/* Element by element: for CPU kernels and fallbacks. */
static void write_element_access(clf_text *t, const clf_operator_copy *op)
{
    clf_text_format(t, "static inline clf_input clf_input_at(const clf_inputs *in, ulong i)\n{\n    clf_input x;\n");
    for (cl_uint i = 0; i < op->input.count; ++i)
        clf_text_format(t, "    x.%s = in->p%u[i];\n", op->input.field[i].name, i);
    clf_text_format(t, "    return x;\n}\n"
                       "static inline void clf_output_at(const clf_outputs *out, ulong i, clf_value v)\n{\n");
    for (cl_uint i = 0; i < op->value.count; ++i)
        clf_text_format(t, "    out->p%u[i] = v.%s;\n", i, op->value.field[i].name);
    clf_text_format(t, "}\n"
                       "static inline void clf_extra_at(const clf_outputs *out, ulong i, clf_extra x)\n{\n");
    for (cl_uint i = 0; i < op->extra.count; ++i)
        clf_text_format(t, "    out->e%u[i] = x.%s;\n", i, op->extra.field[i].name);
    clf_text_format(t, "}\n");
}

/* Parts of a 128-byte field go as two vectors of 16 words, all others as one vector of words. */
static void write_pack_field(clf_text *t, const clf_field *field, cl_uint at)
{
    const char *name = field->name;
    const cl_uint words = clf_field_words(field);
    if (field->bytes == 1)
        clf_text_format(t, "    w[%u] = as_uchar(v.%s);\n", at, name);
    else if (field->bytes == 2)
        clf_text_format(t, "    w[%u] = as_ushort(v.%s);\n", at, name);
    else if (words == 1)
        clf_text_format(t, "    w[%u] = as_uint(v.%s);\n", at, name);
    for (cl_uint k = 0; words > 1 && k < words; ++k)
        clf_text_format(t, "    w[%u] = as_uint%u(v.%s%s).s%x;\n", at + k, words > 16 ? 16 : words, name,
                        words <= 16 ? "" : k < 16 ? ".lo" : ".hi", k % 16);
}

static void write_vector_of_words(clf_text *t, cl_uint at, cl_uint words)
{
    clf_text_format(t, "(uint%u)(", words);
    for (cl_uint k = 0; k < words; ++k)
        clf_text_format(t, "%sw[%u]", k ? ", " : "", at + k);
    clf_text_format(t, ")");
}

static void write_unpack_field(clf_text *t, const clf_field *field, cl_uint at)
{
    char type[16];
    const cl_uint words = clf_field_words(field);
    clf_field_type_name(field, type);
    if (words <= 16) {
        clf_text_format(t, "    v.%s = as_%s(", field->name, type);
        if (field->bytes < 4)
            clf_text_format(t, "(%s)w[%u]", field->bytes == 1 ? "uchar" : "ushort", at);
        else if (words == 1)
            clf_text_format(t, "w[%u]", at);
        else
            write_vector_of_words(t, at, words);
        clf_text_format(t, ");\n");
        return;
    }
    const char *half_type = field->type == CLF_DOUBLE ? "double8" : field->type == CLF_LONG ? "long8" : "ulong8";
    for (cl_uint part = 0; part < 2; ++part) {
        clf_text_format(t, "    v.%s.%s = as_%s(", field->name, part ? "hi" : "lo", half_type);
        write_vector_of_words(t, at + 16 * part, 16);
        clf_text_format(t, ");\n");
    }
}

static void write_packing(clf_text *t, const clf_fields *value)
{
    clf_text_format(t, "#define CLF_VALUE_WORDS %u\n"
                       "static inline void clf_pack(clf_value v, uint w[CLF_VALUE_WORDS])\n{\n", clf_fields_words(value));
    for (cl_uint i = 0, at = 0; i < value->count; at += clf_field_words(&value->field[i++]))
        write_pack_field(t, &value->field[i], at);
    clf_text_format(t, "}\nstatic inline clf_value clf_unpack(const uint w[CLF_VALUE_WORDS])\n{\n    clf_value v;\n");
    for (cl_uint i = 0, at = 0; i < value->count; at += clf_field_words(&value->field[i++]))
        write_unpack_field(t, &value->field[i], at);
    clf_text_format(t, "    return v;\n}\n");
}

static void write_extensions(clf_text *t, const clf_operator_copy *op)
{
    const clf_fields *lists[] = {&op->input, &op->value, &op->extra, &op->captured};
    bool fp64 = false, fp16 = false;
    for (size_t l = 0; l < CLF_COUNT(lists); ++l) {
        fp64 = fp64 || clf_fields_use(lists[l], CLF_DOUBLE);
        fp16 = fp16 || clf_fields_use(lists[l], CLF_HALF);
    }
    if (fp64)
        clf_text_format(t, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (fp16)
        clf_text_format(t, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
}

static void write_value(clf_text *t, const clf_operator_copy *op, cl_uint rounds)
{
    clf_text_format(t, "#include \"base.cl\"\n");
    write_extensions(t, op);
    write_types(t, op);
    write_element_access(t, op);
    write_packing(t, &op->value);
    clf_source_tiles(t, op, rounds);
    clf_source_stretches(t, op);
    clf_source_results(t, op);
    clf_source_sides(t, op);
}

/* ---- wrapper.cl -------------------------------------------------------------------------------------- */

/*
 * Operands and results of the caller's function are copied field by field: NVIDIA's compiler (driver 580) loses fields
 * where it is inlined into a loop and chooses between whole structs of fields of several sizes, as in
 * `return x.full ? x : y;`. The copies cost nothing: fields are in registers.
 */
static void write_combine(clf_text *t, const clf_fields *value)
{
    clf_text_format(t, "static inline clf_value clf_value_copy(clf_value v)\n{\n    clf_value copy;\n");
    for (cl_uint i = 0; i < value->count; ++i)
        clf_text_format(t, "    copy.%s = v.%s;\n", value->field[i].name, value->field[i].name);
    clf_text_format(t, "    return copy;\n}\n"
                       "static inline clf_value clf_combine(clf_value a, clf_value b)\n{\n"
                       "    return clf_value_copy(clf_caller_combine(clf_value_copy(a), clf_value_copy(b)));\n}\n"
                       "static inline clf_value clf_neutral(void) { return clf_caller_neutral(); }\n");
}

static void write_map_at(clf_text *t, const clf_operator_copy *op)
{
    clf_text_format(t, "static inline clf_value clf_map_at(const clf_arguments *a, clf_input x, ulong index, "
                       "clf_extra *extra)\n{\n");
    if (op->map)
        clf_text_format(t, "    return clf_caller_map(x, index%s%s);\n}\n", op->captured.count ? ", &a->captured" : "",
                        op->extra.count ? ", extra" : "");
    else
        clf_text_format(t, "    return x;\n}\n");
}

/* "static inline clf_value clf_caller_combine(clf_value clf_a, clf_value clf_b)" */
static void write_head(clf_text *t, const clf_operator_copy *op, clf_function function)
{
    clf_text_format(t, "static inline clf_value clf_caller_%s", clf_function_name(function));
    clf_function_parameters(t, op, function, "");
}

static void write_wrapper(clf_text *t, const clf_operator_copy *op)
{
    clf_text_format(t, "#include \"value.cl\"\n%s", op->vector ? op->vector : "");
    for (int f = 0; f < CLF_FUNCTIONS; ++f) {
        if (clf_function_given(op, (clf_function)f)) {
            write_head(t, op, (clf_function)f);
            clf_text_format(t, ";\n");
        }
    }
    write_combine(t, &op->value);
    write_map_at(t, op);
    clf_text_format(t, "static inline clf_value clf_initial(const clf_arguments *a)\n{\n"
                       "    return a->flags & CLF_ARG_INITIAL ? a->initial : clf_neutral();\n}\n"
                       "static inline clf_value clf_value_at(const clf_arguments *a, ulong i)\n{\n"
                       "    clf_extra extra;\n"
                       "    return clf_map_at(a, clf_input_at(&a->in, i), i, &extra);\n}\n");
}

/* ---- operator.cl ------------------------------------------------------------------------------------- */

/*
 * The wrapper comes before the declaration: so a name that the source does not have is an error of the compiler's and
 * not of the linker's. Both speak of the field of clf_operator.
 */
static void write_function(clf_text *t, const clf_operator_copy *op, clf_function function)
{
    clf_text_format(t, "#line 1 \"clf_operator.%s\"\n", clf_function_name(function));
    write_head(t, op, function);
    clf_text_format(t, " { return %s", clf_function_given(op, function));
    clf_function_arguments(t, op, function);
    clf_text_format(t, "; }\n");
    clf_function_declare(t, op, function, "", false);
}

/* A brace that the source leaves open is an error in its own lines: no static function is declared within another. */
static void write_operator(clf_text *t, const clf_operator_copy *op)
{
    clf_text_append(t, op->source, strlen(op->source));
    clf_text_format(t, "\n");
    write_head(t, op, CLF_FUNCTION_NEUTRAL);
    clf_text_format(t, ";\n");
    for (int f = 0; f < CLF_FUNCTIONS; ++f)
        if (clf_function_given(op, (clf_function)f))
            write_function(t, op, (clf_function)f);
}

/* ---- entry.cl ---------------------------------------------------------------------------------------- */

static void write_array_parameters(clf_text *t, const char *qualifier, const char *name, const clf_fields *fields)
{
    for (cl_uint i = 0; i < fields->count; ++i) {
        char type[16];
        clf_field_type_name(&fields->field[i], type);
        clf_text_format(t, "    __global %s%s *%s%u, ulong %s%u_at,\n", qualifier, type, name, i, name, i);
    }
}

static void write_array_arguments(clf_text *t, const char *member, char prefix, const char *name,
                                  const clf_fields *fields)
{
    for (cl_uint i = 0; i < fields->count; ++i)
        clf_text_format(t, "    a.%s.%c%u = %s%u + %s%u_at;\n", member, prefix, i, name, i, name, i);
}

static void write_kernel(clf_text *t, const clf_operator_copy *op, const char *kernel)
{
    clf_text_format(t, "__kernel __attribute__((reqd_work_group_size(CLF_GROUP, 1, 1))) CLF_PIN_LANES void %s(\n",
                    kernel);
    write_array_parameters(t, "const ", "in", &op->input);
    write_array_parameters(t, "const ", "captured", &op->captured);
    write_array_parameters(t, "", "out", &op->value);
    write_array_parameters(t, "", "extra", &op->extra);
    clf_text_format(t, "    ulong count, ulong size,\n");
    for (cl_uint i = 0; i < op->value.count; ++i) {
        char type[16];
        clf_field_type_name(&op->value.field[i], type);
        clf_text_format(t, "    %s initial%u,\n", type, i);
    }
    clf_text_format(t, "    __global uchar *scratch, ulong scratch_at, uint epoch, uint ticket, uint flags,\n"
                       "    __global const uchar *given, ulong given_at\n"
                       "#if CLF_SEGMENT >= 2\n"
                       "    , __global const uint *heads, ulong heads_at\n"
                       "#endif\n"
                       "#if CLF_SEGMENT == 3\n"
                       "    , __global ulong *counts, ulong counts_at\n"
                       "#endif\n"
                       "    )\n{\n"
                       "    __local %s_storage storage;\n"
                       "    clf_arguments a;\n", kernel);
    write_array_arguments(t, "in", 'p', "in", &op->input);
    for (cl_uint i = 0; i < op->captured.count; ++i)
        clf_text_format(t, "    a.captured.%s = captured%u + captured%u_at;\n", op->captured.field[i].name, i, i);
    write_array_arguments(t, "out", 'p', "out", &op->value);
    write_array_arguments(t, "out", 'e', "extra", &op->extra);
    for (cl_uint i = 0; i < op->value.count; ++i)
        clf_text_format(t, "    a.initial.%s = initial%u;\n", op->value.field[i].name, i);
    clf_text_format(t, "    a.count = count;\n"
                       "    a.size = CLF_SIZE ? CLF_SIZE : size;\n"
                       "    a.scratch = scratch + scratch_at;\n"
                       "    a.epoch = epoch;\n"
                       "    a.ticket = ticket;\n"
                       "    a.flags = flags;\n"
                       "#if CLF_SEGMENT >= 2\n"
                       "    a.heads = heads + heads_at;\n"
                       "#endif\n"
                       "#if CLF_SEGMENT == 3\n"
                       "    a.counts = counts + counts_at;\n"
                       "#endif\n"
                       "    clf_given_take(&a, given + given_at);\n"
                       "%s"
                       "    %s_body(&a, &storage);\n}\n", op->captured.count ? "    a.captured.clf_size = a.size;\n" : "", kernel);
}

static void write_entry(clf_text *t, const clf_operator_copy *op, const char *file, const char *const *kernels)
{
    clf_text_format(t, "#include \"given.cl\"\n#include \"%s\"\n", file);
    for (; *kernels; ++kernels)
        write_kernel(t, op, *kernels);
    clf_text_format(t, "#include \"operator.cl\"\n");
}

clf_status clf_source_write(clf_text *text, const clf_operator_copy *op, cl_uint rounds, const char *file,
                            const char *const *kernels)
{
    if (!op->source)
        return clf_flatten(text, file, NULL);
    clf_generated files[] = {{.name = "value.cl"}, {.name = "wrapper.cl"}, {.name = "entry.cl"}, {.name = "operator.cl"},
                             {.name = NULL}};
    write_value(&files[0].text, op, rounds);
    write_wrapper(&files[1].text, op);
    write_entry(&files[2].text, op, file, kernels);
    write_operator(&files[3].text, op);
    bool failed = false;
    for (const clf_generated *g = files; g->name; ++g)
        failed = failed || g->text.failed;
    const clf_status status = failed ? CLF_E_NO_MEMORY : clf_flatten(text, "entry.cl", files);
    for (clf_generated *g = files; g->name; ++g)
        clf_text_free(&g->text);
    return status;
}
