# SPDX-License-Identifier: MIT
"""recipes.py CMAKE PREFIX: do all recipes in cmake/packaging/, the CHANGELOG and what is installed name the version of
this tree; do recipes have its licence, home page and dependencies, and options that exist? What can be run of them
without their tools is run. PREFIX is an installation."""
import email.utils
import fnmatch
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "cmake" / "packaging"
bad = []


def check(right, what):
    if not right:
        bad.append(what)


def text(*path):
    return PACKAGING.joinpath(*path).read_text(encoding="utf-8")


def found(pattern, where):
    match = re.search(pattern, where, re.M)
    return match.group(1) if match else None


def skipped(what, why):
    print(f"{what}: not looked at, for {why}")


HEADER = (ROOT / "include" / "clfold" / "status.h").read_text(encoding="utf-8")
LISTS = [(ROOT / path).read_text(encoding="utf-8") for path in ("CMakeLists.txt", "bench/CMakeLists.txt", "cmake/Install.cmake")]
VERSION = found(r'#define CLFOLD_VERSION_STRING "([^"]+)"', HEADER)
DESCRIPTION = found(r'DESCRIPTION "([^"]+)"', LISTS[0])
CMAKE = found(r"cmake_minimum_required\(VERSION ([0-9.]+)\)", LISTS[0])
OPTIONS = {name for lists in LISTS for name in re.findall(r"(?:option|set)\((CLFOLD_[A-Z_]+) ", lists)}
HOME = "https://clfold.example"
TARBALL = f"{HOME}/releases/download/v{VERSION}/clfold-{VERSION}.tar.gz"


def same(recipe, **facts):
    expected = {"version": VERSION, "licence": "MIT", "home": HOME, "url": TARBALL, "cmake": CMAKE,
                "description": DESCRIPTION}
    for name, value in facts.items():
        check(value == expected[name], f"{recipe}: {name} is {value}, not {expected[name]}")


def options(recipe, *files):
    """Every CLFOLD_ word is an option; the tests, the libraries to compare with, and what is built only where MPI happens
    to be, are left out of all packages."""
    words = {word for file in files for word in re.findall(r"CLFOLD_[A-Z_]+", text(recipe, file))
             if not word.startswith("CLFOLD_VERSION")}
    for word in sorted(words - OPTIONS):
        check(False, f"{recipe}: there is no option {word}")
    for word in ("CLFOLD_TESTS", "CLFOLD_PEERS", "CLFOLD_MPI"):
        check(word in words, f"{recipe}: says nothing of {word}")


def vcpkg(cmake):
    manifest = json.loads(text("vcpkg", "vcpkg.json"))
    same("vcpkg", version=manifest["version"], licence=manifest["license"], home=manifest["homepage"],
         description=manifest["description"])
    check("opencl" in manifest["dependencies"], "vcpkg: does not depend on opencl")
    options("vcpkg", "portfile.cmake")
    used = run_portfile(cmake, manifest)
    same("vcpkg", url=found(r"URLS;([^;\n]+)", used))
    for word in ("-DCLFOLD_TESTS=OFF", f"clfold-{VERSION}.tar.gz", "SHA512;0", f"-P;{PACKAGING}/one_linkage.cmake"):
        check(word in used, f"vcpkg: the portfile hands nobody {word}")


def run_portfile(cmake, manifest):
    """What the portfile hands to vcpkg's functions."""
    names = set(re.findall(r"^ *(vcpkg_[a-z_]+)\(", text("vcpkg", "portfile.cmake"), re.M))
    helpers = {entry["name"] for entry in manifest["dependencies"] if isinstance(entry, dict)}
    check(helpers == {"vcpkg-cmake", "vcpkg-cmake-config"}, f"vcpkg: helpers are {helpers}")
    with tempfile.TemporaryDirectory() as folder:
        packages = Path(folder, "packages")
        (packages / "lib").mkdir(parents=True)
        script = ["cmake_minimum_required(VERSION 3.18)"]
        script += [f'set({name} "{value}")' for name, value in {
            "VERSION": manifest["version"], "PORT": "clfold", "CURRENT_PACKAGES_DIR": packages,
            "FEATURES": "core;tools", "VCPKG_LIBRARY_LINKAGE": "static", "TARGET_TRIPLET": "x64-linux"}.items()]
        script += [f"macro({name})\n message(\"{name} ${{ARGN}}\")\nendmacro()" for name in sorted(names)]
        script += [f'macro(vcpkg_extract_source_archive variable)\n set(${{variable}} "{ROOT}")\nendmacro()',
                   f"include({PACKAGING / 'vcpkg' / 'portfile.cmake'})"]
        path = Path(folder, "port.cmake")
        path.write_text("\n".join(script), encoding="utf-8")
        done = subprocess.run([cmake, "-P", str(path)], stderr=subprocess.PIPE, text=True)
        check(done.returncode == 0, f"vcpkg: the portfile does not run: {done.stderr}")
        check((packages / "share" / "clfold" / "usage").exists(), "vcpkg: the portfile installs no usage")
        return done.stderr


def module_of(*path):
    """A recipe in Python."""
    place = importlib.util.spec_from_file_location(path[0] + "_recipe", PACKAGING.joinpath(*path))
    module = importlib.util.module_from_spec(place)
    sys.dont_write_bytecode = True
    place.loader.exec_module(module)
    return module


class Spec:
    def __init__(self, tools):
        self.tools = tools

    def satisfies(self, variant):
        return variant == ("+tools" if self.tools else "~tools")


class CMakePackage:
    """As much of Spack's as a recipe needs to be read."""
    said = []

    def define(self, name, value):
        return f"-D{name}:BOOL={'ON' if value else 'OFF'}"

    def define_from_variant(self, name, variant):
        check(("variant", variant) in [(what, args[0]) for what, args, _ in self.said], f"Spack: no variant {variant}")
        return self.define(name, self.spec.tools)


def spack():
    said = CMakePackage.said
    api = types.ModuleType("spack.package")
    for name in ("version", "variant", "depends_on", "license"):
        setattr(api, name, lambda *args, _name=name, **more: said.append((_name, args, more)))
    built = types.ModuleType("spack_repo.builtin.build_systems.cmake")
    built.CMakePackage = CMakePackage
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules[api.__name__], sys.modules[built.__name__] = api, built
    module = module_of("spack", "package.py")

    def arguments(name):
        return [args[0] for what, args, _ in said if what == name]

    package = module.Clfold()
    same("Spack", version=arguments("version")[0], licence=arguments("license")[0], home=package.homepage,
         url=package.url)
    check({"opencl", f"cmake@{CMAKE}:"} <= set(arguments("depends_on")), f"Spack: depends on {arguments('depends_on')}")
    options("spack", "package.py")
    for tools in (True, False):
        package.spec = Spec(tools)
        given = package.cmake_args()
        check("-DCLFOLD_TESTS:BOOL=OFF" in given and package.define("CLFOLD_BENCH", tools) in given, f"Spack: {given}")


def conda():
    options("conda", "recipe.yaml")
    try:
        import yaml
    except ImportError:
        return skipped("conda's recipe", "there is no PyYAML here")
    recipe = yaml.safe_load(text("conda", "recipe.yaml"))
    about = recipe["about"]
    same("conda", version=recipe["context"]["version"], licence=about["license"], home=about["homepage"],
         description=about["summary"], url=recipe["source"]["url"].replace("${{ version }}", VERSION))
    needs = recipe["requirements"]
    check(f"cmake >={CMAKE}" in needs["build"], f"conda: builds with {needs['build']}")
    loader = {"if": "linux", "then": "ocl-icd", "else": "khronos-opencl-icd-loader"}
    check(needs["host"] == needs["run"] == ["opencl-headers", loader], "conda: OpenCL in host and in run")
    check((ROOT / about["license_file"]).exists(), "conda: the licence's file")


def homebrew():
    formula = text("homebrew", "clfold.rb")
    same("Homebrew", version=found(r"clfold-([0-9.]+)\.tar\.gz", formula), licence=found(r'license "(.*)"', formula),
         home=found(r'homepage "(.*)"', formula), url=found(r' url "(.*)"', formula),
         description=found(r'desc "(.*)"', formula))
    check(set(re.findall(r'depends_on "([^"]+)"', formula)) >= {"cmake", "opencl-headers", "opencl-icd-loader"},
          "Homebrew: dependencies")
    options("homebrew", "clfold.rb")
    if not shutil.which("ruby"):
        return skipped("the formula's syntax", "there is no Ruby here")
    ruby = subprocess.run(["ruby", "-c", PACKAGING / "homebrew" / "clfold.rb"], stdout=subprocess.DEVNULL)
    check(ruby.returncode == 0, "Homebrew: syntax")


def release(prefix):
    """What the release's list in cmake/packaging/README.md begins with: one version everywhere, and its date."""
    numbers = [found(rf"#define CLFOLD_VERSION_{part} +([0-9]+)$", HEADER) for part in ("MAJOR", "MINOR", "PATCH")]
    same("status.h's numbers", version=".".join(map(str, numbers)))
    for name, pattern in (("clfold.pc", "^Version: (.*)"),
                          ("clfoldConfigVersion.cmake", r'set\(PACKAGE_VERSION "(.*)"\)')):
        for path in list(prefix.rglob(name)) or [None]:
            check(path, f"{name} is not installed")
            same(name, version=path and found(pattern, path.read_text(encoding="utf-8")))
    headings = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    dated = [re.fullmatch(r"\[([0-9.]+)\] - ([0-9]{4}-[0-9]{2}-[0-9]{2})", heading) for heading in headings[1:]]
    check(headings[0] == "[Unreleased]" and dated and all(dated), f"CHANGELOG.md: sections are {headings}")
    number, date = dated[0].groups() if dated and dated[0] else (None, None)
    same("CHANGELOG.md", version=number)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    same("CITATION.cff", version=found(r"^version: (.*)", citation), licence=found(r"^license: (.*)", citation))
    check(found(r"^date-released: (.*)", citation) == date, f"CITATION.cff: not of {date}, as the CHANGELOG")
    packaged = email.utils.parsedate_to_datetime(found(r"^ -- .*>  (.*)", text("debian", "changelog")))
    check(date and packaged.date().isoformat() >= date, f"Debian: the changelog's entry is older than {date}")
    check(f"Package: libclfold{numbers[0]}.{numbers[1]}\n" in text("debian", "control"), "Debian: another soname")
    project = (ROOT / "src" / "python" / "pyproject.toml").read_text(encoding="utf-8")
    check('dynamic = ["version"' in project and not found(r"^(version *=)", project),
          "pyproject.toml: a version of its own, instead of the header's")


def others():
    same("Debian", version=found(r"^clfold \(([0-9.]+)-", text("debian", "changelog")),
         licence=found(r"^License: (\w+)", text("debian", "copyright")),
         cmake=found(r"cmake \(>= ([0-9.]+)\)", text("debian", "control")))
    check("ocl-icd-opencl-dev" in text("debian", "control"), "Debian: does not build with OpenCL")
    options("debian", "rules")
    conan = text("conan", "conanfile.py")
    same("Conan", licence=found(r'^    license = "(\w+)"', conan), description=found(r'description = "(.*)"', conan))
    check("OpenCL" in conan and "CLFOLD_VERSION_STRING" in conan, "Conan: OpenCL, and the version from the header")
    options("conan", "conanfile.py")
    for folder in PACKAGING.iterdir():
        check(not folder.is_dir() or f"[`{folder.name}/`]" in text("README.md"), f"README.md has no row for {folder.name}/")


def conan_exports(cmake):
    """What Conan takes of the tree is enough to configure it with the tools, for all includes, and for the installation."""
    def copy(_, pattern, source, target, excludes=()):
        for path in Path(source).glob(pattern.replace("/*", "/**/*")):
            name = path.relative_to(Path(source)).as_posix()
            if path.is_file() and not any(fnmatch.fnmatchcase(name, form) for form in excludes):
                Path(target, name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, Path(target, name))

    for name in ("conan", "conan.tools", "conan.tools.cmake", "conan.tools.files"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["conan"].ConanFile = object
    for name in ("CMake", "CMakeDeps", "CMakeToolchain", "cmake_layout"):
        setattr(sys.modules["conan.tools.cmake"], name, None)
    for name in ("copy", "load", "rm", "rmdir"):
        setattr(sys.modules["conan.tools.files"], name, copy)
    recipe = module_of("conan", "conanfile.py").Clfold()
    with tempfile.TemporaryDirectory() as folder:
        tree, build = Path(folder, "tree"), Path(folder, "build")
        recipe.recipe_folder, recipe.export_sources_folder = PACKAGING / "conan", tree
        recipe.export_sources()
        done = subprocess.run([cmake, "-S", tree, "-B", build, "-DCLFOLD_TESTS=OFF", "-DCLFOLD_PEERS=OFF", "-DCLFOLD_MPI=OFF",
                               "-DCLFOLD_INSTALL=ON"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        check(done.returncode == 0, f"Conan: what is exported cannot be configured: {done.stderr}")
        named = [path for script in build.rglob("cmake_install.cmake")
                 for path in re.findall(rf'"({tree}/[^"]+)"', script.read_text(encoding="utf-8"))]
        named += [file.parent / name for file in tree.rglob("*.[ch]")
                  for name in re.findall(r'^#include "([^"]*/[^"]+)"', file.read_text(encoding="utf-8"), re.M)
                  if name.startswith("../")]
        check(named, "Conan: nothing is exported")
        for path in named:
            check(Path(path).exists(), f"Conan: does not export {os.path.relpath(path, tree)}")


def debian_has_all(prefix):
    """Whatever is installed is in a package of Debian's, or said not to be; dh_missing would stop there."""
    patterns = []
    for path in [*PACKAGING.glob("debian/*.install"), PACKAGING / "debian" / "not-installed"]:
        patterns += [line.split()[0] for line in path.read_text(encoding="utf-8").splitlines() if line]
    files = [path.relative_to(prefix).as_posix() for path in prefix.rglob("*") if not path.is_dir()]
    check(files, f"nothing is installed in {prefix}")
    for file in files:
        where = "usr/" + re.sub(r"^lib(64)?/(?=(libclfold|cmake|pkgconfig))", "lib/x86_64-linux-gnu/", file)
        held = any(fnmatch.fnmatchcase(where, form) for pattern in patterns for form in (pattern, pattern + "/*"))
        check(held or "clfold_mpi" in file, f"Debian: {file} is in no package")


def filled_in():
    """recipes.sh, with a tarball that has next to nothing in it."""
    with tempfile.TemporaryDirectory() as folder:
        tarball = Path(folder, f"clfold-{VERSION}.tar.gz")
        with tarfile.open(tarball, "w:gz") as archive:
            archive.add(ROOT / "CMakeLists.txt", f"clfold-{VERSION}/CMakeLists.txt")
        command = ["sh", PACKAGING / "recipes.sh", "https://host.test/clfold/"]
        done = subprocess.run([*command, tarball, f"{folder}/out"], stdout=subprocess.PIPE)
        check(done.returncode == 0, f"recipes.sh: {done.stdout}")
        files = [path for path in Path(folder, "out").rglob("*.*") if path.is_file()]
        written = {path.name: path.read_text(encoding="utf-8") for path in files}
        sums = {kind: hashlib.new(kind, tarball.read_bytes()).hexdigest() for kind in ("sha256", "sha512")}
        for name in ("portfile.cmake", "package.py", "recipe.yaml", "clfold.rb"):
            of_file = written.get(name, "")
            check(sums["sha512" if name == "portfile.cmake" else "sha256"] in of_file, f"recipes.sh: {name}'s checksum")
            check("https://host.test/clfold/releases/" in of_file, f"recipes.sh: {name}'s home page")
        wrong = subprocess.run([*command, __file__, f"{folder}/out"], stdout=subprocess.DEVNULL)
        check(wrong.returncode != 0, "recipes.sh takes anything for a tarball")


vcpkg(sys.argv[1])
for look in (spack, conda, homebrew, others, filled_in):
    look()
conan_exports(sys.argv[1])
release(Path(sys.argv[2]))
debian_has_all(Path(sys.argv[2]))
print("\n".join(bad) or f"recipes of clfold {VERSION}: vcpkg, Spack, conda, Homebrew, Debian, Conan")
sys.exit(1 if bad else 0)
