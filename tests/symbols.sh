#!/bin/sh
# SPDX-License-Identifier: MIT
#
# symbols.sh SHARED STATIC HEADER...: the shared library exports the functions of the headers and nothing else; the
# static one defines no global name outside clf_.
set -eu
shared=$1 static=$2
shift 2

fail() {
    echo "symbols: $1" >&2
    echo "$2" >&2
    exit 1
}

# Names as C spells them: one leading underscore less on macOS.
names() {
    sed -n 's/^[0-9a-fA-F]* *[A-Z] //p' | sed 's/@.*//' | if [ "$(uname)" = Darwin ]; then sed 's/^_//'; else cat; fi | sort -u
}
exported() {
    if [ "$(uname)" = Darwin ]; then nm -gU "$1"; else nm -D --defined-only "$1"; fi | names |
        grep -vxE '_init|_fini|_edata|_end|__bss_start' || true
}

declared=$(sed -n 's/^CLF_[A-Z_]*API .*[ *]\(clf_[a-z0-9_]*\)(.*/\1/p' "$@" | sort -u)
found=$(exported "$shared")
[ -n "$declared" ] || fail "found no declaration in $*" ""
[ "$found" = "$declared" ] || fail "exported (first) and declared (second) differ:" "$found
--
$declared"

foreign=$(nm -g "$static" 2>/dev/null | grep -v ' U ' | names | grep -v '^clf_' || true)
[ -z "$foreign" ] || fail "global names outside clf_ in $static:" "$foreign"
echo "$(echo "$found" | wc -l) functions exported"
