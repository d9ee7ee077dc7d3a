/* SPDX-License-Identifier: MIT */
/*
 * piece: results of a CPU's work-item brought together in private memory, an array for each field, and written when
 * there are many.
 *
 * Where outputs are larger than the caches (CLF_ARG_STREAM), whole cache lines of them are stored past these: none is
 * read first. So but for the last a piece ends where a line of every field does; what is left begins the next. That is
 * so where arrays begin at a line: to others elements are stored as everywhere.
 *
 * needs: nothing
 * provides: CLF_PIECE_*, clf_piece_end, clf_piece_whole, clf_piece_written
 */
#include "cpu/compress.cl"
#include "device/builtin.cl"
#include "memory/value.cl"

enum { CLF_CACHE_LINE = 64 };

/* Elements of the smallest field in a line. */
enum {
    CLF_PIECE_SIZES = CLF_CACHE_LINE CLF_VALUE_FIELDS(CLF_OR_BYTES) CLF_EXTRA_FIELDS(CLF_OR_BYTES),
    CLF_PIECE_ALIGNED = CLF_CACHE_LINE / (CLF_PIECE_SIZES & -CLF_PIECE_SIZES)
};

/* A piece of `fit` elements: it is written when it has more, and has room for a strip then. */
#define CLF_PIECE_MOST(fit) ((fit) < 2 * CLF_CACHE_LINE ? 2 * CLF_CACHE_LINE : (fit))
#define CLF_PIECE_ROOM(most) ((most) + CLF_STRIP)

/* A piece's elements, `some`, are the outputs' from `to` on. */
typedef struct {
    ulong to;
    uint some;
} clf_piece_end;

/* How many of them are written. */
static inline uint clf_piece_whole(const clf_piece_end *end, bool all)
{
    return all ? end->some : end->some - (uint)((end->to + end->some) % CLF_PIECE_ALIGNED);
}

static inline void clf_piece_written(clf_piece_end *end, uint count)
{
    end->to += count;
    end->some -= count;
}

typedef struct __attribute__((packed)) {
    ulong8 v;
} clf_cache_line;

/* A line past the caches, where the compiler has a store for that. */
static inline void clf_cache_line_stream(const clf_cache_line *line, __global ulong8 *to)
{
    if (CLF_HAS_NONTEMPORAL)
        CLF_NONTEMPORAL_STORE(line->v, to);
    else
        ((__global clf_cache_line *)to)->v = line->v;
}

/* from[0 … count - 1] to element `at` and those behind of `array`. */
#define CLF_PIECE_STORE(type, bytes, from, array, at, count, stream) \
    { \
        enum { LENGTH = (bytes) < CLF_CACHE_LINE ? CLF_CACHE_LINE / (bytes) : 1 }; \
        __global type *const begin = (array) + (at); \
        const uint before = min((uint)(-(at) % CLF_PIECE_ALIGNED), count); \
        uint k = 0; \
        if ((stream) && (bytes) <= CLF_CACHE_LINE && (size_t)(begin + before) % CLF_CACHE_LINE == 0) { \
            CLF_LOOP for (; k < before; ++k) \
                begin[k] = (from)[k]; \
            CLF_LOOP for (; k + LENGTH <= (count); k += LENGTH) \
                clf_cache_line_stream((const clf_cache_line *)((from) + k), (__global ulong8 *)(begin + k)); \
        } \
        CLF_LOOP for (; k < (count); ++k) \
            begin[k] = (from)[k]; \
    }

/* What is left behind the first `count` of `some` elements moves to the beginning. */
#define CLF_PIECE_MOVE(array, count, some) \
    CLF_LOOP for (uint k = (count); k < (some); ++k) \
        (array)[k - (count)] = (array)[k];
