/* SPDX-License-Identifier: MIT */
/*
 * transpose_run: a run as long as a work-group's local memory, read from and written to global memory.
 *
 * Local memory holds the run as it is, with a word left out after each row of all banks: then strides that are
 * powers of two meet each bank once.
 */
#include "transpose.cl"

enum {
    CLF_BANKS = 128 / CLF_UNIT, /* units in a row of all banks */
    CLF_CAPACITY = CLF_GROUP * CLF_ITEMS * CLF_UNITS,
    CLF_DEPTH = 8 /* words that a work-item reads at a time */
};
typedef __local clf_unit *clf_store;

static inline uint clf_padded(uint unit)
{
    return unit + unit / CLF_BANKS * CLF_PACK;
}

#define CLF_STORE(name) __local clf_unit name[CLF_CAPACITY + CLF_CAPACITY / CLF_BANKS * CLF_PACK + CLF_PACK]

/* The long run, from global to local memory. */
static inline void clf_long_read(__global const clf_unit *run, uint n, clf_store store)
{
    const uint words = CLF_WORDS(n);
    for (uint done = 0; done < words; done += CLF_DEPTH * CLF_GROUP) {
        clf_word word[CLF_DEPTH];
        CLF_UNROLL for (uint k = 0; k < CLF_DEPTH; ++k)
            word[k] = clf_word_read(run, clf_word_first(run, done + k * CLF_GROUP + clf_local_id()), n);
        CLF_UNROLL for (uint k = 0; k < CLF_DEPTH; ++k) {
            const int first = clf_word_first(run, done + k * CLF_GROUP + clf_local_id());
            CLF_UNROLL for (uint j = 0; j < CLF_PACK; ++j)
                if ((uint)first + j < n)
                    store[clf_padded((uint)first + j)] = clf_word_get(word[k], j);
        }
    }
}

static inline void clf_long_write(__global clf_unit *run, uint n, clf_store store)
{
    for (uint w = clf_local_id(); w < CLF_WORDS(n); w += CLF_GROUP) {
        const int first = clf_word_first(run, w);
        clf_word word = 0;
        CLF_UNROLL for (uint j = 0; j < CLF_PACK; ++j)
            if ((uint)first + j < n)
                word = clf_word_with(word, j, store[clf_padded((uint)first + j)]);
        clf_word_write(run, first, n, word);
    }
}
