/* SPDX-License-Identifier: MIT */
/* Sorts of keys with payload, against a stable sort of the host. */
#include "world.h"

#include <math.h>

/* How a sort orders rows: is a before b? */
typedef bool before(const uint64_t *a, const uint64_t *b);

static bool by_uint(const uint64_t *a, const uint64_t *b) { return a[0] < b[0]; }
static bool by_low_byte_down(const uint64_t *a, const uint64_t *b) { return (a[0] & 255) > (b[0] & 255); }

/* What the keys of some are crossed with: a captured array's only element. */
enum { CROSSED = 0x5a };

static bool by_crossed(const uint64_t *a, const uint64_t *b)
{
    return ((a[0] & 255) ^ CROSSED) > ((b[0] & 255) ^ CROSSED);
}

static float float_of(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

/* NaNs last, also from the largest down. */
static bool by_float_down(const uint64_t *a, const uint64_t *b)
{
    const float x = float_of(a[0]), y = float_of(b[0]);
    return !isnan(x) && (isnan(y) || x > y);
}

static bool by_sign_and_bits(const uint64_t *a, const uint64_t *b)
{
    const uint32_t x = (uint32_t)a[0], y = (uint32_t)b[0], sign = 0x80000000u;
    return (x & sign ? ~x : x | sign) < (y & sign ? ~y : y | sign);
}

static bool by_long(const uint64_t *a, const uint64_t *b)
{
    return (int64_t)a[0] < (int64_t)b[0];
}

/* ---- What is sorted ------------------------------------------------------------------------------------ */

static uint64_t few(generator *g)
{
    return draw_below(g, 3) * 1000000007u % (1u << 30);
}

static uint64_t always(generator *g)
{
    (void)g;
    return 4000000000u;
}

static uint64_t any_long(generator *g)
{
    return draw(g) >> draw_below(g, 60);
}

static uint64_t odd_float(generator *g)
{
    static const uint32_t odd[] = {0, 0x80000000u, 0x7f800000u, 0xff800000u, 0x7fc00000u, 0xffc00001u, 1, 0x80000001u};
    const uint64_t any = draw(g) >> 32;
    return draw_below(g, 2) ? odd[draw_below(g, 8)] : any;
}

static uint64_t small(generator *g)
{
    return draw_below(g, 60000);
}

static const struct {
    clf_operator op;
    unsigned flags;
    before *before;
    uint64_t (*key)(generator *g);
    size_t bytes[2]; /* of key and payload in values */
    bool mapped;     /* payload is the index, from the map */
    size_t input;    /* bytes of the input, if mapped */
} sorts[] = {
#define SORT(...) {.size = sizeof(clf_operator), __VA_ARGS__}
    {SORT(.value = "uint key; ushort payload;"), 0, by_uint, few, {4, 2}, false, 0},
    {SORT(.value = "uint key; ushort payload;"), 0, by_uint, always, {4, 2}, false, 0},
    {SORT(.value = "float key; uint payload;"), CLF_DESCENDING, by_float_down, odd_float, {4, 4}, false, 0},
    {SORT(.value = "float key; uint payload;"), CLF_TOTAL_ORDER, by_sign_and_bits, odd_float, {4, 4}, false, 0},
    {SORT(.value = "long key; uint payload;"), 0, by_long, any_long, {8, 4}, false, 0},
    {SORT(.input = "ushort x;", .value = "uint x; ulong at;", .map = "place", .key = "uchar low",
          .source = "uchar low(clf_value v) { return (uchar)v.x; }\n"
                    "clf_value place(clf_input in, ulong i) { clf_value v = {in.x, i}; return v; }"),
     CLF_DESCENDING, by_low_byte_down, small, {4, 8}, true, 2},
    {SORT(.input = "ushort x;", .value = "uint x; ulong at;", .captured = "uchar cross;", .map = "place",
          .key = "uchar low",
          .source = "uchar low(clf_value v, const clf_captured *c) { return (uchar)v.x ^ c->cross[0]; }\n"
                    "clf_value place(clf_input in, ulong i, const clf_captured *c)\n"
                    "{ clf_value v = {in.x, i}; return v; }"),
     CLF_DESCENDING, by_crossed, small, {4, 8}, true, 2},
    {SORT(.value = "uint key; ushort payload;", .captured = "uchar cross;", .key = "uchar low",
          .source = "uchar low(clf_value v, const clf_captured *c) { return (uchar)v.key ^ c->cross[0]; }"),
     CLF_DESCENDING, by_crossed, few, {4, 2}, false, 0},
#undef SORT
};
enum { SORTS = sizeof sorts / sizeof *sorts };

/* Merge sort of rows of two numbers; `b` is room. */
static void sort_rows(uint64_t *a, uint64_t *b, uint64_t n, before *comes_before)
{
    if (n < 2)
        return;
    const uint64_t half = n / 2;
    sort_rows(a, b, half, comes_before);
    sort_rows(a + 2 * half, b, n - half, comes_before);
    uint64_t i = 0, j = half;
    for (uint64_t k = 0; k < n; ++k) {
        const bool right = i == half || (j < n && comes_before(a + 2 * j, a + 2 * i));
        memcpy(b + 2 * k, a + 2 * (right ? j++ : i++), 2 * sizeof *b);
    }
    memcpy(a, b, 2 * n * sizeof *a);
}

/* Phases of calls, as they end, one digit each. */
static void note(void *self, clf_comm_phase phase)
{
    cl_uint *seen = self;
    *seen = *seen * 10 + phase;
}

bool test_sort(test_case *c)
{
    const cl_uint phases = c->w->members == 1 ? 3 : 123; /* local alone and the last; local, borders, move, the last */
    cl_uint seen = 0;
    const int kind = (int)draw_below(&c->g, SORTS);
    const cl_uint fields = sorts[kind].mapped ? 1 : 2, ins = fields + (sorts[kind].op.captured ? 1 : 0);
    clf_array in[3 * MOST_MEMBERS], out[2 * MOST_MEMBERS];
    clf_comm_plan *plan;
    table data = table_make(c->total, fields, sorts[kind].mapped ? &sorts[kind].input : sorts[kind].bytes);
    table wanted = table_make(c->total, 2, sorts[kind].bytes), room = table_make(c->total, 2, sorts[kind].bytes);
    table cross = table_make(1, 1, (const size_t[]){1});
    cross.at[0] = CROSSED;
    for (uint64_t i = 0; i < c->total; ++i) {
        row(&wanted, i)[0] = row(&data, i)[0] = sorts[kind].key(&c->g);
        row(&wanted, i)[1] = sorts[kind].mapped ? i : i % 50000;
        if (!sorts[kind].mapped)
            row(&data, i)[1] = i % 50000;
    }
    sort_rows(wanted.at, room.at, c->total, sorts[kind].before);
    const bool in_place = !sorts[kind].mapped && draw_below(&c->g, 2);
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        give(c->w, l, &data, c->offset[me], c->n[me], in + l * ins);
        if (ins > fields)
            give(c->w, l, &cross, 0, 1, in + l * ins + fields);
        if (in_place)
            memcpy(out + l * 2, in + l * ins, 2 * sizeof *out);
        else
            make_room(c->w, l, &wanted, c->n[me], out + l * 2);
    }
    HOLDS(clf_comm_sort_plan(c->w->comm, &sorts[kind].op, sorts[kind].flags, NULL, &plan, NULL) == CLF_SUCCESS);
    const bool watched = draw_below(&c->g, 2);
    HOLDS(clf_comm_watch(c->w->comm, watched ? note : NULL, &seen) == CLF_SUCCESS);
    HOLDS(clf_comm_sort(plan, c->n + c->w->first, in, out) == CLF_SUCCESS);
    HOLDS(clf_comm_watch(c->w->comm, NULL, NULL) == CLF_SUCCESS);
    HOLDS(seen == (watched ? phases : 0));
    for (cl_uint l = 0; l < c->w->locals; ++l)
        HOLDS(same_rows(c->w, l, out + l * 2, &wanted, c->offset[c->w->first + l], c->n[c->w->first + l]));
    clf_comm_plan_release(plan);
    return true;
}

/* The first and the last member have so many elements, in falling order, that these change places in several rounds. */
bool test_long_sort(test_case *c)
{
    static const clf_operator op = {.size = sizeof op, .value = "uint key; uchar payload;"};
    static const size_t bytes[] = {4, 1};
    const cl_uint members = c->w->members;
    const uint64_t quota = ((uint64_t)8 << 20) / members / 4, each = 2 * quota + draw_below(&c->g, 1000);
    cl_ulong n[MOST_MEMBERS] = {each};
    clf_array in[2 * MOST_MEMBERS];
    clf_comm_plan *plan;
    if (members == 1 || c->pattern != EVEN) /* sizes are not the pattern's: a few times are enough */
        return true;
    n[members - 1] = each;
    table data = table_make(2 * each, 2, bytes), wanted = table_make(2 * each, 2, bytes);
    for (uint64_t i = 0; i < 2 * each; ++i) {
        row(&data, i)[0] = row(&wanted, 2 * each - 1 - i)[0] = 3 * (2 * each - i);
        row(&data, i)[1] = row(&wanted, 2 * each - 1 - i)[1] = i % 251;
    }
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        give(c->w, l, &data, me == 0 ? 0 : each, n[me], in + 2 * l);
    }
    HOLDS(clf_comm_sort_plan(c->w->comm, &op, 0, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_sort(plan, n + c->w->first, in, in) == CLF_SUCCESS);
    for (cl_uint l = 0; l < c->w->locals; ++l)
        HOLDS(same_rows(c->w, l, in + 2 * l, &wanted, c->w->first + l == 0 ? 0 : each, n[c->w->first + l]));
    clf_comm_plan_release(plan);
    return true;
}
