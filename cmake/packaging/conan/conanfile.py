# SPDX-License-Identifier: MIT
"""Conan's recipe for this tree: conan create cmake/packaging/conan. OpenCL's loader and headers are the system's."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir

ROOT = os.path.join("..", "..", "..")


class Clfold(ConanFile):
    name = "clfold"
    description = "Parallel primitives for OpenCL with the caller's own operator"
    license = "MIT"
    topics = ("opencl", "gpu", "scan", "sort", "reduction", "histogram")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "tools": [True, False]}
    default_options = {"shared": False, "fPIC": True, "tools": False}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, ROOT, "include", "clfold", "status.h"))
        self.version = re.search(r'#define CLFOLD_VERSION_STRING "([^"]+)"', header).group(1)

    def export_sources(self):
        tree = os.path.join(self.recipe_folder, ROOT)
        copy(self, "CMakeLists.txt", tree, self.export_sources_folder)
        for folder in ("bench", "cl", "cmake", "include", "src", "tests/examples", "tests/distributed/examples"):
            copy(self, f"{folder}/*", tree, self.export_sources_folder, excludes=("*.json", "*/__pycache__/*"))
        for text in ("LICENSE", "README.md", "CHANGELOG.md", "tests/ref*.[ch]", "tests/gen.[ch]", "tests/shared_operators.[ch]"):
            copy(self, text, tree, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables.update(CLFOLD_TESTS=False, CLFOLD_PEERS=False, CLFOLD_INSTALL=True,
                                         CLFOLD_MPI=False, CLFOLD_BENCH=bool(self.options.tools))
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "share"))
        unwanted = ("*.a", "*static*") if self.options.shared else ("*.so*", "*.dylib*", "*.dll")
        for pattern in unwanted:  # CMake builds both
            rm(self, pattern, os.path.join(self.package_folder, "lib"))

    def package_info(self):
        self.component("clfold", "clfold")
        self.component("distributed", "clfold_distributed").requires = ["clfold"]

    def component(self, target, library):
        """clfold::TARGET, and clfold::TARGET_static where that is what it is."""
        part = self.cpp_info.components[target]
        part.set_property("cmake_target_name", f"clfold::{target}")
        part.set_property("cmake_target_aliases", [] if self.options.shared else [f"clfold::{target}_static"])
        part.libs = [library]
        if self.settings.os == "Macos":
            part.frameworks = ["OpenCL"]
        else:
            part.system_libs = ["OpenCL"]
            if not self.options.shared and self.settings.os != "Windows":
                part.system_libs.append("pthread")
        return part
