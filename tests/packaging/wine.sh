#!/bin/sh
# SPDX-License-Identifier: MIT
#
# wine.sh DIR: runs under Wine what tests/mingw.sh DIR has built for Windows: the tools, with a device and without one;
# rows of clfold-bench of every primitive, which are verified; a search of clfold-tune, stopped and gone on with, and what
# is made of it; the examples, which check themselves, with the installed DLL.
#
# Wine's own OpenCL.dll hands calls to this system's loader, so the device is PoCL's. With CLFOLD_WINE_OPENCL=FOLDER
# a loader and drivers for Windows are taken from there: FOLDER has OpenCL.dll, and each DLL named in FOLDER/drivers,
# one a line, is made known to it.
set -eu
dir=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
prefix=x86_64-w64-mingw32

command -v wine >/dev/null || { echo "wine: skipped, for there is none here"; exit 0; }
run=$dir/run
rm -rf "$run"
mkdir -p "$run/none"
cp "$dir"/prefix/bin/* "$run"
WINEPREFIX=$dir/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
[ -z "${CLFOLD_WINE_OPENCL:-}" ] || { WINEPREFIX=$dir/wine-native WINEDLLOVERRIDES="$WINEDLLOVERRIDES;opencl=n"; }
export WINEPREFIX WINEDEBUG WINEDLLOVERRIDES
wine wineboot -i >"$run/wineboot.log" 2>&1 || { cat "$run/wineboot.log"; exit 1; }
if [ -n "${CLFOLD_WINE_OPENCL:-}" ]; then
    cp "$CLFOLD_WINE_OPENCL/OpenCL.dll" "$run"
    WINEPATH=$(winepath -w "$CLFOLD_WINE_OPENCL")
    export WINEPATH
    while read -r driver; do
        wine reg add 'HKLM\SOFTWARE\Khronos\OpenCL\Vendors' /v "$WINEPATH\\$driver" /t REG_DWORD /d 0 /f >/dev/null
    done <"$CLFOLD_WINE_OPENCL/drivers"
fi
cd "$run"
bad=0

# try NAME COMMAND...: its output is shown if it fails.
try() {
    name=$1
    shift
    if "$@" >"$name.log" 2>&1; then echo "ok: $name"; else
        cat "$name.log"
        echo "failed: $name"
        bad=1
    fi
}

wine clfold-info.exe --version | tr -d '\r' | tee version
grep -qx 'clfold-info [0-9.]*' version
try clfold-info wine clfold-info.exe --probe
grep -E 'platform_version|device =|driver =' clfold-info.log
primitives=$(wine clfold-bench.exe --list | tr -d '\r' | sed -n 's/^primitives *//p')
[ -n "$primitives" ]
# shellcheck disable=SC2086 # a list of words
try clfold-bench wine clfold-bench.exe $primitives --n 100000 --reps 0
echo "    rows: $(grep -c '  -' clfold-bench.log)"
try clfold-bench-distributed wine clfold-bench-distributed.exe --members 2 --n 100000 --repeats 1
try a_timed_row wine clfold-bench.exe reduce --n 2^16 --reps 1

# tune NAME OPTION...: some rows of NAME.jsonl
tune() {
    log=$1.jsonl
    shift
    wine clfold-tune.exe scan --quick --type i32 --n 2^14 --evaluations 3 --time 100000 --timeout 1000 --log "$log" "$@"
}
# says NAME TEXT: it is in what NAME has said, or in its rows
says() { grep -q "$2" "$1" || { cat "$1"; echo "failed: $1 has no $2"; bad=1; }; }

try clfold-tune wine clfold-tune.exe scan --quick --time 10 --timeout 1000 --type i32 --log tune.jsonl
says tune.jsonl '"start": true'
grep -v '"status": "ok"' tune.jsonl && { echo "failed: a row is not good"; bad=1; }
echo "    rows: $(wc -l <tune.jsonl)"
try clfold-tune_report wine clfold-tune.exe --report tune.jsonl
says clfold-tune_report.log ' scan  *i32 '
try clfold-tune_profile wine clfold-tune.exe --profile tune.jsonl
try a_profile env CLFOLD_PROFILE=clfold-tune_profile.log wine clfold-info.exe --tuning
says a_profile.log 'profile = .*file clfold-tune_profile.log (for this device)'
# A row that is not whole is measured once more, what is there is not; lines end alike on all systems.
try some_rows tune some
head -c -40 some.jsonl >cut.jsonl && mv cut.jsonl some.jsonl
try a_log_that_was_cut tune some
says a_log_that_was_cut.log 'not whole, left out'
says a_log_that_was_cut.log '^1 rows'
try a_whole_log tune some
says a_whole_log.log '^0 rows'
grep -q "$(printf '\r')" some.jsonl && { echo "failed: a line ends otherwise"; bad=1; }
# A child that does not answer is ended, and is a row; one that ends says how; it gets its argument as it is.
try rows_that_hang tune hung --timeout 0.01
says hung.jsonl '"status": "hung"'
tune none --device "no \"one\\" >no_such_device.log 2>&1 && { echo "failed: there is no such device"; bad=1; }
says no_such_device.log 'no device "no "one\\"'
says no_such_device.log 'the child crashed: ended with status 2'

if [ -z "${CLFOLD_WINE_OPENCL:-}" ]; then # no device: a sentence, not a crash
    status=0
    OCL_ICD_VENDORS=$run/none wine clfold-info.exe >none.log 2>&1 || status=$?
    if [ $status != 2 ] || ! grep -q 'no OpenCL device' none.log; then
        cat none.log
        echo "failed: no device"
        bad=1
    fi
fi

examples=$OLDPWD/tests/examples
text=$OLDPWD/README.md
for source in "$examples"/*.c; do
    name=$(basename "$source" .c)
    $prefix-gcc -std=c11 -Wall -Wextra -Werror -D__USE_MINGW_ANSI_STDIO=1 "$source" -I "$dir/prefix/include" \
        -isystem "$dir/cl" -L "$dir/prefix/lib" -l:libclfold.dll.a -L "$dir" -lOpenCL -o "$name.exe"
    case $name in
    file_sizes) # which walks directories on POSIX systems alone, and else reads sizes
        wc -c "$examples"/*.c | sed '$d' | awk '{ print $1, $2 }' >sizes
        try file_sizes sh -c 'wine file_sizes.exe <sizes'
        continue
        ;;
    lines | byte_pairs | suffixes) set -- "$(winepath -w "$text")" ;;
    *) set -- ;;
    esac
    try "$name" wine "$name.exe" "$@"
done
wineserver -k || true # the one of this WINEPREFIX
exit $bad
