# SPDX-License-Identifier: MIT
"""Sorts: by a key, by a comparison, of rows and segments."""
from typing import Any, Optional, overload

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import DESCENDING, FROM_DEVICE, OVERWRITE_INPUT, TOTAL_ORDER, lib
from .arrays import Elements, describe, describe_captured, first, new, queue_of, require_array
from .axes import enqueue_along
from .booleans import true_keys, truths
from .calls import WaitFor, enqueue
from .counts import new_count
from .expressions import from_expressions
from .moves import places_type
from .operators import Operator
from .orders import rising
from .plans import OperatorPlan, Where, actual_array, kept, request
from .segmented import SegmentedPlan
from .segments import Segments, given
from .shapes import has_lines, lines_of


class SortPlan(SegmentedPlan):
    """A compiled stable sort by a key: the first field, or what the operator's `key` makes of a value.

    segments  None: one array. "rows": every row of the last axis, or line along the `axis` of a call; "offsets",
              "lengths", …: segments, as in `ScanPlan`
    comparison  True: by the operator's `less` instead, of one array
    overwrite_input  calls use their inputs instead of scratch; what these hold afterwards is unspecified

    >>> plan = cf.SortPlan(queue, cf.Operator("i4"), descending=True)
    >>> print(plan(cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))))
    [5 4 3 1 1]
    """

    def __init__(self, where: Where, operator: Operator, *, descending: bool = False, total_order: bool = False,
                 segments: Optional[str] = None, segment_dtype: Any = None, comparison: bool = False,
                 from_device: bool = False, overwrite_input: bool = False, variant: Optional[str] = None,
                 parameters: Optional[str] = None) -> None:
        flags = (DESCENDING * descending | TOTAL_ORDER * total_order | FROM_DEVICE * from_device |
                 OVERWRITE_INPUT * overwrite_input)
        if comparison and segments is not None:
            raise ValueError("sorts by comparison are of one array")
        names = {None: "clf_merge_sort" if comparison else "clf_sort", "rows": "clf_segmented_sort",
                 "segments": "clf_irregular_sort"}
        super().__init__(where, names, operator, flags, segments, segment_dtype, variant, parameters)

    def __call__(self, x: Elements, out: Optional[Elements] = None, *, axis: Optional[int] = None,
                 segments: Optional[Array] = None, captured: Optional[Elements] = None,
                 actual: Optional[Array] = None, n: Optional[int] = None, queue: Optional[cl.CommandQueue] = None,
                 wait_for: WaitFor = None) -> Any:
        """Enqueues it, and returns the sorted elements. `out` may be `x`."""
        like, queue, size, shape, sizes, told, lines = self.extent(x, n, queue, segments, axis)
        ins = self.inputs(x, size, captured)
        outs = self.outputs(out, like, queue, shape)
        actual = actual_array(actual)
        if lines is not None:
            enqueue_along(lines, self, self._function, queue, sizes, ins, outs, wait_for, None, actual,
                          keep=actual is not None)
        else:
            enqueue(self._function, self._handle, queue, sizes, (*told, ins, outs), outs, wait_for, None, actual,
                    counts=(len(ins), len(outs)))
        return self.results(outs) if out is None else out


def _mode(x: Elements, axis: Optional[int], told: Optional[Segments]) -> Any:
    if told is not None:
        return told.key
    return "rows" if has_lines(first(x).shape, axis) else None


def key_of(key: Optional[str], key_dtype: Any, captured: Optional[Elements]) -> Any:
    """A key by expression, and what it captures, described; both or neither."""
    if (key is None) != (key_dtype is None):
        raise ValueError("key= and key_dtype= go together: an expression and its type")
    if key is None and captured is not None:
        raise ValueError("captured= is for key=, which is not given")
    return (None if key is None else (key, key_dtype)), (None if captured is None else describe_captured(captured))


@overload
def sort(x: Array, *, key: Optional[str] = ..., key_dtype: Any = ..., descending: bool = ..., total_order: bool = ...,
         axis: Optional[int] = ..., offsets: Optional[Array] = ..., lengths: Optional[Array] = ...,
         keys: Optional[Array] = ..., flags: Optional[Array] = ..., bits: Optional[Array] = ...,
         captured: Optional[Elements] = ..., source: str = ..., out: Optional[Array] = ...,
         actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Array: ...


@overload
def sort(x: Elements, *, key: Optional[str] = ..., key_dtype: Any = ..., descending: bool = ...,
         total_order: bool = ..., axis: Optional[int] = ..., offsets: Optional[Array] = ...,
         lengths: Optional[Array] = ..., keys: Optional[Array] = ..., flags: Optional[Array] = ...,
         bits: Optional[Array] = ..., captured: Optional[Elements] = ...,
         source: str = ..., out: Optional[Elements] = ..., actual: Optional[Array] = ...,
         queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Any: ...


def sort(x: Elements, *, key: Optional[str] = None, key_dtype: Any = None, descending: bool = False,
         total_order: bool = False, axis: Optional[int] = -1, offsets: Optional[Array] = None,
         lengths: Optional[Array] = None, keys: Optional[Array] = None, flags: Optional[Array] = None,
         bits: Optional[Array] = None, captured: Optional[Elements] = None, source: str = "",
         out: Optional[Elements] = None, actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
         wait_for: WaitFor = None) -> Any:
    """Sorted elements; equal keys stay in their order. Tuples are sorted by their first field, or by a key.

    key, key_dtype  an expression in a value `a`, and in captured arrays `c->name`; and its type, a scalar
    descending      the largest first. NaNs come last either way
    total_order     order floating-point keys by sign and bits instead
    axis            each line along this axis, as numpy.sort; None: all as one array
    offsets, …      segments, as in `scan`
    out             arrays for the results; may be x itself

    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))
    >>> payload = cla.to_device(queue, np.arange(5, dtype="f4"))
    >>> print(cf.sort(x), cf.sort((x, payload)).f1)
    [1 1 3 4 5] [1. 3. 0. 2. 4.]
    >>> print(cf.sort(x, key="abs(a - 4)", key_dtype="u4"))
    [4 3 5 1 1]
    >>> rows = cla.to_device(queue, np.arange(5, dtype="u4"))
    >>> print(cf.sort(rows, key="c->x[a]", key_dtype="i4", captured={"x": x}))
    [1 3 0 2 4]
    """
    queue = queue_of(x, queue)
    told = true_keys(given(offsets, lengths, keys, flags, bits), queue, wait_for)
    x = truths(x, queue, wait_for)
    described, mode = describe(x), _mode(x, axis, told)
    by, caught = key_of(key, key_dtype, captured)
    plan_key = (SortPlan, described, caught, key, key_dtype, descending, total_order, mode, source, actual is not None)

    def make(where):
        made = from_expressions(described, captured=caught, source=source, structs=True, key=by)
        kind, segment_dtype = mode if told else (mode, None)
        return SortPlan(where, made, descending=descending, total_order=total_order, segments=kind,
                        segment_dtype=segment_dtype, from_device=actual is not None)

    return kept(queue, plan_key, make)(x, out, axis=axis if mode == "rows" else None, segments=told and told.array,
                                       captured=captured, actual=actual, queue=queue, wait_for=wait_for)


def with_index(described: Any, dtype: np.dtype, rows: bool) -> Operator:
    """Elements beside their index, in the array or in their row."""
    index, captured = ("i % c->clf_size", ", const clf_captured *c") if rows else ("i", "")
    key = "x.key != 0" if described == np.bool_ else "x.key"  # a bfloat16 as it is, bit by bit
    return Operator({"key": described, "at": dtype}, input={"key": described}, map="cf_with_index",
                    captured={"unused_": described} if rows else None,
                    source=f"clf_value cf_with_index(clf_input x, ulong i{captured}) "
                           f"{{ clf_value r = {{{key}, {index}}}; return r; }}\n")


def argsort(x: Array, *, descending: bool = False, total_order: bool = False, axis: Optional[int] = -1,
            dtype: Any = np.uint32, out: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
            wait_for: WaitFor = None) -> Array:
    """Indices that would sort an array, as numpy.argsort(kind="stable"); of lines along an axis
    indices within each.

    >>> print(cf.argsort(cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))))
    [1 3 0 2 4]
    """
    require_array(x, "x")
    queue = queue_of(x, queue)
    x = truths(x, queue, wait_for)
    mode = _mode(x, axis, None)
    dtype = places_type(dtype, lines_of(x.shape, axis).size if mode else x.size)
    key = (SortPlan, "argsort", x.dtype, dtype, descending, total_order, mode)

    def make(where):
        return SortPlan(where, with_index(x.dtype, dtype, mode == "rows"), descending=descending,
                        total_order=total_order, segments=mode)

    shape = x.shape if mode == "rows" else (x.size,)
    where_to = out if out is not None else new(x, queue, shape, dtype)
    kept(queue, key, make)(x, (new(x, queue, shape, x.dtype), where_to), axis=axis if mode == "rows" else None,
                           captured=(x,) if mode == "rows" else None, queue=queue, wait_for=wait_for)
    return where_to


@overload
def merge_sort(x: Array, less: Optional[str] = ..., *, captured: Optional[Elements] = ..., source: str = ...,
               out: Optional[Array] = ..., actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
               wait_for: WaitFor = ...) -> Array: ...


@overload
def merge_sort(x: Elements, less: Optional[str] = ..., *, captured: Optional[Elements] = ..., source: str = ...,
               out: Optional[Elements] = ..., actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
               wait_for: WaitFor = ...) -> Any: ...


def merge_sort(x: Elements, less: Optional[str] = None, *, captured: Optional[Elements] = None, source: str = "",
               out: Optional[Elements] = None, actual: Optional[Array] = None,
               queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
    """A stable sort by comparison: `less` is an expression in `a` and `b` that says that a comes before b, and in
    captured arrays `c->name`. For orders that no key says; where one does, `sort` is faster. Without `less` it is the
    order of `sort`: tuples by their first field, NaNs last, and complex numbers, which are no keys, as in numpy.sort.
    Arrays of more dimensions are taken as one.

    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5, 9], "i4"))
    >>> print(cf.merge_sort(x, "a % 3 != b % 3 ? a % 3 < b % 3 : a < b"))
    [3 9 1 1 4 5]
    >>> rows = cla.to_device(queue, np.arange(6, dtype="u4"))
    >>> print(cf.merge_sort(rows, "c->x[a] < c->x[b]", captured={"x": x}))
    [1 3 0 2 4 5]
    """
    queue = queue_of(x, queue)
    x = truths(x, queue, wait_for)
    described, caught, from_device = request(x, captured, None, actual)
    key = (SortPlan, "less", described, caught, less, source, from_device)

    def make(where):
        made = from_expressions(described, captured=caught, source=source, structs=True, less=less or rising(described))
        return SortPlan(where, made, comparison=True, from_device=from_device)

    return kept(queue, key, make)(x, out, captured=captured, actual=actual, queue=queue, wait_for=wait_for)


class IsSortedPlan(OperatorPlan):
    """A compiled test whether elements are in the order of the operator's `less`.

    >>> rising = cf.Operator("i4", less="below", source="bool below(clf_value a, clf_value b) { return a.v < b.v; }")
    >>> plan = cf.IsSortedPlan(queue, rising)
    >>> print(plan(cla.to_device(queue, np.array([1, 3, 4, 1, 5], "i4"))))
    3
    """

    def __init__(self, where: Where, operator: Operator, *, from_device: bool = False, variant: Optional[str] = None,
                 parameters: Optional[str] = None) -> None:
        super().__init__(where, "clf_is_sorted_plan", operator, FROM_DEVICE * from_device, variant, parameters)

    def __call__(self, x: Elements, *, captured: Optional[Elements] = None, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Array:
        """How many elements from the first on are sorted: an array without dimensions."""
        queue, like = queue_of(x, queue), self.like(x)
        ins = self.inputs(x, like.size, captured)
        count = new_count(queue, like)
        enqueue(lib.clf_is_sorted, self._handle, queue, (like.size,), (ins, (count,)), (count,), wait_for, None,
                actual_array(actual), counts=(len(ins), 0))
        return count


def is_sorted(x: Elements, less: Optional[str] = None, *, captured: Optional[Elements] = None, source: str = "",
              queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> bool:
    """Are the elements in the order of `less`, as in `merge_sort`, or without it in that of `sort`: tuples by their first
    field, NaNs last? Arrays of more dimensions are taken as flat. This reads the answer, so it waits; `IsSortedPlan` does not.

    >>> cf.is_sorted(cla.to_device(queue, np.array([1, 1, 3, 4], "i4")))
    True
    """
    queue = queue_of(x, queue)
    described, caught, _ = request(x, captured, None, None)

    def make(where):
        return IsSortedPlan(where, from_expressions(described, captured=caught, source=source, structs=True,
                                                    less=rising(described) if less is None else less))

    plan = kept(queue, (IsSortedPlan, described, caught, less, source), make)
    return int(plan(x, captured=captured, queue=queue, wait_for=wait_for).get(queue)) == first(x).size
