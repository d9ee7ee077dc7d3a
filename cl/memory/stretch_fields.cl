/* SPDX-License-Identifier: MIT */
/*
 * stretch_fields: stretches of all fields: elements between global memory and stretches of local memory
 * (stretch_template.cl), and from there to registers.
 *
 * Extra outputs take the place of an input of the same element size, element by element, where there is one. So do
 * values, where results lie in local memory as well (clf_value_stretches). src/program/fields.c lists the places:
 * CLF_EXTRA_PLACE_0 … and CLF_VALUE_PLACE_0 … are members of these structs. CLF_EXTRA_OWN(F) and CLF_VALUE_OWN(F) list
 * those that do not share an input's place, each F(r2, 4).
 *
 * needs: nothing
 * provides: CLF_FETCHES, clf_reader, clf_reader_*, clf_stretches, clf_stretches_*, clf_stripes, clf_stripes_*,
 *           clf_value_stretches, clf_values_*
 */
#include "memory/value.cl"
#include "memory/stretch.cl"

/* A unit's elements come in so many turns of 128 bytes per work-item. */
#define CLF_FETCHES (CLF_INPUT_BYTES ? (CLF_ITEMS * CLF_INPUT_BYTES + 127) / 128 : 1)

#include "vector_sizes.cl"
#include "stretch_sizes.cl"

#define CLF_INPUT_STRETCH(f, type, move, bytes, name) clf_stretch_##bytes r##f;
#define CLF_OWN_STRETCH(place, bytes) clf_stretch_##bytes place;
typedef struct {
    CLF_INPUT_FIELDS(CLF_INPUT_STRETCH)
    CLF_EXTRA_OWN(CLF_OWN_STRETCH)
#if CLF_INPUT_COUNT + CLF_EXTRA_COUNT == 0
    uint none;
#endif
} clf_stretches;

/* With room for a value in the place of each element. */
typedef struct {
    clf_stretches in;
    CLF_VALUE_OWN(CLF_OWN_STRETCH)
} clf_value_stretches;

/* ---- From global to local memory ----------------------------------------------------------------------- */

/* Loads of all arrays, then stores, turn by turn. */
#define CLF_FETCH_LOAD(f, type, move, bytes, name) \
    __global const move *const from##f = (__global const move *)(in->p##f + first); \
    clf_fetched_##bytes fetched##f; \
    clf_stretch_load_##bytes(from##f, count, turn, &fetched##f);
#define CLF_FETCH_STORE(f, type, move, bytes, name) \
    clf_stretch_store_##bytes(from##f, count, turn, pad, &fetched##f, s->r##f);
static inline void clf_stretches_fetch(const clf_inputs *in, ulong first, uint count, uint pad,
                                       __local clf_stretches *s)
{
    CLF_UNROLL for (uint turn = 0; turn < CLF_FETCHES; ++turn) {
        CLF_INPUT_FIELDS(CLF_FETCH_LOAD)
        CLF_INPUT_FIELDS(CLF_FETCH_STORE)
    }
}

#define CLF_FETCH_ROWS(f, type, move, bytes, name) \
    clf_stretch_fetch_rows_##bytes((__global const move *)(in->p##f + first), pitch, rows, columns, s->r##f);
static inline void clf_stretches_fetch_rows(const clf_inputs *in, ulong first, ulong pitch, uint rows, uint columns,
                                            __local clf_stretches *s)
{
    CLF_INPUT_FIELDS(CLF_FETCH_ROWS)
}

/* All inputs of a whole stretch, on their way. */
#define CLF_INPUT_STRIPES(f, type, move, bytes, name) clf_stripes_##bytes r##f;
typedef struct {
    CLF_INPUT_FIELDS(CLF_INPUT_STRIPES) CLF_INPUT_NONE
} clf_stripes;

#define CLF_STRIPES_LOAD(f, type, move, bytes, name) \
    clf_stripes_load_##bytes((__global const move *)(in->p##f + first), &stripes->r##f);
static inline void clf_stripes_load(const clf_inputs *in, ulong first, clf_stripes *stripes)
{
    CLF_INPUT_FIELDS(CLF_STRIPES_LOAD)
}

#define CLF_STRIPES_STORE(f, type, move, bytes, name) clf_stripes_store_##bytes(&stripes->r##f, s->r##f);
static inline void clf_stripes_store(const clf_stripes *stripes, __local clf_stretches *s)
{
    CLF_INPUT_FIELDS(CLF_STRIPES_STORE)
}

/* ---- From local to global memory ----------------------------------------------------------------------- */

#define CLF_FLUSH_EXTRA(f, type, move, bytes, name) \
    clf_stretch_flush_##bytes((__global move *)(out->e##f + first), count, pad, s->CLF_EXTRA_PLACE_##f);
static inline void clf_stretches_flush(const clf_outputs *out, ulong first, uint count, uint pad,
                                       __local clf_stretches *s)
{
    CLF_EXTRA_FIELDS(CLF_FLUSH_EXTRA)
}

#define CLF_FLUSH_ROWS(f, type, move, bytes, name) \
    clf_stretch_flush_rows_##bytes((__global move *)(out->e##f + first), pitch, rows, columns, s->CLF_EXTRA_PLACE_##f);
static inline void clf_stretches_flush_rows(const clf_outputs *out, ulong first, ulong pitch, uint rows, uint columns,
                                            __local clf_stretches *s)
{
    CLF_EXTRA_FIELDS(CLF_FLUSH_ROWS)
}

/* ---- Between local memory and registers ---------------------------------------------------------------- */

#define CLF_STRETCH_GET(f, type, move, bytes, name) x.name = as_##type(*clf_stretch_at_##bytes(s->r##f, i, pad));
static inline clf_input clf_stretches_get(__local clf_stretches *s, uint i, uint pad)
{
    clf_input x;
    CLF_INPUT_FIELDS(CLF_STRETCH_GET)
    return x;
}

#define CLF_STRETCH_SET(f, type, move, bytes, name) \
    *clf_stretch_at_##bytes(s->CLF_EXTRA_PLACE_##f, i, pad) = as_##move(x.name);
static inline void clf_stretches_set(__local clf_stretches *s, uint i, uint pad, clf_extra x)
{
    CLF_EXTRA_FIELDS(CLF_STRETCH_SET)
}

#define CLF_VALUE_SET(f, type, move, bytes, name) \
    *clf_stretch_at_##bytes(s->CLF_VALUE_PLACE_##f, i, 0) = as_##move(v.name);
static inline void clf_values_set(__local clf_value_stretches *s, uint i, clf_value v)
{
    CLF_VALUE_FIELDS(CLF_VALUE_SET)
}

#define CLF_VALUE_GET(f, type, move, bytes, name) \
    v.name = as_##type(*clf_stretch_at_##bytes(s->CLF_VALUE_PLACE_##f, i, 0));
static inline clf_value clf_values_get(__local clf_value_stretches *s, uint i)
{
    clf_value v;
    CLF_VALUE_FIELDS(CLF_VALUE_GET)
    return v;
}

/* Several elements at a time: CLF_STRETCH_PACK of them anywhere, or as a reader comes to them … */
#if !CLF_STRETCH_PACK_WORDS

#define CLF_GET_PACK(f, type, move, bytes, name) \
    CLF_GET_FIELD(CLF_STRETCH_PACK, clf_stretch_pack_##bytes(s->r##f, i, pad, w), x, type, move, name)
static inline void clf_stretches_pack(__local clf_stretches *s, uint i, uint pad, clf_input x[CLF_STRETCH_PACK])
{
    CLF_INPUT_FIELDS(CLF_GET_PACK)
}

#else

#define CLF_INPUT_READER(f, type, move, bytes, name) clf_reader_##bytes r##f;
typedef struct {
    CLF_INPUT_FIELDS(CLF_INPUT_READER) CLF_INPUT_NONE
} clf_reader;

#define CLF_READER_AT(f, type, move, bytes, name) r.r##f = clf_reader_at_##bytes(s->r##f, from, pad);
static inline clf_reader clf_stretches_reader(__local clf_stretches *s, uint from, uint pad)
{
    clf_reader r;
    CLF_INPUT_FIELDS(CLF_READER_AT)
    return r;
}

#define CLF_READER_NEXT(f, type, move, bytes, name) \
    CLF_GET_FIELD(CLF_STRETCH_PACK, clf_reader_next_##bytes(s->r##f, &r->r##f, pad, w), x, type, move, name)
static inline void clf_reader_next(__local clf_stretches *s, clf_reader *r, uint pad, clf_input x[CLF_STRETCH_PACK])
{
    CLF_INPUT_FIELDS(CLF_READER_NEXT)
}

#endif

/* … a chunk … */
#define CLF_GET_CHUNK(f, type, move, bytes, name) \
    CLF_GET_FIELD(CLF_CHUNK, clf_stretch_chunk_##bytes(s->r##f, i, pad, w), x, type, move, name)
static inline void clf_stretches_chunk(__local clf_stretches *s, uint i, uint pad, clf_input x[CLF_CHUNK])
{
    CLF_INPUT_FIELDS(CLF_GET_CHUNK)
}

/* … or this work-item's run. */
#define CLF_GET_RUN(f, type, move, bytes, name) \
    CLF_GET_FIELD(CLF_ITEMS, clf_stretch_run_##bytes(s->r##f, w), x, type, move, name)
static inline void clf_stretches_run(__local clf_stretches *s, clf_input x[CLF_ITEMS])
{
    CLF_INPUT_FIELDS(CLF_GET_RUN)
}
