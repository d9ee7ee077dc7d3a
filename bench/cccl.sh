#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cccl.sh [DIR [VERSION]]: the headers of CCCL's newest release, or of that one, for peer cub of clfold-bench, by pip
# (package nvidia-cuda-cccl). They go to build/cccl, where CMake looks for them, or to DIR, which -DCLFOLD_CCCL=DIR names.
# Without a network, or without pip, what is there stays, and else the CUDA toolkit's own are used: exit status 0, and a
# sentence says so.
set -eu
here=$PWD
cd "$(dirname "$0")/.."
case ${1:-build/cccl} in
/*) dir=$1 ;;
*) dir=${1:+$here/$1} dir=${dir:-$PWD/build/cccl} ;;
esac
version=${2:-}

# release DIR: CUB's version there
release() { sed -n 's/^#define CUB_VERSION \([0-9]*\).*/\1/p' "$1/cub/version.cuh" | awk '{ printf "%d.%d.%d", $1 / 100000, $1 / 100 % 1000, $1 % 100 }'; }

# keep WHY: what there is serves
keep() {
    if [ -f "$dir/cub/version.cuh" ]; then
        echo "cccl.sh: $1; $dir has CUB $(release "$dir")"
    else
        echo "cccl.sh: $1; peer cub is compiled against the CUDA toolkit's own CUB"
    fi
    exit 0
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work" \
    "nvidia-cuda-cccl${version:+==$version}" >"$work/log" 2>&1 || keep "no new headers ($(tail -n 1 "$work/log"))"
python3 -m zipfile -e "$work"/*.whl "$work/wheel"
found=$(find "$work/wheel" -path '*/cub/version.cuh' | head -n 1)
[ -n "$found" ] || keep "the package has no CUB"
from=$(dirname "$(dirname "$found")")
mkdir -p "$dir"
for part in cub cuda nv thrust; do
    rm -rf "${dir:?}/$part"
    cp -R "$from/$part" "$dir/$part"
done
find "$work/wheel" -name 'LICENSE*' -exec cp {} "$dir/" \;
echo "cccl.sh: CUB $(release "$dir") in $dir"
