# SPDX-License-Identifier: MIT
"""The wheel as pip builds it, by what is installed here: no network is asked."""
import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
LACKING = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None] + [
    name for name in ("cmake", "cc") if shutil.which(name) is None]


@pytest.mark.skipif(bool(LACKING), reason=f"without {', '.join(LACKING)}")
@pytest.mark.skipif(not (PROJECT / "setup.py").exists(), reason="this is not the source tree")
def test_wheel(tmp_path):
    before = sorted(PROJECT.rglob("*"))
    subprocess.check_call([sys.executable, "-m", "pip", "wheel", "-q", "--no-index", "--no-deps",
                           "--no-build-isolation", "--no-cache-dir", "-w", str(tmp_path), str(PROJECT)])
    assert sorted(PROJECT.rglob("*")) == before  # nothing is left in the tree
    wheel, = tmp_path.glob("*.whl")
    assert wheel.name.startswith("pyclfold-") and "-py3-none-" in wheel.name and not wheel.name.endswith("any.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("/METADATA"))).decode()
    assert "\nLicense: MIT\n" in metadata
    modules = {path.name for path in (PROJECT / "pyclfold").glob("*.py")} | {"py.typed", "libclfold.so", "LICENSE"}
    assert {name.split("/")[1] for name in names if name.startswith("pyclfold/")} == modules
    if shutil.which("ldd"):
        needed = subprocess.check_output(["ldd", str(tmp_path / "installed/pyclfold/libclfold.so")]).decode()
        assert "libOpenCL.so" in needed
    environment = {name: value for name, value in os.environ.items() if name not in ("CLFOLD_LIBRARY", "PYTHONPATH")}
    program = ("import sys; sys.path.insert(0, sys.argv[1])\n"
               "import pyopencl as cl, pyopencl.array as cla, numpy as np, pyclfold as cf\n"
               "queue = cl.CommandQueue(cl.create_some_context(interactive=False))\n"
               "print(cf.__file__, cf.scan(cla.to_device(queue, np.arange(5, dtype='f4'))))\n")
    said = subprocess.check_output([sys.executable, "-c", program, str(tmp_path / "installed")], env=environment,
                                   cwd=str(tmp_path)).decode()
    assert said.split(" ", 1) == [str(tmp_path / "installed/pyclfold/__init__.py"), "[ 0.  1.  3.  6. 10.]\n"]
