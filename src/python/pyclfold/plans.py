# SPDX-License-Identifier: MIT
"""What all plans have, and the plans that functions keep."""
import ctypes
from typing import Any, Callable, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

from ._library import PlanOptions, lib, text_of
from .arrays import Elements, check, describe, describe_captured, first_if_any, joined, like_of, listed, new, whole
from .calls import NOTHING
from .contexts import Context, context
from .dtypes import element_dtype, fitting, is_array, struct_dtype
from .errors import Details, Error
from .operators import Operator, Side

Where = Union[Context, cl.CommandQueue]
Wanted = Union[None, str, int, Sequence[Union[str, int]]]


class Plan:
    """A compiled primitive: what all classes whose names end in Plan have. Plans may be shared between threads and
    queues of their device.

    >>> isinstance(cf.TransposePlan(queue, 4), cf.Plan)
    True
    """

    _handle = 0  # of a plan that was never made

    def __init__(self, where: Where, create: str, arguments: Tuple[Any, ...], variant: Optional[str] = None,
                 parameters: Optional[str] = None, wanted: int = 0) -> None:
        self.context = where if isinstance(where, Context) else context(where)
        options = PlanOptions(ctypes.sizeof(PlanOptions), variant.encode() if variant else None,
                              parameters.encode() if parameters else None, wanted)
        handle, details = ctypes.c_void_p(), Details()
        details.check(getattr(lib, create)(self.context.handle, *arguments, ctypes.addressof(options),
                                           ctypes.addressof(handle), details.address))
        self._handle = handle.value

    @property
    def handle(self) -> int:
        """The address of the clf_plan."""
        return self._handle

    def compile(self) -> None:
        """Compiles all that calls may need, for programs in which no call may take long.

        >>> cf.ScanPlan(queue, cf.operator("sum", "i4")).compile()
        """
        details = Details()
        details.check(lib.clf_plan_compile(self._handle, details.address))

    def describe(self, n: int) -> str:
        """Variants and parameters, and which one `n` elements would use."""
        return text_of(lib.clf_plan_describe, self._handle, whole(n, "n"))

    def tuning(self) -> str:
        """Variants and parameters of each role, and where each comes from: a line of a profile, or "default"."""
        return text_of(lib.clf_plan_describe_tuning, self._handle)

    def scratch(self, n: int, count: int = 0) -> int:
        """Bytes of scratch that a call takes from the context's pool."""
        size = ctypes.c_uint64()
        status = lib.clf_plan_scratch(self._handle, whole(n, "n"), whole(count, "count"), ctypes.byref(size))
        if status:
            raise Error(status)
        return size.value

    def __del__(self, release=lib.clf_plan_release) -> None:
        if self._handle:
            release(self._handle)


class OperatorPlan(Plan):
    """A plan that is made of an operator and flags. `wanted` are results by name or number, which calls return; None:
    all."""

    def __init__(self, where: Where, create: str, operator: Operator, flags: int, variant: Optional[str],
                 parameters: Optional[str], before: Tuple[Any, ...] = (), wanted: Wanted = None) -> None:
        if not isinstance(operator, Operator):
            raise TypeError(f"a plan wants a pyclfold.Operator (pyclfold.operator makes one), not {operator!r}")
        self._in, self._out = operator.input, operator.result or operator.value
        self._order: Optional[Tuple[int, ...]] = None
        if wanted is not None:
            self._order, self._out = chosen(self._out, wanted)
        address, alive = operator.c_operator()
        try:
            super().__init__(where, create, (address, *before, flags), variant, parameters,
                             sum(1 << number for number in self._order or ()))
        except Error as error:
            raise error.within(operator.blamed(error.log)) from None
        del alive
        self.operator = operator

    def inputs(self, x: Elements, size: Optional[int], captured: Optional[Elements] = None) -> Tuple[Array, ...]:
        """The arrays that the operator reads, checked: elements, then captured ones."""
        arrays = listed(x, self._in, size, "the input")
        side = self.operator.captured
        if side is None:
            if captured is not None:
                raise ValueError("the operator has no captured arrays")
            return arrays
        if captured is None:
            raise ValueError(f"the operator has captured arrays: {', '.join(name for name, _ in side.fields)}")
        return arrays + listed(captured, side, None, "captured")

    def like_if_any(self, x: Elements) -> Optional[Array]:
        """An array of the elements, which tells queue, shape and length; None if they have no fields."""
        return None if first_if_any(x) is None else self.like(x)

    def like(self, x: Elements) -> Array:
        """The same, where elements without fields make no sense."""
        return like_of(x, self._in, "the input")

    def outputs(self, out: Optional[Elements], like: Optional[Array], queue: cl.CommandQueue, shape: Tuple[int, ...],
                side: Optional[Side] = None) -> Tuple[Array, ...]:
        """Arrays for results: those of the caller, checked, or new ones."""
        side = side or self._out
        if out is None:
            return tuple(new(like, queue, shape, element_dtype(dtype)) for dtype in side.dtypes)
        return listed(out, side, int(np.prod(shape, dtype=np.int64)) if len(shape) != 1 else shape[0], "out")

    def places(self, outs: Tuple[Array, ...]) -> Tuple[Any, ...]:
        """What the library finds as outputs: with nothing where no result is wanted."""
        if self._order is None:
            return outs
        made = (self.operator.result or self.operator.value).fields
        results = [outs[self._order.index(number)] if number in self._order else NOTHING for number in range(len(made))]
        return (*results, *outs[len(self._order):])

    def initial(self, value: Any) -> Any:
        """The initial value as a call takes it: bytes, or arrays of one element."""
        return initial_value(value, self.operator.value)

    def results(self, arrays: Sequence[Array], side: Optional[Side] = None) -> Any:
        """The array, or a named tuple of them."""
        return joined(arrays, side or self._out)


def chosen(side: Side, wanted: Any) -> Tuple[Tuple[int, ...], Side]:
    """The numbers of these fields, in this order, and a side that has no others. One by itself is no tuple."""
    names = [name for name, _ in side.fields]
    if side.single and side.dtypes[0].names:
        raise ValueError("results are one array of structs, of which all fields are written: wanted= is for an array each")
    single = not isinstance(wanted, (list, tuple))
    numbers = []
    for one in (wanted,) if single else wanted:
        if isinstance(one, str) and one not in names:
            raise ValueError(f"wanted: there is no result {one!r}, but {', '.join(names)}")
        number = names.index(one) if isinstance(one, str) else whole(one, "wanted")
        if number >= len(names) or number in numbers:
            raise ValueError(f"wanted: result {one!r} is " +
                             ("named twice" if number in numbers else f"none of the {len(names)}"))
        numbers.append(number)
    if not numbers:
        raise ValueError("wanted: no result is; name one at least")
    fields = tuple(side.fields[number] for number in numbers)
    return tuple(numbers), Side(fields, tuple(side.dtypes[number] for number in numbers), single)


def initial_value(value: Any, side: Side) -> Any:
    """None, the bytes of a C struct, or a list of arrays of one element."""
    if value is None:
        return None
    if is_on_device(value):
        return listed(value, side, 1, "initial")
    if isinstance(value, Mapping):
        names = [name for name, _ in side.fields]
        if set(names) != set(value):
            raise ValueError(f"initial has fields {sorted(value)}, and {sorted(names)} are wanted")
        value = tuple(value[name] for name in names)
    if side.single and not is_array(side.dtypes[0]):
        given = np.asarray(value)
        if given.size != 1:
            raise ValueError(f"{given.size} initial values for one field")
        return np.asarray(_number(given.reshape(())[()], side.dtypes[0]), dtype=side.dtypes[0]).tobytes()
    value = (value,) if side.single else value
    if len(value) != len(side.fields):
        raise ValueError(f"{len(value)} initial values for {len(side.fields)} fields")
    fields = tuple(_number(one, dtype) for one, (_, dtype) in zip(value, side.fields))
    return np.array(fields, dtype=struct_dtype(side.fields)).tobytes()


def _number(value: Any, dtype: np.dtype) -> Any:
    if is_array(dtype):
        if np.shape(value) != dtype.shape:
            raise ValueError(f"an initial value of shape {np.shape(value)} for an array of shape {dtype.shape}")
        return [fitting(one, dtype.base) for one in np.ravel(value)] if len(dtype.shape) == 1 else value
    return value if dtype.kind == "V" else fitting(value, dtype)  # vectors and structs are NumPy's to convert


def is_on_device(value: Any) -> bool:
    """Does this initial value lie on the device?"""
    parts = tuple(value.values()) if isinstance(value, Mapping) else value
    return isinstance(parts, Array) or isinstance(parts, (tuple, list)) and bool(parts) and isinstance(parts[0], Array)


def request(x: Elements, captured: Optional[Elements], initial: Any, actual: Optional[Array]) -> Tuple[Any, Any, bool]:
    """A function's call: its elements and captured arrays described, and whether the plan is one from_device."""
    return (x.dtype if isinstance(x, Array) else describe(x), None if captured is None else describe_captured(captured),
            actual is not None or initial is not None and is_on_device(initial))


def actual_array(actual: Optional[Array], count: int = 1) -> Optional[Array]:
    """A size that the device knows, checked to be a uint64."""
    if actual is not None:
        check(actual, np.dtype(np.uint64), count, "actual")
    return actual


def frozen(value: Any) -> Any:
    """Something hashable that says the same."""
    if isinstance(value, Mapping):
        return "mapping", tuple((name, frozen(one)) for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(frozen(one) for one in value)
    return (str(value.dtype), value.tobytes()) if isinstance(value, (np.void, np.ndarray)) else value


def kept(queue: cl.CommandQueue, key: Tuple[Any, ...], make: Callable[[Context], Plan]) -> Any:
    """The plan that the queue's context keeps under `key`; made if there is none. (Two threads may both make it.)"""
    where = context(queue)
    try:
        plan = where.plans.get(key)
    except TypeError:  # something unhashable
        key = frozen(key)
        try:
            plan = where.plans.get(key)
        except TypeError as error:
            raise TypeError(f"an argument is neither text, a number nor a type: {error}") from None
    return plan if plan is not None else where.plans.setdefault(key, make(where))
