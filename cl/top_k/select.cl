/* SPDX-License-Identifier: MIT */
/*
 * select: which keys are taken, digit by digit from the top (a radix select: Alabi et al. 2012). After each pass, keys
 * below `low` are taken and keys above `high` are not. The keys between have the same digits so far, and the first
 * `need` least ones of them are taken. The selection ends when these are all, or are all equal: then the first ones
 * count.
 *
 * needs: nothing
 * provides: clf_counts_*, CLF_SELECT_DIGITS_EACH, clf_selection, clf_selection_*, clf_top_*
 */
#include "top_k/work.cl"

typedef struct {
    clf_key_bits low, high;
    ulong need;
    clf_flag ended;
} clf_selection;

/* A counter for each digit, several times: lanes that have the same digit would wait for each other. */
enum { CLF_TOP_COPIES = CLF_GROUP > 1 ? 4 : 1 };
typedef struct {
    uint counts[CLF_TOP_DIGITS * CLF_TOP_COPIES];
    clf_count64_totals totals;
    clf_key_kept low, high;
    ulong need;
    uint ended;
} clf_select_storage;

#define CLF_SELECT_DIGITS_EACH ((CLF_TOP_DIGITS + CLF_GROUP - 1) / CLF_GROUP)

/* The first `need` of `size` elements. */
static inline void clf_selection_begin(ulong need, ulong size, clf_selection *t)
{
    t->low = (clf_key_bits)0;
    t->high = CLF_KEY_ONES;
    t->need = need;
    t->ended = need == 0 || need >= size;
}

static inline bool clf_selection_has(const clf_selection *t, clf_key_bits key)
{
    return CLF_KEY_AT_MOST(t->low, key) && CLF_KEY_AT_MOST(key, t->high);
}

/* The digit of a pass, the uppermost first. */
static inline uint clf_top_digit(clf_key_bits key, uint pass)
{
    return clf_key_digit(key, CLF_TOP_PASSES - 1 - pass);
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

static inline void clf_counts_clear(__local clf_select_storage *s)
{
    for (uint k = clf_local_id(); k < CLF_TOP_DIGITS * CLF_TOP_COPIES; k += CLF_GROUP)
        s->counts[k] = 0;
    clf_group_sync();
}

/* A digit and how often it came in a row: where all elements have one digit, counters would else be fought for. */
typedef struct {
    uint digit, times;
} clf_top_run;

static inline void clf_top_run_end(const clf_top_run *run, __local clf_select_storage *s)
{
    __local uint *const counter = &s->counts[run->digit * CLF_TOP_COPIES + clf_local_id() % CLF_TOP_COPIES];
    if (run->times == 0)
        return;
    if (CLF_GROUP == 1)
        *counter += run->times;
    else
        atomic_add(counter, run->times);
}

static inline void clf_top_run_add(clf_top_run *run, uint digit, __local clf_select_storage *s)
{
    if (digit != run->digit) {
        clf_top_run_end(run, s);
        run->digit = digit;
        run->times = 0;
    }
    ++run->times;
}

/* Adds the digits of a group's share of elements, of those between the bounds. */
static inline void clf_counts_add(const clf_work *w, const clf_selection *t, uint pass, clf_work_share share,
                                  __local clf_select_storage *s)
{
    const ulong end = t->ended ? share.begin : share.end;
    clf_top_run run = {0, 0};
    CLF_LOOP for (ulong at = share.begin + clf_local_id(); at < end; at += CLF_GROUP * CLF_TOP_AHEAD) {
        clf_key_bits keys[CLF_TOP_AHEAD];
        CLF_UNROLL for (uint k = 0; k < CLF_TOP_AHEAD; ++k)
            keys[k] = clf_work_key(w, min(at + k * CLF_GROUP, end - 1));
        CLF_UNROLL for (uint k = 0; k < CLF_TOP_AHEAD; ++k)
            if (at + k * CLF_GROUP < end && clf_selection_has(t, keys[k]))
                clf_top_run_add(&run, clf_top_digit(keys[k], pass), s);
    }
    clf_top_run_end(&run, s);
    clf_group_sync();
}

/* What the group has counted of digit `digit`. */
static inline uint clf_counts_of(uint digit, __local const clf_select_storage *s)
{
    uint sum = 0;
    CLF_UNROLL for (uint copy = 0; copy < CLF_TOP_COPIES; ++copy)
        sum += s->counts[digit * CLF_TOP_COPIES + copy];
    return sum;
}

/* ---- Choosing ------------------------------------------------------------------------------------------- */

/* Narrows the bounds to the digit that the last one needed has. Each work-item knows the counts of its digits. */
static inline void clf_selection_narrow(clf_selection *t, uint pass, const ulong counts[CLF_SELECT_DIGITS_EACH],
                                        __local clf_select_storage *s)
{
    const uint begin = clf_local_id() * CLF_SELECT_DIGITS_EACH, shift = 8 * (CLF_TOP_PASSES - 1 - pass);
    ulong sum = 0, all;
    CLF_LOOP for (uint k = 0; k < CLF_SELECT_DIGITS_EACH; ++k)
        sum += counts[k];
    ulong before = clf_count64_group_scan(sum, &s->totals, &all);
    CLF_LOOP for (uint k = 0; k < CLF_SELECT_DIGITS_EACH; ++k) {
        if (begin + k < CLF_TOP_DIGITS && before < t->need && t->need - before <= counts[k]) {
            const clf_key_bits low = t->low | clf_key_shifted(begin + k, shift);
            s->low = low;
            s->high = low | clf_key_previous(clf_key_shifted(1, shift));
            s->need = t->need - before;
            s->ended = shift == 0 || counts[k] == t->need - before;
        }
        before += counts[k];
    }
    clf_group_sync();
    if (!t->ended) {
        t->low = (clf_key_bits)s->low;
        t->high = (clf_key_bits)s->high;
        t->need = s->need;
        t->ended = s->ended != 0;
    }
    clf_group_sync();
}

/* The same by what this group has counted. */
static inline void clf_selection_narrow_own(clf_selection *t, uint pass, __local clf_select_storage *s)
{
    ulong counts[CLF_SELECT_DIGITS_EACH];
    CLF_LOOP for (uint k = 0; k < CLF_SELECT_DIGITS_EACH; ++k) {
        const uint digit = clf_local_id() * CLF_SELECT_DIGITS_EACH + k;
        counts[k] = digit < CLF_TOP_DIGITS ? clf_counts_of(digit, s) : 0;
    }
    clf_selection_narrow(t, pass, counts, s);
}

/* All passes by one group. */
static inline void clf_selection_by_group(const clf_work *w, clf_selection *t, __local clf_select_storage *s)
{
    const clf_work_share all = clf_work_share_of(w->size, 0, 1, 1);
    CLF_LOOP for (uint pass = 0; pass < CLF_TOP_PASSES; ++pass) {
        clf_counts_clear(s);
        clf_counts_add(w, t, pass, all, s);
        clf_selection_narrow_own(t, pass, s);
    }
}
