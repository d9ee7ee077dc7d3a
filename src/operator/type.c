/* SPDX-License-Identifier: MIT */
/*
 * Scalar types and field lists. A list is parsed by hand, left to right: { type name ; }, where only the very last
 * semicolon may be missing. Behind a name there may be a length in brackets. Offsets are those of the C struct with the
 * same members in OpenCL's host types (cl_float4 …), whose alignment is their size. `initial` values are such structs.
 */
#include "operator/operator.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    cl_uint bytes;
} types[CLF_TYPE_COUNT] = {
    [CLF_CHAR] = {"char", 1},   [CLF_UCHAR] = {"uchar", 1},   [CLF_SHORT] = {"short", 2},
    [CLF_USHORT] = {"ushort", 2}, [CLF_INT] = {"int", 4},     [CLF_UINT] = {"uint", 4},
    [CLF_LONG] = {"long", 8},   [CLF_ULONG] = {"ulong", 8},   [CLF_HALF] = {"half", 2},
    [CLF_FLOAT] = {"float", 4}, [CLF_DOUBLE] = {"double", 8}, [CLF_BFLOAT16] = {"bfloat16", 2},
};

size_t clf_type_size(clf_type type)
{
    return (unsigned)type < CLF_TYPE_COUNT ? types[type].bytes : 0;
}

bool clf_type_is_real(clf_type type)
{
    return type >= CLF_HALF;
}

bool clf_type_is_signed(clf_type type)
{
    return clf_type_is_real(type) || (type - CLF_CHAR) % 2 == 0;
}

const char *clf_type_name(clf_type type)
{
    return (unsigned)type < CLF_TYPE_COUNT ? types[type].name : NULL;
}

/* What OpenCL C keeps for itself and no member can be called, besides the scalar and vector types. */
static const char *const keywords =
    "auto,break,case,const,continue,default,do,else,enum,extern,for,goto,if,inline,register,restrict,return,"
    "signed,sizeof,static,struct,switch,typedef,union,unsigned,volatile,while,void,"
    "kernel,global,local,constant,private,generic,read_only,write_only,read_write,uniform,pipe,"
    "bool,_Bool,quad,complex,imaginary,size_t,ptrdiff_t,intptr_t,uintptr_t,event_t,queue_t,ndrange_t,clk_event_t,"
    "reserve_id_t,cl_mem_fence_flags,sampler_t,image1d_t,image1d_array_t,image1d_buffer_t,image2d_t,"
    "image2d_array_t,image2d_depth_t,image2d_array_depth_t,image3d_t";

/* Its macros that are constants: a member of such a name would be a number. */
static const char *const constants =
    "true,false,NULL,NAN,INFINITY,HUGE_VAL,HUGE_VALF,MAXFLOAT,CHAR_BIT,CHAR_MAX,CHAR_MIN,SCHAR_MAX,SCHAR_MIN,UCHAR_MAX,"
    "SHRT_MAX,SHRT_MIN,USHRT_MAX,INT_MAX,INT_MIN,UINT_MAX,LONG_MAX,LONG_MIN,ULONG_MAX,FLT_DIG,FLT_MANT_DIG,"
    "FLT_MAX_10_EXP,"
    "FLT_MAX_EXP,FLT_MIN_10_EXP,FLT_MIN_EXP,FLT_RADIX,FLT_MAX,FLT_MIN,FLT_EPSILON,DBL_MAX,DBL_MIN,DBL_EPSILON,HALF_MAX,"
    "HALF_MIN,HALF_EPSILON,M_E,M_LOG2E,M_LOG10E,M_LN2,M_LN10,M_PI,M_PI_2,M_PI_4,M_1_PI,M_2_PI,M_2_SQRTPI,M_SQRT2,"
    "M_SQRT1_2,M_E_F,M_LOG2E_F,M_LOG10E_F,M_LN2_F,M_LN10_F,M_PI_F,M_PI_2_F,M_PI_4_F,M_1_PI_F,M_2_PI_F,M_2_SQRTPI_F,"
    "M_SQRT2_F,M_SQRT1_2_F";

typedef struct parser {
    const char *text, *at;
    const char *what; /* the name of the list */
    clf_error *error;
} parser;

/* A name, a type, or (anything else) one character; of length 0 at the end of the text. */
typedef struct word {
    const char *begin;
    size_t length;
    bool is_name;
} word;

static word next_word(parser *p)
{
    p->at += strspn(p->at, " \t\r\n");
    word w = {p->at, 0, clf_is_name_character(*p->at) && (*p->at < '0' || *p->at > '9')};
    while (w.is_name && clf_is_name_character(w.begin[w.length]))
        ++w.length;
    if (!w.is_name && *p->at != '\0')
        w.length = 1;
    p->at += w.length;
    return w;
}

static clf_status fail_at(const parser *p, word w, const char *reason)
{
    const int shown = w.length < 64 ? (int)w.length : 64;
    return clf_fail(p->error, CLF_E_ARGUMENT, "%s, character %zu: %s%.*s%s %s", p->what,
                    (size_t)(w.begin - p->text) + 1, shown != 0 ? "'" : "the end", shown, w.begin,
                    shown != 0 ? "'" : "", reason);
}

/* Splits "float4" into type and width. Width 3 passes, so that it can be refused with a reason. */
static bool split_type(word w, clf_type *type, cl_uint *width)
{
    static const struct {
        const char *digits;
        cl_uint width;
    } widths[] = {{"", 1}, {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}};
    for (int t = 0; t < CLF_TYPE_COUNT; ++t) {
        for (size_t i = 0; i < CLF_COUNT(widths); ++i) {
            const size_t scalar = strlen(types[t].name), digits = strlen(widths[i].digits);
            if (w.length == scalar + digits && memcmp(w.begin, types[t].name, scalar) == 0 &&
                memcmp(w.begin + scalar, widths[i].digits, digits) == 0) {
                *type = (clf_type)t;
                *width = widths[i].width;
                return true;
            }
        }
    }
    return false;
}

bool clf_is_reserved(const char *name)
{
    const word w = {name, strlen(name), true};
    clf_type type;
    cl_uint width;
    return split_type(w, &type, &width) || clf_list_has(keywords, name) || clf_list_has(constants, name);
}

static clf_status parse_type(parser *p, word w, clf_field *field)
{
    if (!w.is_name || !split_type(w, &field->type, &field->width))
        return fail_at(p, w, "is not an OpenCL scalar type or a vector of 2, 4, 8 or 16");
    if (field->width == 3)
        return fail_at(p, w, "is not possible: vectors of 3 have no portable layout in arrays; take three fields");
    if (field->type == CLF_BFLOAT16 && field->width != 1)
        return fail_at(p, w, "is not possible: bfloat16 has no vectors; take several fields");
    field->bytes = types[field->type].bytes * field->width;
    return CLF_SUCCESS;
}

static clf_status parse_name(parser *p, const clf_fields *fields, clf_field *field)
{
    const word w = next_word(p);
    if (!w.is_name)
        return fail_at(p, w, "stands where the name of a field should");
    if (w.length >= sizeof field->name)
        return fail_at(p, w, "is too long a name");
    memcpy(field->name, w.begin, w.length);
    field->name[w.length] = '\0';
    if (strncmp(field->name, "clf_", 4) == 0 || strncmp(field->name, "CLF_", 4) == 0)
        return fail_at(p, w, "begins like the library's own names");
    if (strncmp(field->name, "__", 2) == 0 || clf_is_reserved(field->name))
        return fail_at(p, w, "is a name that OpenCL C reserves");
    if (clf_fields_have(fields, field->name))
        return fail_at(p, w, "names two fields");
    return CLF_SUCCESS;
}

enum { MOST_OF_ARRAY = 64 /* bytes */ };

/* "[10]", of which the bracket has been read. */
static clf_status parse_length(parser *p, word bracket, clf_field *field)
{
    cl_uint length = 0;
    word w = next_word(p);
    const word number = w;
    for (; w.length == 1 && *w.begin >= '0' && *w.begin <= '9' && length <= MOST_OF_ARRAY; w = next_word(p))
        length = 10 * length + (cl_uint)(*w.begin - '0');
    if (length == 0)
        return fail_at(p, number, "stands where an array's length should, a number from 1 on");
    if (field->width != 1)
        return fail_at(p, bracket, "begins an array of vectors: arrays are of scalars");
    if (length * field->bytes > MOST_OF_ARRAY)
        return fail_at(p, number, "begins too large a length: an array has at most 64 bytes");
    if (w.length == 0 || *w.begin != ']')
        return fail_at(p, w, "stands where ']' should");
    field->is_array = true;
    field->width = length;
    field->bytes *= length;
    return CLF_SUCCESS;
}

/* Appends a field behind the others. */
static void place(clf_fields *fields, clf_field *field)
{
    const cl_uint alignment = clf_field_alignment(field);
    field->offset = (fields->bytes + alignment - 1) / alignment * alignment;
    fields->bytes = field->offset + field->bytes;
    fields->field[fields->count++] = *field;
}

static clf_status parse_field(parser *p, word first, clf_fields *fields)
{
    clf_field field = {0};
    if (fields->count == CLF_MAX_FIELDS)
        return fail_at(p, first, "begins one field too many");
    CLF_TRY(parse_type(p, first, &field));
    CLF_TRY(parse_name(p, fields, &field));
    word end = next_word(p);
    if (end.length != 0 && *end.begin == '[') {
        CLF_TRY(parse_length(p, end, &field));
        end = next_word(p);
    }
    if (end.length != 0 && *end.begin != ';')
        return fail_at(p, end, "stands where ';' should");
    place(fields, &field);
    return CLF_SUCCESS;
}

clf_status clf_fields_parse(const char *text, const char *what, clf_fields *fields, clf_error *error)
{
    parser p = {text, text, what, error};
    *fields = (clf_fields){0};
    if (!text)
        return CLF_SUCCESS;
    for (word w = next_word(&p); w.length != 0; w = next_word(&p))
        CLF_TRY(parse_field(&p, w, fields));
    if (fields->count == 0)
        return clf_fail(error, CLF_E_ARGUMENT, "%s, character 1: the list has no fields", what);
    cl_uint alignment = 1;
    for (cl_uint i = 0; i < fields->count; ++i)
        if (clf_field_alignment(&fields->field[i]) > alignment)
            alignment = clf_field_alignment(&fields->field[i]);
    fields->bytes = (fields->bytes + alignment - 1) / alignment * alignment;
    return CLF_SUCCESS;
}

bool clf_fields_have(const clf_fields *fields, const char *name)
{
    for (cl_uint i = 0; i < fields->count; ++i)
        if (strcmp(fields->field[i].name, name) == 0)
            return true;
    return false;
}

bool clf_fields_use(const clf_fields *fields, clf_type type)
{
    for (cl_uint i = 0; i < fields->count; ++i)
        if (fields->field[i].type == type)
            return true;
    return false;
}

cl_uint clf_fields_sum(const clf_fields *fields)
{
    cl_uint sum = 0;
    for (cl_uint i = 0; i < fields->count; ++i)
        sum += fields->field[i].bytes;
    return sum;
}

cl_uint clf_field_words(const clf_field *field)
{
    return (field->bytes + 3) / 4;
}

cl_uint clf_fields_words(const clf_fields *fields)
{
    cl_uint words = 0;
    for (cl_uint i = 0; i < fields->count; ++i)
        words += clf_field_words(&fields->field[i]);
    return words;
}

cl_uint clf_fields_largest(const clf_fields *fields)
{
    cl_uint largest = 0;
    for (cl_uint i = 0; i < fields->count; ++i)
        if (fields->field[i].bytes > largest)
            largest = fields->field[i].bytes;
    return largest;
}

bool clf_fields_have_array(const clf_fields *fields)
{
    for (cl_uint i = 0; i < fields->count; ++i)
        if (fields->field[i].is_array)
            return true;
    return false;
}

void clf_field_type_name(const clf_field *field, char name[16])
{
    if (field->width == 1 || field->is_array)
        snprintf(name, 16, "%s", types[field->type].name);
    else
        snprintf(name, 16, "%s%u", types[field->type].name, (unsigned)field->width);
}

bool clf_field_is_scalar(const clf_field *field)
{
    return field->width == 1 && !field->is_array;
}

cl_uint clf_field_alignment(const clf_field *field)
{
    return field->is_array ? types[field->type].bytes : field->bytes;
}

bool clf_fields_alike(const clf_field *one, const clf_field *other)
{
    return one->bytes == other->bytes && one->is_array == other->is_array &&
           clf_field_alignment(one) == clf_field_alignment(other);
}
