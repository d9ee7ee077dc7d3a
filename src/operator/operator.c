/* SPDX-License-Identifier: MIT */
/*
 * operator: operators checked and copied. Where the library has the function `combine`, its text is written behind the
 * caller's source (builtin.c).
 */
#include "operator/operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Checking ------------------------------------------------------------------------------------------ */

/* "combine", or "combine and same" */
static void write_names(unsigned functions, char names[64])
{
    size_t length = 0;
    for (int i = 0; i < CLF_FUNCTIONS; ++i)
        if (functions & (unsigned)clf_function_number(i) & ~(unsigned)(CLF_FUNCTION_FINISH | CLF_FUNCTION_PLACE))
            length += (size_t)snprintf(names + length, 64 - length, "%s%s", length ? " and " : "",
                                       clf_function_name(clf_function_number(i)));
}

/* All functions that the primitive calls, and no others. */
static clf_status check_functions(const clf_operator *op, unsigned needed, clf_error *error)
{
    const char *const given[CLF_FUNCTIONS] = {op->combine, op->neutral, op->map, op->predicate, op->same,
                                              op->less, op->part, op->key, clf_operator_finish(op),
                                              clf_operator_place(op)};
    const bool ours = clf_builtin_named(op->combine) < CLF_OP_COUNT; /* has a neutral element of its own */
    const unsigned wanted = needed | (needed & CLF_FUNCTION_COMBINE && !ours ? CLF_FUNCTION_NEUTRAL : 0u) |
                            (op->map ? CLF_FUNCTION_MAP : 0u);
    char names[64];
    write_names(needed, names);
    for (int i = 0; i < CLF_FUNCTIONS; ++i) {
        const clf_function f = clf_function_number(i);
        if (f == CLF_FUNCTION_KEY && (wanted & (unsigned)f))
            continue; /* take_key */
        if (f == CLF_FUNCTION_PART && !given[i] && (wanted & CLF_FUNCTION_COMBINE))
            continue; /* the first field of input says the bin */
        const bool spared = f == CLF_FUNCTION_FINISH || f == CLF_FUNCTION_PLACE;
        if ((f == CLF_FUNCTION_COMBINE ? ours : spared && !given[i]) && (wanted & (unsigned)f))
            continue;
        if (f == CLF_FUNCTION_NEUTRAL && given[i] && ours)
            return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.neutral: %s has its own, and must find NULL here",
                            op->combine);
        if (wanted & (unsigned)f)
            CLF_TRY(clf_function_check(f, given[i], error));
        else if (given[i])
            return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.%s: the primitive calls %s, and must find NULL here",
                            clf_function_name(f), names);
    }
    return CLF_SUCCESS;
}

static clf_status check_descriptor(const clf_operator *op, unsigned needed, clf_error *error)
{
    if (!op)
        return clf_fail(error, CLF_E_ARGUMENT, "the operator is NULL");
    if (!clf_operator_is_known(op))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.size is %zu, not %zu", op->size, sizeof *op);
    if (!op->value)
        return clf_fail(error, CLF_E_ARGUMENT, "the operator has no value fields");
    const char *const finish = clf_operator_finish(op), *const place = clf_operator_place(op);
    if (!finish != !clf_operator_result(op))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.%s is NULL, and %s is not", finish ? "result" : "finish",
                        finish ? "finish" : "result");
    const bool ours = needed & CLF_FUNCTION_COMBINE && clf_builtin_named(op->combine) < CLF_OP_COUNT;
    const bool others = op->map || op->predicate || op->same || op->less || op->part || op->key || finish || place;
    const bool named = (op->combine || op->neutral) && !ours && needed != CLF_FUNCTION_KEY;
    if (!op->source && (others || named))
        return clf_fail(error, CLF_E_ARGUMENT, "the operator has no source");
    CLF_TRY(check_functions(op, needed, error));
    const bool ends = finish || place;
    /* These read captured arrays, too. */
    const bool combines = op->flags & CLF_COMBINE_CAPTURES;
    const bool readers = op->predicate || op->part || op->less || op->same || op->key || ends || combines;
    const bool captures = op->captured && !readers;
    if (!op->map && (op->input || op->extra))
        return clf_fail(error, CLF_E_ARGUMENT, "an operator with input, extra or captured fields needs a map");
    if (!op->map && captures) {
        char names[64];
        write_names(needed, names);
        return clf_fail(error, CLF_E_ARGUMENT,
                        "clf_operator.captured: map, predicate, part, same, less, key, finish and place read captured "
                        "arrays, and with CLF_COMBINE_CAPTURES combine. The primitive calls %s, and there is no map",
                        names);
    }
    if (place && op->extra)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.extra: with place there is none, and it must be NULL");
    if (op->flags & ~(CLF_COMMUTATIVE | CLF_NO_INDEX | CLF_WITH_SEGMENT | CLF_COMBINE_CAPTURES | CLF_DENORMS_ARE_ZERO))
        return clf_fail(error, CLF_E_ARGUMENT, "the operator has unknown flags: 0x%x", op->flags);
    if (combines && (ours || !op->captured || !(needed & CLF_FUNCTION_COMBINE)))
        return clf_fail(error, CLF_E_ARGUMENT,
                        "clf_operator.flags: CLF_COMBINE_CAPTURES is for a combine of yours and captured arrays");
    return CLF_SUCCESS;
}

static clf_status copy_fields(const clf_operator *op, unsigned needed, clf_operator_copy *copy, clf_error *error)
{
    CLF_TRY(clf_fields_parse(op->value, "value", &copy->value, error));
    CLF_TRY(clf_fields_parse(op->extra, "extra", &copy->extra, error));
    CLF_TRY(clf_fields_parse(op->captured, "captured", &copy->captured, error));
    CLF_TRY(clf_fields_parse(clf_operator_result(op), "result", &copy->result, error));
    if (clf_fields_have_array(&copy->captured))
        return clf_fail(error, CLF_E_ARGUMENT,
                        "captured: no field is an array: take its scalars, which functions read anywhere");
    if (needed == CLF_FUNCTION_MAP)
        return op->input ? clf_fail(error, CLF_E_ARGUMENT,
                                    "clf_operator.input: kernels make the elements, and must find NULL here")
                         : CLF_SUCCESS;
    if (op->input && *op->input == '\0' && op->captured)
        return CLF_SUCCESS; /* no field: all that the map reads is captured */
    if (op->input)
        return clf_fields_parse(op->input, "input", &copy->input, error);
    copy->input = copy->value;
    return CLF_SUCCESS;
}

/* Writes the library's function, of which `combine` is the name, behind the source, and its form for vectors. */
static clf_status add_builtin(const clf_operator *op, clf_operator_copy *copy, clf_error *error)
{
    const bool alone = copy->value.count == 1 && clf_field_is_scalar(&copy->value.field[0]) && !op->input && !op->map &&
                       !copy->finish && !copy->place;
    const bool ordered = copy->builtin == CLF_PRODUCT && clf_type_is_real(copy->value.field[0].type);
    clf_text source = {0}, vector = {0};
    CLF_TRY(clf_builtin_check(copy->builtin, &copy->value, error));
    clf_text_format(&source, "%s\n", op->source ? op->source : "");
    copy->own_source = source.length;
    clf_builtin_write(&source, copy->builtin, &copy->value);
    if (alone && !ordered && copy->flags & CLF_COMMUTATIVE)
        clf_builtin_write_vector(&vector, copy->builtin, &copy->value.field[0]);
    free(copy->source);
    copy->source = source.data;
    copy->vector = vector.data;
    copy->neutral = clf_strdup(CLF_BUILTIN_NEUTRAL);
    if (source.failed || vector.failed || !copy->neutral)
        return clf_fail(error, CLF_E_NO_MEMORY, "no memory for a copy of the operator");
    return CLF_SUCCESS;
}

static clf_status copy_strings(const clf_operator *op, clf_operator_copy *copy, clf_error *error)
{
    const struct {
        const char *from;
        char **to;
    } list[] = {{op->source ? op->source : "", &copy->source}, {op->combine, &copy->combine},
                {op->neutral, &copy->neutral}, {op->map, &copy->map}, {op->predicate, &copy->predicate},
                {op->same, &copy->same}, {op->less, &copy->less}, {op->part, &copy->part},
                {clf_operator_finish(op), &copy->finish},
                {clf_operator_place(op), &copy->place}};
    for (size_t i = 0; i < CLF_COUNT(list); ++i) {
        *list[i].to = clf_strdup(list[i].from);
        if (!*list[i].to && list[i].from)
            return clf_fail(error, CLF_E_NO_MEMORY, "no memory for a copy of the operator");
    }
    return CLF_SUCCESS;
}

/* "float distance": the type and the name of the function that says what values are sorted by; or the first field. */
static clf_status take_key(const clf_operator *op, clf_operator_copy *copy, clf_error *error)
{
    clf_fields parsed = copy->value;
    if (op->key)
        CLF_TRY(clf_fields_parse(op->key, "key", &parsed, error));
    if (op->key && parsed.count != 1)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.key: there is one function, such as \"float distance\"");
    const clf_field *const field = &parsed.field[0];
    if (!clf_field_is_scalar(field) && (field->type != CLF_ULONG || field->width != 2 || field->is_array))
        return clf_fail(error, CLF_E_ARGUMENT,
                        op->key ? "clf_operator.key: keys are scalars or ulong2"
                                : "the first field of value is the key, and must be a scalar or ulong2");
    copy->key_type = field->type;
    copy->key_bytes = field->bytes;
    copy->key = op->key ? clf_strdup(parsed.field[0].name) : NULL;
    return op->key && !copy->key ? clf_fail(error, CLF_E_NO_MEMORY, "no memory for a copy of the operator")
                                 : CLF_SUCCESS;
}

clf_status clf_operator_take(const clf_operator *op, unsigned needed, clf_operator_copy *copy, clf_error *error)
{
    *copy = (clf_operator_copy){0};
    CLF_TRY(check_descriptor(op, needed, error));
    CLF_TRY(copy_fields(op, needed, copy, error));
    copy->in_sets = copy->out_sets = 1;
    copy->called = needed;
    copy->own_input = op->input || needed == CLF_FUNCTION_MAP;
    copy->flags = op->flags;
    const bool ends = clf_operator_finish(op) || clf_operator_place(op);
    if (op->flags & CLF_WITH_SEGMENT && (op->map || (ends && needed & CLF_FUNCTION_STEPS)))
        copy->numbers = CLF_NUMBERS_OF_ROWS;
    copy->builtin = clf_builtin_named(op->combine);
    copy->extremes = clf_extremes_of(copy->builtin, op->neutral, &copy->value);
    clf_status status = copy_strings(op, copy, error);
    if (status == CLF_SUCCESS && copy->builtin < CLF_OP_COUNT)
        status = add_builtin(op, copy, error);
    if (status == CLF_SUCCESS && needed == CLF_FUNCTION_KEY)
        status = take_key(op, copy, error);
    if (status != CLF_SUCCESS)
        clf_operator_free(copy);
    return status;
}

cl_uint clf_operator_words(const clf_operator_copy *op)
{
    cl_uint words = 0;
    for (cl_uint f = 0; f < op->value.count; ++f)
        words += clf_operator_carries(op, f) ? clf_field_words(&op->value.field[f]) : 0;
    return words;
}

/* The fields of those parts of a joined operator that have some of the wanted results. */
static cl_uint carried_of_parts(const char *letters, cl_ulong wanted)
{
    cl_uint carried = 0, at = 0, result = 0;
    for (; *letters != '\0'; letters += 2) {
        const cl_uint fields = (cl_uint)(letters[0] - 'a'), results = (cl_uint)(letters[1] - 'a');
        if (wanted >> result & ((1u << results) - 1))
            carried |= ((1u << fields) - 1) << at;
        at += fields;
        result += results;
    }
    return carried;
}

/* 0: all. What a function of the caller's needs only the compiler knows. */
static cl_uint carried_of(const clf_operator_copy *op)
{
    const size_t length = strlen(CLF_JOINED_MAP);
    if (op->builtin < CLF_OP_COUNT && !clf_operator_makes(op))
        return (cl_uint)op->wanted;
    const bool joined = op->map && strncmp(op->map, CLF_JOINED_MAP, length) == 0;
    return joined ? carried_of_parts(op->map + length, op->wanted) : 0;
}

clf_status clf_operator_want(clf_operator_copy *op, cl_ulong wanted, clf_error *error)
{
    const clf_fields *const all = clf_operator_made(op);
    const cl_ulong every = ((cl_ulong)1 << all->count) - 1;
    if (wanted & ~every)
        return clf_fail(
            error, CLF_E_ARGUMENT,
            "clf_plan_options.wanted is 0x%llx, and has bits beyond the operator's results, of which there are %u",
            (unsigned long long)wanted, (unsigned)all->count);
    if (wanted == 0 || wanted == every)
        return CLF_SUCCESS;
    op->wanted = wanted;
    op->written.bytes = all->bytes;
    for (cl_uint f = 0; f < all->count; ++f)
        if (wanted >> f & 1)
            op->written.field[op->written.count++] = all->field[f];
    op->carried = carried_of(op);
    return CLF_SUCCESS;
}

void clf_operator_none(cl_uint element_bytes, clf_operator_copy *copy)
{
    const clf_field element = {.type = CLF_UCHAR, .width = element_bytes, .bytes = element_bytes, .name = "element"};
    *copy = (clf_operator_copy){.builtin = CLF_OP_COUNT, .in_sets = 1, .out_sets = 1};
    copy->value = (clf_fields){.count = 1, .bytes = element_bytes, .field = {element}};
    copy->input = copy->value;
}

bool clf_operator_is_exact(const clf_operator_copy *op)
{
    bool real = false;
    for (cl_uint f = 0; f < op->value.count; ++f)
        real = real || clf_type_is_real(op->value.field[f].type);
    return op->builtin < CLF_OP_COUNT && !real;
}

cl_uint clf_operator_narrowest(const clf_operator_copy *op)
{
    const clf_fields *const lists[] = {&op->input, &op->value, &op->extra, clf_operator_results(op)};
    cl_uint bytes = CL_UINT_MAX;
    for (size_t l = 0; l < CLF_COUNT(lists); ++l)
        for (cl_uint i = 0; i < lists[l]->count; ++i)
            if (lists[l]->field[i].bytes < bytes && !lists[l]->field[i].is_array)
                bytes = lists[l]->field[i].bytes;
    return bytes;
}

void clf_operator_free(clf_operator_copy *copy)
{
    char *const texts[] = {copy->source, copy->combine, copy->neutral, copy->map, copy->predicate, copy->same,
                           copy->less, copy->part, copy->key, copy->finish, copy->place, copy->vector};
    for (size_t i = 0; i < CLF_COUNT(texts); ++i)
        free(texts[i]);
    *copy = (clf_operator_copy){0};
}
