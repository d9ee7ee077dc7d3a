/* SPDX-License-Identifier: MIT */
/*
 * array_template: an array that is a field, as it is moved: CLF_X_TYPE, a struct of CLF_X_NUMBER unsigned scalars
 * CLF_X_OF, each of CLF_X bytes. Structs can be assigned, and arrays cannot. The caller's functions know the same
 * memory as an array, by a union (src/operator/listed.c). Included by fields.cl once per such type; takes these four
 * and leaves them undefined.
 *
 * needs: CLF_X, CLF_X_NUMBER, CLF_X_OF
 * provides: nothing
 */
#include "device/base.cl"

typedef struct {
    CLF_X_OF at[CLF_X_NUMBER];
} CLF_X_TYPE;

/* To words and back; the last word may have zeros behind its scalars. */
enum { CLF_PASTE(clf_count_of_, CLF_X_TYPE) = (CLF_X * CLF_X_NUMBER + 3) / 4 };
typedef union {
    uint words[CLF_PASTE(clf_count_of_, CLF_X_TYPE)];
    CLF_X_TYPE array;
} CLF_PASTE(clf_worded_, CLF_X_TYPE);

static inline CLF_PASTE(clf_worded_, CLF_X_TYPE) CLF_PASTE(clf_words_of_, CLF_X_TYPE)(CLF_X_TYPE x)
{
    CLF_PASTE(clf_worded_, CLF_X_TYPE) both;
    both.words[CLF_PASTE(clf_count_of_, CLF_X_TYPE) - 1] = 0;
    both.array = x;
    return both;
}

static inline CLF_X_TYPE CLF_PASTE(clf_words_to_, CLF_X_TYPE)(const uint *w)
{
    CLF_PASTE(clf_worded_, CLF_X_TYPE) both;
    CLF_UNROLL for (uint k = 0; k < CLF_PASTE(clf_count_of_, CLF_X_TYPE); ++k)
        both.words[k] = w[k];
    return both.array;
}

#undef CLF_X
#undef CLF_X_OF
#undef CLF_X_TYPE
#undef CLF_X_NUMBER
