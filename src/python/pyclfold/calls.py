# SPDX-License-Identifier: MIT
"""One call of an enqueue function: the path that every call takes, so it is kept short."""
import ctypes
from typing import Any, Callable, Iterable, List, Optional, Sequence, Tuple, Union

import pyopencl as cl
from pyopencl.array import Array

from ._library import Array as CArray
from ._library import Call
from .errors import refused

WaitFor = Union[None, cl.Event, Sequence[cl.Event]]

_SLOTS = 96  # arrays of one call: 16 inputs, 16 captured, three times 16 outputs, initial values
_WAITS = 32
_ARRAY_BYTES = ctypes.sizeof(CArray)
_from_int_ptr = cl.Event.from_int_ptr


class _Nothing:
    """In the place of an array that there is not."""
    base_data, offset, events = None, 0, ()


NOTHING = _Nothing()


class _Frame:
    """The structs of a call, made once. ctypes lets other threads run during a call, so each takes one of its own."""
    __slots__ = ("call", "address", "arrays", "items", "first", "waits", "waits_at", "event")

    def __init__(self) -> None:
        self.call = Call(size=ctypes.sizeof(Call))
        self.address = ctypes.addressof(self.call)
        self.arrays = (CArray * _SLOTS)()
        self.items = list(self.arrays)  # they share the memory of `arrays`
        self.first = ctypes.addressof(self.arrays)
        self.waits = (ctypes.c_void_p * _WAITS)()
        self.waits_at = ctypes.addressof(self.waits)
        self.event = ctypes.c_void_p()
        self.call.event = ctypes.addressof(self.event)


_free: List[_Frame] = []


def place(item: CArray, array: Array) -> None:
    """An array's place in its buffer."""
    data = array.base_data
    try:
        item.buffer = None if data is None else data.int_ptr
    except AttributeError:
        raise TypeError(f"arrays lie in buffers, and this one in a {type(data).__name__}") from None
    offset = array.offset
    if offset:
        size = array.dtype.itemsize
        if offset % size:
            raise ValueError(f"an array begins at byte {offset} of its buffer, and its elements have {size} bytes: "
                             "it must begin at a multiple of them")
        offset //= size
    item.offset = offset


def _events(wait_for: Any) -> Sequence[cl.Event]:
    """What a call waits for. The library would take any other object's address for an event's."""
    if isinstance(wait_for, cl.Event):
        return (wait_for,)
    events = tuple(wait_for) if isinstance(wait_for, Iterable) else (wait_for,)
    for event in events:
        if not isinstance(event, cl.Event):
            raise TypeError(f"wait_for is a pyopencl.Event, or a list of them, not {type(event).__name__}")
    return events


def enqueue(function: Callable[..., int], handle: int, queue: cl.CommandQueue, sizes: Tuple[int, ...],
            groups: Sequence[Optional[Sequence[Array]]], written: Sequence[Array], wait_for: WaitFor = None,
            initial: Any = None, actual: Optional[Array] = None, by_value: bool = False,
            counts: Tuple[int, int] = (0, 0)) -> cl.Event:
    """Calls function(handle, call, *sizes, *groups). The call waits for what its arrays wait for, and those `written`
    wait for it from then on. A group of arrays is a pointer to the first, or with `by_value` arrays themselves. `counts`
    are how many arrays an operator's input and output have: the library compares them with what it will touch."""
    try:
        frame = _free.pop()
    except IndexError:
        frame = _Frame()
    call, items, at = frame.call, frame.items, 0
    events: List[cl.Event] = []
    if wait_for is not None:
        events += _events(wait_for)
    pointers: List[Any] = []
    for group in groups:
        if group is None:
            pointers.append(None)
            continue
        pointers.append(items[at] if by_value else frame.first + at * _ARRAY_BYTES)
        for array in group:
            place(items[at], array)
            at += 1
            if array.events:
                events += array.events
    call.queue = queue.int_ptr
    call.in_count, call.out_count = counts
    special = initial is not None or actual is not None
    if special:
        events += _special(frame, at, initial, actual)
    count = len(events)
    if count:
        call.wait_count = count
        waits = frame.waits if count <= _WAITS else (ctypes.c_void_p * count)()
        for number, event in enumerate(events):
            waits[number] = event.int_ptr
        call.wait = frame.waits_at if count <= _WAITS else ctypes.addressof(waits)
    status = function(handle, frame.address, *sizes, *pointers)
    if count:
        call.wait_count, call.wait = 0, None
    if special:
        call.initial = call.initial_arrays = call.actual.buffer = None
        call.actual.offset = 0
    done = _from_int_ptr(frame.event.value, False) if not status else None
    _free.append(frame)
    if status:
        raise refused(status)
    for array in written:
        array.events[:] = (done,)  # which is behind all that were there
    return done


def _special(frame: _Frame, at: int, initial: Any, actual: Optional[Array]) -> List[cl.Event]:
    """The initial value, as bytes or as arrays, and the size that the device knows."""
    call, events = frame.call, []
    if isinstance(initial, bytes):
        call.initial = ctypes.cast(ctypes.c_char_p(initial), ctypes.c_void_p).value
    elif initial is not None:
        call.initial_arrays = frame.first + at * _ARRAY_BYTES
        for array in initial:
            place(frame.items[at], array)
            at += 1
            events += array.events
    if actual is not None:
        place(call.actual, actual)
        events += actual.events
    return events
