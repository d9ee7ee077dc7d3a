/* SPDX-License-Identifier: MIT */
/*
 * transpose_tile: a tile of CLF_ROWS x CLF_COLUMNS elements by each work-group, through local memory.
 *
 * The tile is read row by row and written column by column, so that both ways neighbouring work-items move
 * neighbouring words. Its rows are an element apart from a multiple of all banks of local memory, so that reading a
 * column meets no bank twice.
 */
#include "transpose_place.cl"

enum {
    CLF_RUN_IN = CLF_COLUMNS * CLF_UNITS, /* units of a row of the tile */
    CLF_RUN_OUT = CLF_ROWS * CLF_UNITS,
    CLF_WORDS_IN = CLF_WORDS(CLF_RUN_IN),
    CLF_WORDS_OUT = CLF_WORDS(CLF_RUN_OUT),
    CLF_PITCH = CLF_RUN_IN + CLF_UNITS,
    CLF_DEPTH = CLF_ITEMS < 16 ? CLF_ITEMS : 16 /* words that a work-item moves at a time */
};

/* PoCL gets loops of so many steps wrong when they are unrolled. */
#if CLF_LANE_WIDTH > 1
#define CLF_UNROLL_BATCHES CLF_UNROLL
#else
#define CLF_UNROLL_BATCHES
#endif

/* `pitch`: units from row to row of the matrix; `rows` and `columns` of the tile lie in it. */
static inline void clf_tile_read(__global const clf_unit *in, ulong pitch, uint rows, uint columns,
                                 __local clf_unit *tile)
{
    CLF_UNROLL_BATCHES for (uint done = 0; done < CLF_ROWS * CLF_WORDS_IN; done += CLF_DEPTH * CLF_GROUP) {
        clf_word word[CLF_DEPTH];
        CLF_UNROLL for (uint k = 0; k < CLF_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id(), r = i / CLF_WORDS_IN;
            __global const clf_unit *const run = in + r * pitch;
            word[k] = clf_word_read(run, clf_word_first(run, i % CLF_WORDS_IN), r < rows ? columns * CLF_UNITS : 0);
        }
        CLF_UNROLL for (uint k = 0; k < CLF_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id(), r = i / CLF_WORDS_IN;
            const int first = clf_word_first(in + r * pitch, i % CLF_WORDS_IN);
            CLF_UNROLL for (uint j = 0; j < CLF_PACK; ++j)
                if (r < CLF_ROWS && (uint)first + j < CLF_RUN_IN)
                    tile[r * CLF_PITCH + (uint)first + j] = clf_word_get(word[k], j);
        }
    }
}

static inline void clf_tile_write(__global clf_unit *out, ulong pitch, uint rows, uint columns,
                                  __local const clf_unit *tile)
{
    CLF_UNROLL_BATCHES for (uint done = 0; done < CLF_COLUMNS * CLF_WORDS_OUT; done += CLF_DEPTH * CLF_GROUP) {
        CLF_UNROLL for (uint k = 0; k < CLF_DEPTH; ++k) {
            const uint i = done + k * CLF_GROUP + clf_local_id(), c = i / CLF_WORDS_OUT;
            __global clf_unit *const run = out + c * pitch;
            const int first = clf_word_first(run, i % CLF_WORDS_OUT);
            clf_word word = 0;
            CLF_UNROLL for (uint j = 0; j < CLF_PACK; ++j) {
                const uint unit = (uint)first + j, r = unit / CLF_UNITS;
                if (c < CLF_COLUMNS && unit < CLF_RUN_OUT)
                    word = clf_word_with(word, j, tile[r * CLF_PITCH + c * CLF_UNITS + unit % CLF_UNITS]);
            }
            clf_word_write(run, first, c < columns ? rows * CLF_UNITS : 0, word);
        }
    }
}

CLF_TRANSPOSE(clf_transpose_tile)
{
    __local clf_unit tile[CLF_ROWS * CLF_PITCH];
    const clf_place place = clf_place_of((uint)get_group_id(0), rows, columns, chunk);
    in += (in_at + place.base + place.row * columns + place.column) * CLF_UNITS;
    out += (out_at + place.base + place.column * rows + place.row) * CLF_UNITS;
    clf_tile_read(in, columns * CLF_UNITS, place.rows, place.columns, tile);
    clf_group_sync();
    clf_tile_write(out, rows * CLF_UNITS, place.rows, place.columns, tile);
}
