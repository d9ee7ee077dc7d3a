/* SPDX-License-Identifier: MIT */
/*
 * Profiles: what parameters suit a device. Where no profile knows, a model guesses (model.c).
 *
 * A profile is text, one setting per line, with # before comments:
 *
 *     scan.b4.central.items = 52       primitive . class . variant . parameter = number
 *     scan.b4.medium = window          primitive . class . role = the variant to take ("main" is the role for any n)
 *
 * The class is that of the value type ("b4": clf_type_class), but parameters of scans whose inputs are others than
 * their values go by the class of what a tile holds in local memory (clf_tile_class). Where a variant stands, a role
 * may too: scan.b4.medium.limit = 65536. Class and variant may be * (any). A line that names the class overrides one
 * that does not; one that names the variant overrides both, and one that names the role overrides all. The caller's
 * profile as a whole overrides the built-in one. What a line says of a variant that does not take the parameter is
 * nothing to that variant, so that a line for all variants is for those that do.
 */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* Measured profiles: a device's are all those whose strings occur in its name and its platform's. */
static const struct {
    const char *device, *platform;
    const char *text;
} builtin_profiles[] = {
    {"H200", "NVIDIA",
     "reduce.b1.small.group = 128\n"
     "reduce.b2.small.group = 128\n"
     "reduce.b2.small.limit = 64\n"
     "scan.*.*.ticket = 0\n" /* groups start in order, and waiting is bounded anyway */
     "scan.*.*.group = 128\n"
     "scan.b1.*.items = 144\n"
     "scan.b2.*.items = 72\n"
     "scan.b4.*.items = 36\n"
     "scan.b8.*.items = 18\n"
     "scan.b8x4.*.items = 20\n"
     "scan.*.*.local = 32768\n" /* items, where none are given: arrays go by number and size, not by class */
     "scan.b32x8.*.items = 18\n"
     "scan.b32x8.*.group = 64\n"
     "scan.b4.two_pass.group = 256\n"
     "scan.b1.serial.group = 256\n" /* where there is no PTX */
     "scan.b4.serial.items = 44\n"
     "scan.b32x8.serial.items = 20\n"
     "segmented_scan.b1.main = window\n"
     "segmented_scan.b1.medium.group = 128\n"
     "segmented_scan.b4.main = window\n"
     "segmented_scan.b4.serial.items = 36\n"
     "irregular_scan.*.main = window\n"
     "irregular_scan.b4.window.group = 192\n"
     "irregular_scan.b8.window.group = 192\n"
     "scan.*.medium = window\n"
     "scan.*.medium.group = 256\n"
     "scan.*.medium.items = 4\n"
     "scan.*.medium.limit = 1048576\n"
     "scan.b1.medium.items = 48\n"
     "scan.b1.medium.limit = 12582912\n"
     "scan.b2.medium.items = 24\n"
     "scan.b4.medium.items = 16\n"
     "scan.b8.medium.items = 10\n"
     "scan.*.one_group.group = 256\n"
     "scan.*.one_group.items = 4\n"
     "scan.b1.one_group.items = 16\n"
     "scan.b2.one_group.items = 16\n"
     "scan.b4.one_group.items = 16\n"
     "scan.b8.one_group.items = 10\n"
     "filter.*.main = window\n"
     "filter.*.*.ticket = 0\n"
     "unique.b8.window.items = 14\n"
     "reduce_by_key.*.main = window\n"
     "reduce_by_key.*.*.ticket = 0\n"
     "reduce_by_key.b4.*.items = 20\n"
     "transpose.*.*.group = 256\n"
     "transpose.*.small.limit = 2048\n"
     "transpose.b1.packed.rows = 128\n"
     "transpose.b1.packed.stripe = 1\n"
     "transpose.b1.thin.items = 48\n"
     "transpose.b2.packed.rows = 128\n"
     "transpose.b2.packed.stripe = 1\n"
     "transpose.b4.*.items = 24\n"
     "transpose.b4.tile.stripe = 2\n"
     "transpose.b8.tile.group = 128\n"
     "transpose.b16.tile.group = 128\n"},
};

/* ---- Parsing ------------------------------------------------------------------------------------------- */

typedef struct setting {
    char primitive[32], type_class[16];
    char variant[32]; /* or a role */
    char parameter[24]; /* "": the line casts `choice` for the role */
    cl_uint value;
    char choice[32];
} setting;

static bool take_name_or_star(clf_cursor *c, char *name, size_t bytes)
{
    if (!clf_cursor_take(c, '*'))
        return clf_cursor_name(c, name, bytes);
    strcpy(name, "*");
    return true;
}

static bool parse_setting(clf_cursor line, setting *s)
{
    s->parameter[0] = '\0';
    if (!clf_cursor_name(&line, s->primitive, sizeof s->primitive) || !clf_cursor_take(&line, '.') ||
        !take_name_or_star(&line, s->type_class, sizeof s->type_class) || !clf_cursor_take(&line, '.') ||
        !take_name_or_star(&line, s->variant, sizeof s->variant))
        return false;
    if (clf_cursor_take(&line, '.'))
        return clf_parameter_read(&line, s->parameter, &s->value) && clf_cursor_at_end(&line);
    return clf_cursor_take(&line, '=') && clf_cursor_name(&line, s->choice, sizeof s->choice) &&
           clf_cursor_at_end(&line) && !(s->choice[0] >= '0' && s->choice[0] <= '9');
}

/* Takes a line off the text, without its comment. */
static clf_cursor next_line(const char **text)
{
    const char *begin = *text;
    const char *newline = begin + strcspn(begin, "\n");
    *text = newline + (*newline == '\n');
    return (clf_cursor){begin, begin + strcspn(begin, "#\n")};
}

/* ---- Profiles ------------------------------------------------------------------------------------------ */

clf_status clf_profile_load(clf_profile *profile, const char *text, clf_error *error)
{
    setting s;
    unsigned number = 1;
    profile->text = NULL;
    for (const char *rest = text; rest != NULL && *rest != '\0'; number++) {
        clf_cursor line = next_line(&rest);
        if (!clf_cursor_at_end(&line) && !parse_setting(line, &s))
            return clf_fail(error, CLF_E_PARAMETER, "profile, line %u: '%.*s' is no setting", number,
                            (int)(line.end - line.at < 80 ? line.end - line.at : 80), line.at);
        if (!clf_cursor_at_end(&line) && s.parameter[0] != '\0' &&
            clf_parameter_check(s.parameter, s.value, error) != CLF_SUCCESS)
            return clf_fail(error, CLF_E_PARAMETER, "profile, line %u: '%.*s' is out of range", number,
                            (int)(line.end - line.at < 80 ? line.end - line.at : 80), line.at);
    }
    profile->text = clf_strdup(text);
    if (text != NULL && profile->text == NULL)
        return clf_fail(error, CLF_E_NO_MEMORY, "no memory for a copy of the profile");
    return CLF_SUCCESS;
}

void clf_profile_free(clf_profile *profile)
{
    free(profile->text);
    profile->text = NULL;
}

/* What a lookup is for: settings go to `list`, or the variant that a role is given to `chosen`. */
typedef struct query {
    const char *primitive, *type_class;
    const char *variant, *role; /* either may be NULL */
    clf_parameters *list;
    char *chosen; /* [32] */
    bool found;
} query;

static void apply(const setting *s, query *q)
{
    if (q->chosen != NULL)
        strcpy(q->chosen, s->choice);
    else
        clf_parameter_set(q->list, s->parameter, s->value);
    q->found = true;
}

/* Is it about exactly this class and variant or role, and of the kind that is looked for? */
static bool matches(const setting *s, const query *q, const char *type_class, const char *variant)
{
    const bool casts = s->parameter[0] == '\0';
    return strcmp(s->primitive, q->primitive) == 0 && strcmp(s->type_class, type_class) == 0 &&
           strcmp(s->variant, variant) == 0 && casts == (q->chosen != NULL);
}

static void apply_lines(const char *text, const char *type_class, const char *variant, query *q)
{
    setting s;
    while (*text != '\0') {
        const clf_cursor line = next_line(&text);
        if (parse_setting(line, &s) && matches(&s, q, type_class, variant))
            apply(&s, q);
    }
}

/* Weakest lines first: later ones override. */
static void apply_text(const char *text, query *q)
{
    const char *const names[] = {"*", q->variant, q->role};
    for (size_t i = 0; i < CLF_COUNT(names); i++) {
        if (names[i] != NULL) {
            apply_lines(text, "*", names[i], q);
            apply_lines(text, q->type_class, names[i], q);
        }
    }
}

static bool is_builtin_for(size_t i, const clf_facts *facts)
{
    return strstr(facts->name, builtin_profiles[i].device) != NULL &&
           strstr(facts->platform, builtin_profiles[i].platform) != NULL;
}

static bool look_up(const clf_profile *profile, const clf_facts *facts, query *q)
{
    for (size_t i = 0; i < CLF_COUNT(builtin_profiles); i++)
        if (is_builtin_for(i, facts))
            apply_text(builtin_profiles[i].text, q);
    if (profile->text != NULL)
        apply_text(profile->text, q);
    return q->found;
}

void clf_profile_describe(const clf_profile *profile, const clf_facts *facts, clf_text *text)
{
    clf_text_format(text, "profile =");
    size_t laid = 0;
    for (size_t i = 0; i < CLF_COUNT(builtin_profiles); i++)
        if (is_builtin_for(i, facts) && ++laid)
            clf_text_format(text, " built-in (%s)", builtin_profiles[i].device);
    clf_text_format(text, "%s\n", profile->text != NULL ? " caller" : laid ? "" : " none");
}

bool clf_profile_lookup(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                        const char *type_class, const char *variant, const char *role, clf_parameters *list)
{
    query q = {
        .primitive = primitive, .type_class = type_class, .variant = variant, .role = role, .list = list};
    return look_up(profile, facts, &q);
}

bool clf_profile_cast(const clf_profile *profile, const clf_facts *facts, const char *primitive,
                      const char *type_class, const char *role, char chosen[32])
{
    query q = {.primitive = primitive, .type_class = type_class, .role = role, .chosen = chosen};
    return look_up(profile, facts, &q);
}
