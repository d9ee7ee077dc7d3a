#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tools.sh CLFOLD-BENCH CLFOLD-INFO VERSION [TOOL...]: what the tools say of themselves and of command lines.
set -eu
bench=$1 info=$2 version=$3
shift 3
here=$(dirname "$0")
. "$here/refuses.sh"

[ "$("$bench" --version)" = "clfold-bench $version" ] || fail "clfold-bench --version"
[ "$("$info" --version)" = "clfold-info $version" ] || fail "clfold-info --version"
for tool in "$@"; do
    name=$(basename "$tool")
    [ "$("$tool" --version)" = "$name $version" ] || fail "$name --version"
    refuses --nonsense "$tool" --nonsense
    case $name in clfold-fuzz) # what is no number must not run for a minute
        for wrong in '--seconds abc' '--seed x' '--cases -5' '--case 3x' '--set n=3' '--timeout -1'; do
            # shellcheck disable=SC2086 # two words
            refuses "${wrong% *}: no such option, or its value is missing or wrong" "$tool" $wrong
        done ;;
    esac
    for option in $("$tool" --help | grep -o -- '--[a-z]*' | sort -u); do
        sed 's/\\-/-/g' "$here/../src/manual/$name.1" | grep -q -- "$option" || fail "$name.1 lacks $option"
    done
done
refuses 'unknown option --nonsense' "$bench" --nonsense
refuses 'unknown option --nonsense' "$info" --nonsense
refuses '--n: its value is missing' "$bench" --n
refuses '--device: a number or a part of a name is missing' "$info" --device
refuses 'expected a comma at "x"' "$bench" --n 1e6x
refuses 'a number is too large' "$bench" --n 1e20
refuses 'expected a number at "x"' "$bench" --n '2^x'
refuses 'a range ends before it begins' "$bench" --n '2^10..2^5'
refuses '--n: there is nothing to measure in 0 elements' "$bench" --n 0
refuses '--segments 0x5: there is nothing to measure' "$bench" --segments 0x5
! "$bench" --n 2^4 --sweep items=0 >/dev/null 2>&1 || fail "a sweep without a row ends with status 0"
[ ! -e /dev/full ] || refuses "/dev/full: the rows could not be written" "$bench" --n 2^4 --reps 0 --json /dev/full

# An operator in a file.
device=${CLFOLD_TEST_DEVICE:-0}
law=$(mktemp)
trap 'rm -f "$law"' EXIT
printf '# a sum\nvalue = int v;\ncombine = add\nneutral = zero\nflags = commutative\nsource:\n%s\n%s\n' \
    'clf_value add(clf_value a, clf_value b) { a.v += b.v; return a; }' \
    'clf_value zero(void) { clf_value v = {0}; return v; }' >"$law"
"$info" --device "$device" --check "$law" | grep -q ': all laws hold in [0-9]* cases$' || fail "--check of a sum"
sed 's/+=/-=/' "$law" >"$law.minus" && mv "$law.minus" "$law"
status=0
said=$("$info" --device "$device" --check "$law") || status=$?
[ "$status" = 1 ] || fail "--check of a difference: status $status"
echo "$said" | grep -q 'combine(0, combine(0, 1)) is 1, combine(combine(0, 0), 1) is -1' || fail "--check: $said"
printf 'value = int v;\nless = f\nsource:\nbool f(clf_input a, clf_input b) { return a.v <= b.v; }\n' >"$law"
"$info" --device "$device" --check "$law" | grep -q 'less is not irreflexive' || fail "--check of an order"
printf 'value = uint v;\ncaptured = ushort m;\ncombine = f\nneutral = one\nflags = combine_captures\n%s\n%s\nsource:\n%s\n%s\n' \
    'array m = 7 1..4' 'elements v = 0..6' 'clf_value one(void) { clf_value v = {1}; return v; }' \
    'clf_value f(clf_value a, clf_value b, const clf_captured *c) { a.v = a.v * b.v % c->m[0]; return a; }' >"$law"
"$info" --device "$device" --check "$law" | grep -q ': all laws hold in [0-9]* cases$' || fail "--check of captured arrays"
sed -i.old 's/array m = 7/array m = 5/' "$law" && rm "$law.old"
"$info" --device "$device" --check "$law" | grep -q 'combine(neutral, 5) is 0' || fail "--check of a captured 5"
sed -i.old 's/array m = 5/array m = 70000/' "$law" && rm "$law.old"
refuses '--check: m: 70000 is not of the type' "$info" --check "$law"
refuses '--check: a file is missing' "$info" --check
for path in /nowhere /; do refuses "--check: $path cannot be read" "$info" --check "$path"; done
printf 'value = int v;\0\n' >"$law"
refuses 'has a zero byte, and so is no text' "$info" --check "$law"
echo 'sum = add' >"$law"
refuses 'clf_operator has no "sum" for laws' "$info" --check "$law"
echo 'flags = quick' >"$law"
refuses 'there is no flag "quick"' "$info" --check "$law"

# --help has every operator and type of --list.
help=$("$bench" --help)
for word in $("$bench" --device "$device" --list | sed -n 's/^operators *//p; s/^on tuples *//p; s/^by bin *//p; s/^types *//p'); do
    echo "$help" | grep -qw -- "$word" || fail "--help lacks $word"
done
"$bench" --device "$device" --list | grep -q '^transpose, i32' || fail "--list on transposition"

# Every way to write a number.
sizes=$("$bench" --device "$device" --reps 0 --n 1e3,1_001,2^10,2^10-1,10^3+2,1e1..1e2 --json - |
    sed 's/.*"n": \([0-9]*\),.*/\1/' | tr '\n' ' ')
[ "$sizes" = '1000 1001 1024 1023 1002 10 100 ' ] || fail "sizes: $sizes"
