/* SPDX-License-Identifier: MIT */
/*
 * transpose_small: many matrices, of which a group takes `chunk` whole ones of all `parts`: one run of the input,
 * and one of the output.
 */
#include "transpose_run.cl"

/* Element `element` of the output, in the input. */
static inline uint clf_turned(uint element, uint rows, uint columns, uint by_rows, uint by_columns)
{
    const uint line = clf_divide(element, rows, by_rows), matrix = clf_divide(line, columns, by_columns);
    const uint row = matrix * rows + (element - line * rows), column = line - matrix * columns;
    return row * columns + column;
}

static inline void clf_matrices_write(__global clf_unit *run, uint n, uint rows, uint columns, clf_store store,
                                      uint skew)
{
    const uint by_rows = clf_reciprocal(rows), by_columns = clf_reciprocal(columns);
    for (uint w = clf_local_id(); w < CLF_WORDS(n); w += CLF_GROUP) {
        const int first = clf_word_first(run, w);
        clf_word word = 0;
        CLF_UNROLL for (uint j = 0; j < CLF_PACK; ++j) {
            const uint unit = (uint)first + j;
            const uint element = clf_turned(unit / CLF_UNITS, rows, columns, by_rows, by_columns);
            if (unit < n)
                word = clf_word_with(word, j, *clf_stored(store, element * CLF_UNITS + unit % CLF_UNITS + skew));
        }
        clf_word_write(run, first, n, word);
    }
}

CLF_TRANSPOSE(clf_transpose_small)
{
    CLF_STORE(store);
    const uint size = (uint)(rows * columns);
    const ulong first = (ulong)get_group_id(0) * chunk;
    const uint n = (uint)min((ulong)chunk, parts - first) * size * CLF_UNITS;
    in += (in_at + first * size) * CLF_UNITS;
    out += (out_at + first * size) * CLF_UNITS;
    clf_long_read(in, n, store);
    clf_group_sync();
    clf_matrices_write(out, n, (uint)rows, (uint)columns, store, clf_skew(in));
}
