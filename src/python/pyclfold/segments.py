# SPDX-License-Identifier: MIT
"""How segments of any lengths are told to scans, reductions and sorts."""
import ctypes
from typing import Any, NamedTuple, Optional

import numpy as np
from pyopencl.array import Array

from ._library import BY_BITS, BY_FLAGS, BY_KEYS, BY_LENGTHS, BY_OFFSETS, TYPES, Segmentation
from .arrays import check, segment_array
from .dtypes import scalar_type

KINDS = {"flags": BY_FLAGS, "bits": BY_BITS, "offsets": BY_OFFSETS, "lengths": BY_LENGTHS, "keys": BY_KEYS}
_DEFAULTS = {"flags": np.uint8, "bits": np.uint32}
_UNSIGNED = {np.dtype(np.int32): np.dtype(np.uint32), np.dtype(np.int64): np.dtype(np.uint64)}


class Segments(NamedTuple):
    """Segments, and the array that tells where they are."""
    kind: str
    array: Array

    @property
    def key(self) -> tuple:
        """What plans are kept by."""
        return self.kind, self.array.dtype

    def count(self, n: int) -> int:
        """The number of segments where the host knows it; of others the most there can be."""
        if self.kind == "offsets":
            return max(self.array.size - 1, 0)
        return self.array.size if self.kind == "lengths" else n


def checked(kind: str, dtype: Any, array: Optional[Array], n: int) -> Segments:
    """The segments of a call of a plan that was made for this kind and dtype. Raises if they cannot be n elements'."""
    if array is None:
        raise ValueError(f"the plan wants segments=, an array of {kind}")
    check(array, np.dtype(dtype if dtype is not None else _DEFAULTS.get(kind, np.uint32)), None, kind)
    least = {"flags": n, "keys": n, "bits": (n + 31) // 32, "offsets": 1 if n else 0, "lengths": 0}[kind]
    if array.size < least:
        raise ValueError(f"{kind} has {array.size} elements, and {least} are wanted")
    return Segments(kind, array)


def given(offsets: Optional[Array] = None, lengths: Optional[Array] = None, keys: Optional[Array] = None,
          flags: Optional[Array] = None, bits: Optional[Array] = None,
          axis: Optional[int] = None) -> Optional[Segments]:
    """The one description of segments that is there, if any."""
    if offsets is lengths is keys is flags is bits is None:
        return None
    found = [(kind, array) for kind, array in (("offsets", offsets), ("lengths", lengths), ("keys", keys),
                                               ("flags", flags), ("bits", bits)) if array is not None]
    if len(found) > 1:
        raise ValueError(f"segments are told twice: by {' and by '.join(kind for kind, _ in found)}")
    if axis is not None:
        raise ValueError("segments are of all elements as one array: leave out axis=")
    kind, array = found[0]
    return Segments(kind, segment_array(array, kind))


def segmentation(kind: str, dtype: Any = None) -> Segmentation:
    """The clf_segmentation of a kind; `dtype` is that of the array."""
    if kind not in KINDS:
        raise ValueError(f"segments are told by {', '.join(KINDS)}, not by {kind}")
    wanted = _DEFAULTS.get(kind)
    dtype = np.dtype(dtype if dtype is not None else wanted or np.uint32)
    if wanted and dtype != wanted and not (kind == "flags" and dtype in (np.dtype(np.bool_), np.dtype(np.int8))):
        raise TypeError(f"{kind} are {np.dtype(wanted)}, not {dtype}")
    type_ = scalar_type(dtype)
    if kind in ("offsets", "lengths"):
        dtype = _UNSIGNED.get(dtype, dtype)
        type_ = scalar_type(dtype)
        if type_ not in (TYPES["uint32"], TYPES["uint64"]):
            raise TypeError(f"{kind} are integers of 32 or 64 bits, not {dtype}")
    elif kind == "flags":
        type_ = TYPES["uint8"]
    return Segmentation(ctypes.sizeof(Segmentation), KINDS[kind], type_)
