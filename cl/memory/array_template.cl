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

/*
 * Copied, and to words and back, a scalar at a time: in kernels without lanes NVIDIA's compiler (driver 580) lost
 * arrays in structs that are copied whole. The last word may have zeros behind its scalars.
 */
static inline CLF_X_TYPE CLF_PASTE(clf_copy_of_, CLF_X_TYPE)(CLF_X_TYPE x)
{
    CLF_X_TYPE copy;
    CLF_UNROLL for (uint k = 0; k < CLF_X_NUMBER; ++k)
        copy.at[k] = x.at[k];
    return copy;
}

static inline void CLF_PASTE(clf_words_of_, CLF_X_TYPE)(CLF_X_TYPE x, uint *w)
{
    CLF_UNROLL for (uint k = 0; k < (CLF_X * CLF_X_NUMBER + 3) / 4; ++k)
        w[k] = 0;
    CLF_UNROLL for (uint k = 0; k < CLF_X_NUMBER; ++k) {
        w[k * CLF_X / 4] |= (uint)x.at[k] << k * CLF_X % 4 * 8;
        if (CLF_X == 8)
            w[k * CLF_X / 4 + CLF_X / 8] = (uint)((ulong)x.at[k] >> 32);
    }
}

static inline CLF_X_TYPE CLF_PASTE(clf_words_to_, CLF_X_TYPE)(const uint *w)
{
    CLF_X_TYPE x;
    CLF_UNROLL for (uint k = 0; k < CLF_X_NUMBER; ++k)
        x.at[k] = (CLF_X_OF)(CLF_X == 8 ? w[k * CLF_X / 4] | (ulong)w[k * CLF_X / 4 + CLF_X / 8] << 32
                                        : w[k * CLF_X / 4] >> k * CLF_X % 4 * 8);
    return x;
}

/* Where others store at the same time, each scalar is of one of them. Structs may be copied byte by byte. */
static inline void CLF_PASTE(clf_put_of_, CLF_X_TYPE)(__global CLF_X_TYPE *to, CLF_X_TYPE x)
{
    CLF_UNROLL for (uint k = 0; k < CLF_X_NUMBER; ++k)
        to->at[k] = x.at[k];
}

#undef CLF_X
#undef CLF_X_OF
#undef CLF_X_TYPE
#undef CLF_X_NUMBER
