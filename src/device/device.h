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

enum { CLF_UNIT_ITEMS = 2048, CLF_MOST_UNITS = 1 << 16 };

typedef struct clf_facts {
    char platform[128], platform_version[128], vendor[128], name[128], version[128], driver[128];
    char architecture[32]; /* "sm_90", "gfx90a"; "" where nobody tells */
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
    cl_uint registers;      /* 32-bit ones per work-group; 0: unknown */
    cl_uint warp;           /* work-items of an NVIDIA warp; 0: unknown */
    cl_uint base_align;     /* bytes */
    bool fp64, fp16;
    bool int64_atomics;
    bool is_cpu;            /* take the CPU kernels */
    bool progress;          /* a started work-group keeps running while others wait for it */
    bool progress_shown;    /* measured, where the type and the vendor do not tell */
    bool fence;             /* plain writes of one work-group can be published to another */
    bool driver_caches;     /* the driver keeps compiled programs itself */
    bool is_nvidia;
    bool rounds_apart;      /* its compiler needs CLF_ROUNDS_APART (cl/device/base.cl) */
    bool optimiser;         /* its compiler optimises where it is asked to (program.c) */
    bool is_pocl;           /* its compiler does not end where a function prints (options.c) */
    bool is_rusticl;        /* Mesa's OpenCL: needs CLF_ALL_INLINE */
    char extensions[8192];
    char std[16];           /* "-cl-std=CL3.0" */
    clf_atomics atomics;
    clf_lanes lanes;
    cl_uint lane_width;     /* 1, or 8 to 64 */
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

/* ---- parameters.c: all that there are, and lists of them ---------------------------------------------- */

/* Who reads a parameter: what only the host reads is no part of a program, and changing it compiles nothing. */
typedef enum clf_reader {
    CLF_READ_BY_KERNELS, /* "items" is -D CLF_ITEMS=value */
    CLF_READ_BY_HOST,
    CLF_READ_BY_COMPILER /* an option of its own */
} clf_reader;
/* Where clf_context_tune looks for a better value: nowhere, by twice and half, among all that there are. */
typedef enum clf_search { CLF_SEARCH_NONE, CLF_SEARCH_FACTORS, CLF_SEARCH_ALL } clf_search;
typedef struct clf_known_parameter {
    const char *name;
    cl_uint least, most;
    clf_reader reader;
    clf_search search;
    const char *otherwise, *text; /* what it is where nobody says; what it means */
} clf_known_parameter;
/* By its place in the table, NULL behind the last; by its name, NULL if there is none. */
const clf_known_parameter *clf_parameter_number(size_t number);
const clf_known_parameter *clf_parameter_known(const char *name);

/* Where a value comes from: a profile by name, "plan", …, and a line of it. NULL: a variant's default. */
typedef struct clf_origin {
    const char *source;
    unsigned line; /* 0: none */
} clf_origin;

/* Variants may set others for their kernels, which nobody else can: they are read by kernels. */
typedef struct clf_parameter {
    char name[24]; /* lower case */
    cl_uint value;
    clf_origin origin;
} clf_parameter;
enum { CLF_MAX_PARAMETERS = 32 };
enum { CLF_MOST_ITEMS = 1024 }; /* of a work-item that has others beside it */
typedef struct clf_parameters {
    cl_uint count;
    clf_parameter item[CLF_MAX_PARAMETERS];
} clf_parameters;
cl_uint clf_parameter_get(const clf_parameters *list, const char *name, cl_uint otherwise);
void clf_parameter_set(clf_parameters *list, const char *name, cl_uint value);
void clf_parameter_set_from(clf_parameters *list, const char *name, cl_uint value, clf_origin origin);
/* Sets one that is not set. */
void clf_parameter_default(clf_parameters *list, const char *name, cl_uint value);
/* Takes "name = 12", the name being a known one. */
bool clf_parameter_read(clf_cursor *c, char name[24], cl_uint *value);
/* Is the value of a known one within its range? */
clf_status clf_parameter_check(const char *name, cl_uint value, clf_error *error);
/* Adds "items=20,group=256" to `list`. Names must be among the known ones, numbers in their ranges. */
clf_status clf_parameters_parse(const char *text, clf_parameters *list, clf_error *error);

/* ---- profile.c: texts of profiles ---------------------------------------------------------------------- */

/*
 * A profile is settings, each on a line of its own, and perhaps a header that says what device they are for (clfold.h,
 * clf_context_options.profile). A text has any number of them: sections. Those that are built in are the files of
 * profiles/, by their names; cmake/EmbedKernels.cmake writes the table, which ends with NULL.
 */
typedef struct clf_profile_file {
    const char *name;
    const unsigned char *data; /* a zero stands behind the bytes */
    size_t bytes;
} clf_profile_file;
extern const clf_profile_file clf_profile_files[];

/* What a header may say, by its place in `clf_section.header`. */
typedef enum clf_header_key {
    CLF_HEADER_DEVICE, CLF_HEADER_PLATFORM, CLF_HEADER_VENDOR, CLF_HEADER_TYPE, CLF_HEADER_ARCHITECTURE,
    CLF_HEADER_DRIVER, CLF_HEADER_VERSION, CLF_HEADER_SCORE,
    CLF_HEADER_KEYS
} clf_header_key;
typedef struct clf_section {
    const char *source; /* "nvidia-h200.profile", "caller" */
    bool headed;
    clf_cursor header[CLF_HEADER_KEYS]; /* empty ones were not given */
    clf_cursor settings; /* checked lines */
    unsigned line;       /* number of the first of them */
} clf_section;

/* "scan.b4.central.items = 52", or "scan.b4.main = central". */
typedef struct clf_setting {
    char primitive[32], type_class[16];
    char variant[32];   /* or a role */
    char parameter[24]; /* "": the line gives the role the variant `choice` */
    cl_uint value;
    char choice[32];
} clf_setting;
/* Takes the next line off the text; `line` is it without its comment. False at the end. */
bool clf_next_line(clf_cursor *text, clf_cursor *line);
bool clf_setting_parse(clf_cursor line, clf_setting *setting);
/* Takes the next section off the text, all of whose lines are good. Blank text is a section without lines. `number` is
 * that of the first line, and then that of the first line behind. */
clf_status clf_section_parse(clf_cursor *text, unsigned *number, clf_section *section, clf_error *error);

/* ---- tune.c, model.c: what suits a device; the model of m ------------------------------------------------ */

/* How a section comes to hold for a device, from the weakest on. */
typedef enum clf_reach {
    CLF_REACH_NONE,         /* it does not */
    CLF_REACH_ANY,          /* it is for any device */
    CLF_REACH_VENDOR,       /* for those of the vendor and type */
    CLF_REACH_ARCHITECTURE, /* of the architecture, or with a longer name */
    CLF_REACH_DEVICE
} clf_reach;
clf_reach clf_section_reach(const clf_section *section, const clf_facts *facts);

/* Who says so, from the weakest on: each as a whole overrides those before. */
typedef enum clf_profile_owner {
    CLF_PROFILE_BUILT_IN, CLF_PROFILE_CALLER, CLF_PROFILE_FILE,
    CLF_PROFILE_OWNERS
} clf_profile_owner;
typedef struct clf_profile_text {
    char *text; /* NULL: none, or built in */
    size_t count;
    clf_section *section;
} clf_profile_text;
typedef struct clf_tuned clf_tuned;
typedef struct clf_profile {
    clf_profile_text by[CLF_PROFILE_OWNERS];
    _Atomic(clf_tuned *) tuned; /* tuned.c */
    char file_name[64];
    char ignored[256]; /* a sentence: why the file is not heeded; "": it is, or there is none */
} clf_profile;
/* The built-in profiles, and the caller's text (may be NULL); `profile` is empty after a failure. */
clf_status clf_profile_load(clf_profile *profile, const char *text, clf_error *error);
/* Adds a file, or, if that is "off", takes all others away. Where it cannot be heeded, `ignored` says why. */
clf_status clf_profile_read(clf_profile *profile, const char *path, clf_error *error);
void clf_profile_free(clf_profile *profile);
/* Does this owner have profiles, but none for the device? */
bool clf_profile_is_foreign(const clf_profile *profile, clf_profile_owner owner, const clf_facts *facts);
/* Appends the line "profile = …": which profiles hold for the device; and "profile_ignored = …" where one is not. */
void clf_profile_describe(const clf_profile *profile, const clf_facts *facts, clf_text *text);
/*
 * Adds what the built-in profiles of this device, then the caller's and then the file say about `primitive` ("scan"),
 * `type_class` ("b4", see clf_type_class), `variant` and `role` (each may be NULL); returns whether there was
 * anything.
 */
bool clf_profile_lookup(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                        const char *type_class, const char *variant, const char *role, clf_parameters *list);
/*
 * Likewise, the variant that they give a role ("scan.b4.main = central"), and where that stands (NULL: never mind);
 * `chosen` is untouched if there is none.
 */
bool clf_profile_variant(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                         const char *type_class, const char *role, char chosen[32], clf_origin *origin);

/* ---- tuned.c: settings that were found while the program runs; they override all others ------------------ */

/* Adds lines, in any thread; of several that set the same the last one holds. */
clf_status clf_profile_learn(clf_profile *profile, const char *lines, clf_error *error);
void clf_profile_unlearn(clf_profile *profile); /* when nobody uses it any more */
const clf_section *clf_profile_tuned(const clf_profile *profile); /* NULL: nothing was learnt */
/* Appends them as a whole profile for this device. */
void clf_profile_write_tuned(const clf_profile *profile, const clf_facts *facts, clf_text *text);

/* ---- model.c ---------------------------------------------------------------------------------------------- */

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
/* Local memory that there is, which may be more than the device says: for profiles and callers to ask for. */
cl_ulong clf_local_most(const clf_facts *facts);
/* The fewest work-items that a group may have, but for CPU kernels. */
cl_uint clf_least_group(const clf_facts *facts);
/* 256, or what there may be. */
cl_uint clf_usual_group(const clf_facts *facts);
/* For the defaults functions of variants: group, rounds and items of tile kernels. */
void clf_tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);

#endif
