/* SPDX-License-Identifier: MIT */
/*
 * steps: a selection by many groups, a->chunks for each row, a launch for each step:
 *
 *   digits   for each pass: how many elements have each digit; what the pass before has counted is looked at first
 *   count    how many elements of each warp are taken
 *   take     which go out
 *
 * If there are few elements, as candidates often are, some groups have all, and the others end at once (where they
 * may).
 *
 * needs: a->chunks, a->control, a->counters, a->parts, a->pass
 * provides: clf_top_count_body, clf_top_digits_body, clf_top_take_body
 */
#include "top_k/take.cl"

/* The least number of elements that is worth a group. */
enum { CLF_STEP_LEAST = CLF_GROUP > 1 ? 16 * CLF_GROUP : 1 };

/* This group's row, its work, and its share. */
typedef struct {
    ulong row;
    uint chunk;
    clf_work work;
    clf_work_share share;
} clf_step;

static inline void clf_step_begin(const clf_arguments *a, clf_step *step)
{
    step->row = get_group_id(0) / a->chunks;
    step->chunk = (uint)(get_group_id(0) - step->row * a->chunks);
    clf_work_begin(a, step->row, &step->work);
    clf_work_choose(&step->work);
    const ulong size = step->work.size, enough = (size + CLF_STEP_LEAST - 1) / CLF_STEP_LEAST;
    const uint groups = enough < a->chunks ? (uint)enough : a->chunks;
    step->share = clf_work_share_of(size, step->chunk, max(groups, 1u), CLF_GROUP);
}

/* Does the group end at once, with nothing to do? The first one of a row never: it keeps the selection. */
static inline bool clf_step_is_idle(const clf_step *step)
{
    return CLF_LEAVES_EARLY && step->chunk > 0 && step->share.begin >= step->share.end;
}

/* ---- Selections between launches ------------------------------------------------------------------------ */

static inline __global uint *clf_steps_counters(const clf_arguments *a, ulong row, uint pass)
{
    return a->counters + (row * CLF_TOP_PASSES + pass) * (2 * CLF_TOP_DIGITS);
}

static inline __global ulong *clf_selection_kept(const clf_arguments *a, ulong row, uint pass)
{
    return a->control + CLF_TOP_STATES + (row * CLF_TOP_PASSES + pass) * (2 + 2 * CLF_KEY_KEPT);
}

static inline void clf_selection_keep(const clf_arguments *a, ulong row, uint pass, const clf_selection *t)
{
    __global ulong *const kept = clf_selection_kept(a, row, pass);
    kept[0] = t->need;
    kept[1] = t->ended;
    clf_key_keep(t->low, kept + 2);
    clf_key_keep(t->high, kept + 2 + CLF_KEY_KEPT);
}

static inline void clf_selection_recall(const clf_arguments *a, ulong row, uint pass, clf_selection *t)
{
    __global const ulong *const kept = clf_selection_kept(a, row, pass);
    t->need = kept[0];
    t->ended = kept[1] != 0;
    t->low = clf_key_recall(kept + 2);
    t->high = clf_key_recall(kept + 2 + CLF_KEY_KEPT);
}

/*
 * The selection before pass `pass`: by the one before, which a launch has kept, and what the last launch has counted.
 * The first group of the row keeps it for the launch after the next.
 */
static inline void clf_selection_before(const clf_step *step, uint pass, clf_selection *t,
                                        __local clf_select_storage *s)
{
    const clf_arguments *const a = step->work.a;
    const uint last = pass > 0 ? pass - 1 : 0;
    ulong counts[CLF_SELECT_DIGITS_EACH];
    clf_selection now;
    CLF_LOOP for (uint k = 0; k < CLF_SELECT_DIGITS_EACH; ++k) {
        const uint digit = clf_local_id() * CLF_SELECT_DIGITS_EACH + k;
        __global const uint *const words = clf_steps_counters(a, step->row, last) + 2 * digit;
        counts[k] = pass > 0 && digit < CLF_TOP_DIGITS ? (ulong)words[1] << 32 | words[0] : 0;
    }
    const ulong size = step->work.size;
    clf_selection_begin(clf_work_results(a, step->row < a->count ? a->size : 0), size, t);
    if (pass > 1)
        clf_selection_recall(a, step->row, last - 1, t);
    now.low = t->low;
    now.high = t->high;
    now.need = t->need;
    now.ended = t->ended || pass == 0;
    clf_selection_narrow(&now, last, counts, s);
    if (pass == 0)
        return;
    t->low = now.low;
    t->high = now.high;
    t->need = now.need;
    t->ended = now.ended;
    if (step->chunk == 0 && clf_local_id() == 0)
        clf_selection_keep(a, step->row, last, t);
}

/* ---- Digits --------------------------------------------------------------------------------------------- */

typedef clf_select_storage clf_top_digits_storage;

/* Adds to a number of two words. Whoever makes the lower one overflow adds to the upper. */
static inline void clf_counter_add(__global uint *words, uint number)
{
    const uint old = atomic_add(&words[0], number);
    if (old + number < old)
        (void)atomic_inc(&words[1]);
}

CLF_INLINE void clf_top_digits_body(const clf_arguments *a, __local clf_top_digits_storage *s)
{
    clf_step step;
    clf_selection t;
    clf_step_begin(a, &step);
    if (clf_step_is_idle(&step))
        return;
    clf_selection_before(&step, a->pass, &t, s);
    clf_counts_clear(s);
    clf_counts_add(&step.work, &t, a->pass, step.share, s);
    for (uint digit = clf_local_id(); digit < CLF_TOP_DIGITS; digit += CLF_GROUP) {
        const uint number = clf_counts_of(digit, s);
        if (number > 0)
            clf_counter_add(clf_steps_counters(a, step.row, a->pass) + 2 * digit, number);
    }
}

/* ---- Count ---------------------------------------------------------------------------------------------- */

typedef struct {
    clf_select_storage select;
    ulong sure[CLF_WARPS], some[CLF_WARPS];
} clf_top_count_storage;

/* Two numbers for the whole group, and for each of its warps. */
static inline __global ulong *clf_parts_of(const clf_arguments *a, ulong row, uint chunk)
{
    return a->parts + (row * a->chunks + chunk) * (2 * (CLF_WARPS + 1));
}

CLF_INLINE void clf_top_count_body(const clf_arguments *a, __local clf_top_count_storage *s)
{
    clf_step step;
    clf_selection t;
    clf_taken own, all = {0, 0};
    clf_step_begin(a, &step);
    if (clf_step_is_idle(&step))
        return;
    clf_selection_before(&step, CLF_TOP_PASSES, &t, &s->select);
    clf_taken_count(&step.work, &t, clf_work_share_of_warp(step.share), &own);
    __global ulong *const parts = clf_parts_of(a, step.row, step.chunk);
    if (clf_lane_id() == 0) {
        s->sure[clf_warp_id()] = parts[2 + 2 * clf_warp_id()] = own.sure;
        s->some[clf_warp_id()] = parts[3 + 2 * clf_warp_id()] = own.some;
    }
    clf_group_sync();
    if (clf_local_id() == 0) {
        clf_taken_add_warps(s->sure, s->some, CLF_WARPS, &all);
        parts[0] = all.sure;
        parts[1] = all.some;
        if (get_group_id(0) == 0)
            clf_work_tell_results(a);
    }
}

/* ---- Take ----------------------------------------------------------------------------------------------- */

typedef struct {
    clf_count64_totals sure, some;
} clf_top_take_storage;

CLF_INLINE void clf_top_take_body(const clf_arguments *a, __local clf_top_take_storage *s)
{
    clf_step step;
    clf_selection t;
    clf_taken mine = {0, 0}, before;
    clf_step_begin(a, &step);
    if (clf_step_is_idle(&step))
        return;
    clf_selection_recall(a, step.row, CLF_TOP_PASSES - 1, &t);
    for (uint chunk = clf_local_id(); chunk < step.chunk; chunk += CLF_GROUP) {
        mine.sure += clf_parts_of(a, step.row, chunk)[0];
        mine.some += clf_parts_of(a, step.row, chunk)[1];
    }
    (void)clf_count64_group_scan(mine.sure, &s->sure, &before.sure);
    (void)clf_count64_group_scan(mine.some, &s->some, &before.some);
    __global const ulong *const parts = clf_parts_of(a, step.row, step.chunk);
    for (uint warp = 0; warp < clf_warp_id(); ++warp) {
        before.sure += parts[2 + 2 * warp];
        before.some += parts[3 + 2 * warp];
    }
    clf_taken_write(&step.work, &t, clf_work_share_of_warp(step.share), before,
                    step.row * clf_work_results(a, a->size));
}
