/* SPDX-License-Identifier: MIT */
/*
 * transpose_run: a run as long as a work-group's local memory, moved between that and global memory.
 *
 * Local memory holds the words that cover the run unchanged, so unit 0 may lie within a word. It skips a word after
 * each row of all banks, so that strides that are powers of two use each bank once.
 *
 * needs: CLF_ITEMS
 * provides: clf_long_read, clf_long_write, clf_skew, CLF_STORE, clf_store, clf_stored, CLF_TRANSPOSE_RUN_DEPTH
 */
#include "transpose/transpose.cl"

enum {
    /* Words. */
    CLF_TRANSPOSE_RUN_CAPACITY = (CLF_GROUP * CLF_ITEMS * CLF_ELEMENT_UNITS + 2 * CLF_WORD_UNITS - 2) / CLF_WORD_UNITS,
    CLF_TRANSPOSE_BANKS = CLF_UNIT_BYTES < 4 ? 32 : 128 / CLF_UNIT_BYTES, /* words in a row of all banks */
    CLF_TRANSPOSE_RUN_DEPTH = 8 /* words that a work-item reads at a time */
};

typedef __local clf_unit_word *clf_store;
#define CLF_STORE(name) \
    __local clf_unit_word name[CLF_TRANSPOSE_RUN_CAPACITY + CLF_TRANSPOSE_RUN_CAPACITY / CLF_TRANSPOSE_BANKS]

static inline uint clf_padded(uint word)
{
    return word + word / CLF_TRANSPOSE_BANKS;
}

/* Where unit `unit` is, counted from the first word's first one. */
static inline __local clf_unit *clf_stored(clf_store store, uint unit)
{
    return (__local clf_unit *)store + unit + unit / (CLF_TRANSPOSE_BANKS * CLF_WORD_UNITS) * CLF_WORD_UNITS;
}

/* Units before the run in its first word. */
static inline uint clf_skew(__global const clf_unit *run)
{
    return (uint)-clf_unit_word_first(run, 0);
}

static inline void clf_long_read(__global const clf_unit *run, uint n, clf_store store)
{
    const uint words = CLF_WORDS(n);
    for (uint done = 0; done < words; done += CLF_TRANSPOSE_RUN_DEPTH * CLF_GROUP) {
        clf_unit_word word[CLF_TRANSPOSE_RUN_DEPTH];
        CLF_UNROLL for (uint k = 0; k < CLF_TRANSPOSE_RUN_DEPTH; ++k)
            word[k] = clf_unit_word_read(run, clf_unit_word_first(run, done + k * CLF_GROUP + clf_local_id()), n);
        CLF_UNROLL for (uint k = 0; k < CLF_TRANSPOSE_RUN_DEPTH; ++k)
            if (done + k * CLF_GROUP + clf_local_id() < words)
                store[clf_padded(done + k * CLF_GROUP + clf_local_id())] = word[k];
    }
}

static inline void clf_long_write(__global clf_unit *run, uint n, clf_store store)
{
    for (uint w = clf_local_id(); w < CLF_WORDS(n); w += CLF_GROUP)
        clf_unit_word_write(run, clf_unit_word_first(run, w), n, store[clf_padded(w)]);
}
