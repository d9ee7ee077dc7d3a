/* SPDX-License-Identifier: MIT */
/*
 * The pairs of neighbouring bytes of a text that are there most often: what byte pair encoding merges first (Gage
 * 1994).
 *
 *     byte_pairs FILE
 *
 * A reduction by index counts all 65536 pairs in one pass: the text is its input twice, the second time one byte on,
 * and the bin of an element is what both bytes say. Top-k finds the largest counts, and tells whose they are. Counts
 * stay on the device; loops on the host check them all.
 */
#include "example.h"

#include <ctype.h>

enum { PAIRS = 1 << 16, TOP = 10 };

static const clf_operator pairs = {
    .size = sizeof pairs, .input = "uchar first; uchar second;", .value = "uint count;", .map = "one",
    .part = "pair", .combine = "clf_sum", .flags = CLF_COMMUTATIVE,
    .source = "uint pair(clf_input x, ulong i) { return (uint)x.first << 8 | x.second; }\n"
              "clf_value one(clf_input x, ulong i) { return (clf_value){1}; }\n"};

/* Counts and where they are, by the count. */
static const clf_operator frequent = {
    .size = sizeof frequent, .input = "uint count;", .value = "uint count; uint pair;", .map = "place",
    .source = "clf_value place(clf_input x, ulong i) { return (clf_value){x.count, (uint)i}; }\n"};

typedef struct results {
    cl_uint counts[PAIRS], top_counts[TOP], top[TOP];
} results;

static void run(const char *text, size_t bytes, results *r)
{
    example x = example_open();
    clf_plan *count, *top;
    check(clf_reduce_by_index_plan(x.context, &pairs, 0, NULL, &count, &x.error), "clf_reduce_by_index_plan", &x.error);
    check(clf_top_k_plan(x.context, &frequent, CLF_DESCENDING, NULL, &top, &x.error), "clf_top_k_plan", &x.error);

    const clf_array all = example_array(&x, bytes, text), both[] = {all, {all.buffer, 1}};
    const clf_array counts = example_array(&x, sizeof r->counts, NULL);
    const clf_array first[] = {example_array(&x, sizeof r->top_counts, NULL), example_array(&x, sizeof r->top, NULL)};
    check(clf_reduce_by_index(count, CLF_ON_ARRAYS(x.queue, both, counts), bytes - 1, PAIRS, both, &counts),
          "clf_reduce_by_index", NULL);
    check(clf_top_k(top, CLF_ON_ARRAYS(x.queue, counts, first), PAIRS, TOP, &counts, first), "clf_top_k", NULL);

    example_read(&x, counts, sizeof r->counts, r->counts);
    example_read(&x, first[0], sizeof r->top_counts, r->top_counts);
    example_read(&x, first[1], sizeof r->top, r->top);
    example_release((const clf_array[]){all, counts, first[0], first[1]}, 4);
    clf_plan_release(count);
    clf_plan_release(top);
    example_close(&x);
}

/* The same by loops; of pairs that are there as often the first. */
static int count_errors(const char *text, size_t bytes, const results *r)
{
    static cl_uint counts[PAIRS];
    int errors = 0;
    for (size_t i = 0; i + 1 < bytes; ++i)
        ++counts[(unsigned char)text[i] << 8 | (unsigned char)text[i + 1]];
    for (int pair = 0; pair < PAIRS; ++pair)
        errors += r->counts[pair] != counts[pair];
    for (int k = 0; k < TOP; ++k) {
        cl_uint best = 0;
        for (cl_uint pair = 1; pair < PAIRS; ++pair)
            best = counts[pair] > counts[best] ? pair : best;
        errors += counts[best] > 0 && (r->top[k] != best || r->top_counts[k] != counts[best]);
        counts[best] = 0;
    }
    return errors;
}

static void print_byte(unsigned byte)
{
    if (byte < 128 && isgraph((int)byte))
        printf("   %c", (int)byte);
    else
        printf("  %02x", byte);
}

int main(int argc, char **argv)
{
    static results got;
    size_t bytes;
    if (argc < 2) {
        fprintf(stderr, "byte_pairs: of which file?\n");
        return 1;
    }
    char *text = example_file(argv[1], &bytes);
    if (bytes < 2) {
        fprintf(stderr, "byte_pairs: %s has no two bytes\n", argv[1]);
        return 1;
    }
    run(text, bytes, &got);
    for (int k = 0; k < TOP && got.top_counts[k]; ++k) {
        print_byte(got.top[k] >> 8);
        print_byte(got.top[k] & 255);
        printf(" %10lu\n", (unsigned long)got.top_counts[k]);
    }
    const int errors = count_errors(text, bytes, &got);
    printf("%lu bytes, %d errors\n", (unsigned long)bytes, errors);
    free(text);
    return errors != 0;
}
