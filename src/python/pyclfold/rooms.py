# SPDX-License-Identifier: MIT
"""Buffers that calls need in between. On CPUs a new one costs ten times what goes through it: its pages are made at
first use."""
import threading
from typing import List, Tuple

import numpy as np
import pyopencl as cl
from pyopencl.array import Array

_MOST = 8  # that are idle
_TOO_LARGE = 4  # times what is wanted
_OUT_OF_ORDER = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE


class Rooms:
    """Buffers for the next call on the same queue. Of a queue in order that call's commands come after those of the
    last one, so nobody waits; on other queues each use has a buffer of its own.

    Queues are told apart by their addresses, and not retained. Another queue gets an address only when the old one is
    gone, which is when all its commands have ended.
    """

    def __init__(self) -> None:
        self._idle: List[Tuple[int, int, cl.Buffer]] = []  # queue, bytes, buffer; what is idle longest comes first
        self._lock = threading.Lock()

    def take(self, queue: cl.CommandQueue, size: int) -> cl.Buffer:
        """One of so many bytes, or somewhat more."""
        address = queue.int_ptr
        with self._lock:
            fitting = [one for one in self._idle if one[0] == address and size <= one[1] <= _TOO_LARGE * size]
            if fitting:
                best = min(fitting, key=lambda one: one[1])
                self._idle.remove(best)
                return best[2]
        try:
            return cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size)
        except cl.MemoryError:
            self.trim()
            return cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, size)

    def give(self, queue: cl.CommandQueue, buffer: cl.Buffer) -> None:
        """Back, when all commands that use it are enqueued."""
        if queue.properties & _OUT_OF_ORDER:
            return
        with self._lock:
            self._idle.append((queue.int_ptr, buffer.size, buffer))
            del self._idle[:-_MOST]

    def trim(self) -> None:
        """Lets go of all."""
        with self._lock:
            self._idle.clear()


class Borrowed:
    """Arrays for one call: in rooms, or from the allocator of an array that has one. They go back at the end.

    >>> from pyclfold.rooms import Borrowed
    >>> with Borrowed(cf.context(queue).rooms, queue) as borrowed:
    ...     borrowed.array(cla.zeros(queue, 6, "i4"), (3, 2)).shape
    (3, 2)
    """

    def __init__(self, rooms: Rooms, queue: cl.CommandQueue) -> None:
        self._rooms, self._queue = rooms, queue
        self._buffers: List[cl.Buffer] = []

    def __enter__(self) -> "Borrowed":
        return self

    def __exit__(self, *_) -> None:
        for buffer in self._buffers:
            self._rooms.give(self._queue, buffer)

    def array(self, like: Array, shape: Tuple[int, ...]) -> Array:
        """An array of the type of `like`."""
        if like.allocator is not None:
            return Array(self._queue, shape, like.dtype, allocator=like.allocator)
        buffer = self._rooms.take(self._queue, int(np.prod(shape, dtype=np.int64)) * like.dtype.itemsize)
        self._buffers.append(buffer)
        return Array(self._queue, shape, like.dtype, data=buffer)
