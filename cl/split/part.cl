/* SPDX-License-Identifier: MIT */
/*
 * part: a split scatters input elements, by the operator's `part` (digit/digit.cl). There are a->parts parts;
 * CLF_PARTS is the least power of two that is not below them.
 *
 * needs: a->parts, a->places, a->result, a->tell
 * provides: clf_split_tell, elements
 */
#include "memory/wrapper.cl"

typedef clf_input clf_element;
typedef struct {
    const clf_arguments *a;
} clf_elements;

#define CLF_ELEMENT_BYTES (0 CLF_INPUT_FIELDS(CLF_ADD_BYTES))
#define CLF_ELEMENT_FIELDS CLF_INPUT_FIELDS
#define CLF_DIGIT_LINES 256
#define CLF_DIGIT_CHEAP 0
#define CLF_DIGIT_OF_VALUE 0

static inline uint clf_digits(const clf_arguments *a)
{
    return a->parts;
}

/* All is one row. */
static inline ulong clf_row_size(const clf_arguments *a)
{
    return a->size;
}

static inline uint clf_row_tiles(const clf_arguments *a)
{
    return (uint)get_num_groups(0);
}

static inline bool clf_elements_mapped(const clf_elements *e)
{
    return false; /* clf_element_value does that */
}

static inline clf_element clf_element_of(const clf_elements *e, ulong i, bool mapped)
{
    return clf_input_at(&e->a->in, i);
}

static inline clf_element clf_element_at(const clf_elements *e, ulong i)
{
    return clf_element_of(e, i, false);
}

static inline uint clf_element_digit(const clf_elements *e, clf_element x, ulong i)
{
    return min(clf_part_of(e->a, x, i), e->a->parts - 1);
}

static inline clf_value clf_element_value(const clf_elements *e, clf_element x, ulong i)
{
    clf_extra none;
    return clf_value_copy(clf_map_at(e->a, x, i, &none)); /* value.cl */
}

static inline const clf_outputs *clf_elements_out(const clf_elements *e)
{
    return &e->a->out;
}

/* How many elements a part has, or with a->tell 2 where it begins, if anybody wants to know; */
static inline void clf_elements_tell(const clf_elements *e, uint part, ulong begin, ulong count)
{
    if (e->a->tell)
        e->a->result[part] = e->a->tell == 2 ? begin : count;
}

/* which the first group says, of several, or where nothing is. */
static inline void clf_split_tell(const clf_arguments *a)
{
    const size_t groups = get_num_groups(0);
    const clf_elements e = {a};
    if (!a->tell || get_group_id(0) > 0)
        return;
    for (uint part = clf_local_id(); part < a->parts; part += CLF_GROUP) {
        const ulong begin = a->size > 0 ? a->places[part * groups] : 0;
        const ulong end = a->size > 0 && part + 1 < a->parts ? a->places[(part + 1) * groups] : a->size;
        clf_elements_tell(&e, part, begin, end - begin);
    }
}

static inline bool clf_elements_open(const clf_arguments *a, clf_elements *e)
{
    e->a = a;
    return true;
}
