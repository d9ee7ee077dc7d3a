#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lies.sh [--short | --times SECONDS] BENCH INFO LAYER DIRECTORY: rows of clfold-bench on a driver that lies (lies.c), one
# lie at a time.
#
# All rows are there and right. Work is counted, not timed, by the layer's log: for each primitive a lie may change neither
# the launches nor their work-items by three times; lies about compute units no kernel's groups by twice. Lies that take
# something away (a limit of groups, of local memory) may cost four times. Launches are refused only while the device is
# probed.
#
#     --short          the lies and rows that find most in a minute
#     --times SECONDS  instead: a table of least times, lying by honest, on the device at hand, for people. What was not
#                      measured within so many seconds is named. From the environment: SIZE=2^24, how many elements;
#                      LIES='units=1 type=8', which lies
set -eu
short='' seconds=''
case $1 in
--short) short=1 && shift ;;
--times) seconds=$2 && shift 2 ;;
esac
bench=$1 info=$2 layer=$3 work=$4
rm -rf "$work"
mkdir -p "$work"
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

file_of() { echo "$work/$gpu$(echo "$1" | tr -c 'a-z0-9\n' _)"; }

# ---- Times ---------------------------------------------------------------------------------------------------------

# timed LIE: as many rows as there is time for
timed() {
    for options in \
        "reduce scan filter reduce_by_key top_k_10 --type i32 --n $size" "sort --type u32 --n $size" \
        "histogram --type u32 --n $size --bins 256,2^16" "segmented_scan segmented_reduce --type i32 --segments 2^14x2^10" \
        "scan_by_offsets reduce_by_bits --type i32 --segments 2^14x2^10" "gather merge lower_bound --n $size"; do
        left=$((end - $(date +%s)))
        [ $left -gt 0 ] || { echo "not measured: $1, $options" && continue; }
        # shellcheck disable=SC2086 # words
        OPENCL_LAYERS=$layer CLFOLD_LIE=$1 CLFOLD_CACHE_DIR=$(file_of "$1").cache timeout "$left" "$bench" $options --reps 5 \
            --json "$(file_of "$1").rows" >"$work/out" 2>&1 || { echo "not measured, or wrong: $1, $options" && { grep WRONG "$work/out" || true; }; }
    done
}

# The rows of the first file, and by how much each takes longer in the others.
table_of_times() {
    awk -F'"' '
        function field(name,    at) {
            at = index($0, "\"" name "\": ")
            return at ? substr($0, at + length(name) + 4) + 0 : 0
        }
        FNR == 1 { ++file }
        {
            row = $12 " " $20 " " (field("segments") > 1 ? field("segments") "x" field("segment_size") : field("n")) \
                (field("bins") ? " in " field("bins") : "")
            if (file == 1) { honest[row] = field("us_min"); rows[++n] = row }
            else time[row, file] = field("us_min")
            names[file] = FILENAME
        }
        END {
            line = "| row | honest us |"
            for (f = 2; f <= file; ++f) { sub(/.*\//, "", names[f]); sub(/\.rows$/, "", names[f]); line = line " " names[f] " |" }
            print line; gsub(/[^|]+/, "---", line); print line
            for (r = 1; r <= n; ++r) {
                line = sprintf("| %s | %.1f |", rows[r], honest[rows[r]])
                for (f = 2; f <= file; ++f) {
                    ratio = honest[rows[r]] ? time[rows[r], f] / honest[rows[r]] : 0
                    if (ratio > worst) { worst = ratio; where = rows[r] ", " names[f] }
                    line = line (ratio ? sprintf(" %.2f |", ratio) : " |")
                }
                print line
            }
            printf "longest, by the honest run: %.2f (%s)\n", worst, where
        }' "$@"
}

if [ "$seconds" ]; then
    gpu='' size=${SIZE:-2^24}
    end=$(($(date +%s) + seconds))
    set --
    for lie in none=1 ${LIES:-units=1 units=4096 type=8 multiple=1 vendor=Nobody profiling=refused profiling=zeros}; do
        timed "$lie"
        [ ! -s "$(file_of "$lie").rows" ] || set -- "$@" "$(file_of "$lie").rows"
    done
    table_of_times "$@"
    exit 0
fi

# What the loader has to know is read once: is there a loader that takes layers?
OPENCL_LAYERS=$layer CLFOLD_LIE=vendor=Nobody "$info" --probe | grep -q 'vendor = Nobody' || {
    echo "lies.sh: this loader takes no layers"
    exit 77
}

# ---- Counts --------------------------------------------------------------------------------------------------------

some='reduce scan filter reduce_by_key --n 2^16
sort --type u32 --n 2^14
histogram --type u32 --n 2^16 --bins 256
segmented_scan segmented_reduce transpose --segments 64x512'
all='scan reduce --n 2^18
filter unique run_lengths reduce_by_key --n 2^18
split adjacent_difference is_sorted top_k_10 --n 2^18
sort sort_low8 --type u32 --n 2^15
sort_pairs merge_sort --type u32 --n 2^15
histogram --type u32 --n 2^18 --bins 256,2^16
segmented_scan segmented_reduce --segments 256x256,4x2^14
segmented_sort --segments 256x256,4x2^14
transpose top_k_rows_10 --segments 256x256,4x2^14
scan_by_bits scan_by_offsets scan_by_keys --segments 256x256
reduce_uniform reduce_by_bits irregular_sort --segments 256x256
gather scatter merge lower_bound --n 2^16'

list=$all
[ ! "$short" ] || list=$some

# rows LIE: some rows of every primitive; verified, not timed. Each lie has a cache of its own: what probes find depends on it.
rows() {
    file=$(file_of "$1")
    : >"$file.rows"
    echo "$list" | while read -r options; do
        echo "row $options" >>"$file.launches"
        # shellcheck disable=SC2086 # words
        OPENCL_LAYERS=$layer CLFOLD_LIE=$1 CLFOLD_CACHE_DIR=$file.cache CLFOLD_LIE_LOG=$file.launches "$bench" $options \
            --reps 0 --json "$file.rows" >"$work/out" 2>&1 || { echo "$gpu$1: $options" && tail -n 5 "$work/out"; } >>"$work/wrong"
    done
}

# count FACTOR GROUPS FILE: what of the launches differs from the honest ones by so many times, or more; a kernel's most
# groups by more than GROUPS times
count() {
    awk -v lie="$gpu$lie" -v factor="$1" -v most_groups="$2" '
        function differ(what, honest, liar, most) {
            if (liar > honest * most || (lie !~ /group|local|refused|items|resources|kernel/ && liar * most < honest))
                print lie ": " what ": " liar ", without the lie " honest
        }
        FNR == 1 { ++file }
        $1 == "row" { row = $0; rows[row]; next }
        $1 == "refused" { if ($2 != "clf_probe") print lie ": " $2 " was refused in groups of " $4; next }
        !/^clf_/ || $1 == "clf_probe" { next }
        { ++launches[file, row]; items[file, row] += $2 * $3 }
        $2 > groups[file, row, $1] { groups[file, row, $1] = $2; kernels[row, $1] }
        END {
            for (r in rows) {
                differ(r ", launches", launches[1, r], launches[2, r], factor)
                # PoCL has 1 MiB, and tiles as large: less local memory may cost some work-items an element.
                if (lie !~ /local/ || items[2, r] > 4 * 262144)
                    differ(r ", work-items", items[1, r], items[2, r], factor)
            }
            for (k in kernels) {
                split(k, part, SUBSEP)
                honest = groups[1, part[1], part[2]]; liar = groups[2, part[1], part[2]]
                if (most_groups && honest && liar)
                    differ(part[1] ", groups of " part[2], honest, liar, most_groups)
            }
        }' "$(file_of none=1).launches" "$(file_of "$lie").launches" >>"$work/wrong"
}

# tell LIE FACTOR [GROUPS]
tell() {
    lie=$1
    : >"$work/wrong"
    rows "$lie"
    [ "$(wc -l <"$(file_of "$lie").rows")" = "$(wc -l <"$(file_of none=1).rows")" ] || echo "$gpu$lie: rows are missing" >>"$work/wrong"
    ! grep -q '"verified": *false' "$(file_of "$lie").rows" || echo "$gpu$lie: a row is wrong" >>"$work/wrong"
    count "$2" "${3:-0}"
    [ ! -s "$work/wrong" ] || fail "$(cat "$work/wrong")"
}

# What is counted does not depend on the optimisation, which takes half of the time.
POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable gpu=''
export POCL_EXTRA_BUILD_FLAGS
tell none=1 1
for lie in units=1 units=7 units=4096; do tell $lie 2 2; done
tell type=8 3
if [ ! "$short" ]; then
    for lie in type=0 multiple=1 'vendor=Advanced Micro Devices, Inc.' 'vendor=NVIDIA Corporation' profiling=refused \
        profiling=zeros; do
        tell "$lie" 3
    done
    for lie in local=16384 local=1048576 group=64; do tell $lie 4; done
fi

# Kernels for GPUs, which have groups and local memory.
CLFOLD_DISABLE=cpu gpu=gpu_
export CLFOLD_DISABLE
tell none=1 1
tell refused=64 4
if [ ! "$short" ]; then
    for lie in units=1 units=4096; do tell $lie 2 2; done
    tell multiple=1 3
    for lie in local=16384 local=1048576 group=64 items=64 resources=64 kernel=64; do tell $lie 4; done
fi

[ $failed = 0 ]
