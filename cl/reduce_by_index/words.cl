/* SPDX-License-Identifier: MIT */
/*
 * words: values as 32-bit words. In scratch the words of a value are side by side. In local memory they are word by
 * word, so that neighbouring values lie in neighbouring banks.
 *
 * needs: a->tables
 * provides: clf_words_get, clf_words_put, clf_words_read, clf_words_write
 */
#include "reduce_by_index/code.cl"

static inline clf_value clf_words_read(const clf_arguments *a, ulong i)
{
    uint w[CLF_VALUE_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = a->tables[i * CLF_VALUE_WORDS + k];
    return clf_unpack(w);
}

static inline void clf_words_write(const clf_arguments *a, ulong i, clf_value v)
{
    uint w[CLF_VALUE_WORDS];
    clf_pack(v, w);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        a->tables[i * CLF_VALUE_WORDS + k] = w[k];
}

/* Value i of `count`. */
static inline clf_value clf_words_get(__local const uint *words, uint count, uint i)
{
    uint w[CLF_VALUE_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = words[k * count + i];
    return clf_unpack(w);
}

static inline void clf_words_put(__local uint *words, uint count, uint i, clf_value v)
{
    uint w[CLF_VALUE_WORDS];
    clf_pack(v, w);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        words[k * count + i] = w[k];
}
