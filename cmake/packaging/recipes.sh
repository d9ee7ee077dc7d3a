#!/bin/sh
# SPDX-License-Identifier: MIT
#
# recipes.sh HOME TARBALL DIR: the recipes of vcpkg, Spack, conda-forge and Homebrew, as they are sent to these, into DIR:
# with the project's home page, and the checksums of a release's tarball, instead of the placeholders in this tree. The
# tarball is that of
#     git archive --prefix=clfold-0.1.0/ -o clfold-0.1.0.tar.gz v0.1.0
# and is expected at HOME/releases/download/v0.1.0/clfold-0.1.0.tar.gz.
set -eu
[ $# = 3 ] || { sed -n '4,/^set/s/^# \{0,1\}//p' "$0" | sed '$d'; exit 2; }
home=${1%/} tarball=$2 dir=$3
here=$(dirname "$0")

version=$(sed -n 's/^#define CLFOLD_VERSION_STRING "\(.*\)"/\1/p' "$here/../../include/clfold/status.h")
[ "$(basename "$tarball")" = "clfold-$version.tar.gz" ] || { echo "$tarball is not clfold-$version.tar.gz"; exit 1; }
tar -xzOf "$tarball" "clfold-$version/CMakeLists.txt" >/dev/null || { echo "$tarball has no clfold-$version/CMakeLists.txt"; exit 1; }
sha256=$(sha256sum "$tarball" | cut -d ' ' -f 1)
sha512=$(sha512sum "$tarball" | cut -d ' ' -f 1)

mkdir -p "$dir"
for recipe in vcpkg spack conda homebrew; do
    rm -rf "${dir:?}/$recipe"
    cp -r "$here/$recipe" "$dir"
    find "$dir/$recipe" -name __pycache__ -prune -exec rm -r '{}' +
done
find "$dir/vcpkg" "$dir/spack" "$dir/conda" "$dir/homebrew" -type f -exec \
    sed -i -e "s|https://clfold\.example|$home|g" -e "s|SHA512 0\$|SHA512 $sha512|" -e "s|0\{64\}|$sha256|" '{}' +
[ "$(grep -rl "$sha256" "$dir/spack" "$dir/conda" "$dir/homebrew" | wc -l)" = 3 ]
grep -q "SHA512 $sha512" "$dir/vcpkg/portfile.cmake"
if grep -r 'clfold\.example' "$dir/vcpkg" "$dir/spack" "$dir/conda" "$dir/homebrew"; then exit 1; fi
echo "recipes of clfold $version in $dir"
