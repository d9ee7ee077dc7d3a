/* SPDX-License-Identifier: MIT */
/*
 * Kernel files: each of cl/ compiles alone, for it includes what it needs. Left out are *_template.cl, which others
 * include several times, each time with other macros: they are nothing by themselves.
 */
#include "harness.h"
#include "primitives.h"
#include "ref_index.h"

#include "explore/laws.h"
#include "primitives/primitives.h"

#include <string.h>

/* ---- Operators ------------------------------------------------------------------------------------------- */

/* Of each kind one whose fields all differ, with all that such an operator may have; and none. */
typedef enum kind {
    REDUCES,
    ADDS, /* by vectors, on CPUs */
    FILTERS,
    REDUCES_KEYS,
    MERGES,
    SPLITS,
    SORTS,
    SORTS_INPUTS, /* without a map */
    SORTS_BYTES,
    REDUCES_BINS,
    COUNTS_BINS,       /* by a device's own atomics */
    REDUCES_WIDE_BINS, /* by locks */
    HAS_NONE,
    KINDS,
    USUAL = KINDS /* of the primitive that the folder is called like (primitives.h) */
} kind;

static void operators_open(clf_operator_copy op[KINDS])
{
    const struct {
        kind kind;
        const clf_operator *op;
        unsigned functions;
    } of[] = {
        {REDUCES, ref_clf(&ref_select), CLF_FUNCTION_COMBINE},
        {ADDS, ref_clf(ref_builtin(CLF_SUM, CLF_INT)), CLF_FUNCTION_COMBINE},
        {FILTERS, ref_filter_of(REF_UNIQUE_RUNS)->clf, CLF_FUNCTION_SAME},
        {REDUCES_KEYS, ref_by_key_of(REF_BY_KEY_TUPLE)->clf, CLF_FUNCTION_COMBINE | CLF_FUNCTION_SAME},
        {MERGES, ref_order_of(REF_ORDER_PAIR)->clf, CLF_FUNCTION_LESS},
        {SPLITS, ref_split_of(REF_SPLIT_CAPTURED)->clf, CLF_FUNCTION_PART},
        {SORTS, ref_sort_of(REF_SORT_CAPTURED)->clf, CLF_FUNCTION_KEY},
        {SORTS_INPUTS, ref_sort_of(REF_SORT_PAIR)->clf, CLF_FUNCTION_KEY},
        {SORTS_BYTES, ref_sort_of(CLF_UCHAR)->clf, CLF_FUNCTION_KEY},
        {REDUCES_BINS, ref_index_of(REF_INDEX_CAPTURED)->clf, CLF_FUNCTION_COMBINE | CLF_FUNCTION_PART},
        {COUNTS_BINS, ref_index_of(REF_INDEX_COUNT_NATIVE)->clf, CLF_FUNCTION_COMBINE | CLF_FUNCTION_PART},
        {REDUCES_WIDE_BINS, ref_index_of(REF_INDEX_WIDE)->clf, CLF_FUNCTION_COMBINE | CLF_FUNCTION_PART},
    };
    for (size_t i = 0; i < COUNT(of); ++i)
        assert_status(clf_operator_take(of[i].op, of[i].functions, &op[of[i].kind], NULL), CLF_SUCCESS);
    clf_operator_none(2, &op[HAS_NONE]);
    op[MERGES].in_sets = 2;
    op[REDUCES_BINS].coded = op[COUNTS_BINS].coded = op[REDUCES_WIDE_BINS].coded = true;
    op[MERGES].out_sets = op[SORTS].out_sets = op[SORTS_INPUTS].out_sets = op[REDUCES_BINS].out_sets = 2;
}

/* ---- What kernels get besides ---------------------------------------------------------------------------- */

enum { MOST = 32 };

/* What kernels of a folder get: all that the library's primitives give those that are there, and what segments have. */
typedef struct besides {
    clf_named_array arrays[MOST];
    const char *numbers[MOST];
} besides;

#define NAME_OF_ARRAY(a) (a).name
#define NAME_OF_NUMBER(n) (n)
/* `more`, which may be NULL, in the places of those with the same names. */
#define ADD(list, more, NAME_OF) \
    for (size_t k = 0, i; (more) && NAME_OF((more)[k]); ++k) { \
        for (i = 0; i < MOST - 1 && NAME_OF((list)[i]) && strcmp(NAME_OF((list)[i]), NAME_OF((more)[k])) != 0;) \
            ++i; \
        (list)[i] = (more)[k]; \
    }

/* `file`: one of the folder. */
static besides besides_of(const char *file)
{
    static const clf_operator_copy any;
    const size_t folder = strcspn(file, "/") + 1;
    besides b = {{{"const uint", "heads"}, {"ulong", "counts"}, {"const uint", "offsets"}, {"ulong", "result"},
                  {"ulong", "control"}}, {"segments", "width"}};
    for (size_t p = 0; p == 0 || clf_primitives[p - 1]; ++p) {
        const clf_primitive *const it = p > 0 ? clf_primitives[p - 1] : &clf_long_segments_primitive;
        const clf_named_array *const arrays = it->arrays_of ? it->arrays_of(&any) : it->arrays;
        for (const clf_variant *v = it->variants; v->name; ++v)
            if (v->file && strncmp(v->first ? v->first : v->file, file, folder) == 0) {
                ADD(b.arrays, arrays, NAME_OF_ARRAY);
                ADD(b.numbers, v->numbers, NAME_OF_NUMBER);
            }
    }
    return b;
}

/* ---- Files ------------------------------------------------------------------------------------------------- */

/* What files of this name need. `first`: what they take from the file that includes them, as files or as text. */
typedef struct rule {
    const char *pattern; /* in the name; the first rule that fits holds */
    kind kind;
    const char *first, *options;
} rule;

#define A_TABLE \
    "reduce_by_index/cell.cl\"\n" \
    "typedef ulong clf_bin;\n" \
    "typedef struct { int none; } clf_table;\n" \
    "static inline void clf_table_add(const clf_table *t, clf_bin bin, clf_value v, bool wanted) { }\n" \
    "#include \"memory/chunks.cl"

#define OF_ANY_STATE REDUCES, "group/state_value.cl"
#define ITS_OWN(name) {#name "/", USUAL, NULL, ""},

static const rule rules[] = {
    {"probe/", HAS_NONE, NULL, "-D CLF_LOCAL=64"},
    {"transpose_cpu", HAS_NONE, NULL, "-D CLF_BYTES=2 -D CLF_AHEAD=1"},
    {"transpose/", HAS_NONE, NULL, "-D CLF_BYTES=2 -D CLF_ACROSS=16 -D CLF_DOWN=16 -D CLF_ROWS=32"},
    {"segments/heads_", HAS_NONE, NULL, "-D CLF_KEYS=1"},
    {"filter/least", SORTS, NULL, "-D CLF_SEGMENT=0 -D CLF_ORDER=3"},
    {"filter/", FILTERS, NULL, "-D CLF_SEGMENT=0"},
    {"laws/answers", FILTERS, NULL, "-D CLF_SEGMENT=0"},
    {"by_key", REDUCES_KEYS, NULL, "-D CLF_SEGMENT=0"},
    {"gather/", REDUCES, NULL, "-D CLF_SCATTER=1 -D CLF_INDEX=uint"},
    TEST_PRIMITIVES(ITS_OWN)
    {"merge_sort_keys", SORTS_INPUTS, NULL, "-D CLF_ORDER=3"},
    {"merge/", MERGES, NULL, "-D CLF_UPPER=1 -D CLF_STREAMS=4"},
    {"digit/order", SORTS, NULL, "-D CLF_ORDER=3"},
    {"digit/", SPLITS, "split/part.cl", "-D CLF_PARTS=16"},
    {"split/", SPLITS, NULL, "-D CLF_PARTS=16"},
    {"sort/segments_long", SORTS, NULL, "-D CLF_ORDER=3 -D CLF_STREAMS=4"},
    {"sort/segments", SORTS, NULL, "-D CLF_SEGMENT=2 -D CLF_ORDER=3"},
    {"sort/counting", SORTS_BYTES, NULL, "-D CLF_ORDER=3 -D CLF_CELLS=1024"},
    {"sort/", SORTS, NULL, "-D CLF_ORDER=3 -D CLF_STREAMS=4"},
    {"top_k/", SORTS, NULL, "-D CLF_ORDER=3"},
    {"index/walk", REDUCES_BINS, A_TABLE, ""},
    {"index/scatter", COUNTS_BINS, A_TABLE, ""},
    {"index/cell_wide", REDUCES_WIDE_BINS, NULL, "-D CLF_CELLS=256 -D CLF_LOCKS=8"},
    {"index/bins", REDUCES_BINS, "reduce_by_index/cell.cl", ""},
    {"index/finish", REDUCES_BINS, "reduce_by_index/cell.cl", ""},
    {"reduce_by_index/", REDUCES_BINS, NULL, "-D CLF_CELLS=256"},
    {"adjacent", REDUCES, NULL, "-D CLF_SEGMENT=1 -D CLF_STREAMS=32"},
    {"reduce_parts", REDUCES, "group/range.cl", "-D CLF_SEGMENT=0"},
    {"group/message", OF_ANY_STATE, "-D CLF_SEGMENT=3"},
    {"group/run", OF_ANY_STATE, "-D CLF_SEGMENT=3"},
    {"segments/span", OF_ANY_STATE, "-D CLF_SEGMENT=3"},
    {"chain/", OF_ANY_STATE, "-D CLF_SEGMENT=3"},
    {"cpu/step", OF_ANY_STATE, "-D CLF_SEGMENT=3"},
    {"cpu/cpu_vector", ADDS, "group/state_value.cl", "-D CLF_SEGMENT=3 -D CLF_STREAMS=0"},
    {"cpu/cpu_sides", OF_ANY_STATE, "-D CLF_SEGMENT=3 -D CLF_STREAMS=32"},
    {"cpu/cpu_", OF_ANY_STATE, "-D CLF_SEGMENT=3 -D CLF_STREAMS=8"},
    {"cpu/vector", ADDS, NULL, ""},
    {"cpu", REDUCES, NULL, "-D CLF_SEGMENT=3 -D CLF_STREAMS=8"},
    {"", REDUCES, NULL, "-D CLF_SEGMENT=3"},
};

static const rule *rule_for(const char *file)
{
    size_t i = 0;
    while (!strstr(file, rules[i].pattern))
        ++i;
    return &rules[i];
}

static clf_operator_copy usual_operator(const char *folder)
{
    char name[32] = "";
    clf_operator_copy op;
    strncat(name, folder, strcspn(folder, "/"));
    const clf_primitive *const p = primitive_known(name);
    assert_ok(clf_operator_take(primitive_usual(name).op, p->function ? p->function : CLF_FUNCTION_COMBINE, &op, NULL));
    op.coded = p->coded;
    op.in_sets = p->in_sets ? p->in_sets : 1;
    op.out_sets = p->out_sets ? p->out_sets : 1;
    return op;
}

static void write_source(clf_text *text, const clf_operator_copy *op, const rule *r, const char *file)
{
    const besides b = besides_of(r->first ? r->first : file);
    static const char *const no_kernels[] = {NULL};
    clf_generated entries[] = {{.name = "entries.cl"}, {.name = NULL}};
    clf_text includes = {0};
    clf_text_format(&entries[0].text, "typedef uint clf_entry;\ntypedef uint4 clf_entry4;\n"); /* heads.c */
    clf_text_format(&includes, "%s%s%s", r->first ? r->first : "", r->first ? "\"\n#include \"" : "", file);
    const bool sorts = op->called == CLF_FUNCTION_KEY;
    const clf_entry *const laws = strcmp(file, "laws/answers.cl") == 0           ? &clf_answers_entry
                                  : strncmp(file, "laws/", strlen("laws/")) == 0 ? &clf_laws_entry
                                                                                 : NULL;
    const clf_entry entry = {includes.data, no_kernels, laws ? laws->arrays : b.arrays,
                             laws ? laws->numbers : b.numbers,
                             laws ? laws->write : sorts ? clf_key_write : op->coded ? clf_index_write : NULL,
                             NULL};
    assert_status(r->kind == HAS_NONE ? clf_flatten(text, file, entries) : clf_source_write(text, op, 1, &entry),
                  CLF_SUCCESS);
    clf_text_free(&entries[0].text);
    clf_text_free(&includes);
}

static void compile_alone(clf_context *context, const clf_operator_copy op[KINDS], const char *file)
{
    const rule *const r = rule_for(file);
    const bool on_cpu = strstr(file, "cpu"); /* cl/cpu/, or the file */
    clf_text text = {0}, options = {0};
    clf_error error = {.size = sizeof error};
    cl_program program = NULL;
    clf_operator_copy own = r->kind == USUAL ? usual_operator(file) : (clf_operator_copy){0};
    write_source(&text, r->kind == USUAL ? &own : &op[r->kind], r, file);
    clf_text_format(&options,
                    "-D CLF_CPU=%d -D CLF_LANES=0 -D CLF_LANE_WIDTH=1 -D CLF_ATOMICS=0 -D CLF_EXCLUSIVE=0 "
                    "-D CLF_GIVEN=1 -D CLF_LOOKBACK=2 -D CLF_SEVERAL=1 -D CLF_PARTIALS=4 "
                    "-D CLF_TICKET=1 -D CLF_SPIN=1 %s %s",
                    on_cpu, on_cpu ? "-D CLF_GROUP=1 -D CLF_ITEMS=256" : "-D CLF_GROUP=64 -D CLF_ITEMS=16", r->options);
    ck_assert_msg(clf_build_program(context->cl, context->device, text.data, options.data, &program, NULL, &error) ==
                      CLF_SUCCESS,
                  "%s: %s", file, error.log);
    clReleaseProgram(program);
    clf_operator_free(&own);
    clf_text_free(&text);
    clf_text_free(&options);
}

/* And no rule is left over, but of primitives whose kernels are in another's folder. */
TEST(each_kernel_file_compiles_alone)
{
    clf_context *const context = rig_context(NULL);
    clf_operator_copy op[KINDS];
    bool used[COUNT(rules)] = {false};
    operators_open(op);
    for (const clf_kernel_file *file = clf_kernel_files; file->name; ++file) {
        if (strstr(file->name, "_template.cl"))
            continue;
        compile_alone(context, op, file->name);
        used[rule_for(file->name) - rules] = true;
    }
    for (size_t i = 0; i < COUNT(rules); ++i)
        ck_assert_msg(used[i] || rules[i].kind == USUAL, "no file for \"%s\"", rules[i].pattern);
    for (kind k = 0; k < KINDS; ++k)
        clf_operator_free(&op[k]);
}

void add_kernel_file_tests(TCase *tests)
{
    tcase_add_test(tests, each_kernel_file_compiles_alone);
}
