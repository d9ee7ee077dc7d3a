# SPDX-License-Identifier: MIT
#
# What scripts that test tools share: . refuses.sh

# fail WORDS...: ends the script, which is named
fail() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

# refuses WORDS COMMAND...: exit status 2, and a message with these words
refuses() {
    words=$1
    shift
    status=0
    message=$("$@" 2>&1) || status=$?
    [ $status = 2 ] || fail "$* ended with status $status"
    case $message in *"$words"*) ;; *) fail "$* said: $message" ;; esac
}
