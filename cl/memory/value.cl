/* SPDX-License-Identifier: MIT */
/*
 * value: the tuples that a program works on, and their arrays.
 *
 *   clf_input      an element as it is read          clf_inputs    its arrays: p0, p1 …
 *   clf_value      what is combined                  clf_outputs   arrays of results, p0, p1 …, and of
 *   clf_extra      further outputs of the map                      extra outputs, e0, e1 …
 *   clf_result     what is written: the value, or what the operator's `finish` makes of it
 *   clf_captured   arrays that functions may read anywhere, by name
 *
 * How many fields each has, fields.cl lists (src/program/fields.c writes it), as CLF_INPUT_FIELDS(F),
 * CLF_VALUE_FIELDS(F) …: F(0, float, uint, 4, x) for each field: number, type, the unsigned type it is moved as, bytes,
 * name. What is done to every field is a macro of these five, which a list expands.
 *
 * needs: codes
 * provides: CLF_ADD_*, CLF_AT_*, CLF_BARE, clf_bare_value, clf_captured, clf_extra, clf_extra_*, CLF_FINISHED,
 *           CLF_GET_FIELD, clf_given_*, CLF_HAS_EXTRA, CLF_INDEX_OF, clf_initial_value, clf_input, clf_input_*,
 *           CLF_INPUT_BYTES, clf_inputs, CLF_LESS_*, CLF_NOWHERE, CLF_OPERANDS, CLF_OR_BYTES, clf_output_at,
 *           clf_outputs, clf_pack, CLF_PLACE, CLF_PLACED_OR, CLF_PUT_*, clf_result, clf_result_*, clf_scalars,
 *           CLF_SECOND_*, CLF_THIRD_VALUE_FIELDS, clf_unpack, clf_value, CLF_VALUE_*, clf_value_*, CLF_WHERE_*,
 *           CLF_WORDS_OF, arguments, lengths
 */
#include "device/base.cl"
#include "fields.cl"

#define CLF_HAS_EXTRA (CLF_EXTRA_COUNT > 0)

/* In a sum: the bytes of all fields are (0 CLF_INPUT_FIELDS(CLF_ADD_BYTES)). */
#define CLF_ADD_BYTES(f, type, move, bytes, name) + bytes
#define CLF_INPUT_BYTES (0 CLF_INPUT_FIELDS(CLF_ADD_BYTES))
#define CLF_VALUE_BYTES (0 CLF_VALUE_FIELDS(CLF_ADD_BYTES))
/* The sizes of all fields, as bits. */
#define CLF_OR_BYTES(f, type, move, bytes, name) | bytes

/* ---- Types -------------------------------------------------------------------------------------------- */

#define CLF_MEMBER CLF_PASTE(CLF_MEMBER_, CLF_ARRAYS) /* are any fields arrays? */
#define CLF_MEMBER_0(f, type, move, bytes, name) type name;
#define CLF_MEMBER_1(f, type, move, bytes, name) CLF_MEMBER_OF_##name(type)
#define CLF_NAMED_POINTER(f, type, move, bytes, name) __global const type *name;
#define CLF_INPUT_POINTER(f, type, move, bytes, name) __global const type *p##f;
#define CLF_VALUE_POINTER(f, type, move, bytes, name) __global type *p##f;
#define CLF_EXTRA_POINTER(f, type, move, bytes, name) __global type *e##f;

typedef struct {
    CLF_VALUE_FIELDS(CLF_MEMBER) CLF_VALUE_NONE
} clf_value;

/* The value as the caller's functions know it, where programs have codes of numbers (reduce_by_index/code.cl). */
#if CLF_CODED
typedef struct {
    CLF_BARE_FIELDS(CLF_MEMBER) CLF_BARE_NONE
} clf_bare_value;
#endif

#if CLF_OWN_INPUT
typedef struct {
    CLF_INPUT_FIELDS(CLF_MEMBER) CLF_INPUT_NONE
} clf_input;
#elif CLF_CODED
typedef clf_bare_value clf_input;
#else
typedef clf_value clf_input;
#endif

typedef struct {
    CLF_EXTRA_FIELDS(CLF_MEMBER) CLF_EXTRA_NONE
} clf_extra;

#if CLF_CAPTURED_COUNT
typedef struct {
    CLF_CAPTURED_FIELDS(CLF_NAMED_POINTER)
    ulong clf_size, clf_bins;
} clf_captured;
#define CLF_CAPTURED_MEMBER clf_captured captured;
/* What else is there (kernel_template.cl), unless the primitive says so in another way. */
#define CLF_LENGTH(a) (a)->size
#define CLF_BINS(a) 0
#else
#define CLF_CAPTURED_MEMBER
#endif

typedef struct {
    CLF_INPUT_FIELDS(CLF_INPUT_POINTER) CLF_INPUT_NONE
} clf_inputs;

typedef struct {
    CLF_RESULT_FIELDS(CLF_VALUE_POINTER)
    CLF_EXTRA_FIELDS(CLF_EXTRA_POINTER)
} clf_outputs;

/* What a program has that reads two sequences (clf_primitive.in_sets), or writes two, or three. */
#if CLF_IN_SETS > 1
#define CLF_SECOND_INPUT_FIELDS CLF_INPUT_FIELDS
#define CLF_SECOND_INPUTS clf_inputs second_in;
#else
#define CLF_SECOND_INPUT_FIELDS(CLF_F)
#define CLF_SECOND_INPUTS
#endif
#if CLF_OUT_SETS > 2
#define CLF_SECOND_VALUE_FIELDS CLF_VALUE_FIELDS
#define CLF_THIRD_VALUE_FIELDS CLF_VALUE_FIELDS
#define CLF_MORE_OUTPUTS clf_outputs second; clf_outputs third;
#elif CLF_OUT_SETS > 1
#define CLF_SECOND_VALUE_FIELDS CLF_VALUE_FIELDS
#define CLF_THIRD_VALUE_FIELDS(CLF_F)
#define CLF_MORE_OUTPUTS CLF_PASTE(CLF_MORE_OUTPUTS_, CLF_FINISH)
#else
#define CLF_SECOND_VALUE_FIELDS(CLF_F)
#define CLF_THIRD_VALUE_FIELDS(CLF_F)
#define CLF_MORE_OUTPUTS
#endif

/* Sets behind the first are of values, also where the operator has `finish`. */
#define CLF_MORE_OUTPUTS_0 clf_outputs second;
#define CLF_MORE_OUTPUTS_1 struct { CLF_VALUE_FIELDS(CLF_VALUE_POINTER) } second;

/*
 * Where the operator has `place` (CLF_PLACING is 1): CLF_WHERE_PLACED(text), and CLF_PLACED_OR(text, otherwise). Any
 * source may name CLF_NOWHERE.
 */
#define CLF_NOWHERE (~(ulong)0)
#define CLF_WHERE_PLACED CLF_PASTE(CLF_WHERE_PLACED_, CLF_PLACING)
#define CLF_WHERE_GIVEN CLF_PASTE(CLF_WHERE_PLACED_, CLF_GIVEN) /* of sizes that lie on the device, below */
#define CLF_WHERE_PLACED_0(text)
#define CLF_WHERE_PLACED_1(text) text
#define CLF_PLACED_OR CLF_PASTE(CLF_PLACED_OR_, CLF_PLACING)
#define CLF_PLACED_OR_0(text, otherwise) otherwise
#define CLF_PLACED_OR_1(text, otherwise) text

/* What every kernel gets, and what the primitive and the variant declare besides. */
#define CLF_MORE_POINTER(type, name) __global type *name;
#define CLF_MORE_MEMBER(name) uint name;
typedef struct {
    clf_inputs in;
    clf_outputs out;
    CLF_SECOND_INPUTS
    CLF_MORE_OUTPUTS
    ulong count, size, bound; /* bound: below */
    clf_value initial;
    CLF_WHERE_GIVEN(__global const uint *given_initial;) /* its words */
    __global uchar *scratch;
    uint epoch, ticket, flags;
    CLF_WHERE_PLACED(ulong room; ulong *placed;) /* wrapper.cl */
    CLF_MORE_ARRAYS(CLF_MORE_POINTER)
    CLF_MORE_NUMBERS(CLF_MORE_MEMBER)
    CLF_CAPTURED_MEMBER
} clf_arguments;

/*
 * All numbers of a kernel are one argument, which src/core/launch.c packs: some drivers take a microsecond for each
 * argument. `at` is where each array begins, in elements, in the order of the kernel's parameters.
 */
#define CLF_MORE_AT(type, name) CLF_AT_##name,
enum {
    CLF_AT_SECOND_IN = CLF_INPUT_COUNT,
    CLF_AT_CAPTURED = CLF_IN_SETS * CLF_INPUT_COUNT,
    CLF_AT_OUT = CLF_AT_CAPTURED + CLF_CAPTURED_COUNT,
    CLF_AT_SECOND = CLF_AT_OUT + CLF_RESULT_COUNT,
    CLF_AT_EXTRA = CLF_AT_SECOND + (CLF_OUT_SETS - 1) * CLF_VALUE_COUNT,
    CLF_AT_SCRATCH = CLF_AT_EXTRA + CLF_EXTRA_COUNT,
    CLF_AT_GIVEN = CLF_AT_SCRATCH + CLF_GIVEN, /* if there is one */
    CLF_MORE_ARRAYS(CLF_MORE_AT)
    CLF_AT_END
};
typedef struct {
    ulong at[CLF_AT_END], count, size, room;
    uint epoch, ticket, flags;
    CLF_MORE_NUMBERS(CLF_MORE_MEMBER)
} clf_scalars;

/*
 * Captured arrays for `less` or `key`, if it reads any; else nothing: the last parameter of what compares elements, or
 * makes their keys; as an argument by a parameter `c`, by a kernel's arguments, which may be `a`, by a struct that has
 * it as a member. CLF_LESS_ALONE is 1 where it reads none: then keys are had again for nothing, and of any value.
 */
#ifdef CLF_LESS_CAPTURES
#define CLF_LESS_ALONE 0
#define CLF_LESS_PARAMETER , const clf_captured *c
#define CLF_LESS_C , c
#define CLF_LESS_OF(arguments) , &(arguments)->captured
#define CLF_LESS_Q(q) , (q)->captured
#define CLF_LESS_MEMBER const clf_captured *captured;
#define CLF_LESS_SET(q) (q).captured = &a->captured;
#else
#define CLF_LESS_ALONE 1
#define CLF_LESS_PARAMETER
#define CLF_LESS_C
#define CLF_LESS_OF(arguments)
#define CLF_LESS_Q(q)
#define CLF_LESS_MEMBER
#define CLF_LESS_SET(q)
#endif
#define CLF_LESS_A CLF_LESS_OF(a)

/*
 * Operands and results of the caller's function are copied field by field: NVIDIA's compiler (driver 580) loses fields
 * where it is inlined into a loop and chooses between whole structs of fields of several sizes, as in
 * `return x.full ? x : y;`; and fields of arrays where structs are copied whole, in kernels without lanes. The copies
 * cost nothing: fields are in registers.
 */
#define CLF_COPY(f, type, move, bytes, name) copy.name = as_##type(v.name);
static inline clf_value clf_value_copy(clf_value v)
{
    clf_value copy;
    CLF_VALUE_FIELDS(CLF_COPY)
    return copy;
}

/* The same of a value that may be codes. */
#define CLF_BARE CLF_PASTE(CLF_BARE_, CLF_CODED)
#define CLF_BARE_0 clf_value_copy
#define CLF_BARE_1 clf_bare

/*
 * Scans from the right (CLF_REVERSED is 1). Pointers are to the last elements (CLF_WHERE_REVERSED, in
 * kernel_template.cl), and place i of a kernel is that many elements before these: CLF_PLACE. The caller's functions
 * get operands and indices as they are.
 */
#define CLF_WHERE_REVERSED CLF_PASTE(CLF_WHERE_REVERSED_, CLF_REVERSED)
#define CLF_WHERE_REVERSED_0(text)
#define CLF_WHERE_REVERSED_1(text) text
#define CLF_PLACE CLF_PASTE(CLF_PLACE_, CLF_REVERSED)
#define CLF_PLACE_0(i) (i)
#define CLF_PLACE_1(i) (-(long)(i))
#define CLF_INDEX_OF CLF_PASTE(CLF_INDEX_OF_, CLF_REVERSED)
#define CLF_INDEX_OF_0(a, i) i
#define CLF_INDEX_OF_1(a, i) ((a)->count * (a)->size - 1 - (i))
#define CLF_OPERANDS CLF_PASTE(CLF_OPERANDS_, CLF_REVERSED)
#define CLF_OPERANDS_0(left, right) left, right
#define CLF_OPERANDS_1(left, right) right, left

/*
 * What is written: the value, unless the operator has `finish`. Kernels then have CLF_WHERE_FINISHED(text), and of
 * CLF_FINISHED(text, otherwise) the former: so programs of other operators are as if there were nothing of it.
 */
#if CLF_FINISH
typedef struct {
    CLF_RESULT_FIELDS(CLF_MEMBER) CLF_RESULT_NONE
} clf_result;

static inline clf_result clf_result_copy(clf_result v)
{
    clf_result copy;
    CLF_RESULT_FIELDS(CLF_COPY)
    return copy;
}
#define CLF_WHERE_FINISHED(text) text
#define CLF_FINISHED(text, otherwise) text
#else
#define clf_result clf_value
#define CLF_WHERE_FINISHED(text)
#define CLF_FINISHED(text, otherwise) otherwise
#endif

/* ---- One element in global memory ---------------------------------------------------------------------- */

#define CLF_LOAD_INPUT(f, type, move, bytes, name) x.name = in->p##f[CLF_PLACE(i)];
static inline clf_input clf_input_at(const clf_inputs *in, ulong i)
{
    clf_input x;
    CLF_INPUT_FIELDS(CLF_LOAD_INPUT)
    return x;
}

#define CLF_STORE_VALUE(f, type, move, bytes, name) out->p##f[CLF_PLACE(i)] = v.name;
static inline void clf_output_at(const clf_outputs *out, ulong i, clf_result v)
{
    CLF_RESULT_FIELDS(CLF_STORE_VALUE)
}

#define CLF_LOAD_RESULT(f, type, move, bytes, name) v.name = out->p##f[CLF_PLACE(i)];
static inline clf_result clf_result_at(const clf_outputs *out, ulong i)
{
    clf_result v;
    CLF_RESULT_FIELDS(CLF_LOAD_RESULT)
    return v;
}

#define CLF_STORE_EXTRA(f, type, move, bytes, name) out->e##f[CLF_PLACE(i)] = x.name;
static inline void clf_extra_at(const clf_outputs *out, ulong i, clf_extra x)
{
    CLF_EXTRA_FIELDS(CLF_STORE_EXTRA)
}

/* ---- A value as 32-bit words ---------------------------------------------------------------------------- */

/* Each field is one word at least. Fields that only unwanted results need are in no word. */
#define CLF_WORDS_OF(bytes) (((bytes) + 3) / 4)
#define CLF_ADD_WORDS(f, type, move, bytes, name) + CLF_WORDS_OF(bytes)
#define CLF_VALUE_WORDS (0 CLF_CARRIED_FIELDS(CLF_ADD_WORDS))

/* Field f has the words CLF_FIRST_WORD_f … CLF_LAST_WORD_f: each enumerator is one more than that before it. */
#define CLF_PLACE_WORDS(f, type, move, bytes, name) \
    CLF_FIRST_WORD_##f, CLF_LAST_WORD_##f = CLF_FIRST_WORD_##f + CLF_WORDS_OF(bytes) - 1,
enum { CLF_CARRIED_FIELDS(CLF_PLACE_WORDS) };
CLF_CARRIED_DECLARED()

/* Stores an element where others may store one at the same time. Arrays have their own. */
#define CLF_PUT_WHOLE(to, x) *(to) = (x)
#define CLF_PUT_1 CLF_PUT_WHOLE
#define CLF_PUT_2 CLF_PUT_WHOLE
#define CLF_PUT_4 CLF_PUT_WHOLE
#define CLF_PUT_8 CLF_PUT_WHOLE
#define CLF_PUT_16 CLF_PUT_WHOLE
#define CLF_PUT_32 CLF_PUT_WHOLE
#define CLF_PUT_64 CLF_PUT_WHOLE
#define CLF_PUT_128 CLF_PUT_WHOLE

/* An element of 1, 2, 4 … bytes to words, and words to what as_TYPE makes one of. */
#define CLF_TO_WORDS_1(w, x) (w)[0] = as_uchar(x)
#define CLF_TO_WORDS_2(w, x) (w)[0] = as_ushort(x)
#define CLF_TO_WORDS_4(w, x) (w)[0] = as_uint(x)
#define CLF_TO_WORDS_8(w, x) CLF_SPLIT_2(w, as_uint2(x))
#define CLF_TO_WORDS_16(w, x) CLF_SPLIT_4(w, as_uint4(x))
#define CLF_TO_WORDS_32(w, x) CLF_SPLIT_8(w, as_uint8(x))
#define CLF_TO_WORDS_64(w, x) CLF_SPLIT_16(w, as_uint16(x))
#define CLF_TO_WORDS_128(w, x) CLF_SPLIT_16(w, as_uint16((x).lo)); CLF_SPLIT_16((w) + 16, as_uint16((x).hi))
#define CLF_FROM_WORDS_1(w) (uchar)(w)[0]
#define CLF_FROM_WORDS_2(w) (ushort)(w)[0]
#define CLF_FROM_WORDS_4(w) (w)[0]
#define CLF_FROM_WORDS_8(w) (uint2)(CLF_JOIN_2(w))
#define CLF_FROM_WORDS_16(w) (uint4)(CLF_JOIN_4(w))
#define CLF_FROM_WORDS_32(w) (uint8)(CLF_JOIN_8(w))
#define CLF_FROM_WORDS_64(w) (uint16)(CLF_JOIN_16(w))
#define CLF_FROM_WORDS_128(w) \
    (ulong16)(as_ulong8((uint16)(CLF_JOIN_16(w))), as_ulong8((uint16)(CLF_JOIN_16((w) + 16))))

#define CLF_PACK_FIELD(f, type, move, bytes, name) CLF_TO_WORDS_##bytes(w + CLF_FIRST_WORD_##f, v.name);
static inline void clf_pack(clf_value v, uint w[CLF_VALUE_WORDS])
{
    CLF_CARRIED_FIELDS(CLF_PACK_FIELD)
}

#define CLF_UNPACK_FIELD(f, type, move, bytes, name) \
    v.name = as_##type(CLF_FROM_WORDS_##bytes(w + CLF_FIRST_WORD_##f));
static inline clf_value clf_unpack(const uint w[CLF_VALUE_WORDS])
{
    clf_value v CLF_CARRIED_REST;
    CLF_CARRIED_FIELDS(CLF_UNPACK_FIELD)
    return v;
}

/* ---- Several elements, a field at a time --------------------------------------------------------------- */

/* One field of x[0] … x[count - 1]: `get` fetches its elements, as they are moved, to w; or `put` takes them from w. */
#define CLF_GET_FIELD(count, get, x, type, move, name) \
    { \
        move w[count]; \
        get; \
        CLF_UNROLL for (uint k = 0; k < count; ++k) \
            x[k].name = as_##type(w[k]); \
    }
#define CLF_PUT_FIELD(count, put, x, move, name) \
    { \
        move w[count]; \
        CLF_UNROLL for (uint k = 0; k < count; ++k) \
            w[k] = as_##move(x[k].name); \
        put; \
    }

/* ---- What the host does not know ------------------------------------------------------------------------ */

/*
 * The true size of the call, and its initial value, which earlier commands may have written on the device
 * (clf_call.actual, clf_call.initial_arrays). With CLF_GIVEN = 0 the host knows them (plans without CLF_FROM_DEVICE).
 *
 *   given   a ulong, the true number of elements or segments; for two sequences two ulongs, their sizes | the words of
 *           the initial value: from byte 16 on, or, without sizes, from the first one
 *
 * a->count and a->size then have the true sizes; a->bound keeps the number of segments that the host launched for.
 */
#if CLF_GIVEN
enum { CLF_GIVEN_SIZES = 16 /* bytes */ };

static inline void clf_given_take(clf_arguments *a, __global const uchar *given)
{
    if (a->flags & CLF_ARG_GIVEN_SIZE)
        a->size = min(a->size, *(__global const ulong *)given);
    if (a->flags & CLF_ARG_GIVEN_COUNT)
        a->count = min(a->count, ((__global const ulong *)given)[CLF_IN_SETS - 1]);
    const bool has_sizes = a->flags & (CLF_ARG_GIVEN_SIZE | CLF_ARG_GIVEN_COUNT);
    a->given_initial = (__global const uint *)(given + (has_sizes ? CLF_GIVEN_SIZES : 0));
}

/* Read where it is wanted: kept from the start it would take registers all the while. */
static inline clf_value clf_given_initial(const clf_arguments *a)
{
    uint w[CLF_VALUE_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = a->given_initial[k];
    return clf_unpack(w);
}
#endif

static inline clf_value clf_initial_value(const clf_arguments *a)
{
    CLF_WHERE_GIVEN(if (a->flags & CLF_ARG_GIVEN_INITIAL) return clf_given_initial(a);)
    return a->initial;
}
