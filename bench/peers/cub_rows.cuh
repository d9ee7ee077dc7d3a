// SPDX-License-Identifier: MIT
//
// Offsets of rows, computed on the fly: there is no array of them to read.
#ifndef CLFOLD_CUB_ROWS_CUH
#define CLFOLD_CUB_ROWS_CUH

#include "cub_job.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace cub_peer {

struct row_begin {
    std::int32_t size;
    __host__ __device__ std::int32_t operator()(std::int32_t row) const { return row * size; }
};

// Where each row begins; the next entry is where it ends.
inline auto begins(std::uint64_t size)
{
    return thrust::make_transform_iterator(thrust::make_counting_iterator(std::int32_t(0)),
                                           row_begin{static_cast<std::int32_t>(size)});
}

} // namespace cub_peer

#endif
