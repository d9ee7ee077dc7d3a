# SPDX-License-Identifier: MIT
"""Reductions by index with any operator."""
from typing import Any, Optional, overload

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import FROM_DEVICE, REPEATABLE, UPDATE, lib
from .arrays import Elements, describe, listed, members, queue_of, require_array, whole
from .axes import enqueue_along
from .booleans import true_in_place, truths
from .calls import WaitFor, enqueue
from .dtypes import FieldsLike, Scalar, fields_of
from .expressions import Expression, Op, checked_name, from_expressions, taken
from .operators import Operator, side_of
from .plans import OperatorPlan, Wanted, Where, actual_array, kept
from .shapes import lines_of, with_extent
from .totals import asked, total_fields


class ReduceByIndexPlan(OperatorPlan):
    """A compiled reduction by index: the bin of an element is what the operator's `part` says, else its first field.

    update   bins are combined with what `out` holds
    repeatable, or ordered  the elements of a bin are combined in order, though the operator is commutative: results of
             floats repeat bitwise
    wanted   as in `ScanPlan`, but not with update

    >>> last_digits = cf.Operator("u4", input="u4", map="one", part="digit", combine="clf_sum", commutative=True,
    ...     source="clf_value one(clf_input x, ulong i) { return (clf_value){1}; }"
    ...            "uint digit(clf_input x, ulong i) { return x.v % 10; }")
    >>> plan = cf.ReduceByIndexPlan(queue, last_digits)
    >>> print(plan(cla.to_device(queue, np.array([10, 25, 31, 90, 41, 8], "u4")), 10))
    [2 2 0 0 0 1 0 0 1 0]
    """

    def __init__(self, where: Where, operator: Operator, *, update: bool = False, ordered: bool = False,
                 repeatable: bool = False, from_device: bool = False, variant: Optional[str] = None,
                 parameters: Optional[str] = None, wanted: Wanted = None) -> None:
        flags = UPDATE * update | REPEATABLE * (ordered or repeatable) | FROM_DEVICE * from_device
        super().__init__(where, "clf_reduce_by_index_plan", operator, flags, variant, parameters, wanted=wanted)
        self.update = update

    def __call__(self, x: Elements, bins: int, out: Optional[Elements] = None, *, axis: Optional[int] = None,
                 captured: Optional[Elements] = None, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
        """Enqueues it, and returns so many bins; with an axis so many for each line along it."""
        queue, like, bins = queue_of(x, queue), self.like(x), whole(bins, "bins")
        if self.update and out is None:
            raise ValueError("a plan that updates bins needs out=, which has them")
        ins = self.inputs(x, like.size, captured)
        actual = actual_array(actual)
        if axis is None:
            outs = self.outputs(out, like, queue, (bins,))
            places = self.places(outs)
            enqueue(lib.clf_reduce_by_index, self._handle, queue, (like.size, bins), (ins, places), outs, wait_for, None,
                    actual, counts=(len(ins), len(places)))
        else:
            lines = lines_of(like.shape, axis)
            outs = self.outputs(out, like, queue, with_extent(like.shape, axis, bins))
            enqueue_along(lines, self, lib.clf_segmented_reduce_by_index, queue, (*lines.sizes, bins), ins, outs,
                          wait_for, None, actual, keep=self.update or actual is not None)
        return self.results(outs) if out is None else out


def _operator(index: np.dtype, values: Any, op: Any, neutral: Optional[Expression], source: str, commutative: bool,
              dtype: Optional[FieldsLike]) -> Operator:
    """Elements are an index and the fields of the values."""
    name, fields = checked_name(op, neutral), fields_of(values)
    totals = total_fields(name, fields) if dtype is None else fields_of(dtype)
    base = from_expressions(totals, source=source, combine=op, neutral=neutral)
    texts = base.texts
    return Operator(totals, input=(("cf_index", index),) + fields, map="cf_take", combine=texts["combine"],
                    neutral=texts["neutral"], commutative=commutative or name not in (None, "product"), no_index=True,
                    source=(texts["source"] or "") + "clf_value cf_take(clf_input x, ulong i) "
                    f"{{ {taken(fields, totals)}return r; }}\n", expressions=base.expressions)


@overload
def reduce_by_index(index: Array, values: Array, bins: int, op: Op = ..., *, neutral: Optional[Expression] = ...,
                    dtype: Optional[Scalar] = ..., source: str = ..., commutative: bool = ..., ordered: bool = ...,
                    wanted: None = ..., axis: Optional[int] = ..., out: Optional[Array] = ..., update: bool = ...,
                    actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
                    wait_for: WaitFor = ...) -> Array: ...


@overload
def reduce_by_index(index: Array, values: Elements, bins: int, op: Any = ..., *, neutral: Optional[Expression] = ...,
                    dtype: Optional[FieldsLike] = ..., source: str = ..., commutative: bool = ..., ordered: bool = ...,
                    wanted: Wanted = ..., axis: Optional[int] = ..., out: Optional[Elements] = ..., update: bool = ...,
                    actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
                    wait_for: WaitFor = ...) -> Any: ...


def reduce_by_index(index: Array, values: Elements, bins: int, op: Any = "sum", *,
                    neutral: Optional[Expression] = None, dtype: Optional[FieldsLike] = None, source: str = "",
                    commutative: bool = False, ordered: bool = False, wanted: Wanted = None,
                    axis: Optional[int] = None, out: Optional[Elements] = None, update: bool = False,
                    actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
                    wait_for: WaitFor = None) -> Any:
    """The total of the values of each index, as numpy.add.at on zeros. Indices that are negative, or not below `bins`,
    are left out.

    values    as many as indices; a row for each, in an array that has further axes: its total is a row
    op, neutral, source, commutative   as in `operator`
    dtype     fields of the totals. Without it, and without an `out` of another type, sums and products of booleans and
              of integers of 8 and 16 bits are of 64 bits, and all else is as the values are
    ordered   combine in order, so that sums of floating types repeat bitwise
    wanted    as in `scan`, but not with update
    axis      `bins` results for each line along this axis, in whose place they are
    update    combine with what `out` holds

    >>> index = cla.to_device(queue, np.array([0, 2, 0, 2, 5], "i4"))
    >>> values = cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))
    >>> print(cf.reduce_by_index(index, values, 3))
    [7 0 2]
    """
    require_array(index, "index")
    queue = queue_of(index, queue)
    index, described = truths(index, queue, wait_for), describe(values, index.shape)
    dtype = asked(op, described, dtype, out)
    if update and out is not None:
        true_in_place(out, queue, wait_for)
    key = (ReduceByIndexPlan, index.dtype, described, op, neutral, dtype, source, commutative, ordered, wanted,
           update, actual is not None)

    def make(where):
        return ReduceByIndexPlan(where, _operator(index.dtype, described, op, neutral, source, commutative, dtype),
                                 update=update, ordered=ordered, from_device=actual is not None,
                                 wanted=wanted)

    plan = kept(queue, key, make)
    listed(values, side_of(described), index.size, "values")
    return plan((index, *members(values)), bins, out, axis=axis, actual=actual, queue=queue, wait_for=wait_for)
