/* SPDX-License-Identifier: MIT */
/* What bad arguments of sorts come to: a part of suite `sort`. */
#include "sort_case.h"

#include <string.h>

void add_sort_refusal_tests(TCase *tests)
{
    (void)tests;
}
