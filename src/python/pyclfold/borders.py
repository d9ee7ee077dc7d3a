# SPDX-License-Identifier: MIT
"""Where the bins of a histogram begin and end, and the OpenCL C that finds an element's bin."""
import builtins
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from .arrays import check, uploaded
from .dtypes import c_name

Number = Union[int, float]
_MASK = 2**64 - 1

# Each finds the bin of x, ~0 if there is none, from captured arrays: `sizes`, of ulong; `ends`, the least and the
# largest number that has a bin; and `edges`, where each bin begins. A comparison comes first: what is far away, or not
# a number, has no integer.
_HEAD = """uint cf_bin(const TYPE given, const clf_captured *c)
{
    const NUMBER x = given;
    const uint last = (uint)c->sizes[0] - 1;
    if (!(x >= c->ends[0] && x <= c->ends[1]))
        return ~0u;
"""
_SEARCH = _HEAD + """    uint low = 0, high = last + 1;
    while (high - low > 1) {
        const uint middle = low + (high - low) / 2;
        if (x >= c->edges[middle])
            low = middle;
        else
            high = middle;
    }
    return low;
}
"""
# Nearly even edges: a product tells the bin, and where it is near an edge, the edges do.
_GUESS = _HEAD + """    const NUMBER at = (x - c->ends[0]) * c->ends[2];
    uint bin = min((uint)at, last);
    const NUMBER part = at - (NUMBER)bin;
    if (part < c->ends[3] || part > 1 - c->ends[3]) {
        while (bin > 0 && x < c->edges[bin])
            bin--;
        while (bin < last && x >= c->edges[bin + 1])
            bin++;
    }
    return bin;
}
"""
# Integers: floor((x - begin) * bins / width), exactly. The first product is that, or one less, and a second one tells.
_EXACT = _HEAD + """    const UNSIGNED offset = (UNSIGNED)x - (UNSIGNED)c->sizes[1], width = (UNSIGNED)c->sizes[2];
    const uint bin = (uint)(mul_hi((UNSIGNED)(offset << c->sizes[3]), (UNSIGNED)c->sizes[4]) >> SHIFT);
    return min(bin + (NEXT ? 1u : 0u), last);
}
"""
_NEXT_NARROW = "(ulong)(bin + 1) * width <= (ulong)offset * (last + 1)"
_NEXT_WIDE = ("mul_hi((ulong)bin + 1, width) < mul_hi(offset, (ulong)last + 1) || "
              "(mul_hi((ulong)bin + 1, width) == mul_hi(offset, (ulong)last + 1) && "
              "((ulong)bin + 1) * width <= offset * ((ulong)last + 1))")
# Edges on the device, which the host does not know.
_ON_DEVICE = _SEARCH.replace("x >= c->ends[0] && x <= c->ends[1]", "x >= c->edges[0] && x LESS c->edges[last + 1]")


class Borders(NamedTuple):
    """What tells the bins of elements."""
    bins: int
    source: str
    arrays: Tuple[Tuple[str, Any], ...]  # captured arrays by names: of NumPy, or on the device

    @property
    def fields(self) -> Dict[str, np.dtype]:
        return {name: array.dtype for name, array in self.arrays}

    def upload(self, queue: cl.CommandQueue) -> Dict[str, Array]:
        """The arrays on the device: those of NumPy in one buffer."""
        host = [array for _, array in self.arrays if not isinstance(array, Array)]  # of 8 bytes an element at first
        buffer = uploaded(queue, np.frombuffer(b"".join(one.tobytes() for one in host), "u1")).base_data
        found, at = {}, 0
        for name, array in self.arrays:
            if isinstance(array, Array):
                found[name] = array
                continue
            found[name] = Array(queue, array.shape, array.dtype, data=buffer, offset=at)
            at += array.nbytes
        return found


def _number(dtype: np.dtype) -> np.dtype:
    """What elements are compared as."""
    if dtype == np.bool_:
        return np.dtype(np.uint8)
    if dtype.kind not in "iuf":
        raise TypeError(f"there is no histogram of {dtype}")
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def _made(bins: int, text: str, dtype: np.dtype, sizes: Sequence[int], ends: Sequence[Any],
          edges: Optional[np.ndarray] = None, **words: str) -> Borders:
    number = _number(dtype)
    for word, meaning in dict(words, TYPE=c_name(dtype), NUMBER=c_name(number)).items():
        text = text.replace(word, meaning)
    arrays: List[Tuple[str, Any]] = [("sizes", np.array(sizes, np.uint64)), ("ends", np.array(ends, number))]
    if edges is not None:
        arrays.append(("edges", edges.astype(number)))
    return Borders(bins, text, tuple(arrays))


def _exactly(value: Any, what: str) -> Number:
    """An end as a Python number: an integer, if it is one."""
    if isinstance(value, (bool, int, np.integer, np.bool_)):
        return int(value)
    number = float(value)
    if not np.isfinite(number):
        raise ValueError(f"{what} is {number}, and no finite number")
    return int(number) if number.is_integer() else number


def of_range(bins: int, range: Sequence[Any], dtype: np.dtype, closed: bool) -> Borders:
    """So many bins of equal width."""
    low, high = (_exactly(end, "an end of the range") for end in range)
    if not low < high:
        raise ValueError(f"no range: {low} to {high}")
    if _number(dtype).kind == "f":
        return _of_float_range(bins, float(low), float(high), dtype, closed)
    if isinstance(low, int) and isinstance(high, int):
        if high - low < 2**64 and bins < 2**32:
            return _exact(bins, low, high, dtype, closed)
        edges: Any = [low - (low - high) * k // bins for k in builtins.range(bins + 1)]
    else:
        edges = np.linspace(low, high, bins + 1).tolist()
    return _of_integers(edges, dtype, closed)


def _exact(bins: int, low: int, high: int, dtype: np.dtype, closed: bool) -> Borders:
    width = high - low
    narrow = width < 2**32 and bins < 2**31
    bits = 32 if narrow else 64
    shift = bits - width.bit_length()
    scale = (bins << (bits if narrow else 95)) // (width << shift)
    return _made(bins, _EXACT, dtype, [bins, low & _MASK, width, shift, scale],
                 _ends_of_integers(low, high if closed else high - 1, dtype),
                 NEXT=_NEXT_NARROW if narrow else _NEXT_WIDE, UNSIGNED="uint" if narrow else "ulong",
                 SHIFT="0" if narrow else "31")


def _ends_of_integers(first: int, last: int, dtype: np.dtype) -> Tuple[int, int]:
    """The least and the largest of a type's integers from first to last; (1, 0) if there are none."""
    info = np.iinfo(_number(dtype))
    first, last = max(first, int(info.min)), min(last, int(info.max))
    return (first, last) if first <= last else (1, 0)


def _of_integers(edges: Sequence[Number], dtype: np.dtype, closed: bool) -> Borders:
    """Integers in bins with any edges: each begins with the next integer."""
    far = 2**70  # what stands for infinity
    starts = [far if edge == np.inf else -far if edge == -np.inf else -int(-edge // 1) for edge in edges]
    last = starts[-1] if closed and starts[-1] == edges[-1] else starts[-1] - 1
    ends = _ends_of_integers(starts[0], last, dtype)
    least, bins = int(np.iinfo(_number(dtype)).min), len(starts) - 1
    reached = [max(start, least) for start in starts[:-1] if start <= ends[1]] or [least]  # by integers of the type
    return _made(bins, _SEARCH, dtype, [len(reached)], ends, np.array(reached, _number(dtype)))


def _of_float_range(bins: int, low: float, high: float, dtype: np.dtype, closed: bool) -> Borders:
    number = _number(dtype)
    with np.errstate(over="ignore"):
        edges = np.linspace(low / 2, high / 2, bins + 1) * 2 if np.isinf(high - low) else np.linspace(
            low, high, bins + 1)
        rounded = np.maximum.accumulate(np.minimum(edges, high)).astype(dtype).astype(number)
        scale, most = number.type(bins / (high - low)), max(abs(low), abs(high))
    if not rounded[0] < rounded[-1]:
        raise ValueError(f"{low} to {high} is no range of {dtype}: both are {rounded[0]}")
    tiny, precise = float(np.finfo(number).tiny), float(np.finfo(number).eps)
    near = bins * (4 + most / (high - low)) * max(precise, float(np.finfo(dtype).eps)) if high - low < np.inf else np.inf
    ends = _ends_of_floats(rounded, closed)
    ends = max(ends[0], np.finfo(number).min), min(ends[1], np.finfo(number).max)  # infinities are in no finite range
    if near < 0.25 and tiny < scale < np.inf and high - low > tiny and 4 * most < float(np.finfo(number).max):
        return _made(bins, _GUESS, dtype, [bins], [*ends, scale, number.type(near)], rounded)
    return _made(bins, _SEARCH, dtype, [bins], ends, rounded)


def _ends_of_floats(edges: np.ndarray, closed: bool) -> Tuple[Any, Any]:
    """The least and the largest number in bins with these edges."""
    return edges[0], edges[-1] if closed else np.nextafter(edges[-1], edges.dtype.type(-np.inf))


def of_numbers(edges: Any, dtype: np.dtype, closed: bool) -> Borders:
    """Bins with edges that the host knows."""
    array = np.asarray(edges)
    if array.ndim != 1 or array.size < 2 or array.dtype.kind not in "biuf":
        raise ValueError("edges are two or more numbers in one dimension")
    if not (array[1:] >= array[:-1]).all():
        raise ValueError("edges do not ascend")
    if _number(dtype).kind != "f":
        return _of_integers(array.tolist(), dtype, closed)
    with np.errstate(over="ignore"):
        rounded = array.astype(dtype).astype(_number(dtype))
    return _made(array.size - 1, _SEARCH, dtype, [array.size - 1], _ends_of_floats(rounded, closed), rounded)


def of_array(edges: Array, dtype: np.dtype, closed: bool) -> Borders:
    """Bins with edges that lie on the device."""
    check(edges, dtype, None, "the edges")
    if edges.ndim != 1 or edges.size < 2:
        raise ValueError("edges are two or more numbers in one dimension")
    made = _made(edges.size - 1, _ON_DEVICE, dtype, [edges.size - 1], [], LESS="<=" if closed else "<")
    return made._replace(arrays=(made.arrays[0], ("edges", edges)))
