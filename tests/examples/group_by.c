/* SPDX-License-Identifier: MIT */
/*
 * GROUP BY over a CSV: how many rows each group has, their sum, mean and largest number, for the groups of largest sum:
 *
 *     SELECT key, COUNT(*), SUM(x), AVG(x), MAX(x) FROM file GROUP BY key ORDER BY SUM(x) DESC LIMIT 10
 *
 *     group_by [FILE KEY X]           KEY and X are columns: names, or numbers from 1 on
 *
 * Without a file: the kilobytes of this system's packages by their sections, or, where dpkg has none, of made ones.
 *
 * Keys are strings, which the device knows by their hashes of 64 bits. It sorts the rows by these; a reduction by key
 * makes one row of each group; a top-k of the groups, whose number only the device knows, has the first ones. A loop on
 * the host checks all, and that no two strings have the same hash.
 */
#include "csv.h"
#include "example.h"

enum { TOP = 10 };

/* By the first field. Each row takes its number along, which tells its string. */
static const clf_operator by_hash = {
    .size = sizeof by_hash, .input = "ulong hash; long x;", .value = "ulong hash; long x; uint row;", .map = "number",
    .source = "clf_value number(clf_input in, ulong i) { return (clf_value){in.hash, in.x, (uint)i}; }\n"};

/* A group has three columns, and the number of its first row. */
static const clf_operator groups_of = {
    .size = sizeof groups_of, .input = "ulong hash; long x; uint row;", .value = "long sum; long largest; uint count;",
    .extra = "uint row;", .map = "of_row", .combine = "join", .neutral = "nothing", .same = "same_hash",
    .flags = CLF_COMMUTATIVE,
    .source = "clf_value of_row(clf_input in, ulong i, clf_extra *e)\n"
              "{\n"
              "    e->row = in.row;\n"
              "    return (clf_value){in.x, in.x, 1};\n"
              "}\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    return (clf_value){a.sum + b.sum, max(a.largest, b.largest), a.count + b.count};\n"
              "}\n"
              "clf_value nothing(void) { return (clf_value){0, LONG_MIN, 0}; }\n"
              "bool same_hash(clf_input a, clf_input b) { return a.hash == b.hash; }\n"};

/* As the reduction by key leaves them; the first field is the key. */
static const clf_operator by_sum = {.size = sizeof by_sum, .value = "long sum; long largest; uint count; uint row;"};

/* ---- The columns ------------------------------------------------------------------------------------------------ */

typedef struct table {
    const char *key_name, *x_name;
    size_t rows;
    char **key; /* strings that lie in the text */
    cl_ulong *hash;
    cl_long *x;
    int decimals;
} table;

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    check(memory ? CLF_SUCCESS : CLF_E_NO_MEMORY, "room", NULL);
    return memory;
}

/* FNV-1a */
static cl_ulong hash(const char *text)
{
    cl_ulong h = 0xcbf29ce484222325u;
    for (; *text; ++text)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h;
}

static table read_table(csv *c, const char *key, const char *x)
{
    const size_t key_column = csv_column(c, key), x_column = csv_column(c, x), most = csv_rows(c);
    table t = {.key_name = c->field[key_column], .x_name = c->field[x_column], .key = room(most, sizeof *t.key),
               .hash = room(most, sizeof *t.hash), .x = room(most, sizeof *t.x)};
    cl_long magnitude = 0; /* of all numbers together: where it fits, all sums do */
    for (; csv_row(c); ++t.rows) {
        t.key[t.rows] = c->field[key_column];
        t.hash[t.rows] = hash(c->field[key_column]);
        t.x[t.rows] = csv_number(c, x_column);
        if (llabs(t.x[t.rows]) > CL_LONG_MAX - magnitude)
            csv_fail(c, "the sum of all numbers is too large, with this one: ", c->field[x_column]);
        magnitude += llabs(t.x[t.rows]);
    }
    if (t.rows == 0)
        csv_fail(c, "there are no rows behind the names of the columns", "");
    if ((cl_ulong)t.rows > CL_UINT_MAX)
        csv_fail(c, "there are more rows than 32 bits can number", "");
    t.decimals = (int)c->decimals;
    return t;
}

/* ---- The device ------------------------------------------------------------------------------------------------- */

typedef struct result {
    cl_ulong groups;
    cl_long sum[TOP], largest[TOP];
    cl_uint count[TOP], row[TOP];
} result;

/* There is room for as many groups as rows. Nothing but the first groups and their number leaves the device. */
static void run(const table *t, result *r)
{
    example x = example_open();
    clf_plan *sort, *reduce, *top;
    check(clf_sort_plan(x.context, &by_hash, 0, NULL, &sort, &x.error), "clf_sort_plan", &x.error);
    check(clf_reduce_by_key_plan(x.context, &groups_of, 0, NULL, &reduce, &x.error), "clf_reduce_by_key_plan",
          &x.error);
    check(clf_top_k_plan(x.context, &by_sum, CLF_DESCENDING | CLF_FROM_DEVICE, NULL, &top, &x.error), "clf_top_k_plan",
          &x.error);

    const size_t n = t->rows, longs = n * sizeof(cl_long), uints = n * sizeof(cl_uint);
    const clf_array in[] = {example_array(&x, longs, t->hash), example_array(&x, longs, t->x)};
    const clf_array sorted[] = {example_array(&x, longs, NULL), example_array(&x, longs, NULL),
                                example_array(&x, uints, NULL)};
    const clf_array groups[] = {example_array(&x, longs, NULL), example_array(&x, longs, NULL),
                                example_array(&x, uints, NULL), example_array(&x, uints, NULL)};
    const clf_array first[] = {example_array(&x, sizeof r->sum, NULL), example_array(&x, sizeof r->largest, NULL),
                               example_array(&x, sizeof r->count, NULL), example_array(&x, sizeof r->row, NULL)};
    const clf_array number = example_array(&x, sizeof r->groups, NULL);
    const clf_call of_groups = {.size = sizeof of_groups, .queue = x.queue, .actual = number};
    check(clf_sort(sort, CLF_ON_ARRAYS(x.queue, in, sorted), n, in, sorted), "clf_sort", NULL);
    check(clf_reduce_by_key(reduce, CLF_ON_ARRAYS(x.queue, sorted, groups), n, n, sorted, groups, &number),
          "clf_reduce_by_key", NULL);
    check(clf_top_k(top, &of_groups, n, TOP, groups, first), "clf_top_k", NULL);

    example_read(&x, number, sizeof r->groups, &r->groups);
    example_read(&x, first[0], sizeof r->sum, r->sum);
    example_read(&x, first[1], sizeof r->largest, r->largest);
    example_read(&x, first[2], sizeof r->count, r->count);
    example_read(&x, first[3], sizeof r->row, r->row);
    example_release(in, 2);
    example_release(sorted, 3);
    example_release(groups, 4);
    example_release(first, 4);
    example_release(&number, 1);
    clf_plan_release(sort);
    clf_plan_release(reduce);
    clf_plan_release(top);
    example_close(&x);
}

/* ---- The same by a loop ----------------------------------------------------------------------------------------- */

typedef struct group {
    cl_long sum, largest;
    cl_uint count, row;
} group;

/* The group of a row's string, or a place for it, in a table of a power of two. */
static group *find(const table *t, group *groups, size_t places, size_t row)
{
    size_t at = (size_t)t->hash[row] & (places - 1);
    while (groups[at].count && t->hash[groups[at].row] != t->hash[row])
        at = (at + 1) & (places - 1);
    if (groups[at].count && strcmp(t->key[groups[at].row], t->key[row])) {
        fprintf(stderr, "two keys have the same hash: %s and %s\n", t->key[groups[at].row], t->key[row]);
        exit(2);
    }
    return &groups[at];
}

static size_t add_rows(const table *t, group *groups, size_t places)
{
    size_t number = 0;
    for (size_t row = 0; row < t->rows; ++row) {
        group *const g = find(t, groups, places, row);
        if (g->count == 0) {
            *g = (group){.largest = t->x[row], .row = (cl_uint)row};
            ++number;
        }
        g->sum += t->x[row];
        g->largest = t->x[row] > g->largest ? t->x[row] : g->largest;
        ++g->count;
    }
    return number;
}

/* How many groups come before: those of larger sums, and of the same sum those of smaller hashes. */
static size_t rank(const table *t, const group *groups, size_t places, const group *g)
{
    size_t before = 0;
    for (size_t i = 0; i < places; ++i)
        before += groups[i].count &&
                  (groups[i].sum != g->sum ? groups[i].sum > g->sum : t->hash[groups[i].row] < t->hash[g->row]);
    return before;
}

static int count_errors(const table *t, const result *r)
{
    size_t places = 2;
    while (places < 2 * t->rows)
        places *= 2;
    group *const groups = room(places, sizeof *groups);
    const size_t number = add_rows(t, groups, places);
    int errors = r->groups != number;
    for (size_t k = 0; k < TOP && k < number; ++k) {
        const group *const g = find(t, groups, places, r->row[k] < t->rows ? r->row[k] : 0);
        errors += r->row[k] != g->row || r->count[k] != g->count || r->sum[k] != g->sum ||
                  r->largest[k] != g->largest || rank(t, groups, places, g) != k;
    }
    free(groups);
    return errors;
}

/* ---- The result ------------------------------------------------------------------------------------------------- */

static void print(const table *t, const result *r)
{
    printf("%-24s %10s %18s %16s %16s\n", t->key_name, "rows", "sum", "mean", "largest");
    for (size_t k = 0; k < TOP && k < r->groups; ++k) {
        const double sum = (double)r->sum[k] / CSV_UNIT, largest = (double)r->largest[k] / CSV_UNIT;
        const char *key = t->key[r->row[k]];
        printf("%-24s %10lu %18.*f %16.*f %16.*f\n", *key ? key : "(empty)", (unsigned long)r->count[k], t->decimals,
               sum, t->decimals + 1, sum / r->count[k], t->decimals, largest);
    }
    printf("%s of %lu rows in %lu groups\n", t->x_name, (unsigned long)t->rows, (unsigned long)r->groups);
}

int main(int argc, char **argv)
{
    size_t bytes;
    result r = {0};
    if (argc != 1 && argc != 4) {
        fputs("usage: group_by [FILE KEY X]\nKEY and X are columns of a CSV: names, or numbers from 1 on\n", stderr);
        return 2;
    }
    char *text = argc > 1 ? example_file(argv[1], &bytes) : csv_packages("/var/lib/dpkg/status", &bytes);
    csv c = csv_open(argc > 1 ? argv[1] : "packages", text, bytes);
    table t = read_table(&c, argc > 1 ? argv[2] : "section", argc > 1 ? argv[3] : "kilobytes");
    run(&t, &r);
    const int errors = count_errors(&t, &r);
    if (errors == 0)
        print(&t, &r);
    printf("%d errors\n", errors);
    free(t.key);
    free(t.hash);
    free(t.x);
    free(text);
    return errors != 0;
}
