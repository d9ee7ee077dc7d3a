#!/bin/sh
# SPDX-License-Identifier: MIT
#
# bench_rows.sh CLFOLD-BENCH WORK [PRIMITIVE...]: rows of these primitives, or of all that --list names, with every
# operator that it names, on few elements, verified and not timed. Each pair must give a right row, unless it has none.
# Block networks are ranked by depth, then by work, which are those of the textbooks. So must the peers that every build has, of one element, of a block, and of more; of other libraries what this build or
# this Python has.
set -eu
bench=$1 work=$2
shift 2
device=${CLFOLD_TEST_DEVICE:-0}

"$bench" --device "$device" --list >"$work.list"
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(sed -n 's/^primitives *//p; s/^explored *//p' "$work.list")
operators=$(sed -n 's/^operators *//p; s/^on tuples *//p; s/^by bin *//p' "$work.list" | tr ' ' '\n' | sort -u)
rm -f "$work.json" "$work.peers.json"
status=0
"$bench" "$@" --device "$device" --op all --type i32 --n 1000 --segments 61x67 --bins 7,2^12 --reps 0 --json "$work.json" \
    >"$work.out" 2>"$work.err" || status=1
"$bench" softmax --device "$device" --type f32 --segments 61x67 --reps 0 --turns 2 --json "$work.json" >>"$work.out" \
    2>>"$work.err" || status=1

for primitive in "$@"; do
    for op in $operators; do
        # What moves elements has no operator.
        none="\"primitive\": \"$primitive\", \"op\": \"-\""
        case $op in sum) ! grep -qF "$none" "$work.json" || op=- ;; esac
        case $primitive in transpose) op=- ;; esac
        row="\"primitive\": \"$primitive\", \"op\": \"$op\""
        if grep -F "$row" "$work.json" | grep -q '"verified": true}'; then continue; fi
        grep -qE "^skipped: $op of .*: $primitive has no rows of" "$work.err" && continue
        echo "no right row: $primitive, $op"
        status=1
    done
done

rm -f "$work.networks.json"
"$bench" composed_networks --device "$device" --type i32 --n 1001 --define bs=64 --reps 0 --json "$work.networks.json" \
    >>"$work.out" 2>>"$work.err" || status=1
sed -n 's/.*"variant": "\([a-z_]*\)".*"define": "bs=64,bf=\([248]\),.*"depth": \([0-9]*\), "work": \([0-9.]*\).*"verified": true}/\1 \2 \3 \4/p' \
    "$work.networks.json" >"$work.networks"
# Applications in a block of 64: 64/2 * 6, 6 * 64 - 63, 32 + 16 * 5 + 31, 2 * 63 less one a level, 63.
cmp - "$work.networks" <<end || status=1
sklansky 2 6 3.0000
kogge_stone 2 6 5.0156
ladner_fischer 2 7 2.2344
brent_kung 2 10 1.8750
brent_kung 4 14 1.9219
brent_kung 8 20 1.9375
serial 2 63 0.9844
end

rm -f "$work.schemes.json"
"$bench" composed_search --device "$device" --type i32 --n 5000 --define points=3 --reps 1 --json "$work.schemes.json" \
    >>"$work.out" 2>>"$work.err" || status=1
"$bench" composed_scan --device "$device" --op sum,mat2 --type i8,f64 --n 1,5000 --reps 0 --json "$work.schemes.json" \
    --variant "blocks 64 | step 2 | sklansky | lookback,blocks 64 padded | step 4 | kogge_stone | reduce" \
    >>"$work.out" 2>>"$work.err" || status=1
for moves in 4,3 3,9 2,9; do # three points each; and three types, two lengths
    right=$(grep -F "\"define\": \"moves=${moves%,*},bs=" "$work.schemes.json" | grep -c '"verified": true}' || true)
    [ "$right" = "${moves#*,}" ] && continue
    echo "$right of ${moves#*,} right rows: composed scans that move ${moves%,*}n"
    status=1
done

"$bench" scan exclusive_scan --device "$device" --type i32 --n 1,512,66000 --peer gems39,hillis_steele,blelloch --reps 0 \
    --json "$work.peers.json" >>"$work.out" 2>>"$work.err" || status=1
for peer in gems39 hillis_steele blelloch; do
    right=$(grep -F "\"peer\": \"$peer\"" "$work.peers.json" | grep -c '"verified": true}' || true)
    [ "$right" = 6 ] && continue
    echo "$right of 6 right rows: $peer"
    status=1
done

# check_peer NAME PRIMITIVES OPTION...: as many right rows as there are rows of clfold, and some.
check_peer() {
    peer=$1 primitives=$2
    shift 2
    rm -f "$work.peers.json"
    # shellcheck disable=SC2086 # words
    "$bench" $primitives --device "$device" --peer "$peer" --reps 0 --json "$work.peers.json" "$@" >>"$work.out" \
        2>>"$work.err" || status=1
    rows=$(grep -vc '"peer": ' "$work.peers.json" || true)
    right=$(grep -F "\"peer\": \"$peer\"" "$work.peers.json" | grep -c '"verified": true}' || true)
    [ "$rows" -gt 0 ] && [ "$right" = "$rows" ] && return
    echo "$right of $rows right rows: $peer"
    status=1
}
for peer in contraction interleaved by_warps halves; do
    check_peer $peer reduce --type i8,i32,f32 --n 1,2,1000,66000,200000
done
# A peer that is asked for by name has rows, or says that it has none, and the status tells; "all" may be silent.
if "$bench" transpose --device "$device" --type i32 --segments 3x5 --peer gems39 --reps 0 >>"$work.out" 2>"$work.named"; then
    echo "a named peer without a row is no failure"
    status=1
fi
grep -qx 'no row of peer gems39: transpose sum i32' "$work.named" || { echo "a named peer without a row is silent" && status=1; }
"$bench" transpose --device "$device" --type i32 --segments 3x5 --peer all --reps 0 >>"$work.out" 2>&1 || status=1
code=0
"$bench" scan --device "$device" --n 3 --peer nobody >>"$work.out" 2>&1 || code=$?
[ $code = 2 ] || { echo "a peer that nobody knows: exit status $code" && status=1; }

for peer in std std-par openmp vqsort; do
    if ! sed -n 's/^peers *//p' "$work.list" | tr ' ' '\n' | grep -qx "$peer"; then
        echo "skipped: this build has no peer $peer"
        continue
    fi
    if [ $peer = vqsort ]; then
        check_peer vqsort "sort sort_equal" --type i32,u32,i64,u64,f32 --n 1,1000,66000
        check_peer vqsort "sort_pairs sort_indices" --type i32,u32,f32 --n 1,1000,66000
        check_peer vqsort segmented_sort --type f32,u64 --segments 1000x17,3x70001
        continue
    fi
    check_peer "$peer" "scan exclusive_scan reduce filter" --type i32 --n 1,1000,66000
    [ "$peer" = openmp ] || check_peer "$peer" "scan reduce" --op affine,mat2,tuple4,lssp,gcd --n 1,1000,66000
    [ "$peer" != std ] || check_peer std "filter_bits filter_tuple split split_16 reduce_by_key run_lengths" --type i32 \
        --n 1,1000,66000
    [ "$peer" != openmp ] || check_peer "$peer" "segmented_scan segmented_reduce" --op sum,max --type i8,f32 \
        --segments 3x70001,1000x17
    check_peer "$peer" "sort sort_pairs sort_indices" --type f32,u64 --n 1,1000,66000
    check_peer "$peer" "segmented_sort segmented_sort_pairs" --type f32 --segments 1000x17,100x3000,3x70001
    [ "$peer" = openmp ] || continue
    check_peer openmp "sort sort_equal sort_low8" --type i32 --n 1,1000,66000
    check_peer openmp sort_pairs --type f64 --n 2200000 # past the caches
done
if [ -n "${CLFOLD_TEST_DEVICE:-}" ]; then
    echo "skipped: PyOpenCL on another device than the first"
elif { python3 -c 'import pyopencl' || /usr/bin/python3 -c 'import pyopencl'; } >/dev/null 2>&1; then
    check_peer pyopencl "scan reduce" --type u32 --n 66000 # of others its kernels take long to compile
else
    echo "skipped: no PyOpenCL here"
fi
if python3 -c 'import numpy; assert int(numpy.__version__.split(".")[0]) >= 2' >/dev/null 2>&1; then
    check_peer numpy "scan reduce sort merge_sort sort_pairs sort_indices top_k_10" --type i8,u32,f32 --n 1,1000,66000
    check_peer numpy "segmented_scan segmented_reduce segmented_sort top_k_rows_10" --type i16,f64 --segments 1000x17,3x7001
else
    echo "skipped: no NumPy 2 here"
fi
[ $status = 0 ] || cat "$work.out" "$work.err"
exit $status
