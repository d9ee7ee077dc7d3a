#!/bin/sh
# SPDX-License-Identifier: MIT
#
# manual.sh SOURCE DIR CC CXX DISTRIBUTED LIBRARY FLAGS...: every block of C (```c) in the pages of src/manual is a
# program, which is compiled with LIBRARY and FLAGS, and run in DIR; that of distributed.md with DISTRIBUTED, too, or not
# at all where that is empty. So is every block of C++ (```cpp), unless CXX is empty. C in other blocks, which nothing
# compiles, is refused. README's lines of C are compiled, too. Then the manual is built there, and links are checked
# (manual_links.py), where there is Python.
set -eu
source=$1 dir=$2 cc=$3 cxx=$4 distributed=$5 library=$6
shift 6

rm -rf "$dir"
mkdir -p "$dir/examples"
# Blocks as files: PAGE_NUMBER.c and .cpp
for page in "$source"/src/manual/*.md; do
    awk -v stem="$dir/examples/$(basename "$page" .md)" '
        /^```(c|cpp)$/ { file = stem "_" ++n "." substr($0, 4); printf "" >file; next }
        /^```/ { file = ""; next }
        file { print >file }' "$page"
done

passed=0
failed=0

# Statements in other blocks: lines that a semicolon or an opening brace ends, and a comment perhaps.
for page in "$source"/src/manual/*.md; do
    found=$(awk '
        /^```/ { compiled = /^```(c|cpp)$/; fenced = !fenced; next }
        (fenced ? !compiled : /^    /) && /[;{]( *(\/\*.*\*\/|\/\/.*))?$/ { print FNR ": " $0; exit }' "$page")
    [ "$found" ] || continue
    echo "manual: not compiled: $(basename "$page"):$found"
    failed=$((failed + 1))
done

# Drivers print what compilers warn of in kernels, where their caches do not have these.
quiet()
{
    ! grep 'warnings\{0,1\} generated' "$1"
}

for program in "$dir"/examples/*; do
    case $program in
    *.c) set -- "$cc" -std=c11 "$@" ;;
    *) set -- "$cxx" -std=c++17 "$@" ;;
    esac
    compiler=$1 standard=$2
    shift 2
    [ "$compiler" ] || continue
    case $program in
    *distributed_*) [ "$distributed" ] || continue ;;
    esac
    if "$compiler" "$standard" -Wall -Wextra -Wpedantic -Werror -I "$source/include" -I "$source/src/manual" \
        -I "$source/tests/examples" "$program" ${distributed:+"$distributed"} "$library" "$@" -lm -o "$program.run" &&
        { "$program.run" 2>"$program.err" || { cat "$program.err" && false; }; } && quiet "$program.err"; then
        passed=$((passed + 1))
    else
        echo "manual: $(basename "$program") fails"
        failed=$((failed + 1))
    fi
done

# README's lines of C, in a program that has what they use
awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$source/README.md" >"$dir/readme_lines.inc"
if [ -s "$dir/readme_lines.inc" ] && "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -I "$dir" -I "$source/include" \
    -I "$source/src/manual" -I "$source/tests/examples" "$source/tests/readme_lines.c" "$library" "$@" -lm -o "$dir/readme_lines" &&
    "$dir/readme_lines"; then
    passed=$((passed + 1))
else
    echo "manual: README's lines of C fail"
    failed=$((failed + 1))
fi

# Is every function of the C headers in the index of names?
indexed()
{
    status=0
    for name in $(sed -n 's/^CLF_[A-Z_]*API .*[ *]\(clf_[a-z0-9_]*\)(.*/\1/p' "$source"/include/clfold/*.h); do
        grep -q ">$name</a>" "$dir/docs/names.html" || { echo "manual: $name is not in the index" && status=1; }
    done
    return $status
}

# Has the page of clfold-fuzz every primitive of its table?
for name in $(sed -n 's/^    {"\([a-z_]*\)", .*run_.*/\1/p' "$source/tests/fuzz_cases.c"); do
    grep -qw "$name" "$source/src/manual/clfold-fuzz.1" ||
        { echo "manual: clfold-fuzz.1 does not have $name" && failed=$((failed + 1)); }
done

if python3 -c 'import html.parser' 2>/dev/null; then
    if python3 -B "$source/src/manual/manual.py" "$source" "$dir/docs" &&
        python3 "$source/tests/manual_links.py" "$dir/docs" && indexed; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
else
    echo "manual: no Python here, so links are not checked"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 20 ]
