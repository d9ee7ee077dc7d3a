# SPDX-License-Identifier: MIT
"""Each element combined with the one before it."""
from typing import Any, Optional, overload

import pyopencl as cl
from pyopencl.array import Array

from ._library import FROM_DEVICE, lib
from .arrays import Described, Elements, describe, queue_of, shares
from .axes import enqueue_along
from .booleans import true_keys, truths
from .calls import WaitFor
from .dtypes import FieldsLike, Scalar, fields_of
from .expressions import Expression, converted, from_expressions, has_booleans
from .operators import Operator
from .plans import OperatorPlan, Wanted, Where, actual_array, is_on_device, kept
from .segment_differences import captured_by, segmented, with_heads
from .segments import Segments, given
from .shapes import has_lines, lines_of


class DifferencePlan(OperatorPlan):
    """A compiled adjacent difference: combine(previous, x) of the operator, which need not be associative.

    >>> plan = cf.DifferencePlan(queue, cf.operator("b - a", "i4", neutral=0))
    >>> print(plan(cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))))
    [ 3 -2  3 -3  4]
    """

    def __init__(self, where: Where, operator: Operator, *, from_device: bool = False, variant: Optional[str] = None,
                 parameters: Optional[str] = None, wanted: Wanted = None) -> None:
        super().__init__(where, "clf_adjacent_difference_plan", operator, FROM_DEVICE * from_device, variant,
                         parameters, wanted=wanted)

    def __call__(self, x: Elements, out: Optional[Elements] = None, *, axis: Optional[int] = None,
                 captured: Optional[Elements] = None, initial: Any = None, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
        """Enqueues it; with an axis for each line along it by itself."""
        queue, like = queue_of(x, queue), self.like(x)
        lines = lines_of(like.shape, axis) if has_lines(like.shape, axis) else None
        ins = self.inputs(x, like.size, captured)
        outs = self.outputs(out, like, queue, like.shape if lines else (like.size,))
        function = lib.clf_segmented_adjacent_difference if lines else lib.clf_adjacent_difference
        enqueue_along(lines, self, function, queue, lines.sizes if lines else (like.size,), ins, outs, wait_for,
                      None if initial is None else self.initial(initial), actual_array(actual),
                      keep=actual is not None)
        return self.results(outs) if out is None else out


@overload
def adjacent_difference(x: Array, op: str = ..., *, axis: Optional[int] = ..., offsets: Optional[Array] = ...,
                        lengths: Optional[Array] = ..., keys: Optional[Array] = ..., flags: Optional[Array] = ...,
                        bits: Optional[Array] = ..., map: Optional[Expression] = ..., dtype: Optional[Scalar] = ...,
                        source: str = ..., wanted: None = ..., initial: Any = ..., out: Optional[Array] = ...,
                        actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ...,
                        wait_for: WaitFor = ...) -> Array: ...


@overload
def adjacent_difference(x: Elements, op: Expression = ..., *, axis: Optional[int] = ..., offsets: Optional[Array] = ...,
                        lengths: Optional[Array] = ..., keys: Optional[Array] = ..., flags: Optional[Array] = ...,
                        bits: Optional[Array] = ..., map: Optional[Expression] = ..., dtype: Optional[FieldsLike] = ...,
                        source: str = ..., wanted: Wanted = ..., initial: Any = ...,
                        out: Optional[Elements] = ..., actual: Optional[Array] = ...,
                        queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Any: ...


def adjacent_difference(x: Elements, op: Expression = "b - a", *, axis: Optional[int] = None,
                        offsets: Optional[Array] = None, lengths: Optional[Array] = None,
                        keys: Optional[Array] = None, flags: Optional[Array] = None, bits: Optional[Array] = None,
                        map: Optional[Expression] = None, dtype: Optional[FieldsLike] = None, source: str = "",
                        wanted: Wanted = None, initial: Any = None, out: Optional[Elements] = None,
                        actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
                        wait_for: WaitFor = None) -> Any:
    """out[i] = op of x[i - 1], `a`, and x[i], `b`. The first result is x[0], or op of the initial value and x[0]; there
    are as many results as elements, one more than numpy.diff has. With an axis each line along it is by itself, and with
    `offsets`, `lengths`, `keys`, `flags` or `bits`, as in `scan`, each segment. `dtype` without a map converts elements
    first: differences of unsigned integers wrap around, as NumPy's, and dtype="i8" has their signs. `wanted` is as in
    `scan`.

    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))
    >>> print(cf.adjacent_difference(x), cf.adjacent_difference(x, initial=0))
    [ 3 -2  3 -3  4] [ 3 -2  3 -3  4]
    >>> print(cf.adjacent_difference(x, offsets=cla.to_device(queue, np.array([0, 2, 5], "u4"))))
    [ 3 -2  4 -3  4]
    """
    queue, described = queue_of(x, queue), describe(x)
    told = true_keys(given(offsets, lengths, keys, flags, bits, axis), queue, wait_for)
    if is_on_device(initial):
        initial = truths(initial, queue, wait_for)
    from_device = actual is not None or is_on_device(initial) and told is None
    if map is None and (dtype is not None or has_booleans(fields_of(described))):
        map = converted(described, described if dtype is None else dtype)
    if told is not None:
        return _of_segments(told, x, described, op, map, dtype, source, wanted, initial, out, actual, queue, wait_for)
    key = (DifferencePlan, described, op, map, dtype, source, wanted, from_device)

    def make(where):
        value = None if map is None else dtype if dtype is not None else described
        nothing = 0 if not isinstance(described, tuple) and described.names is None else None
        made = from_expressions(described, value, combine=op, map=map, source=source, structs=True,
                                neutral=nothing if nothing is not None else "(clf_value){0}")
        return DifferencePlan(where, made, from_device=from_device, wanted=wanted)

    return kept(queue, key, make)(x, out, axis=axis, initial=initial, actual=actual, queue=queue, wait_for=wait_for)


def _of_segments(told: Segments, x: Elements, described: Described, op: Any, map: Optional[Expression],
                 dtype: Optional[FieldsLike], source: str, wanted: Wanted, initial: Any, out: Optional[Elements],
                 actual: Optional[Array], queue: cl.CommandQueue, wait_for: WaitFor) -> Any:
    if out is not None and shares(x, out):
        raise ValueError("differences of segments are not made in place: give an out= in a buffer of its own")
    told = with_heads(told, x, queue, wait_for)
    key = (DifferencePlan, "segments", described, op, map, dtype, source, wanted, told.key, initial is None,
           actual is None)
    plan = kept(queue, key, lambda where: DifferencePlan(
        where, segmented(described, op, map, dtype, source, told, initial is not None), from_device=actual is not None,
        wanted=wanted))
    return plan(x, out, captured=captured_by(plan.operator, x, told, initial, queue), actual=actual, queue=queue,
                wait_for=wait_for)
