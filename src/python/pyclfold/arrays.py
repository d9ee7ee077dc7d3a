# SPDX-License-Identifier: MIT
"""PyOpenCL's arrays as elements: one array, or one for each field of a tuple."""
import collections
import functools
from operator import index
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import pyopencl as cl
from pyopencl.array import Array, empty_like

from .dtypes import element_dtype, is_array
from .operators import Side

_HOW = " (pyopencl.array.to_device makes one of a NumPy array)"
#: Elements: an array; or of tuples an array for each field, as a tuple or by names.
Elements = Union[Array, Sequence[Array], Mapping[str, Array]]
#: What such elements are, hashable: a dtype, or (name, dtype) of each field.
Described = Union[np.dtype, Tuple[Tuple[str, np.dtype], ...]]


def describe(x: Elements, shape: Optional[Tuple[int, ...]] = None) -> Described:
    """The fields that elements have. Those of a plain tuple are called f0, f1, … The shape of elements is that of the
    field with the fewest axes, or `shape`; where a field has further axes behind those it is an array.

    >>> from pyclfold.arrays import describe
    >>> x, rows = cla.zeros(queue, 3, "f4"), cla.zeros(queue, (3, 2), "i4")
    >>> describe(rows), describe((x, rows)), describe(rows, (3,))
    (dtype('int32'), (('f0', dtype('float32')), ('f1', dtype(('<i4', (2,))))), dtype(('<i4', (2,))))
    """
    if isinstance(x, Array):
        return x.dtype if shape is None else _row_dtype(x, shape)
    if shape is None and members(x):
        shape = first(x).shape
    return tuple((name, _row_dtype(array, shape)) for name, array in zip(_names(x), members(x)))


def describe_captured(x: Elements) -> Described:
    """The same of captured arrays, which have any shapes."""
    return x.dtype if isinstance(x, Array) else tuple((name, one.dtype) for name, one in zip(_names(x), members(x)))


def _names(x: Elements) -> Sequence[str]:
    return list(x) if isinstance(x, Mapping) else getattr(x, "_fields", None) or [f"f{i}" for i in range(len(members(x)))]


def _row_dtype(array: Array, shape: Tuple[int, ...]) -> np.dtype:
    own = array.shape[len(shape):] if array.shape[:len(shape)] == shape else ()
    return np.dtype((array.dtype, own)) if own else array.dtype


def members(x: Elements) -> Sequence[Array]:
    """The arrays of elements, each of which is one."""
    if isinstance(x, Array):
        return (x,)
    if not isinstance(x, (Mapping, tuple, list)):
        raise TypeError(f"elements are pyopencl.array.Array, or tuples of them, not {type(x).__name__}{_HOW}")
    arrays = list(x.values()) if isinstance(x, Mapping) else x
    for array in arrays:
        require_array(array)
    return arrays


def first_if_any(x: Elements) -> Optional[Array]:
    """An array of the elements, which tells queue and length: that with the fewest axes. None if they have no fields."""
    if isinstance(x, Array):
        return x
    return min(members(x), key=lambda array: array.ndim, default=None)


def first(x: Elements) -> Array:
    """The same, where elements without fields make no sense."""
    array = first_if_any(x)
    if array is None:
        raise ValueError("elements have no arrays, which would tell how many there are")
    return array


def require_array(array: Any, what: str = "this") -> None:
    """Raises unless it is an array on the device."""
    if not isinstance(array, Array):
        raise TypeError(f"{what} is no pyopencl.array.Array, but {type(array).__name__}{_HOW}")


def whole(value: Any, what: str) -> int:
    """A number of things.

    >>> from pyclfold.arrays import whole
    >>> whole(np.int8(3), "k")
    3
    >>> whole(2.5, "k")
    Traceback (most recent call last):
    ...
    TypeError: k is an integer, not 2.5
    """
    try:
        number = index(value)
    except TypeError:
        shown = value if isinstance(value, (float, str)) else type(value).__name__
        raise TypeError(f"{what} is an integer, not {shown}") from None
    if number < 0:
        raise ValueError(f"{what} is {number}, and less than 0")
    if number >= 2**64:  # of which ctypes would take the last 64 bits
        raise ValueError(f"{what} is {number}, and has more than 64 bits")
    return number


def check(array: Array, dtype: np.dtype, size: Optional[int], what: str) -> None:
    """Raises unless it is an array of this type, contiguous, and of `size` elements (if that is given)."""
    if not isinstance(array, Array):
        require_array(array, what)
    if array.dtype != dtype and not (dtype == np.uint8 and array.dtype == np.bool_):
        raise TypeError(f"{what} is of {array.dtype}, and {dtype} is wanted")
    if not array.flags.c_contiguous:
        raise ValueError(f"{what} is not contiguous in C order: give a copy")
    if size is not None and array.size != size:
        rows = f" (of shape {array.shape}: its rows are no elements here)" if array.shape[:1] == (size,) else ""
        raise ValueError(f"{what} has {array.size} elements, and {size} are wanted{rows}")


def whole_elements(array: Array, dtype: np.dtype, what: str) -> Array:
    """The array; where elements are arrays, the same memory with one element for each of these, and the same events."""
    if not is_array(dtype):
        return array
    require_array(array, what)
    check(array, dtype.base, None, what)
    own = array.ndim - len(dtype.shape)
    if own < 0 or array.shape[own:] != dtype.shape:
        raise ValueError(f"{what} has shape {array.shape}, and elements of shape {dtype.shape} are wanted: its last axes")
    return _seen_as(array, array.shape[:own], element_dtype(dtype))


def _seen_as(array: Array, shape: Tuple[int, ...], dtype: np.dtype) -> Array:
    return Array(array.queue, shape, dtype, allocator=array.allocator, data=array.base_data, offset=array.offset,
                 events=array.events)


def like_of(x: Elements, side: Side, what: str) -> Array:
    """An array of the elements, which tells queue, shape and length: of the first field that is given."""
    array = members(x)[0] if members(x) else first(x)
    dtype = dict(side.fields).get(next(iter(x))) if isinstance(x, Mapping) else (side.dtypes or (None,))[0]
    return array if dtype is None else whole_elements(array, dtype, what)


def opened(array: Array, dtype: np.dtype) -> Array:
    """The contrary: elements that are arrays have axes of their own, behind the others."""
    return _seen_as(array, array.shape + dtype.shape, dtype.base) if is_array(dtype) else array


def listed(x: Elements, side: Side, size: Optional[int], what: str) -> Tuple[Array, ...]:
    """The arrays of elements in the order of a side's fields, checked."""
    arrays = members(x)
    if isinstance(x, Mapping):
        names = [name for name, _ in side.fields]
        if set(names) != set(x):
            raise ValueError(f"{what} has fields {sorted(x)}, and {sorted(names)} are wanted")
        arrays = [x[name] for name in names]
    dtypes = side.dtypes
    if len(arrays) != len(dtypes):
        raise ValueError(f"{what} has {len(arrays)} arrays, and {len(dtypes)} are wanted")
    found = tuple(whole_elements(array, dtype, what) for array, dtype in zip(arrays, dtypes))
    for array, dtype in zip(found, dtypes):
        check(array, element_dtype(dtype), size, what)
    return found


def segment_array(array: Array, what: str) -> Array:
    """Any array of numbers that a call reads, checked to be one and contiguous."""
    require_array(array, what)
    check(array, array.dtype, None, what)
    return array


@functools.lru_cache(maxsize=None)
def _tuple_type(names: Tuple[str, ...]) -> type:
    return collections.namedtuple("Elements", names, rename=True)


def joined(arrays: Sequence[Array], side: Side) -> Any:
    """Results as they are returned: the array by itself, or a named tuple of arrays."""
    arrays = [opened(array, dtype) for array, dtype in zip(arrays, side.dtypes)]
    if side.single:
        return arrays[0]
    return _tuple_type(tuple(name for name, _ in side.fields))(*arrays)


def queue_of(x: Optional[Elements], queue: Optional[cl.CommandQueue]) -> cl.CommandQueue:
    """The queue of a call: the one that is given, or the array's."""
    if queue is not None:
        if not isinstance(queue, cl.CommandQueue):
            raise TypeError(f"queue is a pyopencl.CommandQueue, not {type(queue).__name__}")
        return queue
    array = x if x is None or isinstance(x, Array) else first_if_any(x)
    if array is None:
        raise ValueError("no array says the queue: give queue=")
    if array.queue is None:
        raise ValueError("the array has no queue: give queue=")
    return array.queue


def new(like: Optional[Array], queue: cl.CommandQueue, shape: Tuple[int, ...], dtype: np.dtype) -> Array:
    """An array for results, from the allocator of `like`."""
    if like is not None:
        if like.shape == shape and like.dtype == dtype and like.queue is queue:
            return empty_like(like)
        return Array(queue, shape, dtype, allocator=like.allocator)
    return Array(queue, shape, dtype)


def filled(like: Array, queue: cl.CommandQueue, shape: Tuple[int, ...], dtype: np.dtype, byte: int) -> Array:
    """Such an array, all of whose bytes are the same."""
    array = new(like, queue, shape, dtype)
    if array.nbytes:
        array.add_event(cl.enqueue_fill_buffer(queue, array.base_data, np.uint8(byte), array.offset, array.nbytes))
    return array


def uploaded(queue: cl.CommandQueue, values: np.ndarray) -> Array:
    """A few numbers for one call. Unlike a write this waits for nothing."""
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return Array(queue, values.shape, values.dtype, data=cl.Buffer(queue.context, flags, hostbuf=values))


def shares(x: Elements, out: Any) -> bool:
    """Is a buffer among both?"""
    def buffers(elements: Any) -> set:
        return {array.base_data.int_ptr for array in members(elements) if array.base_data is not None}
    return bool(buffers(x) & buffers(out))
