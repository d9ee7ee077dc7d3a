# SPDX-License-Identifier: MIT
"""What is raised when the C library refuses something."""
import ctypes
import threading
from typing import Any, Optional, Sequence, Tuple

from ._library import NOTIFY, ErrorDetails, lib


class Error(RuntimeError):
    """A call of clfold that failed.

    status   the status: negative ones are OpenCL's, positive ones clfold's (``CLF_E_…`` of clfold.h)
    text     what the status means
    message  one sentence: what failed, and on what; and the expressions, in which it did not compile
    log      the build log of an operator that does not compile, else empty. Lines of the operator's own source are
             operator.cl:LINE

    >>> cf.scan(cla.zeros(queue, 4, "f4"), "a + nonsense", neutral=0)
    Traceback (most recent call last):
    ...
    pyclfold.errors.Error: ...nonsense...
    """

    def __init__(self, status: int, message: str = "", log: str = "") -> None:
        self.status = status
        self.text: str = lib.clf_status_text(status).decode()
        self.message = message or self.text
        self.log = log
        super().__init__(self.message + (f" (status {status})") + (f"\n{log}" if log else ""))

    def __reduce__(self) -> Tuple[Any, ...]:
        # else pools of processes get the text for the status
        return type(self), (self.status, self.message, self.log), self.__dict__

    def within(self, expressions: Sequence[str]) -> "Error":
        """The same, with the expressions that do not compile."""
        if not expressions:
            return self
        named = " or ".join(repr(one) for one in expressions)
        return Error(self.status, f"{self.message}: in the expression {named}", self.log)


_told = threading.local()


@NOTIFY
def listener(sentence, status, user):
    """clf_context_options.notify: runs in the thread of the call that is refused, so that call can pick it up."""
    _told.sentence = sentence.decode(errors="replace")


def told() -> str:
    """The sentence that the listener was told since this was last asked; "": none."""
    sentence: Optional[str] = getattr(_told, "sentence", None)
    _told.sentence = None
    return sentence or ""


def refused(status: int) -> Error:
    """The error of an enqueue function, with the sentence that the listener was told."""
    return Error(status, told())


class Details:
    """A clf_error for one call of a function that compiles."""

    def __init__(self) -> None:
        self._error = ErrorDetails(size=ctypes.sizeof(ErrorDetails))
        self.address = ctypes.addressof(self._error)

    def check(self, status: int) -> None:
        """Raises what the function has written, if it failed."""
        if status:
            raise Error(status, self._error.message.decode(errors="replace"), self._error.log.decode(errors="replace"))
