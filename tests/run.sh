#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh tests/run.sh: from a bare Debian or Ubuntu to tested. Installs what is missing, builds into build/ (warnings are
# errors; by clang and for Windows too, where these compilers are), runs all tests, then the host suites under
# AddressSanitizer and UndefinedBehaviorSanitizer, then the kernels under Oclgrind, and compiles them for GPUs that are
# not here. Ends with "N passed, N failed"; logs stay in build/logs.
#
# Tests run on PoCL alone, whatever other drivers are installed, unless CLFOLD_TEST_DEVICE or OCL_ICD_VENDORS is set.
set -eu
cd "$(dirname "$0")/.."

. tests/packages.sh
need_build
want oclgrind 'command -v oclgrind'
want clinfo 'command -v clinfo'
want python3 'python3 -c "import html.parser"' # for the manual as HTML, its links, and the report
for package in pyopencl pytest pip setuptools wheel; do # numpy comes with the first
    want python3-$package "/usr/bin/python3 -c 'import $package'"
done
want openmpi-bin 'command -v mpiexec'
want libopenmpi-dev 'command -v mpicc'
want clang-15 'command -v clang-15'
want rocm-device-libs 'ls /usr/lib/*/amdgcn/bitcode'
want llvm-15 'command -v llvm-readelf-15 || command -v llvm-readelf' # counts registers of AMD's kernels, and scratch
[ -n "${CLFOLD_TEST_DEVICE:-}${OCL_ICD_VENDORS:-}" ] || need pocl-opencl-icd 'ls /etc/OpenCL/vendors/pocl*.icd'
install_missing

# Loading a driver is enough for its leaks and crashes to become ours.
if [ -z "${CLFOLD_TEST_DEVICE:-}${OCL_ICD_VENDORS:-}" ]; then
    rm -rf build/vendors
    mkdir -p build/vendors
    cp /etc/OpenCL/vendors/pocl*.icd build/vendors
    OCL_ICD_VENDORS=$PWD/build/vendors
    export OCL_ICD_VENDORS
fi

logs=$PWD/build/logs
mkdir -p "$logs"
# Compiled kernels of PoCL, shared by all runs below.
POCL_CACHE_DIR=$PWD/build/pocl-cache
export POCL_CACHE_DIR
mkdir -p "$POCL_CACHE_DIR"
passed=0
failed=0

title() { printf '\n== %s\n' "$*"; }

# add PASSED FAILED
add() {
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# build DIR OPTION...
build() {
    dir=$1
    shift
    cmake -S . -B "$dir" -G Ninja -DCLFOLD_WERROR=ON "$@" >"$logs/configure.log" 2>&1 || { cat "$logs/configure.log"; exit 1; }
    cmake --build "$dir"
}

# Adds up a verbose ctest log: a program that ends with "N passed, N failed" counts with these, any other as one, one that was
# skipped as none.
tally() {
    awk '
        /^[0-9]+: [0-9]+ passed, [0-9]+ failed$/ { id = $1 + 0; good[id] += $2; bad[id] += $4; told[id] = 1 }
        /^ *[0-9]+\/[0-9]+ Test +#[0-9]+:/ && !/\*Skipped/ {
            id = substr($0, index($0, "#") + 1) + 0
            if ($0 ~ / Passed +[0-9.]+ sec/) { if (!told[id]) good[id] = 1 }
            else if (!bad[id]) bad[id] = 1
        }
        END { for (id in good) p += good[id]; for (id in bad) f += bad[id]; print p + 0, f + 0 }' "$1"
}

# Output of the tests that failed.
show_failures() {
    awk '
        /^ *[0-9]+\/[0-9]+ Test +#[0-9]+:/ && !/ Passed +[0-9.]+ sec/ { failed[substr($0, index($0, "#") + 1) + 0] = 1 }
        /^[0-9]+: / { text[$1 + 0] = text[$1 + 0] $0 "\n" }
        END { for (id in failed) printf "%s", text[id] }' "$1"
}

# run_ctest NAME DIR CTEST-OPTION...
run_ctest() {
    log=$logs/$1.log
    dir=$2
    shift 2
    (cd "$dir" && ctest -V -j2 "$@" 2>&1) | tee "$log" | grep --line-buffered -E '^ *[0-9]+/[0-9]+ Test' || true
    # shellcheck disable=SC2046 # two numbers
    set -- $(tally "$log")
    [ "$(($1 + $2))" -gt 0 ] || { cat "$log"; set -- 0 1; }
    show_failures "$log"
    add "$1" "$2"
}

command -v clinfo >/dev/null && { title "devices"; clinfo -l || true; }

title "build"
build build -DCLFOLD_PEERS=OFF # other libraries to compare with take longer to compile than all of this
title "tests"
run_ctest tests build -LE suite

# Of the time of suites 95 % is PoCL's compiler. Without optimisation it takes half of it; what ran above was optimised: rows
# of the bench, examples, the fuzzer. (`injection` and `large`, which run kernels for minutes, still are: CMakeLists.txt.)
title "suites"
POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
export POCL_EXTRA_BUILD_FLAGS
run_ctest suites build -L suite

# One process that takes minutes: beside all that follows.
oclgrind=
if command -v oclgrind >/dev/null; then
    sh tests/oclgrind.sh build/tests/clfold-tests "$logs/oclgrind.log" >"$logs/oclgrind.out" 2>&1 &
    oclgrind=$!
fi

if command -v clang >/dev/null; then
    title "build by clang"
    build build/clang -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug -DCLFOLD_PEERS=OFF # for its warnings
fi
if command -v x86_64-w64-mingw32-gcc >/dev/null; then
    title "build for Windows"
    if sh tests/mingw.sh build/mingw >"$logs/mingw.log" 2>&1; then add 1 0; else cat "$logs/mingw.log"; add 0 1; fi
fi

title "build with sanitizers"
build build/sanitize -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCLFOLD_SANITIZE=address,undefined -DCLFOLD_BENCH=OFF
title "host suites with sanitizers"
LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
export LSAN_OPTIONS
run_ctest sanitize build/sanitize -L host

title "programs for GPUs that are not here"
if sh tests/offline.sh build/tests/clfold-programs "$logs/offline"; then add 1 0; else add 0 1; fi

if [ -n "$oclgrind" ]; then
    title "kernels under Oclgrind"
    if wait "$oclgrind"; then add 1 0; else add 0 1; fi
    cat "$logs/oclgrind.out"
else
    title "no Oclgrind here: kernels not checked for races"
fi

echo
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
