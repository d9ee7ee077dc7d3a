/* SPDX-License-Identifier: MIT */
/*
 * index: indices that functions may be asked with: small ones, then ones that take up to 48 bits. Where there are
 * captured arrays all are small, since these may be read at them.
 *
 * needs: nothing
 * provides: clf_laws_index
 */
#include "memory/value.cl"

static inline ulong clf_laws_index(uint j)
{
    return CLF_CAPTURED_COUNT || j < 32 ? j : ((ulong)j << (j % 41));
}
