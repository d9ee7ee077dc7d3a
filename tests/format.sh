#!/bin/sh
# SPDX-License-Identifier: MIT
#
# format.sh [--check] [FILE...]: the form of C and OpenCL C by clang-format 14 (format.py says how), of these files or of
# all. --check changes nothing, and fails where something would change. Without clang-format 14 or Python: 77.
set -eu
cd "$(dirname "$0")/.."
check=
[ "${1-}" != --check ] || { check=--check && shift; }
tool=
for name in clang-format-14 clang-format; do
    if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then
        tool=$name
        break
    fi
done
if [ -z "$tool" ] || ! python3 -c 'import re' 2>/dev/null; then
    echo "format: no clang-format 14 or no Python here"
    exit 77
fi
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # names without blanks
    set -- $(find src cl include tests bench -name '*.[ch]' -o -name '*.cl')
fi
python3 -B tests/format.py $check "$tool" "$@"
[ -z "$check" ] || echo "format: $# files"
