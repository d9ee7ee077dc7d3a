/* SPDX-License-Identifier: MIT */
/* Operators: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_OPERATOR_H
#define CLFOLD_OPERATOR_H

#include <clfold/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 3. Operators -------------------------------------------------------------------------------------- */

/* Scalar types. The names are OpenCL C's, and so are the sizes: CLF_LONG is 64 bits. */
typedef enum clf_type {
    CLF_CHAR, CLF_UCHAR, CLF_SHORT, CLF_USHORT, CLF_INT, CLF_UINT, CLF_LONG, CLF_ULONG,
    CLF_HALF, CLF_FLOAT, CLF_DOUBLE,
    CLF_BFLOAT16, /* the upper half of a float: stored, moved and sorted by, but not calculated with */
    CLF_TYPE_COUNT
} clf_type;

/*
 * Built-in operators. AND, OR and XOR are for integer types only. Integer sums and products wrap around in their own
 * type (300 uchars of 1 come to 44; a map to a wider value avoids it). Neutral elements: 0, 1, the largest value for
 * MIN, the smallest for MAX, all ones for AND, 0 for OR and XOR.
 *
 * MIN and MAX of floating types are fmin and fmax, whose neutral element is NaN. One rule holds in all primitives and
 * variants, and in joined operators:
 *   - Numbers, with or without NaNs among them, give the least or the largest number.
 *   - NaNs alone give NaN.
 *   - No elements give +infinity for MIN and -infinity for MAX: an empty segment or row, n = 0, an empty bin, and the
 *     first result of an exclusive scan without an initial value.
 *
 * An initial value, which may be NaN, counts as an element. The sign of a zero, and the sign and payload of a NaN, are
 * those of any element.
 *
 * Your own operator follows this rule only if its `neutral` is NAN. With fmin and +infinity, NaNs alone give NaN or
 * +infinity, depending on the tile boundaries, since fmin(INFINITY, NAN) is INFINITY.
 */
typedef enum clf_op {
    CLF_SUM, CLF_PRODUCT, CLF_MIN, CLF_MAX, CLF_AND, CLF_OR, CLF_XOR,
    CLF_OP_COUNT
} clf_op;

/* Bytes of a scalar type; 0 for a value that is none. */
CLF_API size_t clf_type_size(clf_type type);

/* Its name in field lists ("uint", "bfloat16"), or NULL. */
CLF_API const char *clf_type_name(clf_type type);

/* "sum", "product", …, or NULL. */
CLF_API const char *clf_op_name(clf_op op);

enum { CLF_MAX_FIELDS = 16 };

/*
 * An operator on tuples. A tuple is a structure of arrays: each field lives in an array of its own.
 *
 * Field lists are written like struct members, "float sum; uint count;". Types are OpenCL's scalars (half and double
 * where the device has them) and their vectors of 2, 4, 8 and 16. A list has at most CLF_MAX_FIELDS.
 *
 * A field may be an array of scalars: "float a[10]; uint count;". Functions use x.a[3]. The call's array of the field
 * holds n * 10 floats, those of an element side by side, and is aligned as floats are. Offsets of a clf_array, and
 * what is said of an element's size, count elements of 40 bytes. An element of such a field has at most 64 bytes.
 * Arrays are no captured fields, no keys and no bins. OpenCL C assigns structs, but no arrays: copy a whole value, or
 * loop. Their operators run over several devices nowhere (CLF_E_UNSUPPORTED). clf_sum and its like combine each
 * scalar; clf_min and clf_max refuse arrays of floating numbers.
 *
 * bfloat16 is a type of all devices, which has arrays, but no vectors. Programs with such a field define it as the
 * ushort of its bits, float clf_widen(bfloat16 x), which is exact, and bfloat16 clf_narrow(float x), which rounds to
 * the nearest, of two to the even one; a NaN stays NaN. So a value that is combined is of floats: map widens what is
 * read, and finish narrows what is written. A built-in operator does that. As a key, a bfloat16 has the order of
 * floats. In a value that clf_operator_check tries, its bits must be equal.
 *
 * The source may define helpers and the functions named below, and sees these types:
 *
 *     clf_value     the fields of `value`: what is combined, and what is written
 *     clf_input     the fields of `input`: one element read. The same as clf_value when `input` is NULL. Where no
 *                   array is read (section 18) it has `ulong segment` and `ulong place`
 *     clf_extra     the fields of `extra`: further results of the map
 *     clf_result    the fields of `result`: what is written instead of the value
 *     clf_captured  the fields of `captured` as pointers to whole arrays (__global const), which map, predicate, part,
 *                   same, less, key, finish and place may read anywhere, and combine with CLF_COMBINE_CAPTURES. Also
 *                   `ulong clf_size`, the length of a segment (irregular ones: of all together; merges and searches:
 *                   of the first sequence; the true length, where it lies on the device), and `ulong clf_bins`, the
 *                   number of bins in a reduction by index, elsewhere 0. Both mean nothing in `key` and combine
 *
 * The functions have these shapes (NAME is the string given):
 *
 *     clf_value NAME(clf_value a, clf_value b)                        combine: associative; a lies left of b
 *     clf_value NAME(clf_value a, clf_value b, const clf_captured *c) combine with CLF_COMBINE_CAPTURES
 *     clf_value NAME(void)                                            neutral: changes nothing on either side
 *     clf_value NAME(clf_input x, ulong index)                        map, when `extra` is NULL
 *     clf_value NAME(clf_input x, ulong index, clf_extra *extra)      map, when `extra` is given
 *     clf_value NAME(clf_input x, ulong index, const clf_captured *c) map, when `captured` is given
 *     clf_value NAME(clf_input x, ulong index, const clf_captured *c, clf_extra *extra)     map, when both are
 *     bool NAME(clf_input x, ulong index)                             predicate, without or
 *     bool NAME(clf_input x, ulong index, const clf_captured *c)      with captured arrays: is x kept?
 *     bool NAME(clf_input a, clf_input b)                             same, without or
 *     bool NAME(clf_input a, clf_input b, const clf_captured *c)      with captured arrays: are neighbours of one run?
 *     bool NAME(clf_input a, clf_input b)                             less, without or
 *     bool NAME(clf_input a, clf_input b, const clf_captured *c)      with captured arrays: does a come before b?
 *     uint NAME(clf_input x, ulong index)                             part, without or
 *     uint NAME(clf_input x, ulong index, const clf_captured *c)      with captured arrays: which part takes x?
 *     TYPE NAME(clf_value a)                                          key, without or
 *     TYPE NAME(clf_value a, const clf_captured *c)                   with captured arrays: a scalar to sort a by
 *     clf_result NAME(clf_value a, ulong index)                       finish, not in scans; with captured arrays
 *                                                                     there is one argument more, const clf_captured *c
 *     clf_result NAME(clf_value a, clf_value before, clf_input x, ulong index)     finish in scans; likewise
 *     ulong NAME(clf_value a, clf_value before, clf_input x, ulong index)          place: where it goes; likewise
 *
 * Arguments have these types in this order. Each function is declared again after the source, so that one with other
 * arguments does not compile. Macros with arguments, and sources with overloadable functions, are not checked.
 *
 * combine need be neither commutative nor invertible: operands are never swapped. The map must be pure: it may be
 * evaluated more than once for one element. clf_operator_check tries all that (section 19). Names beginning with clf_
 * or CLF_ are the library's. All other names of functions, types and macros are free: the source is compiled after
 * everything else.
 *
 * If a built-in operator combines each field of the value by itself, name it as `combine`: "clf_sum", "clf_product",
 * "clf_min", "clf_max", "clf_and", "clf_or" or "clf_xor". `neutral` is then NULL. Fields may be vectors. A mean of
 * squares, for example:
 *
 *     {.size = sizeof(clf_operator), .input = "float x;", .value = "float squares; uint count;", .map = "square",
 *      .source = "clf_value square(clf_input in, ulong i) { clf_value v = {in.x * in.x, 1}; return v; }",
 *      .combine = "clf_sum", .flags = CLF_COMMUTATIVE}
 *
 * `finish` makes what scans, adjacent differences and reductions of all kinds write. It gets the value that would be
 * written without it, and the index: of the element in a scan or difference, of the result in a reduction (of bins in
 * rows, through all rows). A scan adds what an exclusive scan would write there, and the element as it is read. The
 * arrays of `result` stand in place of the value's. Initial values are values. An output takes an input's place only
 * where their elements have one size. Like the map, `finish` must be pure. All other primitives refuse an operator that
 * has it, and so do CLF_UPDATE and calls over several devices (CLF_E_UNSUPPORTED). Reductions want its captured arrays
 * even if there are no elements. The means of rows, say, by sums and counts:
 *
 *     {.size = sizeof(clf_operator), .input = "float x;", .value = "float sum; uint count;", .map = "one",
 *      .source = "clf_value one(clf_input in, ulong i) { clf_value v = {in.x, 1}; return v; }"
 *                "clf_result mean(clf_value a, ulong row) { clf_result r = {a.sum / a.count}; return r; }",
 *      .combine = "clf_sum", .flags = CLF_COMMUTATIVE, .result = "float mean;", .finish = "mean"}
 *
 * `place` says where a scan's result goes, with `finish` or without it, and gets the same. It returns the index of an
 * element of the outputs, or CLF_NOWHERE, which the source may name, too: that result is not written. So one pass
 * scans and scatters (clf_scan_placed, and the same of segments; section 5). All other primitives refuse it, and so
 * do clf_operator_join and calls over several devices (CLF_E_UNSUPPORTED). There are no extra outputs beside it. It
 * must be pure. A compaction with the old indices of what is kept, say:
 *
 *     {.size = sizeof(clf_operator), .input = "float x;", .value = "uint kept;", .map = "one", .combine = "clf_sum",
 *      .source = "clf_value one(clf_input in, ulong i) { clf_value v = {in.x > 0}; return v; }"
 *                "clf_result pair(clf_value a, clf_value before, clf_input in, ulong i)"
 *                "{ clf_result r = {in.x, (uint)i}; return r; }"
 *                "ulong to(clf_value a, clf_value before, clf_input in, ulong i)"
 *                "{ return in.x > 0 ? before.kept : CLF_NOWHERE; }",
 *      .flags = CLF_COMMUTATIVE, .result = "float x; uint index;", .finish = "pair", .place = "to"}
 *
 * Captured arrays hold what does not vary with the element. A vector that multiplies each row is c->x[index %
 * c->clf_size]. A number per row is c->y[index / c->clf_size]. Where sizes fit 32 bits, dividing (uint)index is faster.
 * With captured arrays `input` may be "", no fields: the map then makes elements from their indices alone.
 *
 * Combine reads captured arrays only with CLF_COMBINE_CAPTURES, and neutral never. A plan for an operator that has
 * `captured` and no function that reads it is CLF_E_ARGUMENT.
 */
typedef struct clf_operator {
    size_t size;           /* sizeof(clf_operator) */
    const char *value;     /* fields of the value; required */
    const char *input;     /* fields of an input element; NULL: the same as value. If given, a map is needed */
    const char *extra;     /* fields of further mapped outputs, written in the same pass; NULL: none. Likewise */
    const char *captured;  /* arrays that map, predicate, part, same … may read anywhere; NULL: none */
    const char *source;    /* OpenCL C (1.2 is safe everywhere); required where a function is named that it has */
    const char *combine;   /* names of functions in the source. A primitive calls some; the others must be NULL: */
    const char *neutral;   /* combine and neutral in scans, reductions and adjacent differences, */
    const char *map;       /* in all but merges and searches; NULL: the input element is the value, */
    const char *predicate; /* in filters and partitions, */
    const char *same;      /* in clf_unique and, beside combine and neutral, clf_reduce_by_key, */
    const char *less;      /* in sorts by comparison, and where input is sorted: merges and searches (section 15), */
    const char *part;      /* in splits, instead of a predicate in partitions, for bins (section 14), */
    const char *key;       /* and in sorts and top-k, with its type, "float radius"; NULL: the first field of value */
    unsigned flags;        /* CLF_COMMUTATIVE, _NO_INDEX, _WITH_SEGMENT, _COMBINE_CAPTURES, _DENORMS_ARE_ZERO, or 0 */
    const char *result;    /* fields that are written instead of the value's; NULL: the value is written */
    const char *finish;    /* makes them, where primitives have it; both or neither. `size` may end before these */
    const char *place;     /* where each goes, in scans; NULL: where its element lies. `size` may end before it */
} clf_operator;

/* What `place` returns of a result that is not written. No array has such an element. */
#define CLF_NOWHERE 0xffffffffffffffffu

/*
 * A promise that combine(a, b) == combine(b, a). It may allow faster variants, and never changes a result (except by
 * rounding).
 */
#define CLF_COMMUTATIVE 1u

/*
 * A promise that no function uses its index, so that elements may be reordered first. It may allow faster variants
 * (section 14), and never changes a result.
 */
#define CLF_NO_INDEX 2u

/*
 * The map, and finish and place in scans, get the number of the element's segment behind the index:
 *
 *     clf_value NAME(clf_input x, ulong index, ulong segment)                                     map
 *     clf_result NAME(clf_value a, clf_value before, clf_input x, ulong index, ulong segment)     finish in scans
 *     ulong NAME(clf_value a, clf_value before, clf_input x, ulong index, ulong segment)          place
 *
 * What else they get follows as above. In reductions finish has the number anyway: its index. Rows divide for it
 * (index / size). Irregular segments (section 7), however they are told, are numbered from 0, empty ones included. That
 * costs them a pass over a bit per element, and offsets and lengths one over the segments. All primitives but scans and
 * reductions of rows and segments refuse the flag, and so do joined operators and calls over several devices
 * (CLF_E_UNSUPPORTED).
 */
#define CLF_WITH_SEGMENT 4u

/*
 * Combine reads captured arrays, too: a modulus, a table or a matrix that is the same for all values. It has one
 * argument more. Reductions want these arrays even if there are no elements. Compositions of the 24 permutations of
 * four things by their table, say:
 *
 *     {.size = sizeof(clf_operator), .value = "uint p;", .captured = "uint product;", .combine = "compose",
 *      .source = "clf_value compose(clf_value a, clf_value b, const clf_captured *c)"
 *                "{ clf_value v = {c->product[a.p * 24 + b.p]}; return v; }"
 *                "clf_value nothing(void) { clf_value v = {0}; return v; }",
 *      .neutral = "nothing", .flags = CLF_COMBINE_CAPTURES}
 *
 * The flag is for all primitives that combine, and joined operators. Calls over several devices refuse it
 * (CLF_E_UNSUPPORTED). CLF_E_ARGUMENT: there are no captured arrays, or combine is built-in or not called.
 */
#define CLF_COMBINE_CAPTURES 8u

/*
 * A permission to take denormal floats as zero: a plan's programs are compiled with OpenCL's -cl-denorms-are-zero. On
 * some GPUs that makes functions like native_exp a few instructions shorter. It holds for what the library combines
 * and compares in these programs, too, and devices may ignore it. All primitives take the flag. A joined operator has
 * it if all of its parts do. clf_operator_check tries laws without it.
 */
#define CLF_DENORMS_ARE_ZERO 16u

/*
 * The operator of a built-in on one scalar field: a static, immutable descriptor; NULL if the pair does not exist. All
 * are CLF_COMMUTATIVE but the floating-point product: factors in another order may overflow on the way. Those of
 * CLF_BFLOAT16 read and write it, and their value is a float, as are initial values.
 */
CLF_API const clf_operator *clf_builtin(clf_op op, clf_type type);

/*
 * Joins operators into one that does the work of all in one pass: sum, minimum and maximum of an array, say, from one
 * reading of it. All must read the same input: fields of the same types in the same order. The joined operator
 * works with every primitive that combines values. If any has `finish`, the joined one has, and writes each operator's
 * results: what its `finish` makes of its value, or else that. For reductions by key one operator has `same`, or
 * several, which must then all say that neighbours belong together. For reductions by index one has `part`. `error` may
 * be NULL.
 *
 *     const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_INT), clf_builtin(CLF_MAX, CLF_INT)};
 *     clf_operator *both;
 *     clf_operator_join(2, list, &both, NULL);
 *     clf_scan_plan(context, both, 0, NULL, &plan, NULL);
 *     clf_operator_release(both);
 *
 * Its value fields are those of the operators, one operator's after the other's, and so are its extra and its captured
 * fields, and its results. Its input fields are those of the first. If names in one of these lists clash, all names in
 * it get the number of their operator as a prefix: p0_v, p1_v. It is commutative if all are. The operators may be
 * built-in, yours, or joined ones. Sources may share names of functions, types, constants and macros, but not of what
 * only a macro declares. Build logs call operator 1's source operator1.cl, and its clf_value clf_part1_clf_value. A
 * function of the wrong shape is an error at operator1.combine (neutral, map, finish).
 *
 * On a CPU separate calls may be faster: built-in operators have a vector form there, joined ones have none.
 *
 * CLF_E_ARGUMENT: a malformed operator, inputs that differ, more than CLF_MAX_FIELDS fields in a list, or several
 * operators with `part`.
 */
CLF_API clf_status clf_operator_join(cl_uint count, const clf_operator *const *operators, clf_operator **joined,
                                     clf_error *error);

/* Frees a joined operator (nothing else). Plans made from it keep what they need. */
CLF_API clf_status clf_operator_release(clf_operator *joined);

#ifdef __cplusplus
}
#endif
#endif
