# SPDX-License-Identifier: MIT
"""Calls along any axis. The C functions take rows, whose elements are neighbours; so of another axis than the last the
arrays are turned before, and the results back: for each of the outer axes a matrix is transposed."""
from typing import Any, Optional, Tuple

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from .calls import WaitFor, enqueue
from .contexts import context
from .moves import TransposePlan
from .plans import OperatorPlan, kept
from .rooms import Borrowed
from .shapes import Lines

Arrays = Tuple[Array, ...]
_MOST_BYTES = 16  # of an element that is transposed


def enqueue_along(lines: Optional[Lines], plan: OperatorPlan, function: Any, queue: cl.CommandQueue,
                  sizes: Tuple[int, ...], ins: Arrays, outs: Arrays, wait_for: WaitFor = None, initial: Any = None,
                  actual: Optional[Array] = None, keep: bool = False) -> None:
    """Enqueues a function for rows, of arrays that begin with the operator's input. With `keep` results begin with what
    `outs` hold: the function need not write all of them."""
    if lines is None or lines.inner < 2 or not lines.outer:
        places = plan.places(outs)
        enqueue(function, plan.handle, queue, sizes, (ins, places), outs, wait_for, initial, actual,
                counts=(len(ins), len(places)))
        return
    elements = len(plan.operator.input.dtypes)
    with Borrowed(context(queue).rooms, queue) as borrowed:
        turn = _Turn(lines, queue, wait_for, borrowed)
        ins = tuple(turn.to_rows(array) for array in ins[:elements]) + ins[elements:]
        rows = tuple(turn.to_rows(array, keep) for array in outs)
        places = plan.places(rows)
        enqueue(function, plan.handle, queue, sizes, (ins, places), rows, wait_for, initial, actual,
                counts=(len(ins), len(places)))
        for row, out in zip(rows, outs):
            turn.back(row, out)


class _Turn:
    """Lines made rows, and rows made lines again."""

    def __init__(self, lines: Lines, queue: cl.CommandQueue, wait_for: WaitFor, borrowed: Borrowed) -> None:
        self._lines, self._queue, self._wait_for, self._borrowed = lines, queue, wait_for, borrowed

    def _extent(self, array: Array) -> int:
        """Elements along the axis: of results others than of the input, and one where they have no such axis."""
        return array.size // self._lines.sizes[0]

    def to_rows(self, array: Array, load: bool = True) -> Array:
        """A borrowed array with the axis as the last one; the same array if that is no other order."""
        extent = self._extent(array)
        if extent < 2:
            return array
        rows = self._borrowed.array(array, (self._lines.sizes[0], extent))
        if load:
            self._transpose(array, rows, (self._lines.outer, extent, self._lines.inner))
        return rows

    def back(self, rows: Array, array: Array) -> None:
        """The contrary."""
        if rows is not array:
            self._transpose(rows, array, (self._lines.outer, self._lines.inner, self._extent(array)))

    def _transpose(self, x: Array, out: Array, sizes: Tuple[int, int, int]) -> None:
        """Enqueues the transposition of (batch, rows, columns). Larger elements go in pieces: these are columns at
        first, and then put side by side again."""
        size = x.dtype.itemsize
        piece = next(part for part in range(min(size, _MOST_BYTES), 0, -1) if size % part == 0)
        plan = kept(self._queue, (TransposePlan, piece), lambda where: TransposePlan(where, piece))
        if piece == size:
            plan.matrices(sizes, x, out, self._queue, self._wait_for)
            return
        batch, rows, columns = sizes
        pieces = size // piece
        between = _in_pieces(self._borrowed.array(x, (x.size,)), piece)
        plan.matrices((batch, rows, columns * pieces), _in_pieces(x, piece), between, self._queue, self._wait_for)
        plan.matrices((batch * columns, pieces, rows), between, _in_pieces(out, piece), self._queue, self._wait_for)


def _in_pieces(array: Array, piece: int) -> Array:
    """The same memory as smaller elements, with the same events."""
    shape = (array.size * array.dtype.itemsize // piece,)
    return Array(array.queue, shape, np.dtype((np.void, piece)), data=array.base_data, offset=array.offset,
                 events=array.events)
