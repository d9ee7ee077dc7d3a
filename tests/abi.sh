#!/bin/sh
# SPDX-License-Identifier: MIT
#
# abi.sh LIBRARY [--write]: the interface that the library exports, beside tests/abi/clfold.abi, by libabigail: nothing is
# gone, and nothing has another type. What is new is no failure. --write makes that file anew, for a release.
# Exit status 77: no abidiff here, or the library has no debug information.
set -eu
library=$1
cd "$(dirname "$0")/.."
baseline=tests/abi/clfold.abi
command -v abidiff >/dev/null || { echo "abi.sh: no abidiff (abigail-tools)" && exit 77; }
readelf -S "$library" | grep -q debug_info || { echo "abi.sh: $library has no debug information" && exit 77; }
if [ "${2:-}" = --write ]; then
    mkdir -p tests/abi
    abidw --exported-interfaces-only --headers-dir include --drop-private-types --no-show-locs --no-comp-dir-path \
        --no-corpus-path --no-parameter-names --no-write-default-sizes --no-elf-needed "$library" >"$baseline"
    exit
fi
# abidiff: 4: the interfaces differ; 8: incompatibly; 1, 2: it failed
status=0
abidiff --headers-dir2 include --drop-private-types --no-added-syms "$baseline" "$library" || status=$?
[ $((status & 11)) = 0 ]
