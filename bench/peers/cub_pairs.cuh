// SPDX-License-Identifier: MIT
//
// What CUB's sorts of keys with places of 32 bits have in common: what is given uploaded once, and sorted elsewhere.
#ifndef CLFOLD_CUB_PAIRS_CUH
#define CLFOLD_CUB_PAIRS_CUH

#include "cub_job.cuh"

namespace cub_peer {

template <class Self, class T> class pairs_job : public scratch_job<Self> {
public:
    explicit pairs_job(const peer_job &from)
        : keys_(upload<T>(from)), sorted_(allocate<T>(from.results * sizeof(T))),
          places_(allocate<std::uint32_t>(from.n * 4)), moved_(allocate<std::uint32_t>(from.results * 4))
    {
        if (from.inputs > 1)
            check(cudaMemcpy(places_.get(), from.in[1], from.n * 4, cudaMemcpyHostToDevice));
    }

    bool shape(std::uint64_t, std::uint64_t size) override
    {
        size_ = size;
        this->prepare();
        return true;
    }

    void copy() override
    {
        check(cudaMemcpyAsync(sorted_.get(), keys_.get(), size_ * sizeof(T), cudaMemcpyDeviceToDevice));
        check(cudaMemcpyAsync(moved_.get(), places_.get(), size_ * 4, cudaMemcpyDeviceToDevice));
    }

    void fetch(void *const *out) override
    {
        check(cudaMemcpy(out[0], sorted_.get(), size_ * sizeof(T), cudaMemcpyDeviceToHost));
        check(cudaMemcpy(out[1], moved_.get(), size_ * 4, cudaMemcpyDeviceToHost));
    }

protected:
    std::uint64_t size_ = 0;
    std::unique_ptr<T, free_device> keys_, sorted_;
    std::unique_ptr<std::uint32_t, free_device> places_, moved_;
};

} // namespace cub_peer

#endif
