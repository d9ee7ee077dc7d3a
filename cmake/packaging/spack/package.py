# SPDX-License-Identifier: MIT
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Clfold(CMakePackage):
    """Parallel primitives for OpenCL with the caller's own operator: scan, reduce, filter, sort, top-k, histogram,
    merge, gather and transpose of long arrays, rows and segments."""

    homepage = "https://clfold.example"
    url = "https://clfold.example/releases/download/v0.1.0/clfold-0.1.0.tar.gz"

    license("MIT")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("tools", default=True, description="Build clfold-info, clfold-bench, clfold-bench-distributed and clfold-tune")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("opencl")
    depends_on("pocl+icd", when="^[virtuals=opencl] pocl")

    def cmake_args(self):
        args = [
            self.define("CLFOLD_TESTS", False),
            self.define("CLFOLD_INSTALL", True),
            self.define("CLFOLD_MPI", False),
            self.define_from_variant("CLFOLD_BENCH", "tools"),
        ]
        if self.spec.satisfies("+tools"):
            args.append(self.define("CLFOLD_PEERS", False))
        return args

    def test_version(self):
        """the installed tools run, and know their version"""
        if self.spec.satisfies("~tools"):
            raise SkipTest("built without tools")
        for name in ("clfold-info", "clfold-bench", "clfold-bench-distributed", "clfold-tune"):
            tool = which(join_path(self.prefix.bin, name))
            assert str(self.spec.version) in tool("--version", output=str.split, error=str.split)
