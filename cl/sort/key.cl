/* SPDX-License-Identifier: MIT */
/*
 * key: a radix sort scatters values by a digit of their keys (digit/digit.cl): eight bits of a key a pass, the lowest
 * first. The device finds the passes in whose digit all keys agree (sort_keys.cl), records them in a->control, and
 * skips them. The other passes alternate between a->out and a->second, which is scratch, so that the last one writes to
 * a->out. The first one reads the input, and applies the map.
 *
 * In place, where out is the input, the first pass writes to a->second, and what ends there is copied at the end. With
 * CLF_OVERWRITE a->second is the input, so the first pass writes to a->out. With CLF_OF_VALUES values lie in a->out
 * already, and are sorted in place; inputs are ignored.
 *
 * needs: CLF_OVERWRITE, a->control, a->in_place, a->pass, a->row_size, a->row_tiles, a->tiles
 * provides: clf_pass, clf_pass_of, CLF_PASSES, clf_turn_is_out, elements, lengths
 */
#include "sort/values.cl"

enum { CLF_PASSES = CLF_KEY_BYTES }; /* of 8 bits each */
#define CLF_PARTS 256
/* On CPUs elements are split by more bits once (buckets_cpu.cl). src/primitives/sort.c has the same numbers. */
#define CLF_DIGIT_LINES (CLF_VALUE_COUNT > 4 ? CLF_PARTS : 2048)

/* ---- Passes --------------------------------------------------------------------------------------------- */

/* What pass `pass` does: nothing; or it is the `turn`-th of `turns` that are needed. */
typedef struct {
    clf_flag needed;
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
#ifdef CLF_OVERWRITE
    return turn % 2 == 0;
#else
    return a->in_place ? turn % 2 == 1 : (turns - turn) % 2 == 1;
#endif
}

/* ---- Elements ------------------------------------------------------------------------------------------- */

typedef clf_value clf_element;
typedef struct {
    const clf_arguments *a;
    clf_outputs from, to;
    clf_flag from_input;
    uint pass;
} clf_elements;

#define CLF_ELEMENT_BYTES (0 CLF_VALUE_FIELDS(CLF_ADD_BYTES))
#define CLF_ELEMENT_FIELDS CLF_VALUE_FIELDS
#define CLF_DIGIT_CHEAP CLF_LESS_ALONE
#define CLF_DIGIT_OF_VALUE (CLF_VALUE_COUNT == CLF_LESS_ALONE) /* there is a field at least */
#ifdef CLF_KEY_FIELD
#define CLF_DIGIT_OF_FIRST 1
#endif

static inline uint clf_digits(const clf_arguments *a)
{
    return CLF_PARTS;
}

/* Only one row alone may have more elements than 32 bits count. */
static inline ulong clf_row_size(const clf_arguments *a)
{
    return a->tiles > a->row_tiles ? a->row_size : a->size;
}

#undef CLF_LENGTH
#define CLF_LENGTH clf_row_size /* for program/kernel_template.cl */

static inline uint clf_row_tiles(const clf_arguments *a)
{
    return a->row_tiles;
}

#if !CLF_MAPPED && !CLF_OF_VALUES
/* Without a map inputs are values: where they are is all that differs. */
#define CLF_KEY_TAKE_INPUT(f, type, move, bytes, name) to->p##f = (__global type *)a->in.p##f;
static inline void clf_take_inputs(const clf_arguments *a, clf_outputs *to)
{
    CLF_VALUE_FIELDS(CLF_KEY_TAKE_INPUT)
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
#if !CLF_MAPPED && !CLF_OF_VALUES
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

/* Are elements what the map makes of the input? The same for all of a launch. */
static inline bool clf_elements_mapped(const clf_elements *e)
{
    return !CLF_OF_VALUES && CLF_MAPPED && e->from_input;
}

static inline clf_element clf_element_of(const clf_elements *e, ulong i, bool mapped)
{
    if (CLF_MAPPED & !CLF_OF_VALUES && mapped) {
        clf_extra none;
        return clf_value_copy(clf_map_at(e->a, clf_input_at(&e->a->in, i), i, &none));
    }
    return clf_result_at(&e->from, i);
}

static inline clf_element clf_element_at(const clf_elements *e, ulong i)
{
    return clf_element_of(e, i, clf_elements_mapped(e));
}

static inline uint clf_value_digit(const clf_elements *e, clf_value v)
{
    return clf_key_digit(clf_key_ordered(clf_value_key_again(v CLF_LESS_OF(e->a))), e->pass);
}

static inline uint clf_element_digit(const clf_elements *e, clf_element x, ulong i)
{
    return clf_value_digit(e, x);
}

static inline clf_value clf_element_value(const clf_elements *e, clf_element x, ulong i)
{
    return x;
}

static inline void clf_elements_tell(const clf_elements *e, uint digit, ulong begin, ulong count) {}

static inline const clf_outputs *clf_elements_out(const clf_elements *e)
{
    return &e->to;
}
