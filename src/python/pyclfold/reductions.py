# SPDX-License-Identifier: MIT
"""Reductions: totals, of one array, of rows, of segments."""
from typing import Any, Literal, Optional, overload

import pyopencl as cl
from pyopencl.array import Array

from ._library import FROM_DEVICE, REPEATABLE, lib
from .arrays import Elements, first, queue_of
from .axes import enqueue_along
from .booleans import true_keys, truths
from .calls import WaitFor, enqueue
from .counts import cut_to, new_count
from .dtypes import FieldsLike, Scalar
from .expressions import Expression, Op, operator
from .operators import Operator
from .plans import Wanted, Where, actual_array, is_on_device, kept, request
from .segmented import SegmentedPlan
from .segments import given
from .shapes import lines_of, with_extent
from .totals import asked


class ReducePlan(SegmentedPlan):
    """A compiled reduction.

    where, operator, segment_dtype, from_device, repeatable, variant, parameters, wanted    as in `ScanPlan`, but
                repeatable reductions read once
    segments    None: one array, or the lines along an axis, as each call says. "offsets", "lengths", "keys", "flags" or
                "bits": segments that such an array tells

    >>> plan = cf.ReducePlan(queue, cf.operator("max", "i4"))
    >>> x = cla.to_device(queue, np.array([[3, 1, 4], [1, 5, 9]], "i4"))
    >>> print(plan(x), plan(x, axis=-1))
    9 [4 9]
    """

    def __init__(self, where: Where, operator: Operator, *, segments: Optional[str] = None, segment_dtype: Any = None,
                 from_device: bool = False, repeatable: bool = False, variant: Optional[str] = None,
                 parameters: Optional[str] = None, wanted: Wanted = None) -> None:
        if segments == "rows":
            raise ValueError("reductions of rows are of the plan for one array: call it with axis=-1")
        names = {None: "clf_reduce", "segments": "clf_irregular_reduce"}
        flags = FROM_DEVICE * from_device | REPEATABLE * repeatable
        super().__init__(where, names, operator, flags, segments, segment_dtype, variant, parameters, wanted)

    def __call__(self, x: Elements, out: Optional[Elements] = None, *, axis: Optional[int] = None,
                 segments: Optional[Array] = None, captured: Optional[Elements] = None, initial: Any = None,
                 actual: Optional[Array] = None, n: Optional[int] = None, queue: Optional[cl.CommandQueue] = None,
                 wait_for: WaitFor = None, cut: bool = True) -> Any:
        """Enqueues it, and returns the results: arrays without dimensions, or those of lines or segments."""
        like, queue, size, _, sizes, told, _ = self.extent(x, n, queue, segments)
        ins = self.inputs(x, size, captured)
        start = None if initial is None else self.initial(initial)
        actual = actual_array(actual)
        extra = self.operator.extra
        extras = () if extra is None else self.outputs(None, like, queue, (size,), extra)
        count = None
        if told:
            outs = self.outputs(out, like, queue, sizes[1:])
            count = new_count(queue, like) if self.segments in ("flags", "bits", "keys") else None
            counted = None if count is None else (count,)
            places = self.places(outs + extras)
            enqueue(self._function, self._handle, queue, sizes, (*told, ins, places, counted),
                    outs + extras + (counted or ()), wait_for, start, actual, counts=(len(ins), len(places)))
        elif axis is None:
            outs = self.outputs(out, like, queue, ())
            places = self.places(outs + extras)
            enqueue(self._function, self._handle, queue, sizes, (ins, places), outs + extras, wait_for, start, actual,
                    counts=(len(ins), len(places)))
        else:
            shape = like.shape if like is not None else first(x).shape
            lines = lines_of(shape, axis)
            outs = self.outputs(out, like, queue, with_extent(shape, axis))
            enqueue_along(lines, self, lib.clf_segmented_reduce, queue, lines.sizes, ins, outs + extras, wait_for,
                          start, actual, keep=actual is not None)
        result = self.results(outs) if out is None else out
        if count is not None:
            result = cut_to(result, count, queue) if cut else (result, count)
        return result if extra is None else (result, self.results(extras, extra))


@overload
def reduce(x: Array, op: Op = ..., *, neutral: Optional[Expression] = ..., axis: Optional[int] = ...,
           offsets: Optional[Array] = ..., lengths: Optional[Array] = ..., keys: Optional[Array] = ...,
           flags: Optional[Array] = ..., bits: Optional[Array] = ..., map: Optional[Expression] = ...,
           dtype: Optional[Scalar] = ..., captured: Optional[Elements] = ..., source: str = ...,
           commutative: bool = ..., wanted: None = ..., initial: Any = ..., actual: Optional[Array] = ...,
           out: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
           cut: Literal[True] = ...) -> Array: ...


@overload
def reduce(x: Elements, op: Any = ..., *, neutral: Optional[Expression] = ..., axis: Optional[int] = ...,
           offsets: Optional[Array] = ..., lengths: Optional[Array] = ..., keys: Optional[Array] = ...,
           flags: Optional[Array] = ..., bits: Optional[Array] = ..., map: Optional[Expression] = ...,
           dtype: Optional[FieldsLike] = ..., captured: Optional[Elements] = ..., source: str = ...,
           commutative: bool = ..., wanted: Wanted = ..., initial: Any = ..., actual: Optional[Array] = ...,
           out: Optional[Elements] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
           cut: bool = ...) -> Any: ...


def reduce(x: Elements, op: Any = "sum", *, neutral: Optional[Expression] = None, axis: Optional[int] = None,
           offsets: Optional[Array] = None, lengths: Optional[Array] = None, keys: Optional[Array] = None,
           flags: Optional[Array] = None, bits: Optional[Array] = None, map: Optional[Expression] = None,
           dtype: Optional[FieldsLike] = None, captured: Optional[Elements] = None, source: str = "",
           commutative: bool = False, wanted: Wanted = None, initial: Any = None, actual: Optional[Array] = None,
           out: Optional[Elements] = None, queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None,
           cut: bool = True) -> Any:
    """The total under any associative operator: an array without dimensions; with axis= one number for each line along
    it, and of segments one for each. Nobody waits; ``.get()`` of the result does. Types and options are those of
    `scan` (sums of booleans and of 8 and 16 bits are of 64 bits, those of 32 bits wrap around), and

    cut     where keys, flags or bits tell the segments, the device alone knows how many there are: True reads that
            number, which waits, and returns so many results; False returns (results with room for all, count)

    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5, 9], "i4"))
    >>> print(cf.reduce(x), cf.reduce(x, "max"), cf.reduce(x, dtype="i8", map="x * x"))
    23 9 133
    >>> print(cf.reduce(x.reshape(2, 3), axis=-1), cf.reduce(x.reshape(2, 3), axis=0))
    [ 8 15] [ 4  6 13]
    >>> print(cf.reduce(x, keys=cla.to_device(queue, np.array([7, 7, 7, 8, 8, 7], "i4"))))
    [8 6 9]
    >>> print(cf.reduce(x, offsets=cla.to_device(queue, np.array([0, 2, 2, 6], "u4"))))
    [ 4  0 19]
    >>> print(cf.reduce(x > 3), cf.reduce(x.astype("u1"), "product"), cf.reduce(x.astype("u1"), dtype="u1"))
    3 540 23
    >>> dot = cf.reduce((x, x), map="x.f0 * x.f1", dtype="i4")
    >>> int(dot.get())
    133
    """
    if queue is None:
        queue = queue_of(x, None)
    told = true_keys(given(offsets, lengths, keys, flags, bits, axis), queue, wait_for)
    if is_on_device(initial):
        initial = truths(initial, queue, wait_for)
    described, caught, from_device = request(x, captured, initial, actual)
    dtype = asked(op, described, dtype, out)
    mode = None if told is None else told.key
    key = (ReducePlan, described, op, neutral, mode, from_device, map, dtype, caught, source, commutative, wanted)

    def make(where):
        made = operator(op, described, neutral=neutral, map=map, dtype=dtype, captured=caught, source=source,
                        commutative=commutative, structs=True)
        kind, segment_dtype = mode or (None, None)
        return ReducePlan(where, made, segments=kind, segment_dtype=segment_dtype, from_device=from_device,
                          wanted=wanted)

    return kept(queue, key, make)(x, out, axis=axis, segments=told and told.array, captured=captured, initial=initial,
                                  actual=actual, queue=queue, wait_for=wait_for, cut=cut)
