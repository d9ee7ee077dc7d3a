# SPDX-License-Identifier: MIT
"""What moves elements: gather, scatter, transpose, shuffle."""
from operator import index
from typing import Any, Optional, Tuple, overload

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import FROM_DEVICE, lib
from .arrays import Elements, check, describe, filled, joined, like_of, listed, new, queue_of, require_array, whole
from .calls import WaitFor, enqueue
from .contexts import context
from .dtypes import FieldsLike, declaration, element_dtype, fields_of, is_struct, scalar_type
from .operators import side_of
from .packed import vector_of
from .plans import Plan, Where, actual_array, kept

_UNSIGNED = {np.dtype(np.int32): np.dtype(np.uint32), np.dtype(np.int64): np.dtype(np.uint64)}


def index_type(dtype: Any) -> int:
    """clf_type of indices. Signed ones are taken for unsigned, so that -1 is one that there is not."""
    dtype = np.dtype(dtype)
    dtype = _UNSIGNED.get(dtype, dtype)
    if dtype not in _UNSIGNED.values():
        raise TypeError(f"indices are integers of 32 or 64 bits, not {dtype}")
    return scalar_type(dtype)


class MovePlan(Plan):
    """A compiled gather, or with `scatter` a scatter, of elements that have these fields (a structured dtype is one
    array of structs).

    >>> plan = cf.MovePlan(queue, "f4", "u4", scatter=False)
    >>> x, at = cla.to_device(queue, np.arange(5, dtype="f4")), cla.to_device(queue, np.array([3, 1], "u4"))
    >>> print(plan(x, at))
    [3. 1.]
    """

    def __init__(self, where: Where, fields: FieldsLike, index_dtype: Any, *, scatter: bool = False,
                 from_device: bool = False, variant: Optional[str] = None, parameters: Optional[str] = None) -> None:
        structs = isinstance(fields, np.dtype) and is_struct(fields)
        text = f"{vector_of(fields)} words;" if structs else declaration(fields_of(fields))
        name = "clf_scatter" if scatter else "clf_gather"
        super().__init__(where, name + "_plan", (text.encode(), index_type(index_dtype), FROM_DEVICE * from_device),
                         variant, parameters)
        self._function, self.scatter, self._side = getattr(lib, name), scatter, side_of(fields, structs)
        self._index = np.dtype(index_dtype)

    def __call__(self, x: Elements, indices: Array, out: Optional[Elements] = None, *, actual: Optional[Array] = None,
                 queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
        """Enqueues it: out[i] = x[indices[i]], or out[indices[i]] = x[i]. A gather without `out` begins with zeros."""
        queue, like = queue_of(x, queue), like_of(x, self._side, "the input")
        check(indices, self._index, like.size if self.scatter else None, "indices")
        ins = listed(x, self._side, like.size, "the input")
        if out is None and self.scatter:
            raise ValueError("a scatter needs out=: what no index names stays as it is")
        if out is None:
            # What no index reaches would else be what was in that memory before.
            outs = tuple(filled(like, queue, indices.shape, element_dtype(dtype), 0) for dtype in self._side.dtypes)
        else:
            outs = listed(out, self._side, like_of(out, self._side, "out").size if self.scatter else indices.size, "out")
        sizes = (indices.size, outs[0].size) if self.scatter else (like.size, indices.size)
        enqueue(self._function, self._handle, queue, sizes, (ins, (indices,), outs), outs, wait_for, None,
                actual_array(actual), counts=(len(ins), len(outs)))
        return joined(outs, self._side) if out is None else out


def _move(scatter: bool, x: Elements, indices: Array, out: Any, actual: Any, queue: Any, wait_for: WaitFor) -> Any:
    require_array(indices, "indices")
    queue, described = queue_of(x, queue), describe(x)
    key = (MovePlan, scatter, described, indices.dtype, actual is not None)
    plan = kept(queue, key, lambda where: MovePlan(where, described, indices.dtype, scatter=scatter,
                                                   from_device=actual is not None))
    return plan(x, indices, out, actual=actual, queue=queue, wait_for=wait_for)


@overload
def gather(x: Array, indices: Array, *, out: Optional[Array] = ..., actual: Optional[Array] = ...,
           queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Array: ...


@overload
def gather(x: Elements, indices: Array, *, out: Optional[Elements] = ..., actual: Optional[Array] = ...,
           queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Any: ...


def gather(x: Elements, indices: Array, *, out: Optional[Elements] = None, actual: Optional[Array] = None,
           queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
    """out[i] = x[indices[i]], where x is taken as flat, as in numpy.take. Where there is no such element, as for all
    negative indices, out[i] stays as it is; without `out` it is 0.

    >>> x, at = cla.to_device(queue, np.arange(5, dtype="f4")), cla.to_device(queue, np.array([3, 1, 3], "u4"))
    >>> print(cf.gather(x, at))
    [3. 1. 3.]
    >>> print(cf.gather(x + 7, cla.to_device(queue, np.array([0, -1, 4, 5], "i4"))))
    [ 7.  0. 11.  0.]
    """
    return _move(False, x, indices, out, actual, queue, wait_for)


@overload
def scatter(x: Array, indices: Array, out: Array, *, actual: Optional[Array] = ...,
            queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Array: ...


@overload
def scatter(x: Elements, indices: Array, out: Elements, *, actual: Optional[Array] = ...,
            queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...) -> Any: ...


def scatter(x: Elements, indices: Array, out: Elements, *, actual: Optional[Array] = None,
            queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None) -> Any:
    """out[indices[i]] = x[i]. An index that there is not leaves x[i] out.

    >>> x, at = cla.to_device(queue, np.array([7, 8], "i4")), cla.to_device(queue, np.array([3, 0], "u4"))
    >>> print(cf.scatter(x, at, cla.zeros(queue, 5, "i4")))
    [8 0 0 7 0]
    """
    return _move(True, x, indices, out, actual, queue, wait_for)


class TransposePlan(Plan):
    """A compiled transposition of matrices, of elements of so many bytes.

    >>> plan = cf.TransposePlan(queue, 4)
    >>> print(plan(cla.to_device(queue, np.arange(6, dtype="f4").reshape(2, 3))))
    [[0. 3.]
     [1. 4.]
     [2. 5.]]
    """

    def __init__(self, where: Where, element_bytes: int, *, variant: Optional[str] = None,
                 parameters: Optional[str] = None) -> None:
        super().__init__(where, "clf_transpose_plan", (element_bytes,), variant, parameters)
        self.element_bytes = element_bytes

    def __call__(self, x: Array, out: Optional[Array] = None, *, queue: Optional[cl.CommandQueue] = None,
                 wait_for: WaitFor = None) -> Array:
        """Enqueues it: of more dimensions than two the last two are turned."""
        require_array(x, "x")
        queue = queue_of(x, queue)
        if x.dtype.itemsize != self.element_bytes:
            raise TypeError(f"elements have {x.dtype.itemsize} bytes, and the plan is for {self.element_bytes}")
        if x.ndim < 2:
            raise ValueError("a matrix has two dimensions")
        check(x, x.dtype, None, "the input")
        *outer, rows, columns = x.shape
        if out is None:
            out = new(x, queue, (*outer, columns, rows), x.dtype)
        check(out, x.dtype, x.size, "out")
        self.matrices((int(np.prod(outer, dtype=np.int64)), rows, columns), x, out, queue, wait_for)
        return out

    def matrices(self, sizes: Tuple[int, int, int], x: Array, out: Array, queue: cl.CommandQueue,
                 wait_for: WaitFor = None) -> None:
        """Enqueues it for (batch, rows, columns), of arrays that the caller has checked."""
        enqueue(lib.clf_transpose, self._handle, queue, sizes, ((x,), (out,)), (out,), wait_for)


def transpose(x: Array, *, out: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
              wait_for: WaitFor = None) -> Array:
    """A matrix turned, as a new array in C order; of more dimensions than two the last two are turned. Elements have 1
    to 16 bytes and may be anything.

    >>> print(cf.transpose(cla.to_device(queue, np.arange(6, dtype="i4").reshape(2, 3))))
    [[0 3]
     [1 4]
     [2 5]]
    """
    require_array(x, "x")
    queue = queue_of(x, queue)
    size = x.dtype.itemsize
    return kept(queue, (TransposePlan, size), lambda where: TransposePlan(where, size))(x, out, queue=queue,
                                                                                      wait_for=wait_for)


def _bits(seed: int) -> int:
    """A seed as 64 bits; a negative one is taken modulo 2^64."""
    try:
        number = index(seed)
    except TypeError:
        raise TypeError(f"a seed is an integer, not {type(seed).__name__}") from None
    if not -2**63 <= number < 2**64:
        raise ValueError(f"a seed has 64 bits, and {seed} has more")
    return number % 2**64


def places_type(dtype: Any, n: int) -> np.dtype:
    """The type of indices of n elements, if they fit it."""
    dtype = np.dtype(dtype)
    if dtype.kind not in "iu":
        raise TypeError(f"indices are integers, not {dtype}")
    if n > np.iinfo(dtype).max + 1:
        raise ValueError(f"{n} elements have more indices than {dtype} has")
    return dtype


def _of_context(function: Any, queue: cl.CommandQueue, sizes: Tuple[int, ...], groups: Tuple[Any, ...],
                out: Array, wait_for: WaitFor) -> Array:
    """One of the functions that take a context, and arrays by value."""
    enqueue(function, context(queue).handle, queue, sizes, groups, (out,), wait_for, by_value=True)
    return out


def shuffle(x: Array, seed: int, *, out: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
            wait_for: WaitFor = None) -> Array:
    """Elements in random order: on every device the same seed, any 64 bits, gives the same order. Arrays of more
    dimensions are taken as one, so that elements leave their rows. `out` may be `x`.

    >>> print(cf.sort(cf.shuffle(cla.to_device(queue, np.arange(5, dtype="i4")), seed=7)))
    [0 1 2 3 4]
    """
    require_array(x, "x")
    queue = queue_of(x, queue)
    out = new(x, queue, x.shape, x.dtype) if out is None else out
    check(x, x.dtype, None, "the input")
    check(out, x.dtype, x.size, "out")
    return _of_context(lib.clf_array_shuffle, queue, (scalar_type(x.dtype), x.size, _bits(seed)), ((x,), (out,)), out,
                       wait_for)


def permutation(queue: cl.CommandQueue, n: int, seed: int, *, dtype: Any = np.uint32, out: Optional[Array] = None,
                wait_for: WaitFor = None) -> Array:
    """The indices below n in random order: that in which `shuffle` puts n elements with this seed.

    >>> x = cla.to_device(queue, np.arange(5, dtype="u4"))
    >>> np.array_equal(cf.gather(x, cf.permutation(queue, 5, seed=7)).get(), cf.shuffle(x, seed=7).get())
    True
    """
    queue, n = queue_of(None, queue), whole(n, "n")
    dtype = places_type(dtype, n)
    out = new(None, queue, (n,), dtype) if out is None else out
    check(out, dtype, n, "out")
    kind = index_type(dtype)
    return _of_context(lib.clf_array_permutation, queue, (kind, n, _bits(seed)), ((out,),), out, wait_for)
