/* SPDX-License-Identifier: MIT */
/*
 * Rows of clfold-tune's logs, damaged at random: each is refused with a sentence, or is a row that is written as it was
 * read; and whatever rows are taken, a profile made of them is one that the library reads.
 *
 *     tune_fuzz DIRECTORY [ROWS [SEED]]
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "primitives/primitives.h"
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMES                                                                                                          \
    "{\"clfold_tune\": 1, \"device\": \"Made Up 1\", \"platform\": \"P\", \"vendor\": \"V\", "                         \
    "\"device_type\": \"gpu\", \"architecture\": \"a1\", \"driver\": \"7\", \"version\": \"0.1.0\", "                  \
    "\"disable\": \"\", \"primitive\": "
#define COUNT ", \"op\": \"count\", \"type\": "
#define SUM ", \"op\": \"sum\", \"type\": "
static const char *const whole[] = {
    NAMES "\"scan\"" SUM "\"i32\", \"type_class\": \"b4\", \"segments\": 1, \"segment_size\": 65536, "
          "\"variant\": \"central\", \"define\": \"group=128,items=36,ticket=0\", \"status\": \"ok\", \"why\": \"\", "
          "\"verified_by\": \"last\", \"us\": 12.5, \"us_min\": 12, \"ratio\": 0.75, \"copy_us\": 3, "
          "\"build_s\": 0.5, \"most\": 65536, \"again\": true}\n",
    NAMES "\"reduce_small\"" SUM "\"4xi64\", \"type_class\": \"b32x8\", \"segments\": 4096, \"segment_size\": 16, "
          "\"variant\": \"small\", \"define\": \"group=256,items=2\", \"status\": \"hung\", "
          "\"why\": \"after 10 s\", \"most\": 65536, \"start\": true}\n",
    NAMES "\"scan_limits\"" SUM "\"i32\", \"type_class\": \"b4\", \"segments\": 1, \"segment_size\": 4096, "
          "\"variant\": \"window\", \"define\": \"group=128,items=8\", \"status\": \"ok\", \"us\": 5, "
          "\"ratio\": 1.25, \"most\": 65536}\n",
    NAMES "\"histogram_fewest\"" COUNT "\"i32\", \"type_class\": \"b4\", \"segments\": 1, \"segment_size\": 4096, "
          "\"bins\": 4096, \"variant\": \"split\", \"define\": \"group=512,items=16,groups=8,local=49152\", "
          "\"status\": \"ok\", \"us\": 5, \"ratio\": 0.25, \"most\": 65536}\n",
    NAMES "\"transpose_small_limits\"" SUM "\"i16\", \"type_class\": \"b2\", \"batch\": 1337, \"segments\": 7, "
          "\"segment_size\": 7, \"variant\": \"small\", \"define\": \"group=128,items=8\", \"status\": \"ok\", "
          "\"us\": 5, \"ratio\": 0.5, \"most\": 65536}\n",
    NAMES "\"transpose_filled\"" SUM "\"i16\", \"type_class\": \"b2\", \"segments\": 963, \"segment_size\": 17, "
          "\"variant\": \"chosen\", \"define\": \"filled=2\", \"status\": \"ok\", \"us\": 5, \"ratio\": 0.5, "
          "\"most\": 16384}\n",
    NAMES "\"transpose_small\"" SUM "\"i16\", \"type_class\": \"b2\", \"batch\": 1337, \"segments\": 7, "
          "\"segment_size\": 7, \"variant\": \"small\", \"define\": \"group=128,items=8\", \"status\": \"ok\", "
          "\"us\": 5, \"ratio\": 0.5, \"most\": 65536, \"start\": true}\n",
    NAMES "\"transpose\"" SUM "\"i16\", \"type_class\": \"b2\", \"segments\": 16, \"segment_size\": 4096, "
          "\"variant\": \"tile\", \"define\": \"group=128,across=32,down=32,stripe=8\", \"status\": \"ok\", "
          "\"us\": 5, \"ratio\": 1, \"most\": 65536, \"start\": true}\n",
    NAMES "\"transpose_small_limits\"" SUM "\"i16\", \"type_class\": \"b2\", \"batch\": 1337, \"segments\": 7, "
          "\"segment_size\": 7, \"variant\": \"tile\", \"define\": \"group=128,across=32,down=32,stripe=8\", "
          "\"status\": \"ok\", \"us\": 5, \"ratio\": 1, \"most\": 65536}\n",
};
enum { WHOLE = sizeof whole / sizeof whole[0] };

/* What does harm where it does not belong. */
static const char *const hostile[] = {
    "\"", "{", "}", "[", "]", ":", ",", "\\", "\\u0000", "\\u000a", "\\n", "\\ud800", "nan", "inf", "1e999", "-1",
    "0x10", "1e300", "0", "4294967296", "18446744073709551616", "0.000000000000000000001", "true", "null", "\x80\xff",
    "\x01", "\t", "\r", "end", "clfold profile 1", "=", "*", "#", ".", "%s%n",
    "b4.cpu.items = 1", "items=1,items=2", " ",
    "items=0", "colour=3", "\"start\": true, ", "\"device\": \"\", ", "2", "-0", "../../x",
};
enum { HOSTILE = sizeof hostile / sizeof hostile[0] };

static uint64_t state;
static unsigned below(unsigned limit)
{
    return (unsigned)(bench_hash(++state) >> 16) % limit;
}

/* Puts `bytes` of `text` in the place of `removed` bytes. */
static void splice(char *line, size_t at, size_t removed, const char *text, size_t bytes)
{
    const size_t length = strlen(line);
    removed = removed < length - at ? removed : length - at;
    if (length - removed + bytes + 1 > TUNE_LINE)
        return;
    memmove(line + at + bytes, line + at + removed, length - at - removed + 1);
    memcpy(line + at, text, bytes);
}

static void damage(char *line)
{
    const size_t length = strlen(line), at = length ? below((unsigned)length) : 0;
    const char *const text = hostile[below(HOSTILE)];
    char copy[64];
    switch (below(6)) {
    case 0: line[at] = (char)(1 + below(255)); break;
    case 1: splice(line, at, 1 + below(40), "", 0); break;
    case 2: splice(line, at, 0, text, strlen(text)); break;
    case 3: splice(line, at, 1 + below(12), text, strlen(text)); break;
    case 4:
        snprintf(copy, sizeof copy, "%.*s", (int)(1 + below(60)), line + at);
        splice(line, below((unsigned)length + 1), 0, copy, strlen(copy));
        break;
    default: line[at] = '\0';
    }
}

/* False if it is refused. Dies if a row that is taken is another one when it is read again. */
static bool try_line(const char *line, tune_row *row)
{
    char first[TUNE_LINE] = "", second[TUNE_LINE] = "";
    tune_row again;
    const char *wrong = tune_row_parse(line, row);
    if (wrong && *wrong == '\0')
        bench_die("refused without a word: %s", line);
    if (wrong)
        return false;
    if (!isfinite(row->us) || !isfinite(row->ratio) || row->segments < 1 || row->segment_size < 1)
        bench_die("taken: %s", line);
    tune_row_line(row, first);
    wrong = tune_row_parse(first, &again);
    if (wrong)
        bench_die("%s, but it was written: %s", wrong, first);
    tune_row_line(&again, second);
    if (strcmp(first, second) != 0)
        bench_die("written as\n%sand then as\n%s", first, second);
    return true;
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = bench_alloc(1 << 22);
    if (!file)
        bench_die("cannot read %s", path);
    text[fread(text, 1, (1 << 22) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The profile of the rows that were taken, by the command that everybody uses. */
static void check_profile(char *log, const char *path)
{
    clf_profile profile;
    clf_error error = {.size = sizeof error};
    const int out = dup(STDOUT_FILENO);
    if (out < 0 || !freopen(path, "w", stdout))
        bench_die("cannot write %s", path);
    tune_profile(1, &log);
    fflush(stdout);
    if (dup2(out, STDOUT_FILENO) < 0)
        bench_die("standard output is gone");
    close(out);
    char *text = read_all(path);
    if (clf_profile_load(&profile, text, &error) != CLF_SUCCESS)
        bench_die("%s: %s", path, error.message);
    clf_profile_free(&profile);
    free(text);
}

int main(int argc, char **argv)
{
    const unsigned rows = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100000;
    unsigned taken = 0;
    char line[TUNE_LINE], log[512], profile[512];
    tune_row row;
    if (argc < 2)
        bench_die("tune_fuzz DIRECTORY [ROWS [SEED]]");
    state = argc > 3 ? strtoull(argv[3], NULL, 10) << 32 : 0;
    snprintf(log, sizeof log, "%s/taken.jsonl", argv[1]);
    snprintf(profile, sizeof profile, "%s/taken.profile", argv[1]);
    FILE *file = fopen(log, "w");
    if (!file)
        bench_die("cannot write %s", log);
    for (unsigned i = 0; i < rows; ++i) {
        strcpy(line, whole[i % WHOLE]);
        for (unsigned k = i < WHOLE ? 0 : 1 + below(8) / 6; k > 0 && *line; --k)
            damage(line);
        const bool good = try_line(line, &row);
        if (i < WHOLE && !good)
            bench_die("a whole row is refused: %s", line);
        if (good && taken < 400) /* each is looked at for each */
            tune_row_write(file, &row);
        taken += good;
    }
    fclose(file);
    check_profile(log, profile);
    printf("tune_fuzz: %u of %u rows were taken\n", taken, rows);
    return 0;
}
