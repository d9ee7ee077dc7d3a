/* SPDX-License-Identifier: MIT */
/* Lists of fields: { type name ; }, where the last semicolon may be missing. What more is wrong clfold finds. */
#include "distributed/distributed.h"

#include <ctype.h>
#include <string.h>

clf_type clf_dist_scalar(const char *name, size_t length)
{
    int type = 0;
    while (type < CLF_TYPE_COUNT) {
        const char *known = clf_type_name((clf_type)type);
        if (strlen(known) == length && memcmp(known, name, length) == 0)
            break;
        ++type;
    }
    return (clf_type)type;
}

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        ++length;
    return length;
}

/* Bytes of a scalar, or of a vector; 0 if the word is neither. */
static size_t type_bytes(const char *word, size_t length)
{
    size_t digits = 0, width = 0;
    while (digits < length && isdigit((unsigned char)word[length - 1 - digits]))
        ++digits;
    for (size_t i = length - digits; i < length; ++i)
        width = 10 * width + (size_t)(word[i] - '0');
    if (clf_dist_scalar(word, length) == CLF_BFLOAT16) /* whose digits are no width */
        return clf_type_size(CLF_BFLOAT16);
    const clf_type scalar = clf_dist_scalar(word, length - digits);
    return scalar == CLF_TYPE_COUNT || (digits != 0 && (width < 2 || width > 16))
               ? 0
               : clf_type_size(scalar) * (digits != 0 ? width : 1);
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Takes a word of fewer than `room` bytes; false if there is none. */
static bool take_word(const char **at, char *word, size_t room)
{
    *at = skip_blanks(*at);
    const size_t length = word_length(*at);
    if (length == 0 || length >= room)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return true;
}

static bool take_field(const char **at, clf_dist_field *field)
{
    if (!take_word(at, field->type, sizeof field->type) || !take_word(at, field->name, sizeof field->name))
        return false;
    field->bytes = type_bytes(field->type, strlen(field->type));
    *at = skip_blanks(*at);
    const bool ended = **at == ';' || **at == '\0';
    *at += **at == ';';
    return ended && field->bytes != 0;
}

clf_status clf_dist_parse(const char *text, const char *name, clf_dist_fields *fields, clf_error *error)
{
    *fields = (clf_dist_fields){0};
    for (const char *at = skip_blanks(text ? text : ""); *at != '\0'; at = skip_blanks(at)) {
        clf_dist_field *field = &fields->field[fields->count];
        if (fields->count == CLF_MAX_FIELDS)
            return clf_dist_fail(error, CLF_E_ARGUMENT, "%s has more than %d fields", name, (int)CLF_MAX_FIELDS);
        if (!take_field(&at, field))
            return *at == '[' ? clf_dist_fail(error, CLF_E_UNSUPPORTED,
                                              "%s: field %u is an array, of which several devices know nothing", name,
                                              fields->count)
                              : clf_dist_fail(error, CLF_E_ARGUMENT, "%s: field %u is no type, name and semicolon",
                                              name, fields->count);
        fields->packed += field->bytes;
        ++fields->count;
    }
    return CLF_SUCCESS;
}
