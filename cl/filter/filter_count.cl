/* SPDX-License-Identifier: MIT */
/*
 * filter_count: the state of a filter is how many elements are kept (state_value.cl says what a state has), and that of
 * a partition how many are in each part but the last. And what all kernels of both share: which part takes an element,
 * where the counts go, and the room for results.
 *
 * A filter is a partition in two whose second part goes nowhere. CLF_OUT_SETS is how many parts have outputs.
 *
 * needs: a->result, a->room_high, a->room_low
 * provides: clf_filter_*, clf_first_of, CLF_MARKED_PARTS, clf_second_of, state
 */
#include "group/count.cl"
#include "memory/wrapper.cl"

#define CLF_COMPACT(name) clf_filter_##name /* chain/compact_*_template.cl */

/* ---- Parts ---------------------------------------------------------------------------------------------- */

/* Parts whose elements are marked, a bit for each: the others are what is left. */
enum { CLF_MARKED_PARTS = CLF_OUT_SETS > 2 ? 2 : 1 };

/*
 * The part of element i, which is x, and `before` the one before it, which is looked at only by CLF_PAIRS. Part 0 is
 * what is kept. clf_is_kept and clf_part_of are generated.
 */
static inline uint clf_filter_part(const clf_arguments *a, clf_input before, clf_input x, ulong i)
{
#if CLF_OUT_SETS > 2
    return clf_part_of(a, x, i);
#else
    return clf_is_kept(a, before, x, i) ? 0 : 1;
#endif
}

/* The same from global memory, of any element but the first. */
static inline uint clf_filter_part_behind(const clf_arguments *a, ulong i)
{
    const clf_input x = clf_input_at(&a->in, i);
#if CLF_PAIRS
    return clf_caller_same(clf_input_at(&a->in, i - 1), x CLF_AND_CAPTURED) ? 1 : 0;
#else
    return clf_filter_part(a, x, x, i);
#endif
}

static inline uint clf_filter_part_at(const clf_arguments *a, ulong i)
{
    return CLF_PAIRS && i == 0 ? 0 : clf_filter_part_behind(a, i);
}

/* ---- The state ------------------------------------------------------------------------------------------ */

#if CLF_OUT_SETS > 2
typedef struct {
    ulong first, second;
} clf_state;
#define CLF_STATE_WORDS 4

static inline clf_state clf_filter_state_of(ulong first, ulong second)
{
    clf_state s;
    s.first = first;
    s.second = second;
    return s;
}

static inline ulong clf_first_of(clf_state s) { return s.first; }
static inline ulong clf_second_of(clf_state s) { return s.second; }

static inline void clf_state_pack(clf_state s, uint w[CLF_STATE_WORDS])
{
    clf_count64_pack(s.first, w);
    clf_count64_pack(s.second, w + 2);
}

static inline clf_state clf_state_unpack(const uint w[CLF_STATE_WORDS])
{
    return clf_filter_state_of(clf_count64_unpack(w), clf_count64_unpack(w + 2));
}
#else
typedef clf_count64 clf_state;
#define CLF_STATE_WORDS 2
#define clf_state_pack clf_count64_pack
#define clf_state_unpack clf_count64_unpack

static inline clf_state clf_filter_state_of(ulong first, ulong second) { return first; }
static inline ulong clf_first_of(clf_state s) { return s; }
static inline ulong clf_second_of(clf_state s) { return 0; }
#endif

static inline clf_state clf_state_combine(clf_state left, clf_state right)
{
    return clf_filter_state_of(clf_first_of(left) + clf_first_of(right), clf_second_of(left) + clf_second_of(right));
}

static inline clf_state clf_state_neutral(void) { return clf_filter_state_of(0, 0); }
static inline clf_state clf_state_initial(const clf_arguments *a) { return clf_state_neutral(); }
static inline clf_state clf_state_copy(clf_state s) { return clf_filter_state_of(clf_first_of(s), clf_second_of(s)); }

static inline clf_state clf_state_at(const clf_arguments *a, ulong i)
{
    const uint part = clf_filter_part_at(a, i);
    return clf_filter_state_of(part == 0, part == 1);
}

/* ---- Results -------------------------------------------------------------------------------------------- */

/* How many of `kept` results from place `at` on there is room for. */
static inline ulong clf_filter_room(const clf_arguments *a, ulong at, ulong kept)
{
    const ulong room = (ulong)a->room_high << 32 | a->room_low;
    return at < room ? min(kept, room - at) : 0;
}

/* The last element's tile knows how many there are of all: `kept`, before element `end`. */
static inline void clf_filter_tell(const clf_arguments *a, ulong end, ulong total, clf_state kept)
{
    if (end == total && get_local_id(0) == 0) {
        a->result[0] = clf_first_of(kept);
        if (CLF_OUT_SETS > 2)
            a->result[1] = clf_second_of(kept);
        if (CLF_OUT_SETS > 1)
            a->result[CLF_OUT_SETS - 1] = total - clf_first_of(kept) - clf_second_of(kept);
    }
}

/* Of no elements, which only the device may know, there is no last one: the first group tells. */
static inline void clf_filter_tell_nothing(const clf_arguments *a, ulong total)
{
    if (CLF_GIVEN && get_group_id(0) == 0)
        clf_filter_tell(a, 0, total, clf_state_neutral());
}
