# SPDX-License-Identifier: MIT
"""Operators from names ("sum") and from expressions in OpenCL C ("a + b")."""
from typing import Any, Dict, Mapping, Optional, Tuple, Union

import numpy as np

from ._library import OPS
from .dtypes import SINGLE, Fields, FieldsLike, c_name, fields_of, is_struct, literal
from .operators import Operator

#: An expression of the fields' type, one per field, or {field: expression}; a number where it is constant.
Expression = Union[str, int, float, np.generic, Tuple[Any, ...], Mapping[str, Any]]

# What expressions see, by kind of function: V and I are values and inputs. `x`, `i` and `c` are the element, its index
# and captured arrays.
_ARGUMENTS: Dict[str, Tuple[str, Tuple[str, ...]]] = {
    "combine": ("V", ("V a", "V b")), "neutral": ("V", ()), "map": ("V", ("I x", "i")),
    "predicate": ("bool", ("I x", "i")), "same": ("bool", ("I a", "I b")), "less": ("bool", ("I a", "I b")),
    "part": ("uint", ("I x", "i")),
}
_NUMPY = {np.add: "sum", np.multiply: "product", np.minimum: "min", np.maximum: "max", np.fmin: "min", np.fmax: "max",
          np.bitwise_and: "and", np.bitwise_or: "or", np.bitwise_xor: "xor"}


def built_in_name(op: Any) -> Optional[str]:
    """The name of a built-in operator, if it is one: "sum", or NumPy's function that does the same."""
    if isinstance(op, str):
        return op if op in OPS else None
    return _NUMPY.get(op) if isinstance(op, np.ufunc) else None


def _is_single(fields: Fields) -> bool:
    return len(fields) == 1 and fields[0][0] == SINGLE


def _result(kind: str, expression: Expression, value: Fields) -> str:
    """The statement that returns an expression."""
    if kind != "V":
        return f"return ({expression});"
    if isinstance(expression, Mapping):
        missing = {name for name, _ in value} ^ set(expression)
        if missing:
            raise ValueError(f"expressions and fields differ: {sorted(missing)}")
        expression = tuple(expression[name] for name, _ in value)
    if isinstance(expression, np.void):
        expression = tuple(expression)
    if not isinstance(expression, (tuple, list)):
        if not _is_single(value) and isinstance(expression, str):
            return f"return ({expression});"
        expression = (expression,)
    if len(expression) != len(value):
        raise ValueError(f"{len(expression)} expressions for {len(value)} fields")
    members = ", ".join(literal(one, dtype) for one, (_, dtype) in zip(expression, value))
    return f"clf_value r_ = {{{members}}}; return r_;"


def _function(name: str, expression: Expression, value: Fields, input: Fields, captured: bool) -> str:
    """The function around an expression. Elements that are no tuples are seen as their one field."""
    kind, arguments = _ARGUMENTS[name]
    declared, body = [], ""
    for argument in arguments:
        if argument == "i":
            declared.append("ulong i" + (", const clf_captured *c" if captured else ""))
            continue
        letter, variable = argument.split()
        fields, struct = (value, "clf_value") if letter == "V" else (input, "clf_input")
        if _is_single(fields):
            declared.append(f"{struct} {variable}_")
            body += f"const {c_name(fields[0][1])} {variable} = {variable}_.{SINGLE}; "
        else:
            declared.append(f"{struct} {variable}")
    result = "clf_value" if kind == "V" else kind
    return f"{result} cf_{name}({', '.join(declared) or 'void'}) {{ {body}{_result(kind, expression, value)} }}\n"


def _key(expression: str, dtype: np.dtype, value: Fields) -> str:
    head = f"{c_name(dtype)} cf_key(clf_value a"
    if _is_single(value):
        return f"{head}_) {{ const {c_name(value[0][1])} a = a_.{SINGLE}; return ({expression}); }}\n"
    return f"{head}) {{ return ({expression}); }}\n"


def from_expressions(input: FieldsLike, value: Optional[FieldsLike] = None, *, captured: Optional[FieldsLike] = None,
                     source: str = "", key: Optional[Tuple[str, Any]] = None, commutative: bool = False,
                     no_index: bool = False, structs: bool = False, combine: Optional[Expression] = None,
                     **functions: Optional[Expression]) -> Operator:
    """An operator whose functions are expressions. A `combine` that is a built-in's name has it for each field.

    >>> from pyclfold.expressions import from_expressions
    >>> from_expressions({"x": "i4"}, predicate="x.x > 0")
    <Operator on int x; predicate=cf_predicate>
    """
    in_fields = fields_of(input) if not (isinstance(input, Mapping) and not input) else ()
    value_fields = in_fields if value is None else fields_of(value)
    names: Dict[str, str] = {}
    text = source + "\n" if source else ""
    built_in = built_in_name(combine)
    if built_in:
        names["combine"] = "clf_" + built_in
    elif combine is not None:
        functions = dict(functions, combine=combine)
    for name in _ARGUMENTS:
        if functions.get(name) is not None:
            text += _function(name, functions[name], value_fields, in_fields, captured is not None)
            names[name] = "cf_" + name
    unknown = set(functions) - set(_ARGUMENTS)
    if unknown:
        raise TypeError(f"no such functions: {sorted(unknown)}")
    if key is not None:
        dtype = np.dtype(key[1])
        text += _key(key[0], dtype, value_fields)
        names["key"] = f"{c_name(dtype)} cf_key"
    return Operator(in_fields and input if value is None else value, input=None if value is None else input,
                    captured=captured, source=text or None, commutative=commutative,
                    no_index=no_index, structs=structs, **names)


def operator(op: Any, input: FieldsLike, *, neutral: Optional[Expression] = None, map: Optional[Expression] = None,
             dtype: Optional[FieldsLike] = None, captured: Optional[FieldsLike] = None, source: str = "",
             commutative: bool = False, structs: bool = False) -> Operator:
    """An operator that combines, for scans, reductions and what is like them.

    op        "sum", "product", "min", "max", "and", "or" or "xor", or NumPy's function of that kind; or an associative
              expression in `a` and `b`, where a lies left of b: "a + b", "max(a, b)". Elements that are tuples have
              fields (a.x), and an expression for each field, or one of type clf_value
    input     fields of the elements that are read
    neutral   of an expression: what changes nothing on either side
    map       makes a value of each element first: an expression in `x`, its index `i`, and captured arrays `c->name`
    dtype     fields of the values that the map makes; without a map elements are converted to it
    captured  fields of arrays that the map may read anywhere
    source    OpenCL C before all that: functions and types that expressions use

    >>> cf.operator("a + b", "f4", neutral=0)
    <Operator on float v; combine=cf_combine, neutral=cf_neutral>
    >>> affine = cf.operator(("a.m * b.m", "b.m * a.c + b.c"), {"m": "u4", "c": "u4"}, neutral=(1, 0))
    >>> m, c = (cla.to_device(queue, np.array(values, "u4")) for values in ([2, 3, 4], [1, 1, 1]))
    >>> print(cf.scan({"m": m, "c": c}, affine).c)
    [ 1  4 17]
    """
    if isinstance(op, Operator):
        return op
    name = built_in_name(op)
    if name is None and not isinstance(op, (str, tuple, list, Mapping)):
        raise TypeError(f"an operator is a name, an expression or a pyclfold.Operator, not {op!r}")
    if name is None and neutral is None:
        raise ValueError(f"operator {op!r} is an expression, so it needs neutral=, what changes nothing on either side "
                         f"(built-in names are {', '.join(OPS)})")
    if name is not None and neutral is not None:
        raise ValueError(f"{name} has a neutral element of its own")
    in_fields = fields_of(input) if not (isinstance(input, Mapping) and not input) else ()
    if map is None and dtype is not None:
        out_fields = fields_of(dtype)
        if out_fields == in_fields:
            dtype = None
        elif _is_single(out_fields) and _is_single(in_fields):
            map = "x"
        else:
            raise ValueError("dtype= without map= converts elements that are no tuples, and only these")
    plain = map is None and captured is None and not source
    if name and plain and _is_single(in_fields) and not is_struct(np.dtype(in_fields[0][1])):
        if in_fields[0][1].names is None:
            return Operator.built_in(name, in_fields[0][1])
    if map is not None and dtype is None:
        dtype = in_fields
        if not in_fields:
            raise ValueError("a map of no fields needs dtype=, the fields of its results")
    return from_expressions(input, dtype if map is not None else None, combine=op, neutral=neutral, map=map,
                            captured=captured, source=source, structs=structs,
                            commutative=commutative or name not in (None, "product"))
