# SPDX-License-Identifier: MIT
"""NumPy's dtypes as OpenCL's types, and lists of fields."""
import functools
from typing import Any, Dict, Mapping, Sequence, Tuple, Union

import numpy as np
from pyopencl import cltypes

from ._library import MAX_FIELDS, TYPES, lib

#: What describes the fields of a tuple: one dtype, a structured dtype, {name: dtype}, or [(name, dtype)].
FieldsLike = Union[np.dtype, str, type, Mapping[str, Any], Sequence[Tuple[str, Any]]]
#: What describes one type.
Scalar = Union[np.dtype, str, type]
Fields = Tuple[Tuple[str, np.dtype], ...]

SINGLE = "v"  # the field of elements that are no tuples
#: Complex numbers are vectors of a real and an imaginary part.
COMPLEX: Dict[np.dtype, str] = {np.dtype(np.complex64): "float2", np.dtype(np.complex128): "double2"}


@functools.lru_cache(maxsize=None)
def _vectors() -> Dict[np.dtype, str]:
    """OpenCL's vectors by PyOpenCL's dtypes of them. (Vectors of 3 are those of 4 there, and no fields here.)"""
    names = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "double")
    return {getattr(cltypes, f"{name}{count}"): f"{name}{count}" for name in names for count in (2, 4, 8, 16)}


def scalar_type(dtype: np.dtype) -> int:
    """clf_type of a dtype. Booleans are bytes."""
    if dtype == np.bool_:
        return TYPES["uint8"]
    if dtype.name not in TYPES or not dtype.isnative:
        raise TypeError(f"{dtype} is no scalar type of OpenCL; there are {', '.join(TYPES)}")
    return TYPES[dtype.name]


def is_bfloat16(dtype: np.dtype) -> bool:
    """Is it the bfloat16 of ml_dtypes?"""
    return dtype.name == "bfloat16"


def is_real(dtype: np.dtype) -> bool:
    """Is it a floating-point number?"""
    return dtype.kind == "f" or is_bfloat16(dtype)


def seen(expression: str, dtype: np.dtype) -> str:
    """An element as expressions see it: a float instead of a bfloat16, of which OpenCL C sees bits."""
    return f"clf_widen({expression})" if is_bfloat16(dtype) else expression


def seen_name(dtype: np.dtype) -> str:
    """Its type in OpenCL C."""
    return "float" if is_bfloat16(dtype) else c_name(dtype)


def is_vector(dtype: np.dtype) -> bool:
    """Is it one of PyOpenCL's vector dtypes?"""
    return dtype in _vectors()


def is_struct(dtype: np.dtype) -> bool:
    """Is it a structured dtype of the caller's?"""
    return dtype.names is not None and not is_vector(dtype)


@functools.lru_cache(maxsize=None)
def c_name(dtype: np.dtype) -> str:
    """The type in OpenCL C.

    >>> from pyclfold.dtypes import c_name
    >>> c_name(np.dtype("u4")), c_name(cl.cltypes.float4), c_name(np.dtype("c8"))
    ('uint', 'float4', 'float2')
    """
    return _vectors().get(dtype) or COMPLEX.get(dtype) or lib.clf_type_name(scalar_type(dtype)).decode()


def is_array(dtype: np.dtype) -> bool:
    """Is a field of it an array, as of np.dtype(("f4", 10))?"""
    return dtype.subdtype is not None


def length_of(dtype: np.dtype) -> int:
    """How many scalars an array field has."""
    return dtype.itemsize // dtype.base.itemsize


def element_dtype(dtype: np.dtype) -> np.dtype:
    """What an element is moved as: an array as a whole."""
    return np.dtype((np.void, dtype.itemsize)) if is_array(dtype) else dtype


def is_name(text: str) -> bool:
    """Can it be a field's name in OpenCL C?"""
    return text.isidentifier() and text.isascii()


def fields_of(described: FieldsLike) -> Fields:
    """The list of fields that a description stands for.

    >>> from pyclfold.dtypes import fields_of
    >>> fields_of({"key": "u4", "x": "f4"})
    (('key', dtype('uint32')), ('x', dtype('float32')))
    """
    if isinstance(described, Mapping):
        pairs = list(described.items())
    elif isinstance(described, (list, tuple)):
        pairs = list(described)
    else:
        dtype = np.dtype(described)
        pairs = [(name, dtype[name]) for name in dtype.names] if is_struct(dtype) else [(SINGLE, dtype)]
    fields = tuple((str(name), np.dtype(dtype)) for name, dtype in pairs)
    for name, dtype in fields:
        if not is_name(name):
            raise ValueError(f"{name!r} cannot be the name of a field in OpenCL C")
        c_name(dtype.base)
    if len({name for name, _ in fields}) != len(fields):
        raise ValueError(f"names of fields are not distinct: {[name for name, _ in fields]}")
    if len(fields) > MAX_FIELDS:
        raise ValueError(f"{len(fields)} fields; there are at most {MAX_FIELDS}")
    return fields


def declaration(fields: Fields) -> str:
    """Fields as members of a struct: what clf_operator wants.

    >>> from pyclfold.dtypes import declaration
    >>> declaration(fields_of({"n": "u4", "a": ("f4", 10)}))
    'uint n; float a[10];'
    """
    def length(dtype: np.dtype) -> str:
        return f"[{length_of(dtype)}]" if is_array(dtype) else ""
    return " ".join(f"{c_name(dtype.base)} {name}{length(dtype)};" for name, dtype in fields)


def struct_dtype(fields: Fields) -> np.dtype:
    """Fields laid out as by a C compiler."""
    return np.dtype(list(fields), align=True)


def fitting(value: Any, dtype: np.dtype) -> Any:
    """The number, if the type has it, or one next to it if the type is floating.

    >>> from pyclfold.dtypes import fitting
    >>> fitting(3.0, np.dtype("u1"))
    3
    >>> fitting(-1, np.dtype("u1"))
    Traceback (most recent call last):
    ...
    ValueError: -1 is no uint8
    """
    if dtype.kind in "iub":
        whole = isinstance(value, (bool, int, np.integer, np.bool_)) or float(value).is_integer()
        least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        if not whole or not least <= int(value) <= most:
            raise ValueError(f"{value} is no {dtype}")
        return int(value)
    if dtype.kind == "c":
        part, number = _part(dtype), complex(value)
        return complex(fitting(number.real, part), fitting(number.imag, part))
    if dtype.kind == "f" and np.isfinite(float(value)) and abs(float(value)) > float(np.finfo(dtype).max):
        raise ValueError(f"{value} is no {dtype}")
    return value


def literal(value: Any, dtype: np.dtype) -> str:
    """A number as OpenCL C, exactly. Strings are expressions already. (A complex one must be a vector: a real number
    would become both of its parts.)

    >>> from pyclfold.dtypes import literal
    >>> literal(-np.inf, np.dtype("f4")), literal(0, np.dtype("i4")), literal("FLT_MAX", np.dtype("f4"))
    ('(float)(-INFINITY)', '(int)(0)', '(FLT_MAX)')
    >>> literal(2j, np.dtype("c8")), literal("a + b", np.dtype("c8"))
    ('(float2)((float)(0x0.0p+0f), (float)(0x1.0000000000000p+1f))', '(convert_float2(a + b))')
    """
    if dtype in COMPLEX:
        return _complex_literal(value, dtype)
    if is_bfloat16(dtype):
        return f"clf_narrow({literal(value if isinstance(value, str) else float(value), np.dtype(np.float32))})"
    if isinstance(value, str):
        return f"({value})"
    name, value = c_name(dtype), fitting(value, dtype)
    if isinstance(value, (bool, int, np.integer, np.bool_)):
        number = int(value)
        least = -2**63
        if not least <= number < 2**64:
            raise ValueError(f"{number} fits no type of OpenCL")
        text = f"{number}UL" if number >= 2**63 else "LONG_MIN" if number == least else str(number)
        return f"({name})({text})"
    number = float(value)
    if np.isnan(number):
        return f"({name})(NAN)"
    if np.isinf(number):
        return f"({name})({'-' if number < 0 else ''}INFINITY)"
    suffix = "" if "double" in name else "f"
    text = (number if not suffix else float(np.float32(number))).hex()
    return f"({name})({text}{suffix})"


def _part(dtype: np.dtype) -> np.dtype:
    """The type of both parts of a complex number."""
    return np.empty(0, dtype).real.dtype


def _complex_literal(value: Any, dtype: np.dtype) -> str:
    name = c_name(dtype)
    if isinstance(value, str):
        return f"(convert_{name}({value}))"
    number, part = complex(value), _part(dtype)
    return f"({name})({literal(number.real, part)}, {literal(number.imag, part)})"


def conversion(expression: str, dtype: np.dtype, wanted: np.dtype) -> str:
    """The expression, of one type, as what `literal` makes another type of.

    >>> from pyclfold.dtypes import conversion
    >>> conversion("x", np.dtype("f4"), np.dtype("c8")), conversion("x", np.dtype("f4"), np.dtype("i4"))
    ('(float2)(x, 0)', 'x')
    """
    if dtype in COMPLEX and wanted not in COMPLEX:
        raise TypeError(f"{dtype} is not converted to {wanted}: say by map= which part")
    return f"({c_name(wanted)})({expression}, 0)" if wanted in COMPLEX and dtype not in COMPLEX else expression
