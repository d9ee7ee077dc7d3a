/* SPDX-License-Identifier: MIT */
/*
 * A probe kernel: its files made one text, dumped and built. One that cannot be made shows nothing, which is no error.
 */
#include "probe/probe.h"

static clf_status build(clf_probe *probe, const char *file, const char *options, cl_program *program)
{
    cl_int code = CL_SUCCESS;
    clf_text source = {0};
    clf_status status = clf_flatten(&source, file, NULL);
    if (status == CLF_SUCCESS && source.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS) {
        clf_dump(probe->dump_dir, source.data, options);
        status = clf_build_program(probe->cl, probe->device, source.data, options, program, &code, probe->error);
    }
    probe->certain &= code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE;
    clf_text_free(&source);
    return status;
}

clf_status clf_probe_build(clf_probe *probe, const char *file, const char *options, cl_kernel *kernel)
{
    cl_program program;
    clf_status status = build(probe, file, options, &program);
    *kernel = NULL;
    if (status != CLF_SUCCESS)
        return status == CLF_E_OPERATOR ? CLF_SUCCESS : status;
    *kernel = clCreateKernel(program, "clf_probe", &status);
    clReleaseProgram(program);
    return *kernel ? CLF_SUCCESS : clf_probe_judge(probe, status);
}

clf_status clf_probe_judge(clf_probe *probe, clf_status status)
{
    probe->certain &= status == CLF_SUCCESS;
    return status == CL_OUT_OF_HOST_MEMORY || status == CLF_E_NO_MEMORY ? status : CLF_SUCCESS;
}
