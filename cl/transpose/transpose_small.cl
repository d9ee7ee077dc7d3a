/* SPDX-License-Identifier: MIT */
/*
 * transpose_small: many matrices. A group takes `chunk` whole ones of all `parts`: one run of the input, and one of the
 * output.
 *
 * needs: nothing
 * provides: nothing
 */
#include "transpose/transpose_run.cl"

/* The shape of all matrices, and how to divide by it. */
typedef struct {
    uint rows, columns, by_rows, by_columns;
} clf_matrices;

/* Where an element of the output is in the input: its matrix's row and column, and which of all elements it is. */
typedef struct {
    uint row, column, at;
} clf_turned;

static inline clf_turned clf_turn(clf_matrices m, uint element)
{
    const uint line = clf_divide(element, m.rows, m.by_rows), matrix = clf_divide(line, m.columns, m.by_columns);
    clf_turned t;
    t.row = element - line * m.rows;
    t.column = line - matrix * m.columns;
    t.at = (matrix * m.rows + t.row) * m.columns + t.column;
    return t;
}

static inline clf_turned clf_next(clf_matrices m, clf_turned t)
{
    t.at += m.columns;
    if (++t.row == m.rows) {
        t.row = 0;
        t.at += 1 - m.rows * m.columns;
        if (++t.column == m.columns) {
            t.column = 0;
            t.at += (m.rows - 1) * m.columns;
        }
    }
    return t;
}

/* Where the units of a word of the output are in the input; the first of them may lie before both. */
static inline void clf_units_turn(clf_matrices m, int first, uint from[CLF_WORD_UNITS])
{
    clf_turned t = clf_turn(m, (uint)max(first, 0) / CLF_ELEMENT_UNITS);
    CLF_UNROLL for (int k = 0; k < CLF_WORD_UNITS; ++k) {
        const uint part = (uint)max(first + k, 0) % CLF_ELEMENT_UNITS;
        if (k > 0 && first + k > 0 && part == 0)
            t = clf_next(m, t);
        from[k] = t.at * CLF_ELEMENT_UNITS + part;
    }
}

/* Words after which whole matrices have passed, and words again begin where the first one did. */
static inline uint clf_period(uint size)
{
    uint words = size;
    for (uint pack = CLF_WORD_UNITS; pack > 1; pack /= 2)
        words = words % 2 == 0 ? words / 2 : words;
    return words;
}

/*
 * The group takes as many words at a time as make whole periods, if it can: then a work-item's next word lies as many
 * units further on both sides.
 */
static inline void clf_matrices_write(__global clf_unit *run, uint n, clf_matrices m, clf_store store, uint skew)
{
    const uint period = clf_period(m.rows * m.columns * CLF_ELEMENT_UNITS);
    const bool steady = period <= CLF_GROUP;
    const uint step = steady ? CLF_GROUP / period * period : CLF_GROUP;
    uint from[CLF_WORD_UNITS];
    for (uint w = clf_local_id(); w < CLF_WORDS(n) && clf_local_id() < step; w += step) {
        const int first = clf_unit_word_first(run, w);
        clf_unit_word word = 0;
        if (steady && w >= 2 * step)
            CLF_UNROLL for (uint k = 0; k < CLF_WORD_UNITS; ++k)
                from[k] += step * CLF_WORD_UNITS;
        else
            clf_units_turn(m, first, from);
        CLF_UNROLL for (uint k = 0; k < CLF_WORD_UNITS; ++k)
            if ((uint)first + k < n)
                word = clf_unit_word_with(word, k, *clf_stored(store, from[k] + skew));
        clf_unit_word_write(run, first, n, word);
    }
}

CLF_TRANSPOSE(clf_transpose_small)
{
    CLF_STORE(store);
    const clf_matrices m = {(uint)rows, (uint)columns, clf_reciprocal((uint)rows), clf_reciprocal((uint)columns)};
    const uint size = (uint)(rows * columns);
    const ulong first = (ulong)get_group_id(0) * chunk;
    const uint n = (uint)min((ulong)chunk, parts - first) * size * CLF_ELEMENT_UNITS;
    in += (in_at + first * size) * CLF_ELEMENT_UNITS;
    out += (out_at + first * size) * CLF_ELEMENT_UNITS;
    clf_long_read(in, n, store);
    clf_group_sync();
    clf_matrices_write(out, n, m, store, clf_skew(in));
}
