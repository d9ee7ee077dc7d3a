/* SPDX-License-Identifier: MIT */
/*
 * Scan by key: a bank's bookings, sorted by account, become statements: after each booking the account's balance, and
 * the lowest one so far. Neighbours with equal account numbers make a segment; nobody counts or lists the accounts.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>

static const char source[] =
    "clf_value nothing(void) { clf_value v = {0, LONG_MAX}; return v; }\n"
    "clf_value one_after_the_other(clf_value a, clf_value b)\n"
    "{\n"
    "    clf_value v = {a.balance + b.balance, min(a.lowest, add_sat(a.balance, b.lowest))};\n"
    "    return v;\n"
    "}\n"
    "clf_value booking(clf_input x, ulong index) { clf_value v = {x.cents, x.cents}; return v; }\n";

static const clf_operator statement = {
    .size = sizeof(clf_operator),
    .value = "long balance; long lowest;",
    .input = "int cents;",
    .source = source,
    .combine = "one_after_the_other",
    .neutral = "nothing",
    .map = "booking",
};

enum { N = 500000 };
static cl_uint accounts[N];
static cl_int cents[N];
static cl_long balances[N], lowest[N];

static void check(clf_status status, const char *what, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n%s\n%s\n", what, clf_status_text(status), error ? error->message : "",
            error ? error->log : "");
    exit(1);
}

/* Most accounts have a few bookings, some have thousands. */
static void make_bookings(void)
{
    unsigned state = 1, left = 0;
    cl_uint account = 10000;
    for (int i = 0; i < N; i++, left--) {
        state = state * 1664525u + 1013904223u;
        if (left == 0) {
            account += 1 + (state >> 20) % 9;
            left = (state >> 12) % 200 ? 1 + (state >> 8) % 12 : 5000;
        }
        accounts[i] = account;
        cents[i] = (cl_int)((state >> 10) % 200000) - 80000;
    }
}

static cl_mem buffer(cl_context cl, size_t bytes, void *data)
{
    cl_int status;
    cl_mem result = clCreateBuffer(cl, CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0), bytes, data, &status);
    check(status, "clCreateBuffer", NULL);
    return result;
}

static void make_statements(cl_context cl, cl_device_id device, cl_command_queue queue)
{
    const clf_segmentation by_account = {.size = sizeof by_account, .by = CLF_BY_KEYS, .type = CLF_UINT};
    clf_context *context;
    clf_plan *plan;
    clf_error error = {.size = sizeof error};
    check(clf_context_create(cl, device, NULL, &context, &error), "clf_context_create", &error);
    check(clf_irregular_scan_plan(context, &statement, &by_account, 0, NULL, &plan, &error), "clf_irregular_scan_plan",
          &error);

    clf_array keys = {buffer(cl, sizeof accounts, accounts), 0}, in = {buffer(cl, sizeof cents, cents), 0};
    clf_array out[] = {{buffer(cl, sizeof balances, NULL), 0}, {buffer(cl, sizeof lowest, NULL), 0}};
    check(clf_irregular_scan(plan, CLF_ON(queue), N, 0, &keys, &in, out), "clf_irregular_scan", NULL);

    clEnqueueReadBuffer(queue, out[0].buffer, CL_TRUE, 0, sizeof balances, balances, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, out[1].buffer, CL_TRUE, 0, sizeof lowest, lowest, 0, NULL, NULL);
    clReleaseMemObject(keys.buffer);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(out[0].buffer);
    clReleaseMemObject(out[1].buffer);
    clf_plan_release(plan);
    clf_context_release(context);
}

/* How many results differ from those of a plain loop; *overdrawn: how many accounts ever were. */
static int count_errors(int *overdrawn)
{
    int errors = 0;
    cl_long balance = 0, least = 0;
    for (int i = 0; i < N; i++) {
        const int first = i == 0 || accounts[i] != accounts[i - 1];
        const int last = i == N - 1 || accounts[i] != accounts[i + 1];
        balance = first ? cents[i] : balance + cents[i];
        least = first || balance < least ? balance : least;
        errors += balances[i] != balance || lowest[i] != least;
        *overdrawn += last && least < 0;
    }
    return errors;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs", NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs", NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext", NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, "clCreateCommandQueue", NULL);

    make_bookings();
    make_statements(cl, device, queue);
    for (int i = 0; i < 8; i++)
        printf("account %u: %10.2f, balance %10.2f, lowest %10.2f\n", accounts[i], cents[i] / 100.0,
               (double)balances[i] / 100, (double)lowest[i] / 100);
    int overdrawn = 0, errors = count_errors(&overdrawn);
    printf("%d accounts were overdrawn; %d errors\n", overdrawn, errors);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return errors != 0;
}
