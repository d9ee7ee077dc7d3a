/* SPDX-License-Identifier: MIT */
/*
 * filter_count: the state of a filter is how many elements are kept (state_value.cl says what a state has). And what
 * all kernels of filters share: where the count goes, and the room for results.
 */
#include "group/count.cl"
#include "wrapper.cl"

/*
 * clf_is_kept(arguments, before, x, i) is generated: is element i kept, which is x, and `before` the one before it?
 * (`before` is looked at only by CLF_PAIRS.) This is the same from global memory, of any element but the first.
 */
static inline bool clf_is_kept_behind(const clf_arguments *a, ulong i)
{
    const clf_input x = clf_input_at(&a->in, i);
#if CLF_PAIRS
    return !clf_caller_same(clf_input_at(&a->in, i - 1), x);
#else
    return clf_is_kept(a, x, x, i);
#endif
}

static inline bool clf_is_kept_at(const clf_arguments *a, ulong i)
{
    return (CLF_PAIRS && i == 0) || clf_is_kept_behind(a, i);
}

/* ---- The state ------------------------------------------------------------------------------------------ */

typedef clf_count64 clf_state;
#define CLF_STATE_WORDS 2
#define clf_state_pack clf_count64_pack
#define clf_state_unpack clf_count64_unpack
#define clf_state_combine clf_count64_combine
#define clf_state_neutral clf_count64_neutral

static inline clf_state clf_state_initial(const clf_arguments *a) { return 0; }
static inline clf_state clf_state_at(const clf_arguments *a, ulong i) { return clf_is_kept_at(a, i); }
static inline clf_state clf_state_copy(clf_state s) { return s; }

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
