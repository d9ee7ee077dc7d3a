/* SPDX-License-Identifier: MIT */
/*
 * Back-propagation of Rodinia (Larsen 2017, 7.2): a net of many inputs, HIDDEN units and one output learns one answer,
 * with momentum. Its layer sums are redomaps over [HIDDEN][inputs] weights with captured arrays: inputs go by column,
 * the hidden units' errors by row. The map also adjusts the weights by what the round before found, and writes them in
 * place as it sums: one pass instead of two. The first input is 1, the bias.
 *
 *     backprop [INPUTS]        Rodinia's: 65536; in the paper also 1048576
 */
#include "redomap.h"

#include <math.h>
#include <stdbool.h>

enum { HIDDEN = 16, ROUNDS = 5 };
#define RATE 0.3f
#define MOMENTUM 0.3f /* in the source, too */
#define ANSWER 0.9f

static const clf_operator layer = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float weight; float change;",
    .extra = "float adjusted; float changed;", .captured = "float in; float step;", .combine = "clf_sum",
    .map = "learn", .flags = CLF_COMMUTATIVE,
    .source = "clf_value learn(clf_input x, ulong index, const clf_captured *c, clf_extra *extra)\n"
              "{\n"
              "    const uint inputs = (uint)c->clf_size, row = (uint)index / inputs;\n"
              "    const float in = c->in[(uint)index - row * inputs];\n"
              "    extra->changed = c->step[row] * in + 0.3f * x.change;\n"
              "    extra->adjusted = x.weight + extra->changed;\n"
              "    clf_value v = {extra->adjusted * in};\n"
              "    return v;\n"
              "}\n"};

/* What is not in the large arrays: everything behind the hidden layer, which is tiny. Unit HIDDEN is the bias. */
typedef struct net {
    float sum[HIDDEN];        /* of each hidden unit */
    float hidden[HIDDEN + 1]; /* its activation */
    float weight[HIDDEN + 1]; /* towards the output, */
    float change[HIDDEN + 1]; /* and what it changed by */
    float step[HIDDEN];       /* by which its weights are to change, times their input */
    float output;
} net;

static float squash(float x)
{
    return 1 / (1 + expf(-x));
}

/* From the hidden units' sums forward to the output, and back to what their weights did wrong. */
static void finish_round(net *n)
{
    float sum = n->weight[HIDDEN];
    n->hidden[HIDDEN] = 1;
    for (int h = 0; h < HIDDEN; ++h) {
        n->hidden[h] = squash(n->sum[h]);
        sum += n->weight[h] * n->hidden[h];
    }
    n->output = squash(sum);
    const float delta = n->output * (1 - n->output) * (ANSWER - n->output);
    for (int h = 0; h < HIDDEN; ++h)
        n->step[h] = RATE * n->hidden[h] * (1 - n->hidden[h]) * n->weight[h] * delta;
    for (int h = 0; h <= HIDDEN; ++h) {
        n->change[h] = RATE * delta * n->hidden[h] + MOMENTUM * n->change[h];
        n->weight[h] += n->change[h];
    }
}

static net new_net(void)
{
    net n = {.output = 0};
    for (int h = 0; h <= HIDDEN; ++h)
        n.weight[h] = (float)(h % 5 - 2) / 4;
    return n;
}

typedef struct learning {
    size_t inputs;
    float *x, *weights; /* where it begins */
    net reached;        /* by a plain loop, */
    float *there;       /* with these weights, */
    float *changes;     /* which last changed by so much */
} learning;

static void run_round(redomap *r, enum redomap_way way, const clf_array *in, const clf_array *sums, net *n)
{
    const clf_array out[] = {*sums, in[0], in[1]};
    check(clEnqueueWriteBuffer(r->x->queue, in[3].buffer, CL_FALSE, 0, sizeof n->step, n->step, 0, NULL, NULL),
          "clEnqueueWriteBuffer", NULL);
    redomap_run(r, way, in, 4, out, 3);
    example_read(r->x, *sums, sizeof n->sum, n->sum);
    finish_round(n);
}

static bool differs(float a, float b, float about)
{
    return !(fabsf(a - b) <= 1e-4f * (fabsf(b) + about));
}

static int compare(const learning *l, const net *n, const float *weights, const float *changes)
{
    int errors = differs(n->output, l->reached.output, 1);
    for (int h = 0; h < HIDDEN; ++h)
        errors += differs(n->sum[h], l->reached.sum[h], 1) + differs(n->weight[h], l->reached.weight[h], 0.01f);
    for (size_t i = 0; i < HIDDEN * l->inputs; ++i)
        errors += differs(weights[i], l->there[i], 0.01f) + differs(changes[i], l->changes[i], 0.01f);
    return errors;
}

/* Learns, prints the times, and compares everything. */
static int run(example *x, const learning *l, redomap *r, enum redomap_way way)
{
    const size_t bytes = HIDDEN * l->inputs * sizeof(float);
    float *const weights = malloc(bytes), *const changes = calloc(1, bytes);
    net n = new_net();
    const clf_array in[] = {example_array(x, bytes, l->weights), example_array(x, bytes, changes),
                            example_array(x, l->inputs * sizeof(float), l->x), example_array(x, sizeof n.step, NULL)};
    const clf_array sums = example_array(x, sizeof n.sum, NULL);
    double from = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        if (round == 1) { /* the first one compiles */
            from = example_time();
            r->part = 0;
        }
        run_round(r, way, in, &sums, &n);
    }
    redomap_print(r, redomap_names[way], example_time() - from);
    example_read(x, in[0], bytes, weights);
    example_read(x, in[1], bytes, changes);
    const int errors = compare(l, &n, weights, changes);
    example_release(in, 4);
    example_release(&sums, 1);
    free(weights);
    free(changes);
    return errors;
}

/* ---- The same in plain loops --------------------------------------------------------------------------- */

static void run_round_here(learning *l)
{
    net *const n = &l->reached;
    for (size_t h = 0; h < HIDDEN; ++h) {
        double sum = 0;
        for (size_t i = 0; i < l->inputs; ++i) {
            float *const weight = &l->there[h * l->inputs + i], *const change = &l->changes[h * l->inputs + i];
            *change = n->step[h] * l->x[i] + MOMENTUM * *change;
            *weight += *change;
            sum += (double)*weight * l->x[i];
        }
        n->sum[h] = (float)sum;
    }
    finish_round(n);
}

static bool prepare(learning *l)
{
    const size_t n = HIDDEN * l->inputs;
    cl_uint state = 1;
    l->x = malloc(l->inputs * sizeof(float));
    l->weights = malloc(n * sizeof(float));
    l->there = malloc(n * sizeof(float));
    l->changes = calloc(n, sizeof(float));
    if (!l->x || !l->weights || !l->there || !l->changes || n > 0xffffffff)
        return false;
    l->x[0] = 1;
    for (size_t i = 1; i < l->inputs; ++i)
        l->x[i] = redomap_noise(&state) - 0.5f;
    for (size_t i = 0; i < n; ++i)
        l->weights[i] = l->there[i] = (redomap_noise(&state) - 0.5f) / sqrtf((float)l->inputs);
    l->reached = new_net();
    for (int round = 0; round < ROUNDS; ++round)
        run_round_here(l);
    return true;
}

int main(int argc, char **argv)
{
    learning l = {.inputs = argc > 1 ? (size_t)atoi(argv[1]) + 1 : 5001};
    if (l.inputs < 2 || l.inputs > 0xffffffff / HIDDEN || !prepare(&l)) {
        fputs("usage: backprop [INPUTS], from 1 to 2^28 - 2\n", stderr);
        return 2;
    }
    example x = example_open();
    redomap r = redomap_open(&x, &layer, &layer, 1, sizeof(float), HIDDEN, l.inputs);
    int errors = 0;
    for (int way = 0; way < REDOMAP_WAYS; ++way)
        errors += run(&x, &l, &r, way);
    printf("%zu inputs and a bias, %d rounds: output %.6f, %d errors\n", l.inputs - 1, ROUNDS, l.reached.output,
           errors);
    redomap_close(&r);
    free(l.x);
    free(l.weights);
    free(l.there);
    free(l.changes);
    example_close(&x);
    return errors != 0;
}
