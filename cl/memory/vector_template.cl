/* SPDX-License-Identifier: MIT */
/*
 * vector_template: CLF_X_PER elements of CLF_X bytes as one vector, and what that is moved as: CLF_X_MOVE. Elements of
 * less than 4 bytes go as CLF_X_WORDS words, for LLVM's PTX back end tears vectors of them apart. Part of
 * tile_template.cl and stretch_template.cl (CLF_X_KIND: tile, stretch), which undefine it all.
 */
#if CLF_X_PER == 1
#define CLF_X_VEC CLF_X_TYPE
#else
#define CLF_X_VEC CLF_PASTE(CLF_X_TYPE, CLF_X_PER)
#endif

#if CLF_X < 4 && CLF_X * CLF_X_PER == 16
#define CLF_X_WORDS 4
#define CLF_X_MOVE uint4
#elif CLF_X < 4 && CLF_X * CLF_X_PER == 8
#define CLF_X_WORDS 2
#define CLF_X_MOVE uint2
#elif CLF_X < 4 && CLF_X * CLF_X_PER == 4
#define CLF_X_WORDS 1
#define CLF_X_MOVE uint
#else
#define CLF_X_MOVE CLF_X_VEC
#endif

#define CLF_X_SPLIT CLF_X_NAME(CLF_PASTE(CLF_PASTE(clf_, CLF_X_KIND), _split_))
#define CLF_X_JOIN CLF_X_NAME(CLF_PASTE(CLF_PASTE(clf_, CLF_X_KIND), _join_))

/* The elements of a vector, and back. */
static inline void CLF_X_SPLIT(CLF_X_MOVE q, CLF_X_TYPE x[CLF_X_PER])
{
#ifdef CLF_X_WORDS
    uint w[CLF_X_WORDS];
    CLF_PASTE(CLF_SPLIT_, CLF_X_WORDS)(w, q);
    CLF_UNROLL for (uint k = 0; k < CLF_X_WORDS; ++k)
        CLF_X_NAME(clf_word_split_)(w[k], x + k * (4 / CLF_X));
#else
    CLF_PASTE(CLF_SPLIT_, CLF_X_PER)(x, q);
#endif
}

static inline CLF_X_MOVE CLF_X_JOIN(const CLF_X_TYPE x[CLF_X_PER])
{
#ifdef CLF_X_WORDS
    uint w[CLF_X_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_X_WORDS; ++k)
        w[k] = CLF_X_NAME(clf_word_join_)(x + k * (4 / CLF_X));
    return (CLF_X_MOVE)(CLF_PASTE(CLF_JOIN_, CLF_X_WORDS)(w));
#else
    return (CLF_X_MOVE)(CLF_PASTE(CLF_JOIN_, CLF_X_PER)(x));
#endif
}
