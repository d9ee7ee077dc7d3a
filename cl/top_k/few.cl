/* SPDX-License-Identifier: MIT */
/*
 * few: a few of each row, by a unit (lane.cl) which keeps the best so far in a list (list.cl) and reads the row once.
 * Rows of many elements, where they are few, have several parts, a unit for each; the next launch looks at what these
 * had, in the order of the input.
 *
 * Numbers: room, elements of a row as the host knows them; chunks, parts of a row, and each, elements of all but the
 * last of them; pass, launches before. Where the device knows the size, control has for each launch, in turns, how many
 * elements those before it left.
 *
 * needs: a->chunks, a->control, a->each, a->how, a->pass, a->room_high, a->room_low
 * provides: clf_few, clf_few_list, clf_top_few_body
 */
#include "top_k/list_take.cl"
#include "top_k/list_write.cl"

typedef clf_list_storage clf_top_few_storage;

/* The part of a row that a unit has, and where its results go. */
typedef struct {
    ulong row;
    uint part, size, wanted;
    ulong to;
} clf_few;

/* How many results `size` elements of a row have, of whose parts each has so many of the first. */
static inline ulong clf_few_left(const clf_arguments *a, ulong size)
{
    const ulong all = clf_work_results(a, a->size), whole = a->chunks > 1 ? size / a->each : 0;
    return whole * all + min(all, size - whole * a->each);
}

/* Elements of each row. */
static inline ulong clf_few_size(const clf_arguments *a)
{
    const ulong size = (ulong)a->room_high << 32 | a->room_low;
    return CLF_GIVEN ? min(size, a->pass > 0 ? a->control[a->pass % 2] : a->size) : size;
}

static inline void clf_few_begin(const clf_arguments *a, clf_few *f, clf_source *from)
{
    const ulong unit = get_group_id(0) * CLF_UNITS + clf_unit_id(), size = clf_few_size(a);
    const ulong given = (ulong)a->room_high << 32 | a->room_low, wanted = clf_work_results(a, a->size);
    f->row = a->chunks > 1 ? (uint)unit / a->chunks : unit;
    f->part = a->chunks > 1 ? (uint)unit % a->chunks : 0;
    const ulong begin = min((ulong)f->part * a->each, size);
    f->size = f->row < a->count ? (uint)min(size - begin, (ulong)a->each) : 0;
    f->wanted = (uint)min(wanted, (ulong)f->size);
    f->to = a->chunks > 1 ? f->row * clf_few_left(a, given) + f->part * wanted : f->row * wanted;
    clf_source_begin(a, a->pass > 0, f->row * given + begin, from);
    if (CLF_GIVEN && unit == 0 && clf_unit_lane() == 0)
        a->control[(a->pass + 1) % 2] = clf_few_left(a, f->row < a->count ? size : 0);
}

/* Lists the first `wanted` elements of the part, and at the end no more than can be put in order. */
CLF_INLINE void clf_few_list(const clf_source *from, const clf_few *f, uint most_last, clf_list *list)
{
    const uint most = clf_list_most(list->wanted);
    uint at = 0;
    bool step = f->size <= CLF_LIST_STEP * CLF_UNIT; /* or until the list, which has no room for more, is narrowed */
    CLF_LOOP for (;;) {
        const bool ended = at >= f->size || list->closed;
        if (list->found > (ended ? most_last : most)) {
            clf_list_narrow(list, at, ended ? most_last : most);
            step = false;
        }
        if (ended)
            break;
        if (step) {
            (void)clf_list_take_step(from, at, f->size, most, list);
            at += CLF_LIST_STEP * CLF_UNIT;
        } else if (f->size <= CLF_LIST_ROOM) {
            step = !clf_list_take_room(from, at, f->size, most, list);
            at = step ? at : f->size;
        } else {
            step = !clf_list_take_many(from, at, f->size, most, list);
            at = step ? at : at + CLF_LIST_MANY * CLF_UNIT;
        }
    }
}

CLF_INLINE void clf_top_few_body(const clf_arguments *a, __local clf_top_few_storage *s)
{
    clf_source from;
    clf_list list;
    clf_few f;
    clf_few_begin(a, &f, &from);
    if (CLF_LEAVES_EARLY && f.wanted == 0)
        return;
    const bool alike = a->how & CLF_TOP_UNSORTED;
    clf_list_begin(f.wanted, s, &list);
    clf_few_list(&from, &f, alike ? f.wanted : clf_list_most(f.wanted), &list);
    clf_list_write(&from, &list, alike, &a->out, f.to);
}
