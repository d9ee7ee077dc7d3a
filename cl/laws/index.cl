/* SPDX-License-Identifier: MIT */
/*
 * index: indices that functions may be asked with: small ones, then ones that take up to 48 bits.
 *
 * needs: nothing
 * provides: clf_laws_index
 */
#include "device/base.cl"

static inline ulong clf_laws_index(uint j)
{
    return j < 32 ? j : ((ulong)j << (j % 41));
}
