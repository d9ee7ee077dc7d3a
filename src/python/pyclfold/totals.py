# SPDX-License-Identifier: MIT
"""Types of sums and products. Those of booleans and of integers of 8 and 16 bits are of 64 bits, as in NumPy."""
from typing import Any, Dict, Mapping, Optional

import numpy as np
from pyopencl.array import Array

from ._library import OPS
from .arrays import Described, Elements
from .dtypes import Fields, FieldsLike, is_array

_NUMPY = {np.add: "sum", np.multiply: "product", np.minimum: "min", np.maximum: "max", np.fmin: "min", np.fmax: "max",
          np.bitwise_and: "and", np.bitwise_or: "or", np.bitwise_xor: "xor"}
TOTALS = "sum", "product"
#: What a total is of, where it is not of its elements' type.
WIDE: Dict[np.dtype, np.dtype] = {np.dtype(narrow): np.dtype(np.uint64 if narrow[0] == "u" else np.int64)
        for narrow in ("bool", "int8", "int16", "uint8", "uint16")}


def built_in_name(op: Any) -> Optional[str]:
    """The name of a built-in operator, if it is one: "sum", or NumPy's function that does the same."""
    if isinstance(op, str):
        return op if op in OPS else None
    return _NUMPY.get(op) if isinstance(op, np.ufunc) else None


def total_dtype(name: Optional[str], dtype: np.dtype) -> np.dtype:
    """The type of totals of such elements, under the built-in operator of this name.

    >>> from pyclfold.totals import total_dtype
    >>> total_dtype("sum", np.dtype("u1")), total_dtype("max", np.dtype("u1")), total_dtype("sum", np.dtype("i4"))
    (dtype('uint64'), dtype('uint8'), dtype('int32'))
    """
    if name not in TOTALS:
        return dtype
    wide = WIDE.get(dtype.base, dtype.base)
    return np.dtype((wide, dtype.shape)) if is_array(dtype) else wide


def total_fields(name: Optional[str], fields: Fields) -> Fields:
    """The same of each field."""
    return tuple((field, total_dtype(name, dtype)) for field, dtype in fields)


def asked(op: Any, described: Described, dtype: Optional[FieldsLike], out: Optional[Elements]) -> Optional[FieldsLike]:
    """`dtype`; or the types of `out`, where sums and products have others. None: as usual."""
    name = built_in_name(op)
    if dtype is not None or out is None or name not in TOTALS:
        return dtype
    if isinstance(described, np.dtype):
        return out.dtype if isinstance(out, Array) and out.dtype != total_dtype(name, described) else None
    usual = total_fields(name, described)
    if isinstance(out, Array) or len(out) != len(usual):
        return None
    arrays = [out.get(field) for field, _ in usual] if isinstance(out, Mapping) else out
    found = tuple((field, getattr(array, "dtype", None)) for (field, _), array in zip(usual, arrays))
    return None if found == usual else found
