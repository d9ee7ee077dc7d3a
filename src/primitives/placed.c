/* SPDX-License-Identifier: MIT */
/*
 * placed: elements with their indices, for one-call functions that say where something is.
 */
#include "primitives/kept.h"

#include <stdio.h>

/* Divisions of 64 bits take several times as long as others: as long as the rest of a reduction. */
#define OF_THE_ROW                                                                                                     \
    "clf_value placed(clf_input x, ulong i, const clf_captured *c)\n"                                                  \
    "{\n"                                                                                                              \
    "    const ulong size = c->clf_size;\n"                                                                            \
    "    clf_value y;\n"                                                                                               \
    "    y.v = x.v;\n"                                                                                                 \
    "    y.at = (INDEX)(i < size ? i : i <= 0xffffffffu ? (uint)i %% (uint)size : i %% size);\n"                       \
    "    return y;\n"                                                                                                  \
    "}\n"
#define OF_ALL                                                                                                         \
    "clf_value placed(clf_input x, ulong i) { clf_value y; y.v = x.v; y.at = (INDEX)i; return y; }\n"

const clf_operator *clf_placed_operator(clf_placed *p, clf_type type, clf_type index_type, bool rows)
{
    const char *const element = clf_type_name(type), *const index = clf_type_name(index_type);
    snprintf(p->value, sizeof p->value, "%s v; %s at;", element, index);
    snprintf(p->input, sizeof p->input, "%s v;", element);
    snprintf(p->captured, sizeof p->captured, "%s row;", element);
    snprintf(p->source, sizeof p->source, rows ? "#define INDEX %s\n" OF_THE_ROW : "#define INDEX %s\n" OF_ALL, index);
    p->op = (clf_operator){.size = sizeof p->op, .value = p->value, .input = p->input, .map = "placed",
                           .captured = rows ? p->captured : NULL, .source = p->source};
    return &p->op;
}

const clf_call *clf_placed_call(const clf_call *call, clf_call *copy)
{
    if (!call || call->size != sizeof *call || call->in_count != 1)
        return call;
    *copy = *call;
    copy->in_count = 2;
    return copy;
}
