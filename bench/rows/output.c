/* SPDX-License-Identifier: MIT */
/*
 * One row: for people as a line of a table, for programs as a JSON object on a line (README.md explains the fields).
 */
#include "rows/rows.h"

#include <string.h>

static void string_field(FILE *file, const char *name, const char *text)
{
    fprintf(file, ", \"%s\": ", name);
    if (text)
        bench_json_string(file, text);
    else
        fputs("null", file);
}

/* What was not measured is null. */
static void number_field(FILE *file, const char *name, double value, int digits)
{
    if (value > 0)
        fprintf(file, ", \"%s\": %.*f", name, digits, value);
    else
        fprintf(file, ", \"%s\": null", name);
}

static double gbps(const bench_row *row)
{
    return row->us > 0 ? (double)row->bytes / row->us * 1e-3 : 0;
}

static double share(double bound_us, const bench_row *row)
{
    return row->us > 0 ? bound_us / row->us : 0;
}

static void print_json(FILE *file, const bench_device *device, const bench_row *row)
{
    fputs("{\"device\": ", file);
    bench_json_string(file, device->name);
    string_field(file, "driver", device->driver);
    if (row->peer)
        string_field(file, "peer", row->peer);
    if (row->version)
        string_field(file, "version", row->version);
    string_field(file, "primitive", row->primitive);
    string_field(file, "op", row->op);
    string_field(file, "type", row->type);
    fprintf(file, ", \"n\": %llu", (unsigned long long)row->n);
    if (row->batch > 1)
        fprintf(file, ", \"batch\": %llu", (unsigned long long)row->batch);
    fprintf(file, ", \"segments\": %llu, \"segment_size\": %llu", (unsigned long long)row->segments,
            (unsigned long long)row->segment_size);
    if (row->bins)
        fprintf(file, ", \"bins\": %llu", (unsigned long long)row->bins);
    string_field(file, "variant", row->variant);
    if (row->forced)
        fputs(", \"forced\": true", file);
    string_field(file, "define", row->define);
    if (row->model_items)
        number_field(file, "model_items", row->model_items, 0);
    number_field(file, "launches", row->launches, 0);
    number_field(file, "us", row->us, 3);
    number_field(file, "us_min", row->us_min, 3);
    number_field(file, "us_event", row->us_event, 3);
    fprintf(file, ", \"bytes\": %llu", (unsigned long long)row->bytes);
    if (row->moved)
        fprintf(file, ", \"moved\": %llu", (unsigned long long)row->moved);
    if (row->depth)
        fprintf(file, ", \"depth\": %u, \"work\": %.4f", row->depth, row->work);
    number_field(file, "gbps", gbps(row), 2);
    number_field(file, "copy_us", row->copy_us, 3);
    number_field(file, "copy_kernel_us", row->copy_kernel_us, 3);
    number_field(file, "of_copy", share(row->copy_us, row), 4);
    if (row->read_us > 0) {
        number_field(file, "read_us", row->read_us, 3);
        number_field(file, "of_read", share(row->read_us, row), 4);
    }
    if (row->scan_us > 0)
        number_field(file, "scan_us", row->scan_us, 3);
    fprintf(file, ", \"verified\": %s}\n", row->verified ? "true" : "false");
    fflush(file);
}

/* A number in `width` columns: two to four digits that say something, "-" for none. */
static void cell(double value, int width)
{
    if (value <= 0)
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, value < 10 ? 2 : value < 1000 ? 1 : 0, value);
}

static void print_head(const bench_session *session)
{
    printf("%s (%s, driver %s)\n", session->device.name, session->device.platform_name, session->device.driver);
    printf("%-18s %-9s %-5s %12s  %-15s %-18s %3s %10s %10s %10s %8s %6s %10s %10s %8s %10s %8s\n", "primitive", "op",
           "type", "n", "variant", "define", "k", "us", "us_min", "us_event", "GB/s", "moved", "copy_us", "kernel_us",
           "of_copy", "read_us", "of_read");
}

/* "2^20", or "2^10x2^16" for segments, "1000x16x16" for a batch of matrices, "2^20 in 256" for bins. */
static void shape_text(const bench_row *row, char text[80])
{
    char batch[24], count[24], size[24], bins[24];
    bench_size_text(row->bins, bins);
    bench_size_text(row->batch, batch);
    bench_size_text(row->segments, count);
    bench_size_text(row->segment_size, size);
    if (row->batch > 1)
        snprintf(text, 80, "%sx%sx%s", batch, count, size);
    else if (row->bins)
        snprintf(text, 80, "%s in %s", size, bins);
    else if (row->segments == 1)
        snprintf(text, 80, "%s", size);
    else
        snprintf(text, 80, "%sx%s", count, size);
}

/* "(cub 3.5.0)"; without the version where that is too long for the column. */
static void peer_text(const bench_row *row, char text[80])
{
    const int length = snprintf(text, 80, "(%s %s)", row->peer ? row->peer : "", row->version ? row->version : "");
    if (!row->version || length > 15)
        snprintf(text, 80, "(%s)", row->peer ? row->peer : "");
}

static void print_table(const bench_row *row)
{
    char size[80], peer[80], launches[16] = "-";
    shape_text(row, size);
    peer_text(row, peer);
    if (row->launches)
        snprintf(launches, sizeof launches, "%u", row->launches);
    printf("%-18s %-9s %-5s %12s  %-15s %-18s %3s", row->primitive, row->op, row->type, size,
           row->peer      ? peer
           : row->variant ? row->variant
                          : "-",
           row->define ? row->define : "-", launches);
    if (!row->verified) {
        printf(" %10s\n", "WRONG");
        return;
    }
    cell(row->us, 10);
    cell(row->us_min, 10);
    cell(row->us_event, 10);
    cell(gbps(row), 8);
    cell((double)row->moved / (double)row->bytes, 6);
    cell(row->copy_us, 10);
    cell(row->copy_kernel_us, 10);
    cell(share(row->copy_us, row), 8);
    cell(row->read_us, 10);
    cell(share(row->read_us, row), 8);
    if (row->depth)
        printf("  depth %u, work %.2f", row->depth, row->work);
    putchar('\n');
}

void bench_finish_row(bench_session *session, const bench_row *row)
{
    bool table = session->json != stdout;
    bench_progress("%s", "");
    if (session->done == 0 && table)
        print_head(session);
    if (table)
        print_table(row);
    fflush(stdout);
    if (session->json)
        print_json(session->json, &session->device, row);
    ++session->done;
    session->wrong += !row->verified && !row->peer;
}
