#!/bin/sh
# SPDX-License-Identifier: MIT
#
# history.sh: what is new since origin/main, or in the last ten commits where there is none: subjects have at most 72
# columns, and CHANGELOG.md changes under [Unreleased] alone: what older versions say stays. Nothing where git is not there.
set -eu
cd "$(dirname "$0")/.."
LC_ALL=C.UTF-8
export LC_ALL

if ! [ -e .git ] || ! git rev-parse --verify --quiet HEAD >/dev/null; then
    echo "history: no git here"
    exit 0
fi
if git rev-parse --verify --quiet origin/main >/dev/null; then
    base=$(git merge-base origin/main HEAD)
else
    commits=$(git rev-list --first-parent --max-count=11 HEAD)
    base=$(echo "$commits" | tail -n 1)
fi
long=$(git log --no-merges --format=%s "$base..HEAD" | grep -E '^.{73}' || true)
if [ -n "$long" ]; then
    echo "subjects of more than 72 columns:"
    echo "$long"
    exit 1
fi

# released TEXT: all versions but [Unreleased]; a new one comes before them
released() { sed -n '/^## \[[0-9]/,$p'; }
before=$(git show "$base:CHANGELOG.md" | released)
after=$(released <CHANGELOG.md)
case $after in
*"$before") ;;
*)
    echo "CHANGELOG.md changes what stands under a released version, not under [Unreleased]"
    exit 1
    ;;
esac
echo "history: $(git rev-list --count "$base..HEAD") commits"
