/* SPDX-License-Identifier: MIT */
/*
 * The reference: what every primitive of clfold computes, written plainly and sequentially. Read this first.
 *
 * A ref_operator pairs a clf_operator (what the device compiles) with the same operator in C. Host structs have the
 * fields of the device's clf_value, clf_input and clf_extra, in that order; a layout says where each field lies.
 * The operators themselves are in ref_builtin.c, ref_user.c, ref_tuple.c and ref_difference.c.
 */
#ifndef CLFOLD_TESTS_REF_H
#define CLFOLD_TESTS_REF_H

#include "clfold/clfold.h"
#include "gen.h"

#include <stdbool.h>
#include <stddef.h>

/* No struct of the tests is larger, or more strictly aligned. */
enum { REF_MAX_BYTES = 256, REF_ALIGN = 128 };

/* In place of the bytes of floating numbers: these are of 2 bytes, and no halves. */
enum { REF_BFLOAT16 = 3 };

typedef struct ref_layout {
    size_t count;
    struct {
        size_t bytes, offset;
    } field[CLF_MAX_FIELDS];
} ref_layout;

/* Any struct of the tests. */
typedef union ref_element {
    unsigned char bytes[REF_MAX_BYTES];
    cl_ulong16 aligned;
} ref_element;

/* One field of a layout. */
#define REF_FIELD(STRUCT, MEMBER) {sizeof(((STRUCT *)0)->MEMBER), offsetof(STRUCT, MEMBER)}

typedef struct ref_operator {
    const char *name;
    const clf_operator *clf; /* NULL for a built-in: clf_builtin(kind, type) */
    clf_op kind;
    clf_type type;
    ref_layout value, input, extra; /* input: captured arrays, too */
    const void *neutral;
    const void *nothing; /* what no elements add up to; NULL: the neutral element */
    size_t real;         /* bytes of the floating numbers that its fields are (ref_same); 0: compared as bits */
    void (*combine)(const void *a, const void *b, void *out);                 /* a lies left of b */
    void (*map)(const void *input, cl_ulong index, void *value, void *extra); /* NULL: the input is the value */
    void (*generate)(gen *random, cl_ulong index, void *input);               /* one random input element */
} ref_operator;

/* out[i] = initial · x[0] · … · x[i], or up to x[i-1] if exclusive; `initial` NULL is the neutral element,
 * or, where nothing was combined, that which the operator says of nothing.
 * `out` has the arrays of the value, then those of the extra outputs. No array may overlap another. */
void ref_scan(const ref_operator *op, size_t n, const void *const *in, void *const *out, const void *initial,
              bool exclusive);

/* The same, but starting anew from `initial` at each i where heads[i] is not 0. */
void ref_segmented_scan(const ref_operator *op, size_t n, const unsigned char *heads, const void *const *in,
                        void *const *out, const void *initial, bool exclusive);

/* The same from the right: out[i] = x[i] · x[i + 1] …, up to where the next segment starts. */
void ref_reverse_scan(const ref_operator *op, size_t n, const unsigned char *heads, const void *const *in,
                      void *const *out, const void *initial, bool exclusive);

/* out[i] = x[i - 1] · x[i]; where heads[i] is not 0, initial · x[i], or x[i] if `initial` is NULL. */
void ref_adjacent_difference(const ref_operator *op, size_t n, const unsigned char *heads, const void *const *in,
                             void *const *out, const void *initial);

/* out[s] = initial · x[s * size] · … · x[s * size + size - 1] for each of `count` segments; extra outputs as in a
 * scan. */
void ref_reduce(const ref_operator *op, size_t count, size_t size, const void *const *in, void *const *out,
                const void *initial);

/* The same for segments of these lengths, which may be 0; of the results only the first `room` are kept. */
void ref_irregular_reduce(const ref_operator *op, size_t count, const size_t *lengths, size_t room,
                          const void *const *in, void *const *out, const void *initial);

/*
 * What a filter keeps, in order: elements for which `keep` is true, each as `map` makes it; `before` is the element
 * before x, or x itself at the start. A generator makes an element that is kept, or not, as wanted; `run` says how many
 * were wanted before.
 */
typedef struct ref_filter {
    const char *name;
    const clf_operator *clf; /* with `same` for clf_unique, else with a predicate for clf_filter; of a partition in two
                              * with a predicate, in three with `part` */
    ref_layout value, input; /* input: captured arrays, too */
    bool (*keep)(const void *before, const void *x, cl_ulong index);
    void (*map)(const void *x, cl_ulong index, void *value); /* NULL: the input is the value */
    void (*generate)(gen *random, bool wanted, cl_ulong run, void *x);
    size_t parts;                    /* outputs of a partition; else 1 */
    unsigned (*part)(const void *x); /* of three: which takes x; of two what is kept comes first */
} ref_filter;
enum { REF_FILTER_INT, REF_FILTER_BYTE, REF_FILTER_TUPLE, REF_FILTER_INDEX, REF_FILTER_WIDE, REF_FILTER_SMALL,
       REF_FILTER_ARRAYS, REF_UNIQUE_INT, REF_UNIQUE_RUNS, REF_UNIQUE_CAPTURED, REF_PARTITION_INT, REF_PARTITION_BYTE,
       REF_PARTITION_TUPLE, REF_THREE_INT, REF_THREE_BYTE, REF_THREE_PLACES, REF_FILTER_COUNT };
enum { REF_MAX_PARTS = 3 };
extern const ref_filter ref_filter_arrays; /* of ref_array_runs.c */
const ref_filter *ref_filter_of(int which);
/* "filter", "unique" or "partition". */
const char *ref_filter_primitive(const ref_filter *filter);
/* Counts what is in each part; only the first `room` results of each are written: fields of part 0, of part 1 … */
void ref_filter_run(const ref_filter *filter, size_t n, size_t room, const void *const *in, void *const *out,
                    cl_ulong counts[REF_MAX_PARTS]);

/*
 * A split: elements in order of their parts, each as `map` makes it. `digit` says which part takes an element; of too
 * large ones the last. A generator makes an element of a digit, which is at most `most`.
 */
typedef struct ref_split {
    const char *name;
    const clf_operator *clf;
    ref_layout value, input; /* input: captured arrays, too */
    unsigned (*digit)(const void *x);
    void (*map)(const void *x, cl_ulong index, void *value); /* NULL: the input is the value */
    void (*generate)(gen *random, unsigned digit, void *x);
    unsigned most;
} ref_split;
enum { REF_SPLIT_INT, REF_SPLIT_BYTE, REF_SPLIT_SHORT, REF_SPLIT_LONG, REF_SPLIT_WIDE, REF_SPLIT_PAIR, REF_SPLIT_TUPLE,
       REF_SPLIT_CAPTURED, REF_SPLIT_ARRAYS, REF_SPLIT_COUNT };
enum { REF_MOST_PARTS = 256 };
const ref_split *ref_split_of(int which);
/* Counts what is in each of `parts` parts. */
void ref_split_run(const ref_split *split, size_t parts, size_t n, const void *const *in, void *const *out,
                   cl_ulong *counts);

/*
 * What gathers and scatters move: fields as clf_gather_plan gets them, with the bytes of elements, and of components of
 * these. And one array moved: out[i] = in[indices[i]] or, by a scatter, out[indices[i]] = in[i] for each i < m of which
 * indices[i] < n.
 */
typedef struct ref_moved {
    const char *fields;
    size_t count;
    struct {
        size_t bytes, scalar;
    } field[CLF_MAX_FIELDS];
} ref_moved;
enum { REF_MOVED_COUNT = 18 };
const ref_moved *ref_moved_of(int which);
void ref_move(bool scatter, size_t bytes, size_t n, size_t m, const cl_ulong *indices, const void *in, void *out);

/*
 * An order of elements. Two that differ in rank are in the order of their ranks, but for the narrowest types; those of
 * the same rank are alike, and only the tag tells which is which. `less` may look into captured arrays of `entries`
 * elements.
 */
typedef struct ref_order {
    const char *name;
    const clf_operator *clf;
    ref_layout value;
    bool (*less)(const void *a, const void *b);
    void (*make)(cl_ulong rank, cl_ulong tag, void *x);
    ref_layout captured;
    size_t entries;
    void (*capture)(void *const *arrays);
} ref_order;
enum { REF_ORDER_INT, REF_ORDER_DOWN, REF_ORDER_BYTE, REF_ORDER_TUPLE, REF_ORDER_PAIR, REF_ORDER_WIDE,
       REF_ORDER_CAPTURED, REF_ORDER_ARRAYS, REF_ORDER_COUNT };
const ref_order *ref_order_of(int which);
/* `in` has the arrays of the first sequence, then those of the second. */
void ref_merge(const ref_order *order, size_t n_first, size_t n_second, const void *const *in, void *const *out);
/* n elements sorted; stable. No array may overlap another. */
void ref_merge_sort(const ref_order *order, size_t n, const void *const *in, void *const *out);
/* The place of the first that is less than the one before it, or n. */
cl_ulong ref_sorted_until(const ref_order *order, size_t n, const void *const *in);
/* How many of n elements come before one of the second sequence: those less than it, or not greater. */
cl_ulong ref_bound(const ref_order *order, bool upper, size_t n, const void *const *in, size_t needle);

/*
 * Runs of neighbours of which `same` is true: what `combine` makes of their elements, each as `map` makes it, and the
 * extra outputs of the first. A generator makes an element of run number `run`.
 */
typedef struct ref_by_key {
    const char *name;
    const clf_operator *clf;
    ref_layout value, input, extra;
    void (*combine)(const void *a, const void *b, void *out);
    void (*map)(const void *x, cl_ulong index, void *value, void *extra); /* NULL: the input is the value */
    bool (*same)(const void *a, const void *b);
    void (*generate)(gen *random, cl_ulong run, cl_ulong index, void *x);
    size_t real; /* of a minimum or maximum of floating numbers, their bytes (ref_same); else 0 */
} ref_by_key;
enum { REF_BY_KEY_LENGTHS, REF_BY_KEY_SIGNS, REF_BY_KEY_TUPLE, REF_BY_KEY_WIDE, REF_BY_KEY_CAPTURED,
       REF_BY_KEY_ARRAYS, REF_BY_KEY_SUM, REF_BY_KEY_MATRIX, REF_BY_KEY_MIXED, REF_BY_KEY_FIRST, REF_BY_KEY_LAST,
       REF_BY_KEY_LEAST, REF_BY_KEY_MOST, REF_BY_KEY_COUNT };
extern const ref_by_key ref_by_key_captured;
const ref_by_key *ref_by_key_arrays(void); /* of ref_array_runs.c */
const ref_by_key *ref_by_key_of(int which);
/* Returns how many runs there are; only the first `room` results are written: values, then extra outputs. */
size_t ref_by_key_run(const ref_by_key *op, bool nontrivial, size_t n, size_t room, const void *const *in,
                      void *const *out);

/*
 * What is sorted, and by which key: a field of the value, or what `key` makes of one. A generator makes an element
 * whose key has these bits, or, where its fields cannot have them, some that depend on them alone; all else tells
 * elements apart by their index.
 */
typedef struct ref_sort {
    const char *name;
    const clf_operator *clf;
    clf_type type;           /* of keys; */
    bool wide;               /* of which a key is two: ulong2 */
    ref_layout value, input; /* input: captured arrays, too */
    size_t field;            /* of the value, where `key` is NULL: the key */
    void (*key)(const void *value, void *key);
    void (*map)(const void *x, cl_ulong index, void *value); /* NULL: the input is the value */
    void (*make)(cl_ulong bits, cl_ulong index, void *x);    /* NULL: the key's bits are the key */
} ref_sort;
enum { REF_SORT_PAIR = CLF_TYPE_COUNT, REF_SORT_LAST, REF_SORT_RADIUS, REF_SORT_ORDER, REF_SORT_CAPTURED,
       REF_SORT_VECTORS, REF_SORT_MIXED, REF_SORT_MANY, REF_SORT_WIDE, REF_SORT_CONSTANT, REF_SORT_INDIRECT,
       REF_SORT_ARRAYS, REF_SORT_ULONG2, REF_SORT_HALVES, REF_SORT_ARRAY, REF_SORT_COUNT };
const ref_sort *ref_sort_of(int which); /* below CLF_TYPE_COUNT: keys of this type alone */
/* n elements sorted; stable. No array may overlap another. */
void ref_sort_run(const ref_sort *sort, unsigned flags, size_t n, const void *const *in, void *const *out);
/* Each of `count` segments for itself, one behind the other. */
void ref_sort_segments(const ref_sort *sort, unsigned flags, size_t count, const size_t *lengths, const void *const *in,
                       void *const *out);

/* The first k of each of `count` rows of `size` elements as sorted, or (CLF_UNSORTED) in the order of the input. */
void ref_top_k(const ref_sort *sort, unsigned flags, size_t count, size_t size, size_t k, const void *const *in,
               void *const *out);

/* The same of each of `count` segments, packed. offsets: where the results of each begin, and behind the last end. */
void ref_irregular_top_k(const ref_sort *sort, unsigned flags, size_t count, const size_t *lengths, size_t k,
                         const void *const *in, void *const *out, cl_ulong *offsets);

/* out[b][c][r] = in[b][r][c], elements of `bytes` bytes. */
void ref_transpose(size_t bytes, size_t batch, size_t rows, size_t columns, const void *in, void *out);

/* What the device compiles. */
const clf_operator *ref_clf(const ref_operator *op);
/* Does its combine read captured arrays? */
static inline bool ref_combine_captures(const clf_operator *op)
{
    return op->flags & CLF_COMBINE_CAPTURES;
}

/* NULL if there is no such built-in. */
const ref_operator *ref_builtin(clf_op kind, clf_type type);

/* Operators of users. The first three are int sum, the matrix product (the simplest that does not commute) and a tuple
 * of mixed types; suites that can afford only a few take these. */
enum { REF_INT_SUM, REF_MATRIX, REF_MIXED, REF_AFFINE, REF_FIRST, REF_LAST, REF_ARGMAX, REF_EIGHT, REF_VECTORS,
       REF_BRACKETS, REF_LSSP, REF_SELECT, REF_DIVISOR, REF_MODULAR, REF_GRID, REF_SUMS, REF_BUNDLE, REF_USER_COUNT };
const ref_operator *ref_user(int which);

/* Parts of ref_user's table that are defined in ref_tuple.c. */
extern const ref_operator ref_eight, ref_vectors, ref_brackets, ref_lssp, ref_select;
/* And in ref_array.c: fields that are arrays. */
extern const ref_operator ref_grid, ref_sums, ref_bundle;

/* Differences of elements of so many bytes, and one behind a map, of ref_difference.c: for adjacent differences. */
enum { REF_BYTES_1, REF_BYTES_2, REF_BYTES_4, REF_BYTES_8, REF_BYTES_16, REF_BYTES_64, REF_BYTES_128, REF_MAPPED,
       REF_DIFFERENCE_COUNT };
const ref_operator *ref_difference(int which);

/* Joined operators, of ref_join.c. */
enum { REF_STATS, REF_STREAKS, REF_MARKS, REF_NESTED, REF_JOIN_COUNT };
const ref_operator *ref_join(int which);
/* Releases them. */
void ref_join_close(void);

/*
 * Are elements of `bytes` bytes the same? If they are floating numbers of `real` bytes NaNs are alike, and zeros, for
 * which of several comes out is not said; else bits are compared.
 */
bool ref_same(size_t real, size_t bytes, const void *a, const void *b);
/* The first byte of such numbers that are not the same, or `bytes`. */
size_t ref_wrong_byte(size_t real, size_t bytes, const unsigned char *a, const unsigned char *b);

/* Copies one element between arrays (one per field) and a struct. */
void ref_gather(const ref_layout *layout, const void *const *arrays, size_t index, void *element);
void ref_scatter(const ref_layout *layout, void *const *arrays, size_t index, const void *element);

#endif
