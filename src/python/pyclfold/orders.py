# SPDX-License-Identifier: MIT
"""The order of elements where nobody says another: that of `sort`."""
from .arrays import Described
from .dtypes import SINGLE, fields_of, is_real, seen


def rising(described: Described) -> str:
    """The expression that says that element `a` comes before `b`: NaNs come last, and tuples and structs are compared
    by their first field.

    >>> from pyclfold.orders import rising
    >>> rising(np.dtype("i4")), rising((("key", np.dtype("f4")), ("x", np.dtype("i4"))))
    ('a < b', 'a.key < b.key || (a.key == a.key && b.key != b.key)')
    """
    fields = fields_of(described)
    if not fields:
        return "false"
    name, dtype = fields[0]
    a, b = ("a", "b") if name == SINGLE and len(fields) == 1 else (f"a.{name}", f"b.{name}")
    if name != SINGLE or len(fields) > 1:
        a, b = seen(a, dtype), seen(b, dtype)
    if dtype.kind == "c":
        return _rising_complex(a, b)
    return f"{a} < {b} || ({a} == {a} && {b} != {b})" if is_real(dtype) else f"{a} < {b}"


def _rising_complex(a: str, b: str) -> str:
    """By the real parts, then by the imaginary ones; NaNs where numpy.sort has them."""
    whole, behind = f"{a}.y == {a}.y", f"{b}.y != {b}.y"
    return (f"{a}.x < {b}.x ? {whole} || {behind} : {a}.x > {b}.x ? {whole} && {behind} : "
            f"{a}.x == {b}.x || ({a}.x != {a}.x && {b}.x != {b}.x) ? {a}.y < {b}.y || ({whole} && {behind}) : "
            f"{b}.x != {b}.x")
