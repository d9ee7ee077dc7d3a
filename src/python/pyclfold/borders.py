# SPDX-License-Identifier: MIT
"""Where the bins of a histogram begin and end, and the OpenCL C that finds an element's bin."""
import builtins
from math import gcd
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from .arrays import check, uploaded
from .dtypes import c_name

Number = Union[int, float]
_MASK = 2**64 - 1

# Each finds the bin of x, ~0 if there is none, from captured arrays: `sizes`, of ulong; `ends`, the least and the
# largest number that has a bin, and a factor; `edges`, where each bin begins; and `line`, a factor and what is added.
# Without branches compilers for CPUs make vectors of them. (Of what is far away, or not a number, the integer may be
# anything: it is not looked at.)
_HEAD = """uint cf_bin(const TYPE given, const clf_captured *c)
{
    const NUMBER x = given;
    const uint last = (uint)c->sizes[0] - 1;
    if (!(x >= c->ends[0] && x <= c->ends[1]))
        return ~0u;
"""
# All work-items take as many steps: the first edge that is left is not above x.
_SEARCH = _HEAD + """    uint bin = 0;
    for (uint left = last + 1; left > 1; left -= left / 2)
        bin += c->edges[bin + left / 2] <= x ? left / 2 : 0;
    return bin;
}
"""
# Nearly even edges: a product tells the bin, or one beside it, and the edges which. The last one is NaN.
_GUESS = """uint cf_bin(const TYPE given, const clf_captured *c)
{
    const NUMBER x = given;
    const uint guess = min((uint)(int)((x - c->ends[0]) * c->ends[2]), (uint)c->sizes[0] - 1);
    const uint bin = guess + (x >= c->edges[guess + 1] ? 1u : 0u) - (x < c->edges[guess] ? 1u : 0u);
    return x >= c->ends[0] && x <= c->ends[1] ? bin : ~0u;
}
"""
# Integers: floor((x - begin) * bins / width). All these are multiples of gcd / width, and half of that is added, so that
# a product of enough bits rounds to none but the right one.
_ROUND = """uint cf_bin(const TYPE x, const clf_captured *c)
{
    const REAL at = (REAL)(SIGNED)((UNSIGNED)x - (UNSIGNED)c->sizes[1]) * c->line[0] + c->line[1];
    return x >= c->ends[0] && x <= c->ends[1] ? min((uint)(int)at, (uint)c->sizes[0] - 1) : ~0u;
}
"""
# Where a product has too few bits: floor((x - begin) * bins / width), in integers. The first product is that, or one
# less, and a second one tells.
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
    edges: Optional[Array] = None  # what clf_array_histogram_edges takes

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
          edges: Optional[np.ndarray] = None, line: Optional[np.ndarray] = None, **words: str) -> Borders:
    number = _number(dtype)
    for word, meaning in dict(words, TYPE=c_name(dtype), NUMBER=c_name(number)).items():
        text = text.replace(word, meaning)
    arrays = [("sizes", np.array(sizes, np.uint64)), ("line", line), ("ends", np.array(ends, number)),
              ("edges", None if edges is None else edges.astype(number))]
    return Borders(bins, text, tuple((name, array) for name, array in arrays if array is not None))


def _exactly(value: Any, what: str) -> Number:
    """An end as a Python number: an integer, if it is one."""
    if isinstance(value, (bool, int, np.integer, np.bool_)):
        return int(value)
    number = float(value)
    if not np.isfinite(number):
        raise ValueError(f"{what} is {number}, and no finite number")
    return int(number) if number.is_integer() else number


def of_range(bins: int, range: Sequence[Any], dtype: np.dtype, closed: bool, doubles: bool) -> Borders:
    """So many bins of equal width, for a device that has `doubles` or not."""
    try:
        low, high = (_exactly(end, "an end of the range") for end in range)
    except TypeError:
        raise TypeError(f"a range is two numbers, not {range!r}") from None
    if not low < high:
        raise ValueError(f"no range: {low} to {high}")
    if _number(dtype).kind == "f":
        return _of_float_range(bins, float(low), float(high), dtype, closed)
    if isinstance(low, int) and isinstance(high, int):
        if high - low < 2**64 and bins < 2**32:
            return _of_integer_range(bins, low, high, dtype, closed, doubles)
        edges: Any = [low - (low - high) * k // bins for k in builtins.range(bins + 1)]
    else:
        edges = np.linspace(low, high, bins + 1).tolist()
    return _of_integers(edges, dtype, closed)


def _of_integer_range(bins: int, low: int, high: int, dtype: np.dtype, closed: bool, doubles: bool) -> Borders:
    width = high - low
    ends, begin = _ends_of_integers(low, high if closed else high - 1, dtype), low & _MASK
    steps = width // gcd(width, bins)
    for real, precision in ((np.float32, 24), (np.float64, 53))[:1 + doubles]:
        if 2 * bins * steps < 2**(precision - 2) and bins < 2**31:
            kind = "int" if width < 2**31 else "long"
            return _made(bins, _ROUND, dtype, [bins, begin], ends, line=np.array([bins / width, 0.5 / steps], real),
                         REAL=c_name(np.dtype(real)), UNSIGNED="u" + kind, SIGNED=kind)
    narrow = width < 2**32 and bins < 2**31
    bits = 32 if narrow else 64
    shift = bits - width.bit_length()
    scale = (bins << (bits if narrow else 95)) // (width << shift)
    return _made(bins, _EXACT, dtype, [bins, begin, width, shift, scale], ends,
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
        return _made(bins, _GUESS, dtype, [bins], [*ends, scale], np.append(rounded[:-1], np.nan))
    return _made(bins, _SEARCH, dtype, [bins], ends, rounded)


def _ends_of_floats(edges: np.ndarray, closed: bool) -> Tuple[Any, Any]:
    """The least and the largest number in bins with these edges."""
    return edges[0], edges[-1] if closed else np.nextafter(edges[-1], edges.dtype.type(-np.inf))


def of_numbers(edges: Any, dtype: np.dtype, closed: bool) -> Union[Borders, np.ndarray]:
    """Bins with edges that the host knows; of floating types the edges as an array of that type."""
    array = np.asarray(edges)
    if array.ndim != 1 or array.size < 2 or array.dtype.kind not in "biuf":
        raise ValueError("edges are two or more numbers in one dimension")
    if not (array[1:] >= array[:-1]).all():
        raise ValueError("edges do not ascend")
    if _number(dtype).kind != "f":
        return _of_integers(array.tolist(), dtype, closed)
    with np.errstate(over="ignore"):
        return array.astype(dtype)


def of_array(edges: Array, dtype: np.dtype, closed: bool) -> Borders:
    """Bins with edges that lie on the device."""
    check(edges, dtype, None, "the edges")
    if edges.ndim != 1 or edges.size < 2:
        raise ValueError("edges are two or more numbers in one dimension")
    made = _made(edges.size - 1, _ON_DEVICE, dtype, [edges.size - 1], [], LESS="<=" if closed else "<")
    return made._replace(arrays=(made.arrays[0], ("edges", edges)), edges=edges)
