# SPDX-License-Identifier: MIT
"""Adjacent differences of segments of any lengths: a map that reads the element before, where there is one."""
from typing import Any, Dict, Mapping, Optional

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import TYPES
from .arrays import Described, Elements, filled, first, listed, uploaded
from .calls import WaitFor
from .dtypes import Fields, FieldsLike, fields_of, fitting, scalar_type
from .expressions import Expression, from_expressions
from .moves import scatter
from .operators import Operator, Side, side_of
from .plans import is_on_device
from .scans import scan
from .segments import Segments, checked
from .totals import built_in_name

_BYTE = np.dtype(np.uint8)

# Does element i begin a segment? `cf_told` is the array that tells.
_BEGINS = {"flags": "c->cf_told[i] != 0", "keys": "c->cf_told[i] != c->cf_told[i - 1]",
           "bits": "(c->cf_told[i / 32] >> (i % 32) & 1) != 0"}


def with_heads(told: Segments, x: Elements, queue: cl.CommandQueue, wait_for: WaitFor) -> Segments:
    """Segments told at their elements, as flags, keys and bits tell them: offsets and lengths become flags."""
    like = first(x)
    told = checked(told.kind, told.array.dtype, told.array, like.size)
    if told.kind == "keys" and scalar_type(told.array.dtype) == TYPES["bfloat16"]:
        raise TypeError("keys are of bfloat16: view them as uint16, which tells bits apart")
    if told.kind in _BEGINS:
        return told
    offsets = told.array
    if told.kind == "lengths":
        offsets = scan(offsets, exclusive=True, queue=queue, wait_for=wait_for)
    flags = filled(like, queue, (like.size,), _BYTE, 0)
    if like.size:
        ones = filled(like, queue, (offsets.size,), _BYTE, 1)
        scatter(ones, offsets, flags, queue=queue, wait_for=wait_for)
    return Segments("flags", flags)


def _struct(kind: str, name: str, fields: Fields, text: str) -> str:
    return f"{kind} {name} = {{{', '.join(text.format(field) for field, _ in fields)}}};"


def segmented(described: Described, op: Expression, map: Optional[Expression], dtype: Optional[FieldsLike],
              source: str, told: Segments, initial: bool) -> Operator:
    """The operator whose map is the difference, and whose combine takes what the map has made."""
    inputs = fields_of(described)
    if isinstance(described, np.dtype) and side_of(described, True) != side_of(described):
        raise TypeError("differences of segments are of arrays of numbers and vectors, or tuples of them, and of no "
                        "structs")
    values = inputs if map is None else fields_of(described if dtype is None else dtype)
    if built_in_name(op):
        raise ValueError(f"for segments op= is an expression in a and b, and not {op!r}")
    base = from_expressions(inputs, values, combine=op, map=map, source=source, neutral=(0,) * len(values))
    captured: Dict[str, np.dtype] = {"cf_told": told.array.dtype}
    captured.update((f"cf_before_{field}", kind) for field, kind in inputs)
    if initial:
        captured.update((f"cf_initial_{field}", kind) for field, kind in values)
    made = "cf_map({0}, {1})" if map is not None else "cf_value({0})"
    begin = _struct("clf_value", "r", values, "c->cf_initial_{}[0]") + " return cf_combine(r, b);" if initial else (
        "return b;")
    text = (f"clf_value cf_value(clf_input x) {{ {_struct('clf_value', 'r', inputs, 'x.{}')} return r; }}\n"
            if map is None else "")
    text += ("clf_value cf_second(clf_value a, clf_value b) { return b; }\n"
             "clf_value cf_difference(clf_input x, ulong i, const clf_captured *c) { const clf_value b = "
             f"{made.format('x', 'i')}; if (i == 0 || {_BEGINS[told.kind]}) {{ {begin} }} "
             f"{_struct('const clf_input', 'before', inputs, 'c->cf_before_{}[i - 1]')} "
             f"return cf_combine({made.format('before', 'i - 1')}, b); }}\n")
    return Operator(values, input=inputs, captured=captured, map="cf_difference", combine="cf_second",
                    neutral="cf_neutral", source=(base.texts["source"] or "") + text, expressions=base.expressions)


def captured_by(operator: Operator, x: Elements, told: Segments, initial: Any,
                queue: cl.CommandQueue) -> Dict[str, Array]:
    """The arrays that such an operator captures."""
    found = {"cf_told": told.array}
    arrays = listed(x, operator.input, None, "the input")
    found.update((f"cf_before_{field}", array) for (field, _), array in zip(operator.input.fields, arrays))
    if initial is not None:
        starts = listed(initial, operator.value, 1, "initial") if is_on_device(initial) else _uploaded(
            initial, operator.value, queue)
        found.update((f"cf_initial_{field}", array) for (field, _), array in zip(operator.value.fields, starts))
    return found


def _uploaded(initial: Any, side: Side, queue: cl.CommandQueue) -> Any:
    if isinstance(initial, Mapping):
        initial = tuple(initial[field] for field, _ in side.fields)
    values = (initial,) if side.single else initial
    if len(values) != len(side.dtypes):
        raise ValueError(f"{len(values)} initial values for {len(side.dtypes)} fields")
    return [uploaded(queue, np.array([fitting(value, dtype)], dtype)) for value, dtype in zip(values, side.dtypes)]
