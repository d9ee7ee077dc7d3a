/* SPDX-License-Identifier: MIT */
/*
 * What a device says about itself, and what is known about its vendor. Nothing here compiles or runs
 * anything: probe.c does, and fills in the rest of clf_facts (std, atomics, lanes, lane_width, fence).
 *
 * Every device answers these queries; one that fails is the status of the call, and nothing is guessed instead.
 */
#include "device/device.h"

#include <stdio.h>
#include <string.h>

/* cl_nv_device_attribute_query; not in every header. */
enum {
    COMPUTE_CAPABILITY_MAJOR_NV = 0x4000, COMPUTE_CAPABILITY_MINOR_NV = 0x4001,
    REGISTERS_PER_BLOCK_NV = 0x4002, WARP_SIZE_NV = 0x4003
};

/* ---- Queries --------------------------------------------------------------------------------------- */

static void copy_text(char *out, size_t bytes, const char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        --length;
    snprintf(out, bytes, "%.*s", (int)length, text);
}

/* Asks one thing after the other; the first failure sticks. */
typedef struct asker {
    cl_device_id device;
    cl_platform_id platform;
    clf_error *error;
    clf_status status;
} asker;

static void note(asker *a, clf_status status, const char *name)
{
    a->status = status;
    if (status != CL_SUCCESS)
        clf_fail(a->error, status, "the device does not answer %s: %s", name, clf_status_text(status));
}

static void ask(asker *a, cl_device_info what, const char *name, void *out, size_t bytes)
{
    if (a->status == CLF_SUCCESS)
        note(a, clGetDeviceInfo(a->device, what, bytes, out, NULL), name);
}
#define ASK(asker, what, out) ask(asker, what, #what, out, sizeof *(out))

static void ask_text(asker *a, cl_device_info what, const char *name, char *out, size_t bytes)
{
    char text[1024] = "";
    ask(a, what, name, text, sizeof text - 1);
    copy_text(out, bytes, text);
}
#define ASK_TEXT(asker, what, out) ask_text(asker, what, #what, out, sizeof out)

static void ask_platform_text(asker *a, cl_platform_info what, const char *name, char *out, size_t bytes)
{
    char text[1024] = "";
    if (a->status == CLF_SUCCESS)
        note(a, clGetPlatformInfo(a->platform, what, sizeof text - 1, text, NULL), name);
    copy_text(out, bytes, text);
}
#define ASK_PLATFORM_TEXT(asker, what, out) ask_platform_text(asker, what, #what, out, sizeof out)

bool clf_facts_have(const clf_facts *facts, const char *extension)
{
    const char *const list = facts->extensions;
    const size_t length = strlen(extension);
    for (const char *at = list; (at = strstr(at, extension)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* ---- Facts ----------------------------------------------------------------------------------------- */

static void ask_names(asker *a, clf_facts *facts)
{
    ASK(a, CL_DEVICE_TYPE, &facts->type);
    ASK(a, CL_DEVICE_PLATFORM, &a->platform);
    ASK_PLATFORM_TEXT(a, CL_PLATFORM_NAME, facts->platform);
    ASK_PLATFORM_TEXT(a, CL_PLATFORM_VERSION, facts->platform_version);
    ASK_TEXT(a, CL_DEVICE_VENDOR, facts->vendor);
    ASK_TEXT(a, CL_DEVICE_NAME, facts->name);
    ASK_TEXT(a, CL_DEVICE_VERSION, facts->version);
    ASK_TEXT(a, CL_DRIVER_VERSION, facts->driver);
    ask(a, CL_DEVICE_EXTENSIONS, "CL_DEVICE_EXTENSIONS", facts->extensions, sizeof facts->extensions - 1);
}

static void ask_sizes(asker *a, clf_facts *facts)
{
    cl_uint base_align_bits = 0;
    ASK(a, CL_DEVICE_MAX_COMPUTE_UNITS, &facts->compute_units);
    ASK(a, CL_DEVICE_MAX_WORK_GROUP_SIZE, &facts->max_group);
    ASK(a, CL_DEVICE_LOCAL_MEM_SIZE, &facts->local_bytes);
    ASK(a, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, &facts->cache_bytes);
    ASK(a, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &facts->max_alloc);
    ASK(a, CL_DEVICE_ADDRESS_BITS, &facts->address_bits);
    ASK(a, CL_DEVICE_MEM_BASE_ADDR_ALIGN, &base_align_bits);
    facts->base_align = base_align_bits / 8;
    facts->group_said = facts->max_group;
    facts->local_said = facts->local_bytes;
    if (clf_facts_have(facts, "cl_nv_device_attribute_query")) {
        ASK(a, REGISTERS_PER_BLOCK_NV, &facts->registers);
        ASK(a, WARP_SIZE_NV, &facts->warp);
    }
}

static bool vendor_is(const clf_facts *facts, const char *name)
{
    return strstr(facts->vendor, name);
}

/* Profiles go by it, where none is for the very device. AMD's devices are named by theirs: "gfx90a:sramecc+:xnack-". */
static void ask_architecture(asker *a, clf_facts *facts)
{
    cl_uint major = 0, minor = 0;
    if (clf_facts_have(facts, "cl_nv_device_attribute_query")) {
        ASK(a, COMPUTE_CAPABILITY_MAJOR_NV, &major);
        ASK(a, COMPUTE_CAPABILITY_MINOR_NV, &minor);
        snprintf(facts->architecture, sizeof facts->architecture, "sm_%u%u", major, minor);
    } else if (strncmp(facts->name, "gfx", 3) == 0) {
        snprintf(facts->architecture, sizeof facts->architecture, "%.*s", (int)(strcspn(facts->name, ":") & 31),
                 facts->name);
    }
}

/*
 * GPUs on which a started work-group is known to go on while others wait for it (Smith, Levien and Owens
 * 2025, table 1): on others it is measured. On a CPU every started group has a thread of its own.
 */
bool clf_facts_know_progress(const clf_facts *facts)
{
    if (facts->type & CL_DEVICE_TYPE_CPU)
        return true;
    return vendor_is(facts, "NVIDIA") || vendor_is(facts, "AMD") || vendor_is(facts, "Advanced Micro Devices") ||
           vendor_is(facts, "Intel");
}

bool clf_facts_say_type(const clf_facts *facts)
{
    return (facts->type & (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU)) != 0;
}

void clf_facts_judge_type(clf_facts *facts, const char *disable)
{
    facts->is_cpu = (facts->type & CL_DEVICE_TYPE_CPU) != 0 && !clf_list_has(disable, "cpu");
    facts->progress = (clf_facts_know_progress(facts) || facts->progress_shown) && !clf_list_has(disable, "progress");
}

clf_status clf_facts_query(cl_device_id device, const char *disable, clf_facts *facts, clf_error *error)
{
    asker a = {.device = device, .error = error};
    memset(facts, 0, sizeof *facts);
    ask_names(&a, facts);
    ask_sizes(&a, facts);
    ask_architecture(&a, facts);
    CLF_TRY(a.status);
    facts->is_nvidia = vendor_is(facts, "NVIDIA");
    clf_facts_judge_type(facts, disable);
    facts->fp64 = clf_facts_have(facts, "cl_khr_fp64") && !clf_list_has(disable, "fp64");
    facts->fp16 = clf_facts_have(facts, "cl_khr_fp16") && !clf_list_has(disable, "fp16");
    facts->int64_atomics = clf_facts_have(facts, "cl_khr_int64_base_atomics") &&
                           !clf_list_has(disable, "int64_atomics");
    facts->driver_caches = strstr(facts->platform, "NVIDIA") ||
                           strcmp(facts->platform, "Portable Computing Language") == 0;
    facts->is_pocl = strstr(facts->platform, "Portable Computing Language") != NULL;
    facts->is_rusticl = strstr(facts->platform, "rusticl") != NULL;
    return CLF_SUCCESS;
}

/* ---- Description ----------------------------------------------------------------------------------- */

const char *clf_device_type_name(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_CPU)
        return "cpu";
    if (type & CL_DEVICE_TYPE_GPU)
        return "gpu";
    return "accelerator";
}

static const char *atomics_name(clf_atomics atomics)
{
    static const char *const names[] = {"cl12", "cl12_64", "c11", "ptx"};
    return names[atomics];
}

static const char *lanes_name(clf_lanes lanes)
{
    static const char *const names[] = {"local", "ptx", "khr", "intel", "amd"};
    return names[lanes];
}

static void describe_flag(clf_text *text, const char *name, bool value)
{
    clf_text_format(text, "%s = %s\n", name, value ? "yes" : "no");
}

static void describe_number(clf_text *text, const char *name, cl_ulong value)
{
    clf_text_format(text, "%s = %llu\n", name, (unsigned long long)value);
}

void clf_facts_describe(const clf_facts *facts, clf_text *text)
{
    clf_text_format(text, "platform = %s\nplatform_version = %s\nvendor = %s\n", facts->platform,
                    facts->platform_version, facts->vendor);
    clf_text_format(text, "device = %s\nversion = %s\ndriver = %s\ntype = %s\narchitecture = %s\n", facts->name,
                    facts->version, facts->driver, clf_device_type_name(facts->type),
                    facts->architecture[0] ? facts->architecture : "not known");
    describe_number(text, "compute_units", facts->compute_units);
    describe_number(text, "units_measured", facts->units_measured);
    describe_number(text, "units", facts->units);
    clf_text_format(text, "units_from = %s\n", facts->units_from ? facts->units_from : "not known");
    describe_number(text, "group_said", facts->group_said);
    describe_number(text, "max_group", facts->max_group);
    describe_number(text, "local_said", facts->local_said);
    describe_number(text, "local_bytes", facts->local_bytes);
    describe_number(text, "local_more", facts->local_more);
    describe_number(text, "cache_bytes", facts->cache_bytes);
    describe_number(text, "max_alloc", facts->max_alloc);
    describe_number(text, "address_bits", facts->address_bits);
    describe_number(text, "registers", facts->registers);
    describe_number(text, "base_align", facts->base_align);
    describe_flag(text, "fp64", facts->fp64);
    describe_flag(text, "fp16", facts->fp16);
    describe_flag(text, "int64_atomics", facts->int64_atomics);
    describe_flag(text, "cpu_kernels", facts->is_cpu);
    describe_flag(text, "progress", facts->progress);
    describe_flag(text, "progress_shown", facts->progress_shown);
    describe_flag(text, "in_order", facts->in_order);
    describe_flag(text, "fence", facts->fence);
    describe_flag(text, "driver_caches", facts->driver_caches);
    describe_flag(text, "optimiser", facts->optimiser);
    clf_text_format(text, "std = %s\natomics = %s\nlanes = %s\n", facts->std, atomics_name(facts->atomics),
                    lanes_name(facts->lanes));
    describe_number(text, "lane_width", facts->lane_width);
}

/* ---- As options of a compiler ------------------------------------------------------------------------ */

void clf_facts_avoid_bugs(const clf_facts *facts, clf_text *options)
{
    if (facts->rounds_apart)
        clf_text_format(options, " -D CLF_ROUNDS_APART=1");
    if (facts->is_rusticl) /* a probe would end the process */
        clf_text_format(options, " -D CLF_ALL_INLINE=1");
}
