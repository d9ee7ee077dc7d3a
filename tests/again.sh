#!/bin/sh
# SPDX-License-Identifier: MIT
#
# again.sh WORDS COMMAND...: runs a test. Where it fails with these words, by which a driver's bug is known
# (driver_bugs.txt), it runs once more, on PoCL's device `basic`, which runs one command at a time. Any other failure is
# one.
set -eu
words=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
"$@" >"$log" 2>&1 || status=$?
cat "$log"
if [ $status -ne 0 ] && grep -qF "$words" "$log"; then
    echo "again.sh: a bug of the driver; once more"
    status=0
    POCL_DEVICES=basic "$@" || status=$?
fi
exit $status
