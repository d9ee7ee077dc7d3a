#!/bin/sh
# SPDX-License-Identifier: MIT
#
# counters.sh OUT ARGUMENT...: what NVIDIA's Nsight Compute counts in the kernels of clfold-bench, called with these
# arguments; rows are verified, not timed. Wants an NVIDIA GPU, CUDA's toolkit (ncu, cuda.h) and a build in build/
# (another: BUILD=DIR). Leaves in the folder OUT:
#
#     report.ncu-rep   for ncu-ui
#     details.txt      counters of each kernel, and what the profiler says of them
#     source.csv       samples by instruction
#     stalls.txt       where warps wait: stalls.py of that
#
#     sh bench/counters/counters.sh /tmp/filter filter --type i32 --n 2^26
#
# replay.c says how, and which environment variables choose kernels. The profiler holds the GPU at its base
# clock, so times are longer than elsewhere.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bench=${BUILD:-$here/../../build}/bench/clfold-bench
[ $# -ge 2 ] || { sed -n '4,/^set/s/^# \{0,1\}//p' "$0" && exit 2; }
out=$1
shift
mkdir -p "$out"

cuda=$(dirname "$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")
ncu=$(command -v ncu || find "$cuda/bin/ncu" /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | head -n 1)
[ -n "$ncu" ] || { echo "Nsight Compute (ncu) is missing here." && exit 2; }
[ -x "$bench" ] || { echo "$bench is missing: build first." && exit 2; }
"${CC:-cc}" -shared -fPIC -O1 -I"$cuda/include" "$here/replay.c" -o "$out/replay.so" -ldl \
    -L"$cuda/lib64/stubs" -lcuda

# Programs of a cache need not be PTX. The profiler itself is not to be preloaded.
# shellcheck disable=SC2016 # of the inner shell
CLFOLD_CACHE_DIR=off "$ncu" --set full --target-processes all -f -o "$out/report" \
    sh -c 'LD_PRELOAD=$0 exec "$@"' "$out/replay.so" "$bench" --device NVIDIA --reps 0 "$@"
"$ncu" -i "$out/report.ncu-rep" --page details >"$out/details.txt"
"$ncu" -i "$out/report.ncu-rep" --page source --csv --print-source sass >"$out/source.csv"
python3 "$here/stalls.py" "$out/source.csv" >"$out/stalls.txt"
echo "$out: details.txt, source.csv, stalls.txt, report.ncu-rep"
