# SPDX-License-Identifier: MIT
"""Filters, first elements of runs, partitions and splits: which elements stay, and in which part."""
from typing import Any, Literal, Optional, Tuple, overload

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import FROM_DEVICE, IN_PLACE, lib
from .arrays import Elements, describe, describe_captured, first, joined, listed, queue_of, shares, whole
from .by_key import equality
from .calls import WaitFor, enqueue
from .counts import cut_all, new_count
from .dtypes import FieldsLike, Scalar, fields_of
from .expressions import Expression, converted, from_expressions, has_booleans, required
from .operators import Operator
from .plans import OperatorPlan, Where, actual_array, kept


class SelectPlan(OperatorPlan):
    """A compiled filter ("filter"), first elements of runs ("unique"), partition into two outputs ("partition"), three
    ("partition3"), or split into `parts` ("split"), by an operator that has a predicate, `same` or `part`.

    >>> positive = cf.Operator("i4", predicate="positive",
    ...                        source="bool positive(clf_input x, ulong i) { return x.v > 0; }")
    >>> plan = cf.SelectPlan(queue, "filter", positive)
    >>> print(plan(cla.to_device(queue, np.array([3, -1, 4, -1, 5], "i4"))))
    [3 4 5]
    """

    def __init__(self, where: Where, what: str, operator: Operator, *, parts: int = 2, in_place: bool = False,
                 from_device: bool = False, variant: Optional[str] = None, parameters: Optional[str] = None) -> None:
        outputs = {"filter": 1, "unique": 1, "partition": 2, "partition3": 3, "split": 1}
        if what not in outputs:
            raise ValueError(f"this is one of {', '.join(outputs)}, not {what!r}")
        name = "clf_" + what.rstrip("3")
        flags = (FROM_DEVICE if from_device else 0) | (IN_PLACE if in_place else 0)
        super().__init__(where, name + "_plan", operator, flags, variant, parameters,
                         (min(whole(parts, "parts"), 2**32 - 1),) if what == "split" else ())
        self._function = getattr(lib, name)
        self.what, self.outputs_count = what, outputs[what]
        self.counts = parts if what == "split" else outputs[what]

    def __call__(self, x: Elements, out: Optional[Any] = None, *, room: Optional[int] = None,
                 captured: Optional[Elements] = None, actual: Optional[Array] = None, n: Optional[int] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None, cut: bool = True) -> Any:
        """Enqueues it. `out` are arrays of `room` elements, for partitions such for each part. See `filter` for cut."""
        like = self.like_if_any(x)
        if queue is None:
            queue = queue_of(like, None)
        size = like.size if like is not None else whole(n or 0, "n")
        room = size if room is None or self.what == "split" else min(whole(room, "room"), size)
        ins = self.inputs(x, size, captured)
        side = self._out
        if out is None:
            sets = [self.outputs(None, like, queue, (room,)) for _ in range(self.outputs_count)]
        else:
            sets = [listed(one, side, room, "out") for one in ((out,) if self.outputs_count == 1 else out)]
        outs = sum(sets, ())
        count = new_count(queue, like, self.counts if self.what == "split" or self.counts > 1 else 0)
        sizes = (size,) if self.what == "split" else (size, room)
        enqueue(self._function, self._handle, queue, sizes, (ins, outs, (count,)), outs + (count,), wait_for, None,
                actual_array(actual), counts=(len(ins), len(outs)))
        results = tuple(joined(one, side) for one in sets)
        if cut and self.what != "split":
            results = cut_all(results, count, queue)
            return results if self.outputs_count > 1 else results[0]
        return (results if self.outputs_count > 1 else results[0]), count


def _selected(what: str, x: Elements, name: str, expression: str, options: dict, *, map: Optional[Expression] = None,
              dtype: Optional[FieldsLike] = None, captured: Optional[Elements] = None, source: str = "", parts: int = 2,
              in_place: bool = False) -> Any:
    queue = options["queue"] = queue_of(x, options.get("queue"))
    described = describe(x)
    caught = None if captured is None else describe_captured(captured)
    from_device = options.get("actual") is not None
    required(name, expression)
    key = (SelectPlan, what, described, name, expression, map, dtype, caught, source, parts, in_place, from_device)

    def make(where):
        value = None if map is None else dtype if dtype is not None else described
        function = map
        if map is None and has_booleans(fields_of(described)):
            value, function = described, converted(described)
        made = from_expressions(described, value, captured=caught, source=source, structs=True, map=function,
                                **{name: expression})
        return SelectPlan(where, what, made, parts=parts, in_place=in_place, from_device=from_device)

    return kept(queue, key, make)(x, captured=captured, **options)


@overload
def filter(x: Array, predicate: Any, *, map: Optional[Expression] = ..., dtype: Optional[Scalar] = ...,
           captured: Optional[Elements] = ..., source: str = ..., room: Optional[int] = ..., out: Optional[Array] = ...,
           actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
           cut: Literal[True] = ...) -> Array: ...


@overload
def filter(x: Array, predicate: Any, *, map: Optional[Expression] = ..., dtype: Optional[Scalar] = ...,
           captured: Optional[Elements] = ..., source: str = ..., room: Optional[int] = ..., out: Optional[Array] = ...,
           actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
           cut: Literal[False]) -> Tuple[Array, Array]: ...


@overload
def filter(x: Elements, predicate: Any, *, map: Optional[Expression] = ..., dtype: Optional[FieldsLike] = ...,
           captured: Optional[Elements] = ..., source: str = ..., room: Optional[int] = ..., out: Optional[Any] = ...,
           actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
           cut: bool = ...) -> Any: ...


def filter(x: Elements, predicate: Any, *, map: Optional[Expression] = None, dtype: Optional[FieldsLike] = None,
           captured: Optional[Elements] = None, source: str = "", room: Optional[int] = None, out: Optional[Any] = None,
           actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None,
           cut: bool = True) -> Any:
    """The elements that are kept, in their order.

    predicate  an expression in an element `x`, its index `i`, and captured arrays `c->name`; or an array of a byte
               (or boolean) per element
    map, dtype make something else of what is kept: map="i", dtype="u4" are the indices
    room       of more results only the first `room` are written
    out        arrays of so many elements
    cut        the device alone knows how many are kept. True reads the number, which waits, and returns so many
               elements; False returns (results with room for all, count), and a later call can take the count from
               the device (actual=count)

    >>> x = cla.to_device(queue, np.array([3, -1, 4, -1, 5], "i4"))
    >>> chosen = cla.to_device(queue, np.array([True, True, False, False, True]))
    >>> print(cf.filter(x, "x > 0"), cf.filter(x, chosen), cf.filter(x, "x > 0", map="i", dtype="u4"))
    [3 4 5] [ 3 -1  5] [0 2 4]
    >>> kept, count = cf.filter(x, "x > 0", cut=False)
    >>> print(cf.reduce(kept, actual=count), count)
    12 3
    """
    options = dict(room=room, out=out, actual=actual, queue=queue, wait_for=wait_for, cut=cut)
    in_place = out is not None and shares(x, out)
    if isinstance(predicate, Array):
        if captured is not None or source:
            raise ValueError("a predicate that is an array has no captured arrays and no source")
        size = first(x).size
        if predicate.dtype.itemsize != 1 or predicate.size != size:
            raise ValueError(f"a predicate of {predicate.size} {predicate.dtype} for {size} elements: "
                             "a byte each is wanted")
        return _selected("filter", x, "predicate", "c->flags_[i] != 0", options, map=map, dtype=dtype,
                         captured={"flags_": predicate.view(np.uint8)}, in_place=in_place)
    return _selected("filter", x, "predicate", predicate, options, map=map, dtype=dtype, captured=captured,
                     source=source, in_place=in_place)


@overload
def unique(x: Array, same: str = ..., *, map: Optional[Expression] = ..., dtype: Optional[Scalar] = ...,
           captured: Optional[Elements] = ..., source: str = ..., room: Optional[int] = ...,
           out: Optional[Array] = ..., actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
           wait_for: WaitFor = ..., cut: Literal[True] = ...) -> Array: ...


@overload
def unique(x: Array, same: str = ..., *, map: Optional[Expression] = ..., dtype: Optional[Scalar] = ...,
           captured: Optional[Elements] = ..., source: str = ..., room: Optional[int] = ...,
           out: Optional[Array] = ..., actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
           wait_for: WaitFor = ...,
           cut: Literal[False]) -> Tuple[Array, Array]: ...


@overload
def unique(x: Elements, same: str = ..., *, map: Optional[Expression] = ..., dtype: Optional[FieldsLike] = ...,
           captured: Optional[Elements] = ..., source: str = ..., room: Optional[int] = ...,
           out: Optional[Any] = ..., actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
           wait_for: WaitFor = ..., cut: bool = ...) -> Any: ...


def unique(x: Elements, same: str = "a == b", *, map: Optional[Expression] = None, dtype: Optional[FieldsLike] = None,
           captured: Optional[Elements] = None, source: str = "", room: Optional[int] = None,
           out: Optional[Any] = None, actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
           wait_for: WaitFor = None, cut: bool = True) -> Any:
    """The first element of each run of neighbours that are the same: of sorted elements all distinct ones. `same` is an
    expression in an element `a`, the one behind it, `b`, and captured arrays `c->name`. NaNs are equal to nothing, so
    each is a run of its own; same="a == b || (a != a && b != b)" makes one of them, as numpy.unique does. Options are
    those of `filter`.

    >>> x = cla.to_device(queue, np.array([3, 3, 4, 3, 3, 3], "i4"))
    >>> print(cf.unique(x), cf.unique(x, map="i", dtype="u4"))
    [3 4 3] [0 2 3]
    """
    options = dict(room=room, out=out, actual=actual, queue=queue, wait_for=wait_for, cut=cut)
    same = equality(same, x.dtype) if isinstance(x, Array) else same
    return _selected("unique", x, "same", same, options, map=map, dtype=dtype, captured=captured, source=source,
                     in_place=out is not None and shares(x, out))


@overload
def partition(x: Array, predicate: str, *, captured: Optional[Elements] = ..., source: str = ...,
              room: Optional[int] = ..., out: Optional[Any] = ..., actual: Optional[Array] = ...,
              queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
              cut: Literal[True] = ...) -> Tuple[Array, Array]: ...


@overload
def partition(x: Elements, predicate: str, *, captured: Optional[Elements] = ..., source: str = ...,
              room: Optional[int] = ..., out: Optional[Any] = ..., actual: Optional[Array] = ...,
              queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ..., cut: bool = ...) -> Any: ...


def partition(x: Elements, predicate: str, *, captured: Optional[Elements] = None, source: str = "",
              room: Optional[int] = None, out: Optional[Any] = None, actual: Optional[Array] = None,
              queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None, cut: bool = True) -> Any:
    """(elements for which the predicate is true, the others), each in their order. Without `cut` ((…), counts).

    >>> few, many = cf.partition(cla.to_device(queue, np.arange(6, dtype="i4")), "x < 2")
    >>> print(few, many)
    [0 1] [2 3 4 5]
    """
    options = dict(room=room, out=out, actual=actual, queue=queue, wait_for=wait_for, cut=cut)
    return _selected("partition", x, "predicate", predicate, options, captured=captured, source=source)


@overload
def split(x: Array, part: str, parts: int, *, captured: Optional[Elements] = ..., source: str = ...,
          out: Optional[Any] = ..., actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
          wait_for: WaitFor = ...) -> Tuple[Array, Array]: ...


@overload
def split(x: Elements, part: str, parts: int, *, captured: Optional[Elements] = ..., source: str = ...,
          out: Optional[Any] = ..., actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
          wait_for: WaitFor = ...) -> Any: ...


def split(x: Elements, part: str, parts: int, *, captured: Optional[Elements] = None, source: str = "",
          out: Optional[Any] = None, actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
          wait_for: WaitFor = None) -> Any:
    """(elements of part 0, then those of part 1, …, each in their order, and how many each part has). `part` is an
    expression; what is not below `parts`, which is at most 256, goes to the last.

    >>> parted, counts = cf.split(cla.to_device(queue, np.arange(6, dtype="i4")), "x % 3", 3)
    >>> print(parted, counts)
    [0 3 1 4 2 5] [2 2 2]
    """
    options = dict(out=out, actual=actual, queue=queue, wait_for=wait_for)
    return _selected("split", x, "part", part, options, captured=captured, source=source, parts=whole(parts, "parts"))
