/* SPDX-License-Identifier: MIT */
/*
 * extremes: the fields of a value that the library combines by fmin or fmax. These are floating types under clf_min and
 * clf_max, in joined operators, too. The name of a joined operator's neutral function has a letter for each field:
 * n for a minimum, x for a maximum, o for any other.
 */
#include "operator/operator.h"

#include <string.h>

static clf_extremes of_joined(const char *letters, cl_uint fields)
{
    clf_extremes e = {0, 0};
    for (cl_uint f = 0; f < fields && letters[f] != '\0'; ++f) {
        e.minima |= (cl_uint)(letters[f] == 'n') << f;
        e.maxima |= (cl_uint)(letters[f] == 'x') << f;
    }
    return e;
}

clf_extremes clf_extremes_of(clf_op builtin, const char *neutral, const clf_fields *value)
{
    const size_t length = strlen(CLF_JOINED_NEUTRAL);
    clf_extremes e = {0, 0};
    if (neutral && strncmp(neutral, CLF_JOINED_NEUTRAL, length) == 0)
        return of_joined(neutral + length, value->count);
    for (cl_uint f = 0; f < value->count; ++f)
        if (clf_type_is_real(value->field[f].type)) {
            e.minima |= (cl_uint)(builtin == CLF_MIN) << f;
            e.maxima |= (cl_uint)(builtin == CLF_MAX) << f;
        }
    return e;
}

void clf_extremes_append(char name[CLF_JOINED_NAME], clf_extremes extremes, cl_uint fields)
{
    if (*name == '\0')
        strcpy(name, CLF_JOINED_NEUTRAL);
    char *end = name + strlen(name);
    for (cl_uint f = 0; f < fields; ++f)
        *end++ = extremes.minima >> f & 1 ? 'n' : extremes.maxima >> f & 1 ? 'x' : 'o';
    *end = '\0';
}

bool clf_extremes_are_coded(const clf_operator_copy *op)
{
    return op->coded && (op->extremes.minima || op->extremes.maxima);
}

clf_field clf_extremes_code(const clf_field *field)
{
    clf_field code = *field;
    code.type = field->type == CLF_HALF ? CLF_USHORT : field->type == CLF_FLOAT ? CLF_UINT : CLF_ULONG;
    return code;
}
