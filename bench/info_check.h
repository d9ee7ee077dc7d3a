/* SPDX-License-Identifier: MIT */
/* clfold-info --check: an operator in a file. */
#ifndef CLFOLD_INFO_CHECK_H
#define CLFOLD_INFO_CHECK_H

#include "common/common.h"

/* Prints what each device, or this one, says of the operator. Do all laws hold everywhere? */
bool info_check(const char *path, const char *device);

#endif
