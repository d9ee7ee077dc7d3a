#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pocl.sh DIRECTORY: PoCL's driver alone, for OCL_ICD_VENDORS=DIRECTORY/vendors. Loading another is enough for its leaks
# and crashes to become ours.
#
# PoCL reads the declarations of all functions of OpenCL C anew for each program, a fifth of the time of tests. So the
# driver is linked into a folder whose header has only those that this tree names. A PoCL of another layout stays as it is.
set -eu
mkdir -p "$1"
work=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
rm -rf "$work/vendors" "$work/pocl"
mkdir -p "$work/vendors" "$work/pocl/share/pocl/include" "$work/pocl/lib/here"
cp /etc/OpenCL/vendors/pocl*.icd "$work/vendors"

lib=/usr/lib/$(uname -m)-linux-gnu
driver=$(find "$lib" -maxdepth 1 -name 'libpocl.so.*' -type f 2>/dev/null | head -n 1)
header=/usr/share/pocl/include/opencl-c.h
[ "$driver" ] && [ -f $header ] || exit 0
ln -s "$driver" "$lib/pocl" "$work/pocl/lib/here"
ln -s /usr/share/pocl/*.bc "$work/pocl/share/pocl"
ln -s /usr/share/pocl/include/* "$work/pocl/share/pocl/include"
rm "$work/pocl/share/pocl/include/opencl-c.h"
# Names are put together, too: vload##N, convert_{type}; none rounds. For PyOpenCL: get_local_size, sincos, sinh, cosh.
grep -rhoIE '[a-z_][A-Za-z0-9_]*' cl src tests bench include | sort -u | awk '
    FNR == NR { named[$1]; if (/^[a-z].*_$/) begun = begun "|" $1; next }
    /^[a-z].*__ovld.*;$/ && match($0, /[A-Za-z0-9_]+\(/) {
        name = plain = substr($0, RSTART, RLENGTH - 1)
        sub(/[0-9]+$/, "", plain)
        if (!(name in named) && !(plain in named) && (name !~ "^(" substr(begun, 2) ")" || name ~ /_(sat|rt[enpz])/)) next
    }
    { print }' - $header >"$work/pocl/share/pocl/include/opencl-c.h"
echo "$work/pocl/lib/here/$(basename "$driver")" >"$(ls "$work"/vendors/pocl*.icd)"
