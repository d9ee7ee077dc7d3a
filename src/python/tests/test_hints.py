# SPDX-License-Identifier: MIT
"""Type hints: what functions return is said precisely, and overloads have the arguments of what they stand for."""
import importlib.util
import inspect
import os
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import pyclfold as cf

FUNCTIONS = [name for name in cf.__all__ if inspect.isfunction(getattr(cf, name))]

# Each result by its type; then calls that a checker refuses.
PROGRAM = """
from typing import Tuple
import pyclfold as cf
from pyopencl.array import Array

def right(x: Array, y: Array) -> None:
    a: Array = cf.scan(x)
    a = cf.exclusive_scan(x, "max")
    a = cf.reduce(x, "sum", dtype="f8", axis=0)
    a = cf.sort(x, descending=True)
    a = cf.top_k(x, 3)
    a = cf.merge(x, y)
    a = cf.gather(x, y)
    a = cf.filter(x, "x > 3")
    a = cf.adjacent_difference(x)
    a = cf.reduce_by_index(x, y, 3)
    t: Tuple[Array, Array] = cf.filter(x, "x > 3", cut=False)
    t = cf.partition(x, "x > 3")
    t = cf.reduce_by_key(x, y)
    t = cf.run_lengths(x)
    cf.scan((x, y)).f0
    cf.sort({"key": x, "value": y}).value

def wrong(x: Array) -> None:
    cf.scan(x).f0
    cf.filter(x, "x > 3", cut=False).size
    cf.reduce(x, axis="0")
    b: int = cf.sort(x)
    cf.sort(3)
"""


@pytest.mark.skipif(not hasattr(typing, "get_overloads"), reason="this Python keeps no overloads")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_overloads(name):
    function = getattr(cf, name)
    signature = inspect.signature(function)
    overloads = [inspect.signature(one) for one in typing.get_overloads(function)]
    results = [one.return_annotation for one in overloads] or [signature.return_annotation]
    assert results[0] is not typing.Any
    for one in overloads:
        assert [(each.name, each.kind) for each in one.parameters.values()] == [
            (each.name, each.kind) for each in signature.parameters.values()]
        assert {each.name for each in signature.parameters.values() if each.default is not each.empty} - {
            each.name for each in one.parameters.values() if each.default is not each.empty} <= {"cut"}


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
@pytest.mark.skipif(not Path(importlib.util.find_spec("pyopencl").origin).with_name("py.typed").exists(),
                    reason="this PyOpenCL has no types")
def test_mypy(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    home = str(Path(cf.__file__).parents[1])
    paths = {} if home.endswith("-packages") else {"MYPYPATH": home}
    said = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "--follow-imports",
                           "silent", str(tmp_path / "program.py")], stdout=subprocess.PIPE, check=False,
                          env=dict(os.environ, **paths)).stdout.decode()
    lines = PROGRAM.splitlines()
    wrong = lines.index("def wrong(x: Array) -> None:") + 1
    errors = {int(line.split(":")[-3]) for line in said.splitlines() if ": error:" in line}
    assert errors == {number + 1 for number in range(wrong, len(lines))}, said
