#!/bin/sh
# SPDX-License-Identifier: MIT
#
# figures.sh [OPTION...]: the rows behind the tables of README.md and the manual's page on performance, on this machine's
# first GPU, beside the newest CUB and PyTorch where they are. All in one run, by one build. Leaves figures.json, of which
# bench/figures.py makes the tables.
#
#     --output DIR     instead of build/figures
#     --cccl DIR       the headers of CUB, instead of those that bench/cccl.sh fetches
#     --seconds S      stops after about so many, of which PyTorch gets the last sixth; the last line says which section
#                      is next
#     --from K         begins with section K, and adds to the rows that are there
#     --list           the sections
#     --help           this text
#
# Exit status 1: a row was wrong, or a section failed.
set -eu
here=$PWD
cd "$(dirname "$0")/.."
. tests/packages.sh

output=$PWD/build/figures cccl='' seconds=3600 from=1 list=''
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) show_help bench/figures.sh && exit 0 ;;
    --list) list=yes && shift && continue ;;
    --output | --cccl | --seconds | --from) ;;
    *) echo "figures.sh: unknown option $1; see --help" >&2 && exit 2 ;;
    esac
    [ $# -ge 2 ] || { echo "figures.sh: $1: its value is missing" >&2 && exit 2; }
    case $1 in
    --output) output=$(absolute "$2") ;;
    --cccl) cccl=$(absolute "$2") ;;
    --seconds) seconds=$2 ;;
    --from) from=$2 ;;
    esac
    shift 2
done
begun=$(date +%s)
spent() { echo $(($(date +%s) - begun)); }

# What the tables need most comes first.
splits=2^26x1,2^24x4,2^22x16,2^20x64,2^18x256,2^16x2^10,2^14x2^12,2^12x2^14,2^10x2^16,256x2^18,64x2^20,16x2^22,4x2^24,1x2^26
sections() {
    cat <<end
scan --type i32 --n 2^10..2^20:2,2^24,2^28
scan --type f32 --n 2^28
segmented_reduce --type f32 --segments $splits
sort --type u32 --n 2^10..2^28:2,2^27
sort_pairs --type u32 --n 2^20,2^27
sort --type f32,i64 --n 2^27
top_k_10 top_k_1024 top_k_65536 --type f32 --n 2^20,2^28
top_k_rows_10 --type f32 --segments 2^20x64,2^18x256,2^18x2^10,2^14x2^12
top_k_rows_100 --type f32 --segments 2^18x256,2^18x2^10,2^14x2^12
segmented_sort --type u32 --segments 2^20x64,2^16x2^10,2^13x2^13,1000x10^4,64x2^20
histogram --type u32 --bins 2^8..2^16:2,2^20 --n 2^28
segmented_scan --type f32 --segments $splits
filter filter_0 filter_1 filter_25 filter_75 filter_99 filter_100 unique --type i32 --n 2^28
scan --type i8,i16 --n 2^28
scan --type i64,f64 --n 2^27
scan --op tuple4,mat2 --n 2^25
reduce --type f32 --n 2^16,2^20,2^28
reduce --type i8,i32 --n 2^28
reduce --type f64 --n 2^27
reduce_by_key run_lengths --type i32 --n 2^27
partition --type i32 --n 2^28
merge_sort merge --type u32 --n 2^26
histogram --type u8 --bins 256 --n 2^28
sort --type u8,u16 --n 2^28
sort --type u64,f64 --n 2^26
sort_equal --type u32 --n 2^27
filter_tuple gather adjacent_difference --type i32 --n 2^26
transpose --type f32 --segments 8192x8192
end
}
if [ -n "$list" ]; then
    sections | awk '{ print NR ": " $0 }'
    exit 0
fi

build=$PWD/build/figures/build
mkdir -p "$build" "$output"
if [ -z "$cccl" ]; then
    sh bench/cccl.sh
elif [ ! -f "$cccl/cub/version.cuh" ]; then
    echo "figures.sh: --cccl: $cccl has no cub/version.cuh" >&2
    exit 2
fi
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCLFOLD_TESTS=OFF -DCLFOLD_PEERS=ON -DCLFOLD_CCCL="$cccl" \
    >"$build/configure.log" 2>&1 || { cat "$build/configure.log" && exit 2; }
cmake --build "$build" --target clfold-bench clfold-info >"$build/build.log" 2>&1 || { tail -n 40 "$build/build.log" && exit 2; }
bench=$build/bench/clfold-bench json=$output/figures.json
echo "built in $(spent) s"
[ "$from" != 1 ] || rm -f "$json"

peers=
! grep -q 'has peer cub' "$build/configure.log" || peers="--peer cub"
status=0 k=0 next=
sections >"$build/sections"
while read -r section <&3; do
    k=$((k + 1))
    [ "$k" -ge "$from" ] || continue
    [ "$(spent)" -lt $((seconds * 5 / 6)) ] || { next=$k && break; }
    case $section in transpose*) with= ;; *) with=$peers ;; esac
    # shellcheck disable=SC2086 # words
    "$bench" $section $with --json "$json" >"$build/section.out" 2>&1 || { status=1 && cat "$build/section.out"; }
    echo "$k of $(wc -l <"$build/sections") after $(spent) s: $section"
done 3<"$build/sections"
left=$((seconds - $(spent)))
if python3 -c 'import torch' 2>/dev/null && [ $left -gt 0 ]; then
    timeout "$left" python3 bench/peers/torch_peer.py "$json" >"$build/torch.out" 2>&1 || { status=1 && tail -n 5 "$build/torch.out"; }
fi
echo "$json: $(cat "$json" 2>/dev/null | wc -l) rows after $(spent) s"
[ -z "$next" ] || echo "figures.sh: no time left; go on by --from $next"
exit $status
