/* SPDX-License-Identifier: MIT */
/* The operators of fuzz_ends.c, in OpenCL C, and in C for the reference. */
#include "fuzz_ends.h"

#include "primitives.h"

#include <stdio.h>

const cl_uint ends_captured[ENDS_CAPTURED] = {3, 14, 15, 92, 65, 35, 89, 79};

/* ---- What there is to draw ------------------------------------------------------------------------------------- */

enum { NUMBERED = 1, CAPTURES = 2, PLACED = 4, UNFINISHED = 8, REVERSED = 16, FROM_DEVICE = 32, BITS = 64 };

/* One result, or all but the first, or all. */
static cl_ulong wanted_of(uint64_t number, cl_uint results)
{
    static const cl_ulong some[] = {0, 1, 2, 6};
    return some[number % COUNT(some)] & ((1ull << results) - 1);
}

ends ends_of(const fuzz_case *c)
{
    const uint64_t number = (c->knob[FUZZ_OPERATOR] - FUZZ_ENDS) % FUZZ_ENDS_COUNT;
    const unsigned bits = (unsigned)(number / ENDS_KINDS % BITS);
    ends e = {.primitive = primitive_known(fuzz_plan_name(c)), .kind = (int)(number % ENDS_KINDS)};
    const unsigned wanted = (bits & REVERSED ? CLF_REVERSE : 0u) | (bits & FROM_DEVICE ? CLF_FROM_DEVICE : 0u) |
                            (c->knob[FUZZ_FLAG] ? CLF_EXCLUSIVE : 0u);
    const bool joined = e.kind == ENDS_JOINED;
    e.affine = e.kind != ENDS_SUM && e.kind != ENDS_LEAST;
    e.steps = e.primitive->function & CLF_FUNCTION_STEPS;
    e.flags = wanted & e.primitive->flags;
    e.numbered = bits & NUMBERED && e.primitive->function & CLF_FUNCTION_SEGMENTS && !joined;
    e.placed = bits & PLACED && e.primitive->function & CLF_FUNCTION_PLACE && !joined;
    e.finished = !(bits & UNFINISHED);
    e.captures = (e.finished || e.placed || e.affine) && (bits & CAPTURES || e.kind == ENDS_MODULAR);
    e.results = (e.finished || (e.affine && e.kind != ENDS_ARRAYS) ? 2u : 1u) + joined;
    e.wanted = wanted_of(number / ENDS_KINDS / BITS, e.results);
    return e;
}

fuzz_operand ends_operand(const fuzz_case *c)
{
    static const char *const names[ENDS_KINDS] = {
        "sums with ends", "affine functions with ends", "minima with ends", "affine functions modulo a captured number",
        "affine functions as arrays", "affine functions joined with sums"};
    return (fuzz_operand){names[ends_of(c).kind], ends_of(c).affine};
}

/* ---- In OpenCL C ----------------------------------------------------------------------------------------------- */

/* P, Q, X, Y: the parts of values and elements; S: the segment's number; W(i): a captured element. */
#define FIELDS "#define P(v) (v).p\n#define Q(v) (v).q\n#define X(in) (in).x\n#define Y(in) (in).y\n"
#define WHOLE  "#define BOTH(r, high, low) (r).both = (ulong)(high) << 32 | (low)\n"
#define FUNCTIONS(more, modulo)                                                                                        \
    "clf_value identity(void) { clf_value v; P(v) = 1; Q(v) = 0; return v; }\n"                                        \
    "clf_value compose(clf_value x, clf_value y" more ")\n"                                                            \
    "{ clf_value v; P(v) = P(x) * P(y)" modulo "; Q(v) = (Q(x) * P(y) + Q(y))" modulo "; return v; }\n"                \
    "clf_value function(clf_input in, ulong i MORE)\n"                                                                 \
    "{\n"                                                                                                              \
    "    clf_value v;\n"                                                                                               \
    "    P(v) = (2 * X(in) + 1)" modulo ";\n"                                                                          \
    "    Q(v) = (Y(in) + (uint)i + 5 * (uint)(S) + W(i))" modulo ";\n"                                                 \
    "    return v;\n"                                                                                                  \
    "}\n"
static const char *const kinds[ENDS_KINDS] = {
    WHOLE "#define P(v) (v).p\n#define Q(v) 0u\n#define X(x) (x).p\n",
    WHOLE FIELDS FUNCTIONS("", ""),
    WHOLE "#define P(v) as_uint((v).p)\n#define Q(v) 0u\n#define X(x) as_uint((x).p)\n",
    WHOLE FIELDS FUNCTIONS(", const clf_captured *c", " % c->w[7]"),
    "#define P(a) (a).v[0]\n#define Q(a) (a).v[1]\n#define X(in) (in).x[0]\n#define Y(in) (in).y[0]\n"
    "#define BOTH(r, high, low) (r).both[0] = (low), (r).both[1] = (high)\n" FUNCTIONS("", ""),
    WHOLE FIELDS FUNCTIONS("", "")};
static const char steps[] =
    "clf_result finish(clf_value a, clf_value b, clf_input x, ulong i MORE)\n"
    "{\n"
    "    clf_result r;\n"
    "    r.rest = 5 * P(a) + 3 * P(b) + X(x) + (uint)i + 7 * (uint)(S) + W(i);\n"
    "    BOTH(r, Q(a), Q(b) ^ P(b));\n"
    "    return r;\n"
    "}\n";
static const char sums[] =
    "clf_result finish(clf_value a, ulong i AND_CAPTURED)\n"
    "{ clf_result r; r.rest = 5 * P(a) + (uint)i + W(i); BOTH(r, Q(a), (uint)i); return r; }\n";
static const char places[] =
    "ulong to(clf_value a, clf_value b, clf_input x, ulong i MORE)\n"
    "{ return (P(a) ^ Q(b) ^ (uint)(S) ^ W(i)) & 3 ? i ^ 1 : CLF_NOWHERE; }\n";

static void write_source(const ends *e, char *text, size_t bytes)
{
    const char *const more = e->captures ? ", const clf_captured *c" : "";
    snprintf(text, bytes, "#define S %s\n#define W(i) %s\n#define AND_CAPTURED %s\n#define MORE %s%s\n%s%s%s",
             e->numbered ? "s" : "0", e->captures ? "c->w[(i) % 8]" : "0u", more, e->numbered ? ", ulong s" : "", more,
             kinds[e->kind],
             !e->finished ? ""
             : e->steps   ? steps
                          : sums,
             e->placed ? places : "");
}

#define OF  "clf_value of(clf_input in, ulong i) { clf_value v = {in.x}; return v; }\n"
#define END "{ clf_result r = {3 * a.total + 1}; return r; }\n"

/* With a sum of x, which has a finish of its own where the other one has. */
static clf_operator *join(const ends *e, const clf_operator *op)
{
    const clf_operator sum = {
        .size = sizeof sum, .value = "uint total;", .input = op->input, .map = "of", .combine = "clf_sum",
        .flags = CLF_COMMUTATIVE, .result = e->finished ? "uint last;" : NULL, .finish = e->finished ? "end" : NULL,
        .source = !e->finished ? OF
                  : e->steps   ? OF "clf_result end(clf_value a, clf_value b, clf_input x, ulong i)" END
                               : OF "clf_result end(clf_value a, ulong i)" END};
    const clf_operator *const list[] = {op, &sum};
    clf_operator *both = NULL;
    assert_ok(clf_operator_join(2, list, &both, NULL));
    return both;
}

clf_plan *ends_plan(const fuzz_case *c, const ends *e)
{
    static const char *const combine[ENDS_KINDS] = {"clf_sum", "compose", "clf_min", "compose", "compose", "compose"};
    const bool arrays = e->kind == ENDS_ARRAYS;
    char source[4000];
    write_source(e, source, sizeof source);
    const clf_operator op = {
        .size = sizeof op, .source = source, .combine = combine[e->kind],
        .value = e->kind == ENDS_SUM     ? "uint p;"
                 : e->kind == ENDS_LEAST ? "float p;"
                 : arrays                ? "uint v[2];"
                                         : "uint p; uint q;",
        .input = arrays ? "uint x[1]; ushort y[1];" : e->affine ? "uint x; ushort y;" : NULL,
        .captured = e->captures ? "uint w;" : NULL, .neutral = e->affine ? "identity" : NULL,
        .map = e->affine ? "function" : NULL,
        .flags = (e->affine ? 0u : CLF_COMMUTATIVE) | (e->numbered ? CLF_WITH_SEGMENT : 0u) |
                 (e->kind == ENDS_MODULAR ? CLF_COMBINE_CAPTURES : 0u),
        .result = !e->finished ? NULL : arrays ? "uint rest; uint both[2];" : "uint rest; ulong both;",
        .finish = e->finished ? "finish" : NULL, .place = e->placed ? "to" : NULL};
    clf_operator *const joined = e->kind == ENDS_JOINED ? join(e, &op) : NULL;
    const plan_parts parts = {.op = joined ? joined : &op, .flags = e->flags, .wanted = e->wanted,
                              .how = fuzz_how_of(c)};
    const route r = fuzz_route_of(c);
    clf_plan *const plan = route_plan(&r, fuzz_plan_name(c), &parts, ends_operand(c).name);
    clf_operator_release(joined);
    return plan;
}

/* ---- In C ------------------------------------------------------------------------------------------------------ */

const ends_value ends_neutral[ENDS_KINDS] = {{0, 0, 0}, {1, 0, 0}, {0x7f800000, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
const ends_value ends_initials[ENDS_KINDS] = {{3, 0, 0}, {7, 5, 0}, {0x40000000, 0, 0},
                                              {7, 5, 0}, {7, 5, 0}, {7, 5, 4}};

ends_value ends_reduced(int kind, ends_value a)
{
    const cl_uint modulus = ends_captured[ENDS_CAPTURED - 1];
    return kind == ENDS_MODULAR ? (ends_value){a.p % modulus, a.q % modulus, 0} : a;
}

ends_value ends_combine(int kind, ends_value a, ends_value b)
{
    switch (kind) {
    case ENDS_SUM: return (ends_value){a.p + b.p, 0, 0};
    case ENDS_LEAST: return a.p < b.p ? a : b;
    default: return ends_reduced(kind, (ends_value){a.p * b.p, a.q * b.p + b.q, a.total + b.total});
    }
}
