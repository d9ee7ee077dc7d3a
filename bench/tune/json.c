/* SPDX-License-Identifier: MIT */
/*
 * JSON of one line, as rows are written: an object of strings, numbers, true, false and null. Others are refused: a log
 * may have been cut, edited, or be something else.
 */
#include "tune/tune.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- Writing ----------------------------------------------------------------------------------------------- */

void tune_append(tune_text *text, const char *format, ...)
{
    const size_t room = TUNE_LINE - text->length;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text->at + text->length, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room) /* what is left would be no JSON */
        bench_die("a line of a row is too long");
    text->length += (size_t)length;
}

void tune_append_string(tune_text *text, const char *string)
{
    tune_append(text, "\"");
    for (; *string; ++string) {
        const unsigned char c = (unsigned char)*string;
        tune_append(text, c == '"' || c == '\\' ? "\\%c" : c < 32 ? "\\u%04x" : "%c", c);
    }
    tune_append(text, "\"");
}

/* ---- Reading ----------------------------------------------------------------------------------------------- */

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

static bool take(const char **at, char wanted)
{
    skip_blanks(at);
    if (**at != wanted)
        return false;
    ++*at;
    return true;
}

/* Four hexadecimal digits; what is no ASCII becomes a question mark: names of devices are not told apart by it. */
static bool take_unicode(const char **at, char *character)
{
    unsigned code = 0;
    for (int i = 0; i < 4; ++i, ++*at) {
        const char *digits = "0123456789abcdef0123456789ABCDEF", *digit = **at ? strchr(digits, **at) : NULL;
        if (!digit)
            return false;
        code = code * 16 + (unsigned)(digit - digits) % 16;
    }
    *character = code > 0 && code < 128 ? (char)code : '?';
    return true;
}

static bool take_escape(const char **at, char *character)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *known = **at ? strchr(from, **at) : NULL;
    if (**at == 'u')
        return ++*at, take_unicode(at, character);
    if (!known)
        return false;
    *character = to[known - from];
    ++*at;
    return true;
}

static const char *take_string(const char **at, char *text, size_t room)
{
    size_t length = 0;
    if (!take(at, '"'))
        return "a string is missing";
    while (**at != '"') {
        char character = *(*at)++;
        if ((unsigned char)character < 32)
            return "a string does not end";
        if (character == '\\' && !take_escape(at, &character))
            return "a string has an unknown escape";
        if (length + 1 == room)
            return "a string is too long";
        text[length++] = character;
    }
    ++*at;
    text[length] = '\0';
    return NULL;
}

static bool take_word(const char **at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

/* As JSON has them: strtod takes more, such as "nan" and "0x1". */
static bool take_number(const char **at, double *number)
{
    const char *begin = *at;
    const size_t length = strspn(begin, "+-.0123456789eE");
    char *end, text[64];
    if (length == 0 || length >= sizeof text || !strchr("-0123456789", *begin))
        return false;
    memcpy(text, begin, length);
    text[length] = '\0';
    *number = strtod(text, &end);
    *at += length;
    return *end == '\0' && *number > -1e300 && *number < 1e300;
}

static const char *take_value(const char **at, tune_json *json)
{
    const unsigned f = json->count;
    skip_blanks(at);
    json->field[f].text[0] = '\0';
    json->field[f].number = 0;
    if (**at == '"') {
        json->field[f].kind = 's';
        return take_string(at, json->field[f].text, TUNE_TEXT);
    }
    json->field[f].kind = 'b';
    if (take_word(at, "true"))
        json->field[f].number = 1;
    else if (take_word(at, "null"))
        json->field[f].kind = '0';
    else if (!take_word(at, "false")) {
        json->field[f].kind = 'n';
        if (!take_number(at, &json->field[f].number))
            return "a value is neither string, number, true, false nor null";
    }
    return NULL;
}

static const char *take_field(const char **at, tune_json *json)
{
    if (json->count == TUNE_FIELDS)
        return "there are too many fields";
    const char *wrong = take_string(at, json->field[json->count].key, sizeof json->field[0].key);
    if (!wrong && !take(at, ':'))
        wrong = "a colon is missing";
    if (!wrong)
        wrong = take_value(at, json);
    ++json->count;
    return wrong;
}

const char *tune_json_parse(const char *line, tune_json *json)
{
    const char *wrong = NULL;
    json->count = 0;
    if (!take(&line, '{'))
        return "it is no object";
    if (!take(&line, '}')) {
        do
            wrong = take_field(&line, json);
        while (!wrong && take(&line, ','));
        if (!wrong && !take(&line, '}'))
            wrong = "the object does not end";
    }
    skip_blanks(&line);
    return wrong ? wrong : *line ? "something stands behind the object" : NULL;
}

static long find(const tune_json *json, const char *key, char kind)
{
    for (unsigned i = 0; i < json->count; ++i)
        if (strcmp(json->field[i].key, key) == 0 && json->field[i].kind == kind)
            return (long)i;
    return -1;
}

const char *tune_json_text(const tune_json *json, const char *key)
{
    const long i = find(json, key, 's');
    return i < 0 ? "" : json->field[i].text;
}

double tune_json_number(const tune_json *json, const char *key)
{
    const long i = find(json, key, 'n');
    return i < 0 ? 0 : json->field[i].number;
}
