# SPDX-License-Identifier: MIT
"""Builds the C library by CMake and puts it beside the package's modules; all else stands in pyproject.toml.

The library's sources are two folders up, or in an sdist in its folder clfold/.
"""
import atexit
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # older than setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
ROOT = next((folder for folder in (HERE / "clfold", HERE.parent.parent)
             if (folder / "include" / "clfold" / "clfold.h").exists()), None)
if ROOT is None:
    raise SystemExit("the sources of clfold are neither in clfold/ nor two folders up")


# All that is built on the way: in the source tree it would stay, and the next wheel would have modules that are gone.
SCRATCH = tempfile.mkdtemp(prefix="pyclfold-")
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)


def version():
    header = (ROOT / "include" / "clfold" / "status.h").read_text(encoding="utf-8")
    return re.search(r'#define CLFOLD_VERSION_STRING "([^"]+)"', header).group(1)


class BuildLibrary(build_py):
    """The modules, and the library beside them. CLFOLD_CMAKE_ARGS has further arguments for CMake."""

    def run(self):
        super().run()
        if getattr(self, "editable_mode", False):
            return self.library(HERE / "pyclfold")
        package = Path(self.build_lib) / "pyclfold"
        self.library(package)
        shutil.copyfile(ROOT / "LICENSE", package / "LICENSE")  # a wheel has the library in it, so its licence as well

    def library(self, target):
        build = Path(SCRATCH) / "clfold"
        options = [f"-DCLFOLD_{what}=OFF" for what in ("TESTS", "BENCH", "INSTALL", "DISTRIBUTED", "MPI")]
        generator = ["-G", "Ninja"] if shutil.which("ninja") and not os.environ.get("CMAKE_GENERATOR") else []
        more = os.environ.get("CLFOLD_CMAKE_ARGS", "").split()
        subprocess.check_call(["cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
                               *generator, *options, *more])
        subprocess.check_call(["cmake", "--build", str(build), "--target", "clfold", "--config", "Release",
                               "--parallel", str(min(os.cpu_count() or 1, 8))])
        patterns = ("libclfold.so", "libclfold.dylib", "clfold.dll", "libclfold.dll", "Release/clfold.dll")
        built = next(path for path in (build / name for name in patterns) if path.exists())
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built.resolve(), target / built.name)


def without_this_folder(folder, names):
    return [name for name in names if (Path(folder) / name).resolve() == HERE]


class SourcesToo(sdist):
    """An sdist has what the library is built from, in clfold/."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        target = Path(base_dir) / "clfold"
        for name in ("CMakeLists.txt", "LICENSE"):
            self.mkpath(str(target))
            shutil.copyfile(ROOT / name, target / name)
        for name in ("cmake", "include", "cl", "src"):
            shutil.copytree(ROOT / name, target / name, dirs_exist_ok=True, ignore=without_this_folder)


class Wheel(bdist_wheel):
    """For any Python 3: the library is loaded by ctypes and knows nothing of Python."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True  # so the wheel is one of a platform


setup(version=version(), license="MIT", distclass=WithLibrary,
      options={"build": {"build_base": SCRATCH}, "egg_info": {"egg_base": SCRATCH}},
      cmdclass={"build_py": BuildLibrary, "sdist": SourcesToo, "bdist_wheel": Wheel})
