/* SPDX-License-Identifier: MIT */
/*
 * Back-propagation (Larsen 2017, 7.2): a net of many inputs, HIDDEN units and one output learns one answer. Its layer
 * sums are redomaps over [HIDDEN][inputs] weights with captured arrays: inputs go by column, the hidden units'
 * errors by row. From the second round on, the map adjusts the weights, too, and writes them in place as it sums:
 * one pass instead of two.
 *
 *     backprop [INPUTS]        in the seed: 1048576
 */
#include "example.h"

#include <math.h>

enum { HIDDEN = 16, ROUNDS = 5 };
#define RATE 0.3f
#define ANSWER 0.9f

static const clf_operator layer = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "float weight;", .extra = "float adjusted;",
    .captured = "float in; float step;", .combine = "clf_sum", .map = "learn", .flags = CLF_COMMUTATIVE,
    .source = "clf_value learn(clf_input x, ulong index, const clf_captured *c, clf_extra *extra)\n"
              "{\n"
              "    const uint inputs = (uint)c->clf_size, row = (uint)index / inputs;\n"
              "    const float in = c->in[(uint)index - row * inputs];\n"
              "    extra->adjusted = x.weight + c->step[row] * in;\n"
              "    clf_value v = {extra->adjusted * in};\n"
              "    return v;\n"
              "}\n"};

/* What is not in the large arrays: everything behind the hidden layer, which is tiny. */
typedef struct net {
    float sum[HIDDEN];    /* of each hidden unit */
    float hidden[HIDDEN]; /* its activation */
    float weight[HIDDEN]; /* towards the output */
    float step[HIDDEN];   /* by which its weights are to change, times their input */
    float output;
} net;

static float squash(float x)
{
    return 1 / (1 + expf(-x));
}

/* From the hidden units' sums forward to the output, and back to what their weights did wrong. */
static void finish_round(net *n)
{
    float sum = 0;
    for (int h = 0; h < HIDDEN; ++h) {
        n->hidden[h] = squash(n->sum[h]);
        sum += n->weight[h] * n->hidden[h];
    }
    n->output = squash(sum);
    const float delta = n->output * (1 - n->output) * (ANSWER - n->output);
    for (int h = 0; h < HIDDEN; ++h) {
        n->step[h] = RATE * n->hidden[h] * (1 - n->hidden[h]) * n->weight[h] * delta;
        n->weight[h] += RATE * delta * n->hidden[h];
    }
}

static net new_net(void)
{
    net n = {.output = 0};
    for (int h = 0; h < HIDDEN; ++h)
        n.weight[h] = (float)(h % 5 - 2) / 4;
    return n;
}

typedef struct machine {
    example x;
    clf_plan *plan;
    clf_array weights, in, step, sums;
    size_t inputs;
} machine;

static void run_round(const machine *m, net *n)
{
    const clf_array in[] = {m->weights, m->in, m->step}, out[] = {m->sums, m->weights};
    check(clEnqueueWriteBuffer(m->x.queue, m->step.buffer, CL_FALSE, 0, sizeof n->step, n->step, 0, NULL, NULL),
          "clEnqueueWriteBuffer", NULL);
    check(clf_segmented_reduce(m->plan, CLF_ON_ARRAYS(m->x.queue, in, out), HIDDEN, m->inputs, in, out),
          "clf_segmented_reduce", NULL);
    example_read(&m->x, m->sums, sizeof n->sum, n->sum);
    finish_round(n);
}

static void run_rounds(const machine *m, net *n)
{
    double from = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        if (round == 1) /* the first one compiles */
            from = example_time();
        run_round(m, n);
        printf("round %d: %.6f\n", round + 1, n->output);
    }
    printf("%zu inputs, rounds of %.0f us\n", m->inputs, (example_time() - from) / (ROUNDS - 1));
}

static void run(net *n, float *weights, const float *in, size_t inputs)
{
    const size_t bytes = HIDDEN * inputs * sizeof *weights;
    machine m = {.x = example_open(), .inputs = inputs};
    check(clf_reduce_plan(m.x.context, &layer, 0, NULL, &m.plan, &m.x.error), "clf_reduce_plan", &m.x.error);
    m.weights = example_array(&m.x, bytes, weights);
    m.in = example_array(&m.x, inputs * sizeof *in, in);
    m.step = example_array(&m.x, sizeof n->step, NULL);
    m.sums = example_array(&m.x, sizeof n->sum, NULL);
    run_rounds(&m, n);
    example_read(&m.x, m.weights, bytes, weights);
    example_release((const clf_array[]){m.weights, m.in, m.step, m.sums}, 4);
    clf_plan_release(m.plan);
    example_close(&m.x);
}

/* ---- The same in plain loops --------------------------------------------------------------------------- */

static void run_round_here(net *n, float *weights, const float *x, size_t inputs)
{
    for (size_t h = 0; h < HIDDEN; ++h) {
        double sum = 0;
        for (size_t i = 0; i < inputs; ++i) {
            float *weight = &weights[h * inputs + i];
            *weight += n->step[h] * x[i];
            sum += (double)*weight * x[i];
        }
        n->sum[h] = (float)sum;
    }
    finish_round(n);
}

static float noise(cl_uint *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / (float)(1 << 24);
}

int main(int argc, char **argv)
{
    const size_t inputs = argc > 1 ? (size_t)atoi(argv[1]) : 5000, n = HIDDEN * inputs;
    float *x = malloc(inputs * sizeof *x), *weights = malloc(n * sizeof *weights), *here = malloc(n * sizeof *here);
    net there = new_net(), other = there;
    cl_uint state = 1;
    int errors = 0;
    if (inputs == 0 || n > 0xffffffff || !x || !weights || !here)
        return 1;
    for (size_t i = 0; i < inputs; ++i)
        x[i] = noise(&state) - 0.5f;
    for (size_t i = 0; i < n; ++i)
        weights[i] = here[i] = (noise(&state) - 0.5f) / sqrtf((float)inputs);
    run(&there, weights, x, inputs);
    for (int round = 0; round < ROUNDS; ++round)
        run_round_here(&other, here, x, inputs);
    for (int h = 0; h < HIDDEN; ++h)
        errors += fabsf(there.sum[h] - other.sum[h]) > 1e-4f * (1 + fabsf(other.sum[h]));
    for (size_t i = 0; i < n; ++i)
        errors += fabsf(weights[i] - here[i]) > 1e-4f * (fabsf(here[i]) + 0.01f);
    printf("%d errors\n", errors);
    free(x);
    free(weights);
    free(here);
    return errors != 0;
}
