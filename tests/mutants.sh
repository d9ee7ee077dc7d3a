#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mutants.sh [--check] [NAME...]: mutants are wrong versions of clfold, each by one edit, that tests must tell from the
# right one. Those of tests/mutants/ (all, or those whose names begin so) are applied, one at a time, to a copy of the tree in
# build/mutants; it is built, and runs the suites that should find it, up to the first that does. A mutant that every
# suite passes has survived: a hole in the tests, unless its file says why it lives. --check only tells which mutants do
# not apply any more. Takes hours; no part of CI. Files are named like the folder of cl/ or src/ that is made wrong:
#
#     mutant NAME
#     file FILE
#     suites SUITE...        those that should find it: of clfold-tests, or oclgrind, or fuzz; run in this order
#     - text that occurs once in the file (or several such lines, taken as one text)
#     + what is put in its place
#     lives: why             where it survives for a good reason
#
# `file` and `suites` hold for the mutants behind, too, until they are said again.
set -eu
cd "$(dirname "$0")/.."
root=$PWD work=$PWD/build/mutants
tree=$work/tree
check=
if [ "${1-}" = --check ]; then check=1; shift; fi
POCL_CACHE_DIR=${POCL_CACHE_DIR-$work/pocl-cache}
CLFOLD_CACHE_DIR=off
export POCL_CACHE_DIR CLFOLD_CACHE_DIR
mkdir -p "$tree" "$POCL_CACHE_DIR"

# field NAME WORD: what follows WORD in the block of mutant NAME
field() {
    awk -v name="$1" -v word="$2" '
        BEGIN { held = word == "file" || word == "suites" }
        /^mutant / { if (mine) exit; mine = $2 == name }
        $0 == word || index($0, word " ") == 1 { text = substr($0, length(word) + 2); if (mine && !held) print text }
        END { if (mine && held) print text }' "$root"/tests/mutants/*.txt
}

# apply NAME: edits the file of the mutant in the copy of the tree; fails unless its text occurs exactly once.
apply() {
    field "$1" - >"$work/from"
    field "$1" + >"$work/to"
    perl -e '
        my ($file, $from, $to) = map { local $/; open my $f, "<", $_ or die "$_: $!"; <$f> } @ARGV;
        chomp $from; chomp $to;
        my $at = index $file, $from;
        exit 1 if $from eq "" || $at < 0 || index($file, $from, $at + 1) >= 0;
        substr($file, $at, length $from) = $to;
        open my $out, ">", $ARGV[0] or die; print $out $file;' "$tree/$2" "$work/from" "$work/to"
}

copy() {
    for part in CMakeLists.txt LICENSE README.md CHANGELOG.md cl cmake include src tests; do
        rm -rf "${tree:?}/$part"
        cp -R "$root/$part" "$tree/"
    done
}

build() { cmake --build "$tree/build" --target clfold-tests clfold-fuzz >"$work/build.log" 2>&1; }

# Runs one suite; fails if it does, or takes longer than an hour.
run_suite() {
    case $1 in
    oclgrind) timeout 3600 sh "$tree/tests/oclgrind.sh" "$tree/build/tests/clfold-tests" "$work/oclgrind.log" ;;
    fuzz) timeout 3600 "$tree/build/tests/clfold-fuzz" --seconds 120 ;;
    stall) POCL_MAX_PTHREAD_COUNT=8 timeout 3600 "$tree/build/tests/clfold-tests" --suite stall ;;
    *) timeout 3600 "$tree/build/tests/clfold-tests" --suite "$1" ;;
    esac >"$work/suite.log" 2>&1
}

# try NAME: "killed by SUITE", "survived", …
try() {
    file=$(field "$1" file)
    apply "$1" "$file" || { echo "stale: its text is not in $file, or not once"; return; }
    if [ -n "$check" ]; then
        echo applies
    elif ! build; then
        echo "does not build"
    else
        verdict="survived $(field "$1" suites)"
        lives=$(field "$1" lives:)
        [ -z "$lives" ] || verdict="lives: $lives"
        for suite in $(field "$1" suites); do
            run_suite "$suite" || { verdict="killed by $suite"; break; }
        done
        echo "$verdict"
    fi
    cp "$root/$file" "$tree/$file"
}

copy
if [ -z "$check" ]; then
    cmake -S "$tree" -B "$tree/build" -G Ninja -DCLFOLD_BENCH=OFF >"$work/configure.log"
    build || { cat "$work/build.log"; exit 1; }
fi
: >"$work/result.txt"
for name in $(awk '/^mutant / { print $2 }' tests/mutants/*.txt); do
    wanted=$([ $# -gt 0 ] || echo yes)
    for begin; do case $name in "$begin"*) wanted=yes ;; esac; done
    [ -n "$wanted" ] || continue
    result=$(try "$name")
    echo "$name: $result" | tee -a "$work/result.txt"
done
awk -F': ' '{ split($2, word, " "); count[word[1]]++ } END { for (w in count) printf "%d %s\n", count[w], w }' "$work/result.txt"
[ -z "$check" ] || ! grep -q stale "$work/result.txt"
