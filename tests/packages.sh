# SPDX-License-Identifier: MIT
#
# For the scripts that start from a bare machine: names Debian packages that are missing and installs them.
#
#     show_help SCRIPT     prints the comment at the head of a script
#     need PACKAGE TEST    the package is missed where the shell command TEST fails
#     want PACKAGE TEST    likewise, but one can go on without it. "clang-15|clang-17": the first that this release has
#     install_missing      installs them by one call of apt-get; where it may not, prints the command for who may

missing=
optional=

show_help() { sed -n '4,/^[^#]/s/^# \{0,1\}//p' "$1"; }

# add_package LIST PACKAGE: sets the list, which has no package twice
add_package() {
    case " $missing $optional " in *" $2 "*) ;; *) eval "$1=\"\$$1 $2\"" ;; esac
}

need() { sh -c "$2" >/dev/null 2>&1 || add_package missing "$1"; }
want() { sh -c "$2" >/dev/null 2>&1 || add_package optional "$1"; }

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

# ocloc comes with a driver, which nobody asked for: the loader does not get to know it.
apt_install() {
    as_root apt-get install -q -y --no-install-recommends \
        '-oDpkg::Options::=--path-exclude=/etc/OpenCL/vendors/intel*.icd' "$@"
}

# hand_on WORDS: nothing can be installed here. That ends the script if the packages are needed, not if they are wanted.
hand_on() {
    printf '%s%s\n' "$1" "$missing$optional"
    [ -z "$missing" ] || exit 1
    echo "Going on without them."
}

# choose: keeps the optional packages that apt knows, each by the first of its names. An apt without lists knows none.
choose() {
    known=
    unknown=
    for names in $optional; do
        for package in $(echo "$names" | tr '|' ' ') ''; do
            [ -z "$package" ] || apt-cache show "$package" >/dev/null 2>&1 && break
        done
        if [ "$package" ]; then known="$known $package"; else unknown="$unknown ${names%%|*}"; fi
    done
    if [ "$known" ]; then
        optional=$known
        [ -z "$unknown" ] || echo "This release does not have:$unknown"
    else
        optional=$(echo "$optional" | sed 's/|[^ ]*//g')
    fi
}

install_missing() {
    if [ -z "$missing$optional" ]; then
        return 0
    elif ! command -v apt-get >/dev/null; then
        choose
        hand_on "Missing here, by their names in Debian:"
        return 0
    elif [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        choose
        hand_on "Packages are missing. Root can install them by this command:
    apt-get update && apt-get install --no-install-recommends"
        return 0
    fi
    as_root apt-get update -q || true
    choose
    echo "Installing what is missing:$missing$optional"
    # shellcheck disable=SC2086 # lists of words
    apt_install $missing $optional && return
    echo "Not all of these can be had here: first what is needed, then the others one by one."
    # shellcheck disable=SC2086
    [ -z "$missing" ] || apt_install $missing || exit 1
    for package in $optional; do
        apt_install "$package" || echo "No $package: going on without."
    done
}

# absolute PATH: as seen from $here, where the command was given
absolute() { case $1 in /*) echo "$1" ;; *) echo "$here/$1" ;; esac; }
