# SPDX-License-Identifier: MIT
"""The bench runs, and compares results; its figures are nobody's business here."""
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("mako")


def test_bench():
    said = subprocess.check_output([sys.executable, "-m", "pyclfold.bench", "--n", "10000", "--seconds", "0", "--only",
                                    "histogram"]).decode()
    assert "| histogram of 256 bins, uint8 | 10000 | " in said and "×" in said


def test_results_that_differ():
    from pyclfold.bench import Differ, same
    same([np.arange(3), np.arange(3)])
    with pytest.raises(Differ):
        same([np.arange(3), np.array([0, 1, 3])])


def test_unknown_row():
    assert subprocess.run([sys.executable, "-m", "pyclfold.bench", "--only", "sieve"], stderr=subprocess.PIPE,
                          check=False).returncode == 2
