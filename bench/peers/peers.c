/* SPDX-License-Identifier: MIT */
/*
 * Which peers this build has: libraries are optional, and found or not when the build is configured; those of Python
 * when they are asked for.
 */
#include "rows/peer.h"

#include <stddef.h>

const peer *const peer_list[] = {
#ifdef CLFOLD_PEER_STD_PAR
    &peer_std_serial,
    &peer_std_par,
#endif
#ifdef CLFOLD_PEER_OPENMP
    &peer_openmp,
#endif
#ifdef CLFOLD_PEER_BOOST_COMPUTE
    &peer_boost_compute,
#endif
#ifdef CLFOLD_PEER_CUB
    &peer_cub,
#endif
#ifdef CLFOLD_PEER_VQSORT
    &peer_vqsort,
#endif
#ifdef CLFOLD_PEER_PYTHON
    &peer_numpy,
    &peer_pyopencl,
#endif
    &peer_gems39,
    &peer_hillis_steele,
    &peer_blelloch,
    &peer_contraction,
    &peer_interleaved,
    &peer_by_warps,
    &peer_halves,
    NULL,
};
