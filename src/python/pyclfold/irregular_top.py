# SPDX-License-Identifier: MIT
"""The first elements of a sort of each segment, whatever their lengths."""
import ctypes
from typing import Any, Optional, Tuple

import pyopencl as cl
from pyopencl.array import Array

from ._library import DESCENDING, FROM_DEVICE, TOTAL_ORDER, UNSORTED, lib
from .arrays import Elements, describe, queue_of, whole
from .booleans import truths
from .calls import WaitFor, enqueue
from .counts import cut_to, new_count
from .expressions import from_expressions
from .operators import Operator
from .plans import OperatorPlan, Where, actual_array, kept
from .segments import checked, given, segmentation


class IrregularTopKPlan(OperatorPlan):
    """A compiled top-k of segments, told by "offsets" or "lengths". `unsorted`: results in the order of the input.

    >>> plan = cf.IrregularTopKPlan(queue, cf.Operator("i4"), "lengths", "u4")
    >>> x, lengths = (cla.to_device(queue, np.array(a, "i4")) for a in ([3, 1, 4, 1, 5], [1, 0, 4]))
    >>> print(*plan(x, 2, lengths.view("u4")))
    [3 5 4] [0 1 1 3]
    """

    def __init__(self, where: Where, operator: Operator, segments: str, dtype: Any, *, largest: bool = True,
                 total_order: bool = False, unsorted: bool = False, from_device: bool = False,
                 variant: Optional[str] = None, parameters: Optional[str] = None) -> None:
        if segments not in ("lengths", "offsets"):
            raise ValueError(f"segments are told by 'lengths' or 'offsets', not {segments!r}")
        told = segmentation(segments, dtype)
        flags = DESCENDING * largest | TOTAL_ORDER * total_order | UNSORTED * unsorted | FROM_DEVICE * from_device
        super().__init__(where, "clf_irregular_top_k_plan", operator, flags, variant, parameters,
                         (ctypes.addressof(told),))
        self.segments, self.dtype = segments, dtype

    def __call__(self, x: Elements, k: int, segments: Array, out: Optional[Elements] = None, *,
                 captured: Optional[Elements] = None, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None, cut: bool = True) -> Any:
        """Enqueues it, and returns (results, offsets): the results of segment s are those from offsets[s] up to, not
        including, offsets[s + 1]. It waits for their number, and cuts the results; with cut=False it does not."""
        like, k = self.like(x), whole(k, "k")
        queue, n = queue_of(x, queue), like.size
        told = checked(self.segments, self.dtype, segments, n)
        count = told.count(n)
        ins = self.inputs(x, n, captured)
        outs = self.outputs(out, like, queue, (min(n, count * k),))
        offsets = new_count(queue, like, count + 1)
        enqueue(lib.clf_irregular_top_k, self._handle, queue, (n, count, k), ((told.array,), ins, outs, (offsets,)),
                outs + (offsets,), wait_for, None, actual_array(actual), counts=(len(ins), len(outs)))
        results = self.results(outs) if out is None else out
        return cut_to(results, offsets[count:], queue) if cut else results, offsets


def irregular_top_k(x: Elements, k: int, *, offsets: Optional[Array] = None, lengths: Optional[Array] = None,
                    largest: bool = True, key: Optional[str] = None, key_dtype: Any = None, unsorted: bool = False,
                    total_order: bool = False, source: str = "", out: Optional[Elements] = None,
                    actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None,
                    cut: bool = True) -> Tuple[Any, Array]:
    """(results, offsets): the k largest elements (or the least) of each segment, or all of a shorter one, one segment's
    behind the other's. Segments are told by offsets or lengths, as in `scan`; keys are those of `sort`. It waits for the
    number of results; with cut=False results are as long as there may be.

    >>> x = cla.to_device(queue, np.array([3, 1, 4, 1, 5, 9], "i4"))
    >>> print(*cf.irregular_top_k(x, 2, lengths=cla.to_device(queue, np.array([1, 5], "u4"))))
    [3 9 5] [0 1 3]
    """
    queue = queue_of(x, queue)
    told = given(offsets, lengths)
    if told is None:
        raise ValueError("segments are told by offsets= or lengths=")
    x = truths(x, queue, wait_for)
    described = describe(x)
    if (key is None) != (key_dtype is None):
        raise ValueError("key= and key_dtype= go together: an expression and its type")
    plan_key = (IrregularTopKPlan, described, key, key_dtype, largest, unsorted, total_order, source, told.key,
                actual is not None)

    def make(where):
        made = from_expressions(described, source=source, structs=True, key=None if key is None else (key, key_dtype))
        return IrregularTopKPlan(where, made, *told.key, largest=largest, total_order=total_order, unsorted=unsorted,
                                 from_device=actual is not None)

    return kept(queue, plan_key, make)(x, k, told.array, out, actual=actual, queue=queue, wait_for=wait_for, cut=cut)
