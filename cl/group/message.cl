/* SPDX-License-Identifier: MIT */
/*
 * message: one tile's descriptor, which publishes its aggregate or its inclusive prefix, a state (state_value.cl).
 *
 * A slot is CLF_SLOT_WORDS atomic words. Each carries a piece of the state and a tag, epoch * 4 + status. A message is
 * whole when all its tags are equal and of this epoch: so readers need no fence, and where one word arrives before
 * another they find nothing yet. Nothing is cleared between calls, for the host counts the epochs. A slot is written
 * only by the group that has the tile, and its status only grows.
 *
 * needs: state
 * provides: CLF_MESSAGE_*, clf_message_read, clf_slot, clf_slot_*, CLF_SLOT_WORDS
 */
#include "device/atomics.cl"

/* The status of a tile. */
enum { CLF_MESSAGE_NONE = 0, CLF_MESSAGE_AGGREGATE = 1, CLF_MESSAGE_PREFIX = 2 };

#define CLF_WORD_PARTS (32 / CLF_WORD_PAYLOAD)
#define CLF_MESSAGE_WORDS (CLF_STATE_WORDS * CLF_WORD_PARTS)

/* A slot of several words has an even number, so that words can go in pairs. */
#define CLF_SLOT_WORDS (CLF_MESSAGE_WORDS == 1 ? 1 : (CLF_MESSAGE_WORDS + 1) / 2 * 2)

typedef volatile __global clf_word *clf_slot;

/* The words of a message; the last may be padding. */
static inline void clf_message_write(clf_state s, uint epoch, uint status, clf_word raw[CLF_SLOT_WORDS])
{
    const clf_word tag = (clf_word)(epoch * 4 + status);
    uint w[CLF_STATE_WORDS];
    clf_state_pack(s, w);
    raw[CLF_SLOT_WORDS - 1] = tag;
    CLF_UNROLL for (uint k = 0; k < CLF_STATE_WORDS; ++k) {
        if (CLF_WORD_PARTS == 1) {
            raw[k] = (clf_word)((ulong)w[k] << 32) | tag;
        } else {
            raw[2 * k] = w[k] << 16 | tag;
            raw[2 * k + 1] = (w[k] & 0xffff0000u) | tag;
        }
    }
}

/* The status that words tell; *s where it is not CLF_MESSAGE_NONE. */
static inline uint clf_message_read(const clf_word raw[CLF_SLOT_WORDS], uint epoch, clf_state *s)
{
    const clf_word mask = ((clf_word)1 << (sizeof(clf_word) * 8 - CLF_WORD_PAYLOAD)) - 1;
    const clf_word tag = raw[0] & mask;
    bool whole = (uint)(tag >> 2) == epoch;
    CLF_UNROLL for (uint k = 1; k < CLF_SLOT_WORDS; ++k)
        whole = whole && (raw[k] & mask) == tag;
    if (!whole)
        return CLF_MESSAGE_NONE;
    uint w[CLF_STATE_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_STATE_WORDS; ++k) {
        if (CLF_WORD_PARTS == 1)
            w[k] = (uint)((ulong)raw[k] >> 32);
        else
            w[k] = raw[2 * k] >> 16 | (raw[2 * k + 1] & 0xffff0000u);
    }
    *s = clf_state_unpack(w);
    return (uint)tag & 3;
}

static inline void clf_slot_write(clf_slot slot, clf_state s, uint epoch, uint status)
{
    clf_word raw[CLF_SLOT_WORDS];
    clf_message_write(s, epoch, status, raw);
    if (CLF_SLOT_WORDS == 1)
        clf_word_store(slot, raw[0]);
    else
        CLF_UNROLL for (uint k = 0; k < CLF_SLOT_WORDS; k += 2)
            clf_word_store2(slot + k, raw + k);
}

static inline void clf_slot_load(clf_slot slot, clf_word raw[CLF_SLOT_WORDS])
{
    if (CLF_SLOT_WORDS == 1)
        raw[0] = clf_word_load(slot);
    else
        CLF_UNROLL for (uint k = 0; k < CLF_SLOT_WORDS; k += 2)
            clf_word_load2(slot + k, raw + k);
}

static inline uint clf_slot_read(clf_slot slot, uint epoch, clf_state *s)
{
    clf_word raw[CLF_SLOT_WORDS];
    clf_slot_load(slot, raw);
    return clf_message_read(raw, epoch, s);
}

/*
 * clf_slot_read for those who wait: it loads one word only as long as there is nothing, since polling takes memory
 * bandwidth.
 */
static inline uint clf_slot_poll(clf_slot slot, uint epoch, clf_state *s)
{
    if (CLF_SLOT_WORDS > 2) {
        const clf_word first = clf_word_load(slot);
        const clf_word mask = ((clf_word)1 << (sizeof(clf_word) * 8 - CLF_WORD_PAYLOAD)) - 1;
        if ((uint)((first & mask) >> 2) != epoch)
            return CLF_MESSAGE_NONE;
    }
    return clf_slot_read(slot, epoch, s);
}
