/* SPDX-License-Identifier: MIT */
/*
 * Parameters, profiles, type classes and the model of m, whose expected values are those that Clausen 2021
 * publishes. Headers and files of profiles are in test_profile.c.
 */
#include "harness.h"
#include "primitives/primitives.h"
#include "suites.h"

#include <stdio.h>
#include <string.h>

/* ---- Parameters ---------------------------------------------------------------------------------------- */

TEST(parameters_good)
{
    clf_parameters list = {0};
    ck_assert_int_eq(clf_parameters_parse("items=20, group = 256,items=21,limit=4294967295", &list, NULL), 0);
    ck_assert_uint_eq(list.count, 3);
    ck_assert_uint_eq(clf_parameter_get(&list, "items", 0), 21);
    ck_assert_uint_eq(clf_parameter_get(&list, "group", 0), 256);
    ck_assert_uint_eq(clf_parameter_get(&list, "limit", 0), 4294967295u);
    ck_assert_uint_eq(clf_parameter_get(&list, "window", 7), 7);
    clf_parameter_set(&list, "window", 32);
    ck_assert_uint_eq(clf_parameter_get(&list, "window", 7), 32);
    ck_assert_int_eq(clf_parameters_parse(NULL, &list, NULL), 0);
    ck_assert_int_eq(clf_parameters_parse(" ", &list, NULL), 0);
    ck_assert_uint_eq(list.count, 4);
}

static const char *const bad_parameters[] = {
    "items", "items=", "items=x", "items=-1", "items=+1", "items=1x", "items=0x10", "items=4294967296",
    "items=99999999999999999999999", "items=1 2", "items=1,", ",items=1", "items=1;group=2", "item=1",
    "Items=1", "variant=1", "=1", "items=1,,group=2",
};

TEST(parameters_bad)
{
    clf_parameters list = {0};
    clf_error error = {.size = sizeof error};
    ck_assert_int_eq(clf_parameters_parse(bad_parameters[_i], &list, &error), CLF_E_PARAMETER);
    ck_assert_str_ne(error.message, "");
}

/* One less than the least and one more than the most of each, and the message says what would do. */
static const struct {
    const char *name;
    unsigned long least, most;
} ranges[] = {
    {"items", 1, 1048576}, {"group", 1, 65536}, {"groups", 1, 65536}, {"local", 0, 1048576}, {"ticket", 0, 1},
    {"spin", 0, 1073741824}, {"reverse", 0, 1}, {"count", 0, 1}, {"streams", 0, 256}, {"nontemporal", 0, 2},
    {"registers", 0, 255}, {"index64", 0, 1}, {"rows", 1, 65536}, {"stripe", 0, 65536}, {"ahead", 0, 1},
    {"across", 1, 65536}, {"down", 1, 65536}, {"rounds", 0, 4294967295}, {"stall", 0, 4294967295},
    {"halo", 0, 4294967295}, {"limit", 0, 4294967295}, {"fewest", 0, 4294967295}, {"size", 0, 4294967295},
    {"parting", 1, 4294967295}, {"counted", 0, 65536}, {"filled", 1, 4}, {"buckets", 0, 1},
};

static void try_number(size_t i, unsigned long number, bool good)
{
    char text[64], line[96], range[160];
    clf_parameters list = {0};
    clf_profile profile;
    clf_error error = {.size = sizeof error};
    const clf_status expected = good ? CLF_SUCCESS : CLF_E_PARAMETER;
    snprintf(text, sizeof text, "%s=%lu", ranges[i].name, number);
    snprintf(line, sizeof line, "scan.*.*.%s", text);
    snprintf(range, sizeof range, "%s: needs a number from %lu to %lu", text, ranges[i].least, ranges[i].most);
    ck_assert_int_eq(clf_parameters_parse(text, &list, &error), expected);
    ck_assert_msg(good || number > UINT32_MAX || strcmp(error.message, range) == 0, "%s", error.message);
    const bool sets = good && strcmp(ranges[i].name, "size") != 0; /* which is for plans alone */
    ck_assert_int_eq(clf_profile_load(&profile, line, &error), sets ? CLF_SUCCESS : CLF_E_PARAMETER);
    ck_assert_msg(sets || strstr(error.message, line), "%s", error.message);
    clf_profile_free(&profile);
}

TEST(parameters_have_ranges)
{
    const size_t i = (size_t)_i;
    try_number(i, ranges[i].least, true);
    try_number(i, ranges[i].most, true);
    try_number(i, ranges[i].most + 1, false);
    if (ranges[i].least > 0)
        try_number(i, ranges[i].least - 1, false);
}

/* ---- Profiles ------------------------------------------------------------------------------------------ */

static const char profile_text[] =
    "# weakest last, to show that strength and not order decides\n"
    "scan.b4.central.items = 4   # exactly\r\n"
    "scan.*.central.items = 3\n"
    "\n"
    "  scan.b4.*.items = 2\n"
    "scan.*.*.items = 1\n"
    "scan.*.*.group=64\n"
    "reduce.b4.central.items = 9\n"
    "scan.b4.main = central\n"
    "scan.*.main = serial";

static cl_uint looked_up(const clf_profile *profile, const clf_facts *facts, const char *type_class,
                         const char *variant, const char *parameter)
{
    clf_parameters list = {0};
    clf_profile_lookup(profile, facts, "scan", type_class, variant, NULL, &list);
    return clf_parameter_get(&list, parameter, 0);
}

TEST(profile_lookup)
{
    static const clf_facts facts = {.name = "some device", .platform = "some platform"};
    clf_profile profile;
    clf_parameters list = {0};
    clf_origin origin = {NULL, 0};
    char chosen[32] = "";
    ck_assert_int_eq(clf_profile_load(&profile, profile_text, NULL), CLF_SUCCESS);
    ck_assert_uint_eq(looked_up(&profile, &facts, "b4", "central", "items"), 4);
    ck_assert_uint_eq(looked_up(&profile, &facts, "b8", "central", "items"), 3);
    ck_assert_uint_eq(looked_up(&profile, &facts, "b4", "serial", "items"), 2);
    ck_assert_uint_eq(looked_up(&profile, &facts, "b8", "serial", "items"), 1);
    ck_assert_uint_eq(looked_up(&profile, &facts, "b4", "central", "group"), 64);
    ck_assert(clf_profile_variant(&profile, &facts, "scan", "b4", "main", chosen, NULL));
    ck_assert_str_eq(chosen, "central");
    ck_assert(clf_profile_variant(&profile, &facts, "scan", "b4", "main", chosen, &origin));
    ck_assert_str_eq(origin.source, "caller");
    ck_assert_uint_eq(origin.line, 9);
    ck_assert(clf_profile_variant(&profile, &facts, "scan", "b8", "main", chosen, NULL));
    ck_assert_str_eq(chosen, "serial");
    ck_assert(!clf_profile_variant(&profile, &facts, "sort", "b8", "main", chosen, NULL));
    ck_assert_str_eq(chosen, "serial");
    ck_assert(!clf_profile_lookup(&profile, &facts, "sort", "b4", "central", NULL, &list));
    ck_assert_uint_eq(list.count, 0);
    clf_profile_free(&profile);
}

/* A line that names the role overrides one that names the variant, whatever their order and classes. */
TEST(profile_roles)
{
    static const clf_facts facts = {.name = "some device", .platform = "some platform"};
    clf_profile profile;
    clf_parameters list = {0};
    ck_assert_int_eq(clf_profile_load(&profile, "scan.*.medium.items = 5\nscan.b4.window.items = 6\n", NULL),
                     CLF_SUCCESS);
    ck_assert(clf_profile_lookup(&profile, &facts, "scan", "b4", "window", "medium", &list));
    ck_assert_uint_eq(clf_parameter_get(&list, "items", 0), 5);
    clf_profile_free(&profile);
}

/* Without a profile only a device with a built-in one gets anything; the caller's overrides it. */
TEST(profile_builtin)
{
    static const clf_facts h200 = {.name = "NVIDIA H200", .platform = "NVIDIA CUDA", .vendor = "NVIDIA Corporation",
                                   .type = CL_DEVICE_TYPE_GPU};
    static const clf_facts other = {.name = "NVIDIA H200", .platform = "Portable Computing Language",
                                    .vendor = "NVIDIA Corporation", .type = CL_DEVICE_TYPE_GPU};
    static const clf_facts geforce = {.name = "NVIDIA GeForce RTX 4090", .platform = "NVIDIA CUDA",
                                      .vendor = "NVIDIA Corporation", .type = CL_DEVICE_TYPE_GPU};
    clf_profile profile;
    ck_assert_int_eq(clf_profile_load(&profile, NULL, NULL), CLF_SUCCESS);
    ck_assert_uint_ne(looked_up(&profile, &h200, "b4", "serial", "items"), 0);
    ck_assert_uint_eq(looked_up(&profile, &geforce, "b4", "serial", "items"),
                      looked_up(&profile, &h200, "b4", "serial", "items"));
    ck_assert_uint_eq(looked_up(&profile, &other, "b4", "serial", "items"), 0);
    clf_profile_free(&profile);
    ck_assert_int_eq(clf_profile_load(&profile, "scan.*.*.items = 5", NULL), CLF_SUCCESS);
    ck_assert_uint_eq(looked_up(&profile, &h200, "b4", "central", "items"), 5);
    clf_profile_free(&profile);
}

static const char *const bad_lines[] = {
    "scan", "scan.b4", "scan.b4.central", "scan.b4.central.items", "scan.b4.central.items =",
    "scan.b4.central.items = 1 2", "scan.b4.central.item = 1", "scan.b4.central.items = -1",
    "scan.b4.central.items = 4294967296", "scan.b4.central = 1", "scan.b4.main =", "scan.b4.main = *",
    "scan.b4.main = a b", "*.b4.central.items = 1", "scan..central.items = 1", "scan.b4.central.*= 1",
    "scan.b4.central.items.x = 1", "scan.b4.*x.items = 1",
};

TEST(profile_bad)
{
    clf_profile profile;
    clf_error error = {.size = sizeof error};
    char text[128] = "# comment\n\nscan.b4.central.items = 1\n";
    strcat(text, bad_lines[_i]);
    ck_assert_int_eq(clf_profile_load(&profile, text, &error), CLF_E_PARAMETER);
    ck_assert_msg(strstr(error.message, "line 4: "), "%s", error.message);
    ck_assert_ptr_null(profile.by[CLF_PROFILE_CALLER].text);
}

/* ---- Type classes and the model ------------------------------------------------------------------------ */

static const struct {
    const char *value, *type_class;
    cl_uint k_mem, items; /* at 64 registers */
} models[] = {
    {"char v;", "b1", 36, 12},
    {"short v;", "b2", 36, 12},
    {"int v;", "b4", 36, 9},
    {"long v;", "b8", 36, 4},
    {"char v;", "b1", 48, 12},
    {"short v;", "b2", 48, 12},
    {"int v;", "b4", 48, 12},
    {"long v;", "b8", 48, 6},
    {"long a; long b; long c; long d;", "b32x8", 48, 2},
    {"double16 v;", "b128", 48, 1},
    {"int a; char b;", "b8x4", 48, 8},
};

TEST(model_published)
{
    clf_fields value;
    char type_class[16];
    ck_assert_int_eq(clf_fields_parse(models[_i].value, "value", &value, NULL), CLF_SUCCESS);
    clf_type_class(&value, type_class);
    ck_assert_str_eq(type_class, models[_i].type_class);
    ck_assert_uint_eq(clf_model_items(models[_i].k_mem, 64, &value, &value), models[_i].items);
    ck_assert_uint_eq(clf_model_items(0, 0, &value, &value), 1);
}

/* Of operators joined, m goes by the one that stages most, but for the one value of all. */
TEST(model_of_rounds)
{
    clf_fields value, staged;
    ck_assert_int_eq(clf_fields_parse("int a; int b; int c; int d; int e; int f;", "value", &value, NULL), CLF_SUCCESS);
    ck_assert_int_eq(clf_fields_parse("int a; int b;", "value", &staged, NULL), CLF_SUCCESS);
    ck_assert_uint_eq(clf_model_items(48, 64, &value, &value), 3);
    ck_assert_uint_eq(clf_model_items(48, 64, &value, &staged), 8);
    ck_assert_uint_eq(clf_model_items(20, 64, &value, &staged),
                      6); /* local memory: a value's 24 bytes, a field at a time */
}

TEST(model_limits)
{
    const clf_facts known = {.max_group = 1024, .local_bytes = 49152, .registers = 32768}, unknown = {0};
    cl_uint k_mem, k_reg;
    clf_model_limits(&known, &k_mem, &k_reg);
    ck_assert(k_mem == 48 && k_reg == 32);
    clf_model_limits(&unknown, &k_mem, &k_reg);
    ck_assert(k_mem == 0 && k_reg == 64);
}

/* A group of two that is given the local memory of hundreds: its loops would be unrolled a thousand times. */
TEST(items_stay_compilable)
{
    static const char *const values[] = {"char v;", "int a; int b; int c; int d; int e; int f; int g;", "double16 v;"};
    const clf_facts facts = {.max_group = 1024, .local_bytes = 49152, .lane_width = 1};
    clf_operator op = {.size = sizeof op, .value = values[_i], .source = "", .combine = "f", .neutral = "e"};
    clf_operator_copy copy;
    clf_parameters parameters = {0};
    ck_assert_int_eq(clf_operator_take(&op, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
    clf_parameter_set(&parameters, "group", 2);
    clf_parameter_set(&parameters, "local", 32768);
    clf_tile_defaults(&facts, &copy, &parameters);
    const cl_uint items = clf_parameter_get(&parameters, "items", 0);
    ck_assert_uint_ge(items, 1);
    ck_assert_uint_le(items, 256);
    ck_assert_uint_le(items * copy.value.bytes, 2048);
    clf_operator_free(&copy);
}

/* Intel's 64 registers hold what the map made for fewer elements. */
TEST(items_fit_few_registers)
{
    static const struct {
        const char *extra;
        clf_lanes lanes;
        cl_uint items;
    } cases[] = {{"ushort e; ulong f;", CLF_LANES_AMD, 8}, {"ushort e; ulong f;", CLF_LANES_KHR, 4},
                 {"ushort e; ulong f;", CLF_LANES_INTEL, 4}, {NULL, CLF_LANES_KHR, 8}, {NULL, CLF_LANES_AMD, 8}};
    const clf_operator op = {.size = sizeof op,
                             .value = "uint a; float b;", .input = "uchar x;", .extra = cases[_i].extra, .map = "m",
                             .source = "", .combine = "c",
                             .neutral = "n"};
    const clf_facts facts = {.max_group = 1024, .local_bytes = 65536, .lanes = cases[_i].lanes, .lane_width = 16};
    clf_operator_copy copy;
    ck_assert_int_eq(clf_operator_take(&op, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
    ck_assert_uint_eq(clf_tile_model(&facts, &copy, 1), cases[_i].items);
    clf_operator_free(&copy);
}

/* Chained scans where no profile knows: tiles by local memory, but by Clausen's model where registers are few. */
TEST(tiles_without_profiles)
{
    static const char wide[] = "long a; long b; long c; long d;";
    static const struct {
        const char *value;
        cl_ulong local, more;
        clf_lanes lanes;
        cl_uint group, items;
    } cases[] = {
        {"char v;", 65536, 0, CLF_LANES_AMD, 128, 144},   {"short v;", 65536, 0, CLF_LANES_AMD, 128, 72},
        {"int v;", 65536, 0, CLF_LANES_AMD, 128, 36},     {"long v;", 65536, 0, CLF_LANES_AMD, 128, 18},
        {wide, 65536, 0, CLF_LANES_AMD, 64, 10}, {"int v;", 49152, 49152, CLF_LANES_PTX, 128, 36},
        {wide, 49152, 49152, CLF_LANES_LOCAL, 64, 26}, {"int v;", 32768, 0, CLF_LANES_LOCAL, 128, 20},
        {"int v;", 65536, 0, CLF_LANES_INTEL, 128, 36}, {"int v; int w;", 65536, 0, CLF_LANES_KHR, 256, 8},
        {"char v;", 1024, 0, CLF_LANES_AMD, 64, 4}, {"long v;", 65536, 0, CLF_LANES_KHR, 256, 8},
        {"int v; int w;", 49152, 49152, CLF_LANES_PTX, 128, 20},
        {"int a; int b; int c; int d;", 49152, 49152, CLF_LANES_PTX, 128, 12},
        {"long v;", 49152, 49152, CLF_LANES_LOCAL, 256, 26}, {"char v[3];", 49152, 49152, CLF_LANES_LOCAL, 256, 47},
        {"int a; int b; int c; int d;", 49152, 49152, CLF_LANES_LOCAL, 128, 28},
        {"char v;", 1024, 0, CLF_LANES_LOCAL, 64, 1},
    };
    const clf_operator op = {
        .size = sizeof op, .value = cases[_i].value, .source = "", .combine = "f", .neutral = "e"};
    const clf_facts facts = {.type = CL_DEVICE_TYPE_GPU, .max_group = 1024, .local_bytes = cases[_i].local,
                             .local_more = cases[_i].more, .lanes = cases[_i].lanes,
                             .lane_width = cases[_i].lanes == CLF_LANES_LOCAL ? 1 : 16, .in_order = _i % 2 == 1};
    clf_operator_copy copy;
    clf_parameters parameters = {0};
    ck_assert_int_eq(clf_operator_take(&op, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
    (facts.lane_width > 1 ? clf_chained_window_defaults : clf_chained_serial_defaults)(&facts, &copy, &parameters);
    ck_assert_uint_eq(clf_parameter_get(&parameters, "group", 0), cases[_i].group);
    ck_assert_uint_eq(clf_parameter_get(&parameters, "items", 0), cases[_i].items);
    ck_assert_uint_eq(clf_parameter_get(&parameters, "ticket", 9), !facts.in_order);
    clf_operator_free(&copy);
}

/* Scans of ints by one group: as many elements as a launch is worth, or what the caller's bytes hold. */
TEST(one_group_without_profiles)
{
    const clf_facts facts = {.type = CL_DEVICE_TYPE_GPU, .max_group = 1024, .local_bytes = 49152, .lane_width = 1};
    clf_operator_copy copy;
    clf_parameters parameters = {0};
    ck_assert_int_eq(clf_operator_take(clf_builtin(CLF_SUM, CLF_INT), CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
    clf_parameter_default(&parameters, "local", _i ? 40000 : 0);
    clf_variant_named(&clf_scan_primitive, "one_group")->defaults(&facts, &copy, &parameters);
    ck_assert_uint_eq(clf_parameter_get(&parameters, "items", 0), _i ? 36 : 16);
    clf_operator_free(&copy);
}

Suite *tune_suite(void)
{
    Suite *suite = suite_create("tune");
    TCase *cases = tcase_create("tune");
    rig_add(cases, (const rig_test[]){{parameters_good, 1}, {parameters_bad, (int)CLF_COUNT(bad_parameters)},
            {parameters_have_ranges, (int)CLF_COUNT(ranges)}, {profile_lookup, 1}, {profile_roles, 1},
            {profile_builtin, 1}, {profile_bad, (int)CLF_COUNT(bad_lines)}, {model_published, (int)CLF_COUNT(models)},
            {model_of_rounds, 1}, {model_limits, 1}, {items_fit_few_registers, 5}, {tiles_without_profiles, 18},
            {one_group_without_profiles, 2}, {items_stay_compilable, 3}, {NULL, 0}});
    suite_add_tcase(suite, cases);
    TCase *files = tcase_create("profile");
    rig_fixture(files, rig_open, rig_close);
    add_profile_tests(files);
    add_profile_pipe_tests(files);
    suite_add_tcase(suite, files);
    TCase *tuned = tcase_create("tuned");
    rig_fixture(tuned, rig_open, rig_close);
    add_tuned_tests(tuned);
    add_threshold_tests(tuned);
    suite_add_tcase(suite, tuned);
    return suite;
}
