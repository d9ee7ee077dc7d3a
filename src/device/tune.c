/* SPDX-License-Identifier: MIT */
/*
 * Parameters of variants, and the profiles that set them. Where no profile knows, a model guesses (model.c).
 *
 * A profile is text, one setting per line, with # before comments:
 *
 *     scan.b4.central.items = 52       primitive . class . variant . parameter = number
 *     scan.b4.medium = window          primitive . class . role = the variant to take ("main" is the role for any n)
 *
 * The class is that of the value type ("b4": clf_type_class), but parameters of scans whose inputs are others than
 * their values go by the class of what a tile holds in local memory (clf_tile_class). Where a variant stands, a role may too:
 * scan.b4.medium.limit = 65536. Class and variant may be * (any). A line that names the class overrides one
 * that does not; one that names the variant overrides both, and one that names the role overrides all. The
 * caller's profile as a whole overrides the built-in one.
 */
#include "device/device.h"

#include <stdio.h>
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
     "irregular_scan.b4.central.group = 192\n" /* with segments of one element tiles outrun a smaller central group */
     "irregular_scan.b8.main = window\n"
     "irregular_scan.b8.window.group = 256\n"
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

/* cl/README.md says what each does. Beyond these ranges nothing is of use, and much never ends. */
static const struct {
    const char *name;
    cl_uint least, most;
} known_parameters[] = {
    {"items", 1, 1 << 20},    {"group", 1, 1 << 16},     {"groups", 1, 1 << 16},
    {"rounds", 0, UINT32_MAX}, {"local", 0, 1 << 20},     {"ticket", 0, 1},
    {"spin", 0, 1 << 30},     {"stall", 0, UINT32_MAX},  {"reverse", 0, 1},
    {"count", 0, 1},          {"streams", 0, 256},       {"nontemporal", 0, 2},
    {"halo", 0, UINT32_MAX},  {"registers", 0, 255},     {"limit", 0, UINT32_MAX},
    {"fewest", 0, UINT32_MAX}, {"index64", 0, 1},         {"size", 0, UINT32_MAX},
    {"rows", 1, 1 << 16},     {"stripe", 0, 1 << 16},    {"ahead", 0, 1},
    {"across", 1, 1 << 16},   {"down", 1, 1 << 16},
};

/* ---- Lists of parameters ------------------------------------------------------------------------------- */

/* The index of a parameter, or list->count. */
static cl_uint find(const clf_parameters *list, const char *name)
{
    cl_uint i = 0;
    while (i < list->count && strcmp(list->item[i].name, name) != 0)
        i++;
    return i;
}

cl_uint clf_parameter_get(const clf_parameters *list, const char *name, cl_uint otherwise)
{
    const cl_uint i = find(list, name);
    return i < list->count ? list->item[i].value : otherwise;
}

void clf_parameter_set(clf_parameters *list, const char *name, cl_uint value)
{
    const cl_uint i = find(list, name);
    if (i == CLF_MAX_PARAMETERS)
        return; /* cannot happen: fewer names are known */
    if (i == list->count) {
        snprintf(list->item[i].name, sizeof list->item[i].name, "%s", name);
        list->count++;
    }
    list->item[i].value = value;
}

void clf_parameter_default(clf_parameters *list, const char *name, cl_uint value)
{
    if (find(list, name) == list->count)
        clf_parameter_set(list, name, value);
}

/* ---- Parsing ------------------------------------------------------------------------------------------- */

/* What is left of a line or of an option string. */
typedef struct cursor {
    const char *at, *end;
} cursor;

typedef struct setting {
    char primitive[32], type_class[16];
    char variant[32]; /* or a role */
    char parameter[24]; /* "": the line casts `choice` for the role */
    cl_uint value;
    char choice[32];
} setting;

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r' || *c->at == '\n'))
        c->at++;
}

static bool at_end(cursor *c)
{
    skip_blanks(c);
    return c->at == c->end;
}

static bool take(cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

/* A name that fits `bytes`. */
static bool take_name(cursor *c, char *name, size_t bytes)
{
    skip_blanks(c);
    size_t length = 0;
    while (c->at + length < c->end && clf_is_name_character(c->at[length]))
        length++;
    if (length == 0 || length >= bytes)
        return false;
    memcpy(name, c->at, length);
    name[length] = '\0';
    c->at += length;
    return true;
}

static bool take_name_or_star(cursor *c, char *name, size_t bytes)
{
    if (!take(c, '*'))
        return take_name(c, name, bytes);
    strcpy(name, "*");
    return true;
}

static bool take_number(cursor *c, cl_uint *value)
{
    uint64_t number = 0;
    skip_blanks(c);
    const char *begin = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9' && number <= UINT32_MAX; c->at++)
        number = number * 10 + (uint64_t)(*c->at - '0');
    *value = (cl_uint)number;
    return c->at != begin && number <= UINT32_MAX;
}

/* The index of a known parameter, or their number. */
static size_t known(const char *name)
{
    size_t i = 0;
    while (i < CLF_COUNT(known_parameters) && strcmp(known_parameters[i].name, name) != 0)
        i++;
    return i;
}

/* "name = 12", the name being a known one */
static bool take_parameter(cursor *c, char name[24], cl_uint *value)
{
    return take_name(c, name, 24) && known(name) < CLF_COUNT(known_parameters) && take(c, '=') && take_number(c, value);
}

static clf_status check_range(const char *name, cl_uint value, clf_error *error)
{
    const size_t i = known(name);
    const cl_uint least = known_parameters[i].least, most = known_parameters[i].most;
    if (value < least || value > most)
        return clf_fail(error, CLF_E_PARAMETER, "%s=%u: needs a number from %u to %u", name, value, least, most);
    return CLF_SUCCESS;
}

clf_status clf_parameters_parse(const char *text, clf_parameters *list, clf_error *error)
{
    char name[24];
    cl_uint value;
    if (text == NULL)
        return CLF_SUCCESS;
    cursor c = {text, text + strlen(text)};
    while (!at_end(&c)) {
        const cursor item = c;
        if (!take_parameter(&c, name, &value) || (!at_end(&c) && (!take(&c, ',') || at_end(&c))))
            return clf_fail(error, CLF_E_PARAMETER,
                            "parameters: '%.64s' is not like 'items=20,group=256' with known names", item.at);
        CLF_TRY(check_range(name, value, error));
        clf_parameter_set(list, name, value);
    }
    return CLF_SUCCESS;
}

static bool parse_setting(cursor line, setting *s)
{
    s->parameter[0] = '\0';
    if (!take_name(&line, s->primitive, sizeof s->primitive) || !take(&line, '.') ||
        !take_name_or_star(&line, s->type_class, sizeof s->type_class) || !take(&line, '.') ||
        !take_name_or_star(&line, s->variant, sizeof s->variant))
        return false;
    if (take(&line, '.'))
        return take_parameter(&line, s->parameter, &s->value) && at_end(&line);
    return take(&line, '=') && take_name(&line, s->choice, sizeof s->choice) && at_end(&line) &&
           !(s->choice[0] >= '0' && s->choice[0] <= '9');
}

/* Takes a line off the text, without its comment. */
static cursor next_line(const char **text)
{
    const char *begin = *text;
    const char *newline = begin + strcspn(begin, "\n");
    *text = newline + (*newline == '\n');
    return (cursor){begin, begin + strcspn(begin, "#\n")};
}

/* ---- Profiles ------------------------------------------------------------------------------------------ */

clf_status clf_profile_load(clf_profile *profile, const char *text, clf_error *error)
{
    setting s;
    unsigned number = 1;
    profile->text = NULL;
    for (const char *rest = text; rest != NULL && *rest != '\0'; number++) {
        cursor line = next_line(&rest);
        if (!at_end(&line) && !parse_setting(line, &s))
            return clf_fail(error, CLF_E_PARAMETER, "profile, line %u: '%.*s' is no setting", number,
                            (int)(line.end - line.at < 80 ? line.end - line.at : 80), line.at);
        if (!at_end(&line) && s.parameter[0] != '\0' && check_range(s.parameter, s.value, error) != CLF_SUCCESS)
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
        const cursor line = next_line(&text);
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
