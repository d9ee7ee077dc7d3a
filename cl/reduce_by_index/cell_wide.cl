/* SPDX-License-Identifier: MIT */
/*
 * cell_wide: values that no atomic takes, as several words in local memory, each value with a lock. There is nothing
 * here unless
 *
 *   CLF_LOCKS   words of locks, a power of two: for each cell a bit; neighbouring cells have theirs in other words
 *
 * is more than 0. (cell.cl has the other values.)
 *
 * needs: CLF_CELLS
 * provides: cells, entry
 */
#include "device/lane.cl"
#include "reduce_by_index/words.cl"

#if CLF_LOCKS
#undef CLF_NATIVE /* atomics that are wider than this device's */
#define clf_entry_read clf_words_read
#define clf_entry_write clf_words_write

typedef struct {
    uint words[CLF_VALUE_WORDS * CLF_CELLS];
    uint locks[CLF_LOCKS];
} clf_cells;

static inline void clf_cells_clear(__local clf_cells *s, uint count)
{
    CLF_LOOP for (uint i = clf_local_id(); i < count; i += CLF_GROUP)
        clf_words_put(s->words, CLF_CELLS, i, clf_neutral());
    CLF_LOOP for (uint i = clf_local_id(); i < CLF_LOCKS; i += CLF_GROUP)
        s->locks[i] = 0;
}

static inline clf_value clf_cells_read(__local const clf_cells *s, uint i)
{
    return clf_words_get(s->words, CLF_CELLS, i);
}

/*
 * On GPUs whoever has the lock loads and stores, and fences order that. Elsewhere each access is an atomic that needs
 * no order: what looks for races (Oclgrind) knows nothing of locks.
 */
#if CLF_CPU
#define CLF_CELL_LOAD(p) atomic_or(p, 0u)
#define CLF_CELL_STORE(p, x) (void)atomic_xchg(p, x)
#else
#define CLF_CELL_LOAD(p) (*(p))
#define CLF_CELL_STORE(p, x) *(p) = (x)
#endif

static inline void clf_cells_fence(void)
{
#if CLF_ATOMICS == 3
    asm volatile("fence.acq_rel.cta;" ::: "memory");
#else
    mem_fence(CLK_LOCAL_MEM_FENCE);
#endif
}

/* Cell i = combine(cell i, the value of these words), by whoever has its lock. */
static inline void clf_cells_combine(__local clf_cells *s, uint i,
                                     const uint more[CLF_VALUE_WORDS] CLF_COMBINE_PARAMETER)
{
    volatile __local uint *const words = s->words + i;
    uint w[CLF_VALUE_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = CLF_CELL_LOAD(words + k * CLF_CELLS);
    clf_pack(clf_combine(clf_unpack(w), clf_unpack(more)), w);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        CLF_CELL_STORE(words + k * CLF_CELLS, w[k]);
}

/*
 * Lanes that want the same cell combine what they have, so that one of them wants it for all: else, where few bins have
 * most elements, all lanes would wait for each other's locks.
 */
#if CLF_LANES
static inline void clf_cells_gather(uint i, uint w[CLF_VALUE_WORDS], bool *wanted CLF_COMBINE_PARAMETER)
{
    uint none[CLF_VALUE_WORDS];
    clf_pack(clf_neutral(), none);
    for (clf_mask left = clf_ballot(*wanted); left;) {
        const uint lane = clf_highest(left), cell = clf_word_from(i, lane);
        const bool is_alike = *wanted && i == cell;
        const clf_mask alike = clf_ballot(is_alike);
        left &= ~alike;
        if (alike & (alike - 1)) {
            uint sum[CLF_VALUE_WORDS];
            CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
                sum[k] = is_alike ? w[k] : none[k];
            CLF_LOOP for (uint d = 1; d < CLF_LANE_WIDTH; d <<= 1) {
                uint other[CLF_VALUE_WORDS];
                CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
                    other[k] = clf_word_from(sum[k], clf_lane_id() ^ d);
                clf_pack(clf_combine(clf_unpack(sum), clf_unpack(other)), sum);
            }
            CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
                w[k] = is_alike ? sum[k] : w[k];
            *wanted = *wanted && (!is_alike || clf_lane_id() == lane);
        }
    }
}
#else
static inline void clf_cells_gather(uint i, uint w[CLF_VALUE_WORDS], bool *wanted CLF_COMBINE_PARAMETER) {}
#endif

/*
 * Called by all work-items of a warp together; nothing happens unless it is `wanted`. In each turn those that find
 * their lock open have it, combine, and open it again, and the others come back in the next turn: nobody who has a lock
 * waits for anything, least of all for a lane of his warp. Those that a few turns leave over may well want one cell:
 * then lanes gather. The vote keeps a warp together. Where there is none the turn must not end before the lock is open,
 * nor may the compiler think so: hence a work-item is done when it sees that it was locked, which it was.
 */
static inline void clf_cells_add(__local clf_cells *s, uint i, clf_value v, bool wanted CLF_COMBINE_PARAMETER)
{
    enum { PATIENCE = 2 /* turns */ };
    volatile __local uint *const lock = s->locks + i % CLF_LOCKS;
    const uint mine = 1u << i / CLF_LOCKS;
    uint w[CLF_VALUE_WORDS];
    clf_pack(v, w);
    for (uint turn = 0; clf_ballot(wanted); ++turn) {
        if (turn == PATIENCE)
            clf_cells_gather(i, w, &wanted CLF_COMBINE_A);
        if (wanted && !(atomic_or(lock, mine) & mine)) {
            clf_cells_fence();
            clf_cells_combine(s, i, w CLF_COMBINE_A);
            clf_cells_fence();
            wanted = !(atomic_and(lock, ~mine) & mine);
        }
    }
}
#endif
