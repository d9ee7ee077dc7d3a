#!/bin/sh
# SPDX-License-Identifier: MIT
#
# licences.sh: every file has a licence and a copyright line, by `reuse lint` (PyPI: reuse). Exit status 77: it is not here.
set -eu
cd "$(dirname "$0")/.."
command -v reuse >/dev/null || { echo "licences.sh: no reuse" && exit 77; }
reuse lint -q || { reuse lint; exit 1; }
