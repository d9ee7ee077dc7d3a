#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tune.sh CLFOLD-TUNE CLFOLD-INFO DIR VERSION [FAULTS]: a search on the device, stopped and gone on with; logs that are cut,
# damaged or another's; profiles, reports and replays of a log whose best point is known; with test_tune_faults.c as
# FAULTS, compilers that crash, hang, fail and are wrong.
set -eu
tune=$1 info=$2 dir=$3 version=$4 faults=${5:-}
rm -rf "$dir"
mkdir -p "$dir"
device=${CLFOLD_TEST_DEVICE:-0}
bench=$(dirname "$0")/../bench
. "$(dirname "$0")/refuses.sh"
# A machine may be busy: no search here ends by time, and no row counts as hung that is only slow.
patient='--time 100000 --timeout 1000'

[ "$("$tune" --version)" = "clfold-tune $version" ] || fail "clfold-tune --version"
refuses 'unknown option --nonsense' "$tune" --nonsense 1
refuses '--n: its value is missing' "$tune" --n
refuses '--log FILE is missing' "$tune" scan
refuses 'no primitive "merge"' "$tune" merge --log "$dir/none"
refuses 'no type "i5"' "$tune" --type i5 --log "$dir/none"
refuses 'no strategy "luck"' "$tune" --strategy luck --log "$dir/none"
refuses '--time 0: expected a number' "$tune" --time 0 --log "$dir/none"
refuses '--ahead 17: expected a number' "$tune" --ahead 17 --log "$dir/none"
refuses 'no device "nonesuch"' "$tune" --device nonesuch --log "$dir/none"
refuses 'name a log' "$tune" --profile
refuses 'cannot read' "$tune" --profile "$dir/nothing"

# ---- A made-up log: 60 points of two variants, the best of them central with 24 items in groups of 256 ------------

log=$dir/made.jsonl
awk 'BEGIN {
    for (v = 0; v < 2; v++) for (g = 64; g <= 512; g *= 2) for (i = 4; i <= 40; i += 4) for (s = 0; s < 2; s++) {
        if (v && g > 128) continue
        far = (i - 24) / 20; wide = log(g / 256) / log(2)
        ratio = 0.7 + far * far * 0.5 + wide * wide * 0.05 + v * 0.1 + s * 0.01
        printf "{\"clfold_tune\": 1, \"device\": \"Made Up 1\", \"platform\": \"P\", \"vendor\": \"V\", \"device_type\": \"gpu\", "
        printf "\"architecture\": \"a1\", \"driver\": \"7\", \"version\": \"0.1.0\", \"disable\": \"\", \"primitive\": \"segmented_scan\", "
        printf "\"op\": \"sum\", \"type\": \"i32\", \"type_class\": \"b4\", \"segments\": %d, \"segment_size\": %d, ", s ? 16 : 1024, s ? 4096 : 64
        printf "\"variant\": \"%s\", \"define\": \"group=%d,items=%d\", \"status\": \"%s\"", v ? "serial" : "central", g, i, i == 40 ? "hung" : "ok"
        if (i < 40) printf ", \"us\": %f, \"ratio\": %f", 100 * ratio, ratio
        printf ", \"most\": 65536%s}\n", v == 0 && g == 512 && i == 4 ? ", \"start\": true" : ""
    }
}' >"$log"

"$tune" --profile "$log" >"$dir/made.profile"
sort "$log" >"$dir/sorted.jsonl"
head -n 50 "$log" >"$dir/first.jsonl"
tail -n +51 "$log" >"$dir/second.jsonl"
for other in "$dir/sorted.jsonl" "$dir/second.jsonl $dir/first.jsonl"; do
    # shellcheck disable=SC2086 # names without blanks
    "$tune" --profile $other | cmp - "$dir/made.profile" || fail "the order of rows changes a profile: $other"
done
for line in 'clfold profile 1' 'device = Made Up 1' 'architecture = a1' 'type = gpu' 'score = 1.000' \
    'segmented_scan.b4.main = central' 'segmented_scan.b4.central.group = 256' 'segmented_scan.b4.central.items = 24' end; do
    grep -qxF "$line" "$dir/made.profile" || fail "the profile lacks: $line"
done
"$tune" --report "$log" | grep -q 'segmented_scan  i32 *1.000 *- *0.705 *0.705 *29.5  central group=256,items=24$' || fail "--report"

# What ships is in force where a profile has no line: it is given up for what is faster on average, and nowhere much slower.
# shipped RATIO-OF-64 RATIO-OF-4096: with rows of what ships; what a profile has of the best, shipped, fresh.
shipped() {
    awk -v a="$1" -v b="$2" '{ print } NR == 1 || NR == 2 {
        sub(/"variant": "[a-z_]*", "define": "[^"]*"/, "\"variant\": \"auto\", \"define\": \"\""); sub(/, "start": true/, "")
        sub(/"ratio": [0-9.]*/, "\"ratio\": " (/"segment_size": 64,/ ? a : b)); print }' "$log" >"$dir/shipped.jsonl"
    "$tune" --profile "$dir/shipped.jsonl" | sed -n 's/.*central\.\(group\|items\) = //p' | tr '\n' ' '
    "$tune" --report "$dir/shipped.jsonl" | awk 'NR == 2 { print $7, $8, $9 }'
}
# The best is 0.70 and 0.71, another that is next to it 0.72 and 0.73.
[ "$(shipped 0.9 0.9)" = '256 24 0.900 0.705 0.705' ] || fail "what ships is slower: $(shipped 0.9 0.9)"
[ "$(shipped 0.6 0.6)" = '0.600 0.600 0.600' ] || fail "what ships is faster: $(shipped 0.6 0.6)"
[ "$(shipped 0.705 0.71)" = '0.707 0.707 0.705' ] || fail "what ships is as good: $(shipped 0.705 0.71)"
[ "$(shipped 0.6 0.95)" = '0.755 0.755 0.705' ] || fail "what ships is much faster somewhere: $(shipped 0.6 0.95)"
sed 's/"ratio": 0[.][0-9]*/"ratio": 1.2/; s/"ratio": [0-9.]*\(.*"start"\)/"ratio": 1\1/' "$log" >"$dir/slow.jsonl"
log=$dir/slow.jsonl
[ "$(shipped 0.9 1.3)" = '512 4 1.082 1.000 1.000' ] || fail "what ships is slower than the model: $(shipped 0.9 1.3)"
log=$dir/made.jsonl

# Whoever is told the truth finds the best of 60 points, those that hang among them.
found() { "$tune" --simulate "$log" "$@" | awk '$1 == "segmented_scan" { print $3, $4, $9, $10 }'; }
[ "$(found exhaustive | cut -d' ' -f1,2)" = '60 6' ] || fail "points and failures of a replay: $(found exhaustive)"
# shellcheck disable=SC2046 # three words
set -- $(found local --seeds 50)
if [ "${3%.*}" -lt 90 ] || [ "${4%.*}" != 100 ]; then fail "a local search finds $3 % in a fifth and $4 % in half of the points"; fi
[ "$(found random --seeds 9)" = "$(found random --seeds 9)" ] || fail "the same seeds go other ways"

# The logs that bench/tune/README.md lists, measured on devices. What searches find in them is the same on every machine: after
# a tenth of the points, as the median and the least of 100 seeds.
# replay LOG STRATEGY: primitive, type, points, median, least
replay() {
    "$tune" --simulate "$bench/tune/logs/$1.jsonl" "$2" --seeds 100 | sed '1,2d' | awk '{ print $1, $2, $3, $8, $11 }' >"$dir/replay"
    cmp "$dir/replay" - || fail "a $2 search of $1 finds $(cat "$dir/replay")"
}
echo 'scan i32 120 100.0 100.0' | replay pthread-skylake-avx512-amd-epyc-scan local
echo 'scan i32 120 96.2 50.7' | replay pthread-skylake-avx512-amd-epyc-scan random
printf '%s\n' 'scan i32 120 99.4 85.3' 'reduce i32 225 93.4 91.2' 'segmented_scan i32 120 100.0 84.2' |
    replay pthread-skylake-avx512-amd-epyc local
printf '%s\n' 'scan i32 245 98.9 98.7' 'reduce i32 79 100.0 100.0' 'reduce_medium i32 27 100.0 100.0' \
    'reduce_small i32 27 99.5 99.5' 'segmented_scan i32 155 100.0 94.8' | replay nvidia-h200 local
printf '%s\n' 'scan i32 245 95.6 86.1' 'reduce i32 79 96.1 56.0' 'reduce_medium i32 27 99.8 59.3' \
    'reduce_small i32 27 97.1 25.9' 'segmented_scan i32 155 94.8 87.7' | replay nvidia-h200 random
printf '%s\n' 'scan i32 50 74.3 74.3' 'scan i64 7 72.6 72.6' 'segmented_scan i32 32 85.3 85.2' \
    'segmented_scan i64 4 73.9 73.9' 'reduce i32 29 100.0 100.0' 'reduce i64 11 100.0 99.3' \
    'reduce_small i32 27 98.4 98.4' 'reduce_small i64 22 99.0 99.0' | replay nvidia-h200-without-ptx local
# Of each log the best that a profile has, in parts of the model's time.
best() { "$tune" --report "$bench/tune/logs/$1.jsonl" | sed 's/^.\{25\}//' | awk 'NR > 1 { print $1, $2, $5 }' | tr '\n' ' '; }
[ "$(best nvidia-h200)" = 'reduce i32 1.000 reduce_medium i32 1.000 reduce_small i32 0.966 scan i32 0.757 segmented_scan i32 0.820 ' ] ||
    fail "the H200's log has $(best nvidia-h200)"
[ "$(CLFOLD_DISABLE=ptx best nvidia-h200-without-ptx)" = "reduce i32 1.000 reduce i64 1.000 reduce_small i32 0.946 \
reduce_small i64 0.983 scan i32 0.723 scan i64 0.725 segmented_scan i32 0.813 segmented_scan i64 0.738 " ] ||
    fail "the H200's log without PTX has $(CLFOLD_DISABLE=ptx best nvidia-h200-without-ptx)"

# Heat maps of a log, and of a sweep with rows of other primitives between.
pictures=
python3 -c 'import matplotlib' 2>/dev/null && pictures=yes
heat() { python3 "$bench/plot.py" --heat "$1" -o "$dir/heat.svg" >"$dir/out" && grep -o '<!-- [0-9.]* -->' "$dir/heat.svg"; }
if [ "$pictures" ]; then
    [ "$(heat "$bench/results/nvidia-h200-composed.json" | grep -c -e ' 135 ' -e ' 843 ')" = 6 ] || fail "a heat map of a sweep"
    [ "$(heat "$log" | grep -c -e ' 1.43 ' -e ' 1.41 ')" = 2 ] || fail "a heat map of a log"
fi

# The same as curves: the best after 1, 2, 3 … points.
rm -f "$dir/curves"
for strategy in local random; do
    "$tune" --simulate "$log" "$strategy" --seeds 9 --json "$dir/curves" >"$dir/out"
    curve=$(sed -n "/\"strategy\": \"$strategy\", \"seeds\": 9, \"points\": 60/s/.*\"median\": \[\(.*\)\], \"worst.*/\1/p" "$dir/curves")
    [ "$(echo "$curve" | tr ',' '\n' | wc -l)" = 60 ] || fail "no curve of 60 points: $(cat "$dir/curves")"
    [ "$(echo "$curve" | tr ',' '\n' | awk 'NR == 6 || NR == 30 { printf "%.1f ", 100 * $1 }')" = \
        "$(awk '$1 == "segmented_scan" { print $8, $10 " " }' "$dir/out")" ] || fail "the curve is another than the table: $curve"
done
refuses '--json: only with --simulate' "$tune" scan --log "$dir/none" --json "$dir/curves"
[ -z "$pictures" ] || python3 "$bench/plot.py" --regret "$dir/curves" -o "$dir/regret.svg" >"$dir/out" || fail "no picture of curves"

# Thresholds: what each role is best with, measured side by side. Small ones are as good up to 64 elements, medium ones
# to 4096; of scans window up to 65536.
made='function row(primitive, type_class, shape, variant, define, ratio, start) {
        printf "{\"clfold_tune\": 1, \"device\": \"Made Up 1\", \"platform\": \"P\", \"vendor\": \"V\", \"device_type\": \"gpu\", "
        printf "\"architecture\": \"a1\", \"driver\": \"7\", \"version\": \"0.1.0\", \"primitive\": \"%s\", ", primitive
        printf "\"op\": \"sum\", \"type\": \"i32\", \"type_class\": \"%s\", %s, ", type_class, shape
        printf "\"variant\": \"%s\", \"define\": \"%s\", \"status\": \"ok\", \"us\": 9, \"ratio\": %f, ", variant, define, ratio
        printf "\"most\": 1048576%s}\n", start ? ", \"start\": true" : ""
    }
    function array(size) { return sprintf("\"segments\": 1, \"segment_size\": %d", size) }'
awk "$made"'
    BEGIN {
        row("reduce_small", "b4", array(8), "small", "group=256,items=32", 1, 1)
        row("reduce_medium", "b4", array(256), "warp", "group=128,items=16", 1, 1)
        row("reduce", "b4", array(1048576), "large", "group=512,items=16", 1, 1)
        row("scan", "b4", array(1048576), "central", "group=128,items=36", 1, 1)
        row("scan_medium", "b4", array(65536), "window", "group=256,items=16", 1, 1)
        row("scan_medium", "b4", array(65536), "window", "group=128,items=8", 0.7, 0)
        for (size = 16384; size >= 8; size /= 2) {
            row("reduce_limits", "b4", array(size), "small", "group=256,items=32", size > 64 ? 3 : 0.5, 0)
            row("reduce_limits", "b4", array(size), "warp", "group=128,items=16", size > 4096 ? 2 : 0.8, 0)
            row("reduce_limits", "b4", array(size), "large", "group=512,items=16", 1, 0)
        }
        for (size = 4096; size <= 1048576; size *= 4) {
            row("scan_limits", "b4", array(size), "window", "group=128,items=8", size > 65536 ? 1.2 : 0.7, 0)
            row("scan_limits", "b4", array(size), "central", "group=128,items=36", 1, 0)
        }
    }' >"$dir/limits.jsonl"
"$tune" --profile "$dir/limits.jsonl" >"$dir/limits.profile"
for line in 'reduce.b4.small.limit = 64' 'reduce.b4.medium.limit = 4096' 'scan.b4.medium = window' \
    'scan.b4.medium.group = 128' 'scan.b4.medium.items = 8' 'scan.b4.medium.limit = 65536'; do
    grep -qxF "$line" "$dir/limits.profile" || fail "no \"$line\" in: $(cat "$dir/limits.profile")"
done
[ "$(grep -c ' = ' "$dir/limits.profile")" = 14 ] || fail "more or fewer lines than that: $(cat "$dir/limits.profile")"
"$tune" --simulate "$dir/limits.jsonl" local | grep -q limits && fail "thresholds are no space to search"

# Other dispatchers: of sorts a limit, of batches of matrices one in elements, of histograms the fewest elements that are
# dealt out before, and settings that are searched for themselves.
awk "$made"'
    function matrices(side) { return sprintf("\"batch\": %d, \"segments\": %d, \"segment_size\": %d", 1048576 / side / side, side, side) }
    function bins(size) { return array(size) ", \"bins\": 524288" }
    BEGIN {
        passes = "group=256,items=32,streams=4,ticket=1"; walks = "group=512,items=16,groups=8"; tables = walks ",local=98304"
        runs = "group=512,items=4,streams=16"; few = "group=128,items=2"
        for (size = 8192; size <= 32768; size *= 4) {
            row("sort_pairs_small", "b8x4", array(size), "ranks", "group=256,items=4,streams=8", 1, 1)
            row("sort_pairs_small", "b8x4", array(size), "ranks", runs, 0.8, 0)
            row("sort_pairs_few", "b8x4", array(size / 8), "one_group", "group=256,items=4", 1, 1)
            row("sort_pairs_few", "b8x4", array(size / 8), "one_group", few, 0.7, 0)
        }
        row("sort_pairs", "b8x4", array(1048576), "lookback", passes, 1, 1)
        row("transpose_small", "b4", matrices(7), "small", "group=256,items=16", 1, 1)
        row("transpose", "b4", "\"segments\": 256, \"segment_size\": 4096", "tile", "group=256,across=32,down=64,stripe=8", 1, 1)
        row("histogram_wide", "b4", bins(1048576), "global", walks, 1, 1)
        row("histogram_many", "b4", bins(1048576), "split", tables, 1, 1)
        for (size = 1024; size <= 1048576; size *= 4) {
            row("sort_pairs_limits", "b8x4", array(size), "one_group", few, size > 1024 ? 0.6 : 0.4, 0)
            row("sort_pairs_limits", "b8x4", array(size), "ranks", runs, size > 16384 ? 2 : 0.5, 0)
            row("sort_pairs_limits", "b8x4", array(size), "lookback", passes, 1, 0)
            row("histogram_fewest", "b4", bins(size), "global", walks, 1, 0)
            row("histogram_fewest", "b4", bins(size), "split", tables, size < 262144 ? 3 : 0.3, 0)
        }
        for (side = 7; side <= 63; side = 2 * side + 1) {
            row("transpose_small_limits", "b4", matrices(side), "small", "group=256,items=16", side > 31 ? 4 : 0.4, 0)
            row("transpose_small_limits", "b4", matrices(side), "tile", "group=256,across=32,down=64,stripe=8", 1, 0)
        }
        for (q = 1; q <= 4; q++) for (size = 17; size < 60; size += 16)
            row("transpose_filled", "b4", sprintf("\"segments\": 9999, \"segment_size\": %d", size), "chosen", "filled=" q, q == 2 ? 0.8 : 1, q == 3)
        for (k = 256; k <= 1024; k *= 2) {
            row("top_k_counted", "b4", array(1048576) ", \"bins\": " k, "chosen", "counted=512", k > 512 ? 1.01 : 0.6, 0)
            row("top_k_counted", "b4", array(1048576) ", \"bins\": " k, "chosen", "counted=4096", 1, 1)
        }
    }' >"$dir/settings.jsonl"
"$tune" --profile "$dir/settings.jsonl" | grep '^[a-z_]*[.]b' >"$dir/settings"
cmp - "$dir/settings" <<end || fail "settings of dispatchers: $(cat "$dir/settings")"
reduce_by_index.b4.many.fewest = 262144
sort.b8x4.one_group.group = 128
sort.b8x4.one_group.items = 2
sort.b8x4.few.limit = 1024
sort.b8x4.small.limit = 16384
sort.b8x4.ranks.group = 512
sort.b8x4.ranks.items = 4
sort.b8x4.ranks.streams = 16
top_k.b4.main.counted = 512
transpose.b4.main.filled = 2
transpose.b4.small.limit = 961
end

# ---- Logs that are not -----------------------------------------------------------------------------------------------

# bad SED WORDS: the made-up log, its second line changed
bad() {
    sed "2$1" "$log" >"$dir/bad.jsonl"
    refuses "bad.jsonl, line 2: $2" "$tune" --profile "$dir/bad.jsonl"
    refuses "bad.jsonl, line 2: $2" "$tune" --simulate "$dir/bad.jsonl" local
    refuses "bad.jsonl, line 2: $2" "$tune" scan --device "$device" --log "$dir/bad.jsonl"
}
bad 's/"clfold_tune": 1/"clfold_tune": 2/' 'its format is newer'
bad 's/"clfold_tune": 1, //' 'it is no row of clfold-tune'
bad 's/.*//' 'it is no object'
bad 's/}$//' 'the object does not end'
bad 's/$/ more/' 'something stands behind the object'
bad 's/"op": "sum", //' 'a field is missing'
bad 's/"op": "sum"/"op": "sum", "op": "sum"/' 'a field is there twice'
bad 's/"op": "sum"/"colour": "red"/' 'it has a field of another name'
bad 's/"op": "sum"/"op": 1/' '"op" is no such value'
bad 's/"op": "sum"/"op": "much longer than any name"/' '"op" is no such value'
bad 's/"segments": [0-9]*/"segments": 1.5/' '"segments" is no such value'
bad 's/"segments": [0-9]*/"segments": nan/' 'a value is neither'
bad 's/"status": "[a-z]*"/"status": "fine"/' '"status" is none that there is'
bad 's/, "us": [0-9.]*//' 'it says "ok" but has no times'
bad 's/"variant": "[a-z]*"/"variant": "best"/' 'it is of no primitive and variant'
bad 's/"variant": "[a-z]*"/"variant": ""/' 'it is of no primitive and variant'
bad 's/"Made Up 1"/"Made\\nscan.*.*.items = 1"/' '"device" is no such value'
bad 's/"Made Up 1"/" "/' 'the device has no name'
bad 's/"gpu"/"toaster"/' '"device_type" is none that there is'
bad 's/"version": "[0-9.]*"/"version": "next"/' '"version" is not like 0.1.0'
bad 's/"b4"/"b4.x"/' '"type_class" is not like b4'
bad 's/"most": 65536/"most": 1e20/' '"most" is no such value'
bad 's/items=[0-9]*/items=0/' '"define" is not like'
bad 's/items=[0-9]*/colour=1/' '"define" is not like'
bad 's/items=[0-9]*/items=/' '"define" is not like'
bad 's/"P"/"\\x"/' 'a string has an unknown escape'
yes '{"clfold_tune": 1, ' | head -n 1000 | tr -d '\n' >"$dir/bad.jsonl"
refuses 'it is too long' "$tune" --profile "$dir/bad.jsonl"

# Any damage ends with a sentence or with a profile.
for seed in $(seq 1 150); do
    awk -v seed="$seed" 'BEGIN { srand(seed); line = 1 + int(rand() * 20) }
        NR > 20 { exit }
        NR == line { at = 1 + int(rand() * length($0)); way = int(rand() * 3)
            $0 = substr($0, 1, at - 1) (way == 0 ? "" : way == 1 ? substr("\"{}[],:\\x0e-", 1 + int(rand() * 12), 1) : "99999999") \
                substr($0, at + (way == 0 ? 1 + int(rand() * 40) : 1)) }
        { print }' "$log" >"$dir/damaged.jsonl"
    status=0
    "$tune" --profile "$dir/damaged.jsonl" >"$dir/damaged.profile" 2>"$dir/damaged.err" || status=$?
    case $status in
    0) grep -qx end "$dir/damaged.profile" || fail "seed $seed: half a profile" ;;
    2) grep -q 'damaged.jsonl, line [0-9]*: ' "$dir/damaged.err" || fail "seed $seed: $(cat "$dir/damaged.err")" ;;
    *) fail "seed $seed: status $status" ;;
    esac
done

# ---- On the device --------------------------------------------------------------------------------------------------

log=$dir/log.jsonl
# shellcheck disable=SC2086 # words
search() { "$tune" scan --device "$device" $patient --type i32 --n 2^14 --evaluations 3 --log "$log" "$@"; }
search >"$dir/out" || fail "a search ended with status $?"
rows=$(wc -l <"$log")
[ "$rows" -ge 6 ] || fail "only $rows rows"
grep -q '"status": "ok", .*"verified_by": "last", .*"ratio": ' "$log" || fail "no good row in $(cat "$log")"
grep -q '"start": true' "$log" || fail "no row of the model's point"
search | grep -q '^0 rows' || fail "what is there was measured again"

# The last row is cut: it alone is measured again.
whole=$(wc -c <"$log")
head -c $((whole - 40)) "$log" >"$dir/cut" && mv "$dir/cut" "$log"
search 2>"$dir/err" | grep -q '^1 rows' || fail "a log that was cut: $(cat "$dir/err")"
grep -q "line $rows: not whole, left out" "$dir/err" || fail "nothing is said of a line that was cut"
[ "$(wc -l <"$log")" = "$rows" ] || fail "the cut line is still there"

# Each primitive has rows: of the model's point as many as it has shapes.
log=$dir/more.jsonl
# shellcheck disable=SC2086 # words
more() { "$tune" "$@" --device "$device" $patient --n 2^12 --evaluations 1 --log "$log"; }
more sort sort_pairs histogram filter reduce_by_key --type i32,4xi64 >"$dir/out" || fail "primitives: status $?"
grep -v '"status": "ok"' "$log" && fail "a row is not good"
for words in 'sort 1' 'sort_pairs 1' 'histogram 2' 'filter 1' 'reduce_by_key 1'; do
    found=$(grep "\"primitive\": \"${words% *}\"" "$log" | grep -v '"again": true' | grep -c '"start": true')
    [ "$found" = "${words#* }" ] || fail "$found rows of the model's point of $words"
done
grep -q '"primitive": "sort_pairs", .*"type_class": "b8x4"' "$log" || fail "the class of a key with its place"
grep -q '"op": "count", .*"type_class": "b4", .*"bins": 256' "$log" || fail "no bins"
# Those for GPUs are on CPUs, too: settings, and roles beside each other.
log=$dir/roles.jsonl
CLFOLD_DISABLE=cpu more transpose --type i16 >"$dir/out" || fail "kernels for GPUs: status $?"
CLFOLD_DISABLE=cpu more transpose --type i16 | grep -q '^0 rows' || fail "shapes that are there were measured again"
grep -v '"status": "ok"' "$log" && fail "a row is not good"
for words in transpose.tile transpose_thin.thin transpose_small.small transpose_packed.packed transpose_filled.chosen \
    transpose_thin_limits.thin transpose_thin_limits.tile transpose_small_limits.small transpose_small_limits.tile; do
    grep "\"primitive\": \"${words%.*}\"" "$log" | grep -q "\"variant\": \"${words#*.}\"" || fail "no row of $words"
done
grep -q '"batch": 83, "segments": 7, "segment_size": 7' "$log" || fail "no batch of matrices"
CLFOLD_DISABLE=cpu "$tune" --profile "$log" >"$dir/roles.profile"
CLFOLD_DISABLE=cpu CLFOLD_PROFILE=$dir/roles.profile "$info" --device "$device" --tuning >"$dir/tuning"
grep -q 'profile = .*file roles.profile (for this device)' "$dir/tuning" || fail "a profile of roles is not in force"
# Lines of roles are in force.
echo '{"ask": "case", "primitive": "sort_pairs_few", "type": "i32"}' |
    CLFOLD_DISABLE=cpu CLFOLD_PROFILE=$dir/settings "$tune" --worker --device "$device" >"$dir/case" 2>"$dir/err"
grep -q '"model": "one_group .*"profiled": "one_group group=128 items=2 limit=1024 ' "$dir/case" || fail "a few pairs: $(cat "$dir/case")"
# --quick leaves them out where they are not named.
# shellcheck disable=SC2086 # words
"$tune" --quick $patient --type i32 --n 2^12 --evaluations 1 --device "$device" --log "$dir/quick.jsonl" >"$dir/out"
grep -qE 'histogram|sort|transpose|filter|_key' "$dir/out" && fail "--quick: $(cat "$dir/out")"
# What another device's profile does here: something, where it speaks of what is called, or nothing.
far() {
    printf '%s\n' 'clfold profile 1' 'device = Another 7' 'platform = P' 'vendor = V' 'type = accelerator' 'architecture = a1' \
        'version = 0.1.0' "$1" end >"$dir/far.profile"
    rm -rf "$dir/elsewhere"
    sh "$bench/tune/elsewhere.sh" "$tune" "$dir/elsewhere" "$dir/far.profile" -- scan --type i32 --n 2^12 --device "$device" \
        --timeout 1000 | tail -n 1 | tr -s ' '
}
[ "$(far 'transpose.b4.*.items = 5')" = 'far 1.000 1.000 1.000' ] || fail "a profile that says nothing: $(far 'transpose.b4.*.items = 5')"
far 'scan.b4.*.items = 80' | grep -q '^far [0-9]*[.][0-9]* [0-9]*[.][0-9]* [0-9]*[.][0-9]*$' || fail "no mean of a profile from elsewhere"
grep -q '"variant": "auto"' "$dir/elsewhere/far-3.jsonl" || fail "a profile from elsewhere was not applied"
# A sort that is wrong is found out.
if [ "$faults" ]; then
    log=$dir/unsorted.jsonl
    TUNE_FAULT=wrong:order=0 LD_PRELOAD=$faults more sort --type i32 >"$dir/out" 2>"$dir/err" && fail "a wrong sort is right"
    grep -q '"status": "wrong", "why": "sum of \[1\]\[1048575\]"' "$log" || fail "a wrong sort: $(cat "$log")"
fi

# What hangs is a row, and the next one is tried.
log=$dir/hung.jsonl
search --timeout 0.01 >"$dir/out" || fail "rows that hang ended it with status $?"
[ "$(grep -c '"status": "hung"' "$log")" -ge 3 ] || fail "rows that hang: $(cat "$log")"
refuses 'there are no rows' env CLFOLD_DISABLE=other "$tune" --profile "$log"

# ---- Points compiled ahead ------------------------------------------------------------------------------------------

points=$dir/points.jsonl ahead=$dir/ahead.jsonl
# shellcheck disable=SC2086 # words
each() { "$tune" scan --device "$device" --quick $patient --type i32 --n 2^14 --strategy random --seed 3 --evaluations 7 "$@" >"$dir/out"; }
# What rows say but for times, without those of the best points: which these are is a matter of times.
what() { grep -v '"again": true' "$1" | sed 's/, "us": .*\(, "most"\)/\1/; s/, "why": "[^"]*", "verified_by": "[a-z]*"//' | sort; }
each --ahead 0 --log "$points" || fail "a search of random points"
TUNE_BUILDS=$dir/builds LD_PRELOAD=$faults each --ahead 4 --log "$ahead" || fail "a search that compiles ahead"
what "$points" >"$dir/expected"
what "$ahead" | cmp - "$dir/expected" || fail "points that are compiled ahead have other rows"
[ -z "$faults" ] || grep -q '^thread' "$dir/builds" || fail "nothing was compiled ahead"
head -n 3 "$ahead" >"$dir/cut"
head -n 4 "$ahead" | tail -n 1 | head -c 100 >>"$dir/cut"
mv "$dir/cut" "$ahead"
each --ahead 4 --log "$ahead" 2>"$dir/err" || fail "it does not go on"
what "$ahead" | cmp - "$dir/expected" || fail "a search that was cut, then compiled ahead, has other rows"

# Compilers that crash, hang, fail and are wrong: rows of the points that are to blame, and of no others.
grep -v '"again": true' "$points" | sed '1d; s/.*"define": "\([^"]*\)".*/\1/' >"$dir/defines"
guilty=$(cut -d, -f1,2 "$dir/defines" | sort | uniq -u | tail -n 1)
for fault in ${faults:+fail last wrong crash hang}; do
    limit=
    [ $fault != hang ] || limit='--timeout 15' # what does not hang is compiled by now
    case $fault in crash) status=crashed ;; hang) status=hung ;; fail | last) status=failed ;; wrong) status=wrong ;; esac
    sed "s/\(\"define\": \"$guilty[,\"].*\"status\": \"\)[a-z]*\"/\1$status\"/" "$dir/expected" >"$dir/faulty"
    grep -q "\"$status\"" "$dir/faulty" || fail "no point has $guilty"
    for threads in 0 4; do
        rm -f "$ahead"
        ended=0
        # shellcheck disable=SC2086 # no word, or two
        TUNE_FAULT=$fault:$guilty LD_PRELOAD=$faults each $limit --ahead $threads --log "$ahead" 2>"$dir/err" || ended=$?
        [ $ended = "$([ $fault = wrong ] && echo 1 || echo 0)" ] || fail "$fault, $threads ahead: ended with status $ended"
        [ $fault != wrong ] || grep -q 'WRONG: scan i32' "$dir/err" || fail "nothing is said of wrong results"
        sed -n "s/.*\"status\": \"$status\", \"why\": \"\([^\"]*\)\".*/\1/p" "$ahead" | grep . >"$dir/why" || fail "$fault: no reason"
        [ $fault != last ] || grep -q '^what it is verified with: ' "$dir/why" || fail "the reason is $(cat "$dir/why")"
        what "$ahead" | cmp - "$dir/faulty" || fail "$fault of $guilty, $threads ahead: see $ahead"
    done
done

# What a variant does not take is refused, by the child, and so are more elements than there are.
asked() { sed -n '2{s/, "us": .*\(, "most"\)/\1/; s/"status": "ok"/"status": "refused"/; '"$1"'; p; }' "$points" |
    "$tune" --worker --device "$device" 2>"$dir/err"; }
asked 's/"define": "[^"]*"/"define": "across=8"/' | grep -q '"status": "refused", "why": "[^"]*no parameter \\"across' ||
    fail "a parameter of others"
asked 's/"segments": 1,/"segments": 2,/' | grep -q '"status": "refused", "why": "there are more elements' || fail "more elements"
asked '' | grep -q '"status": "ok"' || fail "the child: $(cat "$dir/err")"

# A profile is in force: on this device, line by line.
log=$dir/log.jsonl
"$tune" --profile "$log" | sed '$d' >"$dir/this.profile"
printf 'scan.*.*.items = 512\nend\n' >>"$dir/this.profile"
CLFOLD_PROFILE=$dir/this.profile "$info" --device "$device" --tuning >"$dir/tuning"
grep -q 'profile = .*file this.profile (for this device)' "$dir/tuning" || fail "a profile of this device is not in force"
grep -q "items  *[0-9]*  *this.profile:[0-9]*$" "$dir/tuning" || fail "no line of it is"
echo "tune: $rows rows"
