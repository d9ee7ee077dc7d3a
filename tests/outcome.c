/* SPDX-License-Identifier: MIT */
/*
 * What a call that was made to fail may come to (suite injection).
 */
#include "injection.h"

#include <string.h>

bool outcome_with_disk;

/* Failures that clfold may go on after, by the file and the start of the name of the call. */
static bool may_succeed(const layer_site *site)
{
    static const struct {
        const char *file, *call;
    } harmless[] = {
        {"", "clRelease"},                          /* nothing can be done */
        {"cache.c", ""},                            /* a miss */
        {"program.c", "clGetProgramInfo"},          /* not stored on disk */
        {"program.c", "clCreateProgramWithBinary"}, /* compiled instead */
        {"program.c", "clBuildProgram"},            /* a binary, the same; or a probe */
        {"program.c", "clRetainProgram"},           /* not kept in memory */
        {"program.c", "clGetProgramBuildInfo"},     /* an error without a log */
        {"context.c", "clGetDeviceInfo"},           /* or as if it were no part of another */
        {"program.c", "clGetDeviceInfo"},           /* or without the device's name */
        {"program.c", "malloc"},                    /* not kept in memory, or on disk */
        {"build.c", "clCreateKernel"},              /* a capability less */
        {"probe.c", "clEnqueue"},                   /* the same */
        {"units.c", "clEnqueue"},                   /* units are guessed */
        {"progress.c", "cl"},                       /* two passes instead of one */
        {"scratch.c", "clCreateBuffer"},            /* a smaller one will do */
        {"scratch.c", "clGetEventInfo"},            /* as if the command were pending */
        {"scratch.c", "clRetainEvent"},             /* not pooled */
    };
    if (outcome_with_disk && strstr(site->file, "text.c")) /* a path of cache.c */
        return true;
    for (size_t i = 0; i < COUNT(harmless); ++i)
        if (strstr(site->file, harmless[i].file) &&
            strncmp(site->call, harmless[i].call, strlen(harmless[i].call)) == 0)
            return true;
    return false;
}

bool outcome_is_right(const layer_site *site, cl_int code, clf_status status)
{
    const bool allocates = strncmp(site->call, "cl", 2) != 0;
    if (status == CLF_SUCCESS)
        return may_succeed(site);
    if (code == CL_OUT_OF_HOST_MEMORY && (status == CLF_E_NO_MEMORY || status == CL_OUT_OF_HOST_MEMORY))
        return !allocates || status == CLF_E_NO_MEMORY || may_succeed(site); /* a later call may fail, too */
    return status == code || (status == CLF_E_OPERATOR && strcmp(site->call, "clBuildProgram") == 0);
}

void outcome_arm(unsigned long k, int failure)
{
    layer_arm(k, failure < LAYER_CODES ? (unsigned)failure : 0, failure == LAYER_CODES);
}

bool outcome_judge(clf_status status, const char *what, unsigned long k, int failure)
{
    cl_int code;
    const layer_site *site = layer_disarm(&code);
    if (!site) {
        ck_assert_msg(status == CLF_SUCCESS, "%s is %d, and no call failed", what, status);
        return false;
    }
    ck_assert_msg(outcome_is_right(site, code, status), "%s is %d where call %lu, %s in %s:%d, fails (way %d) with %d",
                  what, status, k, site->call, site->file, site->line, failure, code);
    return true;
}

void outcome_balance(const layer_ledger *before, const char *what, unsigned long k, int failure)
{
    const layer_ledger now = layer_count();
    const layer_kind kind = layer_difference(before, &now);
    ck_assert_msg(kind == LAYER_KINDS, "%s: %ld %s instead of %ld after failure %lu (way %d)", what, now.live[kind],
                  layer_kind_name(kind), before->live[kind], k, failure);
}
