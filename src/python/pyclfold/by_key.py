# SPDX-License-Identifier: MIT
"""Reductions of runs: neighbours of the same key."""
from typing import Any, Literal, Optional, Tuple, overload

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import FROM_DEVICE, NONTRIVIAL_RUNS, REPEATABLE, lib
from .arrays import Elements, describe, joined, listed, members, queue_of, require_array, whole
from .calls import WaitFor, enqueue
from .counts import cut_all, new_count
from .dtypes import COMPLEX, FieldsLike, Scalar, fields_of, seen, seen_name
from .expressions import Expression, Op, checked_name, from_expressions, required, taken
from .operators import Operator, side_of
from .plans import OperatorPlan, Wanted, Where, actual_array, kept
from .totals import total_fields


class ReduceByKeyPlan(OperatorPlan):
    """A compiled reduction by key, of an operator with combine, `same`, and a map that may have extra outputs.

    A call returns (extra outputs, values) of each run, or without extra outputs values alone; with cut=False and the
    count of runs behind that.

    nontrivial  runs of one element are left out, and not counted
    repeatable, wanted  as in `ScanPlan`; extra outputs are returned all the same

    >>> largest = cf.Operator("i4", input={"key": "u4", "x": "i4"}, extra={"key": "u4"}, map="take", same="alike",
    ...     combine="clf_max", commutative=True,
    ...     source="clf_value take(clf_input in, ulong i, clf_extra *e) { e->key = in.key; return (clf_value){in.x}; }"
    ...            "bool alike(clf_input a, clf_input b) { return a.key == b.key; }")
    >>> plan = cf.ReduceByKeyPlan(queue, largest)
    >>> keys = cla.to_device(queue, np.array([7, 7, 8, 8, 8], "u4"))
    >>> found, values = plan((keys, cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))))
    >>> print(found.key, values)
    [7 8] [3 5]
    """

    def __init__(self, where: Where, operator: Operator, *, nontrivial: bool = False, from_device: bool = False,
                 repeatable: bool = False, variant: Optional[str] = None, parameters: Optional[str] = None,
                 wanted: Wanted = None) -> None:
        flags = FROM_DEVICE * from_device | NONTRIVIAL_RUNS * nontrivial | REPEATABLE * repeatable
        super().__init__(where, "clf_reduce_by_key_plan", operator, flags, variant, parameters, wanted=wanted)

    def __call__(self, x: Elements, *, room: Optional[int] = None, captured: Optional[Elements] = None,
                 actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None,
                 cut: bool = True) -> Any:
        """Enqueues it."""
        queue, like = queue_of(x, queue), self.like(x)
        size = like.size
        room = size if room is None else min(whole(room, "room"), size)
        ins = self.inputs(x, size, captured)
        extra = self.operator.extra
        values = self.outputs(None, like, queue, (room,))
        extras = () if extra is None else self.outputs(None, like, queue, (room,), extra)
        count = new_count(queue, like)
        outs = values + extras
        places = self.places(outs)
        enqueue(lib.clf_reduce_by_key, self._handle, queue, (size, room), (ins, places, (count,)), outs + (count,),
                wait_for, None, actual_array(actual), counts=(len(ins), len(places)))
        results = (self.results(values),) if extra is None else (joined(extras, extra), self.results(values))
        if cut:
            results = cut_all(results, count, queue)
            return results if len(results) > 1 else results[0]
        return results + (count,)


def _operator(key: np.dtype, values: Any, op: Any, neutral: Optional[Expression], source: str, same: str,
              dtype: Optional[FieldsLike]) -> Operator:
    """Elements are a key and the fields of the values; the map takes them apart."""
    name, fields = checked_name(op, neutral), fields_of(values)
    totals = total_fields(name, fields) if dtype is None else fields_of(dtype)
    base = from_expressions(totals, source=source, combine=op, neutral=neutral)
    return Operator(
        totals, input=(("cf_key", key),) + fields, extra={"cf_key": key}, map="cf_take", same="cf_same",
        combine=base.texts["combine"], neutral=base.texts["neutral"], commutative=name not in (None, "product"),
        source=(base.texts["source"] or "") +
        "clf_value cf_take(clf_input x, ulong i, clf_extra *e) { "
        f"e->cf_key = x.cf_key{truth(key)}; "
        f"{taken(fields, totals)}return r; }}\n" + same_function(same, "cf_key", key),
        expressions=dict(base.expressions, same=same))


def truth(dtype: np.dtype) -> str:
    """What makes a boolean 0 or 1."""
    return " != 0" if dtype == np.bool_ else ""


def equality(same: str, dtype: np.dtype) -> str:
    """Complex numbers are the same if both of their parts are."""
    return "all(a == b)" if same == "a == b" and dtype in COMPLEX else same


def same_function(same: str, field: str, dtype: np.dtype) -> str:
    """Do neighbours belong together, by one of their fields?"""
    kind, a, b = seen_name(dtype), seen(f"a_.{field}", dtype), seen(f"b_.{field}", dtype)
    return (f"bool cf_same(clf_input a_, clf_input b_) {{ const {kind} a = {a}{truth(dtype)}; "
            f"const {kind} b = {b}{truth(dtype)}; "
            f"return ({equality(required('same', same), dtype)}); }}\n")


@overload
def reduce_by_key(keys: Array, values: Array, op: Op = ..., *, neutral: Optional[Expression] = ..., same: str = ...,
                  dtype: Optional[Scalar] = ..., source: str = ..., wanted: None = ..., room: Optional[int] = ...,
                  actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
                  cut: Literal[True] = ...) -> Tuple[Array, Array]: ...


@overload
def reduce_by_key(keys: Array, values: Array, op: Op = ..., *, neutral: Optional[Expression] = ..., same: str = ...,
                  dtype: Optional[Scalar] = ..., source: str = ..., wanted: None = ..., room: Optional[int] = ...,
                  actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
                  cut: Literal[False]) -> Tuple[Array, Array, Array]: ...


@overload
def reduce_by_key(keys: Array, values: Elements, op: Any = ..., *, neutral: Optional[Expression] = ..., same: str = ...,
                  dtype: Optional[FieldsLike] = ..., source: str = ..., wanted: Wanted = ..., room: Optional[int] = ...,
                  actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
                  cut: bool = ...) -> Any: ...


def reduce_by_key(keys: Array, values: Elements, op: Any = "sum", *, neutral: Optional[Expression] = None,
                  same: str = "a == b", dtype: Optional[FieldsLike] = None, source: str = "",
                  wanted: Wanted = None, room: Optional[int] = None, actual: Optional[Array] = None,
                  queue: Optional[cl.CommandQueue] = None, wait_for: WaitFor = None, cut: bool = True) -> Any:
    """(key, total of the values) of each run of equal neighbouring keys: GROUP BY of sorted keys. Without `cut`
    (keys, totals, count), as in `filter`.

    values  as many as keys; a row for each, in an array that has further axes: its total is a row
    same    an expression in the keys of neighbours, `a` and `b`: do they belong to one run? Its key is that of its
            first element. NaNs are equal to nothing, so each is a run of its own
    dtype   fields of the totals. Without it sums and products of booleans and of integers of 8 and 16 bits are of 64
            bits, and all else is as the values are, as in `operator`
    wanted  as in `scan`

    >>> keys = cla.to_device(queue, np.array([1, 1, 2, 2, 2], "i4"))
    >>> values = cla.to_device(queue, np.array([3, 1, 4, 1, 5], "i4"))
    >>> groups, totals = cf.reduce_by_key(keys, values)
    >>> print(groups, totals)
    [1 2] [ 4 10]
    """
    require_array(keys, "keys")
    queue = queue_of(keys, queue)
    described = describe(values, keys.shape)

    def make(where):
        return ReduceByKeyPlan(where, _operator(keys.dtype, described, op, neutral, source, same, dtype),
                               from_device=actual is not None, wanted=wanted)

    plan = kept(queue, (ReduceByKeyPlan, keys.dtype, described, op, neutral, source, same, dtype, actual is not None,
                        wanted), make)
    listed(values, side_of(described), keys.size, "values")
    found = plan((keys, *members(values)), room=room, actual=actual, queue=queue, wait_for=wait_for, cut=cut)
    return (found[0].cf_key if not isinstance(found[0], Array) else found[0],) + tuple(found[1:])


@overload
def run_lengths(x: Array, *, same: str = ..., dtype: Any = ..., source: str = ..., room: Optional[int] = ...,
                actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
                cut: Literal[True] = ...) -> Tuple[Array, Array]: ...


@overload
def run_lengths(x: Array, *, same: str = ..., dtype: Any = ..., source: str = ..., room: Optional[int] = ...,
                actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
                cut: Literal[False]) -> Tuple[Array, Array, Array]: ...


@overload
def run_lengths(x: Array, *, same: str = ..., dtype: Any = ..., source: str = ..., room: Optional[int] = ...,
                actual: Optional[Array] = ..., queue: Optional[cl.CommandQueue] = ..., wait_for: WaitFor = ...,
                cut: bool) -> Tuple[Array, ...]: ...


def run_lengths(x: Array, *, same: str = "a == b", dtype: Any = np.uint32, source: str = "",
                room: Optional[int] = None, actual: Optional[Array] = None, queue: Optional[cl.CommandQueue] = None,
                wait_for: WaitFor = None, cut: bool = True) -> Any:
    """(element, number of elements) of each run of equal neighbours. Without `cut` (elements, lengths, count). `same`
    and `source` are as in `reduce_by_key`.

    >>> x = cla.to_device(queue, np.array([3, 3, 4, 3, 3, 3], "i4"))
    >>> print(*cf.run_lengths(x), *cf.run_lengths(x, same="a <= b"))
    [3 4 3] [2 1 3] [3 3] [3 3]
    """
    require_array(x, "x")
    queue, dtype = queue_of(x, queue), np.dtype(dtype)

    def make(where):
        made = Operator(dtype, input=x.dtype, extra=x.dtype, map="cf_one", same="cf_same",
                        combine="clf_or" if dtype == np.bool_ else "clf_sum", commutative=True,
                        source=f"{source}\nclf_value cf_one(clf_input x, ulong i, clf_extra *e) "
                        "{ "
                        f"e->v = x.v{truth(x.dtype)}; clf_value r = {{1}}; return r; }}\n" +
                        same_function(same, "v", x.dtype),
                        expressions={"same": same})
        return ReduceByKeyPlan(where, made, from_device=actual is not None)

    plan = kept(queue, (ReduceByKeyPlan, "lengths", x.dtype, dtype, same, source, actual is not None), make)
    return plan(x, room=room, actual=actual, queue=queue, wait_for=wait_for, cut=cut)
