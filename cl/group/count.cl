/* SPDX-License-Identifier: MIT */
/*
 * count: scans of counts, whatever else a program scans: clf_count of 32 bits and clf_count64 of 64. It makes functions
 * such as clf_count_unit_scan and clf_count64_group_scan (scan_template.cl).
 *
 * needs: nothing
 * provides: clf_count, clf_count64, clf_count_*, clf_count64_*
 */
#include "device/lane.cl"

typedef uint clf_count;

static inline clf_count clf_count_combine(clf_count left, clf_count right) { return left + right; }
static inline clf_count clf_count_neutral(void) { return 0; }
static inline void clf_count_pack(clf_count n, uint w[1]) { w[0] = n; }
static inline clf_count clf_count_unpack(const uint w[1]) { return w[0]; }

#define CLF_S clf_count
#define CLF_S_WORDS 1
#include "group/scan_template.cl"

typedef ulong clf_count64;

static inline clf_count64 clf_count64_combine(clf_count64 left, clf_count64 right) { return left + right; }
static inline clf_count64 clf_count64_neutral(void) { return 0; }

static inline void clf_count64_pack(clf_count64 n, uint w[2])
{
    w[0] = (uint)n;
    w[1] = (uint)(n >> 32);
}

static inline clf_count64 clf_count64_unpack(const uint w[2])
{
    return (clf_count64)w[1] << 32 | w[0];
}

#define CLF_S clf_count64
#define CLF_S_WORDS 2
#include "group/scan_template.cl"
