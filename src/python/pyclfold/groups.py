# SPDX-License-Identifier: MIT
"""GROUP BY: elements with equal keys, in any order."""
from typing import Any, Optional, Tuple

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import OPS, lib
from .arrays import check, new, queue_of, require_array
from .calls import WaitFor, enqueue
from .booleans import converted_array, truths
from .contexts import context
from .counts import cut_all, new_count
from .dtypes import scalar_type
from .plans import actual_array
from .totals import total_dtype


def _grouped(function: Any, numbers: Tuple[int, ...], inputs: Tuple[Array, ...], result_dtype: np.dtype,
             queue: cl.CommandQueue, wait_for: WaitFor, actual: Optional[Array], cut: bool) -> Any:
    keys = truths(inputs[0], queue, wait_for)
    outs = new(keys, queue, (keys.size,), keys.dtype), new(keys, queue, (keys.size,), result_dtype)
    count = new_count(queue, keys)
    written = outs + (count,)
    groups = tuple((array,) for array in (keys,) + inputs[1:] + written)
    enqueue(function, context(queue).handle, queue, (*numbers, keys.size), groups, written, wait_for, None,
            actual_array(actual), by_value=True)
    return cut_all(outs, count, queue) if cut else written


def group_by(keys: Array, values: Array, op: str = "sum", *, actual: Optional[Array] = None,
             queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None, cut: bool = True) -> Tuple[Array, ...]:
    """(keys, totals): each key once, in ascending order, and the total of the values that have it, by a built-in
    operator. Sums and products of booleans and of integers of 8 and 16 bits are of 64 bits, as in `reduce`; they are
    converted in a pass of their own. NaNs are one key, the last. `reduce_by_key` does it for keys that are sorted, and
    with any operator. Without `cut` (keys, totals, count), as in `filter`.

    >>> keys = cla.to_device(queue, np.array([30, -1, 30, 7, -1, 30], "i4"))
    >>> values = cla.to_device(queue, np.array([1, 2, 3, 4, 5, 6], "f4"))
    >>> groups, totals = cf.group_by(keys, values)
    >>> print(groups, totals)
    [-1  7 30] [ 7.  4. 10.]
    """
    require_array(keys, "keys")
    require_array(values, "values")
    queue = queue_of(keys, queue)
    if op not in OPS:
        raise ValueError(f"the operator is one of {', '.join(OPS)}, not {op!r}")
    if not lib.clf_builtin(OPS[op], scalar_type(values.dtype)):
        raise TypeError(f"there is no {op} of {values.dtype}")
    check(keys, keys.dtype, None, "keys")
    check(values, values.dtype, keys.size, "values")
    dtype = total_dtype(op, values.dtype)
    if dtype != values.dtype or dtype == np.bool_:
        values = converted_array(values, dtype, queue, wait_for)
    numbers = OPS[op], scalar_type(keys.dtype), scalar_type(dtype)
    return _grouped(lib.clf_array_group_by, numbers, (keys, values), dtype, queue, wait_for, actual, cut)


def group_counts(keys: Array, *, actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
                 wait_for: WaitFor = None, cut: bool = True) -> Tuple[Array, ...]:
    """(keys, counts): each key once, in ascending order, and how often it is there, as numpy.unique with return_counts.
    Without `cut` (keys, counts, count), as in `filter`.

    >>> keys, counts = cf.group_counts(cla.to_device(queue, np.array([30, -1, 30, 7, -1, 30], "i4")))
    >>> print(keys, counts)
    [-1  7 30] [2 1 3]
    """
    require_array(keys, "keys")
    queue = queue_of(keys, queue)
    check(keys, keys.dtype, None, "keys")
    return _grouped(lib.clf_array_group_counts, (scalar_type(keys.dtype),), (keys,), np.dtype(np.uint64), queue,
                    wait_for, actual, cut)
