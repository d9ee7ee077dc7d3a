# SPDX-License-Identifier: MIT
"""The first elements of a sort, without sorting all."""
from typing import Any, Optional, Tuple, overload

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import DESCENDING, FROM_DEVICE, TOTAL_ORDER, UNSORTED, lib
from .arrays import Elements, describe, first, queue_of, require_array, whole
from .axes import enqueue_along
from .booleans import truths
from .calls import WaitFor
from .expressions import from_expressions
from .moves import places_type
from .operators import Operator
from .plans import OperatorPlan, Where, actual_array, kept
from .shapes import Lines, has_lines, lines_of, with_extent
from .sorts import key_of, with_index


class TopKPlan(OperatorPlan):
    """A compiled top-k. `unsorted`: results in the order of the input.

    >>> plan = cf.TopKPlan(queue, cf.Operator("i4"), largest=True)
    >>> print(plan(cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4")), 2))
    [5 4]
    """

    def __init__(self, where: Where, operator: Operator, *, largest: bool = True, total_order: bool = False,
                 unsorted: bool = False, from_device: bool = False, variant: Optional[str] = None,
                 parameters: Optional[str] = None) -> None:
        flags = DESCENDING * largest | TOTAL_ORDER * total_order | UNSORTED * unsorted | FROM_DEVICE * from_device
        super().__init__(where, "clf_top_k_plan", operator, flags, variant, parameters)

    def __call__(self, x: Elements, k: int, out: Optional[Elements] = None, *, axis: Optional[int] = -1,
                 captured: Optional[Elements] = None, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
        """Enqueues it, and returns min(k, n) elements, of each line along the axis if there are several."""
        like, k = self.like(x), whole(k, "k")
        queue = queue_of(x, queue)
        size = like.size
        ins = self.inputs(x, size, captured)
        if has_lines(like.shape, axis):
            lines: Optional[Lines] = lines_of(like.shape, axis)
            shape = with_extent(like.shape, axis, min(k, lines.size))
            function, sizes = lib.clf_segmented_top_k, (*lines.sizes, k)
        else:
            lines, shape, function, sizes = None, (min(k, size),), lib.clf_top_k, (size, k)
        outs = self.outputs(out, like, queue, shape)
        enqueue_along(lines, self, function, queue, sizes, ins, outs, wait_for, None, actual_array(actual),
                      keep=actual is not None)
        return self.results(outs) if out is None else out


@overload
def top_k(x: Array, k: int, *, largest: bool = ..., axis: Optional[int] = ..., key: Optional[str] = ...,
          key_dtype: Any = ..., unsorted: bool = ..., total_order: bool = ..., captured: Optional[Elements] = ...,
          source: str = ..., out: Optional[Array] = ..., actual: Optional[Array] = ...,
          queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Array: ...


@overload
def top_k(x: Elements, k: int, *, largest: bool = ..., axis: Optional[int] = ..., key: Optional[str] = ...,
          key_dtype: Any = ..., unsorted: bool = ..., total_order: bool = ..., captured: Optional[Elements] = ...,
          source: str = ..., out: Optional[Elements] = ..., actual: Optional[Array] = ...,
          queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Any: ...


def top_k(x: Elements, k: int, *, largest: bool = True, axis: Optional[int] = -1, key: Optional[str] = None,
          key_dtype: Any = None, unsorted: bool = False, total_order: bool = False,
          captured: Optional[Elements] = None, source: str = "", out: Optional[Elements] = None,
          actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
    """The k largest elements (or the least), as a sort would bring them; of each line along the axis if there are
    several. Tuples are compared by their first field or by a key, which may read captured arrays, as in `sort`.

    >>> x = cla.to_device(queue, np.array([[3, 1, 4, 1], [5, 9, 2, 6]], "i4"))
    >>> print(cf.top_k(x, 2), cf.top_k(x, 3, axis=None, largest=False))
    [[4 3]
     [9 6]] [1 1 2]
    """
    queue = queue_of(x, queue)
    x = truths(x, queue, wait_for)
    described = describe(x)
    by, caught = key_of(key, key_dtype, captured)
    plan_key = (TopKPlan, described, caught, key, key_dtype, largest, unsorted, total_order, source, actual is not None)

    def make(where):
        made = from_expressions(described, captured=caught, source=source, structs=True, key=by)
        return TopKPlan(where, made, largest=largest, total_order=total_order, unsorted=unsorted,
                        from_device=actual is not None)

    return kept(queue, plan_key, make)(x, k, out, axis=axis, captured=captured, actual=actual, queue=queue,
                                       wait_for=wait_for)


def arg_top_k(x: Array, k: int, *, largest: bool = True, axis: Optional[int] = -1, dtype: Any = np.uint32,
              queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Tuple[Array, Array]:
    """(values, indices) of the k largest elements (or the least), of lines along an axis with indices within each.

    >>> values, indices = cf.arg_top_k(cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4")), 2)
    >>> print(values, indices)
    [5 4] [4 2]
    """
    require_array(x, "x")
    queue, rows = queue_of(x, queue), has_lines(x.shape, axis)
    dtype = places_type(dtype, lines_of(x.shape, axis).size if rows else x.size)
    key = (TopKPlan, "arg", x.dtype, dtype, largest, rows)

    def make(where):
        return TopKPlan(where, with_index(x.dtype, dtype, rows), largest=largest)

    return kept(queue, key, make)(x, k, axis=axis, captured=(x,) if rows else None, queue=queue, wait_for=wait_for)
