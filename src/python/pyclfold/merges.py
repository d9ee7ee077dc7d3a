# SPDX-License-Identifier: MIT
"""Sorted sequences: merged, and searched."""
from typing import Any, Optional, overload

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import FROM_DEVICE, SORTED_NEEDLES, UPPER, lib
from .arrays import Elements, first_if_any, listed, queue_of
from .booleans import truths
from .calls import WaitFor, enqueue
from .expressions import from_expressions
from .moves import index_type
from .operators import Operator, side_of
from .orders import rising
from .plans import OperatorPlan, Where, actual_array, kept, request


class MergePlan(OperatorPlan):
    """A compiled stable merge of two sorted sequences, in the order of the operator's `less`.

    >>> falling = cf.Operator("i4", less="above", source="bool above(clf_value a, clf_value b) { return a.v > b.v; }")
    >>> plan = cf.MergePlan(queue, falling)
    >>> x, y = (cla.to_device(queue, np.array(values, "i4")) for values in ([5, 3, 1], [4, 3]))
    >>> print(plan(x, y))
    [5 4 3 3 1]
    """

    def __init__(self, where: Where, operator: Operator, *, from_device: bool = False, variant: Optional[str] = None,
                 parameters: Optional[str] = None) -> None:
        super().__init__(where, "clf_merge_plan", operator, FROM_DEVICE * from_device, variant, parameters)

    def __call__(self, x: Elements, y: Elements, out: Optional[Elements] = None, *,
                 captured: Optional[Elements] = None, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
        """Enqueues it. `actual` are two uint64: how many elements each sequence really has."""
        queue, like = queue_of(x, queue), self.like(x)
        n, m = like.size, self.like(y).size
        ins = listed(x, self._in, n, "the input") + self.inputs(y, m, captured)
        outs = self.outputs(out, like, queue, (n + m,))
        enqueue(lib.clf_merge, self._handle, queue, (n, m), (ins, outs), outs, wait_for, None, actual_array(actual, 2),
                counts=(len(ins), len(outs)))
        return self.results(outs) if out is None else out


class SearchPlan(OperatorPlan):
    """A compiled search of a sorted sequence, the haystack, for the elements of another, the needles.

    dtype           of results: integers of 32 or 64 bits
    upper           upper bounds instead of lower ones
    sorted_needles  a promise that needles are sorted, too

    >>> rising = cf.Operator("i4", less="below", source="bool below(clf_value a, clf_value b) { return a.v < b.v; }")
    >>> plan = cf.SearchPlan(queue, rising, upper=True)
    >>> haystack, needles = (cla.to_device(queue, np.array(values, "i4")) for values in ([1, 3, 3, 5], [3, 0, 9]))
    >>> print(plan(haystack, needles))
    [3 0 4]
    """

    def __init__(self, where: Where, operator: Operator, *, dtype: Any = np.uint32, upper: bool = False,
                 sorted_needles: bool = False, from_device: bool = False, variant: Optional[str] = None,
                 parameters: Optional[str] = None) -> None:
        flags = UPPER * upper | SORTED_NEEDLES * sorted_needles | FROM_DEVICE * from_device
        dtype = np.dtype(dtype)
        super().__init__(where, "clf_bounds_plan", operator, flags, variant, parameters, (index_type(dtype),))
        self._out = side_of(dtype)

    def __call__(self, haystack: Elements, needles: Elements, out: Optional[Array] = None, *,
                 captured: Optional[Elements] = None, actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
                 wait_for: WaitFor = None) -> Array:
        """Enqueues it, and returns a position for each needle."""
        queue, like = queue_of(needles, queue), self.like(needles)
        n, m = self.like(haystack).size, like.size
        ins = listed(haystack, self._in, n, "the input") + self.inputs(needles, m, captured)
        outs = self.outputs(out, like, queue, like.shape)
        enqueue(lib.clf_bounds, self._handle, queue, (n, m), (ins, outs), outs, wait_for, None, actual_array(actual, 2),
                counts=(len(ins), len(outs)))
        return outs[0]


def require_sequence(x: Elements, what: str) -> None:
    """Sorted sequences have one dimension: `sort` sorts rows of arrays that have more."""
    array = first_if_any(x)
    if array is not None and array.ndim != 1:
        raise ValueError(f"{what} has one dimension, and this has {array.ndim}: of shape {array.shape}")


@overload
def merge(x: Array, y: Array, less: Optional[str] = ..., *, captured: Optional[Elements] = ..., source: str = ...,
          out: Optional[Array] = ..., actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
          wait_for: WaitFor = ...) -> Array: ...


@overload
def merge(x: Elements, y: Elements, less: Optional[str] = ..., *, captured: Optional[Elements] = ...,
          source: str = ..., out: Optional[Elements] = ..., actual: Optional[Array] = ...,
          queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Any: ...


def merge(x: Elements, y: Elements, less: Optional[str] = None, *, captured: Optional[Elements] = None,
          source: str = "", out: Optional[Elements] = None, actual: Optional[Array] = None,
          queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
    """Two sorted sequences as one. Of equal elements those of `x` come first. `less` is as in `merge_sort`;
    without it sequences are in the order of `sort`: tuples by their first field, NaNs last.

    >>> x, y = (cla.to_device(queue, np.array(values, "i4")) for values in ([1, 3, 5], [2, 3]))
    >>> print(cf.merge(x, y))
    [1 2 3 3 5]
    """
    queue, (described, caught, from_device) = queue_of(x, queue), request(x, captured, None, actual)
    for sequence in (x, y):
        require_sequence(sequence, "a sequence to merge")
    x, y = truths(x, queue, wait_for), truths(y, queue, wait_for)
    key = (MergePlan, described, caught, less, source, from_device)
    plan = kept(queue, key, lambda where: MergePlan(
        where, from_expressions(described, captured=caught, source=source, structs=True,
                                less=rising(described) if less is None else less), from_device=from_device))
    return plan(x, y, out, captured=captured, actual=actual, queue=queue, wait_for=wait_for)


def searchsorted(haystack: Elements, needles: Elements, side: str = "left", *, less: Optional[str] = None,
                 captured: Optional[Elements] = None, source: str = "", sorted_needles: bool = False,
                 dtype: Any = np.uint32, out: Optional[Array] = None, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Array:
    """Where needles would go into a sorted sequence, as numpy.searchsorted: before ("left") or behind ("right") those
    like them. The haystack has one dimension, needles may have any. `less` is as in `merge_sort`: without it NaNs come
    last, where `sort` puts them. (Running totals of floats may be unsorted by rounding errors: see `scan`.)
    `sorted_needles` is a promise that pays where there are about as many needles as elements of the haystack.

    >>> haystack, needles = (cla.to_device(queue, np.array(values, "i4")) for values in ([1, 3, 3, 5], [3, 0, 9]))
    >>> print(cf.searchsorted(haystack, needles), cf.searchsorted(haystack, needles, "right"))
    [1 0 4] [3 0 4]
    """
    if side not in ("left", "right"):
        raise ValueError(f"side is left or right, not {side!r}")
    queue, (described, caught, from_device) = queue_of(needles, queue), request(haystack, captured, None, actual)
    require_sequence(haystack, "a haystack")
    key = (SearchPlan, described, caught, less, source, side, sorted_needles, dtype, from_device)
    plan = kept(queue, key, lambda where: SearchPlan(
        where, from_expressions(described, captured=caught, source=source, structs=True,
                                less=rising(described) if less is None else less),
        dtype=dtype, upper=side == "right", sorted_needles=sorted_needles, from_device=from_device))
    return plan(haystack, needles, out, captured=captured, actual=actual, queue=queue, wait_for=wait_for)
