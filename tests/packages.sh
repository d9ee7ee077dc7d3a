# SPDX-License-Identifier: MIT
#
# For the scripts that start from a bare machine: names Debian packages that are missing and installs them.
#
#     need PACKAGE TEST    the package is missed where the shell command TEST fails
#     want PACKAGE TEST    likewise, but one can go on without it
#     install_missing      says what it installs; elsewhere than on Debian and Ubuntu says what to install, and stops

missing=
optional=

need() { sh -c "$2" >/dev/null 2>&1 || missing="$missing $1"; }
want() { sh -c "$2" >/dev/null 2>&1 || optional="$optional $1"; }

# What every build here needs.
need_build() {
    need build-essential 'command -v cc && command -v make && command -v g++'
    need cmake 'command -v cmake'
    need ninja-build 'command -v ninja'
    need pkg-config 'command -v pkg-config'
    need check 'pkg-config --exists check'
    need opencl-headers 'echo "#include <CL/cl.h>" | cc -E -'
    need ocl-icd-opencl-dev 'echo "int main(void){return 0;}" | cc -xc - -lOpenCL -o /dev/null'
    need pocl-opencl-icd 'ls /etc/OpenCL/vendors/*.icd'
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    elif command -v sudo >/dev/null; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        echo "Run this as root, or install sudo."
        return 1
    fi
}

apt_install() { as_root apt-get install -q -y --no-install-recommends "$@"; }

install_missing() {
    [ -n "$missing$optional" ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "Missing here, by their names in Debian:$missing$optional"
        [ -z "$missing" ] || exit 1
        return 0
    fi
    echo "Installing what is missing:$missing$optional"
    as_root apt-get update -q || true
    # shellcheck disable=SC2086 # a list of words
    [ -z "$missing" ] || apt_install $missing || exit 1
    for package in $optional; do
        # Where ocloc is, there is a driver, too, which nobody asked for: the loader does not get to know it.
        hidden=
        [ "$package" != intel-opencl-icd ] || hidden='-oDpkg::Options::=--path-exclude=/etc/OpenCL/vendors/intel*.icd'
        apt_install ${hidden:+"$hidden"} "$package" || echo "No $package: going on without."
    done
}
