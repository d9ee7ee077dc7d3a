#!/bin/sh
# SPDX-License-Identifier: MIT
#
# offline.sh CLFOLD-PROGRAMS DIRECTORY [GPU...]: compiles every program for GPUs that nobody here has: AMD's with clang,
# Intel's (dg2, skl …) with ocloc. What does not compile is a failure; the compilers' words stay in the directory.
# REPORT.md in it says what registers, local memory and scratch the kernels of AMD's take.
#
# CLFOLD_CLANG names a compiler, and CLFOLD_BITCODE where AMD's device functions for its LLVM lie ("": do without).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
programs=$1 work=$2
shift 2

# The first clang that knows AMD's processors; device functions of Debian are for LLVM 15.
find_clang() {
    for CLANG in "${CLFOLD_CLANG:-}" clang-15 clang; do
        [ -n "$CLANG" ] && "$CLANG" --print-targets 2>/dev/null | grep -q amdgcn && return
    done
    CLANG=
}
find_clang
BITCODE=${CLFOLD_BITCODE-$(ls -d /usr/lib/*/amdgcn/bitcode 2>/dev/null || true)}
[ "$CLANG" = clang-15 ] || BITCODE=${CLFOLD_BITCODE:-}
export CLANG BITCODE
readelf=$(command -v llvm-readelf-15 llvm-readelf llvm-readelf-14 | head -n 1)

if [ $# -eq 0 ]; then
    [ -z "$CLANG" ] || set -- gfx906 gfx90a gfx1030 gfx1100
    ! command -v ocloc >/dev/null || set -- "$@" dg2 skl
fi
[ $# -gt 0 ] || { echo "No compiler here for GPUs that are not."; exit 0; }

# Which of clfold-programs' devices it is like.
shape_of() {
    case $1 in gfx9*) echo amd64 ;; gfx*) echo amd32 ;; dg2) echo khr ;; *) echo intel ;; esac
}

failed=0
mkdir -p "$work"
# shellcheck disable=SC2016 # backquotes of Markdown
printf '# What kernels take\n\nMade by `tests/offline.sh`: bytes of local memory and scratch, registers of 4 bytes per lane.\n' >"$work/REPORT.md"
for gpu; do
    rm -rf "${work:?}/$gpu"
    mkdir -p "$work/$gpu/programs"
    "$programs" "$(shape_of "$gpu")" "$work/$gpu/programs"
    find "$work/$gpu/programs" -name '*.cl' -print0 |
        xargs -0 -P "$(nproc)" -I '{}' sh "$here/portability/compile.sh" "$gpu" '{}' "$work/$gpu"
    built=$(find "$work/$gpu" -name '*.elf' | wc -l) all=$(find "$work/$gpu/programs" -name '*.cl' | wc -l)
    echo "$gpu: $built of $all programs compile"
    if [ "$built" -ne "$all" ]; then
        failed=1
        head -n 5 "$work/$gpu"/*.err
    fi
    case $gpu in gfx*)
        if [ -z "$BITCODE" ] || [ -z "$readelf" ]; then continue; fi
        printf '\n## %s\n\n' "$gpu" >>"$work/REPORT.md"
        find "$work/$gpu" -name '*.elf' -exec "$readelf" --notes '{}' + |
            awk -f "$here/portability/report.awk" >>"$work/REPORT.md" ;;
    esac
done
exit "$failed"
