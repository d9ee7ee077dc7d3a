#!/bin/sh
# SPDX-License-Identifier: MIT
#
# parameters.sh CLFOLD-INFO [--write]: the table of parameters in cl/README.md is the library's; --write makes it so.
set -eu
info=$1
readme=$(dirname "$0")/../cl/README.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT

{
    sed '/^<!-- parameters -->$/q' "$readme"
    "$info" --parameters
    sed -n '/^<!-- end of parameters -->$/,$p' "$readme"
} >"$new"
[ "$(grep -c '^<!-- \(end of \)\{0,1\}parameters -->$' "$readme")" = 2 ] || {
    echo "parameters: cl/README.md has lost the marks around the table" >&2
    exit 1
}
if [ "${2:-}" = --write ]; then
    cat "$new" >"$readme"
elif ! diff "$readme" "$new"; then
    echo "parameters: cl/README.md is not up to date: sh tests/parameters.sh CLFOLD-INFO --write" >&2
    exit 1
fi
