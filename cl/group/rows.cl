/* SPDX-License-Identifier: MIT */
/*
 * rows: a range of elements combined in registers, as rows of vectors as they come from global memory: row j is
 * one chunk (tile.cl) of each work-item of a team (stretch.cl). For maps without extra outputs: those go
 * through local memory (range.cl).
 *
 * If the operator is commutative, each work-item combines its own elements. Else the team combines row by row, across
 * lanes. That works for any values; a file that includes this one may limit them to CLF_STRIPED_WORDS words. Ranges
 * begin and end anywhere: single elements before and after the chunks. Where arrays are aligned differently, chunks are
 * loaded by elements.
 *
 * needs: CLF_STRIPED_WORDS
 * provides: clf_rows_reduce, clf_rows_team_reduce, CLF_STRIPED
 */
#include "group/group_reduce.cl"
#include "memory/chunks.cl"
#include "memory/stretch_fields.cl"

#ifndef CLF_STRIPED_WORDS
#define CLF_STRIPED_WORDS CLF_VALUE_WORDS
#endif
#define CLF_STRIPED \
    (!CLF_HAS_EXTRA && (CLF_COMMUTATIVE || (CLF_LANE_WIDTH > 1 && CLF_VALUE_WORDS <= CLF_STRIPED_WORDS)))

#if CLF_STRIPED

#define CLF_ROWS_IN_BATCH (CLF_ITEMS / CLF_CHUNK)
#define CLF_ROWS_MOST (CLF_LANE_WIDTH < 8 ? CLF_LANE_WIDTH : 8)

/* Where it pays, on an NVIDIA H200: in order, and for words; other sizes lose 2 to 5 % by it. */
#define CLF_LOAD_ALL (CLF_CHUNK == 4 || (CLF_CHUNK < 4 && !CLF_COMMUTATIVE))
#define CLF_WHOLE_APART (CLF_LANE_WIDTH > 1 && (CLF_CHUNK == 4 || !CLF_COMMUTATIVE))

/* Of two rows that which the lane keeps: the upper partner keeps y. */
static inline clf_value clf_rows_meet(clf_value x, clf_value y, uint d CLF_COMBINE_PARAMETER)
{
    const bool upper = clf_lane_id() & d;
    uint wx[CLF_VALUE_WORDS], wy[CLF_VALUE_WORDS];
    clf_pack(x, wx);
    clf_pack(y, wy);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k) {
        const uint other = clf_word_from(upper ? wx[k] : wy[k], clf_lane_id() ^ d);
        wx[k] = upper ? other : wx[k];
        wy[k] = upper ? wy[k] : other;
    }
    return clf_combine(clf_unpack(wx), clf_unpack(wy));
}

/*
 * What a team's rows of one value per lane add up to, row after row, for all its lanes; of CLF_ROWS_MOST rows at
 * most, and not more than it has lanes.
 *
 * In a step each lane exchanges with its partner, whose number differs in one bit. As long as there are several
 * rows a lane keeps one of two, and gives its part of the other away: so n rows take n - 1 combinations and not
 * n log2(lanes), until each lane has a part of one row. The lanes' parts of a row meet, then the rows.
 */
static inline clf_value clf_rows_total(const clf_value *row, uint rows, uint shift CLF_COMBINE_PARAMETER)
{
    clf_value v[CLF_ROWS_MOST];
    CLF_UNROLL for (uint j = 0; j < CLF_ROWS_MOST; ++j)
        v[j] = j < rows ? row[j] : clf_neutral();
    const uint most = rows <= 1 ? 1 : rows <= 2 ? 2 : rows <= 4 ? 4 : 8;
    CLF_UNROLL for (uint d = 1; d < CLF_ROWS_MOST; d <<= 1)
        CLF_UNROLL for (uint j = 0; j < CLF_ROWS_MOST / 2; ++j)
            if (j * 2 * d < most && d < most)
                v[j] = clf_rows_meet(v[2 * j], v[2 * j + 1], d CLF_COMBINE_A);
    CLF_UNROLL for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1)
        if (d >= most && d >> shift == 0)
            v[0] = clf_rows_meet(v[0], v[0], d CLF_COMBINE_A);
    CLF_UNROLL for (uint d = 1; d < CLF_ROWS_MOST; d <<= 1)
        if (d < most)
            v[0] = clf_rows_meet(v[0], v[0], d CLF_COMBINE_A);
    return v[0];
}

static inline clf_value clf_chunk_reduce(const clf_arguments *a, const clf_packed *chunk, ulong first)
{
    clf_input x[CLF_CHUNK];
    clf_extra extra;
    clf_packed_split(chunk, x);
    clf_value sum = clf_map_at(a, x[0], first CLF_NUMBERED_AT(a, first), &extra);
    CLF_UNROLL for (uint k = 1; k < CLF_CHUNK; ++k)
        sum = clf_combine(sum, clf_map_at(a, x[k], first + k CLF_NUMBERED_AT(a, first + k), &extra));
    return sum;
}

/* Chunks of which each work-item of a team has those in its column: where they begin, how many there are. */
typedef struct {
    ulong first;
    uint chunks, shift;
} clf_rows_batch;

/* The chunk in row j. */
static inline uint clf_rows_batch_place(clf_rows_batch b, uint j)
{
    return clf_team_lane(b.shift) + j * clf_team_width(b.shift);
}

/*
 * Is it loaded? One that does not exist is, too, where CLF_LOAD_ALL: the last one in its stead, so that no load is
 * conditional, or compilers have some wait for the results of others.
 */
static inline bool clf_rows_batch_loads(clf_rows_batch b, uint j, bool whole)
{
    return whole || CLF_LOAD_ALL || clf_rows_batch_place(b, j) < b.chunks;
}

static inline uint clf_rows_batch_at(clf_rows_batch b, uint j, bool whole)
{
    return (whole ? clf_rows_batch_place(b, j) : min(clf_rows_batch_place(b, j), b.chunks - 1)) * CLF_CHUNK;
}

/* First all loads of a batch, then all else. A whole batch, a constant where this is inlined, has no conditions at
 * all. */
static inline void clf_rows_batch_load(const clf_arguments *a, clf_rows_batch b, bool whole, bool aligned,
                                       clf_packed x[CLF_ROWS_IN_BATCH])
{
    const clf_inputs in = clf_inputs_from(&a->in, b.first);
    if (aligned) {
        CLF_UNROLL for (uint j = 0; j < CLF_ROWS_IN_BATCH; ++j)
            if (clf_rows_batch_loads(b, j, whole))
                clf_packed_load(&in, clf_rows_batch_at(b, j, whole), true, &x[j]);
    } else {
        CLF_UNROLL for (uint j = 0; j < CLF_ROWS_IN_BATCH; ++j)
            if (clf_rows_batch_loads(b, j, whole))
                clf_packed_load(&in, clf_rows_batch_at(b, j, whole), false, &x[j]);
    }
}

/* In order `most` rows, a constant, go together. All lanes have at most `rows`, and agree on that. */
static inline clf_value clf_rows_batch_reduce(const clf_arguments *a, const clf_packed x[CLF_ROWS_IN_BATCH],
                                              clf_rows_batch b, bool whole, uint rows, uint most, clf_value sum)
{
    if (CLF_COMMUTATIVE) {
        CLF_UNROLL for (uint j = 0; j < CLF_ROWS_IN_BATCH; ++j)
            if (whole || clf_rows_batch_place(b, j) < b.chunks)
                sum = clf_combine(sum, clf_chunk_reduce(a, &x[j], b.first + clf_rows_batch_place(b, j) * CLF_CHUNK));
        return sum;
    }
    clf_value row[CLF_ROWS_IN_BATCH];
    CLF_UNROLL for (uint j = 0; j < CLF_ROWS_IN_BATCH; ++j) {
        row[j] = clf_neutral();
        if (whole || clf_rows_batch_place(b, j) < b.chunks)
            row[j] = clf_chunk_reduce(a, &x[j], b.first + clf_rows_batch_place(b, j) * CLF_CHUNK);
    }
    CLF_UNROLL for (uint j = 0; j < CLF_ROWS_IN_BATCH; j += most)
        if (j == 0 || j < rows)
            sum = clf_combine(sum, clf_rows_total(row + j, min(CLF_ROWS_IN_BATCH - j, most), b.shift CLF_COMBINE_A));
    return sum;
}

/*
 * Fewer elements than a chunk, those before or behind the chunks: one per work-item (of short ones, in small teams,
 * some more follow), or, in order, all by the team's last, which alone is told the result: cheaper than to meet for
 * them.
 */
#define CLF_ROWS_FEW (CLF_COMMUTATIVE ? 1 : CLF_CHUNK - 1)

static inline uint clf_rows_few_place(uint k, uint shift)
{
    return CLF_COMMUTATIVE ? clf_team_lane(shift) + k * clf_team_width(shift) : k;
}

static inline void clf_rows_few_load(const clf_arguments *a, ulong at, uint count, uint shift, clf_input x[CLF_CHUNK])
{
    const clf_inputs in = clf_inputs_from(&a->in, at);
    if (count)
        CLF_UNROLL for (uint k = 0; k < CLF_ROWS_FEW; ++k)
            x[k] = clf_input_at(&in, min(clf_rows_few_place(k, shift), count - 1));
}

static inline clf_value clf_rows_few_reduce(const clf_arguments *a, const clf_input x[CLF_CHUNK], ulong at, uint count,
                                            uint shift, clf_value sum)
{
    const uint mine = CLF_COMMUTATIVE || clf_team_lane(shift) == clf_team_width(shift) - 1 ? count : 0;
    clf_extra extra;
    CLF_UNROLL for (uint k = 0; k < CLF_ROWS_FEW; ++k)
        if (clf_rows_few_place(k, shift) < mine)
            sum = clf_combine(
                sum, clf_map_at(a, x[k],
                                at + clf_rows_few_place(k, shift) CLF_NUMBERED_AT(a, at + clf_rows_few_place(k, shift)),
                                &extra));
    if (CLF_COMMUTATIVE & ((CLF_CHUNK > 4) | (CLF_UNIT < 4)))
        for (uint k = clf_rows_few_place(1, shift); k < count; k += clf_team_width(shift))
            sum = clf_combine(sum, clf_value_at(a, at + k));
    return sum;
}

/* How a range is cut: a few elements, chunks, a few elements. */
typedef struct {
    ulong body, chunks, behind; /* where the chunks begin; how many there are; what is behind them */
    uint head, tail;            /* elements before and behind them */
    clf_flag aligned;
} clf_rows_range;

static inline clf_rows_range clf_rows_cut(const clf_arguments *a, ulong at, ulong end)
{
    const ulong body = min(at + clf_inputs_head(&a->in, at), end);
    clf_rows_range cut;
    cut.aligned = clf_inputs_aligned(&a->in, body);
    cut.body = cut.aligned ? body : at;
    cut.head = (uint)(cut.body - at);
    cut.chunks = (end - cut.body) / CLF_CHUNK;
    cut.tail = (uint)(end - cut.body) % CLF_CHUNK;
    cut.behind = end - cut.tail;
    return cut;
}

/*
 * A segment of a batch at most by a team, right for its last work-item. The unit's teams go together. All loads come
 * first: there is not enough to do for a team to wait more than once.
 */
static inline clf_value clf_rows_team_reduce(const clf_arguments *a, ulong at, ulong end, uint shift,
                                             __local clf_reduce_storage *s)
{
    const clf_rows_range cut = clf_rows_cut(a, at, end);
    const clf_rows_batch b = {cut.body, (uint)cut.chunks, shift};
    const uint rows = clf_team_share((uint)a->size / CLF_CHUNK + clf_team_width(shift) - 1, shift);
    clf_value sum = clf_neutral();
    clf_packed x[CLF_ROWS_IN_BATCH];
    clf_input head[CLF_CHUNK], tail[CLF_CHUNK];
    if (b.chunks)
        clf_rows_batch_load(a, b, false, cut.aligned, x);
    clf_rows_few_load(a, cut.behind, cut.tail, shift, tail);
    clf_rows_few_load(a, at, cut.head, shift, head);
    sum = clf_rows_few_reduce(a, head, at, cut.head, shift, sum);
    sum = clf_rows_batch_reduce(a, x, b, false, rows, 1u << CLF_TEAM_LEAST, sum);
    sum = clf_rows_few_reduce(a, tail, cut.behind, cut.tail, shift, sum);
    return CLF_COMMUTATIVE ? clf_run_total(sum, clf_team_lane(shift), s CLF_COMBINE_A) : sum;
}

/* Any range by a unit, right for its last work-item. */
static inline clf_value clf_rows_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_reduce_storage *s)
{
    const clf_rows_range cut = clf_rows_cut(a, at, end);
    clf_rows_batch b = {cut.body, 0, CLF_TEAM_MOST};
    clf_value sum = clf_neutral();
    clf_input few[CLF_CHUNK];
    clf_rows_few_load(a, at, cut.head, CLF_TEAM_MOST, few);
    sum = clf_rows_few_reduce(a, few, at, cut.head, CLF_TEAM_MOST, sum);
    for (ulong left = cut.chunks; left; left -= b.chunks, b.first += CLF_STRETCH) {
        clf_packed x[CLF_ROWS_IN_BATCH];
        b.chunks = (uint)min(left, (ulong)CLF_ROWS_IN_BATCH * CLF_UNIT);
        if (CLF_WHOLE_APART && b.chunks == CLF_ROWS_IN_BATCH * CLF_UNIT) {
            clf_rows_batch_load(a, b, true, cut.aligned, x);
            sum = clf_rows_batch_reduce(a, x, b, true, CLF_ROWS_IN_BATCH, CLF_ROWS_MOST, sum);
        } else {
            clf_rows_batch_load(a, b, false, cut.aligned, x);
            sum = clf_rows_batch_reduce(a, x, b, false, CLF_ROWS_IN_BATCH, CLF_ROWS_MOST, sum);
        }
    }
    clf_rows_few_load(a, cut.behind, cut.tail, CLF_TEAM_MOST, few);
    sum = clf_rows_few_reduce(a, few, cut.behind, cut.tail, CLF_TEAM_MOST, sum);
    return CLF_COMMUTATIVE ? clf_run_total(sum, clf_unit_lane(), s CLF_COMBINE_A) : sum;
}

#endif
