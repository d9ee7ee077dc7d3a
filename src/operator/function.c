/* SPDX-License-Identifier: MIT */
/*
 * function: the functions of an operator's source (combine, neutral, map, predicate, same, less, part, key, finish,
 * place): their names checked, and their shapes.
 *
 * A declaration of each follows the source, so a function of another shape does not compile. Without it a pointer could
 * be taken for another one.
 */
#include "operator/operator.h"

#include <string.h>

/* The place of its bit. */
static int place_of(clf_function function)
{
    int i = 0;
    while (clf_function_number(i) != function)
        ++i;
    return i;
}

const char *clf_function_name(clf_function function)
{
    static const char *const names[CLF_FUNCTIONS] = {"combine", "neutral", "map", "predicate", "same",
                                                    "less", "part", "key", "finish", "place"};
    return names[place_of(function)];
}

const char *clf_function_given(const clf_operator_copy *op, clf_function function)
{
    const char *const given[CLF_FUNCTIONS] = {op->combine, op->neutral, op->map, op->predicate, op->same,
                                              op->less, op->part, op->key, op->finish, op->place};
    return given[place_of(function)];
}

/* ---- Names --------------------------------------------------------------------------------------------- */

static bool is_identifier(const char *name)
{
    if (*name == '\0' || (*name >= '0' && *name <= '9'))
        return false;
    while (clf_is_name_character(*name))
        ++name;
    return *name == '\0';
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* The library's names, but those of functions that it writes: joined operators are operators, too. */
static bool is_ours(const char *name)
{
    return (begins(name, "clf_") || begins(name, "CLF_")) && !begins(name, "clf_joined_");
}

static bool has_word(const char *source, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = source; (at = strstr(at, word)); ++at)
        if ((at == source || !clf_is_name_character(at[-1])) && !clf_is_name_character(at[length]))
            return true;
    return false;
}

clf_status clf_function_check(clf_function function, const char *name, clf_error *error)
{
    const char *field = clf_function_name(function);
    if (!name)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.%s is NULL", field);
    if (!is_identifier(name))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.%s: '%.64s' is not the name of a function", field, name);
    if (is_ours(name))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.%s: '%.64s' begins like the library's own names", field,
                        name);
    if (clf_is_reserved(name))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_operator.%s: '%.64s' is a name that OpenCL C reserves", field,
                        name);
    return CLF_SUCCESS;
}

/* ---- Shapes -------------------------------------------------------------------------------------------- */

/* Does it get what is written? */
static bool ends(clf_function function)
{
    return function == CLF_FUNCTION_FINISH || function == CLF_FUNCTION_PLACE;
}

/* Does it take two elements? */
static bool compares(clf_function function)
{
    return function == CLF_FUNCTION_SAME || function == CLF_FUNCTION_LESS;
}

const char *clf_function_type(const clf_operator_copy *op, clf_function function)
{
    if (function == CLF_FUNCTION_KEY)
        return op->key_bytes == 16 ? "ulong2" : clf_type_name(op->key_type);
    if (function == CLF_FUNCTION_PART)
        return "uint";
    if (ends(function))
        return function == CLF_FUNCTION_FINISH ? "clf_result" : "ulong";
    return compares(function) || function == CLF_FUNCTION_PREDICATE ? "bool" : "clf_value";
}

/* Do element and index come as in a map? */
static bool takes_element(clf_function function)
{
    return function == CLF_FUNCTION_MAP || function == CLF_FUNCTION_PREDICATE || function == CLF_FUNCTION_PART;
}

bool clf_function_captures(const clf_operator_copy *op, clf_function function)
{
    return op->captured.count &&
           (takes_element(function) || compares(function) || ends(function) || function == CLF_FUNCTION_KEY ||
            (function == CLF_FUNCTION_COMBINE && clf_combine_captures(op)));
}

/* Does it get the number of its element's segment? */
static bool gets_number(const clf_operator_copy *op, clf_function function)
{
    return op->flags & CLF_WITH_SEGMENT &&
           (function == CLF_FUNCTION_MAP || (ends(function) && op->called & CLF_FUNCTION_STEPS));
}

void clf_function_parameters(clf_text *t, const clf_operator_copy *op, clf_function function, const char *prefix)
{
    if (function == CLF_FUNCTION_NEUTRAL)
        clf_text_format(t, "(void");
    else if (function == CLF_FUNCTION_KEY)
        clf_text_format(t, "(%sclf_value clf_a", prefix);
    else if (ends(function)) {
        clf_text_format(t, "(%sclf_value clf_a", prefix);
        if (op->called & CLF_FUNCTION_STEPS)
            clf_text_format(t, ", %sclf_value clf_b, %sclf_input clf_x", prefix, prefix);
        clf_text_format(t, ", ulong clf_i");
    } else if (!takes_element(function)) {
        const char *type = compares(function) ? "clf_input" : "clf_value";
        clf_text_format(t, "(%s%s clf_a, %s%s clf_b", prefix, type, prefix, type);
    } else
        clf_text_format(t, "(%sclf_input clf_x, ulong clf_i", prefix);
    if (gets_number(op, function))
        clf_text_format(t, ", ulong clf_s");
    if (clf_function_captures(op, function))
        clf_text_format(t, ", const %sclf_captured *clf_c", prefix);
    if (op->extra.count && function == CLF_FUNCTION_MAP)
        clf_text_format(t, ", %sclf_extra *clf_e", prefix);
    clf_text_format(t, ")");
}

void clf_function_arguments(clf_text *t, const clf_operator_copy *op, clf_function function)
{
    const bool steps = op->called & CLF_FUNCTION_STEPS;
    if (function == CLF_FUNCTION_NEUTRAL)
        clf_text_format(t, "()");
    else
        clf_text_format(t, "(%s%s%s%s)",
                        ends(function)                 ? steps ? "clf_a, clf_b, clf_x, clf_i" : "clf_a, clf_i"
                        : takes_element(function)      ? "clf_x, clf_i"
                        : function == CLF_FUNCTION_KEY ? "clf_a"
                                                       : "clf_a, clf_b",
                        gets_number(op, function) ? ", clf_s" : "",
                        clf_function_captures(op, function) ? ", clf_c" : "",
                        op->extra.count && function == CLF_FUNCTION_MAP ? ", clf_e" : "");
}

/*
 * What is a macro cannot be declared. Nor can a function with attribute overloadable, without that word; clang takes
 * nothing less.
 */
void clf_function_declare(clf_text *t, const clf_operator_copy *op, clf_function function, const char *prefix,
                          bool renamed)
{
    const char *name = clf_function_given(op, function), *before = renamed ? prefix : "";
    const char *type = clf_function_type(op, function);
    if (has_word(op->source, "overloadable"))
        return;
    clf_text_format(t, "#ifndef %s%s\n%s%s %s%s", before, name, strncmp(type, "clf_", 4) == 0 ? prefix : "", type,
                    before, name);
    clf_function_parameters(t, op, function, prefix);
    clf_text_format(t, ";\n#endif\n");
}

/* ---- Messages ------------------------------------------------------------------------------------------ */

/* Is the first line of the log with an error about this function? */
static bool is_blamed(const char *log, clf_function function)
{
    char place[32] = "clf_operator.";
    const char *error = strstr(log, "error"), *line = error;
    if (!error)
        return false;
    while (line > log && line[-1] != '\n')
        --line;
    const char *at = strstr(line, strcat(place, clf_function_name(function)));
    return at && at < line + strcspn(line, "\n");
}

clf_status clf_function_blame(const clf_operator_copy *op, clf_status status, clf_error *error)
{
    for (int i = 0; i < CLF_FUNCTIONS && error; ++i) {
        const clf_function f = clf_function_number(i);
        const char *name = clf_function_given(op, f);
        clf_text shape = {0};
        if (!name || !is_blamed(error->log, f))
            continue;
        clf_function_parameters(&shape, op, f, "");
        if (!shape.failed)
            status = clf_fail(error, status, "clf_operator.%s: the source has no function %s %.64s%s",
                              clf_function_name(f), clf_function_type(op, f), name, shape.data);
        clf_text_free(&shape);
        return status;
    }
    return status;
}
