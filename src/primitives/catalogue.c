/* SPDX-License-Identifier: MIT */
/*
 * catalogue: all primitives, and which of them take which parameters.
 */
#include "primitives/primitives.h"

#include <string.h>

#define ADDRESS(name) &clf_##name##_primitive,
const clf_primitive *const clf_primitives[] = {CLF_PRIMITIVES(ADDRESS) NULL};

/* Which of a primitive's variants take a parameter: a bit for each, and those of all. */
typedef struct takers {
    unsigned some, all;
} takers;

static takers takers_of(const clf_primitive *primitive, const char *parameter)
{
    takers t = {0, 0};
    for (unsigned i = 0; primitive->variants[i].name; ++i) {
        t.all |= 1u << i;
        if (clf_variant_takes(primitive, &primitive->variants[i], parameter))
            t.some |= 1u << i;
    }
    return t;
}

static bool all_take(const char *parameter)
{
    for (size_t i = 0; clf_primitives[i]; ++i) {
        const takers t = takers_of(clf_primitives[i], parameter);
        if (t.some != t.all)
            return false;
    }
    return true;
}

static bool is_equal(const clf_text *a, const clf_text *b)
{
    return a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0);
}

/* " (cpu, tile)", or " (all but small)"; nothing where all do */
static void append_variants(clf_text *text, const clf_primitive *primitive, takers t)
{
    const unsigned others = t.all & ~t.some;
    const bool but = (others & (others - 1)) == 0 && (t.some & (t.some - 1)) != 0; /* one does not, and several do */
    const char *between = but ? " (all but " : " (";
    if (!others)
        return;
    for (unsigned i = 0; primitive->variants[i].name; ++i)
        if ((but ? others : t.some) >> i & 1) {
            clf_text_format(text, "%s%s", between, primitive->variants[i].name);
            between = ", ";
        }
    clf_text_format(text, ")");
}

/* "scan, segmented_scan (cpu); reduce", or "all" */
static void append_takers(clf_text *text, const char *parameter)
{
    clf_text before = {0}; /* what is said of the variants of the primitive before */
    const char *between = "";
    if (all_take(parameter)) {
        clf_text_format(text, "all");
        return;
    }
    for (size_t i = 0; clf_primitives[i]; ++i) {
        const takers t = takers_of(clf_primitives[i], parameter);
        clf_text own = {0};
        if (!t.some)
            continue;
        append_variants(&own, clf_primitives[i], t);
        if (!is_equal(&own, &before) && between[0]) {
            clf_text_append(text, before.data, before.length);
            between = "; ";
        }
        clf_text_format(text, "%s%s", between, clf_primitives[i]->name);
        between = ", ";
        text->failed |= own.failed;
        clf_text_free(&before);
        before = own;
    }
    clf_text_append(text, before.data, before.length);
    clf_text_free(&before);
}

clf_status clf_parameters_describe(char *out, size_t bytes, size_t *needed)
{
    static const char *const readers[] = {"kernels", "host", "compiler"};
    clf_text text = {0};
    const clf_known_parameter *p;
    for (size_t i = 0; (p = clf_parameter_number(i)); ++i) {
        clf_text_format(&text, "%s\t%s\t%u\t%u\t%s\t", p->name, readers[p->reader], p->least, p->most, p->otherwise);
        append_takers(&text, p->name);
        clf_text_format(&text, "\t%s\n", p->text);
    }
    const clf_status status = clf_text_export(&text, out, bytes, needed);
    clf_text_free(&text);
    return status;
}
