/* SPDX-License-Identifier: MIT */
/*
 * answers: the laws of functions that combine nothing: purity of all, and that `less` says an order.
 *
 * A program for each function writes what it says of each element, or of each pair of elements (cl/laws/answers.cl).
 * It does so twice, the other time backwards, and the host compares.
 */
#include "explore/laws.h"

#include <stdlib.h>
#include <string.h>

enum { INDICES = 64 }; /* or as many as elements: captured arrays may be read at each */
typedef enum others { NOBODY, PAIRS, INDEX } others;

static const char *const kernel_names[] = {"clf_laws_answer", NULL};
static const clf_named_array answers_array[] = {{"uint", "answers"}, {NULL, NULL}};
static const char *const numbers[] = {"other", "backwards", NULL};

/* ---- The program --------------------------------------------------------------------------------------- */

#define ELEMENT(i) "clf_input_at(&a->in, " i ")"
#define VALUE(i) "clf_laws_made(a, " i ", " i ")"
#define PAIR "(" ELEMENT("i") ", " ELEMENT("j") " CLF_AND_CAPTURED)"
#define PLACED "(" ELEMENT("i") ", j CLF_AND_CAPTURED)"
#define BEFORE "(3 * i + 1) % (uint)a->size" /* element_before */
#define STEP "clf_finish_step(a, " VALUE("i") ", " VALUE(BEFORE) ", " ELEMENT("i") ", i CLF_NUMBERED_AT(a, i))"

static cl_uint element_before(cl_uint i, cl_uint size)
{
    return (3 * i + 1) % size;
}

/* What is tried of one function: how it is called, there and in words. X, Y are elements; I is the index of X. */
typedef struct asked {
    clf_function function;
    unsigned called;
    const char *ask, *words;
} asked;
static const asked all[] = {
    {CLF_FUNCTION_MAP, CLF_FUNCTION_NONE, "clf_laws_made(a, i, j)", "map(X, I)"},
    {CLF_FUNCTION_PREDICATE, CLF_FUNCTION_PREDICATE, "clf_caller_predicate" PLACED, "predicate(X, I)"},
    {CLF_FUNCTION_SAME, CLF_FUNCTION_SAME, "clf_caller_same" PAIR, "same(X, Y)"},
    {CLF_FUNCTION_LESS, CLF_FUNCTION_LESS, "clf_caller_less" PAIR, "less(X, Y)"},
    {CLF_FUNCTION_PART, CLF_FUNCTION_PART, "clf_caller_part" PLACED, "part(X, I)"},
    {CLF_FUNCTION_KEY, CLF_FUNCTION_KEY, "clf_caller_key(" VALUE("i") " CLF_AND_CAPTURED)", "key(V)"},
    {CLF_FUNCTION_FINISH, CLF_REDUCING, "clf_finish_sum(a, " VALUE("i") ", i)", "finish(V, I)"},
    {CLF_FUNCTION_FINISH, CLF_SCANNING, STEP, "finish(V, W, X, I)"},
};

static const asked *asked_of(unsigned called)
{
    const asked *a = all;
    while (a + 1 < all + CLF_COUNT(all) && a->called != called)
        ++a;
    return a;
}

/* The fields of an answer; truths and parts are numbers. */
static clf_fields fields_of(const clf_operator_copy *op, clf_function function)
{
    const clf_type type = function == CLF_FUNCTION_KEY ? op->key_type : CLF_UINT;
    const cl_uint bytes = function == CLF_FUNCTION_KEY ? op->key_bytes : sizeof(cl_uint);
    const clf_field scalar = {.type = type, .width = bytes / (cl_uint)clf_type_size(type), .bytes = bytes};
    switch (function) {
    case CLF_FUNCTION_MAP: return op->value;
    case CLF_FUNCTION_FINISH: return op->result;
    default: return (clf_fields){.count = 1, .bytes = scalar.bytes, .field = {scalar}};
    }
}

static void write_answers(clf_text *t, const clf_operator_copy *op)
{
    const asked *const a = asked_of(op->called);
    const clf_fields fields = fields_of(op, a->function);
    const bool tuple = a->function == CLF_FUNCTION_MAP || a->function == CLF_FUNCTION_FINISH;
    const char *const type = tuple || a->function == CLF_FUNCTION_KEY ? clf_function_type(op, a->function) : "uint";
    clf_text_format(t, "#define CLF_KEY_TYPE %s\n#define CLF_LAWS_ANSWER %s\n#define CLF_LAWS_ASK(a, i, j) %s\n", type,
                    type, a->ask);
    clf_text_format(t, "#define CLF_LAWS_ANSWERS(CLF_F)");
    for (cl_uint f = 0; f < fields.count; ++f)
        clf_text_format(t, " CLF_F(%s, v%s%s)", clf_field_listed(&fields.field[f]).bytes, tuple ? "." : "",
                        tuple ? clf_field_listed(&fields.field[f]).name : "");
    clf_text_format(t, "\n");
    clf_subject_write(t, op);
}

const clf_entry clf_answers_entry = {"laws/answers.cl", kernel_names, answers_array, numbers, write_answers, NULL};

/* ---- Tables of answers --------------------------------------------------------------------------------- */

typedef struct trial {
    clf_subject subject;
    clf_candidates candidates;
    const asked *asked;
    clf_fields fields;
    cl_uint size, words;     /* elements; of an answer */
    cl_uint *answers, *more; /* as they are first, and again */
    bool is_pure;
    clf_laws *result;
    clf_text *sentence;
} trial;

static bool has_pairs(const trial *t)
{
    return t->asked->function == CLF_FUNCTION_SAME || t->asked->function == CLF_FUNCTION_LESS;
}

static bool has_index(const trial *t)
{
    return t->asked->function == CLF_FUNCTION_MAP || t->asked->function == CLF_FUNCTION_PREDICATE ||
           t->asked->function == CLF_FUNCTION_PART;
}

static cl_uint indices(const trial *t)
{
    return t->subject.op.captured.count && t->size < INDICES ? t->size : INDICES;
}

static cl_uint most_answers(const trial *t)
{
    return t->size * (has_pairs(t) ? t->size : has_index(t) ? indices(t) : 1);
}

static clf_status open_tables(trial *t)
{
    const clf_candidates *const c = &t->candidates;
    clf_subject *const s = &t->subject;
    t->size = c->elements;
    t->fields = fields_of(&s->op, t->asked->function);
    t->words = clf_fields_words(&t->fields);
    t->answers = malloc((size_t)most_answers(t) * t->words * sizeof *t->answers);
    t->more = malloc((size_t)most_answers(t) * t->words * sizeof *t->more);
    if (!t->answers || !t->more)
        return CLF_E_NO_MEMORY;
    CLF_TRY(clf_subject_open(s));
    for (cl_uint f = 0; f < c->fields->count; ++f) {
        const cl_uint bytes = c->fields->field[f].bytes;
        CLF_TRY(clf_subject_array(s, t->size, bytes, &s->in[f]));
        CLF_TRY(clEnqueueWriteBuffer(s->queue, s->in[f].buffer, CL_TRUE, 0, (size_t)t->size * bytes, c->data[f], 0,
                                     NULL, NULL));
    }
    return clf_subject_array(s, most_answers(t) * t->words, sizeof(cl_uint), &s->arguments.arrays[0]);
}

static clf_status ask(trial *t, others other, bool backwards, cl_uint count, cl_uint *to)
{
    clf_subject *const s = &t->subject;
    s->arguments.numbers[0] = (cl_uint)other;
    s->arguments.numbers[1] = backwards;
    CLF_TRY(clf_subject_launch(s, 0, count, t->size));
    return clEnqueueReadBuffer(s->queue, s->arguments.arrays[0].buffer, CL_TRUE, 0,
                               (size_t)count * t->words * sizeof *to, to, 0, NULL, NULL);
}

static void close_trial(trial *t)
{
    clf_subject_close(&t->subject);
    clf_candidates_close(&t->candidates);
    free(t->answers);
    free(t->more);
}

/* ---- Words --------------------------------------------------------------------------------------------- */

static void write_answer(clf_text *text, const trial *t, const cl_uint *answer)
{
    const unsigned char *arrays[CLF_MAX_FIELDS];
    for (cl_uint f = 0; f < t->fields.count; answer += clf_field_words(&t->fields.field[f]), ++f)
        arrays[f] = (const unsigned char *)answer;
    if (has_pairs(t) || t->asked->function == CLF_FUNCTION_PREDICATE)
        clf_text_format(text, "%s", *(const cl_uint *)(const void *)arrays[0] ? "true" : "false");
    else
        clf_element_write(text, &t->fields, arrays, 0);
}

static void write_element(clf_text *text, const trial *t, cl_uint i)
{
    clf_element_write(text, t->candidates.fields, (const unsigned char *const *)t->candidates.data, i);
}

static void write_value(clf_text *text, const trial *t, cl_uint i)
{
    clf_text_format(text, "%s", t->candidates.maps ? "map(" : "");
    write_element(text, t, i);
    if (t->candidates.maps)
        clf_text_format(text, ", %u)", i);
}

/* A call in words: capitals stand for arguments. */
static void write_call(const trial *t, cl_uint i, cl_uint j, cl_ulong index)
{
    for (const char *w = t->asked->words; *w; ++w)
        switch (*w) {
        case 'X': write_element(t->sentence, t, i); break;
        case 'Y': write_element(t->sentence, t, j); break;
        case 'V': write_value(t->sentence, t, i); break;
        case 'W': write_value(t->sentence, t, element_before(i, t->size)); break;
        case 'I': clf_text_format(t->sentence, "%llu", (unsigned long long)index); break;
        default: clf_text_append(t->sentence, w, 1);
        }
}

/* ---- Laws ---------------------------------------------------------------------------------------------- */

/* NaNs are alike: so answers differ if they do in words. */
static clf_status differ(const trial *t, const cl_uint *x, const cl_uint *y, bool *different)
{
    clf_text texts[2] = {{0}, {0}};
    *different = memcmp(x, y, t->words * sizeof *x) != 0;
    if (!*different)
        return CLF_SUCCESS;
    write_answer(&texts[0], t, x);
    write_answer(&texts[1], t, y);
    const bool failed = texts[0].failed || texts[1].failed;
    *different = !failed && strcmp(texts[0].data, texts[1].data) != 0;
    clf_text_free(&texts[0]);
    clf_text_free(&texts[1]);
    return failed ? CLF_E_NO_MEMORY : CLF_SUCCESS;
}

/* The least of `count` answers again that differs from the first one of its case, or of its element; or `count`. */
static clf_status find_other(const trial *t, cl_uint count, cl_uint period, cl_uint *least)
{
    cl_uint level = 2 * count;
    *least = count;
    for (cl_uint at = 0; at < count; ++at) {
        const cl_uint sum = at % t->size + at / t->size;
        bool different;
        if (sum >= level)
            continue;
        CLF_TRY(differ(t, t->answers + (size_t)(at % period) * t->words, t->more + (size_t)at * t->words, &different));
        if (different) {
            level = sum;
            *least = at;
        }
    }
    return CLF_SUCCESS;
}

/* Is a sentence wanted of this law? */
static bool note(trial *t, clf_law law, cl_ulong cases, bool broken)
{
    const bool first = broken && !t->sentence->length;
    t->result->tried |= (unsigned)law;
    t->result->broken |= broken ? (unsigned)law : 0;
    t->result->cases += cases;
    return first;
}

static clf_status try_pure(trial *t)
{
    const cl_uint count = t->size * (has_pairs(t) ? t->size : 1);
    const others other = has_pairs(t) ? PAIRS : NOBODY;
    cl_uint at;
    CLF_TRY(ask(t, other, false, count, t->answers));
    CLF_TRY(ask(t, other, true, count, t->more));
    CLF_TRY(find_other(t, count, count, &at));
    t->is_pure = at == count;
    if (!note(t, CLF_LAW_PURE, count, !t->is_pure))
        return CLF_SUCCESS;
    clf_text_format(t->sentence, "%s is not pure: ", clf_function_name(t->asked->function));
    write_call(t, at % t->size, at / t->size, at % t->size);
    clf_text_format(t->sentence, " was ");
    write_answer(t->sentence, t, t->answers + (size_t)at * t->words);
    clf_text_format(t->sentence, ", and then ");
    write_answer(t->sentence, t, t->more + (size_t)at * t->words);
    return CLF_SUCCESS;
}

static clf_status try_no_index(trial *t)
{
    const cl_uint count = t->size * indices(t);
    cl_uint at;
    CLF_TRY(ask(t, INDEX, false, count, t->more));
    CLF_TRY(find_other(t, count, t->size, &at));
    if (!note(t, CLF_LAW_NO_INDEX, count, at < count))
        return CLF_SUCCESS;
    const cl_uint i = at % t->size;
    clf_text_format(t->sentence, "%s depends on its index: ", clf_function_name(t->asked->function));
    write_call(t, i, 0, i);
    clf_text_format(t->sentence, " is ");
    write_answer(t->sentence, t, t->answers + (size_t)i * t->words);
    clf_text_format(t->sentence, ", ");
    write_call(t, i, 0, clf_laws_index(&t->subject.op, at / t->size));
    clf_text_format(t->sentence, " is ");
    write_answer(t->sentence, t, t->more + (size_t)at * t->words);
    return CLF_SUCCESS;
}

/* A, B and C are the elements of a broken case. */
static clf_status try_order(trial *t)
{
    static const struct {
        clf_law law;
        cl_uint operands;
        const char *words;
    } laws[] = {
        {CLF_LAW_IRREFLEXIVE, 1, "less is not irreflexive: less(A, A) is true"},
        {CLF_LAW_ASYMMETRIC, 2, "less is not asymmetric: less(A, B) and less(B, A) are true"},
        {CLF_LAW_TRANSITIVE, 3, "less is not transitive: less(A, B) and less(B, C) are true, less(A, C) is false"},
        {CLF_LAW_EQUIVALENCE, 3, "less is no weak order: neither of A and B comes before the other, nor of B and C, "
                                 "but less(A, C) is true"},
    };
    for (size_t l = 0; l < CLF_COUNT(laws); ++l) {
        cl_uint at[3];
        bool broken;
        cl_ulong cases = 1;
        for (cl_uint o = 0; o < laws[l].operands; ++o)
            cases *= t->size;
        CLF_TRY(clf_order_try(t->answers, t->size, laws[l].law, &broken, at));
        if (!note(t, laws[l].law, cases, broken))
            continue;
        for (const char *w = laws[l].words; *w; ++w)
            if (*w >= 'A' && *w <= 'C')
                write_element(t->sentence, t, at[*w - 'A']);
            else
                clf_text_append(t->sentence, w, 1);
    }
    return CLF_SUCCESS;
}

static clf_status try_laws(trial *t)
{
    CLF_TRY(open_tables(t));
    CLF_TRY(try_pure(t));
    if (has_index(t) && clf_laws_promise_no_index(&t->subject.op))
        CLF_TRY(try_no_index(t));
    if (t->asked->function == CLF_FUNCTION_LESS && t->is_pure)
        CLF_TRY(try_order(t));
    return t->sentence->failed ? CLF_E_NO_MEMORY : CLF_SUCCESS;
}

/* ---- Functions ----------------------------------------------------------------------------------------- */

static bool has(const clf_operator *op, const asked *a)
{
    switch (a->function) {
    case CLF_FUNCTION_MAP: return op->map && !op->combine;
    case CLF_FUNCTION_PREDICATE: return op->predicate;
    case CLF_FUNCTION_SAME: return op->same;
    case CLF_FUNCTION_LESS: return op->less;
    case CLF_FUNCTION_PART: return op->part;
    case CLF_FUNCTION_KEY: return op->key;
    default: return clf_operator_finish(op);
    }
}

/* With this function alone, and the map. */
static clf_status take(trial *t, const clf_operator *op, clf_error *error)
{
    const clf_function function = t->asked->function;
    const bool finish = function == CLF_FUNCTION_FINISH;
    clf_operator alone = {0};
    memcpy(&alone, op, op->size);
    alone.predicate = function == CLF_FUNCTION_PREDICATE ? op->predicate : NULL;
    alone.same = function == CLF_FUNCTION_SAME ? op->same : NULL;
    alone.less = function == CLF_FUNCTION_LESS ? op->less : NULL;
    alone.part = function == CLF_FUNCTION_PART ? op->part : NULL;
    alone.key = function == CLF_FUNCTION_KEY ? op->key : NULL;
    alone.place = NULL;
    alone.flags &= finish ? ~0u : ~CLF_COMBINE_CAPTURES;
    if (!finish)
        alone.combine = alone.neutral = alone.result = alone.finish = NULL;
    CLF_TRY(clf_operator_take(&alone, t->asked->called, &t->subject.op, error));
    return clf_subject_declare(&t->subject, op, error);
}

static clf_status try_function(trial *t, const clf_operator *op, const clf_laws_options *options, clf_error *error)
{
    CLF_TRY(take(t, op, error));
    CLF_TRY(clf_candidates_open(&t->candidates, &t->subject.op, options, error));
    CLF_TRY(clf_subject_compile(&t->subject, &clf_answers_entry, options->captured, error));
    const clf_status status = try_laws(t);
    return status == CLF_SUCCESS ? status : clf_laws_fail(status, error);
}

/* Nobody says whether finish is that of a reduction or of a scan: if it does not compile as the former, the latter. */
clf_status clf_answers_try(clf_context *context, const clf_operator *op, const clf_laws_options *options,
                           clf_laws *result, clf_text *sentence, clf_error *error)
{
    clf_status status = CLF_SUCCESS;
    bool reduces = false;
    for (size_t i = 0; i < CLF_COUNT(all) && status == CLF_SUCCESS; ++i) {
        if ((op->captured && !options->captured) || !has(op, &all[i]) || (all[i].called == CLF_SCANNING && reduces))
            continue;
        trial *const t = calloc(1, sizeof *t);
        if (!t)
            return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
        *t = (trial){.subject = {.context = context}, .asked = &all[i], .result = result, .sentence = sentence};
        status = try_function(t, op, options, error);
        close_trial(t);
        free(t);
        reduces = all[i].called == CLF_REDUCING && status != CLF_E_OPERATOR;
        if (all[i].called == CLF_REDUCING && !reduces)
            status = clf_error_reset(error);
    }
    return status;
}
