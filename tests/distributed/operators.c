/* SPDX-License-Identifier: MIT */
/* Operators in OpenCL C and in C. All but the sum tell left from right. */
#include "world.h"

/* ---- Products of 2×2 matrices mod 251 ------------------------------------------------------------------ */

static void make_matrix(generator *g, uint64_t *in)
{
    for (int f = 0; f < 4; ++f)
        in[f] = draw_below(g, 251);
}

static void take(const uint64_t *in, uint64_t index, uint64_t size, uint64_t *value, uint64_t *extra)
{
    (void)index;
    (void)size;
    (void)extra;
    memcpy(value, in, MOST_FIELDS * sizeof *in);
}

static void multiply(const uint64_t *a, const uint64_t *b, uint64_t *value)
{
    const uint64_t c[] = {(a[0] * b[0] + a[1] * b[2]) % 251, (a[0] * b[1] + a[1] * b[3]) % 251,
                          (a[2] * b[0] + a[3] * b[2]) % 251, (a[2] * b[1] + a[3] * b[3]) % 251};
    memcpy(value, c, sizeof c);
}

/* ---- Affine maps, of a map that looks at its index, a captured array and the length of segments ---------- */

const cl_uint captured_numbers[3] = {11, 5, 7};

static void make_number(generator *g, uint64_t *in)
{
    in[0] = draw_below(g, 1000);
}

static void make_affine(const uint64_t *in, uint64_t index, uint64_t size, uint64_t *value, uint64_t *extra)
{
    value[0] = (uint32_t)(2 * in[0] + 1);
    value[1] = (uint32_t)(index + captured_numbers[index % 3] + 13 * (index % size));
    extra[0] = index * 3 + in[0];
}

static void compose(const uint64_t *a, const uint64_t *b, uint64_t *value)
{
    const uint64_t c[] = {(uint32_t)(a[0] * b[0]), (uint32_t)(a[1] * b[0] + b[1])};
    memcpy(value, c, sizeof c);
}

/* ---- The first, and the last, of those that are there ---------------------------------------------------- */

static void make_some(generator *g, uint64_t *in)
{
    in[1] = draw_below(g, 3) == 0;
    in[0] = in[1] ? draw_below(g, 100000) : 0;
}

static void take_first(const uint64_t *a, const uint64_t *b, uint64_t *value)
{
    const uint64_t *c = a[1] ? a : b;
    const uint64_t both[] = {c[0], c[1]};
    memcpy(value, both, sizeof both);
}

static void take_last(const uint64_t *a, const uint64_t *b, uint64_t *value) { take_first(b, a, value); }
static void add(const uint64_t *a, const uint64_t *b, uint64_t *value) { value[0] = (uint32_t)(a[0] + b[0]); }

/* Sums from heads on: of segments of any lengths. */
static void add_from_head(const uint64_t *a, const uint64_t *b, uint64_t *value)
{
    const uint64_t c[] = {b[1] ? b[0] : (uint32_t)(a[0] + b[0]), a[1] | b[1]};
    memcpy(value, c, sizeof c);
}

/* Elements are values: fields of so many bytes. */
#define VALUES(count, ...) \
    .inputs = count, .values = count, .input_bytes = {__VA_ARGS__}, .value_bytes = {__VA_ARGS__}, .map = take

/* The second operand if `otherwise` holds, or else the first. */
#define OF_THOSE_THERE(title, otherwise, take_one, first)                                                 \
    {                                                                                                     \
        .name = title,                                                                                    \
        .op = {.size = sizeof(clf_operator),                                                              \
               .value = "int v; uchar there;",                                                            \
               .combine = "of_two",                                                                       \
               .neutral = "nothing",                                                                      \
               .source = "clf_value of_two(clf_value a, clf_value b) { return " otherwise " ? b : a; }\n" \
                         "clf_value nothing(void) { clf_value v = {0, 0}; return v; }"},                  \
        VALUES(2, 4, 1), .generate = make_some, .combine = take_one, .initial = {first, 1},               \
    }

const test_operator operators[OPERATORS] = {
    [MATRIX] = {.name = "matrix",
                .op = {.size = sizeof(clf_operator),
                       .value = "uint a; uint b; uint c; uint d;", .combine = "times", .neutral = "one",
                       .source = "clf_value times(clf_value x, clf_value y) {\n"
                                 "    clf_value v = {(x.a * y.a + x.b * y.c) % 251, (x.a * y.b + x.b * y.d) % 251,\n"
                                 "                   (x.c * y.a + x.d * y.c) % 251, (x.c * y.b + x.d * y.d) % 251};\n"
                                 "    return v;\n}\n"
                                 "clf_value one(void) { clf_value v = {1, 0, 0, 1}; return v; }"},
                VALUES(4, 4, 4, 4, 4),
                .generate = make_matrix, .combine = multiply,
                .neutral = {1, 0, 0, 1},
                .initial = {2, 3, 5, 8}},
    [AFFINE] = {.name = "affine",
                .op = {.size = sizeof(clf_operator),
                       .input = "ushort x;", .value = "uint m; uint t", .extra = "ulong seen;",
                       .captured = "uint shift", .combine = "then", .neutral = "same", .map = "line",
                       .source = "clf_value line(clf_input in, ulong i, const clf_captured *c, clf_extra *e) {\n"
                                 "    e->seen = i * 3 + in.x;\n"
                                 "    const uint t = (uint)(i + c->shift[i % 3] + 13 * (i % c->clf_size));\n"
                                 "    clf_value v = {2 * in.x + 1, t};\n    return v;\n}\n"
                                 "clf_value then(clf_value a, clf_value b) {\n"
                                 "    clf_value v = {a.m * b.m, a.t * b.m + b.t}; return v; }\n"
                                 "clf_value same(void) { clf_value v = {1, 0}; return v; }"},
                .inputs = 1, .values = 2, .extras = 1, .captured = 1,
                .input_bytes = {2},
                .value_bytes = {4, 4},
                .extra_bytes = {8}, .generate = make_number, .map = make_affine, .combine = compose,
                .neutral = {1, 0},
                .initial = {3, 4}},
    [FIRST] = OF_THOSE_THERE("first", "!a.there", take_first, 77),
    [LAST] = OF_THOSE_THERE("last", "b.there", take_last, 99),
    [SUM] = {.name = "sum",
             .op = {.size = sizeof(clf_operator), .value = "int v;", .combine = "clf_sum", .flags = CLF_COMMUTATIVE},
             VALUES(1, 4),
             .generate = make_number, .combine = add,
             .initial = {5}},
    [HEADED] = {.name = "headed",
                .op = {.size = sizeof(clf_operator),
                       .value = "int v; uchar head;", .combine = "add", .neutral = "zero",
                       .source = "clf_value add(clf_value a, clf_value b) {\n"
                                 "    if (!b.head) b.v += a.v;\n    b.head |= a.head;\n    return b; }\n"
                                 "clf_value zero(void) { clf_value v = {0, 0}; return v; }"},
                VALUES(2, 4, 1),
                .generate = make_some, .combine = add_from_head,
                .initial = {8, 0}},
};

const void *initial_struct(const test_operator *o, bool with, void *room)
{
    size_t at = 0;
    for (cl_uint f = 0; f < o->values; ++f) {
        at = (at + o->value_bytes[f] - 1) / o->value_bytes[f] * o->value_bytes[f];
        memcpy((char *)room + at, &o->initial[f], o->value_bytes[f]);
        at += o->value_bytes[f];
    }
    return with ? room : NULL;
}

void map_all(const test_operator *o, const table *in, uint64_t size, table *values, table *extras)
{
    *values = table_make(in->count, o->values, o->value_bytes);
    *extras = table_make(in->count, o->extras, o->extra_bytes);
    for (uint64_t i = 0; i < in->count; ++i) {
        uint64_t element[MOST_FIELDS] = {0}, value[MOST_FIELDS], extra[MOST_FIELDS];
        memcpy(element, row(in, i), in->fields * sizeof *element);
        o->map(element, i, size, value, extra);
        memcpy(row(values, i), value, o->values * sizeof *value);
        memcpy(row(extras, i), extra, o->extras * sizeof *extra);
    }
}
