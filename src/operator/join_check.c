/* SPDX-License-Identifier: MIT */
/* join_check: operators that are to be joined: each is one, and they go together. */
#include "operator/join.h"

#include <string.h>

static const char *const list_names[LISTS] = {"value", "extra", "captured", "result", "input"};

/* Says which of the operators a message is about. */
static clf_status blame(cl_uint i, clf_status status, clf_error *error)
{
    char message[sizeof error->message] = "";
    if (error)
        memcpy(message, error->message, sizeof message);
    return clf_fail(error, status, "operator %u: %.220s", i, message);
}

static clf_status check_input(const clf_join *p, cl_uint i, clf_error *error)
{
    const clf_fields *first = &p->item[0].op.input, *other = &p->item[i].op.input;
    if (first->count != other->count)
        return clf_fail(error, CLF_E_ARGUMENT, "operators 0 and %u differ in input: %u fields and %u", i, first->count,
                        other->count);
    for (cl_uint f = 0; f < first->count; ++f) {
        char one[16], two[16];
        const clf_field *const a = &first->field[f], *const b = &other->field[f];
        clf_field_type_name(a, one);
        clf_field_type_name(b, two);
        if (a->is_array != b->is_array || (a->is_array && a->width != b->width))
            return clf_fail(error, CLF_E_ARGUMENT,
                            "operators 0 and %u differ in input field %u: one is an array of a length that the other "
                            "does not have",
                            i, f);
        if (strcmp(one, two) != 0)
            return clf_fail(error, CLF_E_ARGUMENT, "operators 0 and %u differ in input field %u: %s and %s", i, f, one,
                            two);
    }
    return CLF_SUCCESS;
}

const clf_fields *clf_join_fields(const clf_join *p, cl_uint i, enum clf_join_list list)
{
    static const clf_fields none = {0};
    const clf_operator_copy *op = &p->item[i].op;
    switch (list) {
    case VALUE: return &op->value;
    case EXTRA: return &op->extra;
    case CAPTURED: return &op->captured;
    case RESULT: return p->finishes ? clf_operator_made(op) : &none;
    default: return &op->input;
    }
}

/* Does a part have a field of the same name as an earlier part? */
static bool fields_clash(const clf_join *p, enum clf_join_list list)
{
    for (cl_uint i = 1; i < p->count; ++i)
        for (cl_uint f = 0; f < clf_join_fields(p, i, list)->count; ++f)
            for (cl_uint before = 0; before < i; ++before)
                if (clf_fields_have(clf_join_fields(p, before, list), clf_join_fields(p, i, list)->field[f].name))
                    return true;
    return false;
}

static clf_status check_fields(clf_join *p, enum clf_join_list list, clf_error *error)
{
    cl_uint fields = 0;
    for (cl_uint i = 0; i < p->count; ++i)
        fields += clf_join_fields(p, i, list)->count;
    if (fields > CLF_MAX_FIELDS)
        return clf_fail(error, CLF_E_ARGUMENT, "the operators have %u %s fields together, more than %d", fields,
                        list_names[list], (int)CLF_MAX_FIELDS);
    p->prefixed[list] = fields_clash(p, list);
    return CLF_SUCCESS;
}

/* Operators for reductions by key, or by index, have one more function; any may have `finish`. */
static unsigned functions_of(const clf_operator *op)
{
    const bool is_known = op && clf_operator_is_known(op);
    return CLF_FINISHING | (is_known && op->same ? CLF_FUNCTION_SAME : 0u) |
           (is_known && op->part ? CLF_FUNCTION_PART : 0u);
}

/* Which bin takes an element can one part say; neighbours that belong together, all that have a function for it. */
static clf_status check_functions(const clf_join *p, clf_error *error)
{
    cl_uint dealing = 0;
    for (cl_uint i = 0; i < p->count; ++i)
        dealing += p->item[i].op.part != NULL;
    return dealing > 1 ? clf_fail(error, CLF_E_ARGUMENT, "several operators have a function `part`") : CLF_SUCCESS;
}

clf_status clf_join_check(clf_join *p, cl_uint count, const clf_operator *const *operators, clf_error *error)
{
    for (; p->count < count; ++p->count) {
        clf_join_part *item = &p->item[p->count];
        const clf_operator *const op = operators[p->count];
        if (op && clf_operator_is_known(op) && op->flags & CLF_WITH_SEGMENT)
            return clf_fail(error, CLF_E_UNSUPPORTED,
                            "operator %u: clf_operator.flags: joined operators get no segment", p->count);
        if (op && clf_operator_place(op))
            return clf_fail(error, CLF_E_UNSUPPORTED, "operator %u: clf_operator.place: joined operators have none",
                            p->count);
        const clf_status status = clf_operator_take(op, functions_of(op), &item->op, error);
        if (status != CLF_SUCCESS)
            return blame(p->count, status, error);
        p->finishes = p->finishes || item->op.finish;
        clf_names_find(item->op.source, &item->declared, &item->macros);
        if (item->declared.failed || item->macros.failed)
            return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    }
    for (cl_uint i = 1; i < count; ++i)
        CLF_TRY(check_input(p, i, error));
    CLF_TRY(check_functions(p, error));
    for (int list = 0; list < INPUT; ++list)
        CLF_TRY(check_fields(p, (enum clf_join_list)list, error));
    return CLF_SUCCESS;
}

void clf_join_free(clf_join *p)
{
    for (cl_uint i = 0; i < CLF_MAX_FIELDS; ++i) {
        clf_operator_free(&p->item[i].op);
        clf_names_free(&p->item[i].declared);
        clf_names_free(&p->item[i].macros);
    }
}
