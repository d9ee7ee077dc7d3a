/* SPDX-License-Identifier: MIT */
/*
 * search: bounds of needles in any order, by binary search. All searches take the same steps, so several go on side by
 * side in a work-item and none waits for another's memory; nothing branches on what is compared.
 *
 * The first steps of all needles read the same few elements, which the caches keep.
 *
 * needs: nothing
 * provides: clf_search_sorted
 */
#include "merge/path.cl"

/* Whose element of the haystack comes before the needle? Those from `at` to at + length - 1 are in doubt. */
#define CLF_SEARCH_STEP(at, needle, step) \
    (at) += clf_comes_first(clf_input_at(&a->in, (at) + (step) - 1), needle CLF_LESS_A) ? (step) : 0

/* On CPUs compilers make vectors of what is not unrolled. */
#if CLF_GROUP > 1
#define CLF_SEARCH_EACH CLF_UNROLL
#else
#define CLF_SEARCH_EACH
#endif

/* Positions of `number` needles, a constant where this is inlined, in a haystack that is not empty. */
static inline void clf_search_sorted(const clf_arguments *a, uint number, const clf_input needle[], ulong at[])
{
    ulong length = a->size;
    CLF_SEARCH_EACH for (uint k = 0; k < number; ++k)
        at[k] = 0;
    CLF_LOOP while (length > 1) {
        const ulong step = length / 2;
        CLF_SEARCH_EACH for (uint k = 0; k < number; ++k)
            CLF_SEARCH_STEP(at[k], needle[k], step);
        length -= step;
    }
    CLF_SEARCH_EACH for (uint k = 0; k < number; ++k)
        CLF_SEARCH_STEP(at[k], needle[k], 1ul);
}
