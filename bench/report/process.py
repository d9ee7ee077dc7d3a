# SPDX-License-Identifier: MIT
"""A process with a limit of time, and how far all of them are."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import namedtuple

import machine

Outcome = namedtuple("Outcome", "kind said")  # "ended", "crashed", "hung"


def _kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        pass  # a driver that cannot be killed: it stays behind


def _said(file):
    """The last words, without the progress of a terminal."""
    file.seek(0)
    text = file.read().decode("utf-8", "replace").replace("\x1b[K", "").replace("\r", "\n")
    lines = [line.strip() for line in text.splitlines() if line.strip() and "warning" not in line.lower()]
    return " / ".join(lines[-2:])[-300:]


def run_bench(command, limit):
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True
            )
        except OSError as error:
            raise machine.ToolFailed(f"{command[0]}: {error.strerror}") from None
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            _kill(process)
            return Outcome("hung", f"no end after {limit:g} s")
        except BaseException:
            _kill(process)
            raise
        if status < 0:
            try:
                name = signal.Signals(-status).name
            except ValueError:
                name = f"signal {-status}"
            return Outcome("crashed", f"{name}: {_said(errors)}".rstrip(": "))
        if status > 1:
            return Outcome("crashed", f"status {status}: {_said(errors)}".rstrip(": "))
        return Outcome("ended", _said(errors))


# ---- Progress ----


def duration(seconds):
    seconds = int(seconds + 0.5)
    if seconds < 60:
        return f"{seconds} s"
    return f"{seconds // 60} min" if seconds < 3600 else f"{seconds // 3600} h {seconds % 3600 // 60} min"


class Progress:
    def __init__(self, costs):
        self.total, self.spent, self.start = sum(costs), 0, time.monotonic()
        self.terminal = sys.stderr.isatty()

    def show(self, text):
        gone = time.monotonic() - self.start
        left = (
            f"about {duration(gone / self.spent * (self.total - self.spent))} left"
            if self.spent and gone > 2
            else "…"
        )
        line = f"[{100 * self.spent / max(self.total, 1e-9):3.0f} %] {text} · {duration(gone)} gone, {left}"
        print(
            ("\r\033[K" + line) if self.terminal else line,
            end="" if self.terminal else "\n",
            file=sys.stderr,
            flush=True,
        )

    def done(self, cost):
        self.spent += cost

    def end(self):
        if self.terminal:
            print(file=sys.stderr)
