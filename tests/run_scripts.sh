#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run_scripts.sh DIR: what run.sh, bench/run.sh and packages.sh do on machines that lack something, have two devices of one
# name, or are too busy: in a copy, where all programs that they call are made up.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/refuses.sh"
rm -rf "$1"
mkdir -p "$1/bin" "$1/tree/tests" "$1/tree/bench" "$1/tree/build"
cd "$1"
sandbox=$PWD
cp "$root/tests/run.sh" "$root/tests/packages.sh" "$root/tests/time_left.awk" "$root/tests/durations.txt" tree/tests
cp "$root/bench/run.sh" "$root/bench/summary.awk" tree/bench
: >tree/bench/plot.py # for /usr/bin/python3
for tool in sh chmod mv awk sed grep cat cp rm mkdir dirname basename date tr wc ls sort head tee sleep find expr nproc env tail uniq; do
    path=$(command -v $tool) && [ -x "$path" ] && ln -s "$path" bin/$tool
done
PATH=$sandbox/bin
export PATH sandbox

# program NAME: its text is what stands in standard input
program() {
    { echo '#!/bin/sh' && cat; } >bin/"$1"
    chmod +x bin/"$1"
}
says() { grep -qF -- "$1" "$sandbox/out" || { cat "$sandbox/out" && fail "not said: $1"; }; }

# ---- Packages: $sandbox/calls has what apt-get was called with -----------------------------------------------------------

program apt-get <<'end'
echo "$*" | sed 's/-oDpkg[^ ]* //' >>"$sandbox/calls"
case "$*" in *nonesuch* | *broken*) exit 100 ;; esac
end
program apt-cache <<'end'
case $2 in nonesuch* | elsewhere) exit 100 ;; esac
end
program id <<'end'
echo "$USER_ID"
end
# install WORDS: what is missing, as packages.sh is told
install() {
    : >calls
    printf '. %s/tree/tests/packages.sh\n%s\ninstall_missing\necho went on\n' "$sandbox" "$1" >script
    status=0
    sh script >out 2>&1 || status=$?
}
USER_ID=0
export USER_ID
install 'need a false; want b false; want a false; need c false; want b false; want d true'
says 'Installing what is missing: a c b'
says 'went on'
[ "$(cat calls)" = 'update -q
install -q -y --no-install-recommends a c b' ] || fail "calls of apt-get: $(cat calls)"
install 'need a false; want "nonesuch|b" false; want elsewhere false; want "c|nonesuch" false'
says 'This release does not have: elsewhere'
says 'Installing what is missing: a b c'
install 'need a false; want broken false; want b false'
says 'No broken: going on without.'
grep -o '[^ ]*$' calls | tr '\n' ' ' >one_by_one # the last word of each
[ "$(cat one_by_one)" = '-q b a broken b ' ] || fail "one by one: $(cat calls)"
[ "$(grep -c update calls)" = 1 ] || fail "lists are fetched more than once"

USER_ID=1000 # and there is no sudo
install 'need a false; want b false; need c false'
says '    apt-get update && apt-get install --no-install-recommends a c b'
[ "$status" = 1 ] || fail "what is needed is missing, and the status is $status"
install 'want "nonesuch|b" false; want elsewhere false'
says '    apt-get update && apt-get install --no-install-recommends b'
says 'went on'
[ ! -s calls ] || fail "who is not root called apt-get: $(cat calls)"
mv bin/apt-get bin/apt-get-elsewhere
mv bin/apt-cache bin/apt-cache-elsewhere
install 'need a false; want "b|c" false'
says 'Missing here, by their names in Debian: a b'
mv bin/apt-get-elsewhere bin/apt-get
mv bin/apt-cache-elsewhere bin/apt-cache
USER_ID=0

# ---- Options: help and refusals install nothing ------------------------------------------------------------------------

cp "$root/bench/report.sh" tree/bench
: >calls
for script in tests/run.sh bench/run.sh bench/report.sh; do
    for option in --help -h; do
        sh tree/$script $option >out || fail "$script $option: status $?"
        says --help
        head -n 1 out | grep -q "^$(basename $script) " || fail "$script $option begins with: $(head -n 1 out)"
        ! grep -qE '^(set|cd) ' out || fail "$script $option has more than its comment"
    done
    refuses 'unknown option --nonsense' sh tree/$script --nonsense
done
refuses '--device: its value is missing' sh tree/bench/run.sh --device
refuses '--output: its value is missing' sh tree/bench/report.sh --output
[ ! -s calls ] || fail "packages were installed: $(cat calls)"

# ---- bench/run.sh on two devices of one name ---------------------------------------------------------------------------

for tool in true cc c++ g++ make ninja pkg-config oclgrind clang-15 llvm-readelf clinfo; do
    program $tool </dev/null
done
program cmake <<'end'
case "$*" in
*--build*)
    mkdir -p build/bench build/tests
    cp "$sandbox/bin/fake-bench" build/bench/clfold-bench
    cp "$sandbox/bin/fake-info" build/bench/clfold-info
    cp "$sandbox/bin/true" build/tests/file_sizes ;;
*) echo "cmake $*" >>"$sandbox/calls" ;;
esac
end
program fake-info <<'end'
case "$*" in
--devices) printf '0\tPlatform\tTwin GPU\n1\tPlatform\tTwin GPU\n2\tPlatform\tAnother\n' ;;
esac
end
program fake-bench <<'end'
case "$*" in
*--list*) echo 'primitives  scan filter' ;;
*--help*) printf 'usage\n\nColumns of the table:\n  n  elements\n' ;;
*--json*)
    [ "$1" = filter ] || exit 0
    device=${*#*--device } && file=${*#*--json }
    row='"primitive": "filter", "op": "-", "type": "i32", "n": 1024, "segments": 1, "segment_size": '
    {
        echo "{\"device\": \"${device%% *}\", $row 1024, \"define\": null, \"us\": 2.0}"
        echo "{\"device\": \"${device%% *}\", \"peer\": \"std\", $row 1024, \"define\": null, \"us\": 1.5}"
        echo "{\"device\": \"${device%% *}\", $row 4096, \"define\": null, \"us\": 2.0}"
        echo "{\"device\": \"${device%% *}\", $row 4096, \"forced\": true, \"define\": null, \"us\": 1.0}"
        echo "{\"device\": \"${device%% *}\", \"peer\": \"std\", $row 4096, \"define\": null, \"us\": 3.0}"
        echo "{\"device\": \"${device%% *}\", $row 5000, \"define\": null, \"us\": 2.0}"
    } >>"$file" ;;
*) echo figures ;;
esac
end
: >calls
sh tree/bench/run.sh >out 2>&1 || { cat out && fail "bench/run.sh: status $?"; }
n=$(sed -n 's/^== 1 of \([0-9]*\): device 0: scan$/\1/p' out) # some are there where a Python has PyOpenCL
says "== $n of $n: device 2: what a first call costs"
[ "$(grep -c "^== [0-9]* of $n: " out)" = "$n" ] || fail "not each of the $n sections has a number"
says 'clfold is the fastest in 1 of the 2 cases that another library has, too (1 more have none).'
says 'filter, i32, 2^10'
says '2.0 us, std 1.5: 1.33 x its time'
[ "$(grep -c '^Columns' out)" = 1 ] || fail "the columns are not explained once"
[ "$(sed -n 's/^cmake .*CLFOLD_PEERS=//p' calls | tr '\n' ' ')" = 'OFF ON ' ] || fail "builds: $(cat calls)"
[ "$(grep -nE '^figures|^== Build' out | sed 's/^[0-9]*://' | uniq | tr '\n' '.')" = \
    '== Build, without other libraries.figures.== Build, with the other libraries that are here.' ] || fail "other libraries are compiled before the first figures"
[ "$(cd tree/build/results && ls *.json | tr '\n' ' ')" = 'another.json twin-gpu-2.json twin-gpu.json ' ] || fail "$(ls tree/build/results)"
grep -q '"device": "1"' tree/build/results/twin-gpu-2.json || fail "the second device's rows"
grep -q '"device": "0"' tree/build/results/twin-gpu.json || fail "the first device's rows"
sh tree/bench/run.sh --device 1,2 >out 2>&1 || { cat out && fail "bench/run.sh --device: status $?"; }
says "== $((n / 3 * 2)) of $((n / 3 * 2)): device 2: what a first call costs"
[ ! -e tree/bench/results ] || fail "the source tree was written to"
refuses 'no such device: 7' sh tree/bench/run.sh --device 7

# ---- tests/run.sh on a machine that is too busy --------------------------------------------------------------------------

program ctest <<'end'
echo "ctest $*" >>"$sandbox/calls"
case "$*" in
*'-L ^short'*) cat <<text ;;
test 1
    Start  1: base
1: 36 passed, 0 failed
1/2 Test #1: base .............................   Passed    0.01 sec
test 2
    Start  2: style
2/2 Test #2: style ............................   Passed    0.01 sec
text
*) cat <<text ;;
    Start  3: sort
    Start  4: python
    Start  5: scan
    Start  6: mpi
3: 20 passed, 0 failed
1/4 Test #3: sort .............................   Passed  100.00 sec
4: still at work
2/4 Test #4: python ...........................***Timeout 1800.03 sec
5: 7 passed, 2 failed
3/4 Test #5: scan .............................***Failed   10.00 sec
4/4 Test #6: mpi ..............................***Skipped   0.01 sec
text
esac
end
CLFOLD_TEST_DEVICE=0 # leaves the drivers alone
export CLFOLD_TEST_DEVICE
: >calls
status=0
sh tree/tests/run.sh >out 2>&1 || status=$?
[ $status = 1 ] || { cat out && fail "run.sh: status $status"; }
[ "$(tail -n 1 out)" = '64 passed, 3 failed' ] || { cat out && fail "the last line"; }
says '1 of those that failed ran out of time, as happens where a machine is busy: python'
says '4: still at work'
says '== 3 of 3: '
grep -q '1/4 Test .* left$' out || fail "no time left: $(cat out)"
grep -q -- '-LE \^(short|all)\$' calls || fail "the short run's tests: $(cat calls)"
grep -qxF sort tree/build/logs/done || fail "what has ended"

# Half of the time is over; what only --all runs does not count, and no name counts twice.
printf '# a comment\na 100\nb 100\nc 300 all\n' >durations
printf 'a\nunknown\na\n' >ended
left() { awk -v begun=1000 -v now=1600 -v cores=2 -v all="$1" -f tree/tests/time_left.awk durations ended; }
[ "$(left '') $(left yes)" = 'about 10 min left about 40 min left' ] || fail "time left: $(left ''), $(left yes)"
# What is running is said where nothing has ended between two ticks.
sed -n '/^progress() {/,/^}/p' tree/tests/run.sh >progress
printf '    Start  1: a\n    Start 12: ab\ntick\n1/3 Test  #1: a ....   Passed 1 sec\ntick\n    Start  3: c\ntick\n' |
    logs=$sandbox sh -c 'time_left() { echo soon; }; . ./progress; progress' >out
[ "$(cat out)" = '1/3 Test  #1: a ....   Passed 1 sec   soon
running: ab c, soon' ] || { cat out && fail "what is running"; }
echo "run_scripts: right"
