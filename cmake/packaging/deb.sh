#!/bin/sh
# SPDX-License-Identifier: MIT
#
# deb.sh [--build-only] [DIRECTORY]: Debian's packages, from a copy of this tree with debian/ where its tools want it; into
# DIRECTORY, build/deb without one. What lintian finds is a failure. As root, and where debootstrap is, they are then
# installed into a Debian of their own, DIRECTORY/root, and tried: clfold-info runs, a program compiles with pkg-config,
# Python sorts by pyclfold, and removing them leaves nothing behind. This system gets nothing. Exit status 77: what builds
# packages is missing here.
set -eu
cd "$(dirname "$0")/../.."
install=yes
[ "${1:-}" != --build-only ] || { install=no && shift; }
out=${1:-build/deb}

for tool in dpkg-buildpackage dh dh_python3 lintian cmake; do
    command -v "$tool" >/dev/null ||
        { echo "$tool is missing: apt-get install build-essential debhelper dh-python lintian cmake ocl-icd-opencl-dev opencl-c-headers"; exit 77; }
done
dpkg-checkbuilddeps cmake/packaging/debian/control || exit 77
rm -rf --one-file-system "$out"
mkdir -p "$out/clfold"
out=$(cd "$out" && pwd)
cp -r CMakeLists.txt LICENSE README.md CHANGELOG.md bench cl cmake include src tests "$out/clfold"
cp -r cmake/packaging/debian "$out/clfold/debian"
find "$out/clfold" -name __pycache__ -prune -exec rm -r '{}' +

(cd "$out/clfold" && dpkg-buildpackage --build=binary --no-sign) >"$out/build.log" 2>&1 || { tail -n 40 "$out/build.log"; exit 1; }
lintian --fail-on error,warning "$out"/*.changes
ls -l "$out"/*.deb

[ $install = yes ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "Not installed: that wants root and debootstrap."
    exit 0
fi
root=$out/root
# The first mirror of this distribution that apt knows of.
# shellcheck disable=SC2016 # apt's own variables
mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
    sed -n -E 's/^(Debian|Ubuntu) //p' | grep -v security | head -n 1)
# shellcheck source=/dev/null
debootstrap --variant=minbase "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" "$mirror" >"$out/root.log" 2>&1 ||
    { tail -n 20 "$out/root.log"; exit 1; }
mkdir "$root/debs"
for package in "$out"/*.deb; do
    case $package in *-dbgsym_*) ;; *) cp "$package" "$root/debs" ;; esac
done

# inside COMMAND: there, with the kernel's file systems; the mounts end with the command.
inside() {
    # shellcheck disable=SC2016 # of the inner shell
    unshare -m sh -c 'for f in proc sys dev; do mount --rbind /$f "$1/$f"; done; exec chroot "$1" sh -euc "$2"' sh "$root" "$1"
}
inside 'export DEBIAN_FRONTEND=noninteractive
    apt-get install -q -y --no-install-recommends /debs/*.deb gcc libc6-dev pkg-config pocl-opencl-icd' >"$out/install.log" 2>&1 ||
    { tail -n 40 "$out/install.log"; exit 1; }
# shellcheck disable=SC2016 # of the inner shell
inside 'clfold-info --version
    clfold-info --probe >/tmp/probe
    clfold-bench scan sort --n 1e5 --reps 0 >/tmp/rows || { cat /tmp/rows; exit 1; }
    cc /usr/share/doc/libclfold-dev/examples/readme_scan.c -o /tmp/scan $(pkg-config --cflags --libs clfold OpenCL)
    /tmp/scan >/tmp/scan.log || { cat /tmp/scan.log; exit 1; }
    python3 -c "import numpy, pyopencl, pyopencl.array, pyclfold
queue = pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
x = pyopencl.array.to_device(queue, numpy.array([3, 1, 2]))
print(\"pyclfold\", pyclfold.__version__, pyclfold.sort(x))"
    apt-get purge -q -y "libclfold*" clfold-tools python3-clfold >/tmp/purge.log
    left=$(find / -xdev -name "*clfold*" ! -path "/debs/*" ! -path "/tmp/*" ! -path "/root/*" ! -path "/var/*")
    [ ! "$left" ] || { echo "left behind: $left"; exit 1; }'
rm -rf --one-file-system "$root"
echo "installed, tried and removed"
