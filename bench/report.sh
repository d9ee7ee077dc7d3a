#!/bin/sh
# SPDX-License-Identifier: MIT
#
# report.sh [OPTION...]: from a bare Debian or Ubuntu to one HTML page about every OpenCL device here. Installs what is
# missing, builds, measures a fixed suite (report/suite.py says what and why), and writes build/report/report.json and
# build/report/report.html. Stopped, it goes on where it ended.
#
#     --full           the whole suite, not the quick one (3 minutes on a CPU): half an hour or more
#     --device N,...   these devices; clfold-info --devices numbers them
#     --only NAME,...  these primitives
#     --top 2^30       the most elements, instead of 2^22 (full: 2^24) on CPUs and 2^26 (2^28) elsewhere; 2^40: what fits
#     --limit S        seconds that one line of the suite may take before it counts as hung (60; full 300)
#     --seconds S      no more time than that, each primitive's plainest type first; the same command goes on
#     --repeat N       each line N times, and the least of all times: for machines that others use, too
#     --peers          beside other libraries that are found here
#     --fresh          forget what was measured before
#     --against OLD    an older report.json: what is slower and faster than there
#     --output DIR     instead of build/report
#     --help           this text
#
# Exit status 1: a row was wrong, crashed or hung.
set -eu
here=$PWD
cd "$(dirname "$0")/.."
. tests/packages.sh

output=$PWD/build/report
peers=OFF
against=
count=$#
while [ "$count" -gt 0 ]; do
    option=$1
    shift
    count=$((count - 1))
    case $option in
    --full | --fresh) set -- "$@" "$option" && continue ;;
    --peers) peers=ON && set -- "$@" "$option" && continue ;;
    --device | --only | --top | --limit | --seconds | --repeat | --against | --output) ;;
    --help | -h) show_help bench/report.sh && exit 0 ;;
    *) echo "report.sh: unknown option $option; see --help" >&2 && exit 2 ;;
    esac
    [ "$count" -gt 0 ] || { echo "report.sh: $option: its value is missing" >&2 && exit 2; }
    case $option in
    --against) against=$(absolute "$1") ;;
    --output) output=$(absolute "$1") ;;
    *) set -- "$@" "$option" "$1" ;;
    esac
    shift
    count=$((count - 1))
done

# Wrong options are refused before anything is installed or built.
if command -v python3 >/dev/null; then python3 -B bench/report measure --check --bench - --info - --json - "$@" || exit 2; fi

need_build
need python3 'command -v python3'
if [ $peers = ON ]; then
    want libtbb-dev 'echo "#include <tbb/version.h>" | c++ -xc++ -E -'
    want libboost-dev 'echo "#include <boost/compute/version.hpp>" | c++ -xc++ -E -'
fi
install_missing

build=build/report/build
mkdir -p "$build" "$output"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCLFOLD_TESTS=OFF -DCLFOLD_PEERS=$peers \
    >"$build/configure.log" 2>&1 || {
    cat "$build/configure.log"
    exit 2
}
cmake --build "$build" --target clfold-bench clfold-info

status=0
python3 bench/report measure --bench "$build/bench/clfold-bench" --info "$build/bench/clfold-info" \
    --json "$output/report.json" "$@" || status=$?
[ $status -le 1 ] || exit $status
python3 bench/report render "$output/report.json" -o "$output/report.html" ${against:+--against "$against"} || exit 2
exit $status
