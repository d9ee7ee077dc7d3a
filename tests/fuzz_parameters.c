/* SPDX-License-Identifier: MIT */
/*
 * Parameters of plans, as a fuzzer draws them: of which primitives, how often, and which values.
 */
#include "fuzz.h"

#include "primitives.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

/* Knob 0 leaves it out, knob k gives it value k - 1. */
static const struct {
    const char *name;
    unsigned of, percent; /* which primitives; how often it is given */
    unsigned count, value[12];
} parameters[] = {
    {"items", ALL, 70, 12, {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 20, 32}}, /* not 77: PoCL 3.1 compiles it wrongly */
    {"group", ALL, 60, 12, {2, 4, 8, 16, 32, 48, 64, 96, 100, 128, 192, 256}},
    {"groups", REDUCTIONS | MERGES | SORTS | INDICES, 40, 6, {1, 2, 3, 4, 7, 30}},
    {"rounds", SCANS, 20, 4, {1, 2, 3, 5}},
    {"spin", CHAINS | SORTS, 20, 4, {0, 1, 20, 10000}},
    {"ticket", CHAINS | SORTS, 10, 2, {0, 1}},
    {"local", INDICES, 40, 3, {256, 1024, 8192}},
    {"halo", SCANS, 20, 5, {0, 1, 2, 17, 300}},
    {"streams", FOLDS | MERGES, 30, 8, {0, 1, 2, 3, 6, 8, 9, 32}},
    {"nontemporal", CHAINS | TRANSPOSES, 20, 3, {0, 1, 2}},
    {"stall", CHAINS | SORTS, 10, 3, {1, 2, 3}},
    {"reverse", CHAINS | SORTS, 10, 1, {1}},
    {"index64", SCANS, 10, 1, {1}},
    {"limit", REDUCTIONS | SORTS | INDICES, 10, 4, {1, 5, 64, 1000}},
    {"fewest", REDUCTIONS, 10, 3, {0, 1, 20}},
    {"rows", TRANSPOSES, 30, 5, {1, 2, 8, 16, 64}},
    {"stripe", TRANSPOSES, 30, 4, {1, 2, 3, 100}},
    {"ahead", TRANSPOSES, 20, 2, {0, 1}},
    {"across", TRANSPOSES, 20, 5, {4, 8, 16, 32, 64}},
    {"down", TRANSPOSES, 20, 5, {4, 8, 16, 32, 64}},
    {"buckets", SORTS, 20, 1, {0}},
};
_Static_assert(COUNT(parameters) <= FUZZ_CALL - FUZZ_PARAMETERS, "more parameters than knobs");

static const char *parameter_name(size_t p)
{
    return p < COUNT(parameters) ? parameters[p].name : NULL;
}

/* By this variant, or, where none is asked for, by any. */
static bool is_taken(const fuzz_case *c, const char *parameter)
{
    const char *const name = fuzz_plan_name(c), *const asked = fuzz_variant(c);
    if (!fuzz_has_plan(c))
        return false;
    for (size_t i = 0; i < variant_count(name); ++i)
        if ((!asked || strcmp(variant_number(name, i)->name, asked) == 0) &&
            clf_variant_takes(primitive_known(name), variant_number(name, i), parameter))
            return true;
    return false;
}

const unsigned *fuzz_parameter(const fuzz_case *c, size_t p)
{
    const size_t k = is_taken(c, parameters[p].name) ? (size_t)c->knob[FUZZ_PARAMETERS + p] : 0;
    return k ? &parameters[p].value[(k - 1) % parameters[p].count] : NULL;
}

void fuzz_write_parameters(const fuzz_case *c, char *text, size_t bytes)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t p = 0; p < COUNT(parameters); ++p)
        if (fuzz_parameter(c, p))
            length += (size_t)snprintf(text + length, bytes - length, "%s%s=%u", length ? "," : "", parameters[p].name,
                                       *fuzz_parameter(c, p));
}

void fuzz_draw_parameters(gen *random, unsigned kind, fuzz_case *c)
{
    for (size_t p = 0; p < COUNT(parameters); ++p) {
        const uint64_t k = gen_below(random, parameters[p].count) + 1;
        if (gen_chance(random, parameters[p].percent) && parameters[p].of & kind)
            c->knob[FUZZ_PARAMETERS + p] = k;
    }
}

/* ---- In words -------------------------------------------------------------------------------------------------- */

const char *fuzz_knob(size_t knob)
{
    static const char *const names[FUZZ_KNOBS] = {
        [FUZZ_PRIMITIVE] = "primitive", [FUZZ_OPERATOR] = "operator", [FUZZ_FLAG] = "flag", [FUZZ_DISABLE] = "disable",
        [FUZZ_VARIANT] = "variant", [FUZZ_HOW] = "how", [FUZZ_N] = "n", [FUZZ_SIZE] = "size", [FUZZ_BATCH] = "batch",
        [FUZZ_SHAPE] = "shape", [FUZZ_OFFSET] = "offset", [FUZZ_OFFSET2] = "offset2", [FUZZ_INITIAL] = "initial",
        [FUZZ_IN_PLACE] = "in_place", [FUZZ_UNORDERED] = "unordered", [FUZZ_GATED] = "gated",
        [FUZZ_SCRATCH] = "scratch", [FUZZ_ROOM] = "room", [FUZZ_DATA] = "data"};
    return knob >= FUZZ_PARAMETERS && knob < FUZZ_CALL ? parameter_name(knob - FUZZ_PARAMETERS) : names[knob];
}
