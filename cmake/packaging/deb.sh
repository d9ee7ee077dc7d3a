#!/bin/sh
# SPDX-License-Identifier: MIT
#
# deb.sh [DIRECTORY]: Debian's packages, from a copy of this tree with debian/ where its tools want it; into DIRECTORY,
# build/deb without one. What lintian finds is a failure. As root it installs them too, and tries what is in them:
# clfold-info runs, a program compiles with pkg-config, Python imports pyclfold.
set -eu
cd "$(dirname "$0")/../.."
out=${1:-build/deb}

for tool in dpkg-buildpackage dh dh_python3 lintian cmake; do
    command -v "$tool" >/dev/null ||
        { echo "$tool is missing: apt-get install dpkg-dev debhelper dh-python lintian cmake ocl-icd-opencl-dev opencl-c-headers"; exit 1; }
done
rm -rf "$out"
mkdir -p "$out/clfold"
out=$(cd "$out" && pwd)
cp -r CMakeLists.txt LICENSE README.md CHANGELOG.md bench cl cmake include src tests "$out/clfold"
cp -r cmake/packaging/debian "$out/clfold/debian"
find "$out/clfold" -name __pycache__ -prune -exec rm -r '{}' +

(cd "$out/clfold" && dpkg-buildpackage --build=binary --no-sign) >"$out/build.log" 2>&1 || { tail -n 40 "$out/build.log"; exit 1; }
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$out"/*.changes
ls -l "$out"/*.deb

[ "$(id -u)" = 0 ] || exit 0
apt-get install -y --no-install-recommends "$out"/*.deb >"$out/install.log" 2>&1 || { cat "$out/install.log"; exit 1; }
clfold-info --version
# shellcheck disable=SC2046 # a list of options
cc /usr/share/doc/libclfold-dev/examples/readme_scan.c -o "$out/readme_scan" $(pkg-config --cflags --libs clfold OpenCL)
"$out/readme_scan" >"$out/readme_scan.log" || { cat "$out/readme_scan.log"; exit 1; }
/usr/bin/python3 -c 'import pyclfold; print("pyclfold", pyclfold.__version__)'
