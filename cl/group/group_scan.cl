/* SPDX-License-Identifier: MIT */
/*
 * group_scan: exclusive scan of one run per work-item: clf_run_group_scan and clf_run_unit_scan.
 *
 * needs: nothing
 * provides: clf_run_group_scan, clf_run_unit_scan
 */
#include "group/run.cl"

#define CLF_S clf_run
#include "group/group_scan_template.cl"
