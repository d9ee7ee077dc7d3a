#!/bin/sh
# SPDX-License-Identifier: MIT
#
# plot.sh BENCH: bench/plot.py, of rows that are made up (plot_check.py), by a Python that has matplotlib. CLFOLD_PYTHON names
# another.
set -eu
for python in ${CLFOLD_PYTHON:-python3 /usr/bin/python3}; do
    if "$python" -c 'import matplotlib' >/dev/null 2>&1; then
        exec "$python" -B "$(dirname "$0")/plot_check.py" "$1"
    fi
done
echo "plot: skipped, for no Python here has matplotlib"
exit 77
