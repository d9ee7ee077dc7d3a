/* SPDX-License-Identifier: MIT */
/*
 * cpu_vector_template: vectors scanned and stored. Included by cpu_vector.cl once per kind of store, CLF_X_STORE: of
 * clf_vector_stream or clf_vector_store the last word. Leaves it undefined.
 *
 * needs: CLF_X_STORE
 * provides: nothing
 */
#define CLF_BY_STORE(name) CLF_PASTE(name, CLF_X_STORE)

/* A vector of results to place i. */
static inline void CLF_BY_STORE(clf_cpu_)(const clf_arguments *a, ulong i, clf_vector v)
{
    CLF_BY_STORE(clf_vector_)(clf_cpu_placed(v), CLF_CPU_AT(a->out.p0, i, CLF_VECTOR_WIDTH));
}

/* Vectors without heads, by a plain scan. The carry is the sum so far, in all places. */
static inline clf_vector CLF_BY_STORE(clf_cpu_scan_plain_)(const clf_arguments *a, ulong first, uint vectors,
                                                           clf_vector carry)
{
    for (uint i = 0; i < vectors; ++i) {
        const ulong at = first + i * CLF_VECTOR_WIDTH;
        CLF_BY_STORE(clf_cpu_)(a, at, clf_cpu_scan_vector(clf_cpu_load(a, at), &carry));
    }
    return carry;
}

#if CLF_SEGMENT

/* Segments that are not much longer than a vector: after `size` vectors heads are in the same places again. */
static inline clf_vector CLF_BY_STORE(clf_cpu_scan_short_)(const clf_arguments *a, ulong first, uint vectors,
                                                           clf_vector carry)
{
    const clf_vector initial = clf_vector_of(clf_initial(a));
    clf_cpu_phase phase[CLF_CPU_SHORT];
    const uint phases = min((uint)a->size, vectors);
    for (uint k = 0; k < phases; ++k)
        phase[k] = clf_cpu_phase_of(clf_head_bits(a, first + k * CLF_VECTOR_WIDTH));
    for (uint i = 0, k = 0; i < vectors; ++i, k = k + 1 == phases ? 0 : k + 1) {
        const ulong at = first + i * CLF_VECTOR_WIDTH;
        CLF_BY_STORE(clf_cpu_)(a, at, clf_cpu_scan_phase(clf_cpu_load(a, at), phase + k, initial, &carry));
    }
    return carry;
}

/* Any others: up to the next vector with a head goes a plain scan. Of regular segments it has one. */
static inline clf_vector CLF_BY_STORE(clf_cpu_scan_headed_)(const clf_arguments *a, ulong at, ulong end,
                                                            clf_vector carry)
{
    const clf_vector initial = clf_vector_of(clf_initial(a));
    ulong head = clf_next_head(a, at, end);
    while (at < end) {
        const uint plain = (uint)(min(head, end) - at) / CLF_VECTOR_WIDTH;
        carry = CLF_BY_STORE(clf_cpu_scan_plain_)(a, at, plain, carry);
        at += plain * CLF_VECTOR_WIDTH;
        if (at < end) {
            const clf_cpu_phase p = clf_cpu_phase_of(CLF_SEGMENT == 1 ? 1u << (head - at) : clf_head_bits(a, at));
            CLF_BY_STORE(clf_cpu_)(a, at, clf_cpu_scan_phase(clf_cpu_load(a, at), &p, initial, &carry));
            at += CLF_VECTOR_WIDTH;
            head = CLF_SEGMENT == 1 ? head + a->size : clf_next_head(a, at, end);
        }
    }
    return carry;
}

#endif

/* Any vectors, from a prefix on; returns what follows. */
static inline clf_value CLF_BY_STORE(clf_cpu_rescan_)(const clf_arguments *a, ulong first, uint vectors, clf_value sum)
{
    const clf_vector carry = clf_vector_of(sum);
#if CLF_SEGMENT == 0
    sum.CLF_VECTOR_FIELD = CLF_BY_STORE(clf_cpu_scan_plain_)(a, first, vectors, carry).s0;
#else
    if (CLF_SEGMENT == 1 && a->size <= CLF_CPU_SHORT)
        sum.CLF_VECTOR_FIELD = CLF_BY_STORE(clf_cpu_scan_short_)(a, first, vectors, carry).s0;
    else
        sum.CLF_VECTOR_FIELD =
            CLF_BY_STORE(clf_cpu_scan_headed_)(a, first, first + vectors * CLF_VECTOR_WIDTH, carry).s0;
#endif
    return sum;
}

#undef CLF_BY_STORE
#undef CLF_X_STORE
