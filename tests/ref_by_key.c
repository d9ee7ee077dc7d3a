/* SPDX-License-Identifier: MIT */
/*
 * Reductions by key for tests: run lengths, keys of several sizes, runs that no key tells, and operators of ref_user.c
 * with a key beside the value; and the reference.
 */
#include "ref_functions.h"

#include <stdio.h>
#include <string.h>

/* Where the run ends that begins at `first`. */
static size_t end_of_run(const ref_by_key *op, size_t first, size_t n, const void *const *in)
{
    ref_element before, x;
    size_t i = first + 1;
    ref_gather(&op->input, in, first, &before);
    for (; i < n; ++i) {
        ref_gather(&op->input, in, i, &x);
        if (!op->same(&before, &x))
            break;
        memcpy(&before, &x, sizeof before);
    }
    return i;
}

/* What the elements first … end - 1 add up to, and the extra outputs of the first one. */
static void reduce_run(const ref_by_key *op, size_t first, size_t end, const void *const *in, ref_element *sum,
                       ref_element *extra)
{
    for (size_t i = first; i < end; ++i) {
        ref_element x, value, next, others;
        ref_gather(&op->input, in, i, &x);
        memcpy(&value, &x, sizeof value);
        if (op->map)
            op->map(&x, i, &value, i == first ? extra : &others);
        if (i == first)
            memcpy(sum, &value, sizeof *sum);
        else {
            op->combine(sum, &value, &next);
            memcpy(sum, &next, sizeof *sum);
        }
    }
}

size_t ref_by_key_run(const ref_by_key *op, bool nontrivial, size_t n, size_t room, const void *const *in,
                      void *const *out)
{
    size_t results = 0;
    for (size_t first = 0, end; first < n; first = end) {
        ref_element sum, extra;
        end = end_of_run(op, first, n, in);
        if (nontrivial && end - first == 1)
            continue;
        if (results < room) {
            reduce_run(op, first, end, in, &sum, &extra);
            ref_scatter(&op->value, out, results, &sum);
            ref_scatter(&op->extra, out + op->value.count, results, &extra);
        }
        ++results;
    }
    return results;
}

/* ---- Run lengths of bytes --------------------------------------------------------------------------------------- */

typedef struct one_length {
    cl_uint length;
} one_length;

static const clf_operator lengths_clf = {
    .size = sizeof(clf_operator), .input = "uchar v;", .value = "uint length;", .extra = "uchar v;", .map = "one",
    .combine = "add", .neutral = "zero", .same = "equal",
    .source = "clf_value one(clf_input x, ulong i, clf_extra *e) { clf_value l = {1}; e->v = x.v; return l; }\n"
              "clf_value add(clf_value a, clf_value b) { a.length += b.length; return a; }\n"
              "clf_value zero(void) { clf_value z = {0}; return z; }\n"
              "bool equal(clf_input a, clf_input b) { return a.v == b.v; }"};

REF_COMBINE(lengths_combine, one_length, (one_length){x.length + y.length})

static void lengths_map(const void *x, cl_ulong index, void *value, void *extra)
{
    (void)index;
    ((one_length *)value)->length = 1;
    ((one_byte *)extra)->v = ((const one_byte *)x)->v;
}

REF_SAME(lengths_same, one_byte, x.v == y.v)
REF_GENERATE_RUN(lengths_generate, one_byte, (one_byte){(cl_uchar)(run * 5)})

/* ---- Sums of numbers of the same sign: no map, no key ----------------------------------------------------------- */

static const clf_operator signs_clf = {
    .size = sizeof(clf_operator), .value = "int v;", .combine = "add", .neutral = "zero", .same = "alike",
    .source = "clf_value add(clf_value a, clf_value b) { a.v += b.v; return a; }\n"
              "clf_value zero(void) { clf_value z = {0}; return z; }\n"
              "bool alike(clf_input a, clf_input b) { return (a.v < 0) == (b.v < 0); }"};

REF_COMBINE(signs_combine, one_int, (one_int){x.v + y.v})
REF_SAME(signs_same, one_int, (x.v < 0) == (y.v < 0))
REF_GENERATE_RUN(signs_generate, one_int, (one_int){(run % 2 ? 1 : -1) * ((cl_int)gen_below(random, 10000) + 1)})

/* ---- Keys of several sizes, and extra outputs more than the key ------------------------------------------------- */

typedef struct tuple_in {
    cl_uchar a;
    cl_ulong b;
    cl_float x;
    cl_short c;
} tuple_in;
typedef struct tuple {
    cl_ulong last;
    cl_float sum;
    cl_short most;
} tuple;
typedef struct tuple_extra {
    cl_uchar a;
    cl_uint at;
    cl_ulong b;
} tuple_extra;

static const clf_operator tuple_clf = {
    .size = sizeof(clf_operator), .input = "uchar a; ulong b; float x; short c;",
    .value = "ulong last; float sum; short most;", .extra = "uchar a; uint at; ulong b;", .map = "begin",
    .combine = "meet", .neutral = "none", .same = "equal",
    .source = "clf_value begin(clf_input x, ulong i, clf_extra *e)\n"
              "{\n"
              "    clf_value v = {i, x.x, x.c};\n"
              "    e->a = x.a; e->at = (uint)i; e->b = x.b;\n"
              "    return v;\n"
              "}\n"
              "clf_value meet(clf_value l, clf_value r)\n"
              "{ clf_value v = {max(l.last, r.last), l.sum + r.sum, max(l.most, r.most)}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0.0f, -32768}; return v; }\n"
              "bool equal(clf_input a, clf_input b) { return a.a == b.a && a.b == b.b; }"};

REF_COMBINE(tuple_combine, tuple, (tuple){x.last > y.last ? x.last : y.last, x.sum + y.sum,
                                          x.most > y.most ? x.most : y.most})

static void tuple_map(const void *x, cl_ulong index, void *value, void *extra)
{
    const tuple_in *in = x;
    tuple *v = value;
    tuple_extra *e = extra;
    v->last = index;
    v->sum = in->x;
    v->most = in->c;
    e->a = in->a;
    e->at = (cl_uint)index;
    e->b = in->b;
}

REF_SAME(tuple_same, tuple_in, x.a == y.a && x.b == y.b)

/* One key or the other differs. */
REF_GENERATE_RUN(tuple_generate, tuple_in, (tuple_in){
    (cl_uchar)(run / 2), (run + 1) / 2 << 33, (cl_float)gen_below(random, 64),
    (cl_short)gen_between(random, -30000, 30000)})

/* ---- Wide values: sums, and the first of the last component ----------------------------------------------------- */

static const clf_operator wide_clf = {
    .size = sizeof(clf_operator), .value = "ulong8 v;", .combine = "add", .neutral = "zero", .same = "equal",
    .source = "clf_value add(clf_value a, clf_value b)\n"
              "{\n"
              "    const ulong most = max(a.v.s7, b.v.s7);\n"
              "    a.v += b.v;\n"
              "    a.v.s7 = most;\n"
              "    return a;\n"
              "}\n"
              "clf_value zero(void) { clf_value z; z.v = (ulong8)(0); return z; }\n"
              "bool equal(clf_input a, clf_input b) { return a.v.s7 == b.v.s7; }"};

static void wide_combine(const void *a, const void *b, void *out)
{
    const one_vector *l = a, *r = b;
    one_vector *v = out;
    for (int k = 0; k < 7; ++k)
        v->v[k] = l->v[k] + r->v[k];
    v->v[7] = l->v[7] > r->v[7] ? l->v[7] : r->v[7];
}

REF_SAME(wide_same, one_vector, x.v[7] == y.v[7])
REF_GENERATE_RUN(wide_generate, one_vector, ref_vector(random, run))

/* ---- Operators of ref_user.c, and built-in ones, behind a key -------------------------------------------------- */

enum { VALUE_AT = 16 /* in the struct of an input, behind the key */ };
typedef struct one_key {
    cl_ushort key;
} one_key;
typedef struct key_and_place {
    cl_ushort key;
    cl_ulong at;
} key_and_place;

enum { USERS = 5, ALL = USERS + 2 };
static const ref_operator *behind(int which)
{
    static const int users[USERS] = {REF_INT_SUM, REF_MATRIX, REF_MIXED, REF_FIRST, REF_LAST};
    return which < USERS    ? ref_user(users[which])
           : which == USERS ? ref_builtin(CLF_MIN, CLF_FLOAT)
                            : ref_builtin(CLF_MAX, CLF_DOUBLE);
}

static void user_map(const void *x, cl_ulong index, void *value, void *extra)
{
    key_and_place *e = extra;
    memcpy(value, (const char *)x + VALUE_AT, REF_MAX_BYTES - VALUE_AT);
    e->key = ((const one_key *)x)->key;
    e->at = index;
}

REF_SAME(user_same, one_key, x.key == y.key)

#define USER_GENERATE(number)                                                                     \
    static void generate_##number(gen *random, cl_ulong run, cl_ulong index, void *x)             \
    {                                                                                             \
        ((one_key *)x)->key = (cl_ushort)run;                                                     \
        behind(number)->generate(random, index, (char *)x + VALUE_AT);                   \
    }
USER_GENERATE(0)
USER_GENERATE(1)
USER_GENERATE(2)
USER_GENERATE(3)
USER_GENERATE(4)
USER_GENERATE(5)
USER_GENERATE(6)
static void (*const user_generate[ALL])(gen *random, cl_ulong run, cl_ulong index, void *x) = {
    generate_0, generate_1, generate_2, generate_3, generate_4, generate_5, generate_6};

/* "v.a = x.a;" for each field of "uint a; …". */
static void write_copies(const char *fields, char *text, size_t bytes)
{
    size_t length = 0;
    text[0] = '\0';
    for (const char *end = strchr(fields, ';'); end; end = strchr(end + 1, ';')) {
        const char *name = end;
        while (name > fields && name[-1] != ' ')
            --name;
        length += (size_t)snprintf(text + length, bytes - length, " v.%.*s = x.%.*s;", (int)(end - name), name,
                                   (int)(end - name), name);
    }
}

static const ref_by_key *user_of(int which)
{
    static struct {
        ref_by_key op;
        clf_operator clf;
        char input[256], source[4096];
    } made[ALL];
    const ref_operator *user = behind(which);
    const clf_operator *clf = ref_clf(user);
    char copies[512];
    write_copies(clf->value, copies, sizeof copies);
    snprintf(made[which].input, sizeof made[which].input, "ushort by; %s", clf->value);
    snprintf(made[which].source, sizeof made[which].source,
             "%s\nclf_value behind_key(clf_input x, ulong i, clf_extra *e)\n"
             "{\n    clf_value v;\n   %s\n    e->by = x.by;\n    e->at = i;\n    return v;\n}\n"
             "bool same_key(clf_input a, clf_input b) { return a.by == b.by; }\n",
             clf->source ? clf->source : "", copies);
    made[which].clf = *clf;
    made[which].clf.input = made[which].input;
    made[which].clf.extra = "ushort by; ulong at;";
    made[which].clf.source = made[which].source;
    made[which].clf.map = "behind_key";
    made[which].clf.same = "same_key";
    made[which].op = (ref_by_key){
        user->name, &made[which].clf, user->value, REF_FIELDS(one_key, key),
        REF_FIELDS(key_and_place, key, at), user->combine, user_map, user_same,
        user_generate[which], which < USERS ? 0 : user->real};
    ref_layout *const input = &made[which].op.input;
    for (size_t k = 0; k < user->value.count; ++k) {
        input->field[input->count] = user->value.field[k];
        input->field[input->count++].offset += VALUE_AT;
    }
    return &made[which].op;
}

/* ---- All -------------------------------------------------------------------------------------------------------- */

static const ref_by_key own[] = {
    [REF_BY_KEY_LENGTHS] = {"run lengths", &lengths_clf, REF_FIELDS(one_length, length), REF_FIELDS(one_byte, v),
                            REF_FIELDS(one_byte, v), lengths_combine, lengths_map, lengths_same, lengths_generate, 0},
    [REF_BY_KEY_SIGNS] = {"signs", &signs_clf, REF_BOTH(one_int, v), {0, {{0, 0}}}, signs_combine, NULL, signs_same,
                          signs_generate, 0},
    [REF_BY_KEY_TUPLE] = {"tuples", &tuple_clf, REF_FIELDS(tuple, last, sum, most), REF_FIELDS(tuple_in, a, b, x, c),
                          REF_FIELDS(tuple_extra, a, at, b), tuple_combine, tuple_map, tuple_same, tuple_generate, 0},
    [REF_BY_KEY_WIDE] = {"vectors", &wide_clf, REF_BOTH(one_vector, v), {0, {{0, 0}}},
                         wide_combine, NULL, wide_same, wide_generate, 0},
};

const ref_by_key *ref_by_key_of(int which)
{
    if (which == REF_BY_KEY_CAPTURED)
        return &ref_by_key_captured;
    if (which == REF_BY_KEY_ARRAYS)
        return ref_by_key_arrays();
    return which < REF_BY_KEY_SUM ? &own[which] : user_of(which - REF_BY_KEY_SUM);
}
