# SPDX-License-Identifier: MIT
"""Operators from names ("sum") and from expressions in OpenCL C ("a + b")."""
from typing import Any, Dict, Mapping, Optional, Tuple, Union

import numpy as np
import pyopencl as cl

from ._library import OPS
from .dtypes import (COMPLEX, SINGLE, Fields, FieldsLike, c_name, conversion, fields_of, is_array, is_real, is_struct,
                     length_of, literal, seen, seen_name)
from .laws import check as check_laws
from .operators import OF_BOOLEANS, Operator
from .totals import TOTALS, built_in_name, total_fields

#: An expression of the fields' type, one per field, or {field: expression}; a number where it is constant.
Expression = Union[str, int, float, complex, np.generic, Tuple[Any, ...], Mapping[str, Any]]
#: An operator on elements of any one type: a name, an expression, or NumPy's function.
Op = Union[str, np.ufunc]

# What expressions see, by kind of function: V and I are values and inputs. `x`, `i` and `c` are the element, its index
# and captured arrays.
_ARGUMENTS: Dict[str, Tuple[str, Tuple[str, ...]]] = {
    "combine": ("V", ("V a", "V b")), "neutral": ("V", ()), "map": ("V", ("I x", "i")),
    "predicate": ("bool", ("I x", "i")), "same": ("bool", ("I a", "I b", "c")), "less": ("bool", ("I a", "I b", "c")),
    "part": ("uint", ("I x", "i")),
}


def _is_single(fields: Fields) -> bool:
    return len(fields) == 1 and fields[0][0] == SINGLE


def required(name: str, expression: Any) -> str:
    """The expression, if it is one."""
    if not isinstance(expression, str):
        raise TypeError(f"{name} is an expression in OpenCL C, a string, and no {type(expression).__name__}")
    return expression


def _result(name: str, kind: str, expression: Expression, value: Fields) -> str:
    """The statement that returns an expression."""
    if kind != "V":
        return f"return ({required(name, expression)});"
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
    for field, dtype in value:
        if is_array(dtype):
            raise TypeError(f"{field} is an array, which no expression makes: write {name} in source, and name it in a "
                            "pyclfold.Operator")
    for one in expression:
        if not isinstance(one, (bool, int, float, complex, np.generic)):
            required(name, one)
    members = ", ".join(member(one, dtype) for one, (_, dtype) in zip(expression, value))
    return f"clf_value r_ = {{{members}}}; return r_;"


def member(expression: Any, dtype: np.dtype) -> str:
    """Booleans are bytes in OpenCL C, and NumPy wants no other ones than 0 and 1."""
    return f"({literal(expression, dtype)} != 0)" if dtype == np.bool_ else literal(expression, dtype)


def taken(fields: Fields, totals: Fields) -> str:
    """Statements that make a value `r` of the fields of an element `x`, each converted."""
    if len(fields) != len(totals):
        raise ValueError(f"{len(fields)} fields are no {len(totals)}")
    text = "clf_value r; "
    for (field, one), (name, dtype) in zip(fields, totals):
        if one.shape != dtype.shape:
            raise ValueError(f"elements of shape {one.shape} have no totals of shape {dtype.shape}: dtype= says ({dtype.base}, "
                             f"{one.shape})")
        at, own, wanted = "[k]" if is_array(one) else "", one.base, dtype.base
        loop = f"for (uint k = 0; k < {length_of(one)}; ++k) " if at else ""
        part = f"x.{field}{at}"
        part = conversion(f"({part} != 0)" if own == np.bool_ else seen(part, own), own, wanted)
        text += f"{loop}r.{name}{at} = {member(part, wanted)}; "
    return text


def has_booleans(fields: Fields) -> bool:
    """Is there one whose bytes may be neither 0 nor 1?"""
    return any(dtype == np.bool_ for _, dtype in fields)


def _made_truths(variable: str, fields: Fields) -> str:
    """Statements that make the booleans of an element 0 or 1."""
    return "".join(f"{variable}.{field} = {variable}.{field} != 0; " for field, dtype in fields if dtype == np.bool_)


def _function(name: str, expression: Expression, value: Fields, input: Fields, captured: bool) -> str:
    """The function around an expression. Elements that are no tuples are seen as their one field."""
    kind, arguments = _ARGUMENTS[name]
    declared, body = [], ""
    for argument in arguments:
        if argument in ("i", "c"):
            declared += ["ulong i"] * (argument == "i") + ["const clf_captured *c"] * captured
            continue
        letter, variable = argument.split()
        fields, struct = (value, "clf_value") if letter == "V" else (input, "clf_input")
        if _is_single(fields):
            declared.append(f"{struct} {variable}_")
            truth = " != 0" if letter == "I" and fields[0][1] == np.bool_ else ""  # whatever else the byte is
            star = "*" * is_array(fields[0][1])
            value_of = seen(f"{variable}_.{SINGLE}", fields[0][1])
            body += f"const {seen_name(fields[0][1].base)} {star}{variable} = {value_of}{truth}; "
        elif letter == "I" and has_booleans(fields):
            declared.append(f"{struct} {variable}_")
            body += f"{struct} {variable} = {variable}_; {_made_truths(variable, fields)}"
        else:
            declared.append(f"{struct} {variable}")
    result = "clf_value" if kind == "V" else kind
    return f"{result} cf_{name}({', '.join(declared) or 'void'}) {{ {body}{_result(name, kind, expression, value)} }}\n"


def converted(described: FieldsLike, wanted: Optional[FieldsLike] = None) -> Expression:
    """The map that converts elements field by field, to `wanted` or within their types."""
    fields = fields_of(described)
    kinds = [dtype for _, dtype in (fields if wanted is None else fields_of(wanted))]
    names = ["x"] if _is_single(fields) else [seen(f"x.{field}", dtype) for field, dtype in fields]
    if len(kinds) != len(names):
        raise ValueError(f"dtype= without map= converts field by field, and {len(names)} fields are no {len(kinds)}")
    made = tuple(conversion(name, dtype, kind) for name, (_, dtype), kind in zip(names, fields, kinds))
    return made[0] if _is_single(fields) else made


def _key(expression: str, dtype: np.dtype, value: Fields, captured: bool) -> str:
    required("key", expression)
    made = literal(expression, dtype)
    head, rest = f"{c_name(dtype)} cf_key(clf_value a", ", const clf_captured *c)" if captured else ")"
    if _is_single(value):
        kind, element = seen_name(value[0][1]), seen(f"a_.{SINGLE}", value[0][1])
        return f"{head}_{rest} {{ const {kind} a = {element}; return {made}; }}\n"
    if has_booleans(value):
        return f"{head}_{rest} {{ clf_value a = a_; {_made_truths('a', value)}return {made}; }}\n"
    return f"{head}{rest} {{ return {made}; }}\n"


def _by_field(op: Any, neutral: Optional[Expression], value: Fields) -> Tuple[Any, Optional[Expression]]:
    """A built-in operator and its neutral element as expressions, where the library's is not what NumPy's is: sums and
    products whose results are booleans, minima and maxima that keep NaNs (numpy.minimum; "min" is numpy.fmin), and
    products of complex numbers."""
    name, booleans = built_in_name(op), [dtype == np.bool_ for _, dtype in value]
    if name and any(dtype in COMPLEX for _, dtype in value):
        return _of_complex(op, name, neutral, value)
    if _keeps_nan(op, value):
        sign, starts = ("<=", _highest) if op is np.minimum else (">=", _lowest)
        text, neutrals = f"{{a}} != {{a}} || {{a}} {sign} {{b}} ? {{a}} : {{b}}", [starts(one) for _, one in value]
    elif name in OF_BOOLEANS and all(booleans):
        return OF_BOOLEANS[name], neutral
    elif name in OF_BOOLEANS and any(booleans):
        text, neutrals = "{a} + {b}" if name == "sum" else "{a} * {b}", [int(name == "product")] * len(value)
    else:
        return op, neutral
    names = [("a", "b") if _is_single(value) else (f"a.{field}", f"b.{field}") for field, _ in value]
    return tuple(text.format(a=a, b=b) for a, b in names), tuple(neutrals)


def _of_complex(op: Any, name: str, neutral: Optional[Expression], value: Fields) -> Tuple[Any, Optional[Expression]]:
    if name not in TOTALS:
        raise TypeError(f"there is no {name} of complex numbers, which have no order")
    if name == "sum":
        return op, neutral
    fields = [("a", "b", dtype) if _is_single(value) else (f"a.{field}", f"b.{field}", dtype) for field, dtype in value]
    times = tuple(f"({c_name(dtype)})({a}.x * {b}.x - {a}.y * {b}.y, {a}.x * {b}.y + {a}.y * {b}.x)"
                  if dtype in COMPLEX else f"{a} * {b}" for a, b, dtype in fields)
    return times, (1,) * len(times)


def _keeps_nan(op: Any, value: Fields) -> bool:
    return (op is np.minimum or op is np.maximum) and any(is_real(dtype) for _, dtype in value)


def _highest(dtype: np.dtype) -> Any:
    return np.inf if is_real(dtype) else int(np.iinfo(dtype).max) if dtype.kind in "iu" else 1


def _lowest(dtype: np.dtype) -> Any:
    return -np.inf if is_real(dtype) else int(np.iinfo(dtype).min) if dtype.kind in "iu" else 0


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
    combine, neutral = _by_field(combine, functions.pop("neutral", None), value_fields)
    built_in = built_in_name(combine)
    if built_in:
        names["combine"] = "clf_" + built_in
    else:
        functions.update(combine=combine, neutral=neutral)
    for name in _ARGUMENTS:
        if functions.get(name) is not None:
            text += _function(name, functions[name], value_fields, in_fields, captured is not None)
            names[name] = "cf_" + name
    unknown = set(functions) - set(_ARGUMENTS)
    if unknown:
        raise TypeError(f"no such functions: {sorted(unknown)}")
    given: Dict[str, Any] = {name: expression for name, expression in functions.items() if expression is not None}
    if key is not None:
        given["key"] = key[0]
        dtype = np.dtype(key[1])
        text += _key(key[0], dtype, value_fields, captured is not None)
        names["key"] = f"{c_name(dtype)} cf_key"
    return Operator(in_fields and input if value is None else value, input=None if value is None else input,
                    captured=captured, source=text or None, commutative=commutative,
                    no_index=no_index, structs=structs, expressions=given, **names)


def checked_name(op: Any, neutral: Optional[Expression]) -> Optional[str]:
    """The name of a built-in operator, None of an expression. Raises where `neutral` does not fit."""
    name = built_in_name(op)
    if name is None and not isinstance(op, (str, tuple, list, Mapping)):
        raise TypeError(f"an operator is a name or an expression in OpenCL C, not {op!r}")
    if name is None and neutral is None:
        raise ValueError(f"operator {op!r} is an expression, so it needs neutral=, what changes nothing on either side "
                         f"(built-in names are {', '.join(OPS)})")
    if name is not None and neutral is not None:
        raise ValueError(f"{name} has a neutral element of its own")
    return name


def operator(op: Any, input: FieldsLike, *, neutral: Optional[Expression] = None, map: Optional[Expression] = None,
             dtype: Optional[FieldsLike] = None, captured: Optional[FieldsLike] = None, source: str = "",
             commutative: bool = False, structs: bool = False, check: Any = False) -> Operator:
    """An operator that combines, for scans, reductions and what is like them.

    op        "sum", "product", "min", "max", "and", "or" or "xor", or NumPy's function of that kind ("min" and "max"
              are numpy.fmin and fmax: numpy.minimum and maximum keep NaNs); or an associative expression in `a` and
              `b`, where a lies left of b: "a + b", "max(a, b)". Elements that are tuples have fields (a.x), and an
              expression for each field, or one of type clf_value
    input     fields of the elements that are read
    neutral   of an expression: what changes nothing on either side
    map       makes a value of each element first: an expression in `x`, its index `i`, and captured arrays `c->name`
    dtype     fields of the values that the map makes; without a map elements are converted to it, field by field.
              Without both, sums and products of booleans and of integers of 8 and 16 bits are int64 or uint64, as
              NumPy's; all else keeps the type of the elements, so that sums of 32 bits wrap around
    captured  fields of arrays that the map may read anywhere
    source    OpenCL C before all that: functions and types that expressions use
    check     a queue or Context, or True for the device that PyOpenCL takes by itself: an `Error` if the operator breaks
              a law there (`check` tries more)

    >>> cf.operator("a + b", "f4", neutral=0, check=queue)
    <Operator on float v; combine=cf_combine, neutral=cf_neutral>
    >>> affine = cf.operator(("a.m * b.m", "b.m * a.c + b.c"), {"m": "u4", "c": "u4"}, neutral=(1, 0))
    >>> m, c = (cla.to_device(queue, np.array(values, "u4")) for values in ([2, 3, 4], [1, 1, 1]))
    >>> print(cf.scan({"m": m, "c": c}, affine).c)
    [ 1  4 17]
    """
    made = _operator(op, input, neutral, map, dtype, captured, source, commutative, structs)
    if check is False or check is None:
        return made
    return check_laws(cl.CommandQueue(cl.create_some_context(interactive=False)) if check is True else check, made)


def _operator(op: Any, input: FieldsLike, neutral: Optional[Expression], map: Optional[Expression],
              dtype: Optional[FieldsLike], captured: Optional[FieldsLike], source: str, commutative: bool,
              structs: bool) -> Operator:
    if isinstance(op, Operator):
        own = dict(neutral=neutral, map=map, dtype=dtype, source=source or None, commutative=commutative or None)
        given = [f"{option}=" for option, value in own.items() if value is not None]
        if given:
            raise ValueError(f"a pyclfold.Operator says that itself: leave out {', '.join(given)}")
        return op
    name = checked_name(op, neutral)
    in_fields = fields_of(input) if not (isinstance(input, Mapping) and not input) else ()
    if dtype is not None:
        out_fields = fields_of(dtype)
    else:  # arrays of structs have operators of their own, and no sums
        of_structs = structs and not isinstance(input, (Mapping, list, tuple)) and is_struct(np.dtype(input))
        out_fields = in_fields if of_structs else total_fields(name, in_fields)
    in_truths = map is None and out_fields == in_fields and has_booleans(in_fields)
    if map is None and out_fields != in_fields:
        map = converted(in_fields, out_fields)
    if not out_fields:
        raise ValueError("a map of no fields needs dtype=, the fields of its results")
    if name and map is None and captured is None and not source and _is_single(in_fields):
        single = in_fields[0][1]
        if single.names is None and not is_array(single) and single not in COMPLEX and not _keeps_nan(op, in_fields):
            return Operator.built_in(name, single)
    value = None if map is None else out_fields if dtype is None else dtype
    if in_truths:
        value, map = input, converted(in_fields)
    return from_expressions(input, value, combine=op, neutral=neutral, map=map, captured=captured, source=source,
                            structs=structs, commutative=commutative or name not in (None, "product"))
