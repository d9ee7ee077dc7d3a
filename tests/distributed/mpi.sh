#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mpi.sh MPIEXEC PROGRAM WORK PROCESSES:EVERY...: the tests of clfold_mpi by so many processes each, one run after the
# other. Where MPI cannot start anything here, that is said, and all.
#
# Each process has a folder of its own below WORK for PoCL's cache, filled by the runs before: where two of them compile a
# program at the same time, for one folder, PoCL 3.1 fails now and then (CL_BUILD_PROGRAM_FAILURE, and no word why).
set -eu
mpiexec=$1 program=$2 work=$3
shift 3

# Of Open MPI: as root in containers, more processes than cores, and no copies from process to process by the kernel,
# which containers forbid.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

if [ -z "$mpiexec" ] || ! "$mpiexec" -n 2 true >/dev/null 2>&1; then
    echo "mpi: mpiexec is missing, or cannot start processes here: not tested"
    exit 0
fi
status=0
rm -rf "$work"
mkdir -p "$work/0"
# shellcheck disable=SC2016 # of the inner shell, in each process
own='POCL_CACHE_DIR=$0/${OMPI_COMM_WORLD_RANK:-$PMI_RANK} exec "$@"'
for run in "$@"; do
    rank=1
    while [ "$rank" -lt "${run%:*}" ]; do
        rm -rf "${work:?}/$rank"
        cp -R "$work/0" "$work/$rank"
        rank=$((rank + 1))
    done
    "$mpiexec" -n "${run%:*}" sh -c "$own" "$work" "$program" --every "${run#*:}" || status=1
done
rm -rf "$work"
exit $status
