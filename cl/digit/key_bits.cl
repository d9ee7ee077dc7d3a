/* SPDX-License-Identifier: MIT */
/*
 * key_bits: the bits of a key as one number of 32, 64 or 128 bits. Those of 128 are a ulong2, .y the upper half. OpenCL
 * C computes each half of it for itself; so what a number does besides & | ^ ~ is here.
 *
 * needs: nothing
 * provides: CLF_KEY_*, clf_key_*, bound, clf_comes_before
 */
#include "device/lane.cl"
#include "memory/wrapper.cl"

#if CLF_KEY_BYTES > 8
typedef ulong2 clf_key_bits, clf_key_kept;
#define CLF_KEY_ONES ((ulong2)(~0ul))
#define CLF_KEY_LESS(a, b) clf_key_is_less(a, b)
#define CLF_KEY_AT_MOST(a, b) (!clf_key_is_less(b, a))
#define CLF_KEY_EQUAL(a, b) clf_key_is_equal(a, b)
#define CLF_KEY_MIN(a, b) clf_key_lesser(a, b)
#define CLF_KEY_MAX(a, b) clf_key_greater(a, b)

static inline bool clf_key_is_less(ulong2 a, ulong2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }
static inline bool clf_key_is_equal(ulong2 a, ulong2 b) { return a.x == b.x && a.y == b.y; }
static inline ulong2 clf_key_lesser(ulong2 a, ulong2 b) { return clf_key_is_less(b, a) ? b : a; }
static inline ulong2 clf_key_greater(ulong2 a, ulong2 b) { return clf_key_is_less(a, b) ? b : a; }

static inline ulong2 clf_key_next(ulong2 key) { return (ulong2)(key.x + 1, key.y + (key.x == ~0ul)); }
static inline ulong2 clf_key_previous(ulong2 key) { return (ulong2)(key.x - 1, key.y - (key.x == 0)); }

static inline ulong2 clf_key_middle(ulong2 low, ulong2 high)
{
    const ulong2 apart = (ulong2)(high.x - low.x, high.y - low.y - (high.x < low.x));
    const ulong2 step = (ulong2)(apart.x >> 1 | apart.y << 63, apart.y >> 1);
    return (ulong2)(low.x + step.x, low.y + step.y + (low.x + step.x < step.x));
}

/* A few bits, of which the lowest is bit `at`; and a few bits as those from there on. */
static inline uint clf_key_at(ulong2 key, uint at)
{
    const ulong above = at % 64 ? key.y << (64 - at % 64) : 0;
    return (uint)(at < 64 ? key.x >> at | above : key.y >> at % 64);
}

static inline ulong2 clf_key_shifted(uint bits, uint at)
{
    return at < 64 ? (ulong2)((ulong)bits << at, 0) : (ulong2)(0, (ulong)bits << at % 64);
}

static inline ulong2 clf_key_forget(ulong2 key)
{
    const uint4 w = as_uint4(key);
    return as_ulong2((uint4)(clf_forget(w.x), clf_forget(w.y), clf_forget(w.z), clf_forget(w.w)));
}

static inline ulong2 clf_key_from(ulong2 key, uint lane)
{
    const uint4 w = as_uint4(key);
    return as_ulong2((uint4)(clf_word_from(w.x, lane), clf_word_from(w.y, lane), clf_word_from(w.z, lane),
                             clf_word_from(w.w, lane)));
}

/* Words of memory; and a threshold in one of these: of what is equal in it all lower bits are below. */
#define CLF_KEY_KEPT 2
static inline void clf_key_keep(ulong2 key, __global ulong *kept) { kept[0] = key.x, kept[1] = key.y; }
static inline ulong2 clf_key_recall(__global const ulong *kept) { return (ulong2)(kept[0], kept[1]); }
static inline ulong clf_key_to_threshold(ulong2 key) { return key.y; }
static inline ulong2 clf_key_of_threshold(ulong kept) { return (ulong2)(~0ul, kept); }

#else

#if CLF_KEY_BYTES > 4
typedef ulong clf_key_bits;

static inline ulong clf_key_forget(ulong key)
{
    const uint2 w = as_uint2(key);
    return as_ulong((uint2)(clf_forget(w.x), clf_forget(w.y)));
}

static inline ulong clf_key_from(ulong key, uint lane)
{
    const uint2 w = as_uint2(key);
    return as_ulong((uint2)(clf_word_from(w.x, lane), clf_word_from(w.y, lane)));
}
#else
typedef uint clf_key_bits;
static inline uint clf_key_forget(uint key) { return clf_forget(key); }
static inline uint clf_key_from(uint key, uint lane) { return clf_word_from(key, lane); }
#endif

typedef ulong clf_key_kept;
#define CLF_KEY_ONES ((clf_key_bits)~(clf_key_bits)0 >> (sizeof(clf_key_bits) * 8 - 8 * CLF_KEY_BYTES))
#define CLF_KEY_LESS(a, b) ((a) < (b))
#define CLF_KEY_AT_MOST(a, b) ((a) <= (b))
#define CLF_KEY_EQUAL(a, b) ((a) == (b))
#define CLF_KEY_MIN(a, b) min(a, b)
#define CLF_KEY_MAX(a, b) max(a, b)

static inline clf_key_bits clf_key_next(clf_key_bits key) { return key + 1; }
static inline clf_key_bits clf_key_previous(clf_key_bits key) { return key - 1; }
static inline clf_key_bits clf_key_middle(clf_key_bits low, clf_key_bits high) { return low + (high - low) / 2; }
static inline uint clf_key_at(clf_key_bits key, uint at) { return (uint)(key >> at); }
static inline clf_key_bits clf_key_shifted(uint bits, uint at) { return (clf_key_bits)bits << at; }

#define CLF_KEY_KEPT 1
static inline void clf_key_keep(clf_key_bits key, __global ulong *kept) { kept[0] = key; }
static inline clf_key_bits clf_key_recall(__global const ulong *kept) { return (clf_key_bits)kept[0]; }
static inline ulong clf_key_to_threshold(clf_key_bits key) { return key; }
static inline clf_key_bits clf_key_of_threshold(ulong kept) { return (clf_key_bits)kept; }
#endif

/* Of equal keys the one of the lower index comes first. */
static inline bool clf_comes_before(clf_key_bits key, uint at, clf_key_bits other, uint other_at)
{
#if CLF_KEY_BYTES > 4
    return CLF_KEY_LESS(key, other) || (CLF_KEY_EQUAL(key, other) && at < other_at);
#else
    return ((ulong)key << 32 | at) < ((ulong)other << 32 | other_at);
#endif
}
