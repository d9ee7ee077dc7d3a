/* SPDX-License-Identifier: MIT */
/*
 * wrapper: what kernels call of the operator. functions.cl, which is generated, declares the caller's functions as
 * clf_caller_…, and says which of them kernels call (CLF_CALLS_…).
 *
 *   clf_map_at       of every operator: without a map the input is the value
 *   clf_combine      of those that combine values; and clf_value_at. Where combine reads captured arrays all that is
 *                    called S_combine gets `a`, the kernel's arguments, of which functions that combine have the name
 *                    (CLF_COMBINE_PARAMETER, CLF_COMBINE_FROM: src/program/fields.c)
 *   clf_neutral      what changes nothing: before the first element, in places that no element fills
 *   clf_nothing      what no elements add up to: the same, but infinity for minima and maxima of floating numbers, of
 *                    which the neutral element is NaN. It is a result, and never combined with anything
 *   clf_initial      the initial value, or the neutral element
 *   clf_finish_step  of scans whose operator has `finish`: what is written for an element; and clf_before_step
 *   clf_place_step   of scans whose operator has `place`: where that goes; clf_placed_put if it is below a->room. Each
 *                    work-item counts in *a->placed, and its group, by one atomic of clf_placed_tell, in a->result.
 *                    CLF_ARG_LAST: in a word of the chain's scratch, which the last group to end clears
 *   clf_finish_sum   the same of reductions, for a segment
 *   clf_is_same      of reductions by key: do neighbours belong to one run?
 *   clf_bin_of       of reductions by index; negative bins are beyond all
 *   clf_is_kept      of filters: by the element alone, or beside the one before it (CLF_PAIRS)
 *   clf_part_of      of splits and partitions
 *   clf_is_less      of merges
 *   clf_key_of       of sorts
 *
 * needs: codes, a->placed, a->result, a->room
 * provides: CLF_AND_CAPTURED, clf_before_step, clf_bin_of, clf_combine, clf_finish_*, clf_initial, clf_is_same,
 *           clf_key_of, clf_map_at, clf_neutral, clf_nothing, clf_part_of, clf_place_*, clf_placed_*, clf_value_at,
 *           kept, order
 */
#include "functions.cl"
#include "device/atomics.cl"
#include "memory/value.cl"

/* What of `a` the caller's functions of elements get behind the index. */
#if CLF_CAPTURED_COUNT
#define CLF_AND_CAPTURED , &a->captured
#define CLF_CAPTURED_PARAMETER , const clf_captured *c
#define CLF_CAPTURED_C , c
#else
#define CLF_AND_CAPTURED
#define CLF_CAPTURED_PARAMETER
#define CLF_CAPTURED_C
#endif

/* An element's index, and with CLF_WITH_SEGMENT its segment's number (segment.cl). Mesa's optimiser would make integers
 * of 3 bits, which end the process, where a function takes an index by 8. */
#define CLF_PLACE_OF(a, i) CLF_HIDDEN(ulong, CLF_INDEX_OF(a, i)) CLF_NUMBERED_SEGMENT

#if CLF_EXTRA_COUNT
#define CLF_AND_EXTRA , extra
#else
#define CLF_AND_EXTRA
#endif

static inline clf_value clf_map_at(const clf_arguments *a, clf_input x, ulong index CLF_NUMBERED_PARAMETER,
                                   clf_extra *extra)
{
#if CLF_MAPPED && CLF_CODED
    return clf_code(clf_caller_map(x, CLF_PLACE_OF(a, index) CLF_AND_CAPTURED CLF_AND_EXTRA));
#elif CLF_MAPPED
    return clf_caller_map(x, CLF_PLACE_OF(a, index) CLF_AND_CAPTURED CLF_AND_EXTRA);
#elif CLF_CODED
    return clf_code(x);
#else
    return x;
#endif
}

#if defined(CLF_CALLS_COMBINE) && defined(CLF_CALLS_SAME)
static inline bool clf_is_same(clf_input a, clf_input b CLF_CAPTURED_PARAMETER)
{
    return clf_caller_same(a, b CLF_CAPTURED_C);
}
#endif

#if defined(CLF_CALLS_COMBINE) && defined(CLF_CALLS_PART)
static inline ulong clf_bin_of(const clf_arguments *a, clf_input x, ulong index)
{
#ifdef CLF_BIN_FIELD
    return (ulong)x.CLF_BIN_FIELD;
#else
    return clf_caller_part(x, CLF_HIDDEN(ulong, index) CLF_AND_CAPTURED);
#endif
}
#endif

#ifdef CLF_CALLS_COMBINE
#if CLF_CODED
static inline clf_value clf_combine(clf_value left, clf_value right CLF_COMBINE_PARAMETER)
{
    return clf_codes_combine(left, right CLF_COMBINE_A);
}

static inline clf_value clf_neutral(void) { return clf_codes_neutral(); }
#else
static inline clf_value clf_combine(clf_value left, clf_value right CLF_COMBINE_PARAMETER)
{
    return clf_value_copy(
        clf_caller_combine(CLF_OPERANDS(clf_value_copy(left), clf_value_copy(right)) CLF_COMBINE_CAPTURED));
}

static inline clf_value clf_neutral(void) { return clf_caller_neutral(); }

#define CLF_NO_MINIMUM(f, type, bits, name) v.name = (type)(INFINITY);
#define CLF_NO_MAXIMUM(f, type, bits, name) v.name = (type)(-INFINITY);
static inline clf_value clf_nothing(void)
{
    clf_value v = clf_neutral();
    CLF_MINIMA(CLF_NO_MINIMUM)
    CLF_MAXIMA(CLF_NO_MAXIMUM)
    return v;
}
#endif

#define clf_combine(left, right) clf_combine(left, right CLF_COMBINE_A)

static inline clf_value clf_initial(const clf_arguments *a)
{
    return a->flags & CLF_ARG_INITIAL ? clf_initial_value(a) : clf_neutral();
}

#if CLF_FINISH > 1
static inline clf_result clf_finish_step(const clf_arguments *a, clf_value v, clf_value before, clf_input x,
                                         ulong index CLF_NUMBERED_PARAMETER)
{
    return clf_result_copy(
        clf_caller_finish(clf_value_copy(v), clf_value_copy(before), x, CLF_PLACE_OF(a, index) CLF_AND_CAPTURED));
}

/* What an exclusive scan has for an element, which may be the first of its segment. */
static inline clf_value clf_before_step(const clf_arguments *a, bool first, clf_value sum)
{
    if (CLF_EXTREMES && first && !(a->flags & CLF_ARG_INITIAL))
        sum = clf_nothing();
    return sum;
}

#if CLF_PLACING
static inline ulong clf_place_step(const clf_arguments *a, clf_value v, clf_value before, clf_input x,
                                   ulong index CLF_NUMBERED_PARAMETER)
{
    return clf_caller_place(clf_value_copy(v), clf_value_copy(before), x, CLF_PLACE_OF(a, index) CLF_AND_CAPTURED);
}

/* By one work-item of a CPU: results with a place wait for others, as a branch for each would often be mispredicted. */
enum { CLF_QUEUED = 32 };
typedef struct {
    ulong placed, place[CLF_QUEUED]; /* the first is *a->placed */
    clf_result result[CLF_QUEUED];
    uint count;
} clf_placed_queue;

#define CLF_STORE_PLACED(f, type, move, bytes, name) CLF_PUT_##bytes(a->out.p##f + q->place[k], q->result[k].name);
static inline void clf_placed_flush(const clf_arguments *a)
{
    clf_placed_queue *const q = (clf_placed_queue *)a->placed;
    for (uint k = 0; k < q->count; ++k) {
        CLF_RESULT_FIELDS(CLF_STORE_PLACED)
    }
    q->placed += q->count;
    q->count = 0;
}

static inline void clf_placed_put(const clf_arguments *a, ulong place, clf_result v)
{
    clf_placed_queue *const q = (clf_placed_queue *)a->placed;
    q->place[q->count] = place;
    q->result[q->count] = v;
    q->count += place < a->room;
    if (place + 1 > a->room) /* it counts, and is dropped; CLF_NOWHERE + 1 is 0 */
        ++q->placed;
    if (q->count == CLF_QUEUED)
        clf_placed_flush(a);
}

/* The word counts results in its lower 40 bits, and groups above: the host asks for that where words have 64 bits. */
static inline void clf_placed_tell_last(const clf_arguments *a)
{
    volatile __global clf_word *const word = (volatile __global clf_word *)(a->scratch + 32);
    const ulong mine = *a->placed + (1ul << 40), sum = clf_word_fetch_add(word, (clf_word)mine) + mine;
    if (sum >> 40 == get_num_groups(0)) {
        *a->result = sum & ((1ul << 40) - 1);
        clf_word_store(word, 0);
    }
}

/* Adds what a work-item has counted to the caller's number, by words: not every device has atomics of 64 bits. */
static inline void clf_placed_tell(const clf_arguments *a)
{
    if (a->flags & CLF_ARG_LAST) {
        if (clf_local_id() == 0)
            clf_placed_tell_last(a);
        return;
    }
    const uint first = CLF_IS_LITTLE ? 0 : 1; /* the lower word, which may be the second one */
    const uint low = (uint)*a->placed;
    volatile __global uint *const words = (volatile __global uint *)a->result;
    if (!(a->flags & CLF_ARG_COUNTED) || *a->placed == 0)
        return;
    const uint high = (uint)(*a->placed >> 32) + (low > ~atomic_add(words + first, low));
    if (high)
        (void)atomic_add(words + (1 - first), high);
}
#endif
#elif CLF_FINISH
static inline clf_result clf_finish_sum(const clf_arguments *a, clf_value v, ulong segment)
{
    return clf_result_copy(clf_caller_finish(CLF_BARE(v), CLF_HIDDEN(ulong, segment) CLF_AND_CAPTURED));
}
#endif

static inline clf_value clf_value_at(const clf_arguments *a, ulong i)
{
    clf_extra extra;
    return clf_map_at(a, clf_input_at(&a->in, i), i CLF_NUMBERED_AT(a, i), &extra);
}

#elif defined(CLF_CALLS_SAME) || defined(CLF_CALLS_PREDICATE)
#ifdef CLF_CALLS_SAME
#define CLF_PAIRS 1
#else
#define CLF_PAIRS 0
#endif

static inline bool clf_is_kept(const clf_arguments *a, clf_input before, clf_input x, ulong index)
{
#if CLF_PAIRS
    return index == 0 || !clf_caller_same(before, x CLF_AND_CAPTURED);
#else
    return clf_caller_predicate(x, CLF_HIDDEN(ulong, index) CLF_AND_CAPTURED);
#endif
}

#elif defined(CLF_CALLS_PART)
#define CLF_PAIRS 0

static inline uint clf_part_of(const clf_arguments *a, clf_input x, ulong index)
{
    return clf_caller_part(x, CLF_HIDDEN(ulong, index) CLF_AND_CAPTURED);
}

#elif defined(CLF_CALLS_LESS)
static inline bool clf_is_less(clf_input a, clf_input b CLF_LESS_PARAMETER) { return clf_caller_less(a, b CLF_LESS_C); }

#elif defined(CLF_CALLS_KEY)
static inline CLF_KEY_TYPE clf_key_of(clf_value v CLF_LESS_PARAMETER)
{
#ifdef CLF_KEY_FIELD
    return v.CLF_KEY_FIELD;
#else
    return clf_caller_key(v CLF_LESS_C);
#endif
}
#endif
