# SPDX-License-Identifier: MIT
"""The bench runs, and compares results; its figures are nobody's business here."""
import subprocess
import sys

import pytest

pytest.importorskip("mako")


def test_bench():
    said = subprocess.check_output([sys.executable, "-m", "pyclfold.bench", "--n", "10000", "--seconds", "0", "--only",
                                    "histogram"]).decode()
    assert "| histogram of 256 bins, uint8 | 10000 | " in said and "×" in said


def test_unknown_row():
    assert subprocess.run([sys.executable, "-m", "pyclfold.bench", "--only", "sieve"], stderr=subprocess.PIPE,
                          check=False).returncode == 2
