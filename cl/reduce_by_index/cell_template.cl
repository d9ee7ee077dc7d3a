/* SPDX-License-Identifier: MIT */
/*
 * cell_template: a value combined with a cell in one kind of memory. Included by cell.cl once for each; takes
 * CLF_X_SPACE and CLF_X_ADD, the name of the function, and leaves them undefined.
 *
 * Where there is no atomic for the operator, a work-item takes what the cell has, leaving the neutral element there,
 * combines its own value with that, and puts both back. What others have put there meanwhile it then has, and goes on
 * with that. Whoever put it there is done, so this ends; where others are elsewhere it costs two exchanges. (Of those
 * that meet in a compare-and-swap all but one fail.)
 *
 * Bits are compared, never values, for a NaN is not equal to itself. Where often nothing changes, as in maxima, a look
 * at the cell comes first, which need not be new, but whole: in PTX a load, elsewhere an atomic that changes nothing
 * (loads of C11 from local memory go wrong in PoCL 3.1).
 *
 * Nothing happens unless it is `wanted`. All work-items of a warp call it together: left to themselves they would not
 * meet again behind the loop (on an H200 that took ten times as long).
 */
static inline void CLF_X_ADD(volatile CLF_X_SPACE clf_cell *cell, clf_value v, bool wanted)
{
#ifdef CLF_NATIVE
    if (wanted)
        (void)CLF_NATIVE((volatile CLF_X_SPACE CLF_NATIVE_TYPE *)cell, (CLF_NATIVE_TYPE)clf_cell_pack(v));
#else
    const clf_cell none = clf_cell_pack(clf_neutral());
    clf_cell mine = wanted ? clf_cell_pack(v) : none;
#if CLF_OFTEN_NOTHING
    clf_cell seen = none;
    if (wanted)
#if CLF_ATOMICS == 3
        seen = *cell; /* volatile: relaxed, in PTX */
#else
        seen = clf_cell_increase(cell, 0);
#endif
    if (clf_cell_pack(clf_combine(clf_cell_unpack(seen), v)) == seen)
        mine = none;
#endif
    while (clf_ballot(mine != none))
        if (mine != none) {
            mine = clf_cell_pack(clf_combine(clf_cell_unpack(clf_cell_exchange(cell, none)), clf_cell_unpack(mine)));
            mine = clf_cell_exchange(cell, mine);
        }
#endif
}

#undef CLF_X_SPACE
#undef CLF_X_ADD
