/* SPDX-License-Identifier: MIT */
/*
 * split_cpu: a partition by a digit for CPU devices: work-groups of one work-item, each with a tile of consecutive
 * elements, whose parts go out side by side. Elements of a part are brought together in a line of some cache lines'
 * bytes, and written when it is full, up to where the next line of the output begins: element by element, hundreds of
 * parts would be more pages than a core keeps the addresses of.
 */
#include "split/split.cl"

/* Elements of a line: a power of two. */
#define CLF_ADD_BYTES(f, type, move, bytes, name) + bytes
enum {
    CLF_VALUE_BYTES = 0 CLF_VALUE_FIELDS(CLF_ADD_BYTES),
    CLF_LINE = CLF_VALUE_BYTES <= 1 ? 64 : CLF_VALUE_BYTES <= 2 ? 32 : CLF_VALUE_BYTES <= 16 ? 16 : 8
};

#define CLF_LINE_FIELD(f, type, move, bytes, name) type name[CLF_PARTS * CLF_LINE];
#define CLF_LINE_SET(f, type, move, bytes, name) lines->name[at] = v.name;
#define CLF_LINE_WHOLE(f, type, move, bytes, name) \
    CLF_UNROLL for (uint k = 0; k < CLF_LINE; ++k) \
        out->p##f[to + k] = lines->name[at + k];
#define CLF_LINE_SOME(f, type, move, bytes, name) \
    CLF_LOOP for (uint k = 0; k < some; ++k) \
        out->p##f[to + k] = lines->name[at + k];
typedef struct {
    CLF_VALUE_FIELDS(CLF_LINE_FIELD)
} clf_lines;

static inline void clf_line_set(clf_lines *lines, uint at, clf_value v)
{
    CLF_VALUE_FIELDS(CLF_LINE_SET)
}

static inline void clf_line_whole(const clf_outputs *out, ulong to, const clf_lines *lines, uint at)
{
    CLF_VALUE_FIELDS(CLF_LINE_WHOLE)
}

static inline void clf_line_some(const clf_outputs *out, ulong to, uint some, const clf_lines *lines, uint at)
{
    CLF_VALUE_FIELDS(CLF_LINE_SOME)
}

/* Writes what of a part's line has not been written: places from `begin` on, or from the line's first, before `end`. */
static inline void clf_line_flush(const clf_outputs *out, uint part, ulong begin, ulong end, const clf_lines *lines)
{
    const ulong first = (end - 1) / CLF_LINE * CLF_LINE, from = max(begin, first);
    const uint at = part * CLF_LINE + (uint)(from - first);
    if (end - from == CLF_LINE)
        clf_line_whole(out, from, lines, at);
    else
        clf_line_some(out, from, (uint)(end - from), lines, at);
}

typedef uchar clf_split_cpu_up_storage; /* none needed */
typedef uchar clf_split_cpu_down_storage;

static inline void clf_split_cpu_up_body(const clf_arguments *a, __local clf_split_cpu_up_storage *s)
{
    const uint tile = clf_split_tile(), count = clf_split_count(a, tile);
    const ulong first = clf_split_first(tile);
    uint counts[CLF_PARTS];
    CLF_LOOP for (uint part = 0; part < CLF_PARTS; ++part)
        counts[part] = 0;
    CLF_LOOP for (uint k = 0; k < count; ++k)
        ++counts[clf_digit_at(a, first + k)];
    for (uint part = 0; part < a->parts; ++part)
        a->tile_counts[clf_split_cell(part, tile)] = counts[part];
}

static inline void clf_split_cpu_down_body(const clf_arguments *a, __local clf_split_cpu_down_storage *s)
{
    const uint tile = clf_split_tile(), count = clf_split_count(a, tile);
    const ulong first = clf_split_first(tile);
    ulong begins[CLF_PARTS], places[CLF_PARTS];
    clf_lines lines;
    clf_split_tell(a);
    for (uint part = 0; part < a->parts; ++part)
        places[part] = begins[part] = a->places[clf_split_cell(part, tile)];
    CLF_LOOP for (uint k = 0; k < count; ++k) {
        const ulong i = first + k;
        const clf_input x = clf_input_at(&a->in, i);
        const uint part = clf_digit(a, x, i);
        const ulong place = places[part];
        clf_extra none;
        clf_line_set(&lines, part * CLF_LINE + (uint)(place % CLF_LINE), clf_map_at(a, x, i, &none));
        places[part] = place + 1;
        if ((place + 1) % CLF_LINE == 0)
            clf_line_flush(&a->out, part, begins[part], place + 1, &lines);
    }
    for (uint part = 0; part < a->parts; ++part)
        if (places[part] > begins[part] && places[part] % CLF_LINE != 0)
            clf_line_flush(&a->out, part, begins[part], places[part], &lines);
}
