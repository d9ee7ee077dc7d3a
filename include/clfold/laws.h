/* SPDX-License-Identifier: MIT */
/* Laws of operators: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_LAWS_H
#define CLFOLD_LAWS_H

#include <clfold/context.h>
#include <clfold/operator.h>
#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 19. Laws of operators ----------------------------------------------------------------------------- */

/* What operator.h asks of an operator: bits of a set. */
typedef enum clf_law {
    CLF_LAW_PURE = 1,           /* a function says the same of an element again, in another work-item */
    CLF_LAW_NO_INDEX = 2,       /* and with another index, where CLF_NO_INDEX promises it */
    CLF_LAW_ASSOCIATIVE = 4,    /* combine(a, combine(b, c)) is combine(combine(a, b), c) */
    CLF_LAW_NEUTRAL_LEFT = 8,   /* combine(neutral, a) is a */
    CLF_LAW_NEUTRAL_RIGHT = 16, /* combine(a, neutral) is a */
    CLF_LAW_COMMUTATIVE = 32,   /* combine(a, b) is combine(b, a), where CLF_COMMUTATIVE promises it */
    CLF_LAW_IRREFLEXIVE = 64,   /* less(a, a) is false */
    CLF_LAW_ASYMMETRIC = 128,   /* less(a, b) and less(b, a) are not both true */
    CLF_LAW_TRANSITIVE = 256,   /* where less(a, b) and less(b, c) are true, less(a, c) is */
    CLF_LAW_EQUIVALENCE = 512   /* a and c are alike (neither is less) where a and b are, and b and c */
} clf_law;

/* No NaN, no infinity, and no number so large that few of them overflow. */
#define CLF_LAWS_PLAIN 1u
/* All numbers, of any operator. */
#define CLF_LAWS_EXTREME 2u

/* Every field but `size` may be zero. */
typedef struct clf_laws_options {
    size_t size;     /* sizeof(clf_laws_options) */
    unsigned flags;  /* CLF_LAWS_PLAIN or CLF_LAWS_EXTREME; 0: as the operator's fields suggest (see below) */
    unsigned values; /* how many values are tried, 8 to 1024: the time grows with the third power. 0: 128 */
    cl_ulong seed;   /* of random numbers */
    size_t count;    /* elements of your own that are tried instead; 0: none */
    const void *const *elements; /* host arrays of `count` elements, one for each field of clf_input, or of clf_value
                                  * where the map is not called; only read during the call */
    const clf_array *captured;   /* an array for each captured field, on the device; NULL: no function gets any */
} clf_laws_options;

typedef struct clf_laws {
    size_t size;     /* sizeof(clf_laws) */
    unsigned tried;  /* laws that were tried: a set of clf_law */
    unsigned broken; /* those of which a case is broken */
    cl_ulong cases;  /* how many cases were tried */
} clf_laws;

/*
 * Tries an operator's functions on the device. A broken law is CLF_E_LAW, and the message is the smallest
 * counterexample, such as
 *
 *     combine is not associative: combine(1, combine(2, 3)) is 2, combine(combine(1, 2), 3) is -4
 *
 *   - combine: associativity, the neutral element on either side, commutativity if promised.
 *   - less: a strict weak order (irreflexive, asymmetric, transitive, and so is what it calls alike).
 *   - All but these are pure: map, predicate, same, part, key, finish. So is less. Extra outputs are not compared, and
 *     place is not tried.
 *   - Map, predicate and part get other indices, too, where CLF_NO_INDEX is promised (without CLF_WITH_SEGMENT: the
 *     number of the segment goes with the index).
 *
 * `same` need be no equivalence, since it is only asked of neighbours: `a.x <= b.x` makes rising runs. Parts and bins
 * that there are not have a meaning of their own (clf_split_plan, clf_reduce_by_index_plan), and break no law.
 *
 * Members of a tuple have their names in it: {sum 1, count 2}. If the message has no room for the sentence,
 * clf_error.log has the whole of it. All laws are tried; the message is of the first broken one, and those of combine
 * come first. `options`, `result` and `error` may be NULL.
 *
 * What is tried, in this order:
 *   - An operator on one scalar of 8 bits without a map: every value, and so every triple. The answer is a proof.
 *   - Else so many values as options.values says. They are 0, 1, -1 and other small numbers; then boundaries: the least
 *     and the largest number, powers of two, NaN, both infinities, -0; then random ones. Fields of tuples have such
 *     numbers one by one, then mixed. Every triple, pair and value is a case.
 *   - With a map these are inputs, and values are what the map makes of them at indices 0, 1 ... Where CLF_NO_INDEX
 *     promises it, other indices of up to 48 bits follow.
 *   - With a map, of tuples, vectors, and of your own elements, half of all values are made by combine from others. So
 *     every value is one that a call may meet.
 *
 * A law may hold for some values only: a longest run is never longer than the whole. No value that neither the map nor
 * combine makes is tried where there is a map. Without one any tuple of numbers is an element. If yours are fewer, give
 * some of them as options.elements. Nothing else is tried then: no boundaries, no random numbers.
 *
 * Functions of elements get these alone: nothing that combine makes. All pairs are asked of `same` and `less`, and all
 * triples decided by these.
 *
 * Boundaries are tried if the value is one scalar and there is no map. Else the flag is CLF_LAWS_PLAIN by itself: sums
 * of squares overflow, and overflow is seldom associative. Integers are then at most 2^(bits / 2 - 2), floating-point
 * numbers at most 128. CLF_LAWS_EXTREME and CLF_LAWS_PLAIN override that. `a > b ? a : b`, for example, is associative
 * among numbers, and not with NaNs; and `a < b` is no order with NaNs, which are like all numbers.
 *
 * Integers must be equal. Floating-point numbers may differ by 2^-12 (half 2^-5, double 2^-26) of the largest finite
 * operand, step or result of the case, in any field. NaN equals NaN, as in operator.h, and 0 equals -0. A case is
 * excused where operands without infinities give one, or operands without NaN give NaN. But combine(neutral, a) of a
 * finite `a`, or of the neutral element, never is.
 *
 * The call compiles one program for combine, and one for each other function (through the context's caches). It
 * allocates, and waits for the device, in a queue of its own.
 *
 * Functions that get captured arrays are called with options.captured, which nobody writes meanwhile. Without it they
 * are not called, and where the map is one of them options.elements are of clf_value. The arrays are read wherever the
 * functions look. Indices, also those that CLF_NO_INDEX promises, are then less than the number of values, which
 * clf_size is. Where an element is an index into an array (a row, a string) random numbers lead outside it: give
 * options.elements.
 *
 * The laws are those of Blelloch, Prefix Sums and Their Applications (1990). Values ordered by size, and the least
 * counterexample, are as in SmallCheck (Runciman, Naylor and Lindblad 2008).
 *
 * CLF_E_ARGUMENT: an operator without any of these functions, or whose functions all get captured arrays that are
 * not given; arrays that are no such arrays, or none of the operator's; unknown flags, both of them, `values` out of
 * range, elements without a count or the reverse. CLF_E_OPERATOR: it does not compile; nor does the map of an expansion
 * (section 18), for nothing is expanded. CLF_E_UNSUPPORTED: the device has no such type.
 */
CLF_API clf_status clf_operator_check(clf_context *context, const clf_operator *op, const clf_laws_options *options,
                                      clf_laws *result, clf_error *error);

#ifdef __cplusplus
}
#endif
#endif
