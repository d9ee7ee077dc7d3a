#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mpi.sh MPIEXEC PROGRAM PROCESSES:EVERY...: the tests of clfold_mpi by so many processes each, one run after the other:
# the first one fills PoCL's cache for the others. Where MPI cannot start anything here, that is said, and all.
set -eu
mpiexec=$1 program=$2
shift 2

# Of Open MPI: as root in containers, more processes than cores, and no copies from process to process by the kernel,
# which containers forbid.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none

if [ -z "$mpiexec" ] || ! "$mpiexec" -n 2 true >/dev/null 2>&1; then
    echo "mpi: mpiexec is missing, or cannot start processes here: not tested"
    exit 0
fi
status=0
for run in "$@"; do
    "$mpiexec" -n "${run%:*}" "$program" --every "${run#*:}" || status=1
done
exit $status
