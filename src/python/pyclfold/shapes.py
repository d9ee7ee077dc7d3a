# SPDX-License-Identifier: MIT
"""Rows of arrays of more dimensions."""
from typing import Optional, Tuple


def rows_of(shape: Tuple[int, ...], axis: Optional[int] = -1) -> Tuple[int, int]:
    """(count, size): rows of the last axis. Another axis is an error: its elements are not neighbours.

    >>> from pyclfold.shapes import rows_of
    >>> rows_of((2, 3, 5))
    (6, 5)
    """
    if axis not in (-1, len(shape) - 1):
        raise ValueError(f"axis {axis} of {len(shape)}: only the last axis is one of rows (transpose turns a matrix)")
    count = 1
    for extent in shape[:-1]:
        count *= extent
    return count, shape[-1]
