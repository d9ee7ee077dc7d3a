/* SPDX-License-Identifier: MIT */
/*
 * The loops that primitives have in common: for every operator and type, plans for every variant and define; for every
 * shape, what is expected, then a row of each plan and of each peer. What differs is in a bench_kind.
 */
#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- Plans ------------------------------------------------------------------------------------------------ */

typedef struct plans {
    unsigned count, made;
    clf_plan **plan;
} plans;

/* "": the one that clfold chooses. */
static const char *variant_of(const bench_session *session, unsigned plan)
{
    return session->options.variants.word[plan / session->options.defines.count];
}

static const char *define_of(const bench_session *session, unsigned plan)
{
    return session->options.defines.word[plan % session->options.defines.count];
}

static void note_skipped(const bench_data *data, const char *variant, const char *define, const char *why)
{
    bench_note("skipped: %s %s %s%s%s%s%s: %s", data->primitive->name, data->op.name, data->op.type,
               *variant ? " " : "", variant, *define ? " " : "", define, why);
}

/* NULL, and a note, where the device cannot do it this way. A program that does not compile is a failed row. */
static clf_plan *make_plan(const bench_data *data, const char *variant, const char *define)
{
    clf_error error = {.size = sizeof error};
    clf_plan_options options = {.size = sizeof options, .variant = *variant ? variant : NULL,
                                .parameters = *define ? define : NULL, .wanted = data->op.wanted};
    clf_plan *plan = NULL;
    const clf_status status = bench_make_plan(data->primitive, data->session->clf, data->op.op, &options, &plan,
                                              &error);
    if (status == CLF_SUCCESS)
        return plan;
    note_skipped(data, variant, define, error.message[0] ? error.message : clf_status_text(status));
    if (error.log[0])
        bench_note("%.600s", error.log);
    data->session->wrong += status != CLF_E_UNSUPPORTED && status != CLF_E_PARAMETER;
    data->session->refused += status == CLF_E_PARAMETER;
    return NULL;
}

static plans open_plans(const bench_data *data)
{
    const bench_session *session = data->session;
    plans list = {.count = session->options.variants.count * session->options.defines.count};
    list.plan = bench_alloc(list.count * sizeof *list.plan);
    for (unsigned i = 0; i < list.count; ++i) {
        bench_progress("compiling %s %s %s (%u of %u)", data->op.name, data->op.type, define_of(session, i), i + 1,
                       list.count);
        list.plan[i] = make_plan(data, variant_of(session, i), define_of(session, i));
        list.made += list.plan[i] != NULL;
    }
    return list;
}

static void close_plans(plans *list)
{
    for (unsigned i = 0; i < list->count; ++i)
        if (list->plan[i])
            clf_plan_release(list->plan[i]);
    free(list->plan);
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

/* What the model would have taken, where items were asked for. */
static unsigned model_items(const clf_plan *plan, const char *define)
{
    char items[16] = "0", *text = bench_describe_plan(plan, 1);
    if (strstr(define, "items="))
        bench_described(text, "model", items, sizeof items);
    free(text);
    return (unsigned)strtoul(items, NULL, 10);
}

/* A plan's row of a shape. */
typedef struct open_row {
    bench_row row;
    char variant[64];
    bool skipped; /* the variant does not do this shape */
} open_row;

static void begin_row(open_row *open, const bench_kind *kind, bench_call *call, unsigned number)
{
    const bench_session *session = call->data->session;
    const char *define = define_of(session, number);
    bench_row *row = &open->row;
    (kind->name ? kind->name : bench_name_by_size)(call->plan, call->shape, open->variant);
    row->variant = open->variant;
    row->moved = kind->moved ? kind->moved(call->data, row) : 0;
    row->forced = *variant_of(session, number) != '\0';
    row->define = *define ? define : NULL;
    row->model_items = model_items(call->plan, define);
    open->skipped = !bench_measure(call, row);
    if (open->skipped)
        bench_note("skipped: %s does not do [%llu][%llu]", open->variant, (unsigned long long)call->shape.count,
                   (unsigned long long)call->shape.size);
}

/* All plans' rows, in turns; each is printed by the last one. */
static void run_rows(bench_data *data, const bench_kind *kind, const bench_row *row, const plans *list)
{
    const bench_shape shape = {row->batch, row->segments, row->segment_size};
    const unsigned turns = data->session->options.turns;
    open_row *rows = bench_alloc(list->count * sizeof *rows);
    for (unsigned turn = 0; turn < turns; ++turn)
        for (unsigned i = 0; i < list->count; ++i) {
            bench_call call = {data, list->plan[i], shape, data->found, kind->enqueue, kind->marked};
            if (turn == 0) {
                rows[i] = (open_row){.row = *row, .skipped = !call.plan};
                if (call.plan)
                    begin_row(rows + i, kind, &call, i);
            } else if (!rows[i].skipped)
                bench_measure_again(&call, &rows[i].row);
            if (turn + 1 == turns && !rows[i].skipped)
                bench_finish_row(data->session, &rows[i].row);
        }
    free(rows);
}

static bench_row new_row(bench_data *data, const bench_kind *kind, bench_shape shape)
{
    const bench_operator *op = &data->op;
    bench_row row = {.primitive = data->primitive->name, .op = kind->unnamed ? "-" : op->name, .type = op->type,
                     .n = shape.batch * shape.count * shape.size, .batch = shape.batch, .segments = shape.count,
                     .segment_size = shape.size, .bins = data->bins};
    for (unsigned i = 0; i < op->inputs; ++i)
        row.bytes += bench_input_elements(op, i, row.n, shape.size) * op->in_size[i];
    for (unsigned o = 0; o < op->outputs; ++o)
        row.bytes += bench_output_elements(op, o, row.n, data->found) * op->out_size[o];
    kind->yardsticks(data, &row);
    return row;
}

static void run_shape(bench_data *data, const bench_kind *kind, bench_shape shape, const plans *list)
{
    bench_progress("[%u done] %s %s %s [%llu][%llu]", data->session->done, data->primitive->name, data->op.name,
                   data->op.type, (unsigned long long)shape.count, (unsigned long long)shape.size);
    data->n = shape.count * shape.size;
    data->found = kind->sums ? shape.count : shape.batch * data->n;
    if (kind->expect)
        kind->expect(data, shape);
    const bench_row row = new_row(data, kind, shape);
    run_rows(data, kind, &row, list);
    bench_run_peers(data, &row, data->found);
}

static cl_ulong longest(const bench_shapes *shapes)
{
    cl_ulong most = 0;
    for (unsigned i = 0; i < shapes->count; ++i)
        most = shapes->shape[i].size > most ? shapes->shape[i].size : most;
    return most;
}

/* Compiles each combination of variant and define once, for all shapes. */
static void run_operator(bench_data *data, const bench_kind *kind, const bench_shapes *shapes)
{
    if ((data->op.captured || data->op.extras) && !kind->maps) {
        bench_note("skipped: %s of %s: %s has no rows of captured arrays or mapped outputs", data->op.name,
                   data->op.type, data->primitive->name);
        return;
    }
    data->op.columns = longest(shapes);
    plans list = open_plans(data);
    if (list.made || data->session->options.peers.count) {
        bench_open_data(data);
        if (kind->open)
            kind->open(data);
        bench_open_peers(data);
        for (unsigned i = 0; i < shapes->count; ++i)
            run_shape(data, kind, shapes->shape[i], &list);
        bench_close_peers(data);
        if (kind->close)
            kind->close(data);
        bench_close_data(data);
    }
    close_plans(&list);
}

/* The sum of numbers stands for their type. */
static bool is_plain(const bench_kind *kind, const char *op, const char *type)
{
    return strcmp(op, "sum") == 0 && (kind->type ? strcmp(kind->type, type) == 0 : kind->reals || type[0] != 'f');
}

/* Has the primitive rows of this operator at all, of whatever type? */
static bool knows(const bench_kind *kind, const char *op)
{
    for (unsigned i = 0; kind->ops && kind->ops[i]; ++i)
        if (strcmp(kind->ops[i], op) == 0)
            return true;
    return !kind->ops && bench_is_operator(op);
}

/* Has it numbers for all bins? */
static bool can_say(const bench_operator *op, cl_ulong bins)
{
    return bins == 0 || op->in_size[0] == 8 || (bins - 1) >> 8 * op->in_size[0] == 0;
}

/* Of every type; operators on tuples have no other than their own. */
static void run_types(bench_data *data, const bench_kind *kind, const bench_shapes *shapes, const char *op)
{
    const bench_words *types = &data->session->options.types;
    bool (*const find)(const char *, const char *, bench_operator *) = kind->find ? kind->find : bench_find_operator;
    const bool tuple = !kind->ops && bench_find_user_operator(op, &data->op), known = knows(kind, op);
    for (unsigned t = 0; t < (tuple ? 1 : types->count); ++t) {
        const char *const type = types->word[t];
        if (!known || (kind->plain && (tuple || !is_plain(kind, op, type))))
            bench_note("skipped: %s of %s: %s has no rows of it", op, tuple ? "tuples" : type, data->primitive->name);
        else if (tuple || (find(op, type, &data->op) && can_say(&data->op, data->bins)))
            run_operator(data, kind, shapes);
        else
            bench_note("skipped: there is no %s of %s", op, type);
    }
}

static void run_operators(bench_data *data, const bench_kind *kind, const bench_shapes *shapes)
{
    const bench_options *options = &data->session->options;
    if (kind->ops && !options->ops_given)
        run_types(data, kind, shapes, kind->ops[0]);
    else
        for (unsigned o = 0; o < options->ops.count; ++o)
            run_types(data, kind, shapes, options->ops.word[o]);
}

static void run_all(bench_session *session, const bench_primitive *primitive, cl_ulong bins)
{
    const bench_kind *const kind = primitive->kind;
    bench_data data = {.session = session, .primitive = primitive, .bins = bins};
    const bench_shapes shapes = bench_list_shapes(session, kind->segmented, kind->batched);
    for (unsigned i = 0; i < shapes.count; ++i) {
        const cl_ulong n = shapes.shape[i].batch * shapes.shape[i].count * shapes.shape[i].size;
        const cl_ulong most = bins && bins < n ? bins : n;
        const cl_ulong results = kind->sums ? shapes.shape[i].count : most;
        data.limit = n > data.limit ? n : data.limit;
        data.results = results > data.results ? results : data.results;
    }
    run_operators(&data, kind, &shapes);
    free(shapes.shape);
}

void bench_run_kind(bench_session *session, const bench_primitive *primitive)
{
    static cl_ulong usual[] = {1 << 8, 1 << 12, 1 << 16, 1 << 20};
    const bench_sizes *const asked = &session->options.bins;
    const bench_sizes bins = asked->count ? *asked : (bench_sizes){sizeof usual / sizeof usual[0], usual};
    for (unsigned i = 0; i < (primitive->kind->binned ? bins.count : 1); ++i) {
        if (primitive->kind->binned && bins.size[i] == 0)
            bench_die("--bins: a histogram has at least one bin");
        run_all(session, primitive, primitive->kind->binned ? bins.size[i] : 0);
    }
}
