#!/bin/sh
# SPDX-License-Identifier: MIT
#
# seeds.sh BUILD WORK: bench/seeds.sh lists at least 40 figures, refuses what it does not know, and makes some whole,
# with pictures where a Python has matplotlib; the second time it measures nothing. What figures say of made-up rows,
# and that the manual's page has them all, is seeds_check.py's.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/refuses.sh"
build=$1 work=$2
seeds() { sh "$root/bench/seeds.sh" "$@"; }
command -v python3 >/dev/null || { echo "seeds: skipped, for there is no python3 here" && exit 77; }
rm -rf "$work"
mkdir -p "$work"
cd "$work"

seeds --list >list
[ "$(wc -l <list)" -ge 40 ] || fail "--list names $(wc -l <list) figures"
refuses 'unknown option --nonsense' seeds --nonsense
refuses '--device: its value is missing' seeds --device
refuses 'no figure begins with nonsense' seeds nonsense # before anything is built
refuses "--seconds: invalid seconds value: '-1'" seeds --seconds -1

make() {
    seeds "$@" --quick --bench "$build" --output out >said 2>&1 || { cat said && fail "seeds.sh $*: status $?"; }
}
make regular-fig8 regular-fig6
grep -q '^\[1 of ' said || fail "no progress"
grep -q 'the best m: the paper: 15; here: [0-9]' said || { cat said && fail "no comparison"; }
grep -q '× *; here: [0-9.]*.* ×' said || { cat said && fail "no ratio"; }
[ "$(grep -c '"define": "items=' out/*-quick/regular-fig8.json)" = 5 ] || fail "rows of regular-fig8"
grep -q '"primitive": "radix_sort"' out/*-quick/regular-fig6.json || fail "rows of a program"
grep -q 'no matplotlib' said || find out -name regular-fig8.svg -size +0 | grep -q . || fail "no picture"
make regular-fig8
! grep -q '^\[' said || { cat said && fail "measured again what is there"; }
make regular-fig8 --seconds 0 # has all that it needs
seeds regular-fig8 --quick --bench "$build" --output out --save saved.json
grep '; here: ' said >measured
seeds regular-fig8 regular-fig4 --quick --rows saved.json --output drawn >said 2>&1 || { cat said && fail "--rows"; }
grep '; here: ' said | cmp -s - measured || { cat said && fail "a file of rows says something else"; }
refuses 'no file of --save' seeds regular-fig8 --rows measured
seeds redomap-fig5.5a --seconds 0 --quick --bench "$build" --output out >said
grep -q 'no time left from redomap-fig5.5a on' said || { cat said && fail "--seconds"; }

for python in ${CLFOLD_PYTHON:-python3 /usr/bin/python3} python3; do
    "$python" -c 'import matplotlib' >/dev/null 2>&1 && break
done
"$python" -B "$root/tests/seeds_check.py" "$root" "$build/bench/clfold-bench"
echo "seeds: right"
