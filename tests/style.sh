#!/bin/sh
# SPDX-License-Identifier: MIT
#
# style.sh: the form of C and OpenCL files that CONTRIBUTING.md asks for: at most 120 columns, no tabs, no blanks at the
# ends of lines, a licence; at most 400 lines; the rest by clang-format (format.sh). Data have at most 2000 lines, pictures
# at most 200 KB. Subjects of commits and CHANGELOG.md (history.sh). Where there is Python: links and lengths of documents
# (documents.py) and of their sentences (prose.py), and what declare.py generates for Python.
set -eu
format=yes
cd "$(dirname "$0")/.."
LC_ALL=C.UTF-8
export LC_ALL
licence='SPDX-License''-Identifier: MIT' # in two pieces: this line is not this file's licence

bad=$(mktemp)
trap 'rm -f "$bad"' EXIT
files=$(find src cl include tests bench -name '*.[ch]' -o -name '*.cl' -o -name '*.cpp' -o -name '*.cu' -o -name '*.hpp')

# find_lines PATTERN WHAT
find_lines() {
    # shellcheck disable=SC2086 # names without blanks
    grep -nE "$1" $files | sed "s|^\([^:]*:[0-9]*\):.*|\1: $2|" >>"$bad" || true
}
find_lines '^.{121}' 'more than 120 columns'
find_lines "$(printf '\t')" 'a tab'
find_lines ' $' 'a blank at the end'
for file in $files; do
    # readme_scan.c is the first program of getting_started.md, word for word
    [ "$file" = tests/examples/readme_scan.c ] || head -n 1 "$file" | grep -q "$licence" || echo "$file: no licence" >>"$bad"
    [ "$(wc -l <"$file")" -le 400 ] || echo "$file: more than 400 lines" >>"$bad"
done
# What a run measures: rows behind the figures, no more, and pictures that a page shows.
for file in $(find bench src tests -name '*.json' -o -name '*.jsonl' -o -name '*.csv' -o -name '*.svg' -o -name '*.html'); do
    [ "$(wc -l <"$file")" -le 2000 ] || echo "$file: data of more than 2000 lines" >>"$bad"
done
find bench src tests \( -name '*.png' -o -name '*.svg' \) -size +200k | sed 's/$/: a picture of more than 200 KB/' >>"$bad"
if [ -s "$bad" ]; then
    cat "$bad"
    exit 1
fi
echo "style: $(echo "$files" | wc -l) files"
sh tests/history.sh
[ "$format" = no ] || sh tests/format.sh --check || [ $? -eq 77 ]
if python3 -c 'import re' 2>/dev/null; then
    python3 -B tests/documents.py .
    python3 -B tests/prose.py .
    python3 -B src/python/declare.py --check
else
    echo "style: no Python here, so documents are not checked"
fi
