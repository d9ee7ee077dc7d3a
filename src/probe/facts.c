/* SPDX-License-Identifier: MIT */
/*
 * What a device can do: as it was seen by an earlier run and kept on disk, or else probed now.
 *
 * Nothing that a device says about itself is kept, only what takes compiling to find out. The key is a SHA-256 over
 * what decides the answer: clfold's version, the probe kernels, what is forbidden, and the platform's, device's and
 * driver's names, versions and sizes. A result that is out of range is a miss, as a damaged file is (cache.c). What may
 * be better another time, because a probe failed on a device that was perhaps only busy or full, is not kept.
 */
#include "probe/probe.h"

#include <stdlib.h>
#include <string.h>

/* Count up when probe.c would answer otherwise with the same kernels, or a result is written otherwise. */
#define FORMAT "clfold facts 8 "

/*
 * A result: std, terminated and padded with zeros, and a byte for each of the rest. MORE: kibibytes of local memory
 * that kernels can have beyond what the device says. APART: rounds_apart, 2 for optimiser, 4 for progress_shown, 8 for
 * in_order.
 * THREADS: it works as CPUs do, and does not say so. UNITS, GROUP: units_measured, max_group, four bytes each. LOCAL:
 * local_bytes, eight.
 */
enum { STD_BYTES = sizeof ((clf_facts *)0)->std, ATOMICS = STD_BYTES, LANES, WIDTH, MORE, APART, THREADS, UNITS,
       GROUP = UNITS + 4, LOCAL = GROUP + 4, RESULT_BYTES = LOCAL + 8 };

/* ---- The key --------------------------------------------------------------------------------------- */

/* With its end, so that no two lists of strings look alike. */
static void hash_text(clf_sha256 *hash, const char *text)
{
    clf_sha256_update(hash, text, strlen(text) + 1);
}

/* The probe kernels with all that they include; false if there is no memory for them. */
static bool hash_kernels(clf_sha256 *hash)
{
    static const char *const files[] = {"probe/probe_atomics.cl", "probe/probe_lanes.cl", "probe/probe_structs.cl",
                                        "probe/probe_units.cl", "probe/probe_sizes.cl",
                                        "probe/probe_progress.cl"};
    bool done = true;
    for (size_t i = 0; i < CLF_COUNT(files) && done; ++i) {
        clf_text source = {0};
        done = clf_flatten(&source, files[i], NULL) == CLF_SUCCESS && !source.failed;
        if (done)
            hash_text(hash, source.data);
        clf_text_free(&source);
    }
    return done;
}

static bool make_key(const clf_facts *facts, const char *disable, unsigned char key[32])
{
    const char *const texts[] = {
        FORMAT CLFOLD_VERSION_STRING, facts->platform, facts->platform_version, facts->vendor, facts->name,
        facts->version, facts->driver, facts->extensions, disable ? disable : "",
    };
    const cl_ulong numbers[] = {facts->type, facts->max_group, facts->local_bytes, facts->address_bits, facts->warp};
    clf_sha256 hash;
    clf_sha256_init(&hash);
    for (size_t i = 0; i < CLF_COUNT(texts); ++i)
        hash_text(&hash, texts[i]);
    clf_sha256_update(&hash, numbers, sizeof numbers);
    const bool done = hash_kernels(&hash);
    clf_sha256_final(&hash, key);
    return done;
}

/* ---- The result ------------------------------------------------------------------------------------ */

static void write_result(const clf_facts *facts, bool threads, unsigned char result[RESULT_BYTES])
{
    const cl_uint group = (cl_uint)facts->max_group;
    memset(result, 0, RESULT_BYTES);
    memcpy(result, facts->std, strlen(facts->std));
    result[ATOMICS] = (unsigned char)facts->atomics;
    result[LANES] = (unsigned char)facts->lanes;
    result[WIDTH] = (unsigned char)facts->lane_width;
    result[MORE] = (unsigned char)(facts->local_more / 1024);
    result[APART] = (unsigned char)(facts->rounds_apart | facts->optimiser << 1 | facts->progress_shown << 2 |
                                    facts->in_order << 3);
    result[THREADS] = threads;
    memcpy(result + UNITS, &facts->units_measured, sizeof facts->units_measured);
    memcpy(result + GROUP, &group, sizeof group);
    memcpy(result + LOCAL, &facts->local_bytes, sizeof facts->local_bytes);
}

static bool is_std(const unsigned char *std)
{
    static const char *const known[] = {"-cl-std=CL3.0", "-cl-std=CL2.0", "-cl-std=CL1.2"};
    for (size_t i = 0; i < CLF_COUNT(known); ++i)
        if (memcmp(std, known[i], strlen(known[i]) + 1) == 0)
            return true;
    return false;
}

/* No more than the device says, or than was probed; and no type where it says one. */
static bool are_sizes(const clf_facts *facts, const unsigned char *result)
{
    const cl_ulong more = 1024ul * result[MORE];
    cl_uint group;
    cl_ulong local;
    memcpy(&group, result + GROUP, sizeof group);
    memcpy(&local, result + LOCAL, sizeof local);
    if (more > 0 && (!facts->is_nvidia || local + more > CLF_LOCAL_PROBED))
        return false;
    return group > 0 && group <= facts->max_group && local <= facts->local_bytes &&
           result[THREADS] <= !clf_facts_say_type(facts);
}

static bool is_sound(const clf_facts *facts, const unsigned char *result, size_t bytes)
{
    if (bytes != RESULT_BYTES || !is_std(result) || result[ATOMICS] > CLF_ATOMICS_PTX ||
        result[LANES] > CLF_LANES_AMD || result[APART] > 15)
        return false;
    const unsigned width = result[WIDTH];
    cl_uint units;
    memcpy(&units, result + UNITS, sizeof units);
    if (units == 0 || units > CLF_MOST_UNITS || !are_sizes(facts, result))
        return false;
    return result[LANES] == CLF_LANES_LOCAL ? width == 1 : width == 8 || width == 16 || width == 32 || width == 64;
}

static void read_result(const unsigned char *result, const char *disable, clf_facts *facts)
{
    cl_uint group;
    memcpy(facts->std, result, STD_BYTES);
    facts->atomics = (clf_atomics)result[ATOMICS];
    facts->lanes = (clf_lanes)result[LANES];
    facts->lane_width = result[WIDTH];
    facts->local_more = 1024ul * result[MORE];
    facts->rounds_apart = (result[APART] & 1) != 0;
    facts->optimiser = (result[APART] & 2) != 0;
    facts->progress_shown = (result[APART] & 4) != 0;
    facts->in_order = (result[APART] & 8) != 0;
    memcpy(&facts->units_measured, result + UNITS, sizeof facts->units_measured);
    memcpy(&group, result + GROUP, sizeof group);
    memcpy(&facts->local_bytes, result + LOCAL, sizeof facts->local_bytes);
    facts->max_group = group;
    facts->type |= result[THREADS] ? CL_DEVICE_TYPE_CPU : 0;
    clf_facts_judge_type(facts, disable);
    clf_units_judge(facts);
    facts->fence = facts->atomics >= CLF_ATOMICS_C11;
}

static bool load(const clf_cache *cache, const unsigned char key[32], const char *disable, clf_facts *facts)
{
    size_t bytes = 0;
    unsigned char *result = clf_cache_load(cache, key, &bytes);
    if (!result)
        return false;
    const bool sound = is_sound(facts, result, bytes);
    if (sound)
        read_result(result, disable, facts);
    free(result);
    return sound;
}

/* ---- Both ------------------------------------------------------------------------------------------ */

clf_status clf_facts_find(cl_context cl, cl_device_id device, const char *disable, const char *dump_dir,
                          const clf_cache *cache, clf_facts *facts, clf_error *error)
{
    unsigned char key[32], result[RESULT_BYTES];
    clf_probe probe = {.cl = cl, .device = device, .disable = disable, .dump_dir = dump_dir, .facts = facts,
                       .error = error, .certain = true};
    CLF_TRY(clf_facts_query(device, disable, facts, error));
    const bool typed = clf_facts_say_type(facts);
    const bool keep = cache->path && make_key(facts, disable, key);
    const bool dump = dump_dir && dump_dir[0] != '\0'; /* which is to show the probes, too */
    if (keep && !dump && load(cache, key, disable, facts))
        return CLF_SUCCESS;
    CLF_TRY(clf_facts_probe(&probe));
    clf_units_judge(facts);
    if (keep && probe.certain) {
        write_result(facts, !typed && clf_facts_say_type(facts), result);
        clf_cache_store(cache, key, result, sizeof result);
    }
    return CLF_SUCCESS;
}
