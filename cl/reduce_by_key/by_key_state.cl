/* SPDX-License-Identifier: MIT */
/*
 * by_key_state: the state that tiles of a reduction by key exchange (state_value.cl defines what a state has). It is
 * the number of runs that start in a range, and the sum of the elements since the last head, or of all elements if
 * there is no head. Also the common part of all kernels: which elements are heads, and where results are written.
 *
 * A run's result is written where the next head is found, and the last one at the end of all. So no tile reads the
 * elements after it. Positions follow from the heads: with `heads` heads before it, a head completes result heads - 1,
 * and its own element makes the extra outputs of result `heads`.
 *
 * With CLF_NONTRIVIAL runs of one element have no result: their elements are no heads, and add nothing to any sum. So
 * the sum of the run before them does not change until the next head. Whether a run has one element depends on the next
 * element, which may be another tile's.
 *
 * needs: CLF_NONTRIVIAL, a->result, a->room_high, a->room_low
 * provides: clf_by_key_*, clf_ends_at, CLF_NONTRIVIAL, clf_starts_at, clf_starts_behind, clf_sum_next,
 *           CLF_UNLESS_ALONE, state
 */
#include "device/lane.cl"
#include "memory/wrapper.cl"

#define CLF_COMPACT(name) clf_by_key_##name /* chain/compact_*_template.cl */

/* Does element i, which is not the first of all, start a run? From global memory. */
static inline bool clf_starts_behind(const clf_arguments *a, ulong i)
{
    return !clf_is_same(clf_input_at(&a->in, i - 1), clf_input_at(&a->in, i) CLF_AND_CAPTURED);
}

static inline bool clf_starts_at(const clf_arguments *a, ulong i)
{
    return i == 0 || clf_starts_behind(a, i);
}

#ifndef CLF_NONTRIVIAL
#define CLF_NONTRIVIAL 0
#endif

/* Is element i the last of its run? Of so many elements in all. */
static inline bool clf_ends_at(const clf_arguments *a, ulong i)
{
    return i + 1 == a->size || clf_starts_behind(a, i + 1);
}

/* Does what follows but for elements that are alone: `alone` has a bit for each. */
#if CLF_NONTRIVIAL
#define CLF_UNLESS_ALONE(alone, k) if (!((alone) >> (k) & 1))
#else
#define CLF_UNLESS_ALONE(alone, k)
#endif

/* What follows from `sum` with the next element, x. (No choice between whole values: value.cl.) */
static inline clf_value clf_sum_next(clf_value sum, clf_value x, bool head CLF_COMBINE_PARAMETER)
{
    clf_value next = clf_value_copy(x);
    if (!head)
        next = clf_combine(sum, x);
    return next;
}

/* ---- The state ------------------------------------------------------------------------------------------ */

typedef struct {
    ulong heads;
    clf_value sum;
} clf_state;
#define CLF_STATE_WORDS (CLF_VALUE_WORDS + 2)

static inline clf_state clf_by_key_state_of(ulong heads, clf_value sum)
{
    clf_state s;
    s.heads = heads;
    s.sum = clf_value_copy(sum);
    return s;
}

static inline void clf_state_pack(clf_state s, uint w[CLF_STATE_WORDS])
{
    w[0] = (uint)s.heads;
    w[1] = (uint)(s.heads >> 32);
    clf_pack(s.sum, w + 2);
}

static inline clf_state clf_state_unpack(const uint w[CLF_STATE_WORDS])
{
    return clf_by_key_state_of((ulong)w[1] << 32 | w[0], clf_unpack(w + 2));
}

static inline clf_state clf_state_combine(clf_state left, clf_state right CLF_COMBINE_PARAMETER)
{
    return clf_by_key_state_of(left.heads + right.heads,
                               clf_sum_next(left.sum, right.sum, right.heads != 0 CLF_COMBINE_A));
}
#define clf_state_combine(left, right) clf_state_combine(left, right CLF_COMBINE_A)

static inline clf_state clf_state_neutral(void) { return clf_by_key_state_of(0, clf_neutral()); }
static inline clf_state clf_state_initial(const clf_arguments *a) { return clf_state_neutral(); }
static inline clf_state clf_state_copy(clf_state s) { return clf_by_key_state_of(s.heads, s.sum); }

static inline clf_state clf_state_at(const clf_arguments *a, ulong i)
{
    const bool starts = clf_starts_at(a, i);
    clf_state s = clf_state_neutral();
    if (!(CLF_NONTRIVIAL && starts && clf_ends_at(a, i)))
        s = clf_by_key_state_of(starts, clf_value_at(a, i));
    return s;
}

/* ---- Results -------------------------------------------------------------------------------------------- */

/* How many of `some` results from place `at` on there is room for. */
static inline ulong clf_by_key_room(const clf_arguments *a, ulong at, ulong some)
{
    const ulong room = (ulong)a->room_high << 32 | a->room_low;
    return at < room ? min(some, room - at) : 0;
}

/* One value, by one work-item. */
static inline void clf_by_key_write(const clf_arguments *a, ulong at, clf_value v)
{
    if (clf_by_key_room(a, at, 1))
        clf_output_at(&a->out, at, CLF_FINISHED(clf_finish_sum(a, v, at), v));
}

/* At the end of all elements, which add up to `all`: the last run's value, and how many there are. By one work-item. */
static inline void clf_by_key_end(const clf_arguments *a, clf_state all)
{
    if (all.heads)
        clf_by_key_write(a, all.heads - 1, all.sum);
    *a->result = all.heads;
}

/* Of no elements, which only the device may know, the first group tells. */
static inline void clf_by_key_tell_nothing(const clf_arguments *a, ulong total)
{
    if (CLF_GIVEN && total == 0 && get_group_id(0) == 0 && get_local_id(0) == 0)
        *a->result = 0;
}
