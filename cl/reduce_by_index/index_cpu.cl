/* SPDX-License-Identifier: MIT */
/*
 * index_cpu: parts by the cores of a CPU, each in a table of its own, values of any size; no atomics.
 *
 * Few bins have CLF_INDEX_CPU_TURNS tables, each for a part of the chunk. Updates take turns among these, so that no
 * update waits for the one before to be stored. Otherwise a table lies in scratch, or, where a row is one chunk,
 * results are updated in place: the bins of a slice belong to one work-item. Elements of a bin are combined in order.
 *
 * needs: a->chunks, a->how
 * provides: clf_index_cpu_body, entry
 */
#include "device/lane.cl"
#include "memory/chunks.cl"
#include "reduce_by_index/words.cl"

#define clf_entry_read clf_words_read
#define clf_entry_write clf_words_write
#include "reduce_by_index/bins.cl"
#include "reduce_by_index/bins_cpu.cl"
#include "reduce_by_index/finish.cl"

/* ---- Few bins ------------------------------------------------------------------------------------------- */

#define CLF_FEW_NARROW 2
enum {
    CLF_INDEX_CPU_TURNS = 4,
    CLF_FEW_BYTES = 32768,
    CLF_FEW_BINS = CLF_FEW_BYTES / CLF_INDEX_CPU_TURNS / CLF_VALUE_BYTES
};

typedef struct {
    /* Not table by table: 4 KiB apart, loads would wait for stores. */
    clf_value sums[CLF_FEW_BINS][CLF_INDEX_CPU_TURNS];
} clf_index_few;

static inline void clf_index_few_put(const clf_arguments *a, clf_input x, ulong i, ulong bin, uint turn,
                                     clf_index_few *few)
{
    clf_extra none;
    few->sums[bin][turn] = clf_combine(few->sums[bin][turn], clf_map_at(a, x, i, &none));
}

#ifdef CLF_EDGES
/* The order of elements makes no difference to counts. */
static inline void clf_index_few_elements(const clf_arguments *a, const clf_bins_part *p, clf_index_few *few)
{
    for (ulong i = p->from; i < p->to; i += CLF_BINS_SIDES) {
        clf_input x[CLF_BINS_SIDES];
        ulong bin[CLF_BINS_SIDES];
        clf_sides_load(a, i, p->to, x, bin);
        CLF_UNROLL for (uint k = 0; k < CLF_BINS_SIDES; ++k)
            if (i + k < p->to && bin[k] - p->first < p->width)
                clf_index_few_put(a, x[k], i + k, bin[k] - p->first, k % CLF_INDEX_CPU_TURNS, few);
    }
}

#else
static inline void clf_index_few_take(const clf_arguments *a, const clf_bins_part *p, clf_input x, ulong i, uint turn,
                                      bool all, clf_index_few *few)
{
    const ulong bin = clf_bin_of(a, x, i) - p->first;
    if (all || bin < p->width)
        clf_index_few_put(a, x, i, bin, turn, few);
}

static inline void clf_index_few_add(const clf_arguments *a, const clf_bins_part *p, ulong from, ulong to, uint turn,
                                     clf_index_few *few)
{
    for (ulong i = from; i < to; ++i)
        clf_index_few_take(a, p, clf_input_at(&a->in, i), i, turn, false, few);
}

/* Elements of all turns, `each` apart. */
static inline void clf_index_few_singles(const clf_arguments *a, const clf_bins_part *p, ulong body, ulong each,
                                         bool all, clf_index_few *few)
{
    for (ulong i = body; i < body + each; ++i)
        CLF_UNROLL for (uint turn = 0; turn < CLF_INDEX_CPU_TURNS; ++turn)
            clf_index_few_take(a, p, clf_input_at(&a->in, i + turn * each), i + turn * each, turn, all, few);
}

/* The same by chunks. */
static inline void clf_index_few_chunks(const clf_arguments *a, const clf_bins_part *p, ulong body, ulong each,
                                        bool all, clf_index_few *few)
{
    for (ulong i = body; i < body + each; i += CLF_CHUNK) {
        clf_input x[CLF_INDEX_CPU_TURNS][CLF_CHUNK];
        CLF_UNROLL for (uint turn = 0; turn < CLF_INDEX_CPU_TURNS; ++turn) {
            clf_packed packed;
            clf_packed_load(&a->in, i + turn * each, true, &packed);
            clf_packed_split(&packed, x[turn]);
        }
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            CLF_UNROLL for (uint turn = 0; turn < CLF_INDEX_CPU_TURNS; ++turn)
                clf_index_few_take(a, p, x[turn][k], i + turn * each + k, turn, all, few);
    }
}

/* Chunks of bytes and shorts are long: their code would be too much for a CPU to have at hand. */
#if (0 CLF_INPUT_FIELDS(CLF_ADD_BYTES)) <= CLF_FEW_NARROW
#define clf_index_few_walk_turns clf_index_few_singles
#else
#define clf_index_few_walk_turns clf_index_few_chunks
#endif

static inline void clf_index_few_elements(const clf_arguments *a, const clf_bins_part *p, clf_index_few *few)
{
    const ulong body = min(p->from + clf_inputs_head(&a->in, p->from), p->to);
    const bool aligned = clf_inputs_aligned(&a->in, body);
    const ulong each = aligned ? (p->to - body) / (CLF_INDEX_CPU_TURNS * CLF_CHUNK) * CLF_CHUNK : 0;
    clf_index_few_add(a, p, p->from, body, 0, few);
    if (CLF_BIN_NUMBERS > 0 && p->first == 0 && p->width >= CLF_BIN_NUMBERS)
        clf_index_few_walk_turns(a, p, body, each, true, few);
    else
        clf_index_few_walk_turns(a, p, body, each, false, few);
    clf_index_few_add(a, p, body + CLF_INDEX_CPU_TURNS * each, p->to, CLF_INDEX_CPU_TURNS - 1, few);
}
#endif

static inline void clf_index_few_walk(const clf_arguments *a, const clf_bins_part *p)
{
    clf_index_few few;
    const clf_value neutral = clf_neutral();
    for (uint bin = 0; bin < (uint)p->width; ++bin)
        for (uint turn = 0; turn < CLF_INDEX_CPU_TURNS; ++turn)
            few.sums[bin][turn] = neutral;
    clf_index_few_elements(a, p, &few);
    for (uint bin = 0; bin < (uint)p->width; ++bin) {
        clf_value sum = few.sums[bin][0];
        for (uint turn = 1; turn < CLF_INDEX_CPU_TURNS; ++turn)
            sum = clf_combine(sum, few.sums[bin][turn]);
        clf_bins_part_done(a, p, p->first + bin, sum);
    }
}

/* ---- Many bins ------------------------------------------------------------------------------------------ */

static inline void clf_entry_take(const clf_arguments *a, ulong entry, clf_input x, ulong i)
{
    clf_extra none;
    clf_entry_write(a, entry, clf_combine(clf_entry_read(a, entry), clf_map_at(a, x, i, &none)));
}

/* Those of the part that lie in scratch. */
static inline void clf_entries_walk(const clf_arguments *a, const clf_bins_part *p)
{
    const ulong table = (p->row * a->chunks + p->chunk) * clf_bins(a) + p->first;
    const clf_value neutral = clf_neutral();
    for (ulong bin = 0; bin < p->width; ++bin)
        clf_entry_write(a, table + bin, neutral);
    for (ulong i = p->from; i < p->to; i += CLF_BINS_SIDES) {
        clf_input x[CLF_BINS_SIDES];
        ulong bin[CLF_BINS_SIDES];
        clf_sides_load(a, i, p->to, x, bin);
        CLF_UNROLL for (uint k = 0; k < CLF_BINS_SIDES; ++k)
            if (i + k < p->to && bin[k] - p->first < p->width)
                clf_entry_take(a, table + bin[k] - p->first, x[k], i + k);
    }
}

static inline void clf_result_take(const clf_arguments *a, ulong result, clf_input x, ulong i, bool update)
{
    clf_extra none;
    if (update)
        clf_result_put(a, result, clf_combine(clf_result_get(a, result), clf_map_at(a, x, i, &none)));
    else
        CLF_FINISHED(
            , clf_output_at(&a->out, result, clf_combine(clf_result_at(&a->out, result), clf_map_at(a, x, i, &none))));
}

/*
 * Those that are results: codes, until all elements have come, or, if bins are updated, results at all times. What the
 * operator finishes lies in scratch instead.
 */
static inline void clf_results_walk(const clf_arguments *a, const clf_bins_part *p)
{
    const ulong results = p->row * clf_bins(a) + p->first;
    const clf_value neutral = clf_neutral();
    const bool update = (a->how & CLF_INDEX_UPDATE) != 0;
    const ulong cleared = update || p->row >= a->count ? 0 : p->width;
    for (ulong bin = 0; bin < cleared; ++bin)
        CLF_FINISHED((void)neutral, clf_output_at(&a->out, results + bin, neutral));
    for (ulong i = p->from; i < p->to; i += CLF_BINS_SIDES) {
        clf_input x[CLF_BINS_SIDES];
        ulong bin[CLF_BINS_SIDES];
        clf_sides_load(a, i, p->to, x, bin);
        CLF_UNROLL for (uint k = 0; k < CLF_BINS_SIDES; ++k)
            if (i + k < p->to && bin[k] - p->first < p->width)
                clf_result_take(a, results + bin[k] - p->first, x[k], i + k, update);
    }
    for (ulong bin = 0; CLF_CODED && bin < cleared; ++bin)
        CLF_FINISHED(, clf_result_put(a, results + bin, clf_result_at(&a->out, results + bin)));
}

/* ---- All ------------------------------------------------------------------------------------------------ */

typedef uchar clf_index_cpu_storage; /* none needed */

CLF_INLINE void clf_index_cpu_body(const clf_arguments *a, __local clf_index_cpu_storage *s)
{
    for (ulong number = get_group_id(0); number < clf_bins_parts(a); number += get_num_groups(0)) {
        const clf_bins_part p = clf_bins_part_at(a, number);
        if (p.width <= CLF_FEW_BINS)
            clf_index_few_walk(a, &p);
        else if (a->how & CLF_INDEX_DIRECT)
            clf_results_walk(a, &p);
        else
            clf_entries_walk(a, &p);
    }
}
