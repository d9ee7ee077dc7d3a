/* SPDX-License-Identifier: MIT */
/*
 * digit_lines: one work-item of a CPU splits values by digits, a line at a time. Each digit has a line of each field in
 * the cache, which is written to memory when it is full (write combining by software: Satish et al. 2010). Large
 * outputs bypass the caches. So no line of the output is read, or fetched to be written.
 *
 *   clf_digit_target_open    where values go
 *   clf_digit_lines_put      each of them, when `from` and `to` say where the digits begin
 *   clf_digit_lines_close    what is left in lines
 *
 * needs: elements
 * provides: clf_digit_*, CLF_DIGIT_MUCH
 */
#include "device/builtin.cl"
#include "digit/digit.cl"

/* Bytes. Lines are pairs of the cache's, which memory takes faster, unless those of all fields would fill a cache. */
enum { CLF_DIGIT_LINE = CLF_VALUE_BYTES > 8 ? 64 : 128, CLF_DIGIT_MUCH = 1 << 22 };
/* Elements of a line; of the largest type one, and so it takes two lines. Only CPUs have such caches. */
#define CLF_DIGIT_LENGTH(bytes) (CLF_CPU && (bytes) < CLF_DIGIT_LINE ? CLF_DIGIT_LINE / (bytes) : 1)

#define CLF_DIGIT_LINE_MEMBER(f, type, move, bytes, name) \
    type line##f[CLF_DIGIT_LINES][CLF_DIGIT_LENGTH(bytes)] __attribute__((aligned(64)));
typedef struct {
    CLF_VALUE_FIELDS(CLF_DIGIT_LINE_MEMBER)
    ulong from[CLF_DIGIT_LINES], to[CLF_DIGIT_LINES]; /* the elements from … to - 1 have been put */
} clf_digit_lines;

/* Where lines go. Apart from them, so that it stays in registers. */
#define CLF_DIGIT_LINE_SHIFT(f, type, move, bytes, name) \
    uint shift##f; /* elements of a line that lie before element 0 of the output */
typedef struct {
    clf_outputs out;
    CLF_VALUE_FIELDS(CLF_DIGIT_LINE_SHIFT)
    clf_flag much;
} clf_digit_target;

/* (The other store says nothing of alignment: compilers make one of two stores that are alike, past no caches.) */
static inline void clf_digit_line_write(const ulong8 *line, __global ulong8 *to, bool much)
{
    if (CLF_HAS_NONTEMPORAL && much)
        CLF_NONTEMPORAL_STORE(*line, to);
    else
        vstore8(*line, 0, (__global ulong *)to);
}

/* Arrays lie anywhere in lines. */
#define CLF_DIGIT_IN_LINE CLF_PASTE(CLF_DIGIT_IN_LINE_, CLF_ARRAYS)
#define CLF_DIGIT_IN_LINE_0(to)
#define CLF_DIGIT_IN_LINE_1(to) && (size_t)(to) % CLF_DIGIT_LINE == 0

/* The elements begin … end - 1 of digit d, which are in one line. */
#define CLF_DIGIT_LINE_FLUSH(f, type, move, bytes, name) \
    CLF_INLINE void clf_digit_line_flush_##f(clf_digit_lines *l, uint d, ulong begin, ulong end, \
                                             const clf_digit_target *t) \
    { \
        if (end - begin == CLF_DIGIT_LENGTH(bytes) && sizeof l->line##f[d] >= CLF_DIGIT_LINE \
                CLF_DIGIT_IN_LINE(t->out.p##f + begin)) \
            for (uint k = 0; k < sizeof l->line##f[d] / (sizeof(ulong8)); ++k) \
                clf_digit_line_write((const ulong8 *)l->line##f[d] + k, (__global ulong8 *)(t->out.p##f + begin) + k, \
                                     t->much); \
        else \
            for (ulong i = begin; i < end; ++i) \
                t->out.p##f[i] = l->line##f[d][(i + t->shift##f) % CLF_DIGIT_LENGTH(bytes)]; \
    }
CLF_VALUE_FIELDS(CLF_DIGIT_LINE_FLUSH)

/* Of the elements from … to - 1, where does the line of the last one begin? */
static inline ulong clf_digit_line_begin(ulong from, ulong to, uint shift, uint length)
{
    const uint in_line = (uint)(to - 1 + shift) % length + 1;
    return to - from < in_line ? from : to - in_line;
}

#define CLF_DIGIT_LINE_TARGET(f, type, move, bytes, name) \
    t->out.p##f = out->p##f; \
    t->shift##f = (uint)((size_t)out->p##f % CLF_DIGIT_LINE / (bytes));
CLF_INLINE void clf_digit_target_open(clf_digit_target *t, const clf_outputs *out, bool much)
{
    CLF_VALUE_FIELDS(CLF_DIGIT_LINE_TARGET)
    t->much = much;
}

#define CLF_DIGIT_LINE_PUT(f, type, move, bytes, name) \
    { \
        const uint at = (uint)(i + t->shift##f) % CLF_DIGIT_LENGTH(bytes); \
        l->line##f[d][at] = v.name; \
        if (at == CLF_DIGIT_LENGTH(bytes) - 1) \
            clf_digit_line_flush_##f(l, d, clf_digit_line_begin(l->from[d], i + 1, t->shift##f, at + 1), i + 1, t); \
    }
CLF_INLINE void clf_digit_lines_put(clf_digit_lines *l, uint d, clf_value v, const clf_digit_target *t)
{
    const ulong i = l->to[d]++;
    CLF_VALUE_FIELDS(CLF_DIGIT_LINE_PUT)
}

/* What lines that are not full have. */
#define CLF_DIGIT_LINE_REST(f, type, move, bytes, name) \
    if ((l->to[d] + t->shift##f) % CLF_DIGIT_LENGTH(bytes) > 0) \
        clf_digit_line_flush_##f( \
            l, d, clf_digit_line_begin(l->from[d], l->to[d], t->shift##f, CLF_DIGIT_LENGTH(bytes)), l->to[d], t);
CLF_INLINE void clf_digit_lines_close(clf_digit_lines *l, uint digits, const clf_digit_target *t)
{
    for (uint d = 0; d < digits; ++d)
        if (l->to[d] > l->from[d]) {
            CLF_VALUE_FIELDS(CLF_DIGIT_LINE_REST)
        }
}
