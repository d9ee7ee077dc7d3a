/* SPDX-License-Identifier: MIT */
/*
 * The child of clfold-tune: a line on standard input asks, a line on standard output answers.
 *
 *     {"ask": "device"}                      what there is to know about the device
 *     {"ask": "case", "primitive": …}        the model's point, and that of the profiles
 *     {"ask": "ahead", "variant": …}         no answer: a point of the case that comes next, to be compiled meanwhile
 *     a row without times                    the row, measured
 *
 * Points are measured in a context without profiles, and so is the reference beside them: what the model chooses.
 */
#include "tune/tune.h"

#include <stdlib.h>
#include <string.h>

typedef struct worker {
    bench_session session; /* its context has no profiles */
    clf_context *profiled;
    const tune_family *family;
    const bench_primitive *primitive;
    tune_row held;                       /* the case and point whose data and plans these are */
    bench_data data, check;              /* of what is timed, and of what is verified with */
    tune_shape expected, expected_check; /* shapes whose results these have */
    bool open;
    clf_plan *reference;
    tune_plans plans;
    double copied; /* when copies were measured */
} worker;

/* ---- The device -------------------------------------------------------------------------------------------- */

static clf_context *make_context(const bench_session *session, bool profiled)
{
    clf_error error = {.size = sizeof error};
    clf_context *context;
    char *kept = getenv("CLFOLD_PROFILE");
    kept = kept ? bench_copy_text(kept, strlen(kept)) : NULL;
    if (!profiled)
        tune_set_variable("CLFOLD_PROFILE", "off");
    if (clf_context_create(session->cl, session->device.id, NULL, &context, &error) != CLF_SUCCESS)
        bench_die("%s\n%s", error.message, error.log);
    tune_set_variable("CLFOLD_PROFILE", kept);
    free(kept);
    return context;
}

static void open_device(worker *w, const char *device)
{
    bench_session *s = &w->session;
    s->device = bench_pick_device(device);
    s->cl = bench_context(&s->device);
    s->queue = bench_queue(s->cl, s->device.id, false);
    s->profiling = bench_queue(s->cl, s->device.id, true);
    s->clf = make_context(s, false);
    w->profiled = make_context(s, true);
    const bool cpu = (s->device.type & CL_DEVICE_TYPE_CPU) != 0;
    s->effort = (bench_effort){3, cpu ? 2 : 10, cpu ? 0.006 : 0.004, 0.2};
}

static void answer_device(const worker *w, FILE *out)
{
    static const char *const names[] = {"platform", "vendor", "device", "driver", "type", "architecture",
                                        "cpu_kernels"};
    static const char *const numbers[] = {"units", "max_group", "lane_width", "local_bytes", "max_alloc"};
    char *text = bench_describe_context(w->session.clf), value[256];
    const char *disable = getenv("CLFOLD_DISABLE");
    const unsigned version = clf_version();
    fprintf(out, "{\"version\": \"%u.%u.%u\", \"disable\": ", version / 10000, version / 100 % 100, version % 100);
    bench_json_string(out, disable ? disable : "");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (!bench_described(text, names[i], value, sizeof value))
            value[0] = '\0';
        fprintf(out, ", \"%s\": ", names[i]);
        bench_json_string(out, value);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        if (bench_described(text, numbers[i], value, sizeof value))
            fprintf(out, ", \"%s\": %s", numbers[i], value);
    fputs("}\n", out);
    free(text);
}

/* ---- Data -------------------------------------------------------------------------------------------------- */

enum { MOST_CHECKED = 1 << 20 };

static void open_data(worker *w, bench_data *data, const bench_operator *op, cl_ulong limit)
{
    *data = (bench_data){.session = &w->session, .primitive = w->primitive, .op = *op, .limit = limit,
                         .results = limit};
    data->op.columns = limit;
    bench_open_data(data);
}

static void close_data(const worker *w, bench_data *data)
{
    if (data->n && w->primitive->kind->close)
        w->primitive->kind->close(data);
    bench_close_data(data);
}

static void close_case(worker *w)
{
    tune_ahead_clear();
    tune_release_plans(&w->plans);
    if (w->reference)
        clf_plan_release(w->reference);
    w->reference = NULL;
    if (w->open) {
        close_data(w, &w->data);
        close_data(w, &w->check);
    }
    w->open = false;
}

/* ---- The case ---------------------------------------------------------------------------------------------- */

/* Of settings of dispatchers it is the role's parameters that they start from. */
static void answer_point(const worker *w, clf_context *context, const bench_operator *op, const char *name, FILE *out)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan;
    char point[256] = "";
    if (bench_make_plan(w->primitive, context, op->op, NULL, &plan, &error) == CLF_SUCCESS) {
        char *text = bench_describe_plan(plan, (cl_ulong)1 << 24);
        /* A role that only profiles have: what takes its sizes is the main one. */
        if (!bench_described(text, w->family->role, point, sizeof point) && w->family->told)
            bench_described(text, "main", point, sizeof point);
        free(text);
        clf_plan_release(plan);
    }
    const bool chosen = *point && strcmp(w->family->variants[0].names, TUNE_CHOSEN) == 0;
    char answer[300];
    snprintf(answer, sizeof answer, "%s%s", chosen ? TUNE_CHOSEN : "", point + (chosen ? strcspn(point, " ") : 0));
    fprintf(out, ", \"%s\": ", name);
    bench_json_string(out, answer);
}

static bool on_cpu(const worker *w)
{
    char value[16] = "", *text = bench_describe_context(w->session.clf);
    bench_described(text, "cpu_kernels", value, sizeof value);
    free(text);
    return strcmp(value, "yes") == 0;
}

static bool find_family(worker *w, const char *name)
{
    w->family = tune_find_family(name, on_cpu(w));
    if (w->family)
        w->primitive = bench_find_primitive(w->family->bench);
    return w->family;
}

static void answer_case(worker *w, const tune_json *asked, FILE *out)
{
    bench_operator op, last;
    close_case(w);
    fputs("{\"ask\": \"case\"", out);
    if (find_family(w, tune_json_text(asked, "primitive")) &&
        tune_find_operators(w->primitive->kind, tune_json_text(asked, "type"), &op, &last)) {
        answer_point(w, w->session.clf, &op, "model", out);
        answer_point(w, w->profiled, &op, "profiled", out);
    }
    fputs("}\n", out);
}

/* ---- Plans ------------------------------------------------------------------------------------------------- */

/* False, and the row's status and reason, where it cannot be. */
static bool open_case(worker *w, tune_row *row)
{
    bench_operator op, last;
    clf_error error = {.size = sizeof error};
    if (w->open && strcmp(w->held.primitive, row->primitive) == 0 && strcmp(w->held.type, row->type) == 0 &&
        w->held.most == row->most)
        return true;
    close_case(w);
    snprintf(row->status, sizeof row->status, "refused");
    snprintf(row->why, sizeof row->why, "there is no such primitive or type");
    if (!find_family(w, row->primitive) || !tune_find_operators(w->primitive->kind, row->type, &op, &last))
        return false;
    if (bench_make_plan(w->primitive, w->session.clf, op.op, NULL, &w->reference, &error) != CLF_SUCCESS) {
        snprintf(row->why, sizeof row->why, "the reference: %.180s", error.message);
        return false;
    }
    open_data(w, &w->data, &op, (cl_ulong)row->most);
    open_data(w, &w->check, &last, MOST_CHECKED);
    w->open = true;
    w->expected = w->expected_check = (tune_shape){0, 0, 0, 0};
    w->held = *row;
    w->held.variant[0] = '\0';
    return true;
}

static tune_job job_of(const worker *w, const char *variant, const char *define)
{
    tune_job job = {.context = strcmp(variant, "auto") == 0 ? w->profiled : w->session.clf,
                    .primitive = w->primitive, .op = w->data.op.op, .last = w->check.op.op};
    snprintf(job.variant, sizeof job.variant, "%s", variant);
    snprintf(job.define, sizeof job.define, "%s", define);
    return job;
}

static bool open_point(worker *w, tune_row *row)
{
    if (w->plans.timed && tune_same_point(&w->held, row))
        return true;
    tune_release_plans(&w->plans);
    /* What failed beside others, for want of memory perhaps, may be possible alone. */
    if (!tune_ahead_take(row->variant, row->define, &w->plans) || w->plans.status != CLF_SUCCESS) {
        tune_release_plans(&w->plans);
        const tune_job job = job_of(w, row->variant, row->define);
        tune_make_plans(&job, &w->plans);
    }
    const clf_status status = w->plans.status;
    const bool refused = status == CLF_E_PARAMETER || status == CLF_E_UNSUPPORTED || status == CLF_E_ARGUMENT;
    snprintf(row->status, sizeof row->status, "%s", refused ? "refused" : "failed");
    snprintf(row->why, sizeof row->why, "%s", w->plans.why);
    snprintf(w->held.variant, sizeof w->held.variant, "%s", row->variant);
    snprintf(w->held.define, sizeof w->held.define, "%s", row->define);
    if (status != CLF_SUCCESS)
        tune_release_plans(&w->plans);
    return status == CLF_SUCCESS;
}

/* ---- Verifying --------------------------------------------------------------------------------------------- */

/* Of the shape whose results are expected. */
static bench_call call_of(const worker *w, const bench_data *data, clf_plan *plan, tune_shape shape)
{
    return (bench_call){data, plan, tune_whole(shape), data->found, w->primitive->kind->enqueue, .marked = false};
}

/* One call, compared with the reference bit by bit. CLF_SUCCESS and `right`, or what the call says. */
static clf_status run_once(bench_call *call, bool *right)
{
    cl_command_queue queue = call->data->session->queue;
    bench_poison(call->data, call->results);
    const clf_status status = bench_enqueue(call, queue, NULL);
    if (status == CLF_SUCCESS)
        bench_check(clFinish(queue), "clFinish");
    *right = status == CLF_SUCCESS && bench_is_right(call->data, call->results);
    return status;
}

static cl_ulong odd(cl_ulong x)
{
    return x % 2 ? x : x - 1;
}

/*
 * An odd number of segments of odd length: as many tiles as there is room for, so that some wait for others. Of what
 * takes whole words alone odd multiples of these, of batches odd matrices.
 */
static tune_shape odd_shape(const tune_family *family, tune_shape shape, cl_ulong most)
{
    enum { MOST_ROWS = 1023 }; /* of a matrix of a batch */
    const cl_ulong unit = family->unit ? family->unit : 1;
    const cl_ulong rows = !shape.batch ? 1 : shape.segments < MOST_ROWS ? shape.segments | 1 : MOST_ROWS;
    const cl_ulong room = most / (unit * unit) / rows;
    const cl_ulong wanted = !shape.batch && shape.segments == 1 ? room : shape.size / unit;
    const cl_ulong size = (wanted < room ? wanted : room - 1) | 1, count = odd(room / size);
    if (shape.batch)
        return (tune_shape){count, rows, size, shape.bins};
    return (tune_shape){0, count * unit, size * unit, shape.bins};
}

static bool verify(worker *w, tune_row *row, tune_shape shape)
{
    bench_data *const data = &w->check;
    bool right;
    snprintf(row->verified_by, sizeof row->verified_by, "%s", data->op.name);
    shape = odd_shape(w->family, shape, data->limit);
    tune_expect(w->primitive->kind, data, shape, &w->expected_check);
    bench_call call = call_of(w, data, w->plans.checked, shape);
    const clf_status status = run_once(&call, &right);
    snprintf(row->status, sizeof row->status, "%s",
             status == CLF_E_UNSUPPORTED ? "refused"
             : status                    ? "failed"
                                         : "wrong");
    snprintf(row->why, sizeof row->why, "%s of [%llu][%llu]%s%s", data->op.name, (unsigned long long)shape.segments,
             (unsigned long long)shape.size, status ? ": " : "", status ? clf_status_text(status) : "");
    return right;
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* What a copy of as many bytes takes, in the same minute. */
static double copy_us(worker *w)
{
    bench_row row = {.us = 0};
    for (unsigned i = 0; i < w->data.op.inputs; ++i)
        row.bytes += w->data.n * w->data.op.in_size[i];
    for (unsigned o = 0; o < w->data.op.outputs; ++o)
        row.bytes += w->data.found * w->data.op.out_size[o];
    if (bench_seconds() - w->copied > 60) {
        bench_forget_yardsticks(&w->session);
        w->copied = bench_seconds();
    }
    bench_copy(&w->data, &row);
    return row.copy_us;
}

/* Leaves in the row what came of it. */
static void measure(worker *w, tune_row *row)
{
    const tune_shape shape = {row->batch, row->segments, row->segment_size, row->bins};
    const bench_shape all = tune_whole(shape);
    const cl_ulong most = (cl_ulong)row->most;
    bool right;
    if (all.batch > most || all.count > most / all.batch || all.size > most / all.batch / all.count ||
        shape.bins > most) {
        snprintf(row->status, sizeof row->status, "refused");
        snprintf(row->why, sizeof row->why, "there are more elements than in the longest case");
        return;
    }
    if (!open_case(w, row) || !open_point(w, row) || !verify(w, row, shape))
        return;
    tune_expect(w->primitive->kind, &w->data, shape, &w->expected);
    bench_call call = call_of(w, &w->data, w->plans.timed, shape);
    clf_status status = run_once(&call, &right);
    row->build_s = w->plans.build_s;
    if (status == CLF_SUCCESS && right) {
        tune_time(&call, w->reference, row);
        status = run_once(&call, &right); /* still, after many calls? */
        row->copy_us = copy_us(w);
    }
    snprintf(row->status, sizeof row->status, "%s",
             right                         ? "ok"
             : status == CLF_E_UNSUPPORTED ? "refused"
             : status                      ? "failed"
                                           : "wrong");
    snprintf(row->why, sizeof row->why, "%s", right ? "" : status ? clf_status_text(status) : "a result differs");
}

/* Nobody waits for it; what is wrong shows when its row is asked for. */
static void begin_ahead(worker *w, const tune_json *asked)
{
    tune_row row = {.most = tune_json_number(asked, "most")};
    snprintf(row.primitive, sizeof row.primitive, "%.20s", tune_json_text(asked, "primitive"));
    snprintf(row.type, sizeof row.type, "%.12s", tune_json_text(asked, "type"));
    if (row.most < 1 || !open_case(w, &row))
        return;
    const tune_job job = job_of(w, tune_json_text(asked, "variant"), tune_json_text(asked, "define"));
    tune_ahead_begin(&job, (unsigned)tune_json_number(asked, "threads"));
}

/* ---- Requests ---------------------------------------------------------------------------------------------- */

static void answer(worker *w, const char *line, FILE *out)
{
    static tune_json json;
    tune_row row;
    const char *wrong = tune_json_parse(line, &json);
    if (!wrong && strcmp(tune_json_text(&json, "ask"), "device") == 0)
        answer_device(w, out);
    else if (!wrong && strcmp(tune_json_text(&json, "ask"), "case") == 0)
        answer_case(w, &json, out);
    else if (!wrong && strcmp(tune_json_text(&json, "ask"), "ahead") == 0)
        begin_ahead(w, &json);
    else if (!wrong && !(wrong = tune_row_parse(line, &row))) {
        measure(w, &row);
        tune_row_write(out, &row);
    }
    if (wrong)
        bench_die("--worker: %s", wrong);
    fflush(out);
}

int tune_work(const char *device)
{
    static worker w;
    char line[TUNE_LINE];
    FILE *out = tune_take_output();
    if (!out)
        bench_die("--worker: no standard output");
    open_device(&w, device && *device ? device : NULL);
    while (fgets(line, sizeof line, stdin))
        answer(&w, line, out);
    close_case(&w);
    return 0;
}
