# SPDX-License-Identifier: MIT
"""Booleans whose bytes are neither 0 nor 1, as views of other bytes have them: each is True, as in NumPy. Functions of
expressions compare with 0 as they read. What the library reads by itself is made 0 and 1 before, in a pass of its own,
which takes a fifth of the time of a sort of them."""
from typing import Any, Mapping, Optional

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import lib
from .arrays import Elements, check, members, new
from .calls import WaitFor, enqueue
from .operators import Operator
from .plans import OperatorPlan, kept
from .segments import Segments

_SOURCE = ("clf_value cf_converted(clf_input x, ulong i) {{ clf_value r = {{{}}}; return r; }}\n"
           "clf_value cf_second(clf_value a, clf_value b) {{ return b; }}\n"
           "clf_value cf_zero(void) {{ clf_value r = {{0}}; return r; }}\n")


def converted_array(x: Array, dtype: np.dtype, queue: cl.CommandQueue, wait_for: WaitFor = None,
                    out: Optional[Array] = None) -> Array:
    """The elements as another scalar type; booleans are 0 or 1, as what is read and as what is written."""
    check(x, x.dtype, None, "an array")
    dtype = np.dtype(dtype)

    def make(where):
        value = "x.v != 0" if np.bool_ in (x.dtype, dtype) else "x.v"
        made = Operator(dtype, input=x.dtype, map="cf_converted", combine="cf_second", neutral="cf_zero",
                        source=_SOURCE.format(value))
        return OperatorPlan(where, "clf_adjacent_difference_plan", made, 0, None, None)

    plan = kept(queue, ("converted", x.dtype, dtype), make)
    out = new(x, queue, x.shape, dtype) if out is None else out
    enqueue(lib.clf_adjacent_difference, plan.handle, queue, (x.size,), ((x,), (out,)), (out,), wait_for, counts=(1, 1))
    return out


def _truth(x: Any, queue: cl.CommandQueue, wait_for: WaitFor) -> Any:
    return converted_array(x, x.dtype, queue, wait_for) if isinstance(x, Array) and x.dtype == np.bool_ else x


def truths(x: Elements, queue: cl.CommandQueue, wait_for: WaitFor = None) -> Elements:
    """The same elements, whose booleans are 0 or 1. What has none is returned as it is.

    >>> from pyclfold.booleans import truths
    >>> odd = cla.to_device(queue, np.array([0, 2, 1, 255], "u1")).view("?")
    >>> truths(odd, queue).view("u1")
    cl.Array([0, 1, 1, 1], dtype=uint8)
    """
    if isinstance(x, Array):
        return _truth(x, queue, wait_for)
    if all(array.dtype != np.bool_ for array in members(x)):
        return x
    if isinstance(x, Mapping):
        return {name: _truth(array, queue, wait_for) for name, array in x.items()}
    arrays = [_truth(array, queue, wait_for) for array in x]
    return type(x)(*arrays) if hasattr(x, "_fields") else tuple(arrays)


def true_in_place(x: Elements, queue: cl.CommandQueue, wait_for: WaitFor = None) -> None:
    """Makes the booleans of these arrays 0 or 1 where they are."""
    for array in members(x):
        if array.dtype == np.bool_:
            converted_array(array, array.dtype, queue, wait_for, out=array)


def true_keys(told: Optional[Segments], queue: cl.CommandQueue, wait_for: WaitFor) -> Optional[Segments]:
    """Segments by booleans as keys, which the library compares as bytes."""
    if told is None or told.kind != "keys":
        return told
    return told._replace(array=_truth(told.array, queue, wait_for))
