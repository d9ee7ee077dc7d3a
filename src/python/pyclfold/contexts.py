# SPDX-License-Identifier: MIT
"""clfold's contexts: one per OpenCL context and device, found by queue."""
import ctypes
import threading
import warnings
from typing import Any, Dict, Optional, Tuple, Union

import pyopencl as cl

from ._library import ContextOptions, lib, text_of
from .arrays import whole
from .errors import Details, Error, listener, told
from .rooms import Rooms


class Context:
    """What clfold knows of one device: what it was probed to be able to do, its compiled programs, pooled scratch.

    Functions make and keep one for the context and device of each queue (`context`). One of your own is for options:

    cache_dir   where compiled programs are kept between runs, "off", or None for the default
    profile     text of tuning profiles; a warning says where they, or the file of CLFOLD_PROFILE, are ignored
    disable     capabilities to do without, separated by commas, for tests
    dump_dir    a directory that gets the source of every program

    >>> mine = cf.Context(queue, disable="subgroups")
    >>> plan = cf.ScanPlan(mine, cf.operator("sum", "i4"))
    >>> print(plan(cla.to_device(queue, np.array([3, 1, 4], "i4"))))
    [3 4 8]
    """

    _handle = 0  # of a context that was never made

    def __init__(self, where: Union[cl.CommandQueue, cl.Context], device: Optional[cl.Device] = None, *,
                 cache_dir: Optional[str] = None, profile: Optional[str] = None, disable: Optional[str] = None,
                 dump_dir: Optional[str] = None) -> None:
        if isinstance(where, cl.CommandQueue):
            device = where.device
            where = where.context
        if not isinstance(where, cl.Context):
            raise TypeError(f"a context is made from a queue or a pyopencl.Context, not from {type(where).__name__}")
        if device is None:
            if len(where.devices) != 1:
                raise ValueError("this OpenCL context has several devices: say which")
            device = where.devices[0]
        self._options = ContextOptions(ctypes.sizeof(ContextOptions), _bytes(cache_dir), _bytes(profile),
                                       _bytes(disable), _bytes(dump_dir), listener, None)
        handle, details = ctypes.c_void_p(), Details()
        details.check(lib.clf_context_create(where.int_ptr, device.int_ptr, ctypes.addressof(self._options),
                                             ctypes.addressof(handle), details.address))
        self._handle = handle.value
        sentence = told()
        if sentence:  # a profile that is ignored
            warnings.warn(sentence, stacklevel=2)
        self.plans: Dict[Any, Any] = {}  # what the functions have compiled, by what it was made of
        self.rooms = Rooms()
        self.lock = threading.Lock()

    @property
    def handle(self) -> int:
        """The address of the clf_context."""
        return self._handle

    def describe(self) -> str:
        """What was probed and chosen, a line each.

        >>> "device" in cf.context(queue).describe()
        True
        """
        return text_of(lib.clf_context_describe, self._handle)

    def tune(self, plan: Any, milliseconds: int = 1000) -> str:
        """Looks for faster parameters for plans like this one, which are used by those made from now on. Returns all
        that was found so far, as the text of a profile: for the file of CLFOLD_PROFILE, or ``Context(profile=...)``.

        >>> plan = cf.ScanPlan(queue, cf.operator("sum", "i4"))
        >>> plan.context.tune(plan, 1).startswith("clfold profile 1")
        True
        """
        details = Details()
        at_most = min(whole(milliseconds, "milliseconds"), 2**32 - 1)
        details.check(lib.clf_context_tune(self._handle, plan.handle, at_most, details.address))
        return text_of(lib.clf_context_profile, self._handle)

    def trim(self) -> None:
        """Gives pooled scratch that no call is using back to OpenCL, and the rooms of calls along other axes than the
        last.

        >>> cf.context(queue).trim()
        """
        self.rooms.trim()
        status = lib.clf_context_trim(self._handle)
        if status:
            raise Error(status)

    def __del__(self, release=lib.clf_context_release) -> None:
        if self._handle:
            release(self._handle)


def _bytes(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else str(text).encode()


# By the addresses of context and device. A clf_context retains both, so nobody else can get an address that is here.
_kept: Dict[Tuple[int, int], Context] = {}
_lock = threading.Lock()


def context(queue: cl.CommandQueue) -> Context:
    """The context that functions use for arrays of this queue. The first call for a device probes it, which takes a
    moment.

    >>> cf.context(queue) is cf.context(queue)
    True
    """
    try:
        key = queue.context.int_ptr, queue.device.int_ptr
    except AttributeError:
        raise TypeError(f"queue is a pyopencl.CommandQueue, not {type(queue).__name__}") from None
    found = _kept.get(key)
    if found is None:
        with _lock:
            found = _kept.get(key)
            if found is None:
                found = _kept[key] = Context(queue)
    return found


def release() -> None:
    """Forgets all contexts that were kept, and their plans, so that the OpenCL contexts can go. They come anew when
    they are needed.

    >>> before = cf.context(queue)
    >>> cf.release()
    >>> cf.context(queue) is before
    False
    """
    with _lock:
        _kept.clear()
