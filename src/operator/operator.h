/* SPDX-License-Identifier: MIT */
/*
 * operator: what the caller combines, and how: types, fields, functions, sources.
 */
#ifndef CLF_OPERATOR_H
#define CLF_OPERATOR_H

#include "base/base.h"

/* ---- type.c: scalar types and field lists ------------------------------------------------------------ */

typedef struct clf_field {
    clf_type type;
    cl_uint width;  /* vector width: 1, 2, 4, 8 or 16; or the length of an array */
    cl_uint bytes;  /* of one element */
    cl_uint offset; /* in the C struct of all fields */
    bool is_array;  /* of scalars, as each of which it is aligned */
    char name[48];
} clf_field;

typedef struct clf_fields {
    cl_uint count;
    cl_uint bytes; /* sizeof the C struct, 0 if count is 0 */
    clf_field field[CLF_MAX_FIELDS];
} clf_fields;

/* Is it a keyword, a type or a constant of OpenCL C? */
bool clf_is_reserved(const char *name);
/* Parses "float sum; uint count;"; `what` names the list in messages. NULL text gives no fields. */
clf_status clf_fields_parse(const char *text, const char *what, clf_fields *fields, clf_error *error);
bool clf_fields_have(const clf_fields *fields, const char *name);
/* Does any field have this scalar type? */
bool clf_fields_use(const clf_fields *fields, clf_type type);
bool clf_type_is_real(clf_type type);
bool clf_type_is_signed(clf_type type);
/* Sum of the bytes of one element over all fields (memory traffic), and the largest of them. */
cl_uint clf_fields_sum(const clf_fields *fields);
cl_uint clf_fields_largest(const clf_fields *fields);
/* 32-bit words that an element is exchanged as: a field takes one at least (CLF_VALUE_WORDS). */
cl_uint clf_field_words(const clf_field *field);
cl_uint clf_fields_words(const clf_fields *fields);
/* "float4"; of an array, which it is of: "float" */
void clf_field_type_name(const clf_field *field, char name[16]);
bool clf_field_is_scalar(const clf_field *field);
bool clf_fields_have_array(const clf_fields *fields);
cl_uint clf_field_alignment(const clf_field *field);
/* Do their elements move alike, so that they can lie in each other's place? */
bool clf_fields_alike(const clf_field *one, const clf_field *other);

/* ---- listed.c: a field in a program's lists ------------------------------------------------------------- */

/* The type that a program has it in, the unsigned type that moves it between memories, bytes, and the member's name. */
typedef struct clf_listed {
    char type[20], move[20], bytes[12], name[80];
} clf_listed;
clf_listed clf_field_listed(const clf_field *field);
/* "[10]", or nothing: what lists of fields have behind a name. */
void clf_field_write_length(clf_text *text, const clf_field *field);
/* " float x;": it as a member of a struct. */
void clf_field_declare(clf_text *text, const clf_field *field);
/* The unsigned type that moves an element of `bytes` between memories. */
const char *clf_exchange_type(cl_uint bytes);

/* ---- builtin.c: the library's own operators ------------------------------------------------------------- */

#define CLF_BUILTIN_NEUTRAL "clf_builtin_neutral"
/* Which of them clf_operator.combine names; CLF_OP_COUNT: none. */
clf_op clf_builtin_named(const char *name);
const char *clf_builtin_function(clf_op op); /* "clf_sum"; static */
/* Can it combine such fields? */
clf_status clf_builtin_check(clf_op op, const clf_fields *value, clf_error *error);
/* Appends its functions in OpenCL C, and what cl/cpu/vector.cl wants to know of a scalar field. */
void clf_builtin_write(clf_text *text, clf_op op, const clf_fields *value);
void clf_builtin_write_vector(clf_text *text, clf_op op, const clf_field *field);

/* ---- extremes.c: minima and maxima of floating types ------------------------------------------------------ */

/*
 * Fields of a value that the library combines by fmin or fmax, a bit for each. NaN is their neutral element; the result
 * of no elements is infinite.
 */
typedef struct clf_extremes {
    cl_uint minima, maxima;
} clf_extremes;
/* Those of an operator, by its `combine`, or else by the name of its neutral function. */
clf_extremes clf_extremes_of(clf_op builtin, const char *neutral, const clf_fields *value);
/*
 * The neutral function of a joined operator has this name, then a letter for each field that says whether it is an
 * extreme. So a copy of the descriptor says so, too.
 */
/* Behind it stand two letters for each part: how many fields its value has, and how many results; a for none. */
#define CLF_JOINED_MAP "clf_joined_map_"
#define CLF_JOINED_NEUTRAL "clf_joined_neutral_"
enum { CLF_JOINED_NAME = sizeof CLF_JOINED_NEUTRAL + 2 * CLF_MAX_FIELDS };
/* Appends the letters of one operator; an empty name begins with the above. */
void clf_extremes_append(char name[CLF_JOINED_NAME], clf_extremes extremes, cl_uint fields);

/* ---- operator.c: operators checked and copied ----------------------------------------------------------- */

/* The functions of an operator's source, bits of a set: function.c. */
typedef enum clf_function {
    CLF_FUNCTION_COMBINE = 1, CLF_FUNCTION_NEUTRAL = 2, CLF_FUNCTION_MAP = 4, CLF_FUNCTION_PREDICATE = 8,
    CLF_FUNCTION_SAME = 16, CLF_FUNCTION_LESS = 32, CLF_FUNCTION_PART = 64,
    CLF_FUNCTION_KEY = 128,
    CLF_FUNCTION_FINISH = 256, /* in a primitive's set: there may be one */
    CLF_FUNCTION_PLACE = 512,  /* likewise */
    CLF_FUNCTION_NONE = 1024,  /* of primitives that only move fields */
    CLF_FUNCTION_STEPS = 2048, /* of scans: finish gets the value before and the element, too */
    CLF_FUNCTION_SEGMENTS = 4096 /* functions of elements may get the segment's number (CLF_WITH_SEGMENT) */
} clf_function;
enum { CLF_FUNCTIONS = 10 };
/* What primitives call whose results the operator may finish: all such; of rows and segments; scans; with places. */
enum {
    CLF_FINISHING = CLF_FUNCTION_COMBINE | CLF_FUNCTION_FINISH,
    CLF_REDUCING = CLF_FINISHING | CLF_FUNCTION_SEGMENTS,
    CLF_SCANNING = CLF_REDUCING | CLF_FUNCTION_STEPS,
    CLF_PLACING = CLF_SCANNING | CLF_FUNCTION_PLACE
};
static inline clf_function clf_function_number(int i)
{
    return (clf_function)(1 << i);
}

/* How kernels know the number of an element's segment: not; by a division; by head bits; where some are empty. */
typedef enum clf_numbers {
    CLF_NO_NUMBERS,
    CLF_NUMBERS_OF_ROWS,
    CLF_NUMBERS_OF_HEADS,
    CLF_NUMBERS_BY_NAMES
} clf_numbers;

/* A checked copy. `input` is the same as `value` where the caller gave none. */
typedef struct clf_operator_copy {
    clf_fields value, input, extra, captured; /* input may have no fields where there are captured ones */
    clf_fields result;                        /* what finish makes; see clf_operator_results */
    clf_fields written;                       /* the results that the plan wants, if these are not all */
    cl_ulong wanted;                          /* a bit for each of them, among all; 0: it wants all */
    cl_uint carried; /* fields of the value that these need, a bit for each: what groups hand on; 0: all */
    bool own_input;  /* the caller gave a list of input fields: clf_input is a type of its own */
    char *source, *combine, *neutral, *map; /* NULL: a map that there is not, or what the primitive does not call */
    char *predicate, *same, *less, *part, *key, *finish, *place;
    clf_type key_type; /* what key returns; where there is no key, the type of the first field, which is the key */
    cl_uint key_bytes; /* 16: a vector of two */
    clf_op builtin;    /* whose function combine is; CLF_OP_COUNT: the caller's */
    clf_extremes extremes;
    size_t own_source;   /* of a built-in: how long the caller's part of source is; its function stands behind */
    clf_numbers numbers; /* how kernels know an element's segment */
    bool reversed;       /* kernels go from the last element to the first (CLF_REVERSE) */
    char *vector;        /* of a built-in on one scalar: its form for vectors, macros for cl/cpu/vector.cl; else NULL */
    unsigned called;     /* which of them the primitive calls besides map and neutral element: a set */
    unsigned flags;
    bool coded; /* programs have codes of minima and maxima instead of floating numbers (cl/reduce_by_index/code.cl) */
    cl_uint in_sets, out_sets; /* tuples of arrays that a call of the primitive has: elements of several sequences */
    cl_uint form;              /* what its plan is made for besides: a number of the primitive's own */
} clf_operator_copy;

/* Is it to be coded, and are there any? */
bool clf_extremes_are_coded(const clf_operator_copy *op);
/* The unsigned integers, or vectors of them, that are codes of a floating field. */
clf_field clf_extremes_code(const clf_field *field);

/* Is it of this version, or of one before `place`, or before `result`? */
static inline bool clf_operator_is_known(const clf_operator *op)
{
    return op->size == sizeof *op || op->size == offsetof(clf_operator, place) ||
           op->size == offsetof(clf_operator, result);
}
/* Does `key` read captured arrays? */
static inline bool clf_key_captures(const clf_operator_copy *op)
{
    return op->key && op->captured.count > 0;
}
/* Does `combine`? */
static inline bool clf_combine_captures(const clf_operator_copy *op)
{
    return op->flags & CLF_COMBINE_CAPTURES && op->called & CLF_FUNCTION_COMBINE;
}
/* Its functions finish and place, and fields result; NULL: it has none. */
static inline const char *clf_operator_place(const clf_operator *op)
{
    return op->size == sizeof *op ? op->place : NULL;
}
static inline const char *clf_operator_finish(const clf_operator *op)
{
    return clf_operator_is_known(op) && op->size > offsetof(clf_operator, finish) ? op->finish : NULL;
}
static inline const char *clf_operator_result(const clf_operator *op)
{
    return clf_operator_is_known(op) && op->size > offsetof(clf_operator, result) ? op->result : NULL;
}
static inline bool clf_operator_carries(const clf_operator_copy *op, cl_uint field)
{
    return !op->carried || op->carried >> field & 1;
}
/* Words of a value that groups hand on. */
cl_uint clf_operator_words(const clf_operator_copy *op);
/* All results, wanted or not, which a caller's arrays are of. */
static inline const clf_fields *clf_operator_made(const clf_operator_copy *op)
{
    return op->finish ? &op->result : &op->value;
}
/* What is written besides extra outputs. */
static inline const clf_fields *clf_operator_results(const clf_operator_copy *op)
{
    return op->wanted ? &op->written : clf_operator_made(op);
}
/* What tiles stage besides extra outputs: where sums are finished, that is done as they are written. */
static inline const clf_fields *clf_operator_staged(const clf_operator_copy *op)
{
    return op->called & CLF_FUNCTION_STEPS ? clf_operator_results(op) : &op->value;
}
/* How many arrays a call writes, and how many the caller gives. Further sets are of values. */
static inline cl_uint clf_operator_outputs(const clf_operator_copy *op)
{
    return clf_operator_results(op)->count + (op->out_sets - 1) * op->value.count + op->extra.count;
}
static inline cl_uint clf_operator_arrays(const clf_operator_copy *op)
{
    return op->out_sets * clf_operator_made(op)->count + op->extra.count;
}
/* Is what is written another struct than the value, or does it lie elsewhere? Then programs have CLF_FINISH. */
static inline bool clf_operator_ends(const clf_operator_copy *op)
{
    return op->finish || op->place || op->wanted;
}
/* Do its own functions say what is written, or where? Else results are values, or fields of these. */
static inline bool clf_operator_makes(const clf_operator_copy *op)
{
    return op->finish || op->place;
}

/* "combine": the field of clf_operator. */
const char *clf_function_name(clf_function function);
/* What the caller calls it; NULL: there is none. */
const char *clf_function_given(const clf_operator_copy *op, clf_function function);
/* May a function be called that? Only the compiler knows whether the source has it. */
clf_status clf_function_check(clf_function function, const char *name, clf_error *error);
/* Does it read captured arrays, of which there are some? */
bool clf_function_captures(const clf_operator_copy *op, clf_function function);
/* "clf_value", "bool", "uint" or a key's type. */
const char *clf_function_type(const clf_operator_copy *op, clf_function function);
/* "(clf_value clf_a, clf_value clf_b)", with `prefix` before all types but ulong; and "(clf_a, clf_b)". */
void clf_function_parameters(clf_text *text, const clf_operator_copy *op, clf_function function, const char *prefix);
void clf_function_arguments(clf_text *text, const clf_operator_copy *op, clf_function function);
/* Declares a function behind the source that defines it: an error, if it has another shape. */
void clf_function_declare(clf_text *text, const clf_operator_copy *op, clf_function function, const char *prefix,
                          bool renamed /* its name has the prefix, too */);
/* After a failed build: has the message say which function is not what it should be, if the log says so. */
clf_status clf_function_blame(const clf_operator_copy *op, clf_status status, clf_error *error);

/*
 * `needed` is the set of what the primitive calls besides the map. CLF_FUNCTION_COMBINE includes the neutral element.
 * _PREDICATE, _SAME, _LESS and _PART are required, except _PART beside _COMBINE; _KEY is optional. _NONE stands alone.
 * So does _MAP: kernels then make the elements that it gets, a segment's number and a place in it.
 * All other functions must be NULL.
 */
clf_status clf_operator_take(const clf_operator *op, unsigned needed, clf_operator_copy *copy, clf_error *error);
/* Leaves out all results but those of `wanted` (clf_plan_options), if that names any. */
clf_status clf_operator_want(clf_operator_copy *op, cl_ulong wanted, clf_error *error);
/* No operator, for primitives that only move elements: one field of 1 to 16 bytes, no functions. */
void clf_operator_none(cl_uint element_bytes, clf_operator_copy *copy);
/* Does the library combine its values, and are they integers? Then no order makes a difference. */
bool clf_operator_is_exact(const clf_operator_copy *op);
/* Bytes of the smallest field among inputs and outputs that is no array. */
cl_uint clf_operator_narrowest(const clf_operator_copy *op);
void clf_operator_free(clf_operator_copy *copy);

/* ---- names.c, join.c: what a source declares; operators joined ------------------------------------------- */

/* A name, in the source. */
typedef struct clf_name {
    const char *begin;
    size_t length;
} clf_name;
typedef struct clf_names {
    clf_name *list;
    size_t count;
    bool failed; /* out of memory */
} clf_names;
/* Adds what a source declares at file scope, and the macros that it defines. */
void clf_names_find(const char *source, clf_names *declared, clf_names *macros);
/* Has it a loop that goes on for as long as its data say: while, goto, or a for without a beginning? */
bool clf_source_loops(const char *source);
/* Does it name printf? NULL does not. */
bool clf_source_prints(const char *source);
bool clf_names_have(const clf_names *names, const char *begin, size_t length);
void clf_names_free(clf_names *names);
/* Length of the word (letters, digits, underscores) at the start of a text. */
size_t clf_name_length(const char *text);

#endif
