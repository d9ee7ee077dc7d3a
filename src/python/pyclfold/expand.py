# SPDX-License-Identifier: MIT
"""Counts or offsets to elements: repeat."""
import ctypes
from typing import Any, Literal, Optional, Tuple, Union, overload

import numpy as np
import pyopencl as cl
from pyopencl import cltypes
from pyopencl.array import Array

from ._library import FROM_DEVICE, lib
from .arrays import Described, Elements, check, describe, first, like_of, listed, new, queue_of, require_array, whole
from .calls import WaitFor, enqueue
from .counts import cut_to, new_count
from .dtypes import element_dtype, fields_of, is_array, is_struct, length_of
from .operators import Operator, side_of
from .packed import vector_of
from .plans import OperatorPlan, Where, actual_array, kept
from .segments import segmentation


class ExpandPlan(OperatorPlan):
    """A compiled expansion. The operator's map makes each result of its segment (`at.segment`) and its place in it
    (`at.place`). Segments are told by "lengths" or "offsets".

    >>> numbers = cf.Operator("u4", map="number",
    ...     source="clf_value number(clf_input at, ulong i) { return (clf_value){(uint)at.segment}; }")
    >>> plan = cf.ExpandPlan(queue, numbers, "lengths", "u4")
    >>> print(plan(cla.to_device(queue, np.array([2, 0, 3], "u4"))))
    [0 0 2 2 2]
    """

    def __init__(self, where: Where, operator: Operator, segments: str, dtype: Any, *, from_device: bool = False,
                 variant: Optional[str] = None, parameters: Optional[str] = None) -> None:
        if segments not in ("lengths", "offsets"):
            raise ValueError(f"segments are told by 'lengths' or 'offsets', not {segments!r}")
        told = segmentation(segments, dtype)
        super().__init__(where, "clf_expand_plan", operator, FROM_DEVICE * from_device, variant, parameters,
                         (ctypes.addressof(told),))
        self.segments = self.called = segments
        self.dtype = np.dtype(dtype)

    def __call__(self, segments: Array, *, room: Optional[int] = None, captured: Optional[Elements] = None,
                 out: Optional[Elements] = None, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None, cut: bool = True) -> Any:
        """Enqueues it. Without `room` or `out` it waits for the number of results. With cut=False (results, count)."""
        require_array(segments, self.segments)
        check(segments, self.dtype, None, self.segments)
        queue = queue_of(segments, queue)
        count = segments.size if self.segments == "lengths" else max(segments.size - 1, 0)
        ins = () if self.operator.captured is None and captured is None else self._captured(captured)
        total = new_count(queue, segments)

        def run(outs: Tuple[Array, ...]) -> None:
            enqueue(lib.clf_expand, self._handle, queue, (count, outs[0].size),
                    ((segments,), ins or None, outs, (total,)), outs + (total,), wait_for, None, actual_array(actual),
                    counts=(len(ins), len(outs)))

        if room is None and out is None:
            run(tuple(new(segments, queue, (0,), element_dtype(dtype)) for dtype in self._out.dtypes))
            room = int(total.get(queue)[()])
            if self.dtype.kind == "i" and room >> 8 * self.dtype.itemsize - 1:  # or there are very many results
                least = segments.get(queue).min()
                if least < 0:
                    raise ValueError(f"{self.called} has {least}, and that is less than 0")
        room = like_of(out, self._out, "out").size if room is None else whole(room, "room")
        if out is None and room * sum(dtype.itemsize for dtype in self._out.dtypes) > queue.device.global_mem_size:
            raise MemoryError(f"{room} results are more than the device has room for")
        outs = self.outputs(out, segments, queue, (room,))
        run(outs)
        results = self.results(outs) if out is None else out
        return (cut_to(results, total, queue) if out is None else results) if cut else (results, total)

    def _captured(self, captured: Optional[Elements]) -> Tuple[Array, ...]:
        side = self.operator.captured
        if side is None or captured is None:
            raise ValueError("the operator has no captured arrays" if side is None else "the operator has captured arrays")
        return listed(captured, side, None, "captured")


def _again(described: Described) -> Operator:
    """The element of a segment, field by field; structs go by as vectors."""
    structs = isinstance(described, np.dtype) and is_struct(described)
    fields = fields_of(getattr(cltypes, vector_of(described)) if structs else described)
    copies = " ".join(f"for (uint k = 0; k < {length_of(dtype)}; ++k) "
                      f"r.{name}[k] = c->{name}[at.segment * {length_of(dtype)} + k];" if is_array(dtype) else
                      f"r.{name} = c->{name}[at.segment];" for name, dtype in fields)
    operator = Operator(fields, captured=tuple((name, dtype.base) for name, dtype in fields), map="cf_again",
                        source="clf_value cf_again(clf_input at, ulong i, const clf_captured *c)\n"
                               f"{{ clf_value r; {copies} return r; }}\n")
    if structs:
        operator.value = operator.captured = side_of(described, True)
    return operator


@overload
def repeat(x: Array, counts: Union[int, Array], *, room: Optional[int] = ..., out: Optional[Array] = ...,
           actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
           cut: Literal[True] = ...) -> Array: ...


@overload
def repeat(x: Elements, counts: Union[int, Array], *, room: Optional[int] = ..., out: Optional[Elements] = ...,
           actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
           cut: bool = ...) -> Any: ...


def repeat(x: Elements, counts: Union[int, Array], *, room: Optional[int] = None, out: Optional[Elements] = None,
           actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None,
           cut: bool = True) -> Any:
    """Each element as often as `counts` says, an array of uint32 or uint64, or one number for all: as numpy.repeat. The
    reverse of `run_lengths`. Without `room` or `out` it waits for the number of results; with cut=False (results,
    count), as in `filter`.

    actual  how many elements there are, if only the device knows

    >>> x = cla.to_device(queue, np.array([7, 8, 9], "i4"))
    >>> print(cf.repeat(x, cla.to_device(queue, np.array([2, 0, 3], "u4"))), cf.repeat(x, 2))
    [7 7 9 9 9] [7 7 8 8 9 9]
    """
    described, like = describe(x), first(x)
    queue = queue_of(x, queue)
    listed(x, side_of(described, isinstance(described, np.dtype)), like.size, "x")
    if not isinstance(counts, Array):
        each = whole(counts, "counts")
        room = like.size * each if room is None and out is None else room
        counts = new(like, queue, (like.size,), np.dtype(np.uint64))
        counts.fill(each, queue=queue)
    check(counts, counts.dtype, like.size, "counts")

    def make(where):
        plan = ExpandPlan(where, _again(described), "lengths", counts.dtype, from_device=actual is not None)
        plan.called = "counts"
        return plan

    plan = kept(queue, (ExpandPlan, described, counts.dtype, actual is not None), make)
    return plan(counts, room=room, captured=x, out=out, actual=actual, queue=queue, wait_for=wait_for, cut=cut)
