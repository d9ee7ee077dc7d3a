/* SPDX-License-Identifier: MIT */
/*
 * key: a radix sort deals out values by a digit of their keys (digit/digit.cl): eight bits of a key a pass, the lowest
 * first. Passes in whose digit all keys agree are not needed, which the device finds out (sort_keys.cl), and says in
 * a->control. The others go in turns between a->out and a->second, which is scratch, so that the last one writes to
 * a->out; the first one reads the input, and applies the map. In place, where out is the input, the first one writes to
 * a->second, and what ends there is copied in the end.
 *
 * A key as bits whose order as an unsigned number is that of keys. −0 is +0 and all NaNs are alike and come last,
 * unless CLF_ORDER has CLF_ORDER_TOTAL: then floating-point numbers are in the total order of IEEE 754.
 */
#include "device/lane.cl"
#include "wrapper.cl"

enum { CLF_PASSES = CLF_KEY_BYTES }; /* of 8 bits each */
#define CLF_PARTS 256

#ifndef CLF_ORDER
#error "-D CLF_ORDER is missing"
#endif
#define CLF_ORDER_DESCENDING 1
#define CLF_ORDER_TOTAL 2

/* ---- Keys ----------------------------------------------------------------------------------------------- */

#if CLF_KEY_BYTES > 4
typedef ulong clf_key_bits;
#else
typedef uint clf_key_bits;
#endif

#define CLF_KEY_ONES ((clf_key_bits)~(clf_key_bits)0 >> (sizeof(clf_key_bits) * 8 - 8 * CLF_KEY_BYTES))
#define CLF_KEY_SIGN ((clf_key_bits)1 << (8 * CLF_KEY_BYTES - 1))

/* Descending integers, and floating-point keys in total order, have all bits of the ascending key flipped. */
static inline clf_key_bits clf_key_directed(clf_key_bits ascending)
{
    return CLF_ORDER & CLF_ORDER_DESCENDING ? ascending ^ CLF_KEY_ONES : ascending;
}

static inline clf_key_bits clf_key_ordered(clf_key_bits bits)
{
#if CLF_KEY_KIND == 0 /* unsigned */
    return clf_key_directed(bits);
#elif CLF_KEY_KIND == 1 /* signed */
    return clf_key_directed(bits ^ CLF_KEY_SIGN);
#elif CLF_ORDER & CLF_ORDER_TOTAL
    return clf_key_directed(bits & CLF_KEY_SIGN ? ~bits & CLF_KEY_ONES : bits | CLF_KEY_SIGN);
#else
    /* Sign and magnitude as a number, which has one 0, counted from that of the first infinity. Behind the other
     * infinity, wrapped around or not, are only NaNs. */
    const bool negative = ((bits & CLF_KEY_SIGN) != 0) != ((CLF_ORDER & CLF_ORDER_DESCENDING) != 0);
    const clf_key_bits magnitude = bits & ~CLF_KEY_SIGN;
    const clf_key_bits place = (CLF_KEY_INFINITY + (negative ? 0 - magnitude : magnitude)) & CLF_KEY_ONES;
    return min(place, (clf_key_bits)(2 * CLF_KEY_INFINITY + 1));
#endif
}

static inline clf_key_bits clf_value_key(clf_value v)
{
    return CLF_KEY_AS(clf_key_of(v));
}

/* The same, though the compiler does not know that it is the same key each time (lane.cl). */
static inline clf_key_bits clf_value_key_again(clf_value v)
{
#if CLF_KEY_BYTES > 4
    const uint2 bits = as_uint2(clf_value_key(v));
    return as_ulong((uint2)(clf_forget(bits.x), clf_forget(bits.y)));
#else
    return clf_forget(clf_value_key(v));
#endif
}

static inline uint clf_key_digit(clf_key_bits bits, uint pass)
{
    return (uint)(bits >> 8 * pass) & 255;
}

/* ---- Passes --------------------------------------------------------------------------------------------- */

/* What pass `pass` does: nothing; or it is the `turn`-th of `turns` that are needed. */
typedef struct {
    bool needed;
    uint turn, turns;
} clf_pass;

static inline clf_pass clf_pass_of(const clf_arguments *a, uint pass)
{
    clf_pass p = {false, 0, 0};
    for (uint k = 0; k < CLF_PASSES; ++k) {
        const bool needed = a->control[k] != 0;
        p.turns += needed;
        p.turn += needed && k < pass;
        p.needed = k == pass ? needed : p.needed;
    }
    return p;
}

/* Does the turn write to a->out? (Turn -1, the input, is out, too, in place.) */
static inline bool clf_turn_is_out(const clf_arguments *a, uint turn, uint turns)
{
    return a->in_place ? turn % 2 == 1 : (turns - turn) % 2 == 1;
}

/* ---- Elements ------------------------------------------------------------------------------------------- */

typedef clf_value clf_element;
typedef struct {
    const clf_arguments *a;
    clf_outputs from, to;
    bool from_input;
    uint pass;
} clf_elements;

#define CLF_ELEMENT_BYTES (0 CLF_VALUE_FIELDS(CLF_ADD_BYTES))
#define CLF_ELEMENT_FIELDS CLF_VALUE_FIELDS
#define CLF_DIGIT_CHEAP 1
#define CLF_DIGIT_OF_VALUE (CLF_VALUE_COUNT == 1)

static inline uint clf_digits(const clf_arguments *a)
{
    return CLF_PARTS;
}

/* Arrays of values, field by field (value.cl says why). */
#define CLF_TAKE_POINTER(f, type, move, bytes, name) to->p##f = second ? a->second.p##f : a->out.p##f;
static inline void clf_take_arrays(const clf_arguments *a, bool second, clf_outputs *to)
{
    CLF_VALUE_FIELDS(CLF_TAKE_POINTER)
}

#if !CLF_MAPPED
/* Without a map inputs are values: where they are is all that differs. */
#define CLF_TAKE_INPUT(f, type, move, bytes, name) to->p##f = (__global type *)a->in.p##f;
static inline void clf_take_inputs(const clf_arguments *a, clf_outputs *to)
{
    CLF_VALUE_FIELDS(CLF_TAKE_INPUT)
}
#endif

/* The elements before turn `turn`, from the input if that is 0. */
static inline void clf_elements_begin(const clf_arguments *a, uint turn, uint turns, clf_elements *e)
{
    e->a = a;
    e->pass = a->pass;
    e->from_input = turn == 0;
    clf_take_arrays(a, turn > 0 && !clf_turn_is_out(a, turn - 1, turns), &e->from);
    clf_take_arrays(a, !clf_turn_is_out(a, turn, turns), &e->to);
#if !CLF_MAPPED
    if (turn == 0)
        clf_take_inputs(a, &e->from);
#endif
}

static inline bool clf_elements_open(const clf_arguments *a, clf_elements *e)
{
    const clf_pass p = clf_pass_of(a, a->pass);
    clf_elements_begin(a, p.turn, p.turns, e);
    return p.needed;
}

static inline clf_element clf_element_at(const clf_elements *e, ulong i)
{
#if CLF_MAPPED
    if (e->from_input) {
        clf_extra none;
        return clf_value_copy(clf_map_at(e->a, clf_input_at(&e->a->in, i), i, &none));
    }
#endif
    return clf_result_at(&e->from, i);
}

static inline uint clf_value_digit(const clf_elements *e, clf_value v)
{
    return clf_key_digit(clf_key_ordered(clf_value_key_again(v)), e->pass);
}

static inline uint clf_element_digit(const clf_elements *e, clf_element x, ulong i)
{
    return clf_value_digit(e, x);
}

static inline clf_value clf_element_value(const clf_elements *e, clf_element x, ulong i)
{
    return x;
}

static inline const clf_outputs *clf_elements_out(const clf_elements *e)
{
    return &e->to;
}
