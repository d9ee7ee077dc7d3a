#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh [--device N,...] [--help]: from a bare Debian or Ubuntu to measured. Installs what is missing, builds into build/,
# and on every OpenCL device measures running totals over the sizes of this machine's own files; then scans of many sizes
# and types, segments of all sizes, reductions, histograms, sorts and the rest, beside a copy or reading and beside other
# libraries. First figures come before these libraries are compiled. Leaves rows and pictures in build/results. All takes five
# to ten minutes on two cores; where CUB is, many more to compile it.
#
#     --device N,...   these devices alone; build/bench/clfold-info --devices numbers them
#     --help           this text; build/bench/clfold-bench --help explains the columns
#
# Exit status 1: a row was wrong, or a program failed.
set -eu
cd "$(dirname "$0")/.."
. tests/packages.sh

only=
while [ $# -gt 0 ]; do
    case $1 in
    --device) [ $# -ge 2 ] || { echo "run.sh: --device: its value is missing" >&2 && exit 2; }
        only=$2 && shift ;;
    --help | -h) show_help bench/run.sh && exit 0 ;;
    *) echo "run.sh: unknown option $1; see --help" >&2 && exit 2 ;;
    esac
    shift
done

need_build
want libtbb-dev 'echo "#include <tbb/version.h>" | c++ -xc++ -E -'
want libhwy-dev 'echo "#include <hwy/contrib/sort/vqsort.h>" | c++ -std=c++17 -xc++ -E -'
want libboost-dev 'echo "#include <boost/compute/version.hpp>" | c++ -xc++ -E -'
want python3-pyopencl 'for p in python3 /usr/bin/python3; do $p -c "import pyopencl" && exit 0; done; exit 1'
want python3-matplotlib 'for p in python3 /usr/bin/python3; do $p -c "import matplotlib" && exit 0; done; exit 1'
install_missing

status=0
bench=build/bench/clfold-bench
info=build/bench/clfold-info
files=build/logs/file_sizes.txt
list=build/logs/devices.txt
results=build/results
mkdir -p build/logs $results

# build PEERS: with (ON) or without (OFF) other libraries
build() {
    cmake -S . -B build -G Ninja -DCLFOLD_PEERS="$1" >build/logs/configure.log 2>&1 || { cat build/logs/configure.log; exit 1; }
    cmake --build build --target clfold-bench clfold-info file_sizes
}

# each_device COMMAND...: with number and name of each behind it
each_device() {
    while IFS="$(printf '\t')" read -r number platform name <&3; do
        "$@" "$number" "$name" || status=1
    done 3<"$list"
}

first_figures() {
    printf '\n== First figures of device %s: %s\nRunning total and maximum of the sizes of all files under /usr:\n' "$1" "$2"
    CLFOLD_DEVICE=$1 build/tests/file_sizes <"$files" || status=1
    $bench scan reduce --device "$1" --type i32 --n 2^20,2^22 || status=1
}

printf '\n== Build, without other libraries\n'
[ -x $bench ] && grep -q '^CLFOLD_PEERS:BOOL=ON' build/CMakeCache.txt && build ON || build OFF
find /usr -type f -printf '%s %p\n' >"$files" 2>/dev/null || true
$info --devices | awk -F '\t' -v only="$only" 'only == "" || index("," only ",", "," $1 ",")' >"$list"
[ -s "$list" ] || { echo "run.sh: no such device: $only" >&2 && exit 2; }
each_device first_figures
echo
$bench --help | sed -n '/^Columns/,$p'

printf '\n== Build, with the other libraries that are here\n'
! command -v nvcc >/dev/null || sh bench/cccl.sh || true
build ON

# ---- Sections -------------------------------------------------------------------------------------------------------

# has MODULE [MORE]: is there a Python that imports it? A peer that is asked for by name has to have rows.
has() { for p in python3 /usr/bin/python3; do $p -c "import $1${2:-}" >/dev/null 2>&1 && return; done; return 1; }

# sections_of NUMBER: a line for each, its first word the name, then options
sections_of() {
    n=2^12..2^28:2 sizes=2^12..2^28:2 few=2^16,2^20,2^24 one=2^26
    if $info --device "$1" --probe | grep -q '^  type = cpu'; then
        n=2^12..2^24:2,2^26 sizes=2^16,2^20,2^24 few=2^16,2^20 one=2^22
    fi
    cat <<end
scan --type i32,f32 --n $n --peer all
scan --type i8,i16,i64,f64 --n $sizes --peer all
scan reduce --op affine,mat2,tuple4,lssp,gcd --n 2^16,2^20,2^24 --peer all
reduce --type i8,i32,f32,f64 --n $sizes --peer all
segmented_scan --type f32 --peer all
segmented_reduce --type f32 --peer all
scan_by_offsets scan_by_keys reduce_uniform reduce_power_law reduce_giant --type f32 --segments 2^20x16,2^12x4096
histogram histogram_one_hot histogram_zipf histogram_sorted histogram_gaussian --type u32 --bins 2^4..2^20:4 --n $one --peer all
histogram histogram_zipf --op sum,max,argmin,mat2 --type u32 --bins 2^8,2^12,2^16 --n $one --peer all
end
    ! has pyopencl || echo "scan reduce filter --type i32 --n $few --peer pyopencl"
    ! has numpy ', sys; sys.exit(int(numpy.__version__.split(".")[0]) < 2)' ||
        echo "sort sort_pairs segmented_sort --type u32,f32 --n $few --segments 1000x1000 --peer numpy"
    for primitive in $($bench --device "$1" --list | sed -n 's/^primitives *//p'); do
        how="--type i32 --n $few --peer all"
        case $primitive in
        *scan | scan_by_* | reduce | segmented_reduce | reduce_uniform | reduce_power_law | reduce_giant) continue ;;
        reduce_by_bits | reduce_by_bytes | reduce_by_keys | histogram*) continue ;;
        transpose | *adjacent_difference) how="--type f32" ;;
        segmented_sort* | irregular_sort*) how="--type u32 --segments 2^14x64,2^10x2^10,1000x1000 --peer all" ;;
        top_k_rows* | top_k_segments*) how="--type f32 --segments 2^14x64,2^10x2^10" ;;
        *sort* | top_k*) how="--type u32 --n $few --peer all" ;;
        esac
        echo "$primitive $how"
    done
    echo "--cold"
}

# title WORDS: the next section, and how long all others may take
title() {
    k=$((k + 1))
    left=
    [ $k -lt 5 ] || left=" (about $((($(date +%s) - begun) * (n_sections - k + 1) / (k - 1) / 60 + 1)) min left)"
    printf '\n== %s of %s: %s%s\n' $k "$n_sections" "$1" "$left"
}

# file_of NAME: a file name of it, which no other device has
file_of() {
    slug=$(printf '%s' "$1" | tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9\n' '-' | sed 's/^-*//; s/-*$//')
    file=$slug number_of_name=1
    while grep -qxF "$file" build/logs/names.txt; do
        number_of_name=$((number_of_name + 1))
        file=$slug-$number_of_name
    done
    echo "$file" >>build/logs/names.txt
}

# measure NUMBER NAME: one device
measure() {
    file_of "$2"
    json=$results/$file.json
    rm -f "$json"
    while read -r section <&4; do
        words=${section%% --*}
        [ "$words" != --cold ] || words="what a first call costs"
        title "device $1: $words"
        # shellcheck disable=SC2086 # words
        $bench $section --device "$1" --json "$json" || status=1
    done 4<"build/logs/sections-$1.txt"
    if $python -c 'import torch' 2>/dev/null; then $python bench/peers/torch_peer.py "$json" || status=1; fi
    [ -z "$python" ] || "$python" bench/plot.py "$json" >build/logs/plot.txt || status=1 # sum_up lists them
}

sum_up() {
    file_of "$2"
    printf '\n== Device %s: %s\n' "$1" "$2"
    awk -f bench/summary.awk "$results/$file.json"
    ls "$results/$file".* "$results/$file"-[a-z]* 2>/dev/null || true
}

# The Python that has matplotlib, if any.
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import matplotlib' 2>/dev/null || python=$p
done

list_sections() { sections_of "$1" >"build/logs/sections-$1.txt"; }
rm -f build/logs/sections-*.txt
each_device list_sections
n_sections=$(cat build/logs/sections-*.txt | wc -l)
k=0
begun=$(date +%s)
: >build/logs/names.txt
each_device measure
: >build/logs/names.txt
each_device sum_up
[ $status = 0 ] || echo "Something above failed."
exit $status
