/* SPDX-License-Identifier: MIT */
/*
 * Profiles as texts and files: what is wrong with one and where, which device it is for, and who overrides whom. Part
 * of suite tune.
 */
#include "folder.h"
#include "gen.h"
#include "harness.h"
#include "primitives/primitives.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

#define HEADER "clfold profile 1\ndevice = This 1\nvendor = V\ntype = gpu\nversion = 0.1.0\n"
#define HEADED(keys) "clfold profile 1\n" keys "version = 0.1.0\n"

/* ---- What is wrong --------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *words;
} bad_texts[] = {
    {"clfold profile 2\nnothing = known\n", "line 1: format 2 is newer than what clfold 0.1.0 knows, which is 1"},
    {"\n# cut\nclfold profile\n", "line 3: 'clfold profile' is not like 'clfold profile 1'"},
    {"clfold profile 0\n", "line 1: 'clfold profile 0' is not like"},
    {"clfold profile 1 2\n", "line 1: 'clfold profile 1 2' is not like"},
    {"clfold profile 99999999999\n", "line 1: 'clfold profile 99999999999' is not like"},
    {"clfold profile 1\nend\n", "line 2: the header above has no line 'device"},
    {"clfold profile 1\ndevice = D\nvendor = V\ntype = gpu\nend\n", "line 5: the header above has no line 'version"},
    {HEADER, "line 6: the text was cut: its last line is not 'end'"},
    {HEADER "scan.*.*.items = 3\n", "line 7: the text was cut"},
    {HEADER "scan.*.*.items = 3\nen", "line 7: 'en' is no setting"},
    {HEADER "scan.*.*.items = 3\n" HEADER "end\n", "line 7: the section above has no line 'end'"},
    {HEADER "end\nscan.*.*.items = 3\n", "line 7: 'scan.*.*.items = 3' stands behind the end"},
    {HEADER "end\n\n# more\nend\n", "line 9: 'end' stands behind the end"},
    {HEADER "device = That 2\nend\n", "line 6: 'device = That 2' was said before"},
    {HEADER "colour = red\nend\n", "line 6: 'colour = red' is nothing that a header says"},
    {HEADER "score = good\nend\n", "line 6: 'score = good' is no such value"},
    {HEADER "score = 1.2.3\nend\n", "line 6: 'score = 1.2.3' is no such value"},
    {HEADER "driver =\nend\n", "line 6: 'driver =' is no such value"},
    {HEADER "driver = a\x01" "b\nend\n", "is no such value"},
    {HEADER "scan.*.*.items = 3\narchitecture = sm_90\nend\n", "line 7: 'architecture = sm_90' is no setting"},
    {HEADED("device = D\nvendor = V\ntype = toaster\n"), "line 4: 'type = toaster' is no such value"},
    {"clfold profile 1\nversion = 1.0\n", "line 2: 'version = 1.0' is no such value"},
    {HEADER "scan.*.*.items = 0\nend\n", "line 6: 'scan.*.*.items = 0' is out of range"},
    {HEADER "scan.*.*.colour = 1\nend\n", "line 6: 'scan.*.*.colour = 1' is no setting"},
    {"scan.*.*.items = 3\nend\n", "line 2: 'end' is no setting"},
    {"reduce.b4.cpu.size = 5", "line 1: 'reduce.b4.cpu.size = 5' is for clf_plan_options alone"},
};

TEST(bad_text)
{
    clf_profile profile;
    clf_error error = {.size = sizeof error};
    ck_assert_int_eq(clf_profile_load(&profile, bad_texts[_i].text, &error), CLF_E_PARAMETER);
    ck_assert_msg(strstr(error.message, bad_texts[_i].words), "'%s', not '%s'", error.message, bad_texts[_i].words);
    ck_assert_uint_eq(profile.by[CLF_PROFILE_BUILT_IN].count, 0);
}

/* ---- Whose it is ------------------------------------------------------------------------------------------- */

static const clf_facts this_device = {.name = "This 1", .platform = "P", .vendor = "V", .type = CL_DEVICE_TYPE_GPU,
                                      .architecture = "a1"};
static const struct {
    const char *keys;
    clf_reach reach;
} reaches[] = {
    {"device = This 1\nplatform = P\nvendor = V\ntype = gpu\narchitecture = a1\n", CLF_REACH_DEVICE},
    {"device = This 1\nvendor = V\ntype = gpu\narchitecture = a2\n", CLF_REACH_DEVICE},
    {"device = This\nvendor = V\ntype = gpu\n", CLF_REACH_ARCHITECTURE},
    {"device = This 12\nvendor = V\ntype = gpu\n", CLF_REACH_NONE},
    {"device = Thi\nvendor = V\ntype = gpu\n", CLF_REACH_NONE},
    {"device = That 2\nvendor = V\ntype = gpu\narchitecture = a1\n", CLF_REACH_ARCHITECTURE},
    {"device = That 2\nvendor = V\ntype = gpu\narchitecture = a2\n", CLF_REACH_NONE},
    {"device = That 2\nvendor = V\ntype = gpu\n", CLF_REACH_NONE},
    {"device = *\nvendor = V\ntype = gpu\narchitecture = a1\n", CLF_REACH_ARCHITECTURE},
    {"device = *\nvendor = V\ntype = gpu\narchitecture = a2\n", CLF_REACH_NONE},
    {"device = *\nvendor = V\ntype = gpu\n", CLF_REACH_VENDOR},
    {"device = *\nvendor = V\ntype = *\narchitecture = *\n", CLF_REACH_VENDOR},
    {"device = *\nvendor = *\ntype = gpu\n", CLF_REACH_ANY},
    {"device = *\nvendor = *\ntype = cpu\n", CLF_REACH_NONE},
    {"device = This 1\nvendor = W\ntype = gpu\n", CLF_REACH_NONE},
    {"device = This 1\nvendor = V\ntype = cpu\n", CLF_REACH_NONE},
    {"device = This 1\nplatform = Q\nvendor = V\ntype = gpu\n", CLF_REACH_NONE},
};

static cl_uint items_of(const clf_profile *profile, const clf_facts *facts)
{
    clf_parameters list = {0};
    clf_profile_lookup(profile, facts, "scan", "b4", "serial", NULL, &list);
    return clf_parameter_get(&list, "items", 0);
}

TEST(reach_of_a_header)
{
    char text[512];
    clf_profile profile;
    snprintf(text, sizeof text, "clfold profile 1\n%sversion = 0.1.0\nscan.*.*.items = 7\nend\n", reaches[_i].keys);
    ck_assert_int_eq(clf_profile_load(&profile, text, NULL), CLF_SUCCESS);
    ck_assert_int_eq(clf_section_reach(&profile.by[CLF_PROFILE_CALLER].section[0], &this_device), reaches[_i].reach);
    ck_assert_uint_eq(items_of(&profile, &this_device), reaches[_i].reach ? 7 : 0);
    ck_assert_int_eq(clf_profile_is_foreign(&profile, CLF_PROFILE_CALLER, &this_device), !reaches[_i].reach);
    ck_assert(!clf_profile_is_foreign(&profile, CLF_PROFILE_FILE, &this_device));
    clf_profile_free(&profile);
}

/* What says more of the device overrides, wherever it stands; a weaker section's strongest line gives way. */
TEST(stronger_sections_override)
{
    static const char text[] =
        HEADED("device = This 1\nvendor = V\ntype = gpu\n") "scan.*.*.items = 4\nend\n"
        HEADED("device = That\nvendor = V\ntype = gpu\narchitecture = a1\n")
        "scan.*.*.items = 3\nscan.*.*.group = 64\nend\n"
        HEADED("device = *\nvendor = V\ntype = gpu\n") "scan.b4.serial.items = 2\nscan.*.*.group = 32\nend\n"
        HEADED("device = *\nvendor = *\ntype = gpu\n") "scan.b4.serial.items = 1\nscan.*.*.ticket = 0\nend\n";
    clf_parameters list = {0};
    clf_profile profile;
    ck_assert_int_eq(clf_profile_load(&profile, text, NULL), CLF_SUCCESS);
    ck_assert_uint_eq(profile.by[CLF_PROFILE_CALLER].count, 4);
    clf_profile_lookup(&profile, &this_device, "scan", "b4", "serial", NULL, &list);
    ck_assert_uint_eq(clf_parameter_get(&list, "items", 0), 4);
    ck_assert_uint_eq(clf_parameter_get(&list, "group", 0), 64);
    ck_assert_uint_eq(clf_parameter_get(&list, "ticket", 7), 0);
    ck_assert_uint_eq(list.count, 3);
    for (cl_uint i = 0; i < list.count; ++i) {
        ck_assert_str_eq(list.item[i].origin.source, "caller");
        ck_assert_uint_eq(list.item[i].origin.line, list.item[i].value == 4 ? 6 : list.item[i].value == 64 ? 15 : 31);
    }
    clf_profile_free(&profile);
}

/* Each file has one section with a header, and is named after the device, or it would be hard to find. */
TEST(built_in_files)
{
    clf_profile profile;
    size_t files = 0;
    ck_assert_int_eq(clf_profile_load(&profile, NULL, NULL), CLF_SUCCESS);
    for (const clf_profile_file *file = clf_profile_files; file->name; ++file, ++files) {
        const clf_section *section = &profile.by[CLF_PROFILE_BUILT_IN].section[files];
        ck_assert_str_eq(section->source, file->name);
        ck_assert(section->headed);
        ck_assert_ptr_nonnull(strstr(file->name, ".profile"));
        ck_assert(section->settings.end > section->settings.at);
    }
    ck_assert_uint_eq(files, profile.by[CLF_PROFILE_BUILT_IN].count);
    ck_assert_uint_ge(files, 1);
    clf_profile_free(&profile);
}

/* ---- Files --------------------------------------------------------------------------------------------------- */

static void write_file(char path[256], const char *text, size_t bytes)
{
    snprintf(path, 256, "%s/p.profile", folder_open());
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, bytes, file), bytes);
    ck_assert_int_eq(fclose(file), 0);
}

/* Context, and what was said of the file: in `told`, and as text. */
static clf_context *context_with(const char *path, const char *profile, rig_told *told, char text[8192])
{
    const clf_context_options options = {.size = sizeof options, .profile = profile, .notify = rig_listen,
                                         .user = told};
    clf_context *context = NULL;
    *told = (rig_told){0};
    setenv("CLFOLD_PROFILE", path, 1);
    const clf_status status = clf_context_create(the_rig()->cl, the_rig()->device, &options, &context, NULL);
    unsetenv("CLFOLD_PROFILE");
    assert_ok(status);
    assert_ok(clf_context_describe(context, text, 8192, NULL));
    return context;
}

static void check_tuning(clf_context *context, const char *words)
{
    char text[4096];
    size_t needed;
    const clf_plan_options options = {.size = sizeof options, .variant = "two_pass", .parameters = "group=64"};
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, context, clf_builtin(CLF_SUM, CLF_INT), 0, &options);
    assert_ok(clf_plan_describe_tuning(plan, text, sizeof text, &needed));
    ck_assert_uint_eq(needed, strlen(text) + 1);
    ck_assert_ptr_nonnull(strstr(text, "main\tvariant\ttwo_pass\tdefault\n"));
    ck_assert_ptr_nonnull(strstr(text, "main\tgroup\t64\tplan\n"));
    ck_assert_msg(strstr(text, words), "no '%s' in\n%s", words, text);
    ck_assert_ptr_null(strstr(text, "lookback"));
    assert_ok(clf_plan_release(plan));
    assert_status(clf_plan_describe_tuning(NULL, text, sizeof text, NULL), CLF_E_ARGUMENT);
}

/* The file overrides the caller's text, line by line; "off" takes both away. */
TEST(file_overrides)
{
    static const char file[] = "# mine\nscan.*.*.items = 3\n", caller[] = "scan.*.*.rounds = 1\nscan.b4.*.items = 5\n";
    char path[256], text[8192];
    rig_told told;
    write_file(path, file, strlen(file));
    clf_context *context = context_with(path, caller, &told, text);
    ck_assert_int_eq(told.calls, 0);
    ck_assert_ptr_nonnull(strstr(text, " caller file p.profile\n"));
    check_tuning(context, "main\titems\t3\tp.profile:2\n");
    check_tuning(context, "main\trounds\t1\tcaller:1\n");
    assert_ok(clf_context_release(context));
    context = context_with("off", caller, &told, text);
    ck_assert_ptr_nonnull(strstr(text, "profile = none\n"));
    ck_assert_int_eq(told.calls, 0);
    assert_ok(clf_context_release(context));
    folder_close();
}

/* Variants that take only some calls are no role's, and what nobody knows is nobody's: no call is refused for it. */
TEST(no_call_is_refused)
{
    enum { N = 20000, ROWS = 125 };
    static cl_int ones[N], all[N];
    const clf_call *const on = CLF_ON(the_rig()->queue);
    for (int i = 0; i < N; ++i)
        ones[i] = 1;
    const clf_array in = {rig_buffer(sizeof ones, ones), 0}, out = {rig_buffer(sizeof all, NULL), 0};
    clf_context *const context =
        RIG_CONTEXT(.disable = _i ? "cpu" : NULL,
                    .profile =
                        "scan.*.main = one_group\nscan.*.medium = one_group\nscan.*.medium.limit = 1000000\n"
                        "reduce.*.main = small\ntranspose.*.main = small\n"
                        "foo.b4.main = bar\nscan.b3.main = window\nscan.b4.large = window\nscan.b4.main = nosuch\n");
    assert_ok(clf_array_reduce(context, on, CLF_SUM, CLF_INT, N, in, out));
    rig_read(the_rig()->queue, out.buffer, 4, all);
    ck_assert_int_eq(all[0], N);
    assert_ok(clf_matrix_transpose(context, on, 4, ROWS, N / ROWS, in, out));
    assert_ok(clf_inclusive_scan(context, on, CLF_SUM, CLF_INT, N, out, out));
    rig_read(the_rig()->queue, out.buffer, sizeof all, all);
    for (int i = 0; i < N; ++i)
        ck_assert_int_eq(all[i], i + 1);
    assert_ok(clf_context_release(context));
    rig_release(in, out);
}

static const struct {
    const char *file, *words;
    size_t bytes; /* 0: the text's length */
} bad_files[] = {
    {"scan.*.*.items = 3\nscan.*.*.items =\n", "p.profile: profile, line 2: 'scan.*.*.items =' is no setting", 0},
    {HEADER "scan.*.*.items = 3\n", "p.profile: profile, line 7: the text was cut", 0},
    {"scan.*.*.items = 3\n\0scan", "p.profile: it has a zero byte, and so is no text", 22},
    {"\xff\xfe\x80", "line 1: '", 0},
};

/* A file that is bad is ignored, all of it, and that is told. */
TEST(file_bad)
{
    char path[256], text[8192];
    rig_told told;
    write_file(path, bad_files[_i].file, bad_files[_i].bytes ? bad_files[_i].bytes : strlen(bad_files[_i].file));
    clf_context *context = context_with(path, "scan.b4.*.items = 5", &told, text);
    ck_assert_int_eq(told.calls, 1);
    ck_assert_int_eq(told.status, CLF_E_PARAMETER);
    ck_assert_msg(strncmp(told.sentence, "CLFOLD_PROFILE is ignored: ", 27) == 0, "%s", told.sentence);
    ck_assert_msg(strstr(told.sentence, bad_files[_i].words), "'%s', not '%s'", told.sentence, bad_files[_i].words);
    ck_assert_ptr_nonnull(strstr(text, "profile_ignored = p.profile: "));
    check_tuning(context, "main\titems\t5\tcaller:1\n");
    assert_ok(clf_context_release(context));
    folder_close();
}

TEST(file_missing_or_foreign)
{
    char path[256], text[8192];
    rig_told told;
    write_file(path, HEADER "scan.*.*.items = 3\nend\n", strlen(HEADER "scan.*.*.items = 3\nend\n"));
    clf_context *context = context_with(path, NULL, &told, text);
    ck_assert_int_eq(told.calls, 1);
    ck_assert_msg(strncmp(told.sentence, "CLFOLD_PROFILE has no profile for ", 34) == 0, "%s", told.sentence);
    assert_ok(clf_context_release(context));
    folder_close();
    context = context_with(path, HEADER "end", &told, text);
    ck_assert_int_eq(told.calls, 2);
    ck_assert_msg(strncmp(told.sentence, "clf_context_options.profile has no ", 35) == 0, "%s", told.sentence);
    ck_assert_ptr_nonnull(strstr(text, "profile_ignored = p.profile: "));
    assert_ok(clf_context_release(context));
}

TEST(file_too_long)
{
    enum { BYTES = (1 << 20) + 4096 };
    char path[256], text[8192], *long_text = malloc(BYTES);
    rig_told told;
    memset(long_text, '#', BYTES);
    write_file(path, long_text, BYTES);
    clf_context *context = context_with(path, NULL, &told, text);
    ck_assert_msg(strstr(told.sentence, "p.profile: it is too long for a profile"), "%s", told.sentence);
    assert_ok(clf_context_release(context));
    free(long_text);
    folder_close();
}

/* ---- Any text --------------------------------------------------------------------------------------------------- */

static void mutate(gen *random, char *text, size_t *length, size_t room)
{
    static const char *const words[] = {"clfold profile 1\n", "end\n", "*", ".", "=", "\n", "99999999999", "#",
                                        "scan."};
    const size_t at = *length ? (size_t)gen_below(random, *length) : 0;
    const char *word = words[gen_below(random, CLF_COUNT(words))];
    switch (gen_below(random, 4)) {
    case 0: /* cut */ *length = at; break;
    case 1: /* another byte, but no zero */
        if (*length)
            text[at] = (char)(1 + gen_below(random, 255));
        break;
    case 2: /* a byte less */
        if (*length)
            memmove(text + at, text + at + 1, --*length - at);
        break;
    default: /* a word more */
        if (*length + strlen(word) < room) {
            memmove(text + at + strlen(word), text + at, *length - at);
            memcpy(text + at, word, strlen(word));
            *length += strlen(word);
        }
    }
    text[*length] = '\0';
}

/* Whatever the text, it is refused with a line's number, or taken whole: then lookups do not go astray. */
TEST(any_text)
{
    enum { TEXTS = 20000, ROOM = 8192 };
    gen random = gen_seed(the_rig()->seed, 77);
    char text[ROOM + 1], start[ROOM + 1];
    unsigned good = 0, lines = 0;
    snprintf(start, sizeof start,
             "scan.*.*.spin = 4\n" HEADER "scan.b4.main = window # x\n\nscan.b4.serial.items = 2\nend\n"
             HEADED("device = *\nvendor = *\ntype = *\nscore = 0.98\n") "scan.*.*.group=64\nend\n");
    for (int i = 0; i < TEXTS; ++i) {
        clf_profile profile;
        clf_error error = {.size = sizeof error};
        size_t length = strlen(start);
        memcpy(text, start, length + 1);
        for (cl_ulong edits = 1 + gen_below(&random, 4); edits > 0; --edits)
            mutate(&random, text, &length, ROOM);
        const clf_status status = clf_profile_load(&profile, text, &error);
        if (status == CLF_SUCCESS) {
            ck_assert_uint_le(items_of(&profile, &this_device), 1 << 20);
            clf_profile_free(&profile);
            ++good;
            continue;
        }
        unsigned number = 0;
        ck_assert_int_eq(status, CLF_E_PARAMETER);
        ck_assert_msg(sscanf(error.message, "profile, line %u:", &number) == 1 && number > 0, "%s", error.message);
        for (const char *c = (lines = 2, text); *c; ++c)
            lines += *c == '\n';
        ck_assert_uint_le(number, lines);
    }
    ck_assert_uint_gt(good, TEXTS / 100);
    ck_assert_uint_lt(good, TEXTS / 2);
}

RIG_PART(add_profile_tests, {bad_text, (int)CLF_COUNT(bad_texts)}, {reach_of_a_header, (int)CLF_COUNT(reaches)},
         {stronger_sections_override, 1}, {built_in_files, 1}, {file_overrides, 1}, {no_call_is_refused, 2},
         {file_bad, (int)CLF_COUNT(bad_files)}, {file_missing_or_foreign, 1}, {file_too_long, 1}, {any_text, 1})
