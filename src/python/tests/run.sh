#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh LIBRARY [PYTEST-OPTION...]: the tests and doctests of pyclfold with this libclfold, by the first Python that
# has PyOpenCL, NumPy and pytest. CLFOLD_PYTHON names another.
set -eu
cd "$(dirname "$0")/.."
CLFOLD_LIBRARY=$1
shift

python=
for candidate in ${CLFOLD_PYTHON:-python3 /usr/bin/python3}; do
    if "$candidate" -c 'import numpy, pyopencl, pytest' >/dev/null 2>&1; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "pyclfold: skipped, for no Python here has PyOpenCL, NumPy and pytest"
    exit 0
fi

export CLFOLD_LIBRARY PYTHONPATH="$PWD" PYTHONDONTWRITEBYTECODE=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
"$python" -m pytest -q -rs -p no:cacheprovider --durations 5 "$@" >"$log" 2>&1 || status=$?
cat "$log"
# As the other programs say it, for those who add up.
awk '/ in [0-9.]+s/ {
        for (i = 2; i <= NF; i++) {
            if ($i ~ /^passed/) p = $(i - 1)
            if ($i ~ /^(failed|error)/) f += $(i - 1)
        }
    }
    END { print p + 0 " passed, " f + 0 " failed" }' "$log"
exit "$status"
