/* SPDX-License-Identifier: MIT */
/*
 * What was found out about the device while the program runs: settings, as lines of a profile, which override all
 * others. Plans look them up in any thread while another one adds some, so what is there never changes: a new text
 * takes the old one's place, and old ones stay until the profile goes, for plans say which line a value comes from.
 */
#include "tuning/tuning.h"

#include <stdlib.h>
#include <string.h>

struct clf_tuned {
    struct clf_tuned *older;
    char *text;
    clf_section section;
};

const clf_section *clf_profile_tuned(const clf_profile *profile)
{
    const clf_tuned *const tuned = atomic_load_explicit(&profile->tuned, memory_order_acquire);
    return tuned ? &tuned->section : NULL;
}

static void free_tuned(clf_tuned *tuned)
{
    free(tuned->text);
    free(tuned);
}

void clf_profile_unlearn(clf_profile *profile)
{
    clf_tuned *tuned = atomic_exchange(&profile->tuned, NULL);
    while (tuned) {
        clf_tuned *const older = tuned->older;
        free_tuned(tuned);
        tuned = older;
    }
}

/* Do both lines set the same? */
static bool same_key(const clf_setting *a, const clf_setting *b)
{
    return strcmp(a->primitive, b->primitive) == 0 && strcmp(a->type_class, b->type_class) == 0 &&
           strcmp(a->variant, b->variant) == 0 && strcmp(a->parameter, b->parameter) == 0;
}

static bool is_set_again(const clf_setting *setting, const char *lines)
{
    clf_setting other;
    clf_cursor text = {lines, lines + strlen(lines)}, line;
    while (clf_next_line(&text, &line))
        if (clf_setting_parse(line, &other) && same_key(setting, &other))
            return true;
    return false;
}

/* What stands in `older` and is not set again, then the new lines. */
static void join(const clf_tuned *older, const char *lines, clf_text *text)
{
    clf_setting setting;
    clf_cursor rest, line;
    if (older)
        for (rest = older->section.settings; clf_next_line(&rest, &line);)
            if (clf_setting_parse(line, &setting) && !is_set_again(&setting, lines))
                clf_text_format(text, "%.*s\n", (int)(line.end - line.at), line.at);
    clf_text_format(text, "%s", lines);
}

static clf_status make(clf_tuned *older, const char *lines, clf_tuned **made, clf_error *error)
{
    clf_text text = {0};
    unsigned number = 1;
    clf_tuned *tuned = calloc(1, sizeof *tuned);
    join(older, lines, &text);
    if (!tuned || text.failed) {
        clf_text_free(&text);
        free(tuned);
        return clf_fail(error, CLF_E_NO_MEMORY, "no memory for a profile");
    }
    *tuned = (clf_tuned){.older = older, .text = text.data, .section = {.source = "tuned"}};
    const clf_status status = clf_section_parse(&(clf_cursor){text.data, text.data + text.length}, &number,
                                                &tuned->section, error);
    if (status != CLF_SUCCESS)
        free_tuned(tuned);
    else
        *made = tuned;
    return status;
}

clf_status clf_profile_learn(clf_profile *profile, const char *lines, clf_error *error)
{
    clf_tuned *older = atomic_load(&profile->tuned), *tuned;
    CLF_TRY(make(older, lines, &tuned, error));
    while (!atomic_compare_exchange_strong(&profile->tuned, &older, tuned)) {
        free_tuned(tuned); /* another thread's lines are there now, too */
        CLF_TRY(make(older, lines, &tuned, error));
    }
    return CLF_SUCCESS;
}

/* Values that a header's reader would take for none are left out; it can do without these. */
static void write_key(clf_text *text, const char *key, const char *value)
{
    if (value[0] != '\0')
        clf_text_format(text, "%s = %s\n", key, value);
}

void clf_profile_write_tuned(const clf_profile *profile, const clf_facts *facts, clf_text *text)
{
    const clf_section *const tuned = clf_profile_tuned(profile);
    clf_text_format(text, "clfold profile 1\ndevice = %s\n", facts->name[0] != '\0' ? facts->name : "*");
    write_key(text, "platform", facts->platform);
    clf_text_format(text, "vendor = %s\ntype = %s\n", facts->vendor[0] != '\0' ? facts->vendor : "*",
                    clf_device_type_name(facts->type));
    write_key(text, "architecture", facts->architecture);
    write_key(text, "driver", facts->driver);
    clf_text_format(text, "version = %s\n\n", CLFOLD_VERSION_STRING);
    if (tuned)
        clf_text_append(text, tuned->settings.at, (size_t)(tuned->settings.end - tuned->settings.at));
    clf_text_format(text, "end\n");
}
