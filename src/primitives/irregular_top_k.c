/* SPDX-License-Identifier: MIT */
/*
 * irregular_top_k: the first k elements of a sort of each segment, whatever their lengths, one segment's behind the
 * other's. A scan over the segments tells where their results go, and how long ones are cut into pieces, so that a
 * giant keeps the device as busy as a million of short ones (cl/top_k/piece.cl):
 *
 *   shorts   segments that a few lanes have in registers
 *   pieces   a few of each piece of the others, by a unit; what the pieces of a segment had is cut again, until there
 *            is one: k of so many elements that each launch leaves a fraction of what the one before did
 *   groups   the same for many results that need not be sorted: by a group, which reads its piece several times
 *   first    of many sorted results, which are taken from a sort of all segments (irregular_sort.c)
 *
 * The host knows the number of launches by n and k alone; those of few long segments find little to do.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum { TELL, PIECES, GROUPS, FIRST, SHORTS };
static const char *const kernels[] = {"clf_top_tell", "clf_top_pieces", "clf_top_groups", "clf_top_first",
                                      "clf_top_shorts", NULL};
enum { K_LOW, K_HIGH, ROOM_LOW, ROOM_HIGH, SPAN, PASS, CHUNKS, EACH, HOW, SLOTS_LOW, SLOTS_HIGH };
static const char *const numbers[] = {"k_low", "k_high", "room_low", "room_high", "span", "pass", "chunks", "each",
                                      "how", "slots_low", "slots_high", NULL};
enum { UNSORTED = 1 }; /* numbers[HOW]: cl/top_k/work.cl */

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "top_k/irregular_cpu.cl", .kernels = kernels, .numbers = numbers},
    {.name = "groups", .file = "top_k/irregular_groups.cl", .kernels = kernels, .numbers = numbers,
     .parameters = "group", .defaults = clf_top_k_defaults, .local = clf_top_k_local},
    {.name = NULL},
};

/* ---- Shapes ------------------------------------------------------------------------------------------ */

enum { RATIO = 4 /* log2 of the pieces that become one, at least */, CONTROL_WORDS = 4 };
enum { MOST_OF_GROUP = 31 /* log2 of the elements of a piece: counters have 32 bits */ };

typedef enum top_way { BY_PIECES, BY_GROUPS, BY_SORT } top_way;

/* How a call is done. */
typedef struct top_shape {
    top_way way;
    cl_ulong n, count, k, results; /* results: of all segments, at most */
    cl_uint lanes;                 /* log2 of those that have a short segment */
    cl_ulong longest;              /* of short segments; 0: none are short */
    cl_uint joined, piece;         /* log2 of the pieces that become one, and of the elements of a piece */
    cl_ulong units, slots;         /* pieces at most, and those of segments of several */
} top_shape;

static cl_ulong product(cl_ulong a, cl_ulong b, cl_ulong most)
{
    return a && b > most / a ? most : clf_least(a * b, most);
}

/* Short segments: twice the mean length, but no more than a warp sorts in less time than a list takes. */
static void choose_lanes(const clf_plan *plan, top_shape *s)
{
    enum { OF_LANE = 8 /* elements: cl/top_k/short.cl */, LONGEST = 256, USUAL = 128, PART = 3 };
    const cl_uint width = plan->context->facts.lane_width;
    const cl_ulong longest = s->k > LONGEST / PART ? LONGEST : USUAL;
    const cl_ulong wanted = clf_least(2 * (s->n / s->count), longest);
    if (clf_top_k_is_cpu(plan) || width == 1)
        return;
    while ((cl_uint)1 << s->lanes < width && (cl_ulong)OF_LANE << s->lanes < wanted)
        ++s->lanes;
    s->longest = (cl_ulong)OF_LANE << s->lanes;
}

/*
 * Pieces have many times as many elements as results, so that each pass leaves a fraction. Both numbers are powers of
 * two, so that the device need not divide.
 */
static void cut(const clf_plan *plan, top_shape *s)
{
    const bool cpu = clf_top_k_is_cpu(plan), few = s->way == BY_PIECES;
    const cl_ulong usual = cpu ? 1 << 16 : few ? 1 << 12 : 1 << 14;
    const cl_ulong least = clf_parameter_get(&plan->engine[0]->parameters, "limit", (cl_uint)usual) / s->k;
    for (s->joined = RATIO; (cl_ulong)2 << s->joined <= least;)
        ++s->joined;
    for (s->piece = s->joined; s->piece < MOST_OF_GROUP && (cl_ulong)1 << (s->piece - s->joined) < s->k;)
        ++s->piece;
    const cl_ulong piece = (cl_ulong)1 << s->piece;
    const cl_ulong whole = s->n / piece, others = s->n / (s->longest + 1), several = s->n / (piece + 1);
    s->units = clf_least(s->count, others) + whole;
    s->slots = clf_least(s->count, several) + whole;
}

static top_shape shape_of(const clf_plan *plan, const clf_task *task)
{
    top_shape s = {.n = task->size, .count = task->entries, .k = clf_least(task->most, task->size)};
    s.way = s.k <= clf_top_k_most_of_list(plan) ? BY_PIECES : plan->flags & CLF_UNSORTED ? BY_GROUPS : BY_SORT;
    s.results = product(s.count, s.k, s.n);
    if (s.way != BY_SORT)
        choose_lanes(plan, &s);
    cut(plan, &s);
    return s;
}

/* ---- Arrays ------------------------------------------------------------------------------------------ */

enum { CONTROL, OFFSETS, RESULTS, UNITS, SLOTS };
#define ARRAYS(type)                                                                                                   \
    {{"ulong", "control"}, {type, "offsets"}, {"ulong", "results"}, {"ulong", "units"}, {"ulong", "slots"},            \
     {NULL, NULL}}

/* A plan's form: are offsets of 64 bits? */
static const clf_named_array *arrays_of(const clf_operator_copy *op)
{
    static const clf_named_array uints[] = ARRAYS("const uint"), ulongs[] = ARRAYS("const ulong");
    return op->form ? ulongs : uints;
}

/*
 * What a segment has: results, pieces, and those of them that are several; short ones have no pieces. What it is told
 * of k, pieces, short segments and n, the device writes (cl/top_k/piece.cl). Lengths have the type of offsets.
 */
#define PLACES(type)                                                                                                   \
    {.size = sizeof(clf_operator), .input = type " begin; " type " end;", .captured = "ulong told;",                   \
     .value = "ulong results; ulong units; ulong slots;", .combine = "clf_sum", .map = "place",                        \
     .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,                                                                          \
     .source = "clf_value place(clf_input x, ulong i, const clf_captured *c)\n{\n"                                     \
               "    const " type " n = (" type ")min(c->told[3], (ulong)(" type ")-1), least = (" type ")c->told[2];\n"\
               "    const " type " begin = min(x.begin, n), length = max(begin, min(x.end, n)) - begin;\n"             \
               "    const " type " own = length > least ? ((length - 1) >> (uint)c->told[1]) + 1 : 0;\n"               \
               "    clf_value v = {min((ulong)length, c->told[0]), own, own > 1 ? own : 0};\n"                         \
               "    return v;\n}\n"}
static const clf_operator places_of_uints = PLACES("uint"), places_of_ulongs = PLACES("ulong");

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* A call under way. */
typedef struct calling {
    const clf_plan *plan;
    clf_run *run;
    const clf_task *task;
    top_shape shape;
    clf_arguments arguments;
    clf_array out[2 * CLF_MAX_FIELDS]; /* the caller's, and what is in scratch */
} calling;

static void set(calling *c, cl_uint low, cl_ulong number)
{
    c->arguments.numbers[low] = (cl_uint)number;
    c->arguments.numbers[low + 1] = (cl_uint)(number >> 32);
}

static clf_status launch(calling *c, cl_uint kernel, cl_ulong groups)
{
    return clf_run_launch(c->run, c->plan->engine[0], kernel, &c->arguments, groups);
}

/* Candidates are in two halves of scratch in turn; a sort writes all elements there. */
static void place(calling *c)
{
    const clf_fields *const value = &c->plan->op.value;
    const top_shape *const s = &c->shape;
    clf_array *const a = c->arguments.arrays;
    const cl_ulong most = c->plan->flags & CLF_UNSORTED ? 4 * ((s->n >> RATIO) + 1) : s->n; /* for any k */
    const cl_ulong slots = s->slots * s->k;
    for (cl_uint i = 0; i < value->count; ++i)
        c->out[i] = c->task->out[i];
    clf_run_values(c->run, value, c->task->any ? most : s->way == BY_SORT ? s->n : 2 * slots, c->out + value->count);
    c->arguments.out = c->out;
    a[CONTROL] = clf_run_array(c->run, CLF_PLAIN, CONTROL_WORDS, sizeof(cl_ulong));
    a[RESULTS] = c->task->result ? *c->task->result : clf_run_array(c->run, CLF_PLAIN, s->count + 1, sizeof(cl_ulong));
    a[UNITS] = clf_run_array(c->run, CLF_PLAIN, s->count + 1, sizeof(cl_ulong));
    a[SLOTS] = clf_run_array(c->run, CLF_PLAIN, s->count + 1, sizeof(cl_ulong));
    c->arguments.count = s->count;
    set(c, K_LOW, s->k);
    set(c, ROOM_LOW, (cl_ulong)1 << s->piece);
    set(c, SLOTS_LOW, slots);
    c->arguments.numbers[SPAN] = s->piece;
    c->arguments.numbers[EACH] = s->joined;
    c->arguments.numbers[HOW] = c->plan->flags & CLF_UNSORTED ? UNSORTED : 0;
}

/* Where results, pieces and candidates of each segment begin. */
static clf_status make_places(calling *c)
{
    const clf_told *const told = c->plan->own;
    const clf_array *const a = c->arguments.arrays;
    const clf_array in[] = {a[OFFSETS], {a[OFFSETS].buffer, a[OFFSETS].offset + 1}, a[CONTROL]};
    clf_array ends[3];
    for (cl_uint i = 0; i < 3; ++i)
        ends[i] = (clf_array){a[RESULTS + i].buffer, a[RESULTS + i].offset + 1};
    const clf_task scan = {.count = 1, .size = c->shape.count, .any = c->task->any, .in = in, .out = ends};
    c->arguments.numbers[CHUNKS] = (cl_uint)c->shape.longest;
    CLF_TRY(launch(c, TELL, 1));
    return clf_run_step(c->run, told->ends_scan, &scan);
}

/* All segments, sorted in scratch. */
static clf_status sort_all(calling *c)
{
    const clf_told *const told = c->plan->own;
    const clf_task sort = {.count = 1, .size = c->shape.n, .any = c->task->any, .entries = c->shape.count,
                           .segments = &c->arguments.arrays[OFFSETS], .in = c->task->in,
                           .out = c->out + c->plan->op.value.count, .given = c->task->given, .flags = c->task->flags};
    return clf_run_step(c->run, told->sort, &sort);
}

static clf_status by_sort(calling *c)
{
    enum { EACH_OF_GROUP = 8, EACH_OF_CPU = 4096 /* results of a work-item */ };
    const cl_uint each = clf_top_k_is_cpu(c->plan) ? EACH_OF_CPU : EACH_OF_GROUP;
    CLF_TRY(sort_all(c));
    c->arguments.numbers[CHUNKS] = each;
    return launch(c, FIRST, clf_ceiling(c->shape.results, (cl_ulong)each * c->plan->engine[0]->group));
}

/* Units of a launch; on CPUs a work-item has several. */
static cl_ulong groups_of(calling *c, cl_ulong units)
{
    enum { EACH_OF_CPU = 16 };
    const cl_uint group = c->plan->engine[0]->group;
    const cl_uint each = c->shape.way == BY_GROUPS   ? 1
                         : clf_top_k_is_cpu(c->plan) ? EACH_OF_CPU
                                                     : group / clf_top_k_unit(&c->plan->context->facts, group);
    c->arguments.numbers[CHUNKS] = each;
    return clf_ceiling(units, each);
}

static clf_status by_pieces(calling *c)
{
    const top_shape *const s = &c->shape;
    const cl_uint kernel = s->way == BY_GROUPS ? GROUPS : PIECES;
    c->arguments.numbers[CHUNKS] = s->lanes;
    if (s->longest)
        CLF_TRY(launch(c, SHORTS, clf_ceiling(s->count << s->lanes, c->plan->engine[0]->group)));
    c->arguments.numbers[PASS] = 0;
    CLF_TRY(launch(c, kernel, groups_of(c, s->units)));
    for (cl_ulong last = (s->n - 1) >> s->piece; last > 0; last >>= s->joined) {
        ++c->arguments.numbers[PASS];
        CLF_TRY(launch(c, kernel, groups_of(c, s->slots)));
    }
    return CLF_SUCCESS;
}

static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const cl_ulong n = task->size, k = clf_least(task->most, n), n_out[] = {product(task->entries, k, n), 0};
    const cl_ulong n_in = n_out[0] ? n : 0;
    check->values_apart = true;
    CLF_TRY(clf_check_out_count(check, call, plan->op.value.count));
    CLF_TRY(clf_check_no_initial(check, call, "top-k"));
    task->nothing = n_in == 0 && !task->result;
    CLF_TRY(clf_check_arrays(check, &plan->op, &n_in, n_out, task->in, task->out));
    if (task->most > 0 || task->entries == 0)
        CLF_TRY(clf_told_check_array(check, plan, task));
    if (task->result && task->entries == CL_ULONG_MAX)
        return clf_refuse(check, CLF_E_OVERFLOW, "count + 1 does not fit 64 bits");
    return task->result ? clf_check_result_count(check, task->result, task->entries + 1) : CLF_SUCCESS;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    calling c = {.plan = plan, .run = run, .task = task};
    if (task->most == 0 || task->size == 0)
        return task->result ? clf_run_zero(run, task->result, task->entries + 1, sizeof(cl_ulong)) : CLF_SUCCESS;
    c.shape = shape_of(plan, task);
    if (c.shape.way == BY_GROUPS && c.shape.k >> (MOST_OF_GROUP - RATIO) && c.shape.n >> MOST_OF_GROUP)
        CLF_TRY(CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "segments have at most 2^27 results that are not sorted"));
    CLF_TRY(clf_run_begin(run, plan->engine[0], task, &c.arguments));
    CLF_TRY(clf_told_offsets(plan, run, task, &c.arguments.arrays[OFFSETS]));
    place(&c);
    CLF_TRY(make_places(&c));
    if (task->any)
        return plan->flags & CLF_UNSORTED ? CLF_SUCCESS : sort_all(&c);
    return c.shape.way == BY_SORT ? by_sort(&c) : by_pieces(&c);
}

/* ---- The primitive ----------------------------------------------------------------------------------- */

static cl_uint worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks)
{
    (void)plan;
    tasks[0].size = tasks[0].most = n;
    tasks[0].entries = count ? count : 1;
    return 1;
}

const clf_primitive clf_irregular_top_k_primitive = {
    .name = "irregular_top_k", .flags = CLF_DESCENDING | CLF_TOTAL_ORDER | CLF_UNSORTED | CLF_FROM_DEVICE,
    .function = CLF_FUNCTION_KEY, .out_sets = 2, .define = clf_define_order, .write = clf_key_write,
    .arrays_of = arrays_of, .variants = variants, .parameters = "limit,few", .roles = clf_main_role,
    .choose = clf_choose_main, .check = check, .run = run, .worst = worst, .compile = clf_told_compile,
    .close = clf_told_close};

/* The steps; a sort where results are sorted. */
static clf_status open(clf_plan *plan, const clf_operator *op, clf_type offsets, clf_error *error)
{
    clf_told *const told = plan->own;
    const clf_operator *const of = offsets == CLF_ULONG ? &places_of_ulongs : &places_of_uints;
    CLF_TRY(clf_own_weaken(&told->ends_scan, clf_scan_plan(plan->context, of, 0, NULL, &told->ends_scan, error)));
    if (plan->flags & CLF_UNSORTED)
        return CLF_SUCCESS;
    return clf_irregular_sort_step_plan(plan->context, op, offsets, plan->flags, &told->sort, error);
}

clf_status clf_irregular_top_k_plan(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                                    unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_told_check(context, segmentation, plan, error));
    if (segmentation->by != CLF_BY_OFFSETS && segmentation->by != CLF_BY_LENGTHS)
        return clf_fail(error, CLF_E_ARGUMENT, "segments of a top-k are told by offsets or lengths");
    const clf_form form = {.number = segmentation->type == CLF_ULONG};
    CLF_TRY(clf_plan_create_form(context, &clf_irregular_top_k_primitive, form, op, flags, options, plan, error));
    CLF_TRY(clf_told_open(plan, segmentation, false, 0, error));
    return clf_own_finish(plan, open(*plan, op, segmentation->type, error));
}

clf_status clf_irregular_top_k(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong count, cl_ulong k,
                               const clf_array *segments, const clf_array *in, const clf_array *out,
                               const clf_array *result_offsets)
{
    clf_task task = {.count = 1, .size = n, .entries = count, .most = k, .segments = segments, .in = in, .out = out,
                     .result = result_offsets};
    return clf_call_task(plan, &clf_irregular_top_k_primitive, "clf_irregular_top_k", call, &task);
}
