#!/bin/sh
# SPDX-License-Identifier: MIT
#
# oclgrind.sh CLFOLD-TESTS LOG: the kernel suite in Oclgrind's interpreter, which checks every access. Any report
# of a race, an invalid or uninitialised access or a wrong API call is a failure; the log keeps the reports.
set -eu
here=$(dirname "$0")
tests=$1 log=$2

"${CC:-cc}" -shared -fPIC "$here/oclgrind_fill.c" -o "$log.so"
CLFOLD_CACHE_DIR=off
export CLFOLD_CACHE_DIR
status=0
# The inner shell puts our library ahead of Oclgrind's.
# shellcheck disable=SC2016
oclgrind --data-races --uninitialized --check-api --max-errors 100000 --build-options -cl-opt-disable --log "$log.raw" \
    sh -c 'LD_PRELOAD=$1:$LD_PRELOAD exec "$2" --suite kernel' sh "$log.so" "$tests" || status=$?

# Not counted: a build that fails, for that is how a device is probed and how bad sources are tested; and copying
# padding that nobody reads within local memory, for a use of it would be a report of its own.
touch "$log.raw"
awk '
    function flush() { if (report ~ /[^ \t\n]/ && !expected) printf "%s", report; report = ""; expected = 0 }
    /^[^ \t]/ { flush() }
    { report = report $0 "\n" }
    /Error:.*CL_BUILD_PROGRAM_FAILURE/ || /^Uninitialized value written to (local|private) memory/ { expected = 1 }
    END { flush() }' "$log.raw" >"$log"
if [ -s "$log" ]; then
    echo "Oclgrind reports:"
    head -n 60 "$log"
    status=1
fi
exit "$status"
