/* SPDX-License-Identifier: MIT */
/*
 * tuning: parameters, profiles that say what they are on a device, and what was found out while the program runs.
 */
#ifndef CLF_TUNING_H
#define CLF_TUNING_H

#include "device/device.h"

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
enum { CLF_MAX_PARAMETERS = 36 };
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
    clf_cursor settings;                /* checked lines */
    unsigned line;                      /* number of the first of them */
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

/* ---- tune.c: what holds for a device ------------------------------------------------------------------- */

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
 * `type_class` ("b4", see clf_type_class), `variant` and `role` (each may be NULL); returns whether there was anything.
 */
bool clf_profile_lookup(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                        const char *type_class, const char *variant, const char *role, clf_parameters *list);
/*
 * Likewise, the variant that they give a role ("scan.b4.main = central"), and where that stands (NULL: never mind);
 * `chosen` is untouched if there is none.
 */
bool clf_profile_variant(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                         const char *type_class, const char *role, char chosen[32], clf_origin *origin);

/* ---- tuned.c: settings that were found while the program runs; they override all others ------------------- */

/* Adds lines, in any thread; of several that set the same the last one holds. */
clf_status clf_profile_learn(clf_profile *profile, const char *lines, clf_error *error);
void clf_profile_unlearn(clf_profile *profile);                   /* when nobody uses it any more */
const clf_section *clf_profile_tuned(const clf_profile *profile); /* NULL: nothing was learnt */
/* Appends them as a whole profile for this device. */
void clf_profile_write_tuned(const clf_profile *profile, const clf_facts *facts, clf_text *text);

#endif
