/* SPDX-License-Identifier: MIT */
/* One gather or scatter, checked. */
#include "cases.h"
#include "guarded.h"

#include <stdlib.h>
#include <string.h>

static const char *name_of(const gather_key *key)
{
    return key->scatter ? "scatter" : "gather";
}

clf_plan *gather_plan(const gather_key *key, bool from_device)
{
    const plan_parts parts = {.flags = from_device ? CLF_FROM_DEVICE : 0, .type = key->wide ? CLF_ULONG : CLF_UINT,
                              .fields = key->moved->fields};
    return route_plan(&key->route, name_of(key), &parts, key->moved->fields);
}

static void fail_case(const gather_case *c, const char *what)
{
    route_fail(&c->key.route, "gather", c->under.number, what,
               "%s of %s by indices of %d bits\n    n %zu, m %zu, pattern %d\n    %s", name_of(&c->key),
               c->key.moved->fields, c->key.wide ? 64 : 32, c->n, c->m, (int)c->pattern, circumstances_text(&c->under));
}

/* ---- Indices --------------------------------------------------------------------------------------------------- */

static cl_ulong *permuted(const gather_case *c, gen *random)
{
    cl_ulong *list = malloc((c->n + 1) * sizeof *list);
    ck_assert_msg(list, "out of memory");
    for (size_t i = 0; i < c->n; ++i) {
        const size_t k = (size_t)gen_below(random, i + 1);
        list[i] = list[k];
        list[k] = i;
    }
    return list;
}

static cl_ulong outside(const gather_case *c, gen *random)
{
    const cl_ulong some[] = {c->n, c->n + 1, 0xffffffff, c->key.wide ? (cl_ulong)1 << 63 : c->n + 2,
                             gen_bits(random) | 0x80000000u, c->key.wide ? ~(cl_ulong)0 : c->n};
    return gen_chance(random, 33) && c->n ? gen_below(random, c->n) : some[gen_below(random, COUNT(some))];
}

static cl_ulong index_of(const gather_case *c, gen *random, const cl_ulong *list, size_t i)
{
    switch (c->pattern) {
    case GATHER_PERMUTED: return i < c->n ? list[i] : i;
    case GATHER_IDENTITY: return i;
    case GATHER_REVERSE: return (cl_ulong)c->n - 1 - i;
    case GATHER_RANDOM: return c->n ? gen_below(random, c->n) : 0;
    case GATHER_EQUAL: return c->n / 2;
    default: return outside(c, random);
    }
}

/* As the reference takes them, and as the array has them. The caller frees the former. */
static cl_ulong *generate(const gather_case *c, void *to)
{
    cl_ulong *indices = malloc((c->m + 1) * sizeof *indices);
    gen random = gen_seed(the_rig()->seed + c->under.seed, 1);
    cl_ulong *list = c->pattern == GATHER_PERMUTED ? permuted(c, &random) : NULL;
    ck_assert_msg(indices, "out of memory");
    for (size_t i = 0; i < c->m; ++i) {
        indices[i] = index_of(c, &random, list, i);
        if (!c->key.wide)
            indices[i] = (cl_uint)indices[i];
        if (c->key.wide)
            ((cl_ulong *)to)[i] = indices[i];
        else
            ((cl_uint *)to)[i] = (cl_uint)indices[i];
    }
    free(list);
    return indices;
}

/* ---- Results of scatters --------------------------------------------------------------------------------------- */

/* Is this component of element `at` that of some element that goes there? */
static bool is_candidate(const cl_ulong *indices, size_t m, size_t at, const unsigned char *in, size_t element,
                         const unsigned char *got, size_t bytes)
{
    for (size_t i = 0; i < m; ++i)
        if (indices[i] == at && memcmp(in + i * element, got, bytes) == 0)
            return true;
    return false;
}

/* Of elements with several indices the reference has the last; any other will do, and then is what is expected. */
static void allow_candidates(const gather_case *c, const guarded_call *g, const cl_ulong *indices, size_t m, size_t k)
{
    const size_t element = c->key.moved->field[k].bytes, component = c->key.moved->field[k].scalar;
    const unsigned char *const in = g->in.data[k];
    unsigned char *const out = g->out.data[k], *const all = guarded_read(g, &g->out.array[k]);
    const unsigned char *const got = all + g->out.array[k].first * element;
    for (size_t i = 0; i < c->n * element; i += component)
        if (memcmp(out + i, got + i, component) != 0 &&
            is_candidate(indices, m, i / element, in + i % element, element, got + i, component))
            memcpy(out + i, got + i, component);
    free(all);
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

/* What the call reads are the fields, the indices, and their number. Returns the indices as `generate` does. */
static cl_ulong *open_arrays(const gather_case *c, guarded_call *g)
{
    const circumstances *const u = &c->under;
    const ref_moved *moved = c->key.moved;
    const size_t read = c->key.scatter ? c->m : c->n, written = c->key.scatter ? c->n : c->m;
    const uint64_t seed = u->seed + 100;
    for (size_t k = 0; k < moved->count; ++k) {
        const size_t bytes = moved->field[k].bytes;
        guarded_add(&g->in, "input", guarded_open(seed + k, bytes, read, u->offset + k, u->tight));
        guarded_add(&g->out, "output", guarded_open(seed + k + 20, bytes, written, u->offset + k + 20, u->tight));
    }
    guarded_add(&g->in, "indices", guarded_open(seed + 40, c->key.wide ? 8 : 4, c->m, u->offset + 40, u->tight));
    guarded_add_size(&g->in, seed + 41, u->actual, u->offset + 41, u->tight);
    return generate(c, g->in.data[moved->count]);
}

static void expect(const gather_case *c, guarded_call *g, const cl_ulong *indices)
{
    const ref_moved *moved = c->key.moved;
    const size_t m = circumstances_size(&c->under, c->m);
    for (size_t k = 0; k < moved->count; ++k) {
        ref_move(c->key.scatter, moved->field[k].bytes, c->n, m, indices, g->in.data[k], g->out.data[k]);
        if (c->key.scatter)
            allow_candidates(c, g, indices, m, k);
    }
}

bool gather_case_run(clf_plan *plan, gather_case test)
{
    guarded_call g = guarded_under(&test.under);
    cl_ulong *const indices = open_arrays(&test, &g);
    guarded_begin(&g, plan, test.m);
    const clf_array *const index = &g.in.device[test.key.moved->count];
    const clf_status status = test.key.scatter
                                  ? clf_scatter(plan, &g.call, test.m, test.n, g.in.device, index, g.out.device)
                                  : clf_gather(plan, &g.call, test.n, test.m, g.in.device, index, g.out.device);
    guarded_end(&g, status);
    expect(&test, &g, indices);
    if (!guarded_check(&g, false))
        fail_case(&test, g.what);
    guarded_close(&g);
    free(indices);
    return true;
}
