/* SPDX-License-Identifier: MIT */
/* join_names: what names of a part are called in the joined source, and its fields in the joined lists. */
#include "operator/join.h"

#include <string.h>

static bool is_word(const char *name, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(name, word, length) == 0;
}

bool clf_join_is_renamed(const clf_join *p, cl_uint i, const char *word, size_t length)
{
    if (is_word(word, length, "clf_value") || is_word(word, length, "clf_input") ||
        is_word(word, length, "clf_extra") || is_word(word, length, "clf_captured") ||
        is_word(word, length, "clf_result"))
        return true;
    if (!clf_names_have(&p->item[i].declared, word, length) || clf_names_have(&p->item[i].macros, word, length))
        return false;
    for (cl_uint other = 0; other < p->count; ++other)
        if (other != i && clf_names_have(&p->item[other].declared, word, length))
            return true;
    return length > 4 && memcmp(word, "clf_", 4) == 0; /* so that names made here meet no others */
}

void clf_join_write_name(clf_text *t, const clf_join *p, cl_uint i, enum clf_join_list list, cl_uint f)
{
    if (p->prefixed[list])
        clf_text_format(t, "p%u_", i);
    clf_text_format(t, "%s", clf_join_fields(p, list == INPUT ? 0 : i, list)->field[f].name);
}

void clf_join_write_renamed(clf_text *t, const clf_join *p, cl_uint i, const char *source)
{
    while (*source != '\0') {
        const size_t word = clf_name_length(source), length = word > 0 ? word : 1;
        if (word > 0 && clf_join_is_renamed(p, i, source, word))
            clf_text_format(t, "clf_part%u_", i);
        clf_text_append(t, source, length);
        source += length;
    }
}

void clf_join_write_list(clf_text *t, const clf_join *p, enum clf_join_list list)
{
    for (cl_uint i = 0; i < (list == INPUT ? 1 : p->count); ++i) {
        const clf_fields *fields = clf_join_fields(p, i, list);
        for (cl_uint f = 0; f < fields->count; ++f) {
            char type[16];
            clf_field_type_name(&fields->field[f], type);
            clf_text_format(t, "%s%s ", t->length > 0 ? " " : "", type);
            clf_join_write_name(t, p, i, list, f);
            clf_field_write_length(t, &fields->field[f]);
            clf_text_format(t, ";");
        }
    }
}
