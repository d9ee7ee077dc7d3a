# SPDX-License-Identifier: MIT
"""Every block of Python in the pages of src/manual is a program, which runs as it stands there."""
import re
from pathlib import Path

import pyopencl as cl
import pytest

MANUAL = Path(__file__).resolve().parents[2] / "manual"


def programs():
    for page in sorted(MANUAL.glob("*.md")):
        for number, program in enumerate(re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S), 1):
            yield pytest.param(program, id=f"{page.stem}_{number}")


@pytest.mark.skipif(not MANUAL.exists(), reason="the manual is not here")
@pytest.mark.parametrize("program", programs())
def test_programs(program, queue, monkeypatch):
    monkeypatch.setattr(cl, "create_some_context", lambda interactive: queue.context)  # whose plans are kept
    exec(compile(program, "<manual>", "exec"), {})


@pytest.mark.skipif(not MANUAL.exists(), reason="the manual is not here")
def test_there_are_programs_that_compare_results():
    found = [param.values[0] for param in programs()]
    assert len(found) >= 6 and all("assert " in program for program in found)
