/* SPDX-License-Identifier: MIT */
/*
 * What suits a device: what profiles say of it (their texts are read in profile.c). Where none knows, a model guesses
 * (model.c).
 *
 * Sections hold for a device by what their headers say, and those that say more of it override those that say less:
 * the very device, its architecture, its vendor and type, any. The class of a setting is that of the value type ("b4":
 * clf_type_class), but parameters of scans whose inputs are others than their values go by the class of what a tile
 * holds in local memory (clf_tile_class). Where a variant stands, a role may too: scan.b4.medium.limit = 65536. Class
 * and variant may be * (any). A line that names the class overrides one that does not; one that names the variant
 * overrides both, and one that names the role overrides all. A section as a whole overrides weaker ones, as the
 * caller's text does the built-in ones, and a file both. What a line says of a variant that does not take the parameter
 * is nothing to that variant, so that a line for all variants is for those that do.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "tuning/tuning.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/* ---- Whose they are ------------------------------------------------------------------------------------ */

static bool is(clf_cursor value, const char *text)
{
    const size_t length = (size_t)(value.end - value.at);
    return value.at && strlen(text) == length && memcmp(value.at, text, length) == 0;
}

/* Not said, or "*". */
static bool is_any(clf_cursor value)
{
    return !value.at || is(value, "*");
}

static bool is_or_any(clf_cursor value, const char *text)
{
    return is_any(value) || is(value, text);
}

/* "NVIDIA H200" begins "NVIDIA H200 NVL". */
static bool begins(clf_cursor value, const char *name)
{
    const size_t length = (size_t)(value.end - value.at);
    return strlen(name) > length && memcmp(value.at, name, length) == 0 && name[length] == ' ';
}

clf_reach clf_section_reach(const clf_section *section, const clf_facts *facts)
{
    const clf_cursor *const header = section->header;
    const clf_cursor device = header[CLF_HEADER_DEVICE], architecture = header[CLF_HEADER_ARCHITECTURE];
    if (!section->headed)
        return CLF_REACH_DEVICE;
    if (!is_or_any(header[CLF_HEADER_PLATFORM], facts->platform) ||
        !is_or_any(header[CLF_HEADER_VENDOR], facts->vendor) ||
        !is_or_any(header[CLF_HEADER_TYPE], clf_device_type_name(facts->type)))
        return CLF_REACH_NONE;
    if (!is_any(device) && is(device, facts->name))
        return CLF_REACH_DEVICE;
    if ((!is_any(architecture) && is(architecture, facts->architecture)) ||
        (!is_any(device) && begins(device, facts->name)))
        return CLF_REACH_ARCHITECTURE;
    if (!is_any(device) || !is_any(architecture))
        return CLF_REACH_NONE;
    return is_any(header[CLF_HEADER_VENDOR]) ? CLF_REACH_ANY : CLF_REACH_VENDOR;
}

bool clf_profile_is_foreign(const clf_profile *profile, clf_profile_owner owner, const clf_facts *facts)
{
    const clf_profile_text *by = &profile->by[owner];
    for (size_t i = 0; i < by->count; ++i)
        if (clf_section_reach(&by->section[i], facts) != CLF_REACH_NONE)
            return false;
    return by->count != 0;
}

/* ---- Loading ------------------------------------------------------------------------------------------- */

static clf_status add_section(clf_profile_text *by, const clf_section *section, clf_error *error)
{
    clf_section *grown = realloc(by->section, (by->count + 1) * sizeof *grown);
    if (!grown)
        return clf_fail(error, CLF_E_NO_MEMORY, "no memory for a profile");
    by->section = grown;
    by->section[by->count++] = *section;
    return CLF_SUCCESS;
}

static clf_status add_sections(clf_profile_text *by, const char *text, size_t bytes, const char *source,
                               clf_error *error)
{
    clf_cursor rest = {text, text + bytes};
    unsigned number = 1;
    do {
        clf_section section = {.source = source};
        CLF_TRY(clf_section_parse(&rest, &number, &section, error));
        CLF_TRY(add_section(by, &section, error));
    } while (rest.at < rest.end);
    return CLF_SUCCESS;
}

static void forget(clf_profile_text *by)
{
    free(by->section);
    free(by->text);
    *by = (clf_profile_text){NULL, 0, NULL};
}

/* Keeps `text`, which is malloc'ed, also where it fails. */
static clf_status take_text(clf_profile_text *by, char *text, const char *source, clf_error *error)
{
    forget(by);
    by->text = text;
    const clf_status status = add_sections(by, text, strlen(text), source, error);
    if (status != CLF_SUCCESS)
        forget(by);
    return status;
}

static clf_status load(clf_profile *profile, const char *text, clf_error *error)
{
    for (const clf_profile_file *file = clf_profile_files; file->name; ++file)
        CLF_TRY(
            add_sections(&profile->by[CLF_PROFILE_BUILT_IN], (const char *)file->data, file->bytes, file->name, error));
    char *copy = clf_strdup(text);
    if (!copy)
        return !text ? CLF_SUCCESS : clf_fail(error, CLF_E_NO_MEMORY, "no memory for a copy of the profile");
    return take_text(&profile->by[CLF_PROFILE_CALLER], copy, "caller", error);
}

clf_status clf_profile_load(clf_profile *profile, const char *text, clf_error *error)
{
    memset(profile, 0, sizeof *profile);
    const clf_status status = load(profile, text, error);
    if (status != CLF_SUCCESS)
        clf_profile_free(profile);
    return status;
}

void clf_profile_free(clf_profile *profile)
{
    for (int owner = 0; owner < CLF_PROFILE_OWNERS; ++owner)
        forget(&profile->by[owner]);
    clf_profile_unlearn(profile);
}

/* ---- Files --------------------------------------------------------------------------------------------- */

enum { MOST_BYTES = 1 << 20 }; /* no profile is as long */

/* What is wrong with it as a text; NULL: nothing. */
static const char *read_text(FILE *file, clf_text *text)
{
    char piece[4096];
    size_t bytes;
    while (text->length <= MOST_BYTES && (bytes = fread(piece, 1, sizeof piece, file)) > 0)
        clf_text_append(text, piece, bytes);
    if (ferror(file))
        return "it cannot be read";
    if (text->length > MOST_BYTES)
        return "it is too long for a profile";
    if (text->length == 0)
        return text->failed ? NULL : "it is empty";
    return strlen(text->data) != text->length ? "it has a zero byte, and so is no text" : NULL;
}

#ifdef _WIN32
static FILE *open_file(const char *path, const char **why)
{
    FILE *file = fopen(path, "rb");
    *why = !file ? strerror(errno) : NULL;
    return file;
}
#else
/* Neither a pipe, which would have to be waited for, nor a directory, nor a device. */
static FILE *open_file(const char *path, const char **why)
{
    struct stat status;
    const int number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool is_file = number >= 0 && fstat(number, &status) == 0 && S_ISREG(status.st_mode);
    FILE *file = is_file ? fdopen(number, "rb") : NULL;
    *why = number >= 0 && !is_file ? "it is no regular file" : strerror(errno);
    if (number >= 0 && !file)
        close(number);
    return file;
}
#endif

static const char *base_name(const char *path)
{
    const char *name = path;
    for (; *path != '\0'; ++path)
        if (*path == '/' || *path == '\\')
            name = path + 1;
    return name;
}

static clf_status read_file(clf_profile *profile, const char *path, clf_error *error)
{
    clf_text text = {0};
    const char *why;
    FILE *file = open_file(path, &why);
    if (!file)
        return clf_fail(error, CLF_E_PARAMETER, "%s", why);
    why = read_text(file, &text);
    (void)fclose(file);
    if (!why && !text.failed)
        return take_text(&profile->by[CLF_PROFILE_FILE], text.data, profile->file_name, error);
    clf_text_free(&text);
    return why ? clf_fail(error, CLF_E_PARAMETER, "%s", why)
               : clf_fail(error, CLF_E_NO_MEMORY, "there is no memory for it");
}

clf_status clf_profile_read(clf_profile *profile, const char *path, clf_error *error)
{
    clf_error own = {.size = sizeof own};
    if (strcmp(path, "off") == 0) {
        clf_profile_free(profile);
        return CLF_SUCCESS;
    }
    snprintf(profile->file_name, sizeof profile->file_name, "%s", base_name(path));
    const clf_status status = read_file(profile, path, &own);
    if (status == CLF_SUCCESS)
        return CLF_SUCCESS;
    snprintf(profile->ignored, sizeof profile->ignored, "%s: %.180s", profile->file_name, own.message);
    return clf_fail(error, status, "%s", profile->ignored);
}

/* ---- Lookup -------------------------------------------------------------------------------------------- */

/* What a lookup is for: settings go to `list`, or the variant that a role is given to `chosen`. */
typedef struct query {
    const char *primitive, *type_class;
    const char *variant, *role; /* either may be NULL */
    clf_parameters *list;
    char *chosen;      /* [32] */
    clf_origin origin; /* of that */
    bool found;
} query;

static void apply(const clf_setting *s, clf_origin origin, query *q)
{
    if (q->chosen) {
        strcpy(q->chosen, s->choice);
        q->origin = origin;
    } else {
        clf_parameter_set_from(q->list, s->parameter, s->value, origin);
    }
    q->found = true;
}

/* Is it about exactly this class and variant or role, and of the kind that is looked for? */
static bool matches(const clf_setting *s, const query *q, const char *type_class, const char *variant)
{
    const bool says_variant = s->parameter[0] == '\0';
    return strcmp(s->primitive, q->primitive) == 0 && strcmp(s->type_class, type_class) == 0 &&
           strcmp(s->variant, variant) == 0 && says_variant == (q->chosen != NULL);
}

static void apply_lines(const clf_section *section, const char *type_class, const char *variant, query *q)
{
    clf_setting s;
    clf_cursor text = section->settings, line;
    for (unsigned number = section->line; clf_next_line(&text, &line); ++number)
        if (clf_setting_parse(line, &s) && matches(&s, q, type_class, variant))
            apply(&s, (clf_origin){section->source, number}, q);
}

/* Weakest lines first: later ones override. */
static void apply_section(const clf_section *section, query *q)
{
    const char *const names[] = {"*", q->variant, q->role};
    for (size_t i = 0; i < CLF_COUNT(names); ++i) {
        if (names[i]) {
            apply_lines(section, "*", names[i], q);
            apply_lines(section, q->type_class, names[i], q);
        }
    }
}

static bool look_up(const clf_profile *profile, const clf_facts *facts, query *q)
{
    for (int owner = 0; owner < CLF_PROFILE_OWNERS; ++owner)
        for (int reach = CLF_REACH_ANY; reach <= CLF_REACH_DEVICE; ++reach)
            for (size_t i = 0; i < profile->by[owner].count; ++i)
                if ((int)clf_section_reach(&profile->by[owner].section[i], facts) == reach)
                    apply_section(&profile->by[owner].section[i], q);
    const clf_section *const tuned = clf_profile_tuned(profile);
    if (tuned)
        apply_section(tuned, q);
    return q->found;
}

bool clf_profile_lookup(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                        const char *type_class, const char *variant, const char *role, clf_parameters *list)
{
    query q = {
        .primitive = primitive, .type_class = type_class, .variant = variant, .role = role, .list = list};
    return look_up(profile, facts, &q);
}

bool clf_profile_variant(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                         const char *type_class, const char *role, char chosen[32], clf_origin *origin)
{
    query q = {.primitive = primitive, .type_class = type_class, .role = role, .chosen = chosen};
    const bool found = look_up(profile, facts, &q);
    if (origin)
        *origin = q.origin;
    return found;
}

/* ---- In words ------------------------------------------------------------------------------------------ */

/* " built-in nvidia-h200.profile (for this device)", " caller" */
static void describe_section(const clf_section *section, clf_profile_owner owner, clf_reach reach, clf_text *text)
{
    static const char *const reaches[] = {"", "any device", "this vendor and type", "this architecture", "this device"};
    static const char *const owners[CLF_PROFILE_OWNERS] = {"built-in ", "", "file "};
    clf_text_format(text, " %s%s", owners[owner], section->source);
    if (section->headed)
        clf_text_format(text, " (for %s)", reaches[reach]);
}

void clf_profile_describe(const clf_profile *profile, const clf_facts *facts, clf_text *text)
{
    bool any = false;
    clf_text_format(text, "profile =");
    for (int owner = 0; owner < CLF_PROFILE_OWNERS; ++owner) {
        for (size_t i = 0; i < profile->by[owner].count; ++i) {
            const clf_section *section = &profile->by[owner].section[i];
            const clf_reach reach = clf_section_reach(section, facts);
            if (reach == CLF_REACH_NONE)
                continue;
            describe_section(section, (clf_profile_owner)owner, reach, text);
            any = true;
        }
    }
    if (clf_profile_tuned(profile))
        clf_text_format(text, " tuned");
    else if (!any)
        clf_text_format(text, " none");
    clf_text_format(text, "\n");
    if (profile->ignored[0] != '\0')
        clf_text_format(text, "profile_ignored = %s\n", profile->ignored);
}
