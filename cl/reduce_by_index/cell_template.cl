/* SPDX-License-Identifier: MIT */
/*
 * cell_template: a value combined with a cell in one kind of memory. Included by cell.cl once for each; takes
 * CLF_X_SPACE and CLF_X_ADD, the name of the function, and leaves them undefined.
 *
 * If there is no atomic for the operator, a work-item takes the cell's value by an exchange, which leaves the neutral
 * element. It combines its own value with that, and puts the result back by another exchange. If that returns a value
 * which others stored meanwhile, it continues with that one. A work-item that has stored its value is done, so this
 * ends; without contention it costs two exchanges. (With compare-and-swap all but one of the contenders fail.)
 *
 * Bits are compared, never values, because a NaN is not equal to itself. Where often nothing changes, as in maxima, the
 * cell is read first. That value need not be new, but whole: in PTX a load, elsewhere an atomic that changes nothing
 * (loads of C11 from local memory go wrong in PoCL 3.1).
 *
 * Nothing happens unless it is `wanted`. All work-items of a warp call this at once: otherwise they would not
 * reconverge after the loop (on an H200 that took ten times as long).
 *
 * needs: CLF_X_ADD, CLF_X_SPACE
 * provides: nothing
 */
static inline void CLF_X_ADD(volatile CLF_X_SPACE clf_cell *cell, clf_value v, bool wanted CLF_COMBINE_PARAMETER)
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
