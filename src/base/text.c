/* SPDX-License-Identifier: MIT */
/*
 * Growing strings, and texts that are read. Capacity doubles, so appending is linear in all. A failed allocation is
 * remembered in the text and reported once, at the end; what was appended before it stays readable.
 */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `length` more characters and the terminator. */
static bool reserve(clf_text *text, size_t length)
{
    if (text->failed)
        return false;
    if (length < text->capacity - text->length)
        return true;
    size_t capacity = text->capacity != 0 ? text->capacity : 64;
    while (capacity - text->length <= length && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    char *data = capacity - text->length > length ? realloc(text->data, capacity) : NULL;
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void clf_text_append(clf_text *text, const char *bytes, size_t length)
{
    if (length == 0 || !reserve(text, length))
        return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void clf_text_format(clf_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        text->failed = true;
    else if (length > 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void clf_text_free(clf_text *text)
{
    free(text->data);
    *text = (clf_text){0};
}

clf_status clf_text_export(const clf_text *text, char *out, size_t bytes, size_t *needed)
{
    if (text->failed)
        return CLF_E_NO_MEMORY;
    if (!out && bytes != 0)
        return CLF_E_ARGUMENT;
    if (needed)
        *needed = text->length + 1;
    if (bytes != 0) {
        size_t length = text->length < bytes ? text->length : bytes - 1;
        if (length != 0)
            memcpy(out, text->data, length);
        out[length] = '\0';
    }
    return CLF_SUCCESS;
}

char *clf_strdup(const char *string)
{
    if (!string)
        return NULL;
    size_t bytes = strlen(string) + 1;
    char *copy = malloc(bytes);
    return copy ? memcpy(copy, string, bytes) : NULL;
}

bool clf_list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (list && *list != '\0') {
        list += strspn(list, ", \t");
        size_t found = strcspn(list, ", \t");
        if (found != 0 && found == length && memcmp(list, word, length) == 0)
            return true;
        list += found;
    }
    return false;
}

bool clf_is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

bool clf_cursor_at_end(clf_cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r' || *c->at == '\n'))
        ++c->at;
    return c->at == c->end;
}

bool clf_cursor_take(clf_cursor *c, char wanted)
{
    if (clf_cursor_at_end(c) || *c->at != wanted)
        return false;
    ++c->at;
    return true;
}

bool clf_cursor_name(clf_cursor *c, char *name, size_t bytes)
{
    (void)clf_cursor_at_end(c);
    size_t length = 0;
    while (c->at + length < c->end && clf_is_name_character(c->at[length]))
        ++length;
    if (length == 0 || length >= bytes)
        return false;
    memcpy(name, c->at, length);
    name[length] = '\0';
    c->at += length;
    return true;
}

bool clf_cursor_number(clf_cursor *c, cl_uint *number)
{
    uint64_t value = 0;
    (void)clf_cursor_at_end(c);
    const char *begin = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9' && value <= UINT32_MAX; ++c->at)
        value = value * 10 + (uint64_t)(*c->at - '0');
    *number = (cl_uint)value;
    return c->at != begin && value <= UINT32_MAX;
}
