/* SPDX-License-Identifier: MIT */
/*
 * filter_count: the state of a filter is how many elements are kept (state_value.cl says what a state has). And what
 * all kernels of filters share: where the count goes, and the room for results.
 */
#include "wrapper.cl"

/* Is element i kept, which is x, and `before` the one before it? (`before` is looked at only by CLF_PAIRS.) */
static inline bool clf_is_kept(const clf_arguments *a, clf_input before, clf_input x, ulong i)
{
    return clf_keeps(a, before, x, i);
}

/* The same from global memory. */
static inline bool clf_is_kept_at(const clf_arguments *a, ulong i)
{
    const clf_input x = clf_input_at(&a->in, i);
#if CLF_PAIRS
    return clf_is_kept(a, clf_input_at(&a->in, i > 0 ? i - 1 : 0), x, i);
#else
    return clf_is_kept(a, x, x, i);
#endif
}

/* ---- The state ------------------------------------------------------------------------------------------ */

typedef ulong clf_state;
#define CLF_STATE_WORDS 2

static inline void clf_state_pack(clf_state s, uint w[CLF_STATE_WORDS])
{
    w[0] = (uint)s;
    w[1] = (uint)(s >> 32);
}

static inline clf_state clf_state_unpack(const uint w[CLF_STATE_WORDS])
{
    return (ulong)w[1] << 32 | w[0];
}

static inline clf_state clf_state_combine(clf_state left, clf_state right)
{
    return left + right;
}

static inline clf_state clf_state_neutral(void)
{
    return 0;
}

static inline clf_state clf_state_initial(const clf_arguments *a)
{
    return 0;
}

static inline clf_state clf_state_at(const clf_arguments *a, ulong i)
{
    return clf_is_kept_at(a, i);
}

static inline clf_state clf_state_copy(clf_state s)
{
    return s;
}

/* ---- Results -------------------------------------------------------------------------------------------- */

/* How many of `kept` results from place `at` on there is room for. */
static inline ulong clf_filter_room(const clf_arguments *a, ulong at, ulong kept)
{
    const ulong room = (ulong)a->room_high << 32 | a->room_low;
    return at < room ? min(kept, room - at) : 0;
}

/* The last element's tile knows how many are kept of all. */
static inline void clf_filter_tell(const clf_arguments *a, ulong end, ulong total, ulong kept)
{
    if (end == total && get_local_id(0) == 0)
        *a->result = kept;
}

/* Of no elements, which only the device may know, there is no last one: the first group tells. */
static inline void clf_filter_tell_nothing(const clf_arguments *a, ulong total)
{
    if (CLF_GIVEN && get_group_id(0) == 0)
        clf_filter_tell(a, 0, total, 0);
}
