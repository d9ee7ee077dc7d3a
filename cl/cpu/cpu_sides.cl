/* SPDX-License-Identifier: MIT */
/*
 * cpu_sides: a tile by one work-item of a CPU, for any operator and any segments, a block at a time (side.cl).
 *
 * A block has up to CLF_STREAMS rows of CLF_SIDE_NEAR neighbouring elements. It is laid out by columns, which have an
 * element of each row. First every row is combined, then it is found what lies before each, and from that on every row
 * is scanned. The first and the last go through all rows side by side: no combination waits for that of another row,
 * and of such loops compilers make vectors. What lies before a row waits for the row before, but there are few rows.
 *
 * A head in a row starts its sum anew (Blelloch's operator on flag and value, run.cl).
 *
 * needs: a->placed, a->room
 * provides: cpu tile
 */
#define CLF_SIDE_ELEMENT clf_value_at /* only the rescan writes extra outputs */
#include "group/run.cl"
#include "cpu/piece.cl"
#include "cpu/side.cl"
#include "cpu/step.cl"

#if CLF_STREAMS > CLF_MOST_SHARES

typedef struct {
    uchar none;
} clf_cpu_sums;

/* Elements by columns, what each row adds up to since its last head, and which of its elements are heads. */
typedef struct {
    clf_sides column[CLF_SIDE_NEAR], row;
    uchar heads[(CLF_STREAMS + 7) / 8 * 8];
    CLF_WHERE_FINISHED(clf_input_sides in[CLF_SIDE_NEAR];
                       struct {CLF_RESULT_FIELDS(CLF_SIDE_FIELD)} result[CLF_SIDE_NEAR];)
    ulong place[CLF_PLACING ? CLF_SIDE_NEAR : 1][CLF_STREAMS];
} clf_cpu_block;

#define CLF_SIDE_CHOOSE(f, type, move, bytes, name) v.name = second ? b.name : a.name;
static inline clf_value clf_side_choose(clf_value a, clf_value b, bool second)
{
    clf_value v;
    CLF_VALUE_FIELDS(CLF_SIDE_CHOOSE)
    return v;
}

/* Combines a tile; of one that has heads, what follows the last. */
static inline clf_run clf_cpu_tile_reduce(const clf_arguments *a, ulong first, uint count, clf_cpu_sums *sums)
{
    const ulong end = first + count, head = clf_last_head(a, first, end);
    const clf_value sum = clf_side_reduce(a, head < end ? head : first, end);
    return clf_run_of(head < end ? clf_combine(clf_initial(a), sum) : sum, head < end);
}

/* Inputs by columns, a field at a time: neighbours in one array are read by vectors. */
#define CLF_BLOCK_LOAD(f, type, move, bytes, name) \
    { \
        __global const type *const from = a->in.p##f + at; \
        for (ulong k = 0; k < rows; ++k) \
            CLF_UNROLL for (uint j = 0; j < CLF_SIDE_NEAR; ++j) \
                column[j].name[k] = from[k * CLF_SIDE_NEAR + j]; \
    }

/* The elements of `rows` rows from element `at` on, mapped; their extra outputs are written. */
static inline void clf_cpu_block_load(const clf_arguments *a, ulong at, uint rows, clf_cpu_block *block)
{
#if CLF_MAPPED || CLF_FINISH
    CLF_FINISHED(clf_input_sides *const column = block->in, clf_input_sides column[CLF_SIDE_NEAR]);
    CLF_INPUT_FIELDS(CLF_BLOCK_LOAD)
    for (ulong k = 0; k < rows; ++k)
        CLF_UNROLL for (uint j = 0; j < CLF_SIDE_NEAR; ++j)
            clf_side_set(&block->column[j], k,
                         clf_input_reduce(a, clf_input_side_get(&column[j], k), at + k * CLF_SIDE_NEAR + j));
#else
    clf_sides *const column = block->column;
    CLF_VALUE_FIELDS(CLF_BLOCK_LOAD)
#endif
    for (uint k = 0; CLF_SEGMENT && k < rows; k += 32 / CLF_SIDE_NEAR) {
        const uint heads = clf_head_bits(a, at + k * CLF_SIDE_NEAR);
        for (uint j = 0; j < 32 / CLF_SIDE_NEAR; ++j)
            block->heads[k + j] = heads >> j * CLF_SIDE_NEAR & ((1u << CLF_SIDE_NEAR) - 1);
    }
}

/* What lies before element j of a row: at a head the initial value. */
static inline clf_value clf_cpu_before(clf_value sum, clf_value initial, uint heads, uint j)
{
    return CLF_SEGMENT ? clf_side_choose(sum, initial, heads >> j & 1) : sum;
}

static inline void clf_cpu_rows_reduce(clf_cpu_block *block, uint rows, clf_value initial CLF_COMBINE_PARAMETER)
{
    for (ulong k = 0; k < rows; ++k) {
        const uint heads = CLF_SEGMENT ? block->heads[k] : 0;
        clf_value sum = clf_side_get(&block->column[0], k);
        if (CLF_SEGMENT)
            sum = clf_side_choose(sum, clf_combine(initial, sum), heads & 1);
        CLF_UNROLL for (uint j = 1; j < CLF_SIDE_NEAR; ++j)
            sum = clf_combine(clf_cpu_before(sum, initial, heads, j), clf_side_get(&block->column[j], k));
        clf_side_set(&block->row, k, sum);
    }
}

/* Each row's sum becomes what lies before it; returns what lies behind the last. */
static inline clf_value clf_cpu_rows_scan(clf_cpu_block *block, uint rows, clf_value sum CLF_COMBINE_PARAMETER)
{
    for (uint k = 0; k < rows; ++k) {
        const clf_value row = clf_side_get(&block->row, k);
        clf_side_set(&block->row, k, sum);
        sum = CLF_SEGMENT && block->heads[k] ? row : clf_combine(sum, row);
    }
    return sum;
}

/* What the operator makes of element i, which is a head or not, and where it goes. */
#define CLF_BLOCK_RESULT_SET(f, type, move, bytes, name) block->result[j].name[k] = r.name;
#define CLF_BLOCK_FINISH(i, is_head) \
    { \
        const clf_value last = clf_before_step(a, (i) == 0 || (CLF_EXTREMES && (is_head)), before); \
        const clf_value v = CLF_EXCLUSIVE ? last : sum; \
        const clf_input x = clf_input_side_get(&block->in[j], k); \
        const clf_result r = clf_finish_step(a, v, last, x, i); \
        CLF_RESULT_FIELDS(CLF_BLOCK_RESULT_SET) \
        CLF_WHERE_PLACED(block->place[j][k] = clf_place_step(a, v, last, x, i);) \
    }

/* Elements from `at` on become results. */
static inline void clf_cpu_rows_rescan(const clf_arguments *a, ulong at, uint rows, clf_value initial,
                                       clf_cpu_block *block)
{
    for (ulong k = 0; k < rows; ++k) {
        const uint heads = CLF_SEGMENT ? block->heads[k] : 0;
        clf_value sum = clf_side_get(&block->row, k);
        CLF_UNROLL for (uint j = 0; j < CLF_SIDE_NEAR; ++j) {
            const clf_value before = clf_cpu_before(sum, initial, heads, j);
            sum = clf_combine(before, clf_side_get(&block->column[j], k));
            CLF_FINISHED(CLF_BLOCK_FINISH(at + k * CLF_SIDE_NEAR + j, heads >> j & 1),
                         clf_side_set(&block->column[j], k, CLF_EXCLUSIVE ? before : sum);)
        }
    }
}

/*
 * A field at a time: compilers cannot know that arrays do not overlap. What is to go past the caches is brought
 * together before, in whole lines of them. Results are values, or those of their fields that are wanted.
 */
#define CLF_BLOCK_ROWS(name, to) \
    for (ulong k = 0; k < rows; ++k) \
        CLF_UNROLL for (uint j = 0; j < CLF_SIDE_NEAR; ++j) \
            (to)[k * CLF_SIDE_NEAR + j] = block->CLF_FINISHED(result, column)[j].name[k];
#define CLF_BLOCK_STORE(f, type, move, bytes, name) \
    if (a->flags & CLF_ARG_STREAM) { \
        type line[CLF_STREAMS * CLF_SIDE_NEAR]; \
        CLF_BLOCK_ROWS(name, line) \
        CLF_PIECE_STORE(type, bytes, line, a->out.p##f, at, rows * CLF_SIDE_NEAR, true) \
    } else { \
        __global type *const to = a->out.p##f + at; \
        CLF_BLOCK_ROWS(name, to) \
    }

/* Results to their places, which are mostly those of neighbours. */
#define CLF_BLOCK_PUT(f, type, move, bytes, name) CLF_PUT_##bytes(a->out.p##f + place[k], v[k].name);
#define CLF_BLOCK_PUT_ROW(f, type, move, bytes, name) \
    for (uint k = 0; k < count; ++k) \
        CLF_PUT_##bytes(a->out.p##f + place[0] + k, v[k].name);
static inline void clf_cpu_block_put(const clf_arguments *a, const ulong *place, const clf_result *v, uint count)
{
    ulong apart = 0;
    for (uint k = 0; k < count; ++k)
        apart |= place[k] ^ (place[0] + k);
    if (apart == 0) {
        CLF_RESULT_FIELDS(CLF_BLOCK_PUT_ROW)
    } else
        for (uint k = 0; k < count; ++k) {
            CLF_RESULT_FIELDS(CLF_BLOCK_PUT)
        }
}

/* Those that have one are brought together first: a branch for each would often be mispredicted (wrapper.cl). */
#define CLF_BLOCK_TAKE(f, type, move, bytes, name) result[some].name = block->CLF_FINISHED(result, column)[j].name[k];
static inline ulong clf_cpu_block_place(const clf_arguments *a, uint rows, const clf_cpu_block *block, ulong room)
{
    ulong place[CLF_STREAMS * CLF_SIDE_NEAR];
    clf_result result[CLF_STREAMS * CLF_SIDE_NEAR];
    uint some = 0, dropped = 0;
    for (ulong k = 0; k < rows; ++k)
        CLF_UNROLL for (uint j = 0; j < CLF_SIDE_NEAR; ++j) {
            CLF_RESULT_FIELDS(CLF_BLOCK_TAKE)
            place[some] = block->place[j][k];
            dropped += place[some] + 1 > room;
            some += place[some] < room;
        }
    clf_cpu_block_put(a, place, result, some);
    return some + dropped;
}

static inline void clf_cpu_block_store(const clf_arguments *a, ulong at, uint rows, const clf_cpu_block *block)
{
    CLF_PLACED_OR(*a->placed += clf_cpu_block_place(a, rows, block, a->room);, CLF_RESULT_FIELDS(CLF_BLOCK_STORE))
}

static inline clf_value clf_cpu_block_scan(const clf_arguments *a, ulong at, uint rows, clf_value sum)
{
    const clf_value initial = clf_initial(a);
    clf_cpu_block block;
    clf_cpu_block_load(a, at, rows, &block);
    clf_cpu_rows_reduce(&block, rows, initial CLF_COMBINE_A);
    sum = clf_cpu_rows_scan(&block, rows, sum CLF_COMBINE_A);
    clf_cpu_rows_rescan(a, at, rows, initial, &block);
    clf_cpu_block_store(a, at, rows, &block);
    return sum;
}

/* Scans a tile from its prefix on; returns the prefix of the next. */
static inline clf_value clf_cpu_tile_rescan(const clf_arguments *a, ulong first, uint count, clf_value prefix,
                                            const clf_cpu_sums *sums)
{
    const ulong end = first + count;
    while (end - first >= CLF_SIDE_NEAR) {
        const uint rows = (uint)min((end - first) / CLF_SIDE_NEAR, (ulong)CLF_STREAMS);
        prefix = clf_cpu_block_scan(a, first, rows, prefix);
        first += rows * CLF_SIDE_NEAR;
    }
    return clf_cpu_steps(a, first, end, prefix);
}

#endif
