/* SPDX-License-Identifier: MIT */
/*
 * words: a broken case of a law as a sentence.
 */
#include "explore/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ------------------------------------------------------------------------------------------- */

static double half_of(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, digits = bits & 0x3ff;
    const double magnitude = exponent == 31 ? (digits ? (double)NAN : (double)INFINITY)
                             : exponent     ? ldexp(1024 + digits, exponent - 25)
                                            : ldexp(digits, -24);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static double real_of(clf_type type, const unsigned char *from)
{
    uint16_t half;
    float single;
    double number;
    switch (type) {
    case CLF_HALF: memcpy(&half, from, sizeof half); return half_of(half);
    case CLF_BFLOAT16:
        memcpy(&half, from, sizeof half);
        memcpy(&single, &(uint32_t){(uint32_t)half << 16}, sizeof single);
        return single;
    case CLF_FLOAT: memcpy(&single, from, sizeof single); return single;
    default: memcpy(&number, from, sizeof number); return number;
    }
}

/* As few digits as tell it from all others of its type. */
static void write_real(clf_text *t, clf_type type, const unsigned char *from)
{
    const double number = real_of(type, from);
    const bool brief = type == CLF_HALF || type == CLF_BFLOAT16;
    const int most = brief ? 5 : type == CLF_FLOAT ? 9 : 17;
    char text[40];
    int digits = brief ? 5 : 6;
    if (number != number) {
        clf_text_format(t, "NaN");
    } else if (fabs(number) == (double)INFINITY) {
        clf_text_format(t, "%sinfinity", number < 0 ? "-" : "");
    } else {
        do
            snprintf(text, sizeof text, "%.*g", digits, number);
        while (digits++ < most && (type == CLF_FLOAT ? (double)strtof(text, NULL) : strtod(text, NULL)) != number);
        for (char *c = text; *c; ++c) /* whatever the locale puts between the digits */
            clf_text_format(t, "%c", strchr("0123456789e+-", *c) ? *c : '.');
    }
}

static long long integer_of(clf_type type, const unsigned char *from)
{
    int8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;
    switch (clf_type_size(type)) {
    case 1: memcpy(&one, from, sizeof one); return clf_type_is_signed(type) ? one : (uint8_t)one;
    case 2: memcpy(&two, from, sizeof two); return clf_type_is_signed(type) ? two : (uint16_t)two;
    case 4: memcpy(&four, from, sizeof four); return clf_type_is_signed(type) ? four : (long long)(uint32_t)four;
    default: memcpy(&eight, from, sizeof eight); return eight;
    }
}

static void write_scalar(clf_text *t, clf_type type, const unsigned char *from)
{
    if (clf_type_is_real(type))
        write_real(t, type, from);
    else if (type == CLF_ULONG)
        clf_text_format(t, "%llu", (unsigned long long)integer_of(type, from));
    else
        clf_text_format(t, "%lld", integer_of(type, from));
}

/* ---- Values -------------------------------------------------------------------------------------------- */

void clf_element_write(clf_text *t, const clf_fields *fields, const unsigned char *const *arrays, cl_uint at)
{
    if (fields->count != 1)
        clf_text_format(t, "{");
    for (cl_uint f = 0; f < fields->count; ++f) {
        const clf_field *const field = &fields->field[f];
        const unsigned char *const from = arrays[f] + (size_t)at * field->bytes;
        if (fields->count != 1)
            clf_text_format(t, "%s%s ", f ? ", " : "", field->name);
        for (cl_uint k = 0; k < field->width; ++k) {
            clf_text_format(t, "%s", k ? ", " : field->width > 1 ? "(" : "");
            write_scalar(t, field->type, from + k * clf_type_size(field->type));
        }
        clf_text_format(t, "%s", field->width > 1 ? ")" : "");
    }
    if (fields->count != 1)
        clf_text_format(t, "}");
}

/* Words of ours as they are; a letter stands for a value, and x for the element that the map got. */
static void write_words(clf_text *t, const clf_broken_case *b, const char *words)
{
    static const char letters[] = "ABCLRN";
    for (const char *w = words; *w; ++w) {
        const char *const letter = strchr(letters, *w);
        if (letter)
            clf_element_write(t, &b->op->value, b->value, (cl_uint)(letter - letters));
        else if (*w == 'X')
            clf_element_write(t, b->candidates->fields, (const unsigned char *const *)b->candidates->data, b->element);
        else if (*w == 'I')
            clf_text_format(t, "%u", b->element);
        else if (*w == 'J')
            clf_text_format(t, "%llu", (unsigned long long)b->index);
        else
            clf_text_append(t, w, 1);
    }
}

void clf_broken_case_write(clf_text *text, const clf_broken_case *b)
{
    static const struct {
        clf_law law;
        const char *words;
    } all[] = {
        {CLF_LAW_PURE, "map is not pure: map(X, I) was L, and then R"},
        {CLF_LAW_NO_INDEX, "map depends on its index: map(X, I) is L, map(X, J) is R"},
        {CLF_LAW_NEUTRAL_LEFT, "neutral is not neutral on the left: it is N, and combine(neutral, A) is L"},
        {CLF_LAW_NEUTRAL_RIGHT, "neutral is not neutral on the right: it is N, and combine(A, neutral) is L"},
        {CLF_LAW_ASSOCIATIVE,
         "combine is not associative: combine(A, combine(B, C)) is L, combine(combine(A, B), C) is R"},
        {CLF_LAW_COMMUTATIVE, "combine is not commutative: combine(A, B) is L, combine(B, A) is R"},
    };
    for (size_t i = 0; i < CLF_COUNT(all); ++i)
        if (all[i].law == b->law)
            write_words(text, b, all[i].words);
}
