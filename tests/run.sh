#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh [--all] [--help]: from a bare Debian or Ubuntu to tested. Installs what is missing, builds into build/ (warnings
# are errors), and runs the tests. Ends with "N passed, N failed"; logs stay in build/logs.
#
#     without options  the tests that find most in a minute (tests/README.md says which): ten minutes on two quiet
#                      cores
#     --all            every test, as CI runs them: an hour. Builds by clang and for Windows, where these compilers
#                      are; runs the host suites under AddressSanitizer and UndefinedBehaviorSanitizer, the kernels under
#                      Oclgrind, and compiles them for GPUs that are not here
#     --help           this text
#
# Tests run on PoCL alone, whatever other drivers are installed, unless CLFOLD_TEST_DEVICE or OCL_ICD_VENDORS is set.
set -eu
cd "$(dirname "$0")/.."
. tests/packages.sh

all=
for option; do
    case $option in
    --all) all=yes ;;
    --help | -h) show_help tests/run.sh && exit 0 ;;
    *) echo "run.sh: unknown option $option; see --help" >&2 && exit 2 ;;
    esac
done

need_build
[ -n "${CLFOLD_TEST_DEVICE:-}${OCL_ICD_VENDORS:-}" ] || need pocl-opencl-icd 'ls /etc/OpenCL/vendors/pocl*.icd'
want clinfo 'command -v clinfo'
want python3 'python3 -c "import html.parser"' # for the manual as HTML, its links, and the report
for package in pyopencl pytest pip setuptools wheel; do # numpy comes with the first
    want python3-$package "/usr/bin/python3 -c 'import $package'"
done
want openmpi-bin 'command -v mpiexec'
want libopenmpi-dev 'command -v mpicc'
if [ "$all" ]; then
    want python3-matplotlib '/usr/bin/python3 -c "import matplotlib"'
    want oclgrind 'command -v oclgrind'
    # Those that AMD's device functions are for; llvm-readelf counts registers of AMD's kernels, and scratch.
    want 'clang-15|clang-17' 'command -v clang-15 || command -v clang-17'
    want 'rocm-device-libs|rocm-device-libs-17' 'ls -d /usr/lib/*/amdgcn/bitcode || ls -d /usr/lib/llvm-17/lib/clang/17/amdgcn'
    want 'llvm-15|llvm-17' 'command -v llvm-readelf-15 || command -v llvm-readelf-17 || command -v llvm-readelf'
fi
install_missing

if [ -z "${CLFOLD_TEST_DEVICE:-}${OCL_ICD_VENDORS:-}" ]; then
    sh tests/pocl.sh build
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
late= # tests that ran out of time
begun=$(date +%s)
cores=$(nproc 2>/dev/null || echo 2)
[ "$cores" -le 8 ] || cores=8 # each of the tests wants memory, and threads of its own
: >"$logs/done" # steps and tests that have ended

# title STEP WORDS: the step before has ended, this one begins. Steps are named as in durations.txt.
steps=$([ "$all" ] && echo build short long clang windows sanitize offline oclgrind || echo build short long)
count=0
title() {
    [ -z "${step:-}" ] || echo "$step" >>"$logs/done"
    step=$1
    count=$((count + 1))
    printf '\n== %s of %s: %s (%s)\n' $count "$(echo "$steps" | wc -w)" "$2" "$(time_left)"
}

time_left() {
    awk -v begun="$begun" -v now="$(date +%s)" -v cores="$cores" -v all="$all" -f tests/time_left.awk tests/durations.txt "$logs/done"
}

# add PASSED FAILED
add() {
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# build DIR TARGETS OPTION...
build() {
    dir=$1
    targets=$2
    shift 2
    cmake -S . -B "$dir" -G Ninja -DCLFOLD_WERROR=ON -DCLFOLD_PEERS=OFF "$@" >"$logs/configure.log" 2>&1 || { cat "$logs/configure.log"; exit 1; }
    # shellcheck disable=SC2086 # words
    cmake --build "$dir" --target $targets
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

# ctest's lines of tests that begin and end, and one a minute for when there are none.
watch_ctest() {
    while sleep 60 >/dev/null 2>&1; do echo tick; done &
    (cd "$1" && shift && ctest -V -j"$cores" "$@" 2>&1) | tee "$log" |
        grep --line-buffered -E '^ *[0-9]+/[0-9]+ Test|^ *Start +[0-9]+:' || true
    kill $!
}

# Prints the lines of tests that have ended, each with the time that is left; after a minute without one what is running.
progress() {
    running=
    quiet=
    while read -r line; do
        # shellcheck disable=SC2086 # words
        set -- $line
        case $line in
        Start*) running="$running $3" ;;
        tick)
            [ -z "$quiet" ] || echo "running:$running, $(time_left)"
            quiet=yes
            ;;
        *)
            running=$(printf ' %s ' "$running" | sed "s| $4 | |; s|^ *| |; s| *$||")
            quiet=
            echo "$4" >>"$logs/done"
            echo "$line   $(time_left)"
            ;;
        esac
    done
}

# run_ctest NAME DIR CTEST-OPTION...
run_ctest() {
    log=$logs/$1.log
    shift
    watch_ctest "$@" | progress
    # shellcheck disable=SC2046 # two numbers
    set -- $(tally "$log")
    [ "$(($1 + $2))" -gt 0 ] || { cat "$log"; set -- 0 1; }
    show_failures "$log"
    late="$late$(awk '/^ *[0-9]+\/[0-9]+ Test .*\*\*\*Timeout/ { printf " %s", $4 }' "$log")"
    add "$1" "$2"
}

# run_script NAME COMMAND...: a test that is not ctest's
run_script() {
    name=$1
    shift
    if "$@" >"$logs/$name.log" 2>&1; then add 1 0; else add 0 1; cat "$logs/$name.log"; fi
}

title build "build"
command -v clinfo >/dev/null && clinfo -l || true
# Other libraries to compare with take longer to compile than all of this. Suites spend 95 % of their time in PoCL's
# compiler, and without optimisation it takes half of that; all else runs what users run.
build build all -DCLFOLD_TEST_OPTIMISED=OFF

title short "tests that take seconds"
# With --all, suites of host code that take longer run under sanitizers alone.
run_ctest short build -L '^short$' -LE "$([ "$all" ] || echo '^all$')" \
    -E "^(${all:+api|scan_options|facts|distributed_3|distributed_faults})\$"

# Beside all that follows: one process that takes minutes, and with the lowest priority, so that no core waits, compilers.
oclgrind=
if [ "$all" ] && command -v oclgrind >/dev/null; then
    sh tests/oclgrind.sh build/tests/clfold-tests "$logs/oclgrind.log" >"$logs/oclgrind.out" 2>&1 &
    oclgrind=$!
fi
if [ "$all" ]; then
    nice -n 19 sh tests/offline.sh build/tests/clfold-programs "$logs/offline" >"$logs/offline.out" 2>&1 &
    offline=$!
fi

title long "tests that take minutes"
# What others run is left out: with --all, suites of host code run under sanitizers, and suite kernel in Oclgrind.
if [ "$oclgrind" ]; then
    run_ctest long build -LE '^(short|host)$' -E '^kernel$'
else
    run_ctest long build -LE "$([ "$all" ] && echo '^(short|host)$' || echo '^(short|all)$')"
fi

if [ "$all" ]; then
    title clang "build by clang"
    if command -v clang >/dev/null; then # for its warnings
        build build/clang all -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug
    else
        echo "skipped: no clang here"
    fi

    title windows "build for Windows"
    if command -v x86_64-w64-mingw32-gcc >/dev/null; then
        run_script mingw sh tests/mingw.sh build/mingw
    else
        echo "skipped: no MinGW here"
    fi

    title sanitize "host suites with sanitizers"
    # -O1 takes two thirds of the compiler's time with -O2.
    build build/sanitize 'clfold-tests clfold-distributed-tests clfold-distributed-faults' -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_C_FLAGS=-O1 -DCLFOLD_SANITIZE=address,undefined -DCLFOLD_BENCH=OFF -DCLFOLD_TEST_OPTIMISED=OFF
    LSAN_OPTIONS=suppressions=$PWD/tests/lsan.supp:print_suppressions=0
    export LSAN_OPTIONS
    run_ctest sanitize build/sanitize -L host

    title offline "programs for GPUs that are not here"
    if wait "$offline"; then add 1 0; else add 0 1; fi
    cat "$logs/offline.out"

    title oclgrind "kernels under Oclgrind"
    if [ -z "$oclgrind" ]; then
        echo "skipped: no Oclgrind here; kernels are not checked for races"
    else
        if wait "$oclgrind"; then add 1 0; else add 0 1; fi
        cat "$logs/oclgrind.out"
    fi
fi

seconds=$(($(date +%s) - begun))
printf '\nAfter %d minutes and %d seconds:\n' $((seconds / 60)) $((seconds % 60))
# shellcheck disable=SC2086 # words
[ -z "$late" ] || echo "$(echo $late | wc -w) of those that failed ran out of time, as happens where a machine is busy:$late"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
