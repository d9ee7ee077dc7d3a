# SPDX-License-Identifier: MIT
"""Plans for one array, for rows, or for segments of any lengths."""
import ctypes
from typing import Any, Mapping, Optional, Tuple

import pyopencl as cl
from pyopencl.array import Array

from ._library import lib
from .arrays import Elements, queue_of, whole
from .operators import Operator
from .plans import OperatorPlan, Wanted, Where
from .segments import checked, segmentation
from .shapes import Lines, has_lines, lines_of


class SegmentedPlan(OperatorPlan):
    """`names` are those of the C functions for one array (None), for "rows", and for "segments" told by an array."""

    def __init__(self, where: Where, names: Mapping[Optional[str], str], operator: Operator, flags: int,
                 segments: Optional[str], segment_dtype: Any, variant: Optional[str],
                 parameters: Optional[str], wanted: Wanted = None) -> None:
        before: Tuple[Any, ...] = ()
        name = names.get(segments) if segments != "segments" else None
        if name is None:
            told = segmentation(str(segments), segment_dtype)
            name, before = names["segments"], (ctypes.addressof(told),)
        super().__init__(where, name + "_plan", operator, flags, variant, parameters, before, wanted)
        self._function = getattr(lib, name)
        self.segments, self._segment_dtype = segments, segment_dtype

    def extent(self, x: Elements, n: Optional[int], queue: Optional[cl.CommandQueue], segments: Optional[Array],
               axis: Optional[int] = None) -> Tuple[Optional[Array], cl.CommandQueue, int, Tuple[int, ...],
                                                    Tuple[int, ...], tuple, Optional[Lines]]:
        """What a call is given: an array of the elements, the queue, how many elements there are, the shape of results of
        so many, the sizes that the C function wants, the array that tells segments, as a group, if one does, and the
        lines of a plan for rows."""
        like = self.like_if_any(x)
        if queue is None:
            queue = queue_of(like, None)
        size = like.size if like is not None else whole(n or 0, "n")
        shape = like.shape if like is not None else (size,)
        if self.segments == "rows":
            lines = lines_of(shape, -1 if axis is None else axis)
            return like, queue, size, shape, lines.sizes, (), lines
        if axis is not None and has_lines(shape, axis):
            raise ValueError(f"axis {axis} is for a plan that is made with segments=\"rows\"")
        if self.segments is None:
            return like, queue, size, (size,), (size,), (), None
        told = checked(self.segments, self._segment_dtype, segments, size)
        return like, queue, size, (size,), (size, told.count(size)), ((told.array,),), None
