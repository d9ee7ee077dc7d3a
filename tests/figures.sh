#!/bin/sh
# SPDX-License-Identifier: MIT
#
# figures.sh [--check] [TREE-or-COMMIT]: how simple the inside is, in figures: of this tree, of that in a folder, or of
# a commit. Each stands beside what it was at first and what it is to be (tests/figures.txt); --check fails if one has
# grown. `python3 tests/figures.py TREE --list FIGURE` names what a figure counts. Text alone is read.
#
#   descriptors        objects of type clf_primitive in src; of an array, each element
#   identities         lines that ask by address or string which primitive or variant one is. In src/primitives: those
#                      that compare a primitive, a variant or one of its tables by == or !=, call strcmp with a string,
#                      or ask whether there are options. In src/core: those that compare a primitive with a certain one
#   scratch_functions  functions of src/primitives that check and enqueue nothing, and either use
#                      clf_scratch_{round,for,behind} or the size of a workspace's header, or have one of scratch,
#                      layout, pieces, place, spare in their name; and functions of bytes that these alone call
#   cl_symbols         names in cl that several files define and that belong to no interface (cl_names.py); in trees
#                      without cl_names.py functions and types that several files define, but for _body and _storage
#   cl_conditions      lines of cl that begin with #if, #ifdef or #ifndef
#   repeated           pairs of places in tests that share six or more equal lines (figures_repeated.py)
#   repeated_shapes    the same, of lines that are equal but for names, numbers and strings
#   bench_cycles       groups of files of bench that need each other: each calls a function of another one, or uses an
#                      object of it, in a circle
#   lines              of src, cl, tests and bench, without bench/results and bench/tune/logs
#   scan_files         files to open from clf_scan to the store: scan.h and core.h; files of core and primitives that
#                      clf_scan reaches by calls, and by what its tables say of calls, up to the compiler's; files of
#                      program, layout and device that write its program's text; and scan_files_cl
#   scan_files_cl      cl/scan/scan_lookback.cl and what it includes, on whatever condition
#   lists              files that name adjacent_difference and are not its own; documents and data aside
#   lists_expand       the same of expand, the first primitive that is a plug-in
set -eu
check=
[ "${1-}" != --check ] || { check=--check && shift; }
here=$(cd "$(dirname "$0")" && pwd)
tree=${1-$here/..}
if ! python3 -c 'import re' 2>/dev/null; then
    echo "figures: no Python here"
    exit 77
fi
if [ ! -d "$tree" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    commit=$(git -C "$here/.." rev-parse --verify "$tree^{commit}")
    git -C "$here/.." archive "$commit" | tar -x -C "$folder"
    tree=$folder
fi
python3 -B "$here/figures.py" "$tree" $check
