/* SPDX-License-Identifier: MIT */
/*
 * carries: segments that span several shares. A share knows two sums: that of its elements up to its first end
 * (`head`), which is the last part of a segment, and that of the elements after its last end (`tail`).
 *
 * Units combine their shares in the group. What is left goes to scratch, a record per group. It has the tail, as a
 * message whose status says whether there was an end; the head, as another message; and the number of the segment that
 * ends first. The last group to finish, by the ticket, scans the records and writes the results of those segments. If a
 * device cannot publish (clf_facts.fence), a second launch does so. No group ever waits.
 *
 * needs: nothing
 * provides: clf_carries_join, clf_reduce_carries_body, clf_result_done
 */
#include "group/group_reduce.cl"
#include "group/run.cl"
#include "group/message.cl"

typedef struct {
    clf_run_totals totals;
    clf_value head; /* of the group */
    ulong first_end;
    uint last; /* is this group the last to finish? */
} clf_carry_storage;

enum { CLF_CARRIES_AT = 64 }; /* bytes: behind the header */
#define CLF_NUMBER_WORDS (64 / CLF_WORD_PAYLOAD)
#define CLF_CARRY_WORDS (2 * CLF_SLOT_WORDS + CLF_NUMBER_WORDS)

/* Of more segments than there is room for, the first ones. */
static inline void clf_result_done(const clf_arguments *a, ulong segment, clf_value v)
{
    if (segment < a->count)
        clf_segment_done(a, segment, v);
}

static inline clf_slot clf_carry_slot(const clf_arguments *a, uint group)
{
    return (clf_slot)(a->scratch + CLF_CARRIES_AT) + (size_t)group * CLF_CARRY_WORDS;
}

/* By one work-item, for its group. Is the group the last of all to finish? */
static inline bool clf_carry_publish(const clf_arguments *a, clf_run tail, __local const clf_carry_storage *s)
{
    const clf_slot slot = clf_carry_slot(a, (uint)get_group_id(0));
    if (tail.head) {
        clf_slot_write(slot + CLF_SLOT_WORDS, s->head, a->epoch, CLF_MESSAGE_AGGREGATE);
        CLF_UNROLL for (uint k = 0; k < CLF_NUMBER_WORDS; ++k) /* in the upper half: never taken for a message */
            clf_word_store(slot + 2 * CLF_SLOT_WORDS + k, (clf_word)(s->first_end >> k * CLF_WORD_PAYLOAD)
                                                              << CLF_WORD_PAYLOAD);
    }
    clf_slot_write(slot, tail.sum, a->epoch, tail.head ? CLF_MESSAGE_PREFIX : CLF_MESSAGE_AGGREGATE);
    clf_fence_release();
    const uint finished = clf_ticket_take((volatile __global uint *)a->scratch) - a->ticket + 1;
    clf_fence_acquire();
    return CLF_ATOMICS >= 2 && finished == (uint)get_num_groups(0);
}

static inline clf_run clf_carry_tail(const clf_arguments *a, uint group)
{
    clf_value sum = clf_neutral();
    const uint status = clf_slot_read(clf_carry_slot(a, group), a->epoch, &sum);
    return clf_run_of(sum, status == CLF_MESSAGE_PREFIX);
}

static inline clf_value clf_carry_head(const clf_arguments *a, uint group)
{
    clf_value v = clf_neutral();
    (void)clf_slot_read(clf_carry_slot(a, group) + CLF_SLOT_WORDS, a->epoch, &v);
    return v;
}

static inline ulong clf_carry_first_end(const clf_arguments *a, uint group)
{
    ulong number = 0;
    CLF_UNROLL for (uint k = 0; k < CLF_NUMBER_WORDS; ++k) {
        const clf_word w = clf_word_load(clf_carry_slot(a, group) + 2 * CLF_SLOT_WORDS + k);
        number |= (ulong)(w >> CLF_WORD_PAYLOAD) << k * CLF_WORD_PAYLOAD;
    }
    return number;
}

/* By one group, for the records of `groups` groups: each work-item takes a range of them. */
static inline void clf_carries_finish(const clf_arguments *a, uint groups, __local clf_run_totals *t)
{
    const uint share = (groups + CLF_GROUP - 1) / CLF_GROUP;
    const uint first = min(clf_local_id() * share, groups), last = min(first + share, groups);
    clf_run sum = clf_run_neutral(), all;
    for (uint g = first; g < last; ++g)
        sum = clf_run_combine(sum, clf_carry_tail(a, g));
    clf_run before = clf_run_group_scan(sum, t, &all CLF_COMBINE_A);
    for (uint g = first; g < last; ++g) {
        const clf_run tail = clf_carry_tail(a, g);
        if (tail.head)
            clf_result_done(a, clf_carry_first_end(a, g), clf_combine(before.sum, clf_carry_head(a, g)));
        before = clf_run_combine(before, tail);
    }
}

/*
 * Combines the units' shares, in order. The arguments are the same for all work-items of a unit: the tail of the unit's
 * share, `open`; and if the share has an end, *head, the sum up to the first one, which is that of segment `first_end`.
 */
static inline void clf_carries_join(const clf_arguments *a, clf_run open, __local const clf_value *head,
                                    ulong first_end, __local clf_carry_storage *s)
{
    const bool is_leader = clf_local_id() % CLF_UNIT == 0;
    clf_run all;
    const clf_run before = clf_run_group_scan(is_leader ? open : clf_run_neutral(), &s->totals, &all CLF_COMBINE_A);
    if (is_leader && open.head) {
        const clf_value v = clf_combine(before.sum, *head);
        if (before.head || get_num_groups(0) == 1) {
            clf_result_done(a, first_end, v);
        } else {
            s->head = clf_value_copy(v);
            s->first_end = first_end;
        }
    }
    clf_group_sync();
    if (clf_local_id() == 0)
        s->last = get_num_groups(0) > 1 && clf_carry_publish(a, all, s);
    clf_group_sync();
    clf_carries_finish(a, s->last ? (uint)get_num_groups(0) : 0, &s->totals);
}

typedef clf_run_totals clf_reduce_carries_storage;

CLF_INLINE void clf_reduce_carries_body(const clf_arguments *a, __local clf_reduce_carries_storage *s)
{
    clf_carries_finish(a, get_group_id(0) == 0 ? (uint)get_num_groups(0) : 0, s);
}
