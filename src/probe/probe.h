/* SPDX-License-Identifier: MIT */
/*
 * probe: what small programs show that a device can do, and all that is known of it.
 */
#ifndef CLF_PROBE_H
#define CLF_PROBE_H

#include "program/program.h"

/* ---- build.c: one kernel of a probe ------------------------------------------------------------------------ */

/* What is probed, by which queue, and what was found so far; `disable` and `dump_dir` as in clf_context_options. */
typedef struct clf_probe {
    cl_context cl;
    cl_device_id device;
    cl_command_queue queue;
    const char *disable, *dump_dir;
    clf_facts *facts;
    clf_error *error; /* why the last probe kernel did not build */
    size_t multiple;  /* of work-items that the last kernel prefers: a guess at the lane width; 0: none */
    bool certain;     /* no probe failed but by not compiling or by a wrong answer: it would be the same another time */
} clf_probe;
/* The kernel clf_probe of a file of cl/; NULL if it cannot be made, which is no failure. */
clf_status clf_probe_build(clf_probe *probe, const char *file, const char *options, cl_kernel *kernel);
/* What failed makes the probe uncertain. Success, or that there is no memory to go on with. */
clf_status clf_probe_judge(clf_probe *probe, clf_status status);

/* ---- units.c: how many compute units a device has -------------------------------------------------------- */

/*
 * Measures facts->units_measured, and facts->in_order of a GPU, by a kernel compiled for facts->std; takes some
 * milliseconds of the device. It is 0 where that fails, which is not certain.
 */
clf_status clf_units_measure(clf_probe *probe);
/*
 * Where the type is neither a CPU's nor a GPU's: makes it a CPU's, and what follows from that, if the work-items of a
 * group run one after the other, or as one vector.
 */
clf_status clf_units_type(clf_probe *probe);
/* Fills in facts->units, of the measurement and of what the driver says. */
void clf_units_judge(clf_facts *facts);

/* ---- progress.c: do groups that others wait for go on? --------------------------------------------------- */

/*
 * Sets facts->progress_shown by a kernel, compiled for what was found before, where it is not known by the device's
 * type and vendor. Takes some milliseconds of the device, and some ten where it is not so.
 */
clf_status clf_progress_measure(clf_probe *probe);

/* ---- probe.c: what a device was seen to do; facts.c: all that is known of it ----------------------------- */

enum { CLF_LOCAL_PROBED = 96 << 10 }; /* bytes of local memory that a group may have where the driver says less */

/*
 * Fills in the rest by compiling and running (probe.c), with a queue of its own. probe->certain: it would be the same
 * another time; not, if the device may only have been busy or full.
 */
clf_status clf_facts_probe(clf_probe *probe);
/*
 * All of them (facts.c): queries, and what is in the cache or else probed and stored there. Where programs are dumped
 * it is always probed.
 */
clf_status clf_facts_find(cl_context cl, cl_device_id device, const char *disable, const char *dump_dir,
                          const clf_cache *cache, clf_facts *facts, clf_error *error);

#endif
