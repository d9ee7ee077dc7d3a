// SPDX-License-Identifier: MIT
//
// CUB on the same GPU through CUDA: the fastest of NVIDIA's own platform. Each file cub_*.cu says which of its entries
// it calls. CMake's CLFOLD_CCCL names the folder with the headers of a newer CUB than the toolkit's. The copy is
// cudaMemcpyAsync from device to device.
#include "cub_job.cuh"

#include <cstdio>
#include <cub/version.cuh>
#include <set>
#include <string>

namespace {

using cub_peer::job;

bool have_cuda()
{
    static const cudaError_t status = [] { int count; return cudaGetDeviceCount(&count); }();
    static const bool said = status != cudaSuccess
        && std::fprintf(stderr, "cub: %s\n", cudaGetErrorString(status));
    return !said;
}

job *open_job(const peer_job &from)
{
    const std::string primitive = from.primitive;
    if (primitive == "scan") return cub_peer::open_scan(from);
    if (primitive == "segmented_scan") return cub_peer::open_segmented_scan(from);
    if (primitive == "reduce") return cub_peer::open_reduce(from);
    if (primitive == "segmented_reduce") return cub_peer::open_segmented_reduce(from);
    if (primitive == "adjacent_difference") return cub_peer::open_adjacent_difference(from);
    if (primitive.rfind("gather", 0) == 0 || primitive.rfind("scatter", 0) == 0) return cub_peer::open_gather(from);
    if (primitive == "filter_bits") return nullptr;
    if (primitive == "unique" || primitive == "partition" || primitive.rfind("filter", 0) == 0)
        return cub_peer::open_select(from);
    if (primitive == "merge") return cub_peer::open_merge(from);
    if (primitive == "reduce_by_key" || primitive == "run_lengths") return cub_peer::open_runs(from);
    if (primitive == "segmented_sort") return cub_peer::open_segmented_sort(from);
    if (primitive.rfind("top_k_rows", 0) == 0) return cub_peer::open_top_k_rows(from);
    if (primitive.rfind("top_k", 0) == 0) return cub_peer::open_top_k(from);
    if (primitive.rfind("sort", 0) == 0) return cub_peer::open_sort(from);
    if (primitive.rfind("histogram", 0) == 0) return cub_peer::open_histogram(from);
    if (primitive.rfind("merge_sort", 0) == 0) return cub_peer::open_merge_sort(from);
    return nullptr;
}

const std::string &own_version()
{
    static const std::string text = std::to_string(CUB_VERSION / 100000) + "." +
                                    std::to_string(CUB_VERSION / 100 % 1000) + "." + std::to_string(CUB_VERSION % 100);
    return text;
}

void *open(const peer_job *from)
{
    try {
        return have_cuda() ? open_job(*from) : nullptr;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "cub: %s\n", error.what());
        return nullptr;
    }
}

const char *version() { return own_version().c_str(); }

void copy(void *state) { peers::attempt<job>(state, [](job *self) { self->copy(); }); }
void wait(void *state) { peers::attempt<job>(state, [](job *) { cub_peer::check(cudaDeviceSynchronize()); }); }
void close(void *state) { delete static_cast<job *>(state); }

} // namespace

void cub_peer::want(const char *entry, const char *version)
{
    static std::set<std::string> said;
    if (said.insert(entry).second)
        std::fprintf(stderr, "cub: %s wants CUB %s or newer, and this build has %s (CMake's CLFOLD_CCCL)\n", entry,
                     version, own_version().c_str());
}

extern "C" {
extern const peer peer_cub = {job::peer_name, open, peers::shape<job>, peers::call<job>, copy, wait, peers::fetch<job>,
                              close, nullptr, 0, version};
}
