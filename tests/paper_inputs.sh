#!/bin/sh
# SPDX-License-Identifier: MIT
#
# paper_inputs.sh FOLDER DIR: the examples in FOLDER that read the formats of Rodinia and Parboil, with files made in DIR.
set -eu
programs=$1 dir=$2
. "$(dirname "$0")/refuses.sh"
rm -rf "$dir"
mkdir -p "$dir"
cd "$dir"

# prints WORDS PROGRAM ARGUMENTS...
prints() {
    words=$1 program=$2
    shift 2
    "$programs/$program" "$@" >printed || fail "$program $*: $(cat printed)"
    grep -qF -- "$words" printed || fail "$program $* printed: $(cat printed)"
}

# k-means: a number, then the features, between blanks, tabs or commas; three heaps that take turns.
awk 'BEGIN { for (i = 0; i < 600; i++) printf "%d 0.25,%d\t%.2f %d\n", i, i % 3 * 1000, i % 7 / 4, i % 3 * 9e6 }' >points.txt
prints '600 points, 4 features' kmeans points.txt
prints ' 0 changed in the last: 0 errors' kmeans points.txt 100
printf '0 1 2\n1 3 4 5\n' >uneven.txt
refuses 'point 2 has 3 features, not 2' "$programs/kmeans" uneven.txt
printf '0 1\n\n1 2\n' >few.txt
refuses '2 points are fewer than 5 centres' "$programs/kmeans" few.txt

# TPACF: right ascension and declination in arc minutes; the observed points lie one minute and a half apart.
awk 'BEGIN { for (i = 0; i < 40; i++) print 60 * i, 1.5 * (i % 2) "\n" 60 * i, 1.5 * (i % 2) + 1.4 }' >observed.txt
awk 'BEGIN { for (i = 0; i < 80; i++) print 30 * i, i * i % 97 }' >random1.txt
awk 'BEGIN { for (i = 0; i < 80; i++) print 29 * i, i * i % 89 }' >random2.txt
prints '80 points, 2 random sets: 0 errors' tpacf observed.txt random1.txt random2.txt
head -n 79 random2.txt >short.txt
refuses 'short.txt has 79 points, not 80' "$programs/tpacf" observed.txt short.txt

# MRI-Q: two counts of 32 bits, and floats, here all zeros but the counts: 2 samples, 3 voxels.
{ printf '\002\000\000\000\003\000\000\000' && head -c 76 /dev/zero; } >mri.bin
prints '3 voxels, 2 samples: 0 errors' mri_q mri.bin
printf '\002\000\000\000\003\000\000\000' >cut.bin
refuses 'cut.bin has no input of MRI-Q' "$programs/mri_q" cut.bin
