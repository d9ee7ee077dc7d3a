# SPDX-License-Identifier: MIT
"""Axes of arrays of more dimensions."""
from operator import index
from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

#: What NumPy raises for an axis that an array does not have: a ValueError and an IndexError.
AxisError = getattr(np, "exceptions", np).AxisError


class Lines(NamedTuple):
    """The lines of elements along an axis: `outer` times `inner` lines of `size` elements, which lie `inner` apart."""
    outer: int
    size: int
    inner: int

    @property
    def sizes(self) -> Tuple[int, int]:
        """(count, size), as the C functions for rows take them."""
        return self.outer * self.inner, self.size


def place(axis: Any, dimensions: int) -> int:
    """The axis counted from the first on. An array without dimensions is one of a single element.

    >>> from pyclfold.shapes import place
    >>> place(-1, 3)
    2
    >>> place(3, 3)
    Traceback (most recent call last):
    ...
    numpy...AxisError: axis 3 is out of bounds for array of dimension 3
    """
    try:
        axis = index(axis)
    except TypeError:
        raise TypeError(f"axis is an integer (or None), not {axis!r}") from None
    count = max(dimensions, 1)
    if not -count <= axis < count:
        raise AxisError(axis, dimensions)
    return axis % count


def has_lines(shape: Tuple[int, ...], axis: Optional[int]) -> bool:
    """Does a call with this axis take lines, rather than all elements as one? An axis that there is not is an error."""
    return axis is not None and place(axis, len(shape)) >= 0 and len(shape) > 1


def lines_of(shape: Tuple[int, ...], axis: int = -1) -> Lines:
    """The lines along an axis.

    >>> from pyclfold.shapes import lines_of
    >>> lines_of((2, 3, 5)), lines_of((2, 3, 5), axis=1)
    (Lines(outer=6, size=5, inner=1), Lines(outer=2, size=3, inner=5))
    """
    at = place(axis, len(shape))
    shape = shape or (1,)
    outer = inner = 1
    for extent in shape[:at]:
        outer *= extent
    for extent in shape[at + 1:]:
        inner *= extent
    return Lines(outer, shape[at], inner)


def with_extent(shape: Tuple[int, ...], axis: int, extent: Optional[int] = None) -> Tuple[int, ...]:
    """The shape with another number of elements along an axis, or without that axis.

    >>> from pyclfold.shapes import with_extent
    >>> with_extent((2, 3, 5), 1, 4), with_extent((2, 3, 5), 1)
    ((2, 4, 5), (2, 5))
    """
    at = place(axis, len(shape))
    return shape[:at] + (() if extent is None else (extent,)) + shape[at + 1:]
