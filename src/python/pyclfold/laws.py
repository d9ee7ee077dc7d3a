# SPDX-License-Identifier: MIT
"""Laws of operators, tried on the device: section 19 of clfold.h."""
import ctypes
from typing import Any, Optional, Union

import numpy as np
import pyopencl as cl

from ._library import Array as CArray
from ._library import LAWS_EXTREME, LAWS_PLAIN, MAX_FIELDS, LawsOptions, lib
from .arrays import listed
from .calls import place
from .contexts import Context, context
from .errors import Details
from .operators import Operator, Side

NUMBERS = {None: 0, "plain": LAWS_PLAIN, "extreme": LAWS_EXTREME}


def check(where: Union[cl.CommandQueue, Context], operator: Operator, elements: Any = None, *,
          numbers: Optional[str] = None, values: int = 0, seed: int = 0, captured: Any = None) -> Operator:
    """The operator, if it obeys the laws: combine is associative, the neutral element is neutral on both sides, promises
    hold, less says a strict weak order, and all functions are pure. Else an `Error` (status 32) whose message is the
    smallest counterexample.

    elements   NumPy arrays of elements of yours, one or one for each field, which are tried instead of numbers
    numbers    "plain": no NaN, no infinity, and none so large that sums overflow. "extreme": these, too. None: they are
               tried of one scalar without a map
    values     how many are tried: 8 to 1024; 0 is 128, and all numbers of 8 bits
    seed       of random ones
    captured   PyOpenCL arrays, one or one for each captured field. Without them functions that get captured arrays are
               not called, and `elements` are what a map that does makes. They are read wherever functions look: at any
               index below `values`, and where random numbers point, if `elements` are indices and not given

    >>> cf.check(queue, cf.operator("fmax(a, b)", "f4", neutral="-INFINITY", dtype="f4"), numbers="plain")
    <Operator on float v; combine=cf_combine, neutral=cf_neutral>
    >>> cf.check(queue, cf.operator("a - b", "i4", neutral=0))
    Traceback (most recent call last):
    ...
    pyclfold.errors.Error: combine is not associative: combine(0, combine(0, 1)) is 1, ...
    """
    if not isinstance(where, (cl.CommandQueue, Context)):
        raise TypeError(f"laws are tried on a queue's device, or a pyclfold.Context's, not on {type(where).__name__}")
    if not isinstance(operator, Operator):
        raise TypeError(f"laws are those of a pyclfold.Operator, not of {type(operator).__name__}")
    if numbers not in NUMBERS:
        raise ValueError(f"numbers= is \"plain\", \"extreme\" or None, not {numbers!r}")
    hidden = operator.captured and captured is None
    side = operator.value if hidden or not operator.texts["map"] else operator.input
    arrays = [] if elements is None else _arrays(elements, side)
    addresses = (ctypes.c_void_p * max(len(arrays), 1))(*(array.ctypes.data for array in arrays))
    options = LawsOptions(size=ctypes.sizeof(LawsOptions), flags=NUMBERS[numbers], values=values, seed=seed)
    if arrays:
        options.count, options.elements = len(arrays[0]), ctypes.addressof(addresses)
    if captured is not None:
        if operator.captured is None:
            raise ValueError("captured= has arrays, and the operator has none")
        placed = (CArray * MAX_FIELDS)()
        for item, array in zip(placed, listed(captured, operator.captured, None, "captured")):
            array.finish()
            place(item, array)
        options.captured = ctypes.addressof(placed)
    address, kept = operator.c_operator()
    details = Details()
    used = where if isinstance(where, Context) else context(where)
    details.check(lib.clf_operator_check(used.handle, address, ctypes.addressof(options), None, details.address))
    return operator


def _arrays(elements: Any, side: Side) -> list:
    """Contiguous arrays of the fields' types and of one length, which is not 0."""
    if isinstance(elements, dict):
        elements = [elements[name] for name, _ in side.fields]
    given = [elements] if side.single and not isinstance(elements, (list, tuple)) else list(elements)
    if len(given) != len(side.dtypes):
        raise ValueError(f"elements= has {len(given)} arrays, and the operator {len(side.dtypes)} fields")
    arrays = [np.ascontiguousarray(array, dtype).reshape(-1) for array, dtype in zip(given, side.dtypes)]
    if len({len(array) for array in arrays}) != 1 or not len(arrays[0]):
        raise ValueError("elements= needs arrays of the same length, which is not 0")
    return arrays
