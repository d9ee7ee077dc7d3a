/* SPDX-License-Identifier: MIT */
/*
 * rows: a range of elements combined in registers, as rows of vectors as they come from global memory: row j is
 * one chunk (tile.cl) of each work-item of a team (stretch.cl). For maps without extra outputs: those go
 * through local memory (range.cl).
 *
 * Where the operator is commutative each work-item adds up its own; else the team combines row by row, across
 * lanes. Ranges begin and end anywhere: single elements before and behind the chunks, and where arrays are
 * aligned differently chunks are loaded by elements.
 */
#include "group_reduce.cl"

#define CLF_STRIPED (!CLF_HAS_EXTRA && (CLF_COMMUTATIVE || CLF_LANE_WIDTH > 1))

#if CLF_STRIPED

#define CLF_ROWS (CLF_ITEMS / CLF_CHUNK)
#define CLF_ROWS_MOST (CLF_LANE_WIDTH < 8 ? CLF_LANE_WIDTH : 8)

#if !CLF_COMMUTATIVE

/* Of two rows that which the lane keeps: the upper partner keeps b. */
static inline clf_value clf_rows_meet(clf_value a, clf_value b, uint d)
{
    const bool upper = clf_lane_id() & d;
    uint wa[CLF_VALUE_WORDS], wb[CLF_VALUE_WORDS];
    clf_pack(a, wa);
    clf_pack(b, wb);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k) {
        const uint other = clf_word_from(upper ? wa[k] : wb[k], clf_lane_id() ^ d);
        wa[k] = upper ? other : wa[k];
        wb[k] = upper ? wb[k] : other;
    }
    return clf_combine(clf_unpack(wa), clf_unpack(wb));
}

/*
 * What a team's rows of one value per lane add up to, row after row, for all its lanes; of CLF_ROWS_MOST rows at
 * most, and not more than it has lanes.
 *
 * In a step each lane exchanges with its partner, whose number differs in one bit. As long as there are several
 * rows a lane keeps one of two, and gives its part of the other away: so n rows take n - 1 combinations and not
 * n log2(lanes), until each lane has a part of one row. The lanes' parts of a row meet, then the rows.
 */
static inline clf_value clf_rows_total(const clf_value *row, uint rows, uint shift)
{
    clf_value v[CLF_ROWS_MOST];
    CLF_UNROLL for (uint j = 0; j < CLF_ROWS_MOST; ++j)
        v[j] = j < rows ? row[j] : clf_neutral();
    const uint most = rows <= 1 ? 1 : rows <= 2 ? 2 : rows <= 4 ? 4 : 8;
    CLF_UNROLL for (uint d = 1; d < CLF_ROWS_MOST; d <<= 1)
        CLF_UNROLL for (uint j = 0; j < CLF_ROWS_MOST / 2; ++j)
            if (j * 2 * d < most && d < most)
                v[j] = clf_rows_meet(v[2 * j], v[2 * j + 1], d);
    CLF_UNROLL for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1)
        if (d >= most && d >> shift == 0)
            v[0] = clf_rows_meet(v[0], v[0], d);
    CLF_UNROLL for (uint d = 1; d < CLF_ROWS_MOST; d <<= 1)
        if (d < most)
            v[0] = clf_rows_meet(v[0], v[0], d);
    return v[0];
}

#endif

static inline clf_value clf_chunk_reduce(const clf_arguments *a, const clf_packed *chunk, ulong first)
{
    clf_input x[CLF_CHUNK];
    clf_extra extra;
    clf_packed_split(chunk, x);
    clf_value sum = clf_map_at(a, x[0], first, &extra);
    CLF_UNROLL for (uint k = 1; k < CLF_CHUNK; ++k)
        sum = clf_combine(sum, clf_map_at(a, x[k], first + k, &extra));
    return sum;
}

/* A work-item's part of a batch: its chunk in row 0, elements from row to row, how many rows there are. */
typedef struct {
    ulong first;
    uint step, rows;
} clf_batch;

/* First all loads of a batch, then all else. */
static inline void clf_batch_load(const clf_arguments *a, clf_batch b, bool aligned, clf_packed x[CLF_ROWS])
{
    if (aligned) {
        CLF_UNROLL for (uint j = 0; j < CLF_ROWS; ++j)
            if (j < b.rows)
                clf_packed_load(&a->in, b.first + j * b.step, true, &x[j]);
    } else {
        CLF_UNROLL for (uint j = 0; j < CLF_ROWS; ++j)
            if (j < b.rows)
                clf_packed_load(&a->in, b.first + j * b.step, false, &x[j]);
    }
}

/* In order `most` rows, a constant, go together. */
static inline clf_value clf_batch_reduce(const clf_arguments *a, const clf_packed x[CLF_ROWS], clf_batch b,
                                         uint shift, uint most, clf_value sum)
{
#if CLF_COMMUTATIVE
    CLF_UNROLL for (uint j = 0; j < CLF_ROWS; ++j)
        if (j < b.rows)
            sum = clf_combine(sum, clf_chunk_reduce(a, &x[j], b.first + j * b.step));
#else
    clf_value row[CLF_ROWS];
    CLF_UNROLL for (uint j = 0; j < CLF_ROWS; ++j) {
        row[j] = clf_neutral();
        if (j < b.rows)
            row[j] = clf_chunk_reduce(a, &x[j], b.first + j * b.step);
    }
    CLF_UNROLL for (uint j = 0; j < CLF_ROWS; j += most)
        sum = clf_combine(sum, clf_rows_total(row + j, min(CLF_ROWS - j, most), shift));
#endif
    return sum;
}

/*
 * Fewer elements than a chunk, those before or behind the chunks: one per work-item, or, in order, all by the team's
 * last, which alone is told the result: cheaper than to meet for them.
 */
#if CLF_COMMUTATIVE

static inline clf_value clf_few_reduce(const clf_arguments *a, ulong at, uint count, uint shift, clf_value sum)
{
    for (uint k = clf_team_lane(shift); k < count; k += clf_team_width(shift))
        sum = clf_combine(sum, clf_value_at(a, at + k));
    return sum;
}

#else

static inline clf_value clf_few_reduce(const clf_arguments *a, ulong at, uint count, uint shift, clf_value sum)
{
    const uint mine = clf_team_lane(shift) == clf_team_width(shift) - 1 ? count : 0;
    clf_value v[CLF_CHUNK];
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK - 1; ++k)
        if (k < mine)
            v[k] = clf_value_at(a, at + k);
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK - 1; ++k)
        if (k < mine)
            sum = clf_combine(sum, v[k]);
    return sum;
}

#endif

/* How a range is cut: a few elements, chunks, a few elements. */
typedef struct {
    ulong body, chunks; /* where the chunks begin; how many there are */
    uint head, tail;    /* elements before and behind them */
    bool aligned;
} clf_cut;

static inline clf_cut clf_rows_cut(const clf_arguments *a, ulong at, ulong end)
{
    const ulong body = min(at + clf_inputs_head(&a->in, at), end);
    clf_cut cut;
    cut.aligned = clf_inputs_aligned(&a->in, body);
    cut.body = cut.aligned ? body : at;
    cut.head = (uint)(cut.body - at);
    cut.chunks = (end - cut.body) / CLF_CHUNK;
    cut.tail = (uint)(end - cut.body) % CLF_CHUNK;
    return cut;
}

/* A range of a batch at most by a team, right for its last work-item. The unit's teams go together. */
static inline clf_value clf_rows_team_reduce(const clf_arguments *a, ulong at, ulong end, uint shift,
                                             __local clf_reduce_storage *s)
{
    const clf_cut cut = clf_rows_cut(a, at, end);
    const uint lane = clf_team_lane(shift), width = clf_team_width(shift);
    clf_batch b = {cut.body + lane * CLF_CHUNK, CLF_CHUNK * width, 0};
    clf_value sum = clf_neutral();
    clf_packed x[CLF_ROWS];
    b.rows = clf_team_share((uint)cut.chunks + width - 1 - lane, shift);
    clf_batch_load(a, b, cut.aligned, x);
    sum = clf_few_reduce(a, at, cut.head, shift, sum);
    sum = clf_batch_reduce(a, x, b, shift, 1u << CLF_TEAM_LEAST, sum);
    sum = clf_few_reduce(a, end - cut.tail, cut.tail, shift, sum);
    return CLF_COMMUTATIVE ? clf_run_total(sum, width, s) : sum;
}

/* Any range by a unit, right for its last work-item. */
static inline clf_value clf_rows_reduce(const clf_arguments *a, ulong at, ulong end, __local clf_reduce_storage *s)
{
    const clf_cut cut = clf_rows_cut(a, at, end);
    const uint lane = clf_unit_lane();
    clf_batch b = {cut.body + lane * CLF_CHUNK, CLF_CHUNK * CLF_UNIT, 0};
    clf_value sum = clf_neutral();
    sum = clf_few_reduce(a, at, cut.head, CLF_TEAM_MOST, sum);
    for (ulong left = cut.chunks; left; b.first += CLF_STRETCH) {
        const uint chunks = (uint)min(left, (ulong)CLF_ROWS * CLF_UNIT);
        clf_packed x[CLF_ROWS];
        b.rows = (chunks + CLF_UNIT - 1 - lane) / CLF_UNIT;
        clf_batch_load(a, b, cut.aligned, x);
        sum = clf_batch_reduce(a, x, b, CLF_TEAM_MOST, CLF_ROWS_MOST, sum);
        left -= chunks;
    }
    sum = clf_few_reduce(a, end - cut.tail, cut.tail, CLF_TEAM_MOST, sum);
    return CLF_COMMUTATIVE ? clf_run_total(sum, CLF_UNIT, s) : sum;
}

#endif
