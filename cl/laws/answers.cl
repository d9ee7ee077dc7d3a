/* SPDX-License-Identifier: MIT */
/*
 * answers: what one function of the operator says, of each element or of each pair of elements. The host asks for all
 * of it again, backwards, so that other work-items answer, and decides the laws (src/explore/answers.c).
 *
 *   a->size    elements in a->in, the simplest first
 *   a->count   answers: number i + k · size is of element i, and of what a->other makes of k
 *   a->other   0: nothing else; an index is the element's. 1: element k. 2: the k-th index
 *
 * functions.cl has CLF_LAWS_ASK(a, i, j), an answer of type CLF_LAWS_ANSWER; and CLF_LAWS_ANSWERS(F), F(bytes, v.name)
 * for each field of an answer v. A field takes a word at least.
 *
 * needs: a->answers, a->backwards, a->other
 * provides: clf_laws_answer_body
 */
#include "device/lane.cl"
#include "laws/index.cl"
#include "memory/wrapper.cl"

typedef uchar clf_laws_answer_storage; /* none needed */

/* What the map makes of an element; without a map the element. */
static inline clf_value clf_laws_made(const clf_arguments *a, uint i, ulong index)
{
    clf_extra extra;
    return clf_value_copy(clf_map_at(a, clf_input_at(&a->in, i), index CLF_NUMBERED_AT(a, index), &extra));
}

#define CLF_LAWS_PUT(bytes, x) \
    { uint w[CLF_WORDS_OF(bytes)]; CLF_TO_WORDS_##bytes(w, x); \
      for (uint k = 0; k < CLF_WORDS_OF(bytes); ++k) *to++ = w[k]; }
static inline void clf_laws_put(__global uint *to, CLF_LAWS_ANSWER v)
{
    CLF_LAWS_ANSWERS(CLF_LAWS_PUT)
}

#define CLF_LAWS_ADD_WORDS(bytes, x) + CLF_WORDS_OF(bytes)
CLF_INLINE void clf_laws_answer_body(const clf_arguments *a, __local clf_laws_answer_storage *s)
{
    for (ulong t = get_global_id(0); t < a->count; t += get_global_size(0)) {
        const ulong at = a->backwards ? a->count - 1 - t : t;
        const uint i = (uint)(at % a->size), k = (uint)(at / a->size);
        const ulong j = a->other == 2 ? clf_laws_index(k) : a->other ? k : i;
        clf_laws_put(a->answers + at * (0 CLF_LAWS_ANSWERS(CLF_LAWS_ADD_WORDS)), CLF_LAWS_ASK(a, i, j));
    }
}
