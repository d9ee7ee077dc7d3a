# SPDX-License-Identifier: MIT
"""The first program of README.md, and that of the project's, as they stand there; other examples are doctests. And what it
says of docstrings."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pyclfold as cf

README = Path(__file__).resolve().parents[1] / "README.md"
PROJECT = Path(__file__).resolve().parents[3] / "README.md"


@pytest.mark.skipif(not README.exists(), reason="README.md is not here")
def test_first_program():
    program = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S).group(1)
    assert len([line for line in program.splitlines() if line]) <= 5
    said = subprocess.check_output([sys.executable, "-c", program]).decode()
    assert said == "[ 3.  4.  8.  9. 14. 23.] 9.0 [1. 1. 3. 4. 5. 9.]\n"


@pytest.mark.skipif(not PROJECT.exists(), reason="the project's README.md is not here")
def test_first_program_of_the_project():
    program = re.search(r"```python\n(.*?)```", PROJECT.read_text(encoding="utf-8"), re.S).group(1)
    assert len(program.splitlines()) == 3
    assert subprocess.check_output([sys.executable, "-c", program]).decode() == "[ 1.  2.  5.  9. 14. 23.]\n"


@pytest.mark.parametrize("name", cf.__all__)
def test_every_public_name_has_an_example(name):
    """Which doctest runs: README.md says so of each."""
    assert ">>> " in (getattr(cf, name).__doc__ or ""), f"help(pyclfold.{name}) has no example"
