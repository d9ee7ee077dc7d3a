/* SPDX-License-Identifier: MIT */
/*
 * state_value: the scanned state is the caller's value, as in every scan and reduction.
 *
 * The blocks above (lanes, runs, groups, messages, look-back, spine …) know only a state. A file state_*.cl says what
 * that is, and a primitive includes one of them before those blocks:
 *
 *   clf_state, CLF_STATE_WORDS          the type, and the 32-bit words that it packs into
 *   clf_state_pack, clf_state_unpack    to words and back
 *   clf_state_combine(left, right)      associative; operands in order
 *   clf_state_neutral()
 *   clf_state_initial(arguments)        what lies before the first element of every segment
 *   clf_state_at(arguments, i)          the state of element i alone, read from the input
 *   clf_state_copy(s)                   the same, without what lies between its fields
 *
 * needs: nothing
 * provides: state
 */
#include "memory/wrapper.cl"

typedef clf_value clf_state;
#define CLF_STATE_WORDS CLF_VALUE_WORDS

static inline void clf_state_pack(clf_state s, uint w[CLF_STATE_WORDS])
{
    clf_pack(s, w);
}

static inline clf_state clf_state_unpack(const uint w[CLF_STATE_WORDS])
{
    return clf_unpack(w);
}

static inline clf_state clf_state_combine(clf_state left, clf_state right CLF_COMBINE_PARAMETER)
{
    return clf_combine(left, right);
}
#define clf_state_combine(left, right) clf_state_combine(left, right CLF_COMBINE_A)

static inline clf_state clf_state_neutral(void)
{
    return clf_neutral();
}

static inline clf_state clf_state_initial(const clf_arguments *a)
{
    return clf_initial(a);
}

static inline clf_state clf_state_at(const clf_arguments *a, ulong i)
{
    return clf_value_at(a, i);
}

static inline clf_state clf_state_copy(clf_state s)
{
    return clf_value_copy(s);
}
