/* SPDX-License-Identifier: MIT */
/*
 * reduce_parts: long segments: a work-group each, or several where there are fewer segments than the
 * device runs groups.
 *
 * Each segment is cut into as many equal parts as it has groups, each part into a range per unit; chunks
 * before groups, so that there is no second wave (Larsen 2017). A part's value goes to scratch as a message
 * (message.cl), and whoever then finds all parts of its segment there combines them in order. The ticket that
 * each group takes in between puts all groups in an order, and the last of a segment's in that order finds
 * everything; others may, too, and write the same. Nobody waits.
 *
 * Where a device cannot publish (clf_facts.fence) a second launch finishes. One segment needs none: the group that has
 * the last ticket finishes. Each group reads back what it wrote before it takes a ticket, so all parts should be there;
 * what is not is computed again, unless extra outputs may have overwritten the inputs.
 *
 * Takes clf_range_reduce from the file that includes this one: range.cl, or range_cpu.cl.
 *
 * needs: range
 * provides: clf_reduce_finish_body, clf_reduce_parts_body
 */
#include "group/group_reduce.cl"
#include "group/message.cl"

typedef struct {
    clf_range_storage range;
    uint published; /* how many parts of all segments when this one was; 0: none need be */
    uint missing;   /* has the segment parts that are not yet there? */
} clf_reduce_parts_storage;

enum { CLF_PARTS_AT = 64 }; /* bytes: behind the header */

static inline uint clf_reduce_parts_count(const clf_arguments *a)
{
    return (uint)get_num_groups(0) / (uint)a->bound;
}

static inline clf_slot clf_part_slot(const clf_arguments *a, uint i)
{
    return (clf_slot)(a->scratch + CLF_PARTS_AT) + (size_t)i * CLF_SLOT_WORDS;
}

typedef struct {
    ulong from, to;
} clf_interval;

/* The elements of `count` units of a segment from `unit` on, where its `parts` have all of them. */
static inline clf_interval clf_part_interval(const clf_arguments *a, ulong segment, ulong unit, uint count, uint parts)
{
    const ulong units = (ulong)parts * CLF_UNITS;
    const ulong size = !CLF_GIVEN || segment < a->count ? a->size : 0; /* there may be fewer segments (given.cl) */
    const ulong share = ((size + units - 1) / units + 15) / 16 * 16;   /* starts as aligned as the segment */
    clf_interval r;
    r.from = segment * a->size + min(unit * share, size);
    r.to = segment * a->size + min((unit + count) * share, size);
    return r;
}

/* Combines part `part` of a segment, right for the last work-item of the group. */
static inline clf_value clf_part_reduce(const clf_arguments *a, ulong segment, uint part, uint parts,
                                        __local clf_range_storage *s)
{
    const clf_interval r = clf_part_interval(a, segment, (ulong)part * CLF_UNITS + clf_unit_id(), 1, parts);
    return clf_units_total(clf_range_reduce(a, r.from, r.to, s), &s->reduce CLF_COMBINE_A);
}

/* A part that did not arrive, by one work-item. It loads inputs again. */
static inline clf_value clf_part_again(const clf_arguments *a, ulong segment, uint part, uint parts)
{
    const clf_interval r = clf_part_interval(a, segment, part * CLF_UNITS, CLF_UNITS, parts);
    clf_value sum = clf_neutral();
    CLF_LOOP for (ulong i = r.from; i < r.to; ++i)
        sum = clf_combine(sum, clf_value_at(a, i));
    return sum;
}

/* The parts of a segment by one unit, right for its last work-item. Each tells if those that it read are there. */
static inline clf_value clf_parts_total(const clf_arguments *a, uint segment, uint parts, bool *whole,
                                        __local clf_range_storage *s)
{
    const uint length = (parts + CLF_UNIT - 1) / CLF_UNIT;
    const uint from = min(clf_unit_lane() * length, parts), to = min(from + length, parts);
    clf_value sum = clf_neutral();
    *whole = true;
    for (uint i = from; i < to; ++i) {
        clf_value v = clf_neutral();
        if (!clf_slot_read(clf_part_slot(a, segment * parts + i), a->epoch, &v)) {
            if (CLF_ATOMICS >= 2)
                *whole = false;
            else
                v = clf_part_again(a, segment, i, parts);
        }
        sum = clf_combine(sum, v);
    }
    return clf_run_total(sum, clf_unit_lane(), &s->reduce CLF_COMBINE_A);
}

/* Publishes a part, by one work-item. How many are there now, if that can be told? */
static inline uint clf_part_publish(const clf_arguments *a, uint i, clf_value v)
{
    volatile __global uint *const tickets = (volatile __global uint *)a->scratch;
    clf_slot_write(clf_part_slot(a, i), v, a->epoch, CLF_MESSAGE_AGGREGATE);
    if (CLF_ATOMICS >= 2) {
        clf_fence_release();
        const uint published = clf_ticket_take(tickets) - a->ticket + 1;
        clf_fence_acquire();
        return published;
    }
    /* A work-item sees what it wrote, so this adds 1, but no compiler knows: the ticket waits for the message. */
    const uint back = clf_slot_read(clf_part_slot(a, i), a->epoch, &v);
    const uint published = atomic_add(tickets, back == CLF_MESSAGE_AGGREGATE ? 1 : 2) - a->ticket + 1;
    return !CLF_HAS_EXTRA && a->bound == 1 ? published : 0;
}

static inline void clf_part_result(const clf_arguments *a, uint segment, clf_value v)
{
    if (!CLF_GIVEN || segment < a->count)
        clf_segment_done(a, segment, v);
}

/*
 * Where a group can publish, its last unit alone goes on. Elsewhere all wait: some of the drivers that cannot, take a
 * unit's barrier for the group's.
 */
static inline void clf_part_sync(void)
{
    if (CLF_ATOMICS >= 2)
        clf_unit_sync();
    else
        clf_group_sync();
}

static inline bool clf_is_last_unit(void)
{
    return CLF_UNITS == 1 || clf_unit_id() == CLF_UNITS - 1;
}

/* The last unit of a group, whose last work-item knows what the part adds up to, or all units. */
static inline void clf_reduce_part_done(const clf_arguments *a, clf_value v, __local clf_reduce_parts_storage *s)
{
    const uint group = (uint)get_group_id(0), parts = clf_reduce_parts_count(a), segment = group / parts;
    if (clf_local_id() == CLF_GROUP - 1) {
        s->missing = false;
        s->published = 0;
        if (parts == 1)
            clf_part_result(a, segment, v);
        else
            s->published = clf_part_publish(a, group, v);
    }
    clf_part_sync();
    const uint segments = parts > 1 && s->published >= parts && clf_is_last_unit() ? 1 : 0;
    for (uint k = 0; k < segments; ++k) {
        bool whole;
        v = clf_parts_total(a, segment, parts, &whole, &s->range);
        if (!whole)
            s->missing = true;
        if (CLF_ATOMICS >= 2)
            clf_unit_sync();
        const bool missing = s->missing; /* in the condition PoCL 6 reads it wrong, without optimisation */
        if (clf_local_id() == CLF_GROUP - 1 && !missing)
            clf_part_result(a, segment, v);
    }
}

CLF_INLINE void clf_reduce_parts_body(const clf_arguments *a, __local clf_reduce_parts_storage *s)
{
    const uint group = (uint)get_group_id(0), parts = clf_reduce_parts_count(a);
    const clf_value v = clf_part_reduce(a, group / parts, group % parts, parts, &s->range);
    if (CLF_ATOMICS < 2 || clf_is_last_unit())
        clf_reduce_part_done(a, v, s);
}

/* The second launch, of as many groups: they are few. */
typedef clf_range_storage clf_reduce_finish_storage;

CLF_INLINE void clf_reduce_finish_body(const clf_arguments *a, __local clf_reduce_finish_storage *s)
{
    const uint first = (uint)get_group_id(0) * CLF_UNITS + clf_unit_id(), parts = clf_reduce_parts_count(a);
    for (uint k = first; k < (uint)a->count; k += (uint)get_num_groups(0) * CLF_UNITS) {
        bool whole;
        const clf_value v = clf_parts_total(a, k, parts, &whole, s);
        if (clf_unit_lane() == CLF_UNIT - 1)
            clf_segment_done(a, k, v);
    }
}
