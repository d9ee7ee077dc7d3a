/* SPDX-License-Identifier: MIT */
/*
 * device: what a device says that it can do.
 */
#ifndef CLF_DEVICE_H
#define CLF_DEVICE_H

#include "operator/operator.h"

/* ---- device.c: what a device says about itself -------------------------------------------------------- */

/* How tile descriptors are read and written: the numbers are the values of -D CLF_ATOMICS (cl/device/atomics.cl). */
typedef enum clf_atomics {
    CLF_ATOMICS_CL12 = 0,    /* OpenCL 1.2 atomic_*, 32-bit words; no fence between work-groups */
    CLF_ATOMICS_CL12_64 = 1, /* cl_khr_int64_base_atomics, 64-bit words; no fence between work-groups */
    CLF_ATOMICS_C11 = 2,     /* C11 atomics and fences with device scope, 64-bit words */
    CLF_ATOMICS_PTX = 3      /* NVIDIA PTX ld/st.relaxed.gpu, fence.acq_rel.gpu, 64-bit words */
} clf_atomics;

/* How work-items exchange values: the numbers are the values of -D CLF_LANES (cl/device/lane.cl). */
typedef enum clf_lanes {
    CLF_LANES_LOCAL = 0, /* through local memory and barriers only; lane_width is 1 */
    CLF_LANES_PTX = 1,   /* NVIDIA warps: shfl.sync, vote.sync */
    CLF_LANES_KHR = 2,   /* cl_khr_subgroup_shuffle(_relative), cl_khr_subgroup_ballot */
    CLF_LANES_INTEL = 3, /* cl_intel_subgroups */
    CLF_LANES_AMD = 4    /* __builtin_amdgcn_ds_bpermute */
} clf_lanes;

enum { CLF_UNIT_ITEMS = 2048, CLF_MOST_UNITS = 1 << 16 };

typedef struct clf_facts {
    char platform[128], platform_version[128], vendor[128], name[128], version[128], driver[128];
    char architecture[32];  /* "sm_90", "gfx90a"; "" where nobody tells */
    cl_device_type type;    /* as the device says; a CPU's where it says neither, and works as CPUs do */
    cl_uint compute_units;  /* as the driver says: nothing is sized by it (units.c) */
    cl_uint units_measured; /* 0: could not be measured */
    cl_uint units;          /* what launches are sized by: CLF_UNIT_ITEMS work-items that run at a time, or a thread */
    const char *units_from; /* "the driver", "the measurement", "a guess" */
    size_t group_said;      /* work-items, as the driver says, */
    size_t max_group;       /* or fewer, where launches of so many are refused */
    cl_ulong local_said;    /* the same, */
    cl_ulong local_bytes;   /* of local memory, per work-group */
    cl_ulong local_more;    /* beyond those: probed */
    cl_ulong cache_bytes;   /* CL_DEVICE_GLOBAL_MEM_CACHE_SIZE */
    cl_ulong max_alloc;
    cl_uint address_bits;
    cl_uint registers;  /* 32-bit ones per work-group; 0: unknown */
    cl_uint warp;       /* work-items of an NVIDIA warp; 0: unknown */
    cl_uint base_align; /* bytes */
    bool fp64, fp16;
    bool int64_atomics;
    bool is_cpu;         /* take the CPU kernels */
    bool progress;       /* a started work-group keeps running while others wait for it */
    bool progress_shown; /* measured, where the type and the vendor do not tell */
    bool in_order;       /* measured: a GPU starts work-groups in order, but for those that run at a time */
    bool fence;          /* plain writes of one work-group can be published to another */
    bool driver_caches;  /* the driver keeps compiled programs itself */
    bool is_nvidia;
    bool rounds_apart; /* its compiler needs CLF_ROUNDS_APART (cl/device/base.cl) */
    bool optimiser;    /* its compiler optimises where it is asked to (program.c) */
    bool is_pocl;      /* its compiler does not end where a function prints (options.c) */
    bool is_rusticl;   /* Mesa's OpenCL: needs CLF_ALL_INLINE */
    char extensions[8192];
    char std[16]; /* "-cl-std=CL3.0" */
    clf_atomics atomics;
    clf_lanes lanes;
    cl_uint lane_width; /* 1, or 8 to 64 */
} clf_facts;

/* Is `extension` one of the device's? */
bool clf_facts_have(const clf_facts *facts, const char *extension);
/* "cpu", "gpu" or "accelerator" */
const char *clf_device_type_name(cl_device_type type);
/* Queries alone: leaves std, atomics, lanes, lane_width, fence, rounds_apart and optimiser at zero. */
clf_status clf_facts_query(cl_device_id device, const char *disable, clf_facts *facts, clf_error *error);
/* Does the device say that it is a CPU or a GPU? */
bool clf_facts_say_type(const clf_facts *facts);
/* Does every started work-group of such a device go on while others wait for it? If not known, it is measured. */
bool clf_facts_know_progress(const clf_facts *facts);
/* What follows from the type, and from progress_shown: is_cpu and progress. */
void clf_facts_judge_type(clf_facts *facts, const char *disable);
void clf_facts_describe(const clf_facts *facts, clf_text *text);
/* Appends options that keep the device's compiler from its bugs: none for most. */
void clf_facts_avoid_bugs(const clf_facts *facts, clf_text *options);

#endif
