# SPDX-License-Identifier: MIT
"""Scans: running totals, of one array, of rows, of segments."""
from typing import Any, Optional, overload

import pyopencl as cl
from pyopencl.array import Array

from ._library import EXCLUSIVE, FROM_DEVICE, REPEATABLE, REVERSE, lib
from .arrays import Elements, first, listed, queue_of
from .axes import enqueue_along
from .booleans import true_keys, truths
from .calls import WaitFor, enqueue
from .dtypes import FieldsLike, Scalar
from .expressions import Expression, Op, operator
from .operators import Operator
from .plans import Wanted, Where, actual_array, is_on_device, kept, request
from .segmented import SegmentedPlan
from .segments import given
from .shapes import has_lines
from .totals import asked


class ScanPlan(SegmentedPlan):
    """A compiled scan.

    where      a queue, or a `Context`
    operator   an `Operator`; `operator` makes one
    exclusive  out[i] excludes element i
    reverse    from the right: out[i] combines elements i to n - 1
    segments   None: one array. "rows": every row of the last axis by itself, or the lines along the `axis` of a call.
               "offsets", "lengths", "keys", "flags" or "bits": segments that such an array of `segment_dtype` tells
    from_device         calls may have `actual`, or an initial value that lies on the device
    repeatable          results of floats repeat bitwise, at the price of a second reading
    variant, parameters as clf_plan_options has them
    wanted     None: all results of the operator. Or the name or number of one, or some in a list: calls write and return
               no others, and have `out` for these

    >>> plan = cf.ScanPlan(queue, cf.operator("sum", "i4"))
    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))
    >>> print(plan(x), plan(x, out=x))
    [ 3  4  8  9 14] [ 3  4  8  9 14]
    """

    def __init__(self, where: Where, operator: Operator, *, exclusive: bool = False, reverse: bool = False,
                 segments: Optional[str] = None, segment_dtype: Any = None, from_device: bool = False, repeatable: bool = False,
                 variant: Optional[str] = None, parameters: Optional[str] = None, wanted: Wanted = None) -> None:
        flags = EXCLUSIVE * exclusive | REVERSE * reverse | FROM_DEVICE * from_device | REPEATABLE * repeatable
        names = {None: "clf_scan", "rows": "clf_segmented_scan", "segments": "clf_irregular_scan"}
        super().__init__(where, names, operator, flags, segments, segment_dtype, variant, parameters, wanted)

    def __call__(self, x: Elements, out: Optional[Elements] = None, *, axis: Optional[int] = None,
                 segments: Optional[Array] = None, captured: Optional[Elements] = None, initial: Any = None,
                 actual: Optional[Array] = None, n: Optional[int] = None, queue: Optional[cl.CommandQueue] = None,
                 wait_for: WaitFor = None) -> Any:
        """Enqueues it, and returns the results. `segments` is the array that tells them; `n` the number of elements of
        an operator whose input has no fields."""
        like, queue, size, shape, sizes, told, lines = self.extent(x, n, queue, segments, axis)
        ins = self.inputs(x, size, captured)
        outs = self.outputs(out, like, queue, shape)
        side = self.operator.extra
        extras = () if side is None else self.outputs(None, like, queue, shape, side)
        start, actual = None if initial is None else self.initial(initial), actual_array(actual)
        if lines is not None:
            enqueue_along(lines, self, self._function, queue, sizes, ins, outs + extras, wait_for, start, actual,
                          keep=actual is not None)
        else:
            places = self.places(outs + extras)
            enqueue(self._function, self._handle, queue, sizes, (*told, ins, places), outs + extras, wait_for, start,
                    actual, counts=(len(ins), len(places)))
        result = self.results(outs) if out is None else out
        return result if side is None else (result, self.results(extras, side))

    def placed(self, x: Elements, out: Elements, *, count: Optional[Array] = None, segments: Optional[Array] = None,
               captured: Optional[Elements] = None, initial: Any = None, actual: Optional[Array] = None,
               n: Optional[int] = None, queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
        """Enqueues a scan whose operator has `place`, and returns `out`. Results go where it says; those beyond `out`
        are dropped. `count` is None, or a uint64 that gets how many have a place. Rows are those of the last axis;
        `segments` is the array that tells segments of any lengths.

        >>> odd = cf.Operator({"kept": "u4"}, input={"x": "i4"}, map="one", combine="clf_sum", finish="own", place="to",
        ...     result={"x": "i4"}, source="clf_value one(clf_input in, ulong i) { return (clf_value){in.x & 1}; }"
        ...     "clf_result own(clf_value a, clf_value b, clf_input in, ulong i) { return (clf_result){in.x}; }"
        ...     "ulong to(clf_value a, clf_value b, clf_input in, ulong i) { return in.x & 1 ? b.kept : CLF_NOWHERE; }")
        >>> x, out = cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4")), cla.zeros(queue, 6, "i4")
        >>> print(cf.ScanPlan(queue, odd).placed(x, out))
        [3 1 1 5 0 0]
        """
        functions = {None: lib.clf_scan_placed, "rows": lib.clf_segmented_scan_placed}
        function = functions.get(self.segments, lib.clf_irregular_scan_placed)
        _, queue, size, _, sizes, told, _ = self.extent(x, n, queue, segments)
        ins = self.inputs(x, size, captured)
        room = first(out).size
        outs = listed(out, self._out, room, "out")
        counted = () if count is None else (actual_array(count),)
        start, actual = None if initial is None else self.initial(initial), actual_array(actual)
        places = self.places(outs)
        enqueue(function, self._handle, queue, (*sizes, room), (*told, ins, places, counted or None), outs + counted,
                wait_for, start, actual, counts=(len(ins), len(places)))
        return out


@overload
def scan(x: Array, op: Op = ..., *, neutral: Optional[Expression] = ..., exclusive: bool = ...,
         reverse: bool = ..., axis: Optional[int] = ..., offsets: Optional[Array] = ..., lengths: Optional[Array] = ...,
         keys: Optional[Array] = ..., flags: Optional[Array] = ..., bits: Optional[Array] = ...,
         map: Optional[Expression] = ..., dtype: Optional[Scalar] = ..., captured: Optional[Elements] = ...,
         source: str = ..., commutative: bool = ..., wanted: None = ..., initial: Any = ...,
         actual: Optional[Array] = ..., out: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Array: ...


@overload
def scan(x: Elements, op: Any = ..., *, neutral: Optional[Expression] = ..., exclusive: bool = ...,
         reverse: bool = ..., axis: Optional[int] = ..., offsets: Optional[Array] = ..., lengths: Optional[Array] = ...,
         keys: Optional[Array] = ..., flags: Optional[Array] = ..., bits: Optional[Array] = ...,
         map: Optional[Expression] = ..., dtype: Optional[FieldsLike] = ..., captured: Optional[Elements] = ...,
         source: str = ..., commutative: bool = ..., wanted: Wanted = ..., initial: Any = ...,
         actual: Optional[Array] = ..., out: Optional[Elements] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Any: ...


def scan(x: Elements, op: Any = "sum", *, neutral: Optional[Expression] = None, exclusive: bool = False,
         reverse: bool = False, axis: Optional[int] = None, offsets: Optional[Array] = None, lengths: Optional[Array] = None,
         keys: Optional[Array] = None, flags: Optional[Array] = None, bits: Optional[Array] = None,
         map: Optional[Expression] = None, dtype: Optional[FieldsLike] = None, captured: Optional[Elements] = None,
         source: str = "", commutative: bool = False, wanted: Wanted = None, initial: Any = None,
         actual: Optional[Array] = None, out: Optional[Elements] = None, queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
    """Running totals under any associative operator: out[i] combines elements 0 to i, or with `exclusive` those before.

    Sums and products of booleans and of integers of 8 and 16 bits are int64 or uint64, as in numpy.cumsum, unless
    `dtype` or `out` is of another type. All other results keep the type of the elements: sums of 32 bits, which NumPy
    widens, too, wrap around (dtype="i8" widens them). Running totals of floats that are not negative may fall by a
    rounding error from one to the next: who searches them makes them rise by a scan with "max".

    x          an array; or of tuples an array per field, as a tuple (fields f0, f1, …) or by names; or one of structs
    op, neutral, map, dtype, source, commutative        see `operator`
    reverse    from the right: out[i] combines elements i to n - 1, in this order; of each line or segment by itself
    axis       None: all elements as one array, as in numpy.cumsum. Else each line along this axis by itself. Along
               another axis than the last arrays are transposed, before and after, and the index `i` of a map counts
               elements of the transposed array
    offsets    count + 1 ascending numbers, from 0 to the number of elements: segment k is offsets[k]:offsets[k + 1].
               What others give is unspecified. Or
    lengths    the length of each segment; or
    keys       equal neighbours are a segment; or
    flags      bytes (or booleans), not 0 where a segment begins; or
    bits       the same as bits of uint32
    captured   arrays that the map may read anywhere, by names
    wanted     the name or number of a result, or several in a list: no others are written or returned. None: all are
    initial    what stands left of everything (of each row or segment): a number, a tuple for fields, or arrays of one
               element each
    actual     a uint64 on the device: how many elements there really are. Of the others no results are written
    out        arrays for the results, of any shapes with so many elements; may be x itself
    queue      instead of that of x
    wait_for   events to wait for, besides those that the arrays wait for

    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5, 9], "i4"))
    >>> print(cf.scan(x), cf.scan(x, "max"), cf.scan(x, exclusive=True, initial=100))
    [ 3  4  8  9 14 23] [3 3 4 4 5 9] [100 103 104 108 109 114]
    >>> print(cf.scan(x.reshape(2, 3), axis=-1), cf.scan(x.reshape(2, 3), axis=0))
    [[ 3  4  8]
     [ 1  6 15]] [[ 3  1  4]
     [ 4  6 13]]
    >>> print(cf.scan(x, offsets=cla.to_device(queue, np.array([0, 2, 6], "u4"))))
    [ 3  4  4  5 10 19]
    >>> print(cf.scan(x, "a * 2 + b", neutral=0)[:2])     # not associative: nonsense from some length on
    [3 7]
    """
    if queue is None:
        queue = queue_of(x, None)
    told = true_keys(given(offsets, lengths, keys, flags, bits, axis), queue, wait_for)
    if is_on_device(initial):
        initial = truths(initial, queue, wait_for)
    described, caught, from_device = request(x, captured, initial, actual)
    dtype = asked(op, described, dtype, out)
    mode = None if told is None else told.key
    if axis is not None:
        mode = "rows" if has_lines(first(x).shape, axis) else None
    key = (ScanPlan, described, op, neutral, exclusive, reverse, mode, from_device, map, dtype, caught, source, commutative,
           wanted)

    def make(where):
        made = operator(op, described, neutral=neutral, map=map, dtype=dtype, captured=caught, source=source,
                        commutative=commutative, structs=True)
        kind, segment_dtype = mode if told else (mode, None)
        return ScanPlan(where, made, exclusive=exclusive, reverse=reverse, segments=kind, segment_dtype=segment_dtype,
                        from_device=from_device, wanted=wanted)

    return kept(queue, key, make)(x, out, axis=axis, segments=told and told.array, captured=captured,
                                  initial=initial, actual=actual, queue=queue, wait_for=wait_for)


@overload
def inclusive_scan(x: Array, op: Op = ..., **options: Any) -> Array: ...


@overload
def inclusive_scan(x: Elements, op: Any = ..., **options: Any) -> Any: ...


def inclusive_scan(x: Elements, op: Any = "sum", **options: Any) -> Any:
    """`scan`, by its full name.

    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5, 9], "i4"))
    >>> print(cf.inclusive_scan(x, op="a+b", neutral="0"))
    [ 3  4  8  9 14 23]
    """
    return scan(x, op, exclusive=False, **options)


@overload
def exclusive_scan(x: Array, op: Op = ..., **options: Any) -> Array: ...


@overload
def exclusive_scan(x: Elements, op: Any = ..., **options: Any) -> Any: ...


def exclusive_scan(x: Elements, op: Any = "sum", **options: Any) -> Any:
    """`scan` that excludes element i from out[i]: the first result is the initial value, or neutral.

    >>> print(cf.exclusive_scan(cla.to_device(queue, np.array([3, 1, 4, 1, 5, 9], "i4"))))
    [ 0  3  4  8  9 14]
    """
    return scan(x, op, exclusive=True, **options)
