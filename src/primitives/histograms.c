/* SPDX-License-Identifier: MIT */
/*
 * histograms: plans of the one-call histograms: reductions by index that count, by operators that find an element's
 * bin. An element of no bin gets a number that is none.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

#include <stdio.h>

/* Elements are counted by an operator with an input v, and `captured`, which may be NULL. */
static clf_status count_plan(clf_context *context, clf_type type, const char *captured, clf_index_form edges,
                             unsigned form, const char *source, clf_plan **plan, clf_error *error)
{
    char input[32], text[1600];
    const clf_operator op = {
        .size = sizeof op, .value = form & CLF_FORM_ULONG ? "ulong count;" : "uint count;", .input = input,
        .captured = captured, .source = text, .map = "one", .part = captured ? "bin" : NULL, .combine = "clf_sum",
        .flags = CLF_COMMUTATIVE | CLF_NO_INDEX};
    snprintf(input, sizeof input, "%s v;", clf_type_name(type));
    snprintf(text, sizeof text, "clf_value one(clf_input x, ulong i%s) { clf_value v; v.count = 1; return v; }\n%s",
             captured ? ", const clf_captured *c" : "", source);
    return clf_index_plan(context, &op, edges, form & CLF_FROM_DEVICE, NULL, plan, error);
}

clf_status clf_histogram_plan(clf_context *context, clf_type type, unsigned form, clf_plan **plan, clf_error *error)
{
    return count_plan(context, type, NULL, CLF_INDEX_NO_EDGES, form, "", plan, error);
}

clf_status clf_histogram_even_plan(clf_context *context, clf_type type, unsigned form, clf_plan **plan,
                                   clf_error *error)
{
    char captured[48], source[400];
    snprintf(captured, sizeof captured, "%s begin_and_width;", clf_type_name(type));
    snprintf(source, sizeof source,
             "uint bin(clf_input x, ulong i, const clf_captured *c)\n"
             "{\n"
             "    const %s place = floor((x.v - c->begin_and_width[0]) / c->begin_and_width[1]);\n"
             "    return place >= 0 && place < %llu.0f ? (uint)place : ~0u;\n"
             "}\n",
             clf_type_name(type), CLF_MOST_EVEN_BINS);
    return count_plan(context, type, captured, CLF_INDEX_NO_EDGES, form, source, plan, error);
}

/*
 * The bin whose lower edge, EDGE(bin), is the last one that is not above x, which is not below EDGE(0). Every edge that
 * is looked at exists, whatever edges and x are; and all work-items take as many steps.
 */
#define SEARCH                                                                            \
    "static uint search(SCALAR x, uint bins, const clf_captured *c)\n"                    \
    "{\n"                                                                                 \
    "    uint at = 0;\n"                                                                  \
    "    for (uint left = bins; left > 1; left -= left / 2)\n"                            \
    "        at += EDGE(at + left / 2) <= x ? left / 2 : 0;\n"                            \
    "    return at;\n"                                                                    \
    "}\n"

static const char *below_end(unsigned form)
{
    return form & CLF_FORM_UPPER_END ? "<=" : "<";
}

clf_status clf_histogram_edges_plan(clf_context *context, clf_type type, unsigned form, clf_plan **plan,
                                    clf_error *error)
{
    const bool widens = type == CLF_BFLOAT16;
    char captured[32], source[900];
    snprintf(captured, sizeof captured, "%s edges;", clf_type_name(type));
    snprintf(source, sizeof source,
             "%s#define SCALAR %s\n"
             "#define EDGE(i) NUMBER(c->edges[i])\n" SEARCH
             "uint bin(clf_input x, ulong i, const clf_captured *c)\n"
             "{\n"
             "    const SCALAR number = NUMBER(x.v);\n"
             "    const uint bins = (uint)c->clf_bins, at = search(number, bins, c);\n"
             "    return EDGE(at) <= number && number %s EDGE(bins) ? at : ~0u;\n"
             "}\n",
             CLF_NUMBERS(type), widens ? "float" : clf_type_name(type), below_end(form));
    const clf_index_form edges = widens                      ? CLF_INDEX_NO_EDGES
                                 : form & CLF_FORM_UPPER_END ? CLF_INDEX_EDGES_UP_TO
                                                             : CLF_INDEX_EDGES_BELOW;
    return count_plan(context, type, captured, edges, form, source, plan, error);
}

/*
 * Lower edges are low + i * width, and an element's bin is guessed by a division. Where rounding made the guess wrong,
 * or differences overflow, a search finds the bin. (WIDTH overflows only where there is one bin, which has no edge
 * between low and high.)
 */
clf_status clf_histogram_range_plan(clf_context *context, clf_type type, unsigned form, clf_plan **plan,
                                    clf_error *error)
{
    char captured[48], source[1400];
    snprintf(captured, sizeof captured, "%s low_and_high;", clf_type_name(type));
    snprintf(source, sizeof source,
             "#pragma OPENCL FP_CONTRACT OFF\n"
             "#define SCALAR %s\n"
             "#define LOW c->low_and_high[0]\n"
             "#define HIGH c->low_and_high[1]\n"
             "#define BINS ((SCALAR)(uint)c->clf_bins)\n"
             "#define WIDTH (isinf(HIGH - LOW) ? HIGH / BINS - LOW / BINS : (HIGH - LOW) / BINS)\n"
             "#define EDGE(i) (LOW + (SCALAR)(i) * WIDTH)\n" SEARCH
             "uint bin(clf_input x, ulong i, const clf_captured *c)\n"
             "{\n"
             "    const uint bins = (uint)c->clf_bins;\n"
             "    const SCALAR place = (x.v - LOW) / (HIGH - LOW) * BINS;\n"
             "    if (!(x.v >= LOW && x.v %s HIGH) || isinf(LOW) || isinf(HIGH))\n"
             "        return ~0u;\n"
             "    const uint guess = place >= 1 ? min((uint)min(place, (SCALAR)%llu), bins - 1) : 0;\n"
             "    const bool right = EDGE(guess) <= x.v && (guess + 1 == bins || x.v < EDGE(guess + 1));\n"
             "    return right ? guess : search(x.v, bins, c);\n"
             "}\n",
             clf_type_name(type), below_end(form), CLF_MOST_EVEN_BINS);
    return count_plan(context, type, captured, CLF_INDEX_NO_EDGES, form, source, plan, error);
}
