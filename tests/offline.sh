#!/bin/sh
# SPDX-License-Identifier: MIT
#
# offline.sh CLFOLD-PROGRAMS DIRECTORY [GPU...]: compiles every program for GPUs that nobody here has: AMD's with clang,
# Intel's (dg2, skl, pvc …) with ocloc. Without names: every program for one of AMD's, and a third of those that plans choose
# for another, with warps of 32, and for one of Intel's. What does not compile is a failure, and so is a kernel for
# gfx9.. that needs scratch without fields that are arrays; the compilers' words stay in the directory.
# REPORT.md in it says what registers, local memory and scratch the kernels take.
#
# CLFOLD_CLANG names a compiler, and CLFOLD_BITCODE where AMD's device functions for its LLVM lie ("": do without).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
programs=$1 work=$2
shift 2

# The first clang that knows AMD's processors; device functions are for LLVM 15 in Debian 12, for LLVM 17 in Debian 13.
find_clang() {
    for CLANG in "${CLFOLD_CLANG:-}" clang-15 clang-17 clang; do
        [ -n "$CLANG" ] && "$CLANG" --print-targets 2>/dev/null | grep -q amdgcn && return
    done
    CLANG=
}
find_clang
case $CLANG in
clang-15) BITCODE=${CLFOLD_BITCODE-$(ls -d /usr/lib/*/amdgcn/bitcode 2>/dev/null || true)} ;;
clang-17) BITCODE=${CLFOLD_BITCODE-$(ls -d /usr/lib/llvm-17/lib/clang/17/amdgcn/bitcode 2>/dev/null || true)} ;;
*) BITCODE=${CLFOLD_BITCODE:-} ;;
esac
export CLANG BITCODE
# dash looks up one name at a time.
readelf=$(for name in llvm-readelf-15 llvm-readelf-17 llvm-readelf llvm-readelf-14; do command -v $name || true; done | head -n 1)

which=all
if [ $# -eq 0 ]; then
    [ -z "$CLANG" ] || set -- gfx906 gfx1100
    ! command -v ocloc >/dev/null || set -- "$@" dg2
    which=chosen
fi
[ $# -gt 0 ] || { echo "No compiler here for GPUs that are not."; exit 0; }

# Which of clfold-programs' devices it is like.
shape_of() {
    case $1 in gfx9*) echo amd64 ;; gfx*) echo amd32 ;; skl) echo intel ;; *) echo khr ;; esac
}

# Which of the programs: to compile all takes minutes for each.
which_of() {
    case $1 in gfx906) echo all ;; *) echo $which ;; esac
}

chosen_of() { [ "$(which_of "$1")" = all ] || echo ', of every third plan by what it chooses'; }

# Programs whose compiler crashed and was asked again (compile.sh).
crashes_in() {
    crashes=$(find "$1" -name '*.crash' | wc -l)
    [ "$crashes" -eq 0 ] || echo "; the compiler crashed on $crashes and was asked again"
}

# elves_of DIRECTORY [plain]: the programs that compiled; plain: those without fields that are arrays, which functions
# index, so that compilers may keep them in memory.
elves_of() {
    find "$1" -name '*.elf' | while read -r elf; do
        [ "${2:-}" != plain ] || ! grep -q '^#define CLF_ARRAYS 1$' "$1/programs/$(basename "$elf" .elf).cl" || continue
        echo "$elf"
    done
}

# kernels_of GPU DIRECTORY [plain]: a line for each (kernels.awk). Without its device functions AMD's registers cannot be
# counted.
kernels_of() {
    case $1 in
    gfx*)
        if [ -n "$BITCODE" ] && [ -n "$readelf" ]; then elves_of "$2" "${3:-}" | xargs -r "$readelf" --notes; fi
        ;;
    *) find "$2" -name '*.elf' -exec sh -c 'for elf; do LC_ALL=C tr -c "[:print:]\n" "\n" <"$elf"; done' sh '{}' + ;;
    esac | awk -v gpu="$1" -f "$here/portability/kernels.awk"
}

failed=0
mkdir -p "$work"
rm -f "$work/kernels.txt"
for gpu; do
    rm -rf "${work:?}/$gpu"
    mkdir -p "$work/$gpu/programs"
    "$programs" "$(shape_of "$gpu")" "$work/$gpu/programs" "$(which_of "$gpu")"
    find "$work/$gpu/programs" -name '*.cl' -print0 |
        xargs -0 -P "$(nproc)" -I '{}' sh "$here/portability/compile.sh" "$gpu" '{}' "$work/$gpu"
    built=$(find "$work/$gpu" -name '*.elf' | wc -l) all=$(find "$work/$gpu/programs" -name '*.cl' | wc -l)
    echo "$built of $all programs compile$(chosen_of "$gpu")$(crashes_in "$work/$gpu")" >"$work/$gpu/count.txt"
    echo "$gpu: $(cat "$work/$gpu/count.txt")"
    if [ "$built" -ne "$all" ]; then
        failed=1
        head -n 5 "$work/$gpu"/*.err
    fi
    kernels_of "$gpu" "$work/$gpu" >"$work/$gpu/kernels.txt"
    cat "$work/$gpu/kernels.txt" >>"$work/kernels.txt"
    case $gpu in gfx9*)
        if ! kernels_of "$gpu" "$work/$gpu" plain |
            awk '$5 > 0 { print $2 " needs " $5 " bytes of scratch"; bad = 1 } END { exit bad }'; then
            failed=1
        fi ;;
    esac
done

# Who compiled for which GPUs.
compilers() {
    case " $* " in *" gfx"*) echo "AMD's by $("$CLANG" --version | head -n 1)." ;; esac
    case " $* " in *" dg2 "* | *" skl "* | *" pvc "*)
        echo "Intel's by ocloc $(dpkg-query -W -f '${Version}' intel-opencl-icd 2>/dev/null || true)." ;;
    esac
}

# shellcheck disable=SC2016 # backquotes of Markdown
{
    printf '# What kernels take\n\nMade by `tests/offline.sh`, the most over all programs: bytes of local memory; for AMD'"'"'s '
    printf 'GPUs, registers of 4 bytes per lane;\nwhere there is scratch, its bytes per lane, and how many programs '
    printf 'need it. "–": none, on Intel'"'"'s.\n\n'
    echo "Of $(git -C "$here" log -1 --format=%h 2>/dev/null || echo 'a tree without git'): $(compilers "$@" | tr '\n' ' ')" |
        sed 's/ *$//'
    echo
    for gpu; do echo "- $gpu: $(cat "$work/$gpu/count.txt")"; done
    echo
    awk -f "$here/portability/report.awk" "$work/kernels.txt"
} >"$work/REPORT.md"
exit "$failed"
