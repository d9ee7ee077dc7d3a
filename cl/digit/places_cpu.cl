/* SPDX-License-Identifier: MIT */
/*
 * places_cpu: for one work-item that scatters elements by a digit: counts of digits become where each digit begins.
 *
 * needs: nothing
 * provides: clf_digit_places, CLF_PLACES_DIGITS
 */
#include "device/base.cl"

enum { CLF_PLACES_DIGITS = 256 };

static inline void clf_digit_places(__private uint *counts, uint digits)
{
    uint place = 0;
    for (uint digit = 0; digit < digits; ++digit) {
        const uint count = counts[digit];
        counts[digit] = place;
        place += count;
    }
}
