# SPDX-License-Identifier: MIT
"""Numbers of results that the device alone knows."""
from typing import Any, Optional, Tuple

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from .arrays import _tuple_type, new

U64 = np.dtype(np.uint64)


def new_count(queue: cl.CommandQueue, like: Optional[Array], count: int = 0) -> Array:
    """Where a call writes how many results there are; of several parts `count` numbers."""
    return Array(queue, (count,) if count else (), U64, allocator=None if like is None else like.allocator)


def cut_to(result: Any, count: Array, queue: cl.CommandQueue) -> Any:
    """Results cut to the number that the device has counted. Reading it waits."""
    return cut_all((result,), count, queue)[0]


def cut_all(results: Tuple[Any, ...], counts: Array, queue: cl.CommandQueue) -> Tuple[Any, ...]:
    """The same of several results, with a count each or one for all."""
    numbers = counts.get(queue).reshape(-1)
    if len(numbers) == 1:
        numbers = [numbers[0]] * len(results)
    return tuple(_cut(result, int(number)) for result, number in zip(results, numbers))


def _cut(result: Any, number: int) -> Any:
    if isinstance(result, Array):
        return _head(result, number)
    arrays = [_head(array, number) for array in (result.values() if isinstance(result, dict) else result)]
    names = tuple(result) if isinstance(result, dict) else getattr(result, "_fields", None)
    return tuple(arrays) if names is None else _tuple_type(names)(*arrays)


def _head(array: Array, number: int) -> Array:
    number = min(number, array.shape[0])
    if number == array.shape[0]:
        return array
    return array[:number] if number else new(array, array.queue, (0,) + array.shape[1:], array.dtype)


__all__ = ["cut_all", "cut_to", "new_count"]
