#!/bin/sh
# SPDX-License-Identifier: MIT
#
# matrix.sh [OPTION...]: the suites on every OpenCL runtime that this machine has or can get, each suite in a process of
# its own, so that a driver that aborts or hangs is a cell of the table and not the end.
#
#     --runtime LIST   of pocl pocl-1 pocl-3 pocl6 intel rusticl oclgrind gpu second; default: all but second
#     --suite LIST     default: all but large
#     --without LIST   what to take away: sets, separated by commas, of capabilities joined by "+"; none: nothing; each:
#                      every one in turn; all: all of them at once. Default: none,each,all
#     --timeout S      of a suite; 600
#     --seconds S      of the whole run: what did not begin or end within them is printed, and has no result
#     --jobs N         suites at a time; 1
#     --missing        only what has no result yet, or ran out of time for no known reason: goes on where a run ended
#     --fresh          forget the results of earlier runs
#     --print          only print the table of the results so far
#     --readme         put it into tests/README.md as well
#
# Runtimes that are not here are installed into build/matrix, and nowhere else: PoCL 6 and rusticl into a Debian of their own
# (needs root), Intel's CPU runtime from its Python packages. "second" is Mesa's rusticl over zink over Vulkan, another driver
# of the same GPU: CLFOLD_SECOND names its folder (.zink), whose setup.sh unpacks it to /tmp/z; on lavapipe ZINK_ICD names that.
# Each result is a line of build/matrix/results.json.
# Exit status 1: something failed that driver_bugs.txt does not know.
set -eu
cd "$(dirname "$0")/.."
. tests/packages.sh

runtimes=pocl,pocl-1,pocl-3,pocl6,intel,rusticl,oclgrind,gpu
suites=''
sets=none,each,all
limit=600
seconds=''
jobs=1
run=1
missing_only=''
fresh=''
readme=''
while [ $# -gt 0 ]; do
    case $1 in
    --runtime) runtimes=$2 && shift ;;
    --suite) suites=$2 && shift ;;
    --without) sets=$2 && shift ;;
    --timeout) limit=$2 && shift ;;
    --seconds) seconds=$2 && shift ;;
    --jobs) jobs=$2 && shift ;;
    --missing) missing_only=1 ;;
    --fresh) fresh=1 ;;
    --print) run= ;;
    --readme) readme=1 ;;
    *) sed -n '4,/^set/s/^# \{0,1\}//p' "$0" && exit 2 ;;
    esac
    shift
done

work=$PWD/build/matrix
results=$work/results.json
debian=$work/debian
mkdir -p "$work/logs"
[ -z "$fresh" ] || rm -f "$results"
touch "$results"

words() { echo "$1" | tr ',' ' '; }

# Suites that take minutes, the longest first. Where several run at a time these begin first: begun last, they end last,
# with nothing beside them.
longest=given,scan,join,sort,reduce_by_index,kernel,segmented_scan,reduce,reduce_by_key,names,irregular_scan

# in_order SUITE...
in_order() {
    for long in $(words "$longest"); do
        for suite in "$@"; do [ "$suite" != "$long" ] || echo "$suite"; done
    done
    for suite in "$@"; do
        case ",$longest," in *",$suite,"*) ;; *) echo "$suite" ;; esac
    done
}

# ---- Getting runtimes: get_NAME fails where one is not to be had ---------------------------------------------

get_pocl() { mkdir -p "$work/pocl" && cp /etc/OpenCL/vendors/pocl*.icd "$work/pocl"; }

get_intel() {
    [ -e "$work/intel/lib/libintelocl.so" ] || {
        mkdir -p "$work/intel/lib" "$work/intel/wheels"
        python3 -m pip download -q --no-deps -d "$work/intel/wheels" intel-opencl-rt intel-cmplr-lib-rt 'tbb==2023.*' || return 1
        for wheel in "$work"/intel/wheels/*.whl; do python3 -m zipfile -e "$wheel" "$work/intel/wheels"; done
        # Its own loader stays behind.
        find "$work/intel/wheels" -path '*/data/lib/*' -type f ! -name 'libOpenCL*' -exec cp {} "$work/intel/lib" \;
    }
    mkdir -p "$work/intel/vendors"
    echo "$work/intel/lib/libintelocl.so" >"$work/intel/vendors/intel.icd"
}

# The first mirror of Debian itself that apt knows of.
# shellcheck disable=SC2016 # apt's own variables
mirror() { apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' | sed -n 's/^Debian //p' | grep -v security | head -n 1; }

# in_debian COMMAND...: there, with the kernel's file systems; the mounts end with the command.
in_debian() {
    # shellcheck disable=SC2016 # of the inner shell
    as_root unshare -m sh -c 'd=$1; shift; for f in proc sys dev; do mount --rbind /$f "$d/$f"; done; exec chroot "$d" "$@"' \
        sh "$debian" "$@"
}

get_debian() {
    [ -e "$debian/ready" ] || {
        command -v debootstrap >/dev/null || apt_install debootstrap || return 1
        as_root rm -rf "$debian" && as_root debootstrap --variant=minbase trixie "$debian" "$(mirror)" || return 1
        in_debian apt-get install -q -y --no-install-recommends gcc libc6-dev cmake ninja-build pkg-config check \
            opencl-headers ocl-icd-opencl-dev pocl-opencl-icd mesa-opencl-icd || return 1
        as_root touch "$debian/ready"
    }
    as_root mkdir -p "$debian/clfold" "$debian/vendors/pocl6" "$debian/vendors/rusticl"
    # Times of files are those of a checkout, not of a change: what differs is copied anew, with the time of now.
    for part in CMakeLists.txt LICENSE README.md CHANGELOG.md bench cl cmake include src tests; do
        diff -qr "$part" "$debian/clfold/$part" >/dev/null 2>&1 && continue
        as_root rm -rf "$debian/clfold/$part"
        tar -c "$part" | as_root tar -x -m -C "$debian/clfold"
    done
    as_root cp "$debian/etc/OpenCL/vendors/pocl.icd" "$debian/vendors/pocl6"
    as_root cp "$debian/etc/OpenCL/vendors/rusticl.icd" "$debian/vendors/rusticl"
    in_debian sh -c 'cd /clfold && cmake -S . -B build -G Ninja -DCLFOLD_PEERS=OFF && cmake --build build --target clfold-tests clfold-info'
}

# Its own program "second" always sets a cache, which tests want to choose. Programs that run there have a folder of their own.
get_second() {
    # shellcheck disable=SC1090 # the caller's
    [ -e /tmp/z/etc/machine ] || (ZINK_DIR=${CLFOLD_SECOND:-.zink} && . "$ZINK_DIR/setup.sh") || return 1
    mkdir -p "$work/second"
    sed 's/ CLFOLD_CACHE_DIR="[^"]*"//' /tmp/z/bin/second >"$work/second/second"
    for program in tests/clfold-tests bench/clfold-info; do
        printf '#!/bin/sh\nexec sh "%s/second/second" "%s" "$@"\n' "$work" "$PWD/build/$program" >"$work/second/${program#*/}"
        chmod +x "$work/second/${program#*/}"
    done
}

# Numbers of the GPUs by clfold-info, each a runtime gpu:N.
list_gpus() {
    build/bench/clfold-info --devices | while IFS="$(printf '\t')" read -r number _; do
        if build/bench/clfold-info --device "$number" --probe | grep -q '^  type = gpu'; then echo "gpu:$number"; fi
    done
}

get() {
    case $1 in
    pocl | pocl-*) get_pocl ;;
    pocl6 | rusticl) [ -n "${have_debian:-}" ] || { get_debian && have_debian=1; } ;;
    intel) get_intel ;;
    second) get_second ;;
    oclgrind) command -v oclgrind && cc -shared -fPIC tests/oclgrind_fill.c -o "$work/fill.so" ;;
    gpu:*) : ;;
    *) echo "There is no runtime $1." >&2 && exit 2 ;;
    esac
}

# ---- Running there -------------------------------------------------------------------------------------------

# there RUNTIME VARIABLE=VALUE... BINARY ARGUMENT...: a program of the build, within the limit of time
there() {
    runtime=$1
    shift
    build=$PWD/build
    case $runtime in pocl6 | rusticl) build=/clfold/build ;; esac
    # Not CLFOLD_CACHE_DIR: that would have the last word where a test wants no cache.
    programs=$build/tests:$build/bench
    [ "$runtime" != second ] || programs=$work/second
    set -- PATH="$programs:$PATH" XDG_CACHE_HOME="$build/matrix/cache/$runtime" \
        POCL_CACHE_DIR="$build/matrix/cache/$runtime-pocl" timeout -k 10 "$limit" env "$@"
    # shellcheck disable=SC2016 # of the inner shell; Oclgrind is called as in oclgrind.sh
    case $runtime in
    pocl) env OCL_ICD_VENDORS="$work/pocl" "$@" ;;
    pocl-*) env OCL_ICD_VENDORS="$work/pocl" POCL_MAX_PTHREAD_COUNT="${runtime#pocl-}" "$@" ;;
    second) env MESA_SHADER_CACHE_DIR="$work/cache/mesa" "$@" ;;
    intel) env OCL_ICD_VENDORS="$work/intel/vendors" LD_LIBRARY_PATH="$work/intel/lib" "$@" ;;
    pocl6) in_debian env OCL_ICD_VENDORS=/vendors/pocl6 "$@" ;;
    rusticl) in_debian env OCL_ICD_VENDORS=/vendors/rusticl RUSTICL_ENABLE=llvmpipe "$@" ;;
    oclgrind) oclgrind --build-options -cl-opt-disable sh -c 'LD_PRELOAD=$0:$LD_PRELOAD exec env "$@"' "$work/fill.so" "$@" ;;
    gpu:*) env CLFOLD_TEST_DEVICE="${runtime#gpu:}" "$@" ;;
    esac
}

device_of() { case $1 in gpu:*) echo "${1#gpu:}" ;; *) echo 0 ;; esac }

# "Portable Computing Language 3.1": platform and driver; of the second driver, whose device says which GPU it is, this.
name_of() {
    what=platform
    [ "$1" != second ] || what=device
    there "$1" clfold-info --device "$(device_of "$1")" --probe 2>/dev/null |
        sed -n "s/^  $what = //p; s/^  driver = //p" | tr -d '"' | paste -s -d ' '
}

# back_ends_of RUNTIME SET: "c11 atomics, khr lanes of 16", as probes find them there: what these suites try.
back_ends_of() {
    there "$1" CLFOLD_DISABLE="$(echo "$2" | tr '+' ',' | sed 's/^none$//')" clfold-info --device "$(device_of "$1")" --probe 2>/dev/null |
        sed -n 's/^  \([a-z_]*\) = \([a-z0-9_]*\)$/\1 \2/p' | awk '{ fact[$1] = $2 }
            END {
                lanes = fact["lanes"] == "local" ? "no lanes" : fact["lanes"] " lanes of " fact["lane_width"]
                print fact["atomics"] " atomics, " (fact["cpu_kernels"] == "yes" ? "cpu kernels" : lanes)
            }'
}

# known RUNTIME SUITE LOG FAILED OUTCOME: number of the first line of driver_bugs.txt that explains it. FAILED tests want as
# many of the texts of such lines; *timeout* is the text of what hangs.
known() {
    line=0 first=0 found=0
    while IFS='|' read -r runtime suite text _; do
        line=$((line + 1))
        case $runtime in '#'* | '') continue ;; esac
        # shellcheck disable=SC2254 # patterns they are
        case $1/$2 in $runtime/$suite) ;; *) continue ;; esac
        [ "$text" != "*$5*" ] || { echo $line && return; }
        times=$(grep -cF -- "$text" "$3") || continue
        found=$((found + times))
        [ $first != 0 ] || first=$line
        [ $found -lt "$4" ] || { echo $first && return; }
    done <tests/driver_bugs.txt
    echo 0
}

# try RUNTIME SET SUITE LOG [OPTION]: sets status, outcome, and how many tests passed and failed
try() {
    status=0
    disable=$(echo "$2" | tr '+' ',')
    [ "$2" != none ] || disable=
    there "$1" CLFOLD_TEST_DISABLE="$disable" clfold-tests --suite "$3" ${5:+"$5"} >"$4" 2>&1 || status=$?
    counts=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$4" | tail -n 1)
    passed=${counts% *} failed=${counts#* }
    case $status in
    0) outcome=passed ;;
    12[567]) cat "$4" && exit 2 ;; # not even started
    124 | 137) outcome=timeout ;;
    *) if [ -n "$counts" ]; then outcome=failed; else outcome=aborts; fi ;;
    esac
}

# has_result RUNTIME NAME SET SUITE: an earlier run has one that more time would not change.
has_result() {
    grep -F "{\"runtime\": \"$1\", \"name\": \"$2\", \"without\": \"$3\", \"suite\": \"$4\"," "$results" | tail -n 1 |
        grep -qv '"outcome": "timeout".*"bug": "0"'
}

# run_suite RUNTIME NAME SET SUITE BACK-ENDS: one line of results. Where the driver ends the process, each test runs again in
# one of its own.
run_suite() {
    log=$work/logs/$1-$3-$4.log
    took=$(date +%s)
    left=$((end - took))
    if [ "$left" -le 0 ]; then echo "$1 without $3: $4" >>"$work/late" && return; fi
    [ "$left" -ge "$limit" ] || limit=$left
    runs=1
    try "$1" "$3" "$4" "$log"
    if [ "$outcome" = aborts ]; then
        mv "$log" "$log.first"
        runs=2
        try "$1" "$3" "$4" "$log" --each
    fi
    took=$(($(date +%s) - took))
    if [ "$outcome" = timeout ] && [ "$limit" = "$left" ]; then echo "$1 without $3: $4, stopped" >>"$work/late" && return; fi
    bug=0
    if [ "$outcome" != passed ]; then
        bug=$(known "$1" "$4" "$log" "${failed:-1}" "$outcome")
        [ "$bug" != 0 ] || touch "$work/bad"
    fi
    echo "{\"runtime\": \"$1\", \"name\": \"$2\", \"without\": \"$3\", \"suite\": \"$4\", \"outcome\": \"$outcome\"," \
        "\"passed\": \"$passed\", \"failed\": \"$failed\", \"status\": \"$status\", \"seconds\": \"$took\", \"bug\": \"$bug\"," \
        "\"runs\": \"$runs\", \"back_ends\": \"$5\"}" | tee -a "$results"
}

# Waits while as many suites run as may. (A line of results is short, so that no two get mixed up.)
wait_for_room() {
    jobs >"$work/jobs.$$" # not in a pipe, where there are none; not in a file that another run has, too
    while [ "$(grep -c Running "$work/jobs.$$")" -ge "$jobs" ]; do
        sleep 0.2
        jobs >"$work/jobs.$$"
    done
    rm "$work/jobs.$$"
}

# ---- The table -----------------------------------------------------------------------------------------------

# rows RESULTS...: the newest result of each cell. Fields of a line are told apart by their quotes: 4 runtime, 8 name,
# 12 without, 16 suite …
rows() {
    awk -F'"' -v suites="$(build/tests/clfold-tests --list | tr '\n' ' ')" '
        {
            row = $4 "|" $8 "|" $12
            if (!(row in seen)) { seen[row] = 1; rows[++n] = row }
            used[$16] = 1
            back_ends[row] = $48
            text = $20 == "passed" ? "✓" : $20 == "failed" ? $28 " of " $24 + $28 : $20
            cell[row, $16] = text ($44 > 1 && $20 == "failed" ? ", each" : "") ($40 ? " [" $40 "]" : "")
        }
        END {
            count = split(suites, suite, " ")
            head = "| runtime | without | what runs |"; rule = "|---|---|---|"
            for (i = 1; i <= count; i++) if (suite[i] in used) { head = head " " suite[i] " |"; rule = rule "---|" }
            print head "\n" rule
            for (r = 1; r <= n; r++) {
                split(rows[r], part, "|")
                line = "| " part[1] ": " part[2] " | " (part[3] == "none" ? "" : part[3]) " | " back_ends[rows[r]] " |"
                for (i = 1; i <= count; i++) if (suite[i] in used) line = line " " cell[rows[r], suite[i]] " |"
                print line
            }
        }' "$@"
}

# The table of the results, and the bugs that it names.
table() {
    rows "$@" >"$work/rows"
    cat "$work/rows"
    echo
    echo '✓: passed; "3 of 46": so many tests failed; *aborts*: the driver ended the process; *each*: it did, and then'
    echo 'each test ran in a process of its own; *timeout*: it hung, or was too slow. [*n*]: a bug of the driver that'
    echo 'explains all failures:'
    echo
    grep -o '\[[0-9]*\]' "$work/rows" | tr -d '[]' | sort -nu | while read -r bug; do
        sed -n "${bug}{s/^# //; s/^[^|]*|[^|]*|[^|]*|//; s/^/- [$bug] /p}" tests/driver_bugs.txt
    done
}

# What tests/README.md has, as results: cells of other machines stay there.
from_readme() {
    sed -n '/^<!-- matrix -->$/,/^<!-- end of matrix -->$/p' tests/README.md | awk -F' *[|] *' '
        $2 == "runtime" { for (i = 5; i < NF; i++) suite[i] = $i; next }
        !/^\|/ || $2 ~ /^-/ { next }
        {
            at = index($2, ": ")
            for (i = 5; i < NF; i++) if ($i != "")
                printf "{\"runtime\": \"%s\", \"name\": \"%s\", \"without\": \"%s\", \"suite\": \"%s\", \"outcome\": \"%s\"," \
                    " \"passed\": \"\", \"failed\": \"\", \"status\": \"\", \"seconds\": \"\", \"bug\": \"0\", \"runs\": \"1\"," \
                    " \"back_ends\": \"%s\"}\n", substr($2, 1, at - 1), substr($2, at + 2), $3 == "" ? "none" : $3, suite[i],
                    $i == "✓" ? "passed" : $i, $4
        }'
}

into_readme() {
    from_readme >"$work/readme.json"
    table "$work/readme.json" "$results" >"$work/table.md"
    sed -i -e '/^<!-- matrix -->$/,/^<!-- end of matrix -->$/{/^<!-- matrix -->$/r '"$work/table.md" -e '/^<!--/!d}' tests/README.md
}

# ---- All of it -------------------------------------------------------------------------------------------------

rm -f "$work/bad" "$work/late"
end=$(($(date +%s) + ${seconds:-100000000}))
if [ -n "$run" ]; then
    [ -e build/CMakeCache.txt ] || need_build
    install_missing
    # shellcheck disable=SC2046 # words; a build that is there keeps its generator
    cmake -S . -B build $([ -e build/CMakeCache.txt ] || echo -G Ninja -DCLFOLD_PEERS=OFF) >"$work/logs/configure.log"
    cmake --build build --target clfold-tests clfold-info >"$work/logs/build.log" || { cat "$work/logs/build.log"; exit 2; }
    suites=$(words "${suites:-$(build/tests/clfold-tests --list | grep -vx large | tr '\n' ',')}")
    # shellcheck disable=SC2086 # a list of words
    [ "$jobs" = 1 ] || suites=$(in_order $suites)
    # Capabilities as the header lists them.
    each=$(sed -n '/capabilities to treat as absent/,/\*\//p' include/clfold/context.h | tr -d '\n*/.' |
        sed 's/.*by commas: \(.*\)/\1/' | tr -d ' ' | sed 's/;.*//')
    all=$(echo "$each" | tr ',' '+')
    sets=$(words "$sets" | tr ' ' '\n' | sed "s/^each\$/$each/; s/^all\$/$all/" | tr ',' ' ')
    for runtime in $(words "$runtimes"); do
        if [ "$runtime" = gpu ]; then runtime=$(list_gpus); fi
        for one in $runtime; do
            if ! get "$one" >"$work/logs/get-$one.log" 2>&1; then
                echo "$one: not to be had here, see $work/logs/get-$one.log"
                continue
            fi
            name=$(name_of "$one")
            for set in $sets; do
                back_ends=$(back_ends_of "$one" "$set")
                for suite in $suites; do
                    if [ -n "$missing_only" ] && has_result "$one" "$name" "$set" "$suite"; then continue; fi
                    wait_for_room
                    run_suite "$one" "$name" "$set" "$suite" "$back_ends" &
                done
            done
        done
    done
    wait
fi
table "$results"
[ -z "$readme" ] || into_readme
[ ! -e "$work/late" ] || { echo "Not run within $seconds s:" && sort "$work/late"; }
[ ! -e "$work/bad" ]
