# SPDX-License-Identifier: MIT
"""Where the least and the largest element are."""
from typing import Any, Optional

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from .arrays import queue_of, require_array
from .calls import WaitFor
from .dtypes import c_name, is_bfloat16, is_real, seen
from .operators import Operator
from .plans import kept
from .reductions import ReducePlan
from .segments import given

# As in src/primitives/argmax.c: a number comes before a NaN, any element before none, the first of equal ones first.
_SOURCE = """
#define CF_NONE (({index})~0ul)
clf_value cf_placed(clf_input x, ulong i{captured})
{{
    clf_value y;
    y.v = x.v{truth};
    y.at = ({index})({place});
    return y;
}}
bool cf_differ(clf_value a, clf_value b) {{ return {a} != {b}; }}
bool cf_is_better(clf_value b, clf_value a)
{{
    if (cf_differ(a, a))
        return cf_differ(b, b) ? b.at < a.at : b.at != CF_NONE;
    if (cf_differ(b, b))
        return a.at == CF_NONE;
    return {b} {sign} {a} || ({b} == {a} && b.at < a.at);
}}
clf_value cf_better(clf_value a, clf_value b) {{ return cf_is_better(b, a) ? b : a; }}
clf_value cf_none(void) {{ clf_value y; y.v = ({element})({limit}); y.at = CF_NONE; return y; }}
"""


def _limit(dtype: np.dtype, largest: bool) -> str:
    """What no element is less than, or none larger."""
    if is_real(dtype):  # all bits set are a NaN
        return "~0" if is_bfloat16(dtype) else "-INFINITY" if largest else "INFINITY"
    if dtype.kind == "b":
        return "0" if largest else "1"
    bits = 8 * dtype.itemsize
    if dtype.kind == "u":
        return "0" if largest else "~0ul"
    return f"(long)(~0ul << {bits - 1})" if largest else f"(long)(~0ul >> {65 - bits})"


def _operator(x: np.dtype, index: np.dtype, largest: bool, rows: bool) -> Operator:
    place = "i < c->clf_size ? i : i <= 0xffffffffu ? (uint)i % (uint)c->clf_size : i % c->clf_size" if rows else "i"
    source = _SOURCE.format(index=c_name(index), element=c_name(x), sign=">" if largest else "<", place=place,
                            limit=_limit(x, largest), truth=" != 0" if x == np.bool_ else "",
                            captured=", const clf_captured *c" if rows else "", a=seen("a.v", x), b=seen("b.v", x))
    return Operator([("v", x), ("at", index)], input=[("v", x)], captured=[("row", x)] if rows else None,
                    map="cf_placed", combine="cf_better", neutral="cf_none", commutative=True, source=source)


def _extreme(largest: bool, x: Array, axis: Optional[int], offsets: Optional[Array], dtype: Any,
             queue: Optional[cl.CommandQueue], wait_for: WaitFor) -> Array:
    require_array(x, "x")
    queue, dtype = queue_of(x, queue), np.dtype(dtype)
    if dtype not in (np.dtype(np.uint32), np.dtype(np.uint64)):
        raise TypeError(f"indices are uint32 or uint64, not {dtype}")
    if x.dtype.kind not in "biuf" and not is_bfloat16(x.dtype):
        raise TypeError(f"{x.dtype} has no order")
    if x.size >= 2 ** (8 * dtype.itemsize):
        raise ValueError(f"indices of {x.size} elements do not fit {dtype}")
    if offsets is not None and axis is not None:
        raise ValueError("an axis has no segments")
    told = given(offsets=offsets)
    kind, segment_dtype = (None, None) if told is None else told.key
    rows = axis is not None

    def make(where):
        return ReducePlan(where, _operator(x.dtype, dtype, largest, rows), segments=kind, segment_dtype=segment_dtype)

    plan = kept(queue, (ReducePlan, "extreme", largest, x.dtype, dtype, rows, kind, segment_dtype), make)
    return plan(x, axis=axis, segments=told and told.array, captured=(x,) if rows else None, queue=queue,
                wait_for=wait_for).at


def argmax(x: Array, *, axis: Optional[int] = None, offsets: Optional[Array] = None, dtype: Any = np.uint32,
           queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Array:
    """Where the largest element is: its index, in the flat array; with axis= that along the axis, of each line; with
    offsets= that in the flat array, of each segment. The first of equal elements is taken. NaNs are ignored, unless all
    are NaNs: then it is the first. Where there are no elements all bits of the index are set.

    dtype    of indices: uint32 or uint64

    >>> x = cla.to_device(queue, np.array([[3, 1, 4], [1, 5, 9]], "i4"))
    >>> print(cf.argmax(x), cf.argmax(x, axis=-1), cf.argmax(x, axis=0))
    5 [2 2] [0 1 1]
    >>> print(cf.argmax(x, offsets=cla.to_device(queue, np.array([0, 2, 2, 6], "u4"))))
    [         0 4294967295          5]
    """
    return _extreme(True, x, axis, offsets, dtype, queue, wait_for)


def argmin(x: Array, *, axis: Optional[int] = None, offsets: Optional[Array] = None, dtype: Any = np.uint32,
           queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Array:
    """Where the least element is, as in `argmax`.

    >>> x = cla.to_device(queue, np.array([3, np.nan, 1, 5, 1], "f4"))
    >>> print(cf.argmin(x))
    2
    """
    return _extreme(False, x, axis, offsets, dtype, queue, wait_for)
