/* SPDX-License-Identifier: MIT */
/*
 * What the child is asked. A child that is lost, by a crash or because no answer comes, is a row of the point that was
 * asked for; but not if it compiled others ahead, for then any of them may be to blame. So the same is asked once more
 * of a child that has done nothing else.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "tune/tune.h"

#include <string.h>

static const char *ask_twice(tune_child *child, const char *line, double seconds, char answer[TUNE_LINE], char why[200])
{
    const char *lost = tune_ask(&child->process, line, seconds, answer, why);
    if (!lost || !child->ahead)
        return lost;
    child->ahead = false;
    ++child->lost;
    return tune_ask(&child->process, line, seconds, answer, why);
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

void tune_ask_row(tune_child *child, tune_row *row)
{
    char line[TUNE_LINE], answer[TUNE_LINE], why[200];
    tune_row measured;
    snprintf(row->status, sizeof row->status, "refused"); /* until it is known */
    tune_row_line(row, line);
    const char *lost = ask_twice(child, line, child->timeout, answer, why);
    const char *wrong = lost ? NULL : tune_row_parse(answer, &measured);
    if (wrong)
        bench_die("the child's answer: %s", wrong);
    if (lost) {
        snprintf(row->status, sizeof row->status, "%s", lost);
        snprintf(row->why, sizeof row->why, "%s", why);
    } else {
        measured.best = 0;
        *row = measured;
    }
}

void tune_tell_ahead(tune_child *child, const tune_row *row, unsigned threads)
{
    char line[TUNE_LINE];
    snprintf(line, sizeof line,
             "{\"ask\": \"ahead\", \"threads\": %u, \"primitive\": \"%s\", \"type\": \"%s\", "
             "\"most\": %.0f, \"variant\": \"%s\", \"define\": \"%s\"}\n",
             threads, row->primitive, row->type, row->most, row->variant, row->define);
    child->ahead = true;
    tune_tell(&child->process, line);
}

/* ---- Questions about more than a row ------------------------------------------------------------------------ */

/* Without an answer to these there is nothing to do. */
static void ask(tune_child *child, const char *line, tune_json *json)
{
    enum { LEAST = 60 };
    char answer[TUNE_LINE], why[200];
    const char *lost = ask_twice(child, line, child->timeout > LEAST ? child->timeout : LEAST, answer, why);
    if (lost)
        bench_die("the child %s: %s", lost, why);
    const char *wrong = tune_json_parse(answer, json);
    if (wrong)
        bench_die("the child's answer: %s", wrong);
}

bool tune_ask_model(tune_child *child, const char *primitive, const char *type, char model[TUNE_TEXT])
{
    char line[160];
    tune_json json;
    snprintf(line, sizeof line, "{\"ask\": \"case\", \"primitive\": \"%s\", \"type\": \"%s\"}\n", primitive, type);
    ask(child, line, &json);
    snprintf(model, TUNE_TEXT, "%s", tune_json_text(&json, "model"));
    return strcmp(model, tune_json_text(&json, "profiled")) != 0;
}

static void copy_text(char *to, size_t bytes, const tune_json *json, const char *key)
{
    snprintf(to, bytes, "%.*s", (int)bytes - 1, tune_json_text(json, key));
}
#define COPY(member, key) copy_text(device->names.member, sizeof device->names.member, &json, key)

void tune_ask_device(tune_child *child, tune_device *device)
{
    tune_json json;
    ask(child, "{\"ask\": \"device\"}\n", &json);
    COPY(device, "device");
    COPY(platform, "platform");
    COPY(vendor, "vendor");
    COPY(device_type, "type");
    COPY(architecture, "architecture");
    COPY(driver, "driver");
    COPY(version, "version");
    COPY(disable, "disable");
    if (strcmp(device->names.architecture, "not known") == 0)
        device->names.architecture[0] = '\0';
    device->cpu_kernels = strcmp(tune_json_text(&json, "cpu_kernels"), "yes") == 0;
    device->units = (cl_uint)tune_json_number(&json, "units");
    device->max_group = (cl_uint)tune_json_number(&json, "max_group");
    device->lane_width = (cl_uint)tune_json_number(&json, "lane_width");
    device->local_bytes = (cl_uint)tune_json_number(&json, "local_bytes");
    device->max_alloc = tune_json_number(&json, "max_alloc");
}
