/* SPDX-License-Identifier: MIT */
/*
 * laws: an operator's functions called on the device, to see whether they obey the laws (cl/laws/laws.cl).
 *
 * For each law one launch finds the least sum of numbers of values among the broken cases. If there is any, a second
 * one finds the least case that has it, and a third one writes its operands and both sides.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: the one that every version has */
#include "explore/laws.h"

#include <stdlib.h>
#include <string.h>

enum { MAKE, FIND, SHOW, KERNELS };
static const char *const kernel_names[] = {"clf_laws_make", "clf_laws_find", "clf_laws_show", NULL};
static const clf_named_array least_array[] = {{"uint", "least"}, {NULL, NULL}};
static const char *const numbers[] = {"law", "level", NULL};
enum { ANY = 0x7fffffff, GROUP = 64, MOST_GROUPS = 4096 };

typedef struct trial {
    clf_context *context;
    clf_operator_copy op;
    clf_candidates candidates;
    clf_laws *result;
    cl_program program;
    clf_kernel_pool kernels[KERNELS];
    cl_command_queue queue;
    clf_check check;
    clf_chain chain;
    clf_arguments arguments;
    clf_array in[2 * CLF_MAX_FIELDS], out[2 * CLF_MAX_FIELDS];
    unsigned char *shown[CLF_MAX_FIELDS]; /* CLF_SHOWN values */
} trial;

/* ---- The program --------------------------------------------------------------------------------------- */

/* F(type, scalar, width, tolerance, name) of the fields that are floating-point numbers, or are not. */
static void write_fields(clf_text *t, const clf_fields *value, const char *list, bool real)
{
    clf_text_format(t, "\n#define CLF_LAWS_%s(CLF_F)", list);
    for (cl_uint f = 0; f < value->count; ++f) {
        const clf_field *const field = &value->field[f];
        char type[16];
        clf_field_type_name(field, type);
        if (clf_type_is_real(field->type) == real)
            clf_text_format(t, " CLF_F(%s, %s, %u, 0x1p-%df, %s)", type, clf_type_name(field->type), field->width,
                            field->type == CLF_HALF ? 5 : field->type == CLF_FLOAT ? 12 : 26, field->name);
    }
}

static void write_laws(clf_text *t, const clf_operator_copy *op)
{
    static const struct {
        clf_law law;
        const char *name;
    } all[] = {{CLF_LAW_PURE, "PURE"}, {CLF_LAW_NEUTRAL_LEFT, "NEUTRAL_LEFT"}, {CLF_LAW_NEUTRAL_RIGHT, "NEUTRAL_RIGHT"},
               {CLF_LAW_ASSOCIATIVE, "ASSOCIATIVE"}, {CLF_LAW_COMMUTATIVE, "COMMUTATIVE"}};
    for (size_t i = 0; i < CLF_COUNT(all); ++i)
        clf_text_format(t, "#define CLF_LAW_%s %du\n", all[i].name, (int)all[i].law);
    clf_text_format(t, "#define CLF_LAWS_ANY %du\n#define clf_laws_real %s", (int)ANY,
                    clf_fields_use(&op->value, CLF_DOUBLE) ? "double" : "float");
    write_fields(t, &op->value, "INTEGERS", false);
    write_fields(t, &op->value, "REALS", true);
    clf_text_format(t, "\n");
}

const clf_entry clf_laws_entry = {"laws/laws.cl", kernel_names, least_array, numbers, write_laws};

static size_t group_of(const clf_facts *facts)
{
    return facts->max_group < GROUP ? 1 : GROUP;
}

static clf_status compile(trial *t, clf_error *error)
{
    const clf_facts *const facts = &t->context->facts;
    clf_text source = {0}, options = {0};
    clf_status status = clf_source_write(&source, &t->op, 1, &clf_laws_entry);
    clf_text_format(&options, "%s -D CLF_CPU=%d -D CLF_ATOMICS=0 -D CLF_LANES=0 -D CLF_LANE_WIDTH=1 -D CLF_GROUP=%u",
                    facts->std, facts->is_cpu, (unsigned)group_of(facts));
    clf_facts_avoid_bugs(facts, &options);
    if (facts->is_pocl && clf_source_prints(t->op.source))
        clf_text_format(&options, " -cl-opt-disable");
    if (status == CLF_SUCCESS && options.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS)
        status = clf_compile(&t->context->compiler, source.data, options.data, false, &t->program, error);
    else
        clf_fail(error, status, "the program that tries laws could not be written");
    if (status == CLF_E_OPERATOR)
        status = clf_function_blame(&t->op, status, error);
    clf_text_free(&source);
    clf_text_free(&options);
    for (size_t k = 0; k < KERNELS; ++k)
        t->kernels[k] = (clf_kernel_pool){.program = t->program, .name = kernel_names[k]};
    return status;
}

/* ---- Arrays -------------------------------------------------------------------------------------------- */

static clf_status open_array(const trial *t, cl_uint count, cl_uint bytes, clf_array *array)
{
    clf_status status;
    array->buffer = clCreateBuffer(t->context->cl, CL_MEM_READ_WRITE, (size_t)count * bytes, NULL, &status);
    return status;
}

/* Elements are inputs or, where the map is not called, the first values. */
static clf_status open_arrays(trial *t)
{
    const clf_candidates *const c = &t->candidates;
    for (cl_uint f = 0; f < t->op.value.count; ++f) {
        const cl_uint bytes = t->op.value.field[f].bytes;
        t->shown[f] = malloc((size_t)CLF_SHOWN * bytes);
        if (!t->shown[f])
            return CLF_E_NO_MEMORY;
        CLF_TRY(open_array(t, c->values + CLF_SHOWN, bytes, &t->out[f]));
    }
    for (cl_uint f = 0; f < c->fields->count; ++f) {
        const cl_uint bytes = c->fields->field[f].bytes;
        if (c->maps)
            CLF_TRY(open_array(t, c->elements, bytes, &t->in[f]));
        CLF_TRY(clEnqueueWriteBuffer(t->queue, (c->maps ? t->in : t->out)[f].buffer, CL_TRUE, 0,
                                     (size_t)c->elements * bytes, c->data[f], 0, NULL, NULL));
    }
    return open_array(t, 1, sizeof(cl_uint), &t->arguments.arrays[0]);
}

static clf_status open_queue(trial *t)
{
    clf_status status;
    t->queue = clCreateCommandQueue(t->context->cl, t->context->device, 0, &status);
    if (!t->queue)
        return status;
    t->check = (clf_check){.context = t->context, .call = "clf_operator_check"};
    t->arguments = (clf_arguments){.op = &t->op, .in = t->in, .out = t->out, .array_count = 1, .number_count = 2};
    CLF_TRY(clf_chain_begin(&t->chain, &t->check, &(clf_call){.size = sizeof(clf_call), .queue = t->queue}));
    return open_arrays(t);
}

static void close_trial(trial *t)
{
    if (t->queue)
        clFinish(t->queue);
    for (size_t i = 0; i < CLF_COUNT(t->in); ++i) {
        if (t->in[i].buffer)
            clReleaseMemObject(t->in[i].buffer);
        if (t->out[i].buffer)
            clReleaseMemObject(t->out[i].buffer);
    }
    if (t->arguments.arrays[0].buffer)
        clReleaseMemObject(t->arguments.arrays[0].buffer);
    for (size_t f = 0; f < CLF_COUNT(t->shown); ++f)
        free(t->shown[f]);
    for (size_t k = 0; k < KERNELS; ++k)
        clf_kernel_pool_free(&t->kernels[k]);
    if (t->queue)
        clReleaseCommandQueue(t->queue);
    if (t->program)
        clReleaseProgram(t->program);
    clf_candidates_close(&t->candidates);
    clf_operator_free(&t->op);
}

/* ---- Launches ------------------------------------------------------------------------------------------ */

static clf_status launch(trial *t, int kernel, unsigned law, cl_uint level, cl_ulong count, cl_uint size)
{
    const size_t group = group_of(&t->context->facts);
    t->arguments.count = count;
    t->arguments.size = size;
    t->arguments.numbers[0] = law;
    t->arguments.numbers[1] = level;
    return clf_launch(&t->chain, &t->kernels[kernel], &t->arguments, clf_least(clf_ceiling(count, group), MOST_GROUPS),
                      group);
}

/* What the map makes of elements; then values from these, and from all of them. */
static clf_status make_values(trial *t)
{
    const clf_candidates *const c = &t->candidates;
    const cl_uint more = c->values - c->elements, second = more / 2, first = more - second;
    if (c->maps)
        CLF_TRY(launch(t, MAKE, 0, 0, c->elements, c->elements));
    for (cl_uint made = 0; made < more;) { /* never more than there are */
        const cl_uint size = c->elements + made, wanted = made < first ? first - made : more - made;
        const cl_uint count = wanted < size ? wanted : size;
        CLF_TRY(launch(t, MAKE, 0, 1, count, size));
        made += count;
    }
    return CLF_SUCCESS;
}

/* The least sum of a broken case, or the least case of a sum; ANY: none. */
static clf_status find(trial *t, clf_law law, cl_uint level, cl_ulong cases, cl_uint size, cl_uint *least)
{
    const cl_mem buffer = t->arguments.arrays[0].buffer;
    *least = ANY;
    CLF_TRY(clEnqueueWriteBuffer(t->queue, buffer, CL_TRUE, 0, sizeof *least, least, 0, NULL, NULL));
    CLF_TRY(launch(t, FIND, law, level, cases, size));
    return clEnqueueReadBuffer(t->queue, buffer, CL_TRUE, 0, sizeof *least, least, 0, NULL, NULL);
}

static clf_status show(trial *t, clf_law law, cl_uint at, cl_ulong cases, cl_uint size, clf_text *sentence)
{
    clf_broken_case broken = {.law = law, .op = &t->op, .candidates = &t->candidates, .element = at % size};
    const cl_uint j = at / size;
    broken.index = j < 32 ? j : (cl_ulong)j << (j % 41); /* clf_laws_index */
    CLF_TRY(launch(t, SHOW, law, at, cases, size));
    for (cl_uint f = 0; f < t->op.value.count; ++f) {
        const size_t bytes = t->op.value.field[f].bytes;
        CLF_TRY(clEnqueueReadBuffer(t->queue, t->out[f].buffer, CL_TRUE, size * bytes, CLF_SHOWN * bytes, t->shown[f],
                                    0, NULL, NULL));
        broken.value[f] = t->shown[f];
    }
    clf_broken_case_write(sentence, &broken);
    return sentence->failed ? CLF_E_NO_MEMORY : CLF_SUCCESS;
}

/* ---- Laws ---------------------------------------------------------------------------------------------- */

static bool is_asked(const trial *t, clf_law law)
{
    switch (law) {
    case CLF_LAW_PURE: return t->candidates.maps;
    case CLF_LAW_NO_INDEX: return t->candidates.maps && t->op.flags & CLF_NO_INDEX;
    case CLF_LAW_COMMUTATIVE: return (t->op.flags & CLF_COMMUTATIVE) != 0;
    default: return true;
    }
}

static cl_ulong cases_of(clf_law law, cl_ulong size)
{
    switch (law) {
    case CLF_LAW_PURE: return size;
    case CLF_LAW_NEUTRAL_LEFT:
    case CLF_LAW_NEUTRAL_RIGHT: return size + 1; /* and the neutral element itself */
    case CLF_LAW_ASSOCIATIVE: return size * size * size;
    default: return size * size;
    }
}

/* Laws of the map are tried with elements, the others with all values. */
static clf_status try_law(trial *t, clf_law law, clf_text *sentence)
{
    const bool of_map = law == CLF_LAW_PURE || law == CLF_LAW_NO_INDEX;
    const cl_uint size = of_map ? t->candidates.elements : t->candidates.values;
    const cl_ulong cases = cases_of(law, size);
    cl_uint level, at = 0;
    CLF_TRY(find(t, law, ANY, cases, size, &level));
    if (level != ANY && !sentence->length) {
        CLF_TRY(find(t, law, level, cases, size, &at));
        if (at == ANY)
            clf_text_format(sentence, "a function is not pure: a law was broken, and held when it was tried again");
        else
            CLF_TRY(show(t, law, at, cases, size, sentence));
    }
    t->result->tried |= (unsigned)law;
    t->result->broken |= level != ANY ? (unsigned)law : 0;
    t->result->cases += cases;
    return CLF_SUCCESS;
}

static clf_status try_laws(trial *t, clf_text *sentence)
{
    CLF_TRY(open_queue(t));
    CLF_TRY(make_values(t));
    for (unsigned law = CLF_LAW_PURE; law <= CLF_LAW_COMMUTATIVE; law *= 2)
        if (is_asked(t, (clf_law)law))
            CLF_TRY(try_law(t, (clf_law)law, sentence));
    return CLF_SUCCESS;
}

/* Functions that combine no values are left out, whatever primitive calls them. */
static clf_status take_operator(trial *t, const clf_operator *op, clf_error *error)
{
    if (!op || !clf_operator_is_known(op))
        return clf_operator_take(op, CLF_FUNCTION_COMBINE, &t->op, error);
    if (!op->combine)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.combine is NULL: laws are those of what it combines");
    clf_operator folding = {0};
    memcpy(&folding, op, op->size);
    folding.predicate = folding.same = folding.less = folding.part = folding.key = NULL;
    folding.result = folding.finish = NULL;
    folding.captured = clf_operator_finish(op) && !op->map ? NULL : op->captured;
    CLF_TRY(clf_operator_take(&folding, CLF_FUNCTION_COMBINE, &t->op, error));
    return clf_check_types(&t->context->facts, &t->op, error);
}

/* The message is cut where it is too long; the log then has all. */
static clf_status judge(const trial *t, const clf_text *sentence, clf_error *error)
{
    if (!t->result->broken)
        return CLF_SUCCESS;
    if (error && sentence->length >= sizeof error->message)
        snprintf(error->log, sizeof error->log, "%s", sentence->data);
    return clf_fail(error, CLF_E_LAW, "%s", sentence->data);
}

static clf_status check_operator(trial *t, const clf_operator *op, const clf_laws_options *options, clf_error *error)
{
    clf_text sentence = {0};
    CLF_TRY(take_operator(t, op, error));
    CLF_TRY(clf_candidates_open(&t->candidates, &t->op, options, error));
    CLF_TRY(compile(t, error));
    clf_status status = try_laws(t, &sentence);
    if (status == CLF_SUCCESS)
        status = judge(t, &sentence, error);
    else
        clf_fail(error, status, "the laws could not be tried: %s", clf_status_text(status));
    clf_text_free(&sentence);
    return status;
}

clf_status clf_operator_check(clf_context *context, const clf_operator *op, const clf_laws_options *options,
                              clf_laws *result, clf_error *error)
{
    static const clf_laws_options usual = {.size = sizeof usual};
    clf_laws unseen = {.size = sizeof unseen};
    CLF_TRY(clf_error_reset(error));
    if (!context)
        return clf_fail(error, CLF_E_ARGUMENT, "context must not be NULL");
    if (result && result->size != sizeof *result)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_laws.size is %zu, not %zu", result->size, sizeof *result);
    trial *t = calloc(1, sizeof *t);
    if (!t)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    t->context = context;
    t->result = result ? result : &unseen;
    *t->result = (clf_laws){.size = sizeof unseen};
    const clf_status status = check_operator(t, op, options ? options : &usual, error);
    close_trial(t);
    free(t);
    return status;
}
