/* SPDX-License-Identifier: MIT */
/*
 * work: the input of a top-k: a row, or its candidates. Candidates are the elements that a filter selected by a
 * sample's threshold. They are used if there are enough of them, and if all of them fitted.
 *
 *   control   ulong: threshold | candidates | results | of each row the selection behind each pass but the last
 *   counters  uint: for each row, pass and digit two words, the lower one first: elements with the digit
 *   parts     ulong: for each row and group, and in it for all its warps and for each of them, two numbers: elements
 *             that are taken for sure, and those of which the first are taken (select.cl)
 *
 * There are numbers, too: k and room (lower and upper words), pass, chunks (groups of a row, or of results, see
 * rank.cl), each (see few.cl), and `how`: CLF_TOP_UNSORTED.
 *
 * needs: a->control, a->k_high, a->k_low, a->room_high, a->room_low
 * provides: CLF_TOP_*, clf_work, clf_work_*
 */
#include "digit/order.cl"
#include "group/count.cl"

enum { CLF_TOP_THRESHOLD, CLF_TOP_COLLECTED, CLF_TOP_RESULTS, CLF_TOP_STATES };
enum { CLF_TOP_UNSORTED = 1 };
enum { CLF_TOP_PASSES = CLF_KEY_BYTES, CLF_TOP_DIGITS = 256 };

/* Keys that a work-item has on their way at a time: on GPUs. */
#define CLF_TOP_AHEAD (CLF_LANE_WIDTH > 1 || (CLF_GROUP > 1 && !CLF_CPU) ? 8 : 1)

typedef struct {
    const clf_arguments *a;
    ulong first, size;  /* of the row: the index of its first element, and how many it has */
    clf_flag collected; /* the elements are in a->second */
} clf_work;

/* Of row `row`, which may be none of those that there really are. */
static inline void clf_work_begin(const clf_arguments *a, ulong row, clf_work *w)
{
    w->a = a;
    w->first = row * a->size;
    w->size = row < a->count ? a->size : 0;
    w->collected = false;
}

/* How many results a row of so many elements has. */
static inline ulong clf_work_results(const clf_arguments *a, ulong size)
{
    return min((ulong)a->k_high << 32 | a->k_low, size);
}

/* Says how many results the first row has, for a sort of them: none, if the device knows of no row. */
static inline void clf_work_tell_results(const clf_arguments *a)
{
    a->control[CLF_TOP_RESULTS] = clf_work_results(a, a->count > 0 ? a->size : 0);
}

/* Takes the candidates instead, if they will do. */
static inline void clf_work_choose(clf_work *w)
{
    const clf_arguments *const a = w->a;
    const ulong room = (ulong)a->room_high << 32 | a->room_low, collected = a->control[CLF_TOP_COLLECTED];
    if (room > 0 && collected <= room && collected >= clf_work_results(a, w->size)) {
        w->size = collected;
        w->collected = true;
    }
}

static inline clf_value clf_work_value(const clf_work *w, ulong i)
{
    clf_extra none;
    if (w->collected)
        return clf_result_at(&w->a->second, i);
    return clf_value_copy(clf_map_at(w->a, clf_input_at(&w->a->in, w->first + i), w->first + i, &none));
}

static inline clf_key_bits clf_work_key(const clf_work *w, ulong i)
{
    return clf_key_ordered(clf_value_key(clf_work_value(w, i) CLF_LESS_OF(w->a)));
}

/* An equal share of `size` elements: part `part` of `parts`. */
typedef struct {
    ulong begin, end;
} clf_work_share;

static inline clf_work_share clf_work_share_of(ulong size, uint part, uint parts, uint unit)
{
    const ulong each = ((size + parts - 1) / parts + unit - 1) / unit * unit;
    clf_work_share s;
    s.begin = min(part * each, size);
    s.end = min(s.begin + each, size);
    return s;
}

/* Of a group's share that of this warp; neighbouring elements are neighbouring lanes'. */
static inline clf_work_share clf_work_share_of_warp(clf_work_share all)
{
    clf_work_share s = clf_work_share_of(all.end - all.begin, clf_warp_id(), CLF_WARPS, CLF_LANE_WIDTH);
    s.begin += all.begin;
    s.end += all.begin;
    return s;
}
