/* SPDX-License-Identifier: MIT */
/*
 * Names. Every one that does not begin with clf_ or CLF_ is the caller's, in functions and macros: two operators whose
 * sources take all words that occur in the kernels run through every primitive and variant. What clf_operator calls by
 * name must be there, and in the right shape: test_functions.c.
 */
#include "reduce_case.h"
#include "scan_case.h"

#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The words of our text ----------------------------------------------------------------------------- */

typedef struct word {
    const char *begin;
    size_t length;
    bool called; /* a function or macro with arguments: of OpenCL's, if it is not ours */
} word;

static struct {
    word list[4000];
    size_t count;
} words;

static bool is(const word *w, const char *text)
{
    return w->length == strlen(text) && memcmp(w->begin, text, w->length) == 0;
}

static bool begins(const word *w, const char *text)
{
    return w->length >= strlen(text) && memcmp(w->begin, text, strlen(text)) == 0;
}

/* What is no caller's to take: our names, the compiler's, keywords and types. */
static bool is_free(const word *w)
{
    char name[64];
    if (w->length >= sizeof name || (*w->begin >= '0' && *w->begin <= '9'))
        return false;
    memcpy(name, w->begin, w->length);
    name[w->length] = '\0';
    return !begins(w, "clf_") && !begins(w, "CLF_") && !begins(w, "POCL_") && *w->begin != '_' && !is(w, "defined") &&
           !is(w, "asm") && !clf_is_reserved(name);
}

static void add_word(word w)
{
    for (size_t i = 0; i < words.count; ++i)
        if (words.list[i].length == w.length && memcmp(words.list[i].begin, w.begin, w.length) == 0) {
            words.list[i].called |= w.called;
            return;
        }
    ck_assert_uint_lt(words.count, COUNT(words.list));
    words.list[words.count++] = w;
}

/* Comments have words, too: more than enough is not too much. */
static void add_words(const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        size_t length = 0;
        while (at + length < bytes && clf_is_name_character(text[at + length]))
            ++length;
        const word w = {text + at, length, at + length < bytes && text[at + length] == '('};
        if (length > 0 && is_free(&w))
            add_word(w);
        at += length > 0 ? length : 1;
    }
}

/* ---- Two operators of a user who takes them all -------------------------------------------------------- */

enum { THEIRS = 2 };
static const char *const names[THEIRS][CLF_FUNCTIONS] = {{"a", "b", "index"}, {"x", "v", "extra"}};
static const char *const functions[THEIRS] = {
    "clf_value b(void) { clf_value r = {0, 0.0f}; return r; }\n"
    "clf_value a(clf_value p, clf_value q) { p.kept += q.kept; p.total += q.total; return p; }\n"
    "clf_value index(clf_input p, ulong q, clf_extra *r)\n"
    "{\n"
    "    clf_value s = {p.flag, p.flag ? p.weight : 0.0f};\n"
    "    r->tripled = (ushort)(3 * (int)p.weight);\n"
    "    r->where = 5 * q + p.flag;\n"
    "    return s;\n"
    "}\n",
    "clf_value v(void) { clf_value e = {1, 0}; return e; }\n"
    "clf_value x(clf_value l, clf_value r)\n"
    "{ clf_value z = {l.scale * r.scale, l.shift * r.scale + r.shift}; return z; }\n"
    "clf_value extra(clf_input l, ulong r) { return l; }\n",
};
static clf_text sources[THEIRS];
static clf_operator descriptors[THEIRS];
static ref_operator theirs[THEIRS];

static bool is_own(int which, const word *w)
{
    return is(w, names[which][0]) || is(w, names[which][1]) || is(w, names[which][2]);
}

/* Constants, types and macros of OpenCL C. */
static bool is_of_the_language(const word *w)
{
    static const char *const prefixes[] = {"cl_", "CL", "opencl", "atomic_", "memory_"};
    for (size_t i = 0; i < COUNT(prefixes); ++i)
        if (begins(w, prefixes[i]))
            return true;
    return w->called;
}

/* Functions of all names that OpenCL C leaves, then its own, then macros of all names. */
static void write_source(int which)
{
    clf_text *t = &sources[which];
    for (size_t i = 0; i < words.count; ++i) {
        const word *w = &words.list[i];
        if (!is_own(which, w) && !is_of_the_language(w))
            clf_text_format(t, "int %.*s(void) { return %u; }\n", (int)w->length, w->begin, (unsigned)i);
    }
    clf_text_format(t, "%s", functions[which]);
    for (size_t i = 0; i < words.count; ++i)
        if (!is_own(which, &words.list[i]))
            clf_text_format(t, "#undef %.*s\n#define %.*s ) taken by the caller (\n", (int)words.list[i].length,
                            words.list[i].begin, (int)words.list[i].length, words.list[i].begin);
    ck_assert(!t->failed);
}

static clf_text generated; /* `words` point into it */
static const char *const no_kernels[] = {"clf_none", NULL}, *const numbers[] = {"segments", "width", NULL};
static const clf_named_array arrays[] = {{"const uint", "heads"}, {"ulong", "counts"}, {NULL, NULL}};
static const clf_entry propagate = {"scan/scan_propagate.cl", no_kernels, arrays, numbers, NULL, NULL};

static void take_all_names(void)
{
    clf_operator_copy copy;
    rig_open();
    assert_ok(clf_operator_take(ref_clf(ref_user(REF_SELECT)), CLF_FUNCTION_COMBINE, &copy, NULL));
    assert_ok(clf_source_write(&generated, &copy, 1, &propagate));
    clf_operator_free(&copy);
    words.count = 0;
    for (const clf_kernel_file *file = clf_kernel_files; file->name; ++file)
        if (strncmp(file->name, "probe/", 6) != 0)
            add_words((const char *)file->data, file->bytes);
    add_words(generated.data, generated.length);
    ck_assert_uint_gt(words.count, 200);
    for (int which = 0; which < THEIRS; ++which) {
        write_source(which);
        theirs[which] = *ref_user(which == 0 ? REF_SELECT : REF_AFFINE);
        descriptors[which] = *ref_clf(&theirs[which]);
        descriptors[which].source = sources[which].data;
        descriptors[which].combine = names[which][0];
        descriptors[which].neutral = names[which][1];
        descriptors[which].map = names[which][2];
        theirs[which].clf = &descriptors[which];
    }
}

static void give_back(void)
{
    rig_close();
    for (int which = 0; which < THEIRS; ++which)
        clf_text_free(&sources[which]);
    clf_text_free(&generated);
}

/* ---- Through every primitive and variant ---------------------------------------------------------------- */

static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};
static const clf_segmentation by_longs = {sizeof by_longs, CLF_BY_OFFSETS, CLF_ULONG};
static const clf_segmentation by_bits = {sizeof by_bits, CLF_BY_HEAD_BITS, CLF_CHAR};
enum { ELEMENTS = 1500 };

static void run_scans(int which, size_t w, const irregular *segments)
{
    const plan_key key = {.op = &theirs[which], .disable = ways[w].disable, .variant = ways[w].variant,
                          .parameters = ways[w].disable ? "items=4,group=64" : NULL};
    scan_case test = {.plan = key, .n = ELEMENTS, .offset = 1, .suite = "names", .number = -1};
    if (ways[w].variant && strcmp(ways[w].variant, "one_group") == 0)
        test.n = 250;
    ck_assert(scan_case_run(test));
    test.segmented = true;
    test.size = 50;
    ck_assert(scan_case_run(test));
    test.how = &by_bits;
    test.segments = segments;
    if (test.n == ELEMENTS)
        ck_assert(scan_case_run(test));
}

TEST(scans_with_all_names_taken)
{
    gen random = gen_seed(the_rig()->seed, 1);
    irregular segments = irregular_make(&random, SHAPE_LONG, ELEMENTS, 100);
    for (int which = 0; which < THEIRS && way_is_here(&ways[_i]); ++which)
        run_scans(which, (size_t)_i, &segments);
    irregular_free(&segments);
}

TEST(adjacent_differences_with_all_names_taken)
{
    for (int which = 0; which < THEIRS; ++which) {
        scan_case test = {.plan = {.op = &theirs[which], .disable = _i ? "cpu" : NULL,
                                   .parameters = _i ? "items=4,group=64" : "items=100"},
                          .n = ELEMENTS, .adjacent = true, .offset = 1, .suite = "names", .number = -1};
        ck_assert(scan_case_run(test));
        test.in_place = true;
        ck_assert(scan_case_run(test));
    }
}

static reduce_case reduction(int which, way w, const char *parameters)
{
    return (reduce_case){.plan = {.op = &theirs[which], .commutes = which == 0, .disable = w.disable,
                                  .variant = w.variant, .parameters = w.disable ? parameters : NULL},
                         .count = 30, .size = 50, .offset = 1, .suite = "names", .number = -1};
}

TEST(reductions_with_all_names_taken)
{
    const way w = way_to("reduce", (size_t)_i);
    for (int which = 0; which < THEIRS && way_is_here(&w); ++which)
        ck_assert(reduce_case_run(reduction(which, w, "items=4,group=64")));
}

TEST(irregular_reductions_with_all_names_taken)
{
    static const clf_segmentation *const hows[] = {&by_offsets, &by_longs, &by_bits};
    const way w = way_to("irregular_reduce", (size_t)_i / COUNT(hows));
    gen random = gen_seed(the_rig()->seed, 2);
    irregular segments = irregular_make(&random, SHAPE_LONG, ELEMENTS, 100);
    for (int which = 0; which < THEIRS && way_is_here(&w); ++which) {
        reduce_case test = reduction(which, w, "items=4,group=64,groups=8");
        test.plan.how = hows[(size_t)_i % COUNT(hows)];
        test.segments = &segments;
        test.count = segments.count;
        ck_assert(reduce_case_run(test));
    }
    irregular_free(&segments);
}

static bool is_keyword(const clf_name *n, const char *keyword)
{
    return n->length == strlen(keyword) && memcmp(n->begin, keyword, n->length) == 0;
}

/* Keywords cannot be names of the caller's (cl/device/base.cl). */
static bool is_ours(const clf_name *n)
{
    const bool has_prefix = n->length > 4 && (memcmp(n->begin, "clf_", 4) == 0 || memcmp(n->begin, "CLF_", 4) == 0);
    return has_prefix || is_keyword(n, "for") || is_keyword(n, "inline");
}

/* What stands before the caller's source declares and defines nothing that could be his. */
TEST(our_names_begin_with_clf)
{
    clf_operator_copy copy;
    assert_ok(clf_operator_take(ref_clf(ref_user(REF_SELECT)), CLF_FUNCTION_COMBINE, &copy, NULL));
    for (const clf_kernel_file *file = clf_kernel_files; file->name; ++file) {
        clf_text text = {0};
        clf_names declared = {0}, macros = {0};
        if (strncmp(file->name, "scan/", 5) != 0 && strncmp(file->name, "reduce/", 7) != 0 &&
            strncmp(file->name, "adjacent_difference/", 20) != 0)
            continue;
        assert_ok(clf_source_write(&text, &copy, 1, &(clf_entry){file->name, no_kernels, arrays, numbers, NULL, NULL}));
        *strstr(text.data, "#line 1 \"operator.cl\"") = '\0';
        clf_names_find(text.data, &declared, &macros);
        ck_assert_uint_gt(declared.count, 50);
        for (size_t i = 0; i < declared.count + macros.count; ++i) {
            const clf_name *n = i < declared.count ? &declared.list[i] : &macros.list[i - declared.count];
            ck_assert_msg(is_ours(n), "%s: %.*s", file->name, (int)n->length, n->begin);
        }
        clf_names_free(&declared);
        clf_names_free(&macros);
        clf_text_free(&text);
    }
    clf_operator_free(&copy);
}

Suite *names_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite_with("names", take_all_names, give_back, &tests);
    add_function_tests(tests);
    add_combine_captures_tests(tests);
    add_builtin_tests(tests);
    add_array_tests(tests);
    rig_add(tests, (const rig_test[]){{our_names_begin_with_clf, 1}, {scans_with_all_names_taken, WAY_COUNT},
            {adjacent_differences_with_all_names_taken, 2},
            {reductions_with_all_names_taken, (int)variant_count("reduce")},
            {irregular_reductions_with_all_names_taken, 3 * (int)variant_count("irregular_reduce")}, {NULL, 0}});
    return suite;
}
