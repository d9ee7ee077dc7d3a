/* SPDX-License-Identifier: MIT */
/*
 * clfold_mpi: members of a communicator (clfold_distributed.h) in the processes of MPI. Any MPI of version 3.
 *
 *     MPI_Init(&argc, &argv);
 *     clf_mpi_comm_create(MPI_COMM_WORLD, context, queue, &comm);         a device for each process
 *     clf_comm_sort_plan(comm, &op, 0, NULL, &plan, NULL);                and all else as with devices of one process
 *     clf_comm_sort(plan, &n, in, out);
 *     clf_comm_plan_release(plan);
 *     clf_comm_release(comm);                                             before MPI_Finalize
 *
 * Built where CMake finds MPI: link clfold::mpi, of find_package(clfold COMPONENTS mpi), or with
 * `mpicc … $(pkg-config --cflags --libs clfold) -lclfold_mpi -lclfold_distributed -lOpenCL`.
 */
#ifndef CLFOLD_MPI_H
#define CLFOLD_MPI_H

#include <clfold/clfold_distributed.h>
#include <mpi.h>

#if defined(_WIN32) && !defined(CLFOLD_STATIC)
#ifdef CLFOLD_MPI_BUILDING
#define CLF_MPI_API __declspec(dllexport)
#else
#define CLF_MPI_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLF_MPI_API __attribute__((visibility("default")))
#else
#define CLF_MPI_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes a communicator of the processes of `mpi`, each of which is a member with its rank there. All of them call this
 * together. `mpi` is duplicated, so that the caller's messages and clfold's never mix. Context and queue are retained.
 * Calls use MPI from the thread that calls them.
 *
 * MPI's own errors, which seldom return by MPI's rules, are CLF_E_UNSUPPORTED.
 */
CLF_MPI_API clf_status clf_mpi_comm_create(MPI_Comm mpi, clf_context *context, cl_command_queue queue, clf_comm **comm);

#ifdef __cplusplus
}
#endif
#endif
