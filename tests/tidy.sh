#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tidy.sh [--all] [-I...]: clang-tidy finds nothing in src/ (.clang-tidy has the checks, and why others are off).
# Without --all it looks at files that have changed since origin/main, or in the last commit where there is none, two at
# a time. The arguments are the compiler's, for OpenCL's headers. Without clang-tidy 14 or later: 77.
set -eu
cd "$(dirname "$0")/.."
all=
[ "${1-}" != --all ] || { all=yes && shift; }
version=$(clang-tidy --version 2>/dev/null | sed -n 's/.*LLVM version \([0-9]*\).*/\1/p')
if [ "${version:-0}" -lt 14 ]; then
    echo "tidy: no clang-tidy 14 or later here"
    exit 77
fi

# Files that compile here: MPI's want its headers.
files=$(ls src/*/*.c)
echo '#include <mpi.h>' | cc -E "$@" - >/dev/null 2>&1 || files=$(echo "$files" | grep -v '/mpi\.c$')
if [ -z "$all" ] && git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    base=$(git merge-base origin/main HEAD 2>/dev/null || git rev-parse --verify --quiet HEAD~1 || git rev-parse HEAD)
    changed=$(git diff --name-only "$base" -- src)
    files=$(echo "$files" | grep -xF "${changed:-none}" || true)
fi
if [ -z "$files" ]; then
    echo "tidy: no file of src has changed"
    exit 0
fi
found=$(mktemp)
trap 'rm -f "$found"' EXIT
flags="-std=c11 -DCLFOLD_BUILDING -DCL_TARGET_OPENCL_VERSION=300 -Iinclude -Isrc $*"
# shellcheck disable=SC2016 # expanded by the inner shell
look='flags=$1 && shift && clang-tidy --quiet "$@" -- $flags 2>/dev/null'
if ! echo "$files" | xargs -P2 -n4 sh -c "$look" tidy "$flags" >"$found"; then
    cat "$found"
    exit 1
fi
echo "tidy: $(echo "$files" | wc -l) files"
