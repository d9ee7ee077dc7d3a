/* SPDX-License-Identifier: MIT */
/*
 * Which parameters a plan takes: those of its variants; others are refused. And what they cost: those that the host
 * alone reads are no part of a program.
 */
#include "harness.h"
#include "route.h"

#include <stdio.h>
#include <string.h>

/* ---- Plans ------------------------------------------------------------------------------------------------- */

static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT},
                              by_bits = {sizeof by_bits, CLF_BY_HEAD_BITS, CLF_CHAR};

/* Of the primitive of this name; irregular segments are told by `how`, unless it is NULL. */
static clf_status make_plan(clf_context *context, const char *name, const clf_segmentation *how, const char *variant,
                            const char *parameters, clf_plan **plan, clf_error *error)
{
    const clf_plan_options options = {.size = sizeof options, .variant = variant, .parameters = parameters};
    plan_parts parts = primitive_usual(name);
    parts.how = how ? how : parts.how;
    *error = (clf_error){.size = sizeof *error};
    *plan = NULL;
    return primitive_plan(name, context, &parts, &options, plan, error);
}

/* ---- Foreign ones ------------------------------------------------------------------------------------------ */

static void check_foreign(const clf_primitive *primitive, const clf_segmentation *how, const char *variant,
                          const clf_known_parameter *p)
{
    char text[64], words[96];
    clf_plan *plan;
    clf_error error;
    snprintf(text, sizeof text, "%s=%u", p->name, p->least);
    snprintf(words, sizeof words, "takes no parameter \"%s\", but ", p->name);
    const clf_status status = make_plan(rig_context("cpu"), primitive->name, how, variant, text, &plan, &error);
    ck_assert_msg(status == CLF_E_PARAMETER && !plan, "%s, %s, %s: %d", primitive->name, variant, text, status);
    ck_assert_msg(strncmp(error.message, primitive->name, strlen(primitive->name)) == 0 &&
                      (!variant || strstr(error.message, variant)) && strstr(error.message, words),
                  "%s, %s, %s: %s", primitive->name, variant, text, error.message);
}

/* Of a variant asked for by name, all that it does not take; where none is, all that none takes. */
TEST(foreign_parameters_are_refused)
{
    const clf_primitive *const primitive = primitive_known(primitive_number((size_t)_i / 2)->name);
    const clf_segmentation *const how = _i % 2 ? &by_bits : &by_offsets;
    const clf_known_parameter *p;
    for (size_t k = 0; (p = clf_parameter_number(k)); ++k) {
        bool any = false;
        for (const clf_variant *v = primitive->variants; v->name; ++v) {
            any |= clf_variant_takes(primitive, v, p->name);
            if (!clf_variant_takes(primitive, v, p->name))
                check_foreign(primitive, how, v->name, p);
        }
        if (!any)
            check_foreign(primitive, how, NULL, p);
    }
}

static void check_refusal(const char *name, const char *variant, const char *parameters, const char *says)
{
    clf_plan *plan;
    clf_error error;
    assert_status(make_plan(rig_context(NULL), name, &by_bits, variant, parameters, &plan, &error), CLF_E_PARAMETER);
    ck_assert_str_eq(error.message, says);
}

TEST(a_refusal_says_what_is_taken)
{
    check_refusal("scan", "one_group", "items=4,across=8",
                  "scan's one_group takes no parameter \"across\", but items, group, rounds, local, registers, limit");
    check_refusal("irregular_reduce", NULL, "limit=8",
                  "irregular_reduce takes no parameter \"limit\", but items, group, groups, registers, streams");
    check_refusal("merge", "tiles", "items=33,group=64",
                  "group=64, items=33: \"tiles\" has no such tile, but of items=32");
}

/* Where several variants are chosen, or others on other devices, each has its own, and no -D of others. */
TEST(variants_ignore_what_others_take)
{
    clf_plan *plan;
    clf_error error;
    assert_ok(
        make_plan(rig_context("cpu"), "scan", NULL, NULL, "items=4,group=32,spin=5,streams=3,limit=9", &plan, &error));
    const clf_engine *small = plan->engine[1];
    ck_assert_str_eq(small->variant->name, "one_group");
    ck_assert_uint_eq(clf_parameter_get(&small->parameters, "items", 0), 4);
    ck_assert_uint_eq(clf_parameter_get(&small->parameters, "limit", 0), 9);
    ck_assert_uint_eq(clf_parameter_get(&small->parameters, "spin", 77), 77);
    ck_assert_uint_eq(clf_parameter_get(&small->parameters, "streams", 77), 77);
    assert_ok(clf_plan_release(plan));
}

/* Lines for all variants are for those that take the parameter. */
TEST(profiles_reach_those_who_take)
{
    clf_plan *plan;
    clf_error error;
    clf_context *const context =
        RIG_CONTEXT(.disable = "cpu",
                    .profile =
                        "scan.*.*.rows = 7\nscan.*.two_pass.spin = 5\nscan.*.*.items = 3\nscan.*.*.streams = 3\n");
    assert_ok(make_plan(context, "scan", NULL, "two_pass", "group=32", &plan, &error));
    const clf_parameters *list = &plan->engine[0]->parameters;
    ck_assert_uint_eq(clf_parameter_get(list, "items", 0), 3);
    ck_assert_uint_eq(clf_parameter_get(list, "rows", 77), 77);
    ck_assert_uint_eq(clf_parameter_get(list, "streams", 77), 77);
    ck_assert_uint_ne(clf_parameter_get(list, "spin", 77), 5);
    rig_release_all(context, plan);
}

/* A CPU's tile lies in its cache: local memory is no bound. (Options were never bounded, profiles were.) */
TEST(profiles_may_give_cpus_large_tiles)
{
    clf_plan *plan;
    clf_error error;
    if (!way_is_here(&(way){NULL, "cpu"}))
        return;
    clf_context *const context = RIG_CONTEXT(.profile = "scan.*.cpu.items = 1000000\n");
    assert_ok(make_plan(context, "scan", NULL, "cpu", NULL, &plan, &error));
    ck_assert_uint_eq(clf_parameter_get(&plan->engine[0]->parameters, "items", 0), 1000000);
    rig_release_all(context, plan);
}

/* ---- What is compiled -------------------------------------------------------------------------------------- */

/* The second plan's parameters are the first's and these; `same`: it has the same program. */
static const struct {
    const char *primitive, *variant, *first, *second;
    bool same;
} pairs[] = {
    {"scan", "two_pass", "items=4,group=32", "limit=7", true},
    {"scan", "two_pass", "items=4,group=32", "local=2048", true},
    {"scan", "two_pass", "items=4,group=32", "items=5", false},
    {"scan", "cpu", "items=512", "nontemporal=2", true},
    {"scan", "cpu", "items=512", "spin=3", false},
    {"segmented_scan", "two_pass", "items=4,group=32", "halo=3,limit=8", true},
    {"segmented_scan", "two_pass", "items=4,group=32", "size=3", false},
    {"reduce", "large", "items=4,group=32", "groups=3,fewest=4,limit=5,parting=2", true},
    {"irregular_reduce", "shares", "items=4,group=32", "groups=3", true},
    {"transpose", "tile", "group=32,across=8,down=8", "stripe=3,filled=2", true},
    {"transpose", "tile", "group=32,across=8,down=8", "down=4", false},
    {"transpose", "thin", "items=4,group=32", "limit=3", true},
    {"sort", "lookback", "items=2,group=32", "limit=1000", true},
    {"sort", "lookback", "items=2,group=32", "stall=2", false},
    {"segmented_sort", "large", "items=2,group=32", "limit=7", true},
    {"segmented_sort", "large", "items=2,group=32", "items=3", false},
    {"top_k", "groups", "group=32", "limit=1000,groups=3,counted=5", true},
};

static unsigned long programs_made(const clf_context *context)
{
    return atomic_load(&context->compiler.compiled) + atomic_load(&context->compiler.from_disk);
}

TEST(what_the_host_reads_compiles_nothing)
{
    clf_context *const context = rig_context("cpu");
    clf_plan *first, *second;
    clf_error error;
    char both[96];
    if (strcmp(pairs[_i].variant, "cpu") == 0 && !way_is_here(&(way){NULL, "cpu"}))
        return;
    snprintf(both, sizeof both, "%s,%s", pairs[_i].first, pairs[_i].second);
    assert_ok(make_plan(context, pairs[_i].primitive, &by_bits, pairs[_i].variant, pairs[_i].first, &first, &error));
    const unsigned long made = programs_made(context), found = atomic_load(&context->compiler.from_memory);
    assert_ok(make_plan(context, pairs[_i].primitive, &by_bits, pairs[_i].variant, both, &second, &error));
    ck_assert_int_eq(first->engine[0]->program == second->engine[0]->program, pairs[_i].same);
    ck_assert_uint_eq(programs_made(context), made + !pairs[_i].same);
    ck_assert_uint_eq(atomic_load(&context->compiler.from_memory), found + pairs[_i].same);
    rig_release_plans(first, second);
}

/* ---- The table --------------------------------------------------------------------------------------------- */

/* Seven columns in each line, which make a table of Markdown; all of it only where there is room. */
TEST(the_table_describes_all)
{
    char text[16384], cut[10];
    size_t needed = 0, again = 0, rows = 0, known = 0;
    assert_ok(clf_parameters_describe(text, sizeof text, &needed));
    ck_assert_uint_eq(needed, strlen(text) + 1);
    assert_ok(clf_parameters_describe(cut, sizeof cut, &again));
    ck_assert_uint_eq(again, needed);
    ck_assert_uint_eq(strlen(cut), sizeof cut - 1);
    assert_status(clf_parameters_describe(NULL, 1, NULL), CLF_E_ARGUMENT);
    ck_assert_ptr_null(strchr(text, '|'));
    ck_assert_ptr_nonnull(strstr(text, "\nstreams\tkernels\t0\t256\t"));
    ck_assert_ptr_nonnull(strstr(text,
                                 "\tscan, segmented_scan, irregular_scan, reduce, irregular_reduce, "
                                 "adjacent_difference, merge, bounds, sorted_bounds (cpu); sort (lookback, "
                                 "one_group, ranks); "));
    ck_assert_ptr_nonnull(strstr(text, "\tscan, segmented_scan, irregular_scan, reduce (all but cpu); "));
    for (const char *line = text; *line; line = strchr(line, '\n') + 1, ++rows) {
        size_t tabs = 0;
        for (const char *c = line; *c != '\n'; ++c)
            tabs += *c == '\t';
        ck_assert_msg(tabs == 6, "%zu tabs: %.80s", tabs, line);
    }
    while (clf_parameter_number(known))
        ++known;
    ck_assert_uint_eq(rows, known);
}

static void check_list(const char *owner, const char *list)
{
    char name[24];
    clf_cursor c = {list, list ? list + strlen(list) : NULL};
    while (list && !clf_cursor_at_end(&c)) {
        ck_assert_msg(clf_cursor_name(&c, name, sizeof name), "%s: %s", owner, list);
        ck_assert_msg(clf_parameter_known(name), "%s takes \"%s\", which is in no table", owner, name);
        ck_assert_msg(clf_cursor_take(&c, ',') || clf_cursor_at_end(&c), "%s: %s", owner, list);
    }
}

/* What variants say that they take exists, and what exists somebody takes. */
TEST(the_table_knows_all)
{
    const clf_known_parameter *p;
    for (size_t i = 0; clf_primitives[i]; ++i) {
        check_list(clf_primitives[i]->name, clf_primitives[i]->parameters);
        for (const clf_variant *v = clf_primitives[i]->variants; v->name; ++v)
            check_list(v->name, v->parameters);
    }
    for (size_t k = 0; (p = clf_parameter_number(k)); ++k) {
        bool any = false;
        for (size_t i = 0; clf_primitives[i]; ++i)
            for (const clf_variant *v = clf_primitives[i]->variants; v->name; ++v)
                any |= clf_variant_takes(clf_primitives[i], v, p->name);
        ck_assert_msg(any, "nobody takes \"%s\"", p->name);
    }
}

/* Nobody asked for a parameter: it is the device that has no such groups. */
TEST(groups_of_one)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    clf_context *const context = RIG_CONTEXT(.disable = "cpu,subgroups");
    context->facts.max_group = 1;
    for (int i = 0; clf_primitives[i]; ++i) {
        const clf_status status = make_plan(context, clf_primitives[i]->name, &by_offsets, NULL, NULL, &plan, &error);
        ck_assert_msg(status == CLF_E_UNSUPPORTED, "%s: %s: %s", clf_primitives[i]->name, clf_status_text(status),
                      error.message);
    }
    assert_ok(clf_context_release(context));
}

/* ---- The registry ------------------------------------------------------------------------------------------ */

/* tests/primitives.c has each primitive of the library, and no other. */
TEST(the_registry_has_all)
{
    size_t known = 0;
    for (; clf_primitives[known]; ++known)
        ck_assert_str_eq(primitive_named(clf_primitives[known]->name)->name, clf_primitives[known]->name);
    ck_assert_uint_eq(known, primitive_count());
}

RIG_PART(add_parameter_tests, {the_registry_has_all, 1}, {foreign_parameters_are_refused, 2 * (int)primitive_count()},
         {a_refusal_says_what_is_taken, 1}, {variants_ignore_what_others_take, 1}, {profiles_reach_those_who_take, 1},
         {profiles_may_give_cpus_large_tiles, 1}, {what_the_host_reads_compiles_nothing, COUNT(pairs)},
         {groups_of_one, 1}, {the_table_describes_all, 1}, {the_table_knows_all, 1})
