#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lies.sh BENCH INFO LAYER DIRECTORY: rows of clfold-bench on a driver that lies (lies.c), one lie at a time: all rows are
# there and right. Where it lies about compute units, no kernel is launched with more than twice the groups, or less than
# half of them, that it has without the lie.
set -eu
bench=$1 info=$2 layer=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# What the loader has to know is read once: is there a loader that takes layers?
OPENCL_LAYERS=$layer CLFOLD_LIE=vendor=Nobody "$info" --probe | grep -q 'vendor = Nobody' || {
    echo "lies.sh: this loader takes no layers"
    exit 77
}

# rows NAME: some rows of every primitive; verified, not timed. What probes find is kept apart for each lie.
rows() {
    : >"$work/$1.rows"
    for options in \
        'scan reduce filter unique run_lengths reduce_by_key split adjacent_difference is_sorted top_k_10 --n 2^18' \
        'sort sort_low8 sort_pairs merge_sort --type u32 --n 2^15' \
        'histogram --type u32 --n 2^18 --bins 256,2^16' \
        'segmented_scan segmented_reduce segmented_sort transpose top_k_rows_10 --segments 256x256,4x2^14' \
        'scan_by_bits scan_by_offsets scan_by_keys reduce_uniform reduce_by_bits irregular_sort --segments 256x256' \
        'gather scatter merge lower_bound --n 2^16'; do
        # shellcheck disable=SC2086 # words
        CLFOLD_CACHE_DIR=$work/cache CLFOLD_LIE_LOG=$work/$1.launches "$bench" $options --reps 0 \
            --json "$work/$1.rows" >"$work/out" 2>&1 || { fail "$1: $options"; tail -n 5 "$work/out"; }
    done
}

# lied LIE: the rows of a liar, as many as without
lied() {
    name=$(echo "$1" | tr -c 'a-z0-9\n' _)
    OPENCL_LAYERS=$layer CLFOLD_LIE=$1 rows "$name"
    [ "$(wc -l <"$work/$name.rows")" = "$(wc -l <"$work/honest.rows")" ] || fail "$1: rows are missing"
    ! grep -q '"verified": *false' "$work/$name.rows" || fail "$1: a row is wrong"
}

# The most groups of each kernel of ours, beside those without the lie
compare() {
    awk -v lie="$1" '
        { if ($2 > most[FILENAME, $1]) most[FILENAME, $1] = $2; if (FILENAME == ARGV[1]) kernels[$1] }
        END {
            for (k in kernels) {
                honest = most[ARGV[1], k]; liar = most[ARGV[2], k]
                if (k ~ /^clf_/ && k != "clf_probe" && liar && (liar * 2 < honest || liar > honest * 2))
                    print lie ": " k " in " liar " groups, without the lie in " honest
            }
        }' "$work/honest.launches" "$work/$(echo "$1" | tr -c 'a-z0-9\n' _).launches"
}

OPENCL_LAYERS=$layer CLFOLD_LIE=none rows honest
for lie in units=1 units=7 units=4096; do
    lied $lie
    different=$(compare $lie)
    [ -z "$different" ] || fail "$different"
done
for lie in multiple=1 'vendor=Advanced Micro Devices, Inc.' 'vendor=NVIDIA Corporation' profiling=refused profiling=zeros \
    local=16384 local=1048576 group=64; do
    lied "$lie"
done

# Kernels for GPUs, which have groups and local memory.
CLFOLD_DISABLE=cpu POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
export CLFOLD_DISABLE POCL_EXTRA_BUILD_FLAGS
for lie in local=16384 group=64; do lied $lie; done

[ $failed = 0 ]
