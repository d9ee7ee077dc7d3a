# SPDX-License-Identifier: MIT
"""Histograms."""
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import UPPER_END, lib
from .arrays import check, new, queue_of, require_array, uploaded, whole
from .bins import ReduceByIndexPlan
from .borders import Borders, of_array, of_numbers, of_range
from .booleans import true_in_place, truths
from .calls import WaitFor, enqueue
from .contexts import context
from .dtypes import scalar_type, seen
from .expressions import from_expressions
from .plans import kept
from .totals import total_dtype

_COUNTS = np.dtype(np.uint32), np.dtype(np.uint64)


def _borders(x: Array, bins: Any, range: Optional[Tuple[float, float]], closed: bool,
             queue: cl.CommandQueue) -> Tuple[int, Optional[Borders]]:
    """The number of bins, and what tells which one an element is in; None: the element itself."""
    if isinstance(bins, (Array, np.ndarray, list, tuple)) and getattr(bins, "shape", (1,)) != ():
        if range is not None:
            raise ValueError("edges of bins say their range themselves: leave out range=")
        made = truths(bins, queue) if isinstance(bins, Array) else of_numbers(bins, x.dtype, closed)
        if isinstance(made, np.ndarray):
            made = uploaded(queue, made)
        if isinstance(made, Array):
            made = of_array(made, x.dtype, closed)
        return made.bins, made
    count = whole(bins, "bins")
    if range is not None and not count:
        raise ValueError("a range of 0 bins")
    if range is not None:
        return count, of_range(count, range, x.dtype, closed, bool(queue.device.double_fp_config))
    if x.dtype.kind not in "iub":
        raise TypeError(f"elements of {x.dtype} say no bins: give a range")
    if closed:
        raise ValueError("closed= is for a range or edges: bins that elements say themselves have no ends")
    return count, None


def _by_edges(x: Array, edges: Array, closed: bool, dtype: np.dtype, out: Optional[Array], queue: cl.CommandQueue,
              wait_for: WaitFor) -> Array:
    """The library's own function, of plain counts."""
    if out is None:
        out = new(x, queue, (edges.size - 1,), dtype)
    check(x, x.dtype, None, "the input")
    check(out, dtype, edges.size - 1, "out")
    sizes = scalar_type(x.dtype), scalar_type(dtype), UPPER_END * closed, x.size, edges.size - 1
    enqueue(lib.clf_array_histogram_edges, context(queue).handle, queue, sizes, ((edges,), (x,), (out,)), (out,),
            wait_for, by_value=True)
    return out


def histogram(x: Array, bins: Union[int, Sequence[float], np.ndarray, Array],
              range: Optional[Tuple[float, float]] = None, *, weights: Optional[Array] = None, closed: bool = False,
              axis: Optional[int] = None, dtype: Any = None, out: Optional[Array] = None, update: bool = False,
              actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
              wait_for: WaitFor = None) -> Array:
    """How many elements are in each bin. What is in no bin is left out, and so are NaNs.

    bins      how many; elements of an integer type then say their bins themselves, as in numpy.bincount. Or the edges
              of bins, one more than bins, ascending: numbers, or an array on the device, of the type of `x` (which
              nobody looks at first: of edges that do not ascend the results are unspecified)
    range     where so many bins of equal width begin and end, two finite numbers. Integers between integers are counted
              exactly; all else by the edges that numpy.histogram has
    closed    True: an element at the upper end of all is in the last bin, as in numpy.histogram. False: in none, as at
              the ends of Python's ranges
    weights   the sum of these instead of the number of elements
    axis      a histogram of each line along this axis, in whose place it is
    dtype     of the results: uint32 for counts. Sums of weights are of their type, but of 64 bits where weights are
              booleans or integers of 8 and 16 bits
    update    add to what `out` holds

    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))
    >>> print(cf.histogram(x, 4), cf.histogram(x, 2, (1, 5)), cf.histogram(x, 2, (1, 5), closed=True))
    [0 2 0 1] [2 2] [2 3]
    >>> y = cla.to_device(queue, np.array([0.1, 0.7, 0.8, 1], "f4"))
    >>> print(cf.histogram(y, 2, (0, 1)), cf.histogram(y, [0, 0.75, 0.9, 1], closed=True))
    [1 2] [2 1 1]
    """
    require_array(x, "x")
    queue = queue_of(x, queue)
    if weights is not None:
        require_array(weights, "weights")
        check(weights, weights.dtype, x.size, "weights")
    x = truths(x, queue, wait_for)
    bins, borders = _borders(x, bins, range, closed, queue)
    if dtype is None and isinstance(out, Array):
        dtype = out.dtype
    if dtype is None:
        dtype = np.uint32 if weights is None else total_dtype("sum", weights.dtype)
    dtype = np.dtype(dtype)
    if borders and borders.edges is not None and dtype in _COUNTS and weights is axis is actual is None and not update:
        return _by_edges(x, borders.edges, closed, dtype, out, queue, wait_for)
    described: Tuple[Any, ...] = (("x", x.dtype),) if weights is None else (("x", x.dtype), ("weight", weights.dtype))
    key = (ReduceByIndexPlan, "histogram", described, dtype, borders and borders.source, update, actual is not None)

    weight = "1" if weights is None else "x.weight != 0" if weights.dtype == np.bool_ else seen(
        "x.weight", weights.dtype)

    def make(where):
        made = from_expressions(described, dtype, map=weight, combine="sum",
                                part=borders and "cf_bin(x.x, c)", captured=borders and borders.fields,
                                source=borders.source if borders else "", commutative=True, no_index=True)
        return ReduceByIndexPlan(where, made, update=update, from_device=actual is not None)

    if update and isinstance(out, Array):
        true_in_place(out, queue, wait_for)
    elements = (x,) if weights is None else (x, weights)
    return kept(queue, key, make)(elements, bins, out, axis=axis, captured=borders and borders.upload(queue),
                                  actual=actual, queue=queue, wait_for=wait_for)
