# SPDX-License-Identifier: MIT
#
# For run.sh: the time that is left of a run, by what steps and tests usually take and by the pace so far.
#
#     awk -v begun=SECONDS -v now=SECONDS -v cores=N -v all=yes -f time_left.awk durations.txt DONE
#
# DONE names the steps and tests that have ended; `all`: also those count that only --all runs.

FNR == NR {
    if ($1 !~ /^#/ && (all || $3 != "all")) total += usual[$1] = $2
    next
}

!ended[$1]++ { did += usual[$1] }

# The pace says something after a while; until then it is as usual.
END {
    minutes = int((total - did) * (did > 60 ? (now - begun) / did : 1 / cores) / 60 + 0.5)
    print "about " (minutes > 1 ? minutes : 1) " min left"
}
