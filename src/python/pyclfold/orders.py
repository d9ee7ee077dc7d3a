# SPDX-License-Identifier: MIT
"""The order of elements where nobody says another: that of `sort`."""
from .arrays import Described
from .dtypes import SINGLE, fields_of


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
    return f"{a} < {b} || ({a} == {a} && {b} != {b})" if dtype.kind == "f" else f"{a} < {b}"
