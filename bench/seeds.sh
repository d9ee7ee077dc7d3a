#!/bin/sh
# SPDX-License-Identifier: MIT
#
# seeds.sh [NAME...] [OPTION...]: makes the figures and tables of the five papers that clfold began with, on this
# machine: rows as JSON, a picture as the paper draws it, and a line with the paper's number and this one. NAME is a
# figure, or how some begin: regular-fig4, lookback. Without one all are made. Leaves NAME.json and NAME.svg in
# build/seeds/results/DEVICE, with --quick DEVICE-quick; what is there is not measured again.
#
#     --list           a line for each figure
#     --quick          small sizes, for CPUs: all in ten minutes on two cores. Else the papers' sizes, for GPUs
#     --device N       clfold-info --devices numbers them
#     --seconds S      stops after about so many; the same command goes on
#     --fresh          measures again
#     --output DIR     instead of build/seeds/results
#     --bench BUILD    takes the programs of this build folder, and builds nothing
#     --save FILE      measures nothing, and writes the rows that are there into one file
#     --rows FILE      measures nothing, and takes the rows of such a file
#     --sheet FILE     puts the pictures side by side into one, a PNG
#     --page FILE      measures nothing, and writes what is there into the tables of the manual's page, papers.md
#     --help           this text
#
# Exit status 1: a row was wrong, or a program failed.
set -eu
here=$PWD
cd "$(dirname "$0")/.."
. tests/packages.sh

output=$PWD/build/seeds/results build='' list='' rows=''
count=$#
while [ "$count" -gt 0 ]; do
    option=$1
    shift
    count=$((count - 1))
    case $option in
    --quick | --fresh) set -- "$@" "$option" && continue ;;
    --list) list=yes && continue ;;
    --device | --seconds | --output | --bench | --page | --save | --rows | --sheet) ;;
    --help | -h) show_help bench/seeds.sh && exit 0 ;;
    -*) echo "seeds.sh: unknown option $option; see --help" >&2 && exit 2 ;;
    *) set -- "$@" "$option" && continue ;;
    esac
    [ "$count" -gt 0 ] || { echo "seeds.sh: $option: its value is missing" >&2 && exit 2; }
    case $option in
    --output) output=$(absolute "$1") ;;
    --bench) build=$(absolute "$1") ;;
    --page | --save | --sheet) set -- "$@" "$option" "$(absolute "$1")" ;;
    --rows) rows=yes && set -- "$@" --rows "$(absolute "$1")" ;;
    *) set -- "$@" "$option" "$1" ;;
    esac
    shift
    count=$((count - 1))
done
if [ -n "$list" ]; then exec python3 -B bench/seeds --list; fi

# Wrong options are refused before anything is installed or built.
if command -v python3 >/dev/null; then python3 -B bench/seeds --check "$@" || exit 2; fi

if [ -z "$build$rows" ]; then
    need_build
    need python3 'command -v python3'
    want python3-matplotlib 'for p in python3 /usr/bin/python3; do $p -c "import matplotlib" && exit 0; done; exit 1'
    install_missing
    build=$PWD/build/seeds/build
    mkdir -p "$build"
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$build/configure.log" 2>&1 ||
        { cat "$build/configure.log" && exit 2; }
    cmake --build "$build" --target clfold-bench radix_sort kd_tree backprop kmeans tpacf option_pricing mri_q crystal
fi
python=python3
for p in ${CLFOLD_PYTHON:-python3 /usr/bin/python3}; do
    if "$p" -c 'import matplotlib' >/dev/null 2>&1; then python=$p && break; fi
done
mkdir -p "$output"
exec "$python" -B bench/seeds --bench "$build/bench/clfold-bench" --programs "$build/tests" --output "$output" "$@"
