# SPDX-License-Identifier: MIT
"""The bench runs, and compares results; its figures are nobody's business here."""
import importlib.util
import subprocess
import sys

import numpy as np
import pytest

with_mako = pytest.mark.skipif(importlib.util.find_spec("mako") is None, reason="Mako is not installed")


def test_without_mako():
    program = "import runpy, sys; sys.modules['mako'] = None; runpy.run_module('pyclfold.bench', run_name='__main__')"
    found = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, check=False)
    assert found.returncode == 1 and b"Traceback" not in found.stderr
    assert b"pip install mako" in found.stderr and b"apt install python3-mako" in found.stderr


@with_mako
def test_bench():
    said = subprocess.check_output([sys.executable, "-m", "pyclfold.bench", "--n", "10000", "--seconds", "0", "--only",
                                    "histogram"]).decode()
    assert "| histogram of 256 bins, uint8 | 10000 | " in said and "×" in said


@with_mako
def test_results_that_differ():
    from pyclfold.bench import Differ, same
    same([np.arange(3), np.arange(3)])
    with pytest.raises(Differ):
        same([np.arange(3), np.array([0, 1, 3])])


@with_mako
def test_unknown_row():
    assert subprocess.run([sys.executable, "-m", "pyclfold.bench", "--only", "sieve"], stderr=subprocess.PIPE,
                          check=False).returncode == 2
