#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh bench/run.sh: from a bare Debian or Ubuntu to measured, in a few minutes. Installs what is missing, builds
# into build/, and on every OpenCL device: running statistics over the sizes of this machine's own files; then
# scans of many sizes and types, segments of all sizes, reductions, histograms and the rest, beside a copy or reading
# and other libraries. Leaves bench/results/DEVICE.json and pictures.
set -eu
cd "$(dirname "$0")/.."

. tests/packages.sh
need_build
want libtbb-dev 'echo "#include <tbb/version.h>" | c++ -xc++ -E -'
want libboost-dev 'echo "#include <boost/compute/version.hpp>" | c++ -xc++ -E -'
want python3-pyopencl 'for p in python3 /usr/bin/python3; do $p -c "import pyopencl" && exit 0; done; exit 1'
want python3-matplotlib 'for p in python3 /usr/bin/python3; do $p -c "import matplotlib" && exit 0; done; exit 1'
install_missing

title() { printf '\n== %s\n' "$*"; }

title "build"
mkdir -p build/logs bench/results
cmake -S . -B build -G Ninja -DCLFOLD_PEERS=ON >build/logs/configure.log 2>&1 || { cat build/logs/configure.log; exit 1; }
cmake --build build --target clfold-bench clfold-info file_sizes
bench=build/bench/clfold-bench
sizes=build/logs/file_sizes.txt
find /usr -type f -printf '%s %p\n' >"$sizes" 2>/dev/null || true

# slug NAME: a file name of it
slug() { printf '%s' "$1" | tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9\n' '-' | sed 's/^-*//; s/-*$//'; }

# The Python that has matplotlib, if any.
python=
for p in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $p -c 'import matplotlib' 2>/dev/null || python=$p
done

status=0
cpu_sizes=2^12..2^24:2,2^26
gpu_sizes=2^12..2^28:2

# measure NUMBER NAME: one device
measure() {
    json=bench/results/$(slug "$2").json
    rm -f "$json"
    n=$gpu_sizes
    others=$gpu_sizes
    few=2^16,2^20,2^24
    one=2^26
    if build/bench/clfold-info --device "$1" --probe | grep -q '^  type = cpu'; then
        n=$cpu_sizes
        others=2^16,2^20,2^24
        few=2^16,2^20
        one=2^22
    fi

    title "$2: running total and maximum of the sizes of all files under /usr"
    CLFOLD_DEVICE=$1 build/tests/file_sizes <"$sizes" || status=1

    title "$2: scan, beside a copy of as many bytes and other libraries"
    $bench scan --device "$1" --type i32,f32 --n "$n" --peer all --json "$json" || status=1
    $bench scan reduce filter --device "$1" --type i32 --n "$few" --peer pyopencl --json "$json" || status=1
    $bench scan --device "$1" --type i8,i16,i64,f64 --n "$others" --peer all --json "$json" || status=1
    $bench scan reduce --device "$1" --op affine,mat2,tuple4,lssp,gcd --n 2^16,2^20,2^24 --peer all --json "$json" || status=1
    title "$2: reductions, beside reading as many bytes and other libraries"
    $bench reduce --device "$1" --type i8,i32,f32,f64 --n "$others" --peer all --json "$json" || status=1
    title "$2: segments of all sizes, beside a plain scan and reading"
    $bench segmented_scan --device "$1" --type f32 --peer all --json "$json" || status=1
    $bench segmented_reduce --device "$1" --type f32 --peer all --json "$json" || status=1
    $bench scan_by_offsets scan_by_keys reduce_uniform reduce_power_law reduce_giant --device "$1" --type f32 \
        --segments 2^20x16,2^12x4096 --json "$json" || status=1
    title "$2: histograms, beside reading"
    $bench histogram histogram_one_hot histogram_zipf histogram_sorted histogram_gaussian --device "$1" --type u32 \
        --bins 2^4..2^20:4 --n "$one" --peer all --json "$json" || status=1
    $bench histogram histogram_zipf --device "$1" --op sum,max,argmin,mat2 --type u32 --bins 2^8,2^12,2^16 --n "$one" \
        --peer all --json "$json" || status=1
    for primitive in $($bench --device "$1" --list | sed -n 's/^primitives *//p'); do
        how="--type i32 --n $few --peer all"
        case $primitive in
        *scan | scan_by_* | reduce | segmented_reduce | reduce_uniform | reduce_power_law | reduce_giant) continue ;;
        reduce_by_bits | reduce_by_bytes | reduce_by_keys | histogram*) continue ;;
        transpose | *adjacent_difference) how="--type f32" ;;
        segmented_sort* | irregular_sort) how="--type u32 --segments 2^14x64,2^10x2^10,1000x1000 --peer all" ;;
        top_k_rows*) how="--type f32 --segments 2^14x64,2^10x2^10" ;;
        *sort* | top_k*) how="--type u32 --n $few --peer all" ;;
        esac
        title "$2: $primitive"
        # shellcheck disable=SC2086 # words
        $bench "$primitive" --device "$1" $how --json "$json" || status=1
    done
    title "$2: what a first call costs"
    $bench --device "$1" --cold || status=1
    if $python -c 'import torch' 2>/dev/null; then $python bench/peers/torch_peer.py "$json" || status=1; fi
    [ -z "$python" ] || "$python" bench/plot.py "$json" || status=1
    echo "$json"
}

list=build/logs/devices.txt
build/bench/clfold-info --devices >"$list"
while IFS="$(printf '\t')" read -r number platform name <&3; do
    printf '\n%s\n' "device $number: $name ($platform)"
    measure "$number" "$name"
done 3<"$list"
[ $status = 0 ] || echo "Something above failed."
exit $status
