#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mpi.sh MPIEXEC PROGRAM EXAMPLE WORK PROCESSES:EVERY...: the tests of clfold_mpi by so many processes each, one run after
# the other, with their number as seed; then the example by three. Where MPI cannot start anything here, that is said, and
# all. MPIEXEC is that of the MPI which the programs are built with: Open MPI or MPICH.
#
# Each process has a folder of its own below WORK for PoCL's cache, filled by the runs before: where two of them compile a
# program at the same time, for one folder, PoCL 3.1 fails now and then (CL_BUILD_PROGRAM_FAILURE, and no word why).
set -eu
mpiexec=$1 program=$2 example=$3 work=$4
shift 4

# Of Open MPI: as root in containers, more processes than cores, and no copies from process to process by the kernel,
# which containers forbid. MPICH wants nothing of that.
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
# start PROCESSES PROGRAM...
start() {
    processes=$1
    shift
    rank=1
    while [ "$rank" -lt "$processes" ]; do
        rm -rf "${work:?}/$rank"
        cp -R "$work/0" "$work/$rank"
        rank=$((rank + 1))
    done
    "$mpiexec" -n "$processes" sh -c "$own" "$work" "$@" </dev/null
}
for run in "$@"; do
    # as many as that, or else the mpiexec of another MPI would start as many worlds of one
    start "${run%:*}" "$program" --processes "${run%:*}" --every "${run#*:}" --seed "${run%:*}" || status=1
done

# The second time the files are there.
mkdir "$work/files"
for time in first second; do
    start 3 "$example" "$work/files" >"$work/$time" || status=1
    sort -o "$work/$time" "$work/$time"
done
cat "$work/first"
if ! grep -q '^files 0 to 2: 323757 numbers ' "$work/first" || ! cmp "$work/first" "$work/second"; then
    echo "mpi: the example says something else than it should, or about files that are there"
    status=1
fi
rm -rf "$work"
exit $status
