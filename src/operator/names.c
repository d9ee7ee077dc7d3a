/* SPDX-License-Identifier: MIT */
/*
 * names: what an OpenCL C source declares at file scope (functions, types, constants, enumerators), and which
 * macros it defines. Enough of a lexer to rename things where sources are put together (join.c).
 *
 * A name counts as declared where it stands outside of all braces and brackets, before one of ( ; = [ , { . Not so in
 * an initialiser. Names that only macros produce are not seen.
 */
#include "operator/operator.h"

#include <stdlib.h>
#include <string.h>

typedef struct scanner {
    const char *at;
    bool line_start;
    clf_names *declared, *macros; /* NULL: nobody wants them */
} scanner;

typedef struct token {
    const char *begin;
    size_t length; /* 0: the end */
    bool is_name;
} token;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

size_t clf_name_length(const char *at)
{
    size_t length = 0;
    while (clf_is_name_character(at[length]))
        ++length;
    return length;
}

static void add(clf_names *names, const char *begin, size_t length)
{
    if (clf_names_have(names, begin, length))
        return;
    clf_name *list = realloc(names->list, (names->count + 1) * sizeof *list);
    names->failed = names->failed || !list;
    if (!list)
        return;
    names->list = list;
    names->list[names->count++] = (clf_name){begin, length};
}

bool clf_names_have(const clf_names *names, const char *begin, size_t length)
{
    for (size_t i = 0; i < names->count; ++i)
        if (names->list[i].length == length && memcmp(names->list[i].begin, begin, length) == 0)
            return true;
    return false;
}

void clf_names_free(clf_names *names)
{
    free(names->list);
    *names = (clf_names){0};
}

/* ---- Tokens -------------------------------------------------------------------------------------------- */

/* Behind the next `end` after a backslash-escaped text: a string, or a directive's last line. */
static const char *behind(const char *at, char end)
{
    while (*at != '\0' && *at != end)
        at += *at == '\\' && at[1] != '\0' ? 2 : 1;
    return *at != '\0' ? at + 1 : at;
}

static const char *behind_comment(const char *at)
{
    const char *end = at[1] == '*' ? strstr(at + 2, "*/") : strchr(at, '\n');
    return !end ? at + strlen(at) : at[1] == '*' ? end + 2 : end;
}

static void take_directive(scanner *s)
{
    const char *at = s->at + 1 + strspn(s->at + 1, " \t");
    s->at = behind(at, '\n');
    if (!s->macros || strncmp(at, "define", 6) != 0)
        return;
    at += 6;
    at += strspn(at, " \t");
    add(s->macros, at, clf_name_length(at));
}

/* Skips blanks, comments and directives. */
static void skip(scanner *s)
{
    for (;;) {
        if (s->at[0] == '/' && (s->at[1] == '*' || s->at[1] == '/'))
            s->at = behind_comment(s->at);
        else if (s->line_start && *s->at == '#')
            take_directive(s);
        else if (*s->at == '\n' || *s->at == ' ' || *s->at == '\t' || *s->at == '\r')
            s->line_start = *s->at++ == '\n' || s->line_start;
        else
            return;
    }
}

static token next(scanner *s)
{
    skip(s);
    token t = {s->at, *s->at != '\0', false};
    s->line_start = false;
    if (*s->at == '"' || *s->at == '\'') {
        s->at = behind(s->at + 1, *s->at);
        return t;
    }
    const size_t length = clf_name_length(s->at);
    if (length > 0)
        t = (token){s->at, length, !is_digit(*s->at)};
    s->at += t.length;
    return t;
}

/* ---- Declarations -------------------------------------------------------------------------------------- */

static bool is_word(token t, const char *word)
{
    return t.length == strlen(word) && memcmp(t.begin, word, t.length) == 0;
}

static bool is_one_of(token t, const char *characters)
{
    return !t.is_name && t.length == 1 && strchr(characters, *t.begin);
}

/* Words that stand where a name could. */
static bool is_reserved(token t)
{
    return is_word(t, "struct") || is_word(t, "union") || is_word(t, "enum") || is_word(t, "return") ||
           (t.length > 2 && memcmp(t.begin, "__", 2) == 0);
}

/* Where in the source a token stands. */
typedef struct place {
    cl_uint braces, brackets;
    bool initialiser; /* behind a = */
    bool enumeration; /* in the braces of an enum */
} place;

static bool declares(const place *p, token previous, token t, token after)
{
    if (!t.is_name || p->brackets > 0 || p->initialiser || is_reserved(t))
        return false;
    if (p->braces == 0)
        return is_one_of(after, "(;=[,{");
    return p->braces == 1 && p->enumeration && is_one_of(previous, "{,") && is_one_of(after, ",=}");
}

static void move(place *p, token before, token previous, token t)
{
    if (is_one_of(t, "(["))
        ++p->brackets;
    else if (is_one_of(t, ")]") && p->brackets > 0)
        --p->brackets;
    else if (is_one_of(t, "{") && p->braces++ == 0)
        p->enumeration = is_word(previous, "enum") || is_word(before, "enum");
    else if (is_one_of(t, "}") && p->braces > 0)
        --p->braces;
    if (is_one_of(t, "=") && p->brackets == 0)
        p->initialiser = p->braces == 0 || p->enumeration;
    else if ((is_one_of(t, ",;") && p->brackets == 0 && (p->braces == 0 || p->enumeration)) ||
             (is_one_of(t, "}") && p->enumeration && p->braces == 0))
        p->initialiser = false;
}

void clf_names_find(const char *source, clf_names *declared, clf_names *macros)
{
    scanner s = {source, true, declared, macros};
    place p = {0};
    token before = {source, 0, false}, previous = before, t = next(&s);
    while (t.length > 0) {
        const token after = next(&s);
        if (declares(&p, previous, t, after))
            add(declared, t.begin, t.length);
        move(&p, before, previous, t);
        before = previous;
        previous = t;
        t = after;
    }
}

bool clf_source_prints(const char *source)
{
    scanner s = {source ? source : "", true, NULL, NULL};
    bool found = false;
    for (token t = next(&s); t.length > 0 && !found; t = next(&s))
        found = is_word(t, "printf");
    return found;
}

bool clf_source_loops(const char *source)
{
    scanner s = {source, true, NULL, NULL};
    bool found = false;
    token before = {source, 0, false}, previous = before;
    for (token t = next(&s); t.length > 0 && !found; t = next(&s)) {
        found = is_word(t, "while") || is_word(t, "goto") ||
                (is_word(before, "for") && is_one_of(previous, "(") && is_one_of(t, ";"));
        before = previous;
        previous = t;
    }
    return found;
}
