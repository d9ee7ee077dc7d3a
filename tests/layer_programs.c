/* SPDX-License-Identifier: MIT */
/*
 * Programs kept by the layer of layer.h: one that was built from the same text or binary with the same options, or
 * could not be, takes the place of the next. What calls of OpenCL there are, and what comes of them, is as without.
 */
#include "layer.h"

#include <stdint.h>
#include <string.h>

enum { MOST = 512 };

/* Of one thread: only suites that call clfold from one keep programs. */
static struct {
    bool keeps;
    size_t count;
    struct {
        uint64_t key;
        cl_program program; /* retained */
        cl_int status;      /* of building it */
    } kept[MOST];
    cl_program latest; /* the one that was created last, and what from */
    uint64_t text;
} state;

/* FNV-1a. */
static uint64_t hash(uint64_t key, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; ++i)
        key = (key ^ byte[i]) * 0x100000001b3;
    return key;
}

void layer_created_program(cl_program program, const void *text, size_t bytes)
{
    state.latest = program;
    state.text = hash(0xcbf29ce484222325, text, bytes);
}

void layer_keep_programs(bool keep)
{
    for (size_t i = 0; i < state.count; ++i)
        (clReleaseProgram)(state.kept[i].program);
    memset(&state, 0, sizeof state);
    state.keeps = keep;
}

cl_int layer_clBuildProgram(layer_site *site, cl_program *program, cl_uint count, const cl_device_id *devices,
                            const char *options, void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    cl_int status = layer_enter(site);
    if (status != CL_SUCCESS)
        return status;
    const bool keeps = state.keeps && state.latest == *program && count == 1;
    const uint64_t key = hash(hash(state.text, options, strlen(options)), devices, sizeof *devices);
    for (size_t i = 0; keeps && i < state.count; ++i)
        if (state.kept[i].key == key && (clRetainProgram)(state.kept[i].program) == CL_SUCCESS) {
            (clReleaseProgram)(*program);
            *program = state.kept[i].program;
            return state.kept[i].status;
        }
    status = (clBuildProgram)(*program, count, devices, options, notify, user);
    if (keeps && state.count < MOST && (clRetainProgram)(*program) == CL_SUCCESS) {
        state.kept[state.count].status = status;
        state.kept[state.count].key = key;
        state.kept[state.count++].program = *program;
    }
    return status;
}
