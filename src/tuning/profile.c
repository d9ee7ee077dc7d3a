/* SPDX-License-Identifier: MIT */
/*
 * Texts of profiles, strictly read: what is wrong with one is told with the number of its line.
 *
 *     text      = { line } { section }              settings for any device, then what is for some
 *     section   = "clfold profile 1" { key = value } { line } "end"
 *     line      = primitive . class . variant . parameter = number
 *               | primitive . class . role = variant
 *
 * with # before comments (but not behind the values of a header, which may be any words) and blank lines anywhere. A
 * section has an end, so that a text that was cut is not taken for a whole one.
 */
#include "tuning/tuning.h"

#include <string.h>

/* Count up when a profile is written that older readers would misunderstand. */
enum { FORMAT = 1 };

/* ---- Lines --------------------------------------------------------------------------------------------- */

/* Takes a line off the text, comment and all. */
static bool whole_line(clf_cursor *text, clf_cursor *line)
{
    if (text->at == text->end)
        return false;
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    *line = (clf_cursor){text->at, newline ? newline : text->end};
    text->at = newline ? newline + 1 : text->end;
    return true;
}

static clf_cursor without_comment(clf_cursor line)
{
    const char *comment = memchr(line.at, '#', (size_t)(line.end - line.at));
    return (clf_cursor){line.at, comment ? comment : line.end};
}

bool clf_next_line(clf_cursor *text, clf_cursor *line)
{
    if (!whole_line(text, line))
        return false;
    *line = without_comment(*line);
    return true;
}

static bool take_name_or_star(clf_cursor *c, char *name, size_t bytes)
{
    if (!clf_cursor_take(c, '*'))
        return clf_cursor_name(c, name, bytes);
    strcpy(name, "*");
    return true;
}

bool clf_setting_parse(clf_cursor line, clf_setting *s)
{
    s->parameter[0] = '\0';
    if (!clf_cursor_name(&line, s->primitive, sizeof s->primitive) || !clf_cursor_take(&line, '.') ||
        !take_name_or_star(&line, s->type_class, sizeof s->type_class) || !clf_cursor_take(&line, '.') ||
        !take_name_or_star(&line, s->variant, sizeof s->variant))
        return false;
    if (clf_cursor_take(&line, '.'))
        return clf_parameter_read(&line, s->parameter, &s->value) && clf_cursor_at_end(&line);
    return clf_cursor_take(&line, '=') && clf_cursor_name(&line, s->choice, sizeof s->choice) &&
           clf_cursor_at_end(&line) && !(s->choice[0] >= '0' && s->choice[0] <= '9');
}

/* ---- What is wrong ------------------------------------------------------------------------------------- */

/* The length of what a sentence quotes of a line: no more than fits one. */
static int quoted(clf_cursor line)
{
    while (line.end > line.at && (line.end[-1] == '\r' || line.end[-1] == ' ' || line.end[-1] == '\t'))
        --line.end;
    return (int)(line.end - line.at < 80 ? line.end - line.at : 80);
}

static clf_status wrong(clf_error *error, unsigned number, clf_cursor line, const char *what)
{
    return clf_fail(error, CLF_E_PARAMETER, "profile, line %u: '%.*s' %s", number, quoted(line), line.at, what);
}

static clf_status lacks(clf_error *error, unsigned number, const char *what)
{
    return clf_fail(error, CLF_E_PARAMETER, "profile, line %u: %s", number, what);
}

/* ---- Headers ------------------------------------------------------------------------------------------- */

static const char *const keys[CLF_HEADER_KEYS] = {"device", "platform", "vendor", "type", "architecture", "driver",
                                                  "version", "score"};

static bool is_word(clf_cursor *c, const char *word)
{
    char name[16];
    return clf_cursor_name(c, name, sizeof name) && strcmp(name, word) == 0;
}

static bool is_all(clf_cursor line, const char *word)
{
    return is_word(&line, word) && clf_cursor_at_end(&line);
}

/* "clfold profile": what follows is the number of a format. */
static bool begins_section(clf_cursor *line)
{
    return is_word(line, "clfold") && is_word(line, "profile");
}

static clf_status check_format(clf_cursor line, unsigned number, clf_error *error)
{
    const clf_cursor all = line;
    cl_uint format = 0;
    begins_section(&line);
    if (!clf_cursor_number(&line, &format) || !clf_cursor_at_end(&line) || format == 0)
        return wrong(error, number, all, "is not like 'clfold profile 1'");
    if (format > FORMAT)
        return clf_fail(error, CLF_E_PARAMETER,
                        "profile, line %u: format %u is newer than what clfold %s knows, which is %d", number, format,
                        CLFOLD_VERSION_STRING, (int)FORMAT);
    return CLF_SUCCESS;
}

/* Takes "key = value", the value being all of the rest but for blanks around it; false for other lines. */
static bool take_key(clf_cursor line, char key[32], clf_cursor *value)
{
    if (!clf_cursor_name(&line, key, 32) || !clf_cursor_take(&line, '='))
        return false;
    (void)clf_cursor_at_end(&line);
    while (line.end > line.at && strchr(" \t\r", line.end[-1]))
        --line.end;
    *value = line;
    return true;
}

static bool is_one_of(clf_cursor value, const char *list)
{
    char word[16];
    return clf_cursor_take(&value, '*')
               ? clf_cursor_at_end(&value)
               : clf_cursor_name(&value, word, sizeof word) && clf_cursor_at_end(&value) && clf_list_has(list, word);
}

/* Numbers with points between: "0.1.0". */
static bool are_numbers(clf_cursor value, unsigned least, unsigned most)
{
    unsigned count = 0;
    cl_uint number;
    do
        if (!clf_cursor_number(&value, &number))
            return false;
    while (++count < most && clf_cursor_take(&value, '.'));
    return clf_cursor_at_end(&value) && count >= least;
}

static bool is_printable(clf_cursor value)
{
    for (; value.at < value.end; ++value.at)
        if ((unsigned char)*value.at < 32 && *value.at != '\t')
            return false;
    return true;
}

static bool is_sound(clf_header_key key, clf_cursor value)
{
    switch (key) {
    case CLF_HEADER_TYPE: return is_one_of(value, "cpu,gpu,accelerator");
    case CLF_HEADER_VERSION: return are_numbers(value, 3, 3);
    case CLF_HEADER_SCORE: return are_numbers(value, 1, 2);
    default: return value.at < value.end && is_printable(value);
    }
}

static clf_status add_key(clf_section *section, clf_cursor line, const char *key, clf_cursor value, unsigned number,
                          clf_error *error)
{
    int k = 0;
    while (k < CLF_HEADER_KEYS && strcmp(keys[k], key) != 0)
        ++k;
    if (k == CLF_HEADER_KEYS)
        return wrong(error, number, line, "is nothing that a header says");
    if (section->header[k].at)
        return wrong(error, number, line, "was said before");
    if (!is_sound((clf_header_key)k, value))
        return wrong(error, number, line, "is no such value");
    section->header[k] = value;
    return CLF_SUCCESS;
}

/* What each header has, so that a profile can be told from others, and its age. */
static clf_status check_header(const clf_section *section, unsigned number, clf_error *error)
{
    static const clf_header_key needed[] = {CLF_HEADER_DEVICE, CLF_HEADER_VENDOR, CLF_HEADER_TYPE, CLF_HEADER_VERSION};
    for (size_t i = 0; i < CLF_COUNT(needed); ++i)
        if (!section->header[needed[i]].at)
            return clf_fail(error, CLF_E_PARAMETER, "profile, line %u: the header above has no line '%s = …'", number,
                            keys[needed[i]]);
    return CLF_SUCCESS;
}

static clf_status parse_header(clf_cursor *text, unsigned *number, clf_section *section, clf_error *error)
{
    clf_cursor line, value, rest = *text;
    char key[32];
    whole_line(&rest, &line);
    CLF_TRY(check_format(without_comment(line), (*number)++, error));
    section->headed = true;
    for (*text = rest; whole_line(&rest, &line); *text = rest, ++*number) {
        clf_cursor bare = without_comment(line);
        if (clf_cursor_at_end(&bare))
            continue;
        if (!take_key(line, key, &value))
            break;
        CLF_TRY(add_key(section, line, key, value, *number, error));
    }
    return check_header(section, *number, error);
}

/* ---- Sections ------------------------------------------------------------------------------------------ */

static clf_status check_setting(clf_cursor line, unsigned number, clf_error *error)
{
    clf_setting setting;
    if (clf_cursor_at_end(&(clf_cursor){line.at, line.end}))
        return CLF_SUCCESS;
    if (!clf_setting_parse(line, &setting))
        return wrong(error, number, line, "is no setting");
    if (setting.parameter[0] != '\0' && clf_parameter_check(setting.parameter, setting.value, NULL) != CLF_SUCCESS)
        return wrong(error, number, line, "is out of range");
    if (strcmp(setting.parameter, "size") == 0) /* plans would refuse calls that nobody told them to */
        return wrong(error, number, line, "is for clf_plan_options alone");
    return CLF_SUCCESS;
}

static void skip_blank(clf_cursor *text, unsigned *number)
{
    clf_cursor rest = *text, line;
    for (; clf_next_line(&rest, &line) && clf_cursor_at_end(&line); ++*number)
        *text = rest;
}

static bool starts_section(clf_cursor text)
{
    clf_cursor line;
    return clf_next_line(&text, &line) && begins_section(&line);
}

/* The line "end"; behind it are other sections, if anything. */
static clf_status take_end(clf_cursor *text, unsigned *number, clf_section *section, clf_error *error)
{
    clf_cursor line, rest;
    section->settings.end = text->at;
    clf_next_line(text, &line);
    ++*number;
    skip_blank(text, number);
    rest = *text;
    if (clf_next_line(&rest, &line) && !starts_section(*text))
        return wrong(error, *number, line, "stands behind the end");
    return CLF_SUCCESS;
}

clf_status clf_section_parse(clf_cursor *text, unsigned *number, clf_section *section, clf_error *error)
{
    clf_cursor line;
    skip_blank(text, number);
    if (starts_section(*text))
        CLF_TRY(parse_header(text, number, section, error));
    section->settings = *text;
    section->line = *number;
    while (text->at < text->end && !starts_section(*text)) {
        clf_cursor rest = *text;
        clf_next_line(&rest, &line);
        if (section->headed && is_all(line, "end"))
            return take_end(text, number, section, error);
        CLF_TRY(check_setting(line, *number, error));
        *text = rest;
        ++*number;
    }
    section->settings.end = text->at;
    if (section->headed)
        return lacks(error, *number,
                     text->at < text->end ? "the section above has no line 'end'"
                                          : "the text was cut: its last line is not 'end'");
    return CLF_SUCCESS;
}
