/* SPDX-License-Identifier: MIT */
/*
 * device: what a device says that it can do, and what suits it: parameters, profiles, sizes of tiles.
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

typedef struct clf_facts {
    char platform[128], platform_version[128], vendor[128], name[128], version[128], driver[128];
    cl_device_type type;
    cl_uint compute_units;
    size_t max_group;       /* work-items */
    cl_ulong local_bytes;   /* per work-group, as the device says */
    cl_ulong local_more;    /* beyond those: probed */
    cl_ulong cache_bytes;   /* CL_DEVICE_GLOBAL_MEM_CACHE_SIZE */
    cl_ulong max_alloc;
    cl_uint address_bits;
    cl_uint registers;      /* 32-bit ones per work-group; 0: unknown */
    cl_uint warp;           /* work-items of an NVIDIA warp; 0: unknown */
    cl_uint base_align;     /* bytes */
    bool fp64, fp16;
    bool int64_atomics;
    bool is_cpu;            /* take the CPU kernels */
    bool progress;          /* a started work-group keeps running while others wait for it */
    bool fence;             /* plain writes of one work-group can be published to another */
    bool driver_caches;     /* the driver keeps compiled programs itself */
    bool is_nvidia;
    char extensions[8192];
    char std[16];           /* "-cl-std=CL3.0" */
    clf_atomics atomics;
    clf_lanes lanes;
    cl_uint lane_width;     /* 1, or 8 to 64 */
} clf_facts;

/* Is `extension` one of the device's? */
bool clf_facts_have(const clf_facts *facts, const char *extension);
/* Queries alone: leaves std, atomics, lanes, lane_width and fence at zero. */
clf_status clf_facts_query(cl_device_id device, const char *disable, clf_facts *facts, clf_error *error);
void clf_facts_describe(const clf_facts *facts, clf_text *text);

/* ---- parameters.c: all that there are, and lists of them ---------------------------------------------- */

/* Who reads a parameter: what only the host reads is no part of a program, and changing it compiles nothing. */
typedef enum clf_reader {
    CLF_READ_BY_KERNELS, /* "items" is -D CLF_ITEMS=value */
    CLF_READ_BY_HOST,
    CLF_READ_BY_COMPILER /* an option of its own */
} clf_reader;
typedef struct clf_known_parameter {
    const char *name;
    cl_uint least, most;
    clf_reader reader;
    const char *otherwise, *text; /* what it is where nobody says; what it means */
} clf_known_parameter;
/* By its place in the table, NULL behind the last; by its name, NULL if there is none. */
const clf_known_parameter *clf_parameter_number(size_t number);
const clf_known_parameter *clf_parameter_known(const char *name);

/* Variants may set others for their kernels, which nobody else can: they are read by kernels. */
typedef struct clf_parameter {
    char name[24]; /* lower case */
    cl_uint value;
} clf_parameter;
enum { CLF_MAX_PARAMETERS = 32 };
enum { CLF_MOST_ITEMS = 1024 }; /* of a work-item that has others beside it */
typedef struct clf_parameters {
    cl_uint count;
    clf_parameter item[CLF_MAX_PARAMETERS];
} clf_parameters;
cl_uint clf_parameter_get(const clf_parameters *list, const char *name, cl_uint otherwise);
void clf_parameter_set(clf_parameters *list, const char *name, cl_uint value);
/* Sets one that is not set. */
void clf_parameter_default(clf_parameters *list, const char *name, cl_uint value);
/* Takes "name = 12", the name being a known one. */
bool clf_parameter_read(clf_cursor *c, char name[24], cl_uint *value);
/* Is the value of a known one within its range? */
clf_status clf_parameter_check(const char *name, cl_uint value, clf_error *error);
/* Adds "items=20,group=256" to `list`. Names must be among the known ones, numbers in their ranges. */
clf_status clf_parameters_parse(const char *text, clf_parameters *list, clf_error *error);

/* ---- tune.c, model.c: profiles; the model of m ----------------------------------------------------------- */

typedef struct clf_profile {
    char *text; /* checked lines of the caller; NULL: none */
} clf_profile;
clf_status clf_profile_load(clf_profile *profile, const char *text, clf_error *error);
void clf_profile_free(clf_profile *profile);
/* Appends the line "profile = …": which profiles hold for the device. */
void clf_profile_describe(const clf_profile *profile, const clf_facts *facts, clf_text *text);
/*
 * Adds what the built-in profile of this device and then the caller's say about `primitive` ("scan"),
 * `type_class` ("b4", see clf_type_class), `variant` and `role` (each may be NULL); returns whether there was
 * anything.
 */
bool clf_profile_lookup(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                        const char *type_class, const char *variant, const char *role, clf_parameters *list);
/*
 * Likewise, the variant that they give a role ("scan.b4.main = central"); `chosen` is untouched if there is
 * none.
 */
bool clf_profile_cast(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                      const char *type_class, const char *role, char chosen[32]);
/*
 * "b4": bytes of the value; of a tuple "b32x8": their sum rounded up to a power of two, and its largest
 * field's.
 */
void clf_type_class(const clf_fields *value, char name[16]);
/*
 * The sequential factor m of Clausen 2021 (chapter 5): elements per work-item that local memory and registers
 * allow. k_mem: local bytes per work-item at the largest group; k_reg: 32-bit registers likewise. `staged`: the
 * fields that are worked on at a time (slab.c): with several rounds those of the largest, not the sum.
 */
cl_uint clf_model_items(cl_uint k_mem, cl_uint k_reg, const clf_fields *value, const clf_fields *staged);
/* Queried k_mem and k_reg of a device (64 registers where the device does not tell). */
void clf_model_limits(const clf_facts *facts, cl_uint *k_mem, cl_uint *k_reg);
/* Is 64 all that a work-item has, however few there are? */
bool clf_short_of_registers(const clf_facts *facts);

/* ---- slab.c: local memory of the tile kernels, and what follows from it -------------------------------- */

/*
 * Tile kernels hold a tile of every input in local memory, each in a region of its own. Outputs are staged there
 * in rounds, each in a region of its own or, in the last round, in that of an input of the same element size.
 */
enum { CLF_REGION_OWN = CLF_MAX_FIELDS };
typedef struct clf_slab_map {
    cl_uint rounds;
    cl_uint round[2 * CLF_MAX_FIELDS];  /* of each output: value fields, then extra fields */
    cl_uint region[2 * CLF_MAX_FIELDS]; /* the input whose region it takes, or CLF_REGION_OWN */
} clf_slab_map;
/*
 * Deals the outputs out to at most `rounds` rounds: fewer, if more would not save memory. Returns the bytes of own
 * regions, per element.
 */
cl_uint clf_slab_deal(const clf_operator_copy *op, cl_uint rounds, clf_slab_map *map);
const clf_field *clf_output_field(const clf_operator_copy *op, cl_uint output);
/* Bytes of the smallest element of inputs and outputs, 16 at most. */
cl_uint clf_smallest_field(const clf_operator_copy *op);
/* Local memory of all regions. */
cl_ulong clf_slab_bytes(const clf_operator_copy *op, cl_uint rounds, cl_uint group, cl_uint items);
/* Local memory of the tile kernels: the regions, and the group scan's and central group's totals. */
cl_ulong clf_tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint rounds, cl_uint group,
                        cl_uint items);
/* Local memory of a stretch (cl/memory/stretch.cl) of elements of `bytes` bytes, with its padding. */
cl_ulong clf_stretch_bytes(cl_ulong elements, cl_uint bytes);
/* The elements per work-item of the model (tune.c), for so many rounds. */
cl_uint clf_tile_model(const clf_facts *facts, const clf_operator_copy *op, cl_uint rounds);
/* Like clf_type_class, of what a tile holds in local memory: the value's class where input and value have one
 * layout. */
void clf_tile_class(const clf_operator_copy *op, char name[16]);
/* Rounds: those asked for, or a default. */
cl_uint clf_tile_rounds(const clf_operator_copy *op, const clf_parameters *parameters);
/* The fewest work-items that a group may have, but for CPU kernels. */
cl_uint clf_least_group(const clf_facts *facts);
/* 256, or what there may be. */
cl_uint clf_usual_group(const clf_facts *facts);
/* For the defaults functions of variants: group, rounds and items of tile kernels. */
void clf_tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);

#endif
