#!/bin/sh
# SPDX-License-Identifier: MIT
#
# manual_programs.sh CC CXX SOURCE PREFIX DIR: every program of the manual's pages is compiled in DIR as it stands, by
# the one command that examples.md gives, against what is installed in PREFIX. (tests/manual.sh runs them.)
set -eu
cc=$1 cxx=$2 source=$3 prefix=$4 dir=$5

rm -rf "${dir:?}"
mkdir -p "$dir"
for page in "$source"/src/manual/*.md; do
    awk -v stem="$dir/$(basename "$page" .md)" '
        /^```(c|cpp)$/ { file = stem "_" ++n "." substr($0, 4); printf "" >file; next }
        /^```/ { file = ""; next }
        file { print >file }' "$page"
done
lib=$(dirname "$(dirname "$(find "$prefix" -name clfold.pc)")")
export PKG_CONFIG_PATH="$lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
command_of() { sed -n "s/^    \($1 .*program\..*\)/\1/p" "$source/src/manual/examples.md"; }
c=$(command_of cc) cpp=$(command_of c++)
[ "$c" ] && [ "$cpp" ] || { echo "examples.md has no commands"; exit 1; }

compiled=0
cd "$dir"
for program in *.c *.cpp; do
    case $program in
    *.c) tool=$cc command=${c#cc } ;;
    *) tool=$cxx command=${cpp#c++ } ;;
    esac
    case $program in
    *distributed*) [ -e "$lib/libclfold_distributed.a" ] && command="$command -lclfold_distributed" || continue ;;
    getting_started_1.c) ;; # by a command of its own: readme.sh
    esac
    [ "$tool" ] || continue
    cp "$program" "program.${program##*.}"
    eval "\"\$tool\" $command" || { echo "$program: does not compile by: $command"; exit 1; }
    compiled=$((compiled + 1))
done
echo "$compiled programs compiled"
[ "$compiled" -gt 30 ]
