/* SPDX-License-Identifier: MIT */
/*
 * The log: a row is a line of JSON, appended when it is measured and never changed. All else (what is done already,
 * profiles, replays) is made from logs, so that those of several people can be put together.
 */
#include "tune/tune.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

/* ---- Fields ------------------------------------------------------------------------------------------------ */

typedef enum kind { TEXT, COUNT, NUMBER, FLAG } kind;
typedef struct field {
    const char *name;
    kind kind;
    bool needed; /* in every row */
    size_t at, bytes;
} field;
#define FIELD(name, kind, needed) {#name, kind, needed, offsetof(tune_row, name), sizeof((tune_row *)0)->name}
static const field fields[] = {
    FIELD(device, TEXT, true), FIELD(platform, TEXT, true), FIELD(vendor, TEXT, true), FIELD(device_type, TEXT, true),
    FIELD(architecture, TEXT, false), FIELD(driver, TEXT, true), FIELD(version, TEXT, true),
    FIELD(disable, TEXT, false), FIELD(primitive, TEXT, true), FIELD(op, TEXT, true), FIELD(type, TEXT, true),
    FIELD(type_class, TEXT, true), FIELD(batch, COUNT, false), FIELD(segments, COUNT, true),
    FIELD(segment_size, COUNT, true), FIELD(bins, COUNT, false),
    FIELD(variant, TEXT, true), FIELD(define, TEXT, false), FIELD(status, TEXT, true), FIELD(why, TEXT, false),
    FIELD(verified_by, TEXT, false), FIELD(us, NUMBER, false), FIELD(us_min, NUMBER, false),
    FIELD(us_spread, NUMBER, false), FIELD(reference_us, NUMBER, false), FIELD(ratio, NUMBER, false),
    FIELD(copy_us, NUMBER, false), FIELD(build_s, NUMBER, false), FIELD(most, NUMBER, true),
    FIELD(best, NUMBER, false), FIELD(start, FLAG, false), FIELD(again, FLAG, false),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void write_field(tune_text *line, const field *f, const tune_row *row)
{
    const char *at = (const char *)row + f->at;
    cl_ulong count;
    double number;
    if (f->kind == TEXT) {
        tune_append(line, ", \"%s\": ", f->name);
        tune_append_string(line, at);
    } else if (f->kind == COUNT) {
        memcpy(&count, at, sizeof count);
        if (count)
            tune_append(line, ", \"%s\": %llu", f->name, (unsigned long long)count);
    } else if (f->kind == NUMBER) {
        memcpy(&number, at, sizeof number);
        if (number > 0) /* what was not measured is not there */
            tune_append(line, ", \"%s\": %.*g", f->name, number >= 1e6 ? 15 : 6, number);
    } else if (*(const bool *)at) {
        tune_append(line, ", \"%s\": true", f->name);
    }
}

void tune_row_line(const tune_row *row, char line[TUNE_LINE])
{
    tune_text text = {line, 0};
    tune_append(&text, "{\"clfold_tune\": %d", (int)FORMAT);
    for (size_t i = 0; i < FIELDS; ++i)
        write_field(&text, &fields[i], row);
    tune_append(&text, "}\n");
}

void tune_row_write(FILE *file, const tune_row *row)
{
    char line[TUNE_LINE];
    tune_row_line(row, line);
    fputs(line, file);
    fflush(file);
}

static const double most = 1e15; /* of whatever is counted or measured */

/* Names become lines of profiles: none may have several. */
static bool is_printable(const char *text)
{
    for (; *text; ++text)
        if ((unsigned char)*text < 32 || *text == 127)
            return false;
    return true;
}

static const char *take_field(const field *f, const tune_json *json, unsigned i, tune_row *row)
{
    static const char kinds[] = {'s', 'n', 'n', 'b'};
    static char wrong[64]; /* of one thread */
    char *at = (char *)row + f->at;
    const double number = json->field[i].number;
    snprintf(wrong, sizeof wrong, "\"%s\" is no such value", f->name);
    if (json->field[i].kind != kinds[f->kind] || number < 0)
        return wrong;
    if (f->kind == TEXT) {
        if (strlen(json->field[i].text) >= f->bytes || !is_printable(json->field[i].text))
            return wrong;
        strcpy(at, json->field[i].text);
    } else if (f->kind == COUNT) {
        if (number < 1 || number > most || number != floor(number))
            return wrong;
        memcpy(at, &(cl_ulong){(cl_ulong)number}, sizeof(cl_ulong));
    } else if (f->kind == NUMBER) {
        if (number > most)
            return wrong;
        memcpy(at, &number, sizeof number);
    } else {
        *(bool *)at = number != 0;
    }
    return NULL;
}

static bool is_one_of(const char *text, const char *const *words)
{
    while (*words && strcmp(*words, text) != 0)
        ++words;
    return *words;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " ")] == '\0';
}

/* What a profile's header says of the device: what clfold reads there. */
static const char *check_names(const tune_row *row)
{
    static const char *const types[] = {"cpu", "gpu", "accelerator", NULL};
    unsigned part[3];
    int length = 0;
    if (is_blank(row->device) || is_blank(row->platform) || is_blank(row->vendor) || is_blank(row->driver))
        return "the device has no name, or there is none of its platform, vendor or driver";
    if (*row->architecture && is_blank(row->architecture))
        return "\"architecture\" is no such value";
    if (!is_one_of(row->device_type, types))
        return "\"device_type\" is none that there is";
    if (strspn(row->version, "0123456789.") != strlen(row->version) || strlen(row->version) > 11 ||
        sscanf(row->version, "%3u.%3u.%3u%n", &part[0], &part[1], &part[2], &length) != 3 || row->version[length])
        return "\"version\" is not like 0.1.0";
    return NULL;
}

static const char *check_row(const tune_row *row)
{
    static const char *const statuses[] = {"ok", "refused", "failed", "wrong", "crashed", "hung", NULL};
    tune_point point;
    const char *const wrong = check_names(row);
    if (wrong)
        return wrong;
    if (!is_one_of(row->status, statuses))
        return "\"status\" is none that there is";
    if (row->type_class[0] != 'b' || strspn(row->type_class, "bx0123456789") != strlen(row->type_class))
        return "\"type_class\" is not like b4";
    if (row->most < 1)
        return "\"most\" is no such value";
    if (strcmp(row->status, "ok") == 0 && !(row->ratio > 0 && row->us > 0))
        return "it says \"ok\" but has no times";
    if (strcmp(row->variant, "auto") != 0 && !tune_family_of(row))
        return "it is of no primitive and variant that this clfold-tune tries";
    return tune_parse_point(row->variant, row->define, &point) ? NULL : "\"define\" is not like items=20,group=256";
}

const char *tune_row_parse(const char *line, tune_row *row)
{
    static tune_json json; /* of one thread */
    bool seen[FIELDS] = {false};
    const char *wrong = tune_json_parse(line, &json);
    *row = (tune_row){.us = 0};
    if (wrong)
        return wrong;
    if (tune_json_number(&json, "clfold_tune") != FORMAT)
        return tune_json_number(&json, "clfold_tune") > FORMAT ? "its format is newer than this clfold-tune"
                                                               : "it is no row of clfold-tune";
    for (unsigned i = 0; i < json.count && !wrong; ++i) {
        size_t f = 0;
        while (f < FIELDS && strcmp(fields[f].name, json.field[i].key) != 0)
            ++f;
        if (f == FIELDS && strcmp(json.field[i].key, "clfold_tune") != 0)
            return "it has a field of another name";
        if (f < FIELDS) {
            wrong = seen[f] ? "a field is there twice" : take_field(&fields[f], &json, i, row);
            seen[f] = true;
        }
    }
    for (size_t f = 0; f < FIELDS && !wrong; ++f)
        if (fields[f].needed && !seen[f])
            wrong = "a field is missing";
    return wrong ? wrong : check_row(row);
}

/* ---- Logs -------------------------------------------------------------------------------------------------- */

void tune_log_add(tune_log *log, const tune_row *row)
{
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 256;
        log->row = realloc(log->row, log->room * sizeof *log->row);
        if (!log->row)
            bench_die("the host has no memory left for %zu rows", log->room);
    }
    log->row[log->count++] = *row;
}

void tune_log_free(tune_log *log)
{
    free(log->row);
    *log = (tune_log){0, 0, NULL};
}

void tune_log_read(tune_log *log, const char *path, bool *cut)
{
    char line[TUNE_LINE];
    tune_row row;
    FILE *file = fopen(path, "rb");
    if (cut)
        *cut = false;
    if (!file)
        bench_die("cannot read %s", path);
    for (unsigned number = 1; fgets(line, sizeof line, file); ++number) {
        const size_t length = strlen(line);
        const bool whole = length > 0 && line[length - 1] == '\n';
        if (!whole && length + 1 < sizeof line && feof(file)) {
            if (cut)
                *cut = true;
            bench_note("%s, line %u: not whole, left out", path, number);
            break;
        }
        const char *wrong = whole ? tune_row_parse(line, &row) : "it is too long, or has a zero byte";
        if (wrong)
            bench_die("%s, line %u: %s", path, number, wrong);
        tune_log_add(log, &row);
    }
    if (ferror(file))
        bench_die("cannot read %s", path);
    fclose(file);
}

void tune_log_mend(const char *path)
{
    char line[TUNE_LINE];
    long whole = 0;
    FILE *file = fopen(path, "r+b");
    if (!file)
        bench_die("cannot write %s", path);
    while (fgets(line, sizeof line, file) && line[strlen(line) - 1] == '\n')
        whole = ftell(file);
    if (!tune_truncate(file, whole))
        bench_die("cannot write %s", path);
    fclose(file);
}

/* ---- What rows have in common ------------------------------------------------------------------------------- */

static bool is_ok(const tune_row *row)
{
    return strcmp(row->status, "ok") == 0;
}

bool tune_same_device(const tune_row *a, const tune_row *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->platform, b->platform) == 0 &&
           strcmp(a->driver, b->driver) == 0 && strcmp(a->disable, b->disable) == 0 &&
           strcmp(a->version, b->version) == 0;
}

bool tune_same_case(const tune_row *a, const tune_row *b)
{
    return tune_same_device(a, b) && strcmp(a->primitive, b->primitive) == 0 && strcmp(a->op, b->op) == 0 &&
           strcmp(a->type, b->type) == 0 && a->most == b->most;
}

bool tune_same_shape(const tune_row *a, const tune_row *b)
{
    return a->batch == b->batch && a->segments == b->segments && a->segment_size == b->segment_size &&
           a->bins == b->bins;
}

tune_row tune_row_at(const tune_row *point, const tune_row *shape)
{
    tune_row row = *point;
    row.batch = shape->batch;
    row.segments = shape->segments;
    row.segment_size = shape->segment_size;
    row.bins = shape->bins;
    return row;
}

bool tune_same_point(const tune_row *a, const tune_row *b)
{
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->define, b->define) == 0;
}

double tune_median(const tune_log *log, const tune_row *row)
{
    enum { MOST = 64 };
    double ratio[MOST];
    unsigned count = 0;
    for (size_t i = 0; i < log->count && count < MOST; ++i) {
        const tune_row *r = &log->row[i];
        if (!tune_same_case(r, row) || !tune_same_shape(r, row) || !tune_same_point(r, row))
            continue;
        if (!is_ok(r))
            return INFINITY;
        ratio[count++] = r->ratio;
    }
    return count ? bench_median(ratio, count) : -1;
}

unsigned tune_shapes(const tune_log *log, const tune_row *row, const tune_row **shape, unsigned room)
{
    unsigned count = 0;
    for (size_t i = 0; i < log->count && count < room; ++i) {
        unsigned s = 0;
        if (!tune_same_case(&log->row[i], row))
            continue;
        while (s < count && !tune_same_shape(shape[s], &log->row[i]))
            ++s;
        if (s == count)
            shape[count++] = &log->row[i];
    }
    return count;
}

double tune_score(const tune_log *log, const tune_row *row, unsigned shapes)
{
    const tune_row *shape[16];
    const unsigned count = tune_shapes(log, row, shape, 16);
    double sum = 0;
    unsigned missing = count < shapes ? shapes - count : 0;
    for (unsigned s = 0; s < count; ++s) {
        const tune_row at = tune_row_at(row, shape[s]);
        const double median = tune_median(log, &at);
        if (isinf(median))
            return INFINITY; /* whatever else is missing */
        if (median > 0)
            sum += log2(median);
        else
            ++missing;
    }
    return missing || count == 0 ? -1 : exp2(sum / count);
}
