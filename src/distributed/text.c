/* SPDX-License-Identifier: MIT */
/* Strings that grow, and sentences about failures. */
#include "distributed/distributed.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(clf_dist_text *text, size_t more)
{
    if (text->length + more < text->room)
        return true;
    const size_t room = 2 * text->room + more + 1;
    char *begin = text->failed ? NULL : realloc(text->begin, room);
    text->failed = !begin;
    if (text->failed)
        return false;
    text->begin = begin;
    text->room = room;
    return true;
}

void clf_dist_append(clf_dist_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        text->failed = true;
    else if (make_room(text, (size_t)length)) {
        vsnprintf(text->begin + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

clf_status clf_dist_fail(clf_error *error, clf_status status, const char *format, ...)
{
    if (!error || error->size < sizeof *error)
        return status;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    error->log[0] = '\0';
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}
