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

enum { MAKE, FIND, SHOW };
static const char *const kernel_names[] = {"clf_laws_make", "clf_laws_find", "clf_laws_show", NULL};
static const clf_named_array least_array[] = {{"uint", "least"}, {NULL, NULL}};
static const char *const numbers[] = {"law", "level", NULL};
enum { ANY = 0x7fffffff };

typedef struct trial {
    clf_subject subject;
    clf_candidates candidates;
    clf_laws *result;
    unsigned char *shown[CLF_MAX_FIELDS]; /* CLF_SHOWN values */
} trial;

/* ---- The program --------------------------------------------------------------------------------------- */

/* F(type, scalar, width, tolerance, name) of the fields that are floating-point numbers to OpenCL C, or are not. */
static void write_fields(clf_text *t, const clf_fields *value, const char *list, bool real)
{
    clf_text_format(t, "\n#define CLF_LAWS_%s(CLF_F)", list);
    for (cl_uint f = 0; f < value->count; ++f) {
        const clf_field *const field = &value->field[f];
        char type[16];
        clf_field_type_name(field, type);
        if ((clf_type_is_real(field->type) && field->type != CLF_BFLOAT16) == real)
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
    clf_subject_write(t, op);
}

const clf_entry clf_laws_entry = {"laws/laws.cl", kernel_names, least_array, numbers, write_laws, NULL};

/* ---- Arrays -------------------------------------------------------------------------------------------- */

/* Elements are inputs or, where the map is not called, the first values. */
static clf_status open_arrays(trial *t)
{
    const clf_candidates *const c = &t->candidates;
    clf_subject *const s = &t->subject;
    CLF_TRY(clf_subject_open(s));
    for (cl_uint f = 0; f < s->op.value.count; ++f) {
        const cl_uint bytes = s->op.value.field[f].bytes;
        t->shown[f] = malloc((size_t)CLF_SHOWN * bytes);
        if (!t->shown[f])
            return CLF_E_NO_MEMORY;
        CLF_TRY(clf_subject_array(s, c->values + CLF_SHOWN, bytes, &s->out[f]));
    }
    for (cl_uint f = 0; f < c->fields->count; ++f) {
        const cl_uint bytes = c->fields->field[f].bytes;
        if (c->maps)
            CLF_TRY(clf_subject_array(s, c->elements, bytes, &s->in[f]));
        CLF_TRY(clEnqueueWriteBuffer(s->queue, (c->maps ? s->in : s->out)[f].buffer, CL_TRUE, 0,
                                     (size_t)c->elements * bytes, c->data[f], 0, NULL, NULL));
    }
    return clf_subject_array(s, 1, sizeof(cl_uint), &s->arguments.arrays[0]);
}

static void close_trial(trial *t)
{
    clf_subject_close(&t->subject);
    for (size_t f = 0; f < CLF_COUNT(t->shown); ++f)
        free(t->shown[f]);
    clf_candidates_close(&t->candidates);
}

/* ---- Launches ------------------------------------------------------------------------------------------ */

static clf_status launch(trial *t, cl_uint kernel, unsigned law, cl_uint level, cl_ulong count, cl_uint size)
{
    t->subject.arguments.numbers[0] = law;
    t->subject.arguments.numbers[1] = level;
    return clf_subject_launch(&t->subject, kernel, count, size);
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
    const cl_mem buffer = t->subject.arguments.arrays[0].buffer;
    *least = ANY;
    CLF_TRY(clEnqueueWriteBuffer(t->subject.queue, buffer, CL_TRUE, 0, sizeof *least, least, 0, NULL, NULL));
    CLF_TRY(launch(t, FIND, law, level, cases, size));
    return clEnqueueReadBuffer(t->subject.queue, buffer, CL_TRUE, 0, sizeof *least, least, 0, NULL, NULL);
}

static clf_status show(trial *t, clf_law law, cl_uint at, cl_ulong cases, cl_uint size, clf_text *sentence)
{
    clf_broken_case broken = {.law = law, .op = &t->subject.op, .candidates = &t->candidates, .element = at % size};
    broken.index = clf_laws_index(broken.op, at / size);
    CLF_TRY(launch(t, SHOW, law, at, cases, size));
    for (cl_uint f = 0; f < t->subject.op.value.count; ++f) {
        const size_t bytes = t->subject.op.value.field[f].bytes;
        CLF_TRY(clEnqueueReadBuffer(t->subject.queue, t->subject.out[f].buffer, CL_TRUE, size * bytes,
                                    CLF_SHOWN * bytes, t->shown[f], 0, NULL, NULL));
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
    case CLF_LAW_NO_INDEX: return t->candidates.maps && clf_laws_promise_no_index(&t->subject.op);
    case CLF_LAW_COMMUTATIVE: return (t->subject.op.flags & CLF_COMMUTATIVE) != 0;
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
    CLF_TRY(open_arrays(t));
    CLF_TRY(make_values(t));
    for (unsigned law = CLF_LAW_PURE; law <= CLF_LAW_COMMUTATIVE; law *= 2)
        if (is_asked(t, (clf_law)law))
            CLF_TRY(try_law(t, (clf_law)law, sentence));
    return CLF_SUCCESS;
}

/* Functions that combine no values are left out, whatever primitive calls them; what they capture is declared. */
static clf_status take_operator(trial *t, const clf_operator *op, clf_error *error)
{
    clf_operator_copy *const copy = &t->subject.op;
    if (!op || !clf_operator_is_known(op))
        return clf_operator_take(op, CLF_FUNCTION_COMBINE, copy, error);
    clf_operator folding = {0};
    memcpy(&folding, op, op->size);
    folding.predicate = folding.same = folding.less = folding.part = folding.key = NULL;
    folding.result = folding.finish = folding.place = NULL;
    folding.captured = op->map || op->flags & CLF_COMBINE_CAPTURES ? op->captured : NULL;
    CLF_TRY(clf_operator_take(&folding, CLF_FUNCTION_COMBINE, copy, error));
    return clf_subject_declare(&t->subject, op, error);
}

static clf_status try_combine(trial *t, const clf_operator *op, const clf_laws_options *options, clf_text *sentence,
                              clf_error *error)
{
    CLF_TRY(take_operator(t, op, error));
    CLF_TRY(clf_candidates_open(&t->candidates, &t->subject.op, options, error));
    CLF_TRY(clf_subject_compile(&t->subject, &clf_laws_entry, options->captured, error));
    const clf_status status = try_laws(t, sentence);
    return status == CLF_SUCCESS ? status : clf_laws_fail(status, error);
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
    clf_status status = CLF_SUCCESS;
    const bool unknown = !op || !clf_operator_is_known(op);
    if (!unknown && options->captured && !op->captured)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_laws_options.captured: the operator captures no arrays");
    if (unknown || (op->combine && (options->captured || !(op->flags & CLF_COMBINE_CAPTURES))))
        status = try_combine(t, op, options, &sentence, error);
    if (status == CLF_SUCCESS)
        status = clf_answers_try(t->subject.context, op, options, t->result, &sentence, error);
    if (status == CLF_SUCCESS && !t->result->tried)
        status = clf_fail(error, CLF_E_ARGUMENT,
                          op->captured ? "clf_operator.captured: nobody knows what the arrays hold, so no function "
                                         "that gets them is tried, and there is no other: "
                                         "clf_laws_options.captured takes some"
                                       : "the operator has no function that obeys laws, such as combine or less");
    if (status == CLF_SUCCESS)
        status = judge(t, &sentence, error);
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
    if (options && options->size != sizeof *options)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_laws_options.size is %zu, not %zu", options->size, sizeof *options);
    trial *t = calloc(1, sizeof *t);
    if (!t)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    t->subject.context = context;
    t->result = result ? result : &unseen;
    *t->result = (clf_laws){.size = sizeof unseen};
    const clf_status status = check_operator(t, op, options ? options : &usual, error);
    close_trial(t);
    free(t);
    return status;
}
