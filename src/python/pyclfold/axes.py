# SPDX-License-Identifier: MIT
"""Calls along any axis. The C functions take rows, whose elements are neighbours; so of another axis than the last the
arrays are turned before, and the results back: for each of the outer axes a matrix is transposed."""
from typing import Any, Optional, Tuple

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from .arrays import new
from .calls import WaitFor, enqueue
from .moves import TransposePlan
from .plans import OperatorPlan, kept
from .shapes import Lines

Arrays = Tuple[Array, ...]
_MOST_BYTES = 16  # of an element that is transposed


def enqueue_along(lines: Optional[Lines], plan: OperatorPlan, function: Any, queue: cl.CommandQueue,
                  sizes: Tuple[int, ...], ins: Arrays, outs: Arrays, wait_for: WaitFor = None, initial: Any = None,
                  actual: Optional[Array] = None, keep: bool = False) -> None:
    """Enqueues a function for rows, of arrays that begin with the operator's input. With `keep` results begin with what
    `outs` hold: the function need not write all of them."""
    if lines is None or lines.inner < 2 or not lines.outer:
        enqueue(function, plan.handle, queue, sizes, (ins, outs), outs, wait_for, initial, actual)
        return
    elements = len(plan.operator.input.dtypes)
    ins = tuple(_turned(queue, array, lines, wait_for) for array in ins[:elements]) + ins[elements:]
    rows = tuple(_turned(queue, array, lines, wait_for, keep) for array in outs)
    enqueue(function, plan.handle, queue, sizes, (ins, rows), rows, wait_for, initial, actual)
    for row, out in zip(rows, outs):
        if row is not out:
            _transpose(queue, row, out, (lines.outer, lines.inner, _extent(out, lines)), wait_for)


def _extent(array: Array, lines: Lines) -> int:
    """Elements along the axis: of results others than of the input, and one where they have no such axis."""
    return array.size // lines.sizes[0]


def _turned(queue: cl.CommandQueue, array: Array, lines: Lines, wait_for: WaitFor, load: bool = True) -> Array:
    """A new array with the axis as the last one; the same array if that is no other order."""
    extent = _extent(array, lines)
    if extent < 2:
        return array
    rows = new(array, queue, (*lines.sizes[:1], extent), array.dtype)
    if load:
        _transpose(queue, array, rows, (lines.outer, extent, lines.inner), wait_for)
    return rows


def _transpose(queue: cl.CommandQueue, x: Array, out: Array, sizes: Tuple[int, int, int], wait_for: WaitFor) -> None:
    """Enqueues the transposition of (batch, rows, columns). Larger elements go in pieces: these are columns at first,
    and then put side by side again."""
    size = x.dtype.itemsize
    piece = next(size for size in range(min(size, _MOST_BYTES), 0, -1) if x.dtype.itemsize % size == 0)
    plan = kept(queue, (TransposePlan, piece), lambda where: TransposePlan(where, piece))
    if piece == size:
        plan.matrices(sizes, x, out, queue, wait_for)
        return
    batch, rows, columns = sizes
    pieces = size // piece
    between = _in_pieces(new(x, queue, (x.size,), x.dtype), piece)
    plan.matrices((batch, rows, columns * pieces), _in_pieces(x, piece), between, queue, wait_for)
    plan.matrices((batch * columns, pieces, rows), between, _in_pieces(out, piece), queue, wait_for)


def _in_pieces(array: Array, piece: int) -> Array:
    """The same memory as smaller elements, with the same events."""
    shape = (array.size * array.dtype.itemsize // piece,)
    return Array(array.queue, shape, np.dtype((np.void, piece)), data=array.base_data, offset=array.offset,
                 events=array.events)
