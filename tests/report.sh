#!/bin/sh
# SPDX-License-Identifier: MIT
#
# report.sh CLFOLD-BENCH CLFOLD-INFO WORK: the vendor report (bench/report): a small one is measured and written, drivers
# that crash and hang are listed, bad files get clear errors, and the page is looked at in Chromium, where that is.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
. "$folder/refuses.sh"
if ! command -v python3 >/dev/null; then
    echo "report: no python3 here, nothing was tested"
    exit 0
fi
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
rm -rf "$3"
mkdir -p "$3"
refuses 'argument --seconds: a number of seconds' sh "$folder/../bench/report.sh" --seconds abc # and nothing is built
exec python3 "$folder/report/check.py" "$folder/../bench/report" "$@"
