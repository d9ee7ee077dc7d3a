/* SPDX-License-Identifier: MIT */
/*
 * The files of src/ that need neither a device nor files: statuses, texts, field lists, operators, SHA-256.
 */
#include "primitives/primitives.h"
#include "harness.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- status.c ------------------------------------------------------------------------------------------ */

TEST(status_texts)
{
    ck_assert_uint_eq(clf_version(), 100);
    ck_assert_str_eq(clf_status_text(CLF_SUCCESS), "success");
    ck_assert_ptr_nonnull(strstr(clf_status_text(-54), "CL_INVALID_WORK_GROUP_SIZE: "));
    ck_assert_ptr_nonnull(strstr(clf_status_text(-1001), "CL_PLATFORM_NOT_FOUND_KHR: "));
    const char *unknown = clf_status_text(-100000), *other = clf_status_text(1);
    for (int code = 0; code >= -72; --code)
        ck_assert_int_eq(clf_status_text(code) == unknown, code < -19 && code > -30);
    for (int code = 2; code < 100; ++code)
        if (code % 2 != 0)
            ck_assert_str_eq(clf_status_text(code), other);
    ck_assert_str_ne(clf_status_text(CLF_E_OPERATOR), other);
}

TEST(status_errors)
{
    clf_error error = {.size = sizeof error};
    char long_text[1000];
    memset(long_text, 'x', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    ck_assert_int_eq(clf_fail(NULL, CLF_E_ALIAS, "%d", 1), CLF_E_ALIAS);
    strcpy(error.log, "kept");
    ck_assert_int_eq(clf_fail(&error, CLF_E_ALIAS, "%s", long_text), CLF_E_ALIAS);
    ck_assert_int_eq(error.status, CLF_E_ALIAS);
    ck_assert_uint_eq(strlen(error.message), sizeof error.message - 1);
    ck_assert_str_eq(error.log, "kept");
    ck_assert_int_eq(clf_error_reset(&error), CLF_SUCCESS);
    ck_assert(error.status == 0 && error.message[0] == '\0' && error.log[0] == '\0');
    ck_assert_int_eq(clf_error_reset(NULL), CLF_SUCCESS);
    error.size = 8;
    ck_assert_int_eq(clf_error_reset(&error), CLF_E_ARGUMENT);
    ck_assert_int_eq(clf_fail(&error, -5, "not written"), -5);
    ck_assert_str_eq(error.message, "");
}

static clf_lock lock;
static long locked_count;

static void *count_under_lock(void *unused)
{
    for (int i = 0; i < 10000; ++i) {
        clf_lock_acquire(&lock);
        ++locked_count;
        clf_lock_release(&lock);
    }
    return unused;
}

TEST(status_lock)
{
    pthread_t threads[4];
    for (size_t t = 0; t < CLF_COUNT(threads); ++t)
        ck_assert_int_eq(pthread_create(&threads[t], NULL, count_under_lock, NULL), 0);
    for (size_t t = 0; t < CLF_COUNT(threads); ++t)
        pthread_join(threads[t], NULL);
    ck_assert_int_eq(locked_count, 40000);
}

/* ---- text.c -------------------------------------------------------------------------------------------- */

TEST(text_grows)
{
    clf_text text = {0};
    char out[8];
    size_t needed = 0;
    ck_assert_int_eq(clf_text_export(&text, out, sizeof out, &needed), CLF_SUCCESS);
    ck_assert(needed == 1 && out[0] == '\0');
    for (int i = 0; i < 1000; ++i) {
        clf_text_append(&text, "a\n", 2);
        clf_text_format(&text, "%03d%s", i, "");
    }
    ck_assert(!text.failed && text.length == 5000 && strlen(text.data) == 5000);
    ck_assert_int_eq(memcmp(text.data + 4995, "a\n999", 6), 0);
    ck_assert_int_eq(clf_text_export(&text, out, sizeof out, &needed), CLF_SUCCESS);
    ck_assert_uint_eq(needed, 5001);
    ck_assert_str_eq(out, "a\n000a\n");
    ck_assert_int_eq(clf_text_export(&text, NULL, 0, NULL), CLF_SUCCESS);
    ck_assert_int_eq(clf_text_export(&text, NULL, 1, NULL), CLF_E_ARGUMENT);
    clf_text_free(&text);
    ck_assert_ptr_null(text.data);
}

TEST(text_fails_once)
{
    clf_text text = {0};
    volatile size_t huge = SIZE_MAX - 1;
    clf_text_append(&text, "kept", 4);
    clf_text_append(&text, "x", huge);
    ck_assert(text.failed);
    clf_text_append(&text, "lost", 4);
    clf_text_format(&text, "lost");
    ck_assert_str_eq(text.data, "kept");
    ck_assert_int_eq(clf_text_export(&text, NULL, 0, NULL), CLF_E_NO_MEMORY);
    clf_text_free(&text);
}

TEST(text_lists)
{
    ck_assert(clf_list_has("ptx,c11", "ptx") && clf_list_has("ptx, c11 ", "c11"));
    ck_assert(clf_list_has(",,cpu", "cpu"));
    ck_assert(!clf_list_has(NULL, "ptx") && !clf_list_has("", "ptx") && !clf_list_has("ptx2,pt", "ptx"));
    ck_assert_ptr_null(clf_strdup(NULL));
}

/* ---- type.c -------------------------------------------------------------------------------------------- */

/* The C struct whose layout the parser must find. */
typedef struct layout {
    cl_char a;
    cl_float4 b;
    cl_ushort c;
    cl_long d;
    cl_char2 e;
} layout;

TEST(fields_layout)
{
    clf_fields fields;
    char name[16];
    const char *text = "char a;\n float4 b ;ushort c; long d; char2 e";
    const size_t offsets[] = {offsetof(layout, a), offsetof(layout, b), offsetof(layout, c),
                              offsetof(layout, d), offsetof(layout, e)};
    ck_assert_int_eq(clf_fields_parse(text, "value", &fields, NULL), 0);
    ck_assert_uint_eq(fields.count, CLF_COUNT(offsets));
    for (size_t i = 0; i < CLF_COUNT(offsets); ++i)
        ck_assert_uint_eq(fields.field[i].offset, offsets[i]);
    ck_assert_uint_eq(fields.bytes, sizeof(layout));
    ck_assert_uint_eq(clf_fields_sum(&fields), 1 + 16 + 2 + 8 + 2);
    ck_assert_uint_eq(clf_fields_largest(&fields), 16);
    ck_assert(clf_fields_use(&fields, CLF_FLOAT) && !clf_fields_use(&fields, CLF_DOUBLE));
    ck_assert_str_eq(fields.field[1].name, "b");
    clf_field_type_name(&fields.field[1], name);
    ck_assert_str_eq(name, "float4");
    clf_field_type_name(&fields.field[2], name);
    ck_assert_str_eq(name, "ushort");
    ck_assert_int_eq(clf_fields_parse(NULL, "extra", &fields, NULL), 0);
    ck_assert(fields.count == 0 && fields.bytes == 0);
}

TEST(fields_every_type)
{
    static const char *const widths[] = {"", "2", "4", "8", "16"};
    for (int type = 0; type < CLF_TYPE_COUNT; ++type)
        for (size_t w = 0; w < (type == CLF_BFLOAT16 ? 1 : CLF_COUNT(widths)); ++w) {
            clf_fields fields;
            char text[32], name[16];
            snprintf(text, sizeof text, "%s%s x;", clf_type_name((clf_type)type), widths[w]);
            ck_assert_int_eq(clf_fields_parse(text, "value", &fields, NULL), 0);
            ck_assert_uint_eq(fields.bytes, clf_type_size((clf_type)type) << w);
            clf_field_type_name(&fields.field[0], name);
            ck_assert_int_eq(strncmp(text, name, strlen(name)), 0);
        }
    ck_assert_uint_eq(clf_type_size(CLF_TYPE_COUNT), 0);
    ck_assert_ptr_null(clf_type_name((clf_type)-1));
}

static const struct {
    const char *text, *message;
} bad_fields[] = {
    {"", "value, character 1: the list has no fields"},
    {" \n", "no fields"},
    {"float", "character 6: the end stands where the name"},
    {"float x int y;", "character 9: 'int' stands where ';' should"},
    {"float x;; int y;", "character 9: ';' is not an OpenCL scalar type"},
    {"float3 x;", "character 1: 'float3' is not possible: vectors of 3"},
    {"float5 x;", "'float5' is not"},
    {"unsigned int x;", "'unsigned' is not"},
    {"int x; bool y;", "character 8: 'bool' is not"},
    {"int *x;", "character 5: '*' stands where the name"},
    {"int x[0];", "character 7: '0' stands where an array's length should"},
    {"int x[];", "character 7: ']' stands where an array's length should"},
    {"int x[-1];", "character 7: '-' stands where an array's length should"},
    {"int x[4;", "character 8: ';' stands where ']' should"},
    {"int x[4][4];", "character 9: '[' stands where ';' should"},
    {"int x[17];", "an array has at most 64 bytes"},
    {"char x[65];", "an array has at most 64 bytes"},
    {"double x[99999999999999999999];", "an array has at most 64 bytes"},
    {"int2 x[4];", "arrays are of scalars"},
    {"int x, y;", "',' stands where ';' should"},
    {"int 2x;", "'2' stands where the name"},
    {"int x; float x;", "character 14: 'x' names two fields"},
    {"int clf_x;", "library's own"},
    {"int CLF_ITEMS;", "library's own"},
    {"int __x;", "reserves"},
    {"int kernel;", "reserves"},
    {"int _Bool;", "reserves"},
    {"int float16;", "reserves"},
    {"int a234567890123456789012345678901234567890123456789;", "too long"},
    {"int a;int b;int c;int d;int e;int f;int g;int h;int i;int j;int k;int l;int m;int n;int o;int p;int q;",
     "character 97: 'int' begins one field too many"},
};

TEST(fields_bad)
{
    clf_fields fields;
    clf_error error = {.size = sizeof error};
    ck_assert_int_eq(clf_fields_parse(bad_fields[_i].text, "value", &fields, &error), CLF_E_ARGUMENT);
    ck_assert_msg(strstr(error.message, bad_fields[_i].message), "%s", error.message);
    ck_assert_int_eq(clf_fields_parse(bad_fields[_i].text, "value", &fields, NULL), CLF_E_ARGUMENT);
}

/* ---- operator.c ---------------------------------------------------------------------------------------- */

static const clf_operator good_operator = {
    .size = sizeof(clf_operator), .value = "float sum; uint count;", .source = "...",
    .combine = "add", .neutral = "zero",
};

static clf_status check(clf_operator op)
{
    clf_operator_copy copy;
    clf_error error = {.size = sizeof error};
    clf_status status = clf_operator_take(&op, CLF_FUNCTION_COMBINE, &copy, &error);
    ck_assert_int_eq(status, error.status);
    ck_assert_int_eq(status == CLF_SUCCESS, copy.source != NULL);
    clf_operator_free(&copy);
    return status;
}

TEST(operator_copies)
{
    clf_operator_copy copy;
    clf_operator op = good_operator;
    ck_assert_int_eq(clf_operator_take(&op, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
    ck_assert(copy.input.count == 2 && copy.extra.count == 0 && !copy.map && copy.flags == 0);
    ck_assert(strcmp(copy.source, op.source) == 0 && copy.source != op.source);
    clf_operator_free(&copy);
    op.input = "char c";
    op.extra = "int e; int f;";
    op.map = "prepare";
    op.flags = CLF_COMMUTATIVE;
    ck_assert_int_eq(clf_operator_take(&op, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
    ck_assert(copy.input.count == 1 && copy.extra.count == 2 && copy.flags == CLF_COMMUTATIVE);
    ck_assert_str_eq(copy.map, "prepare");
    clf_operator_free(&copy);
    ck_assert_int_eq(clf_operator_take(NULL, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_E_ARGUMENT);
}

#define REFUSED(change)                                \
    do {                                               \
        clf_operator op = good_operator;               \
        op.change;                                     \
        ck_assert_int_eq(check(op), CLF_E_ARGUMENT);   \
    } while (0)

TEST(operator_refuses)
{
    ck_assert_int_eq(check(good_operator), CLF_SUCCESS);
    REFUSED(size = 0);
    REFUSED(value = NULL);
    REFUSED(value = "float3 x;");
    REFUSED(source = NULL);
    REFUSED(combine = NULL);
    REFUSED(combine = "");
    REFUSED(combine = "a+b");
    REFUSED(neutral = "0");
    REFUSED(neutral = NULL);
    REFUSED(map = "a b");
    REFUSED(input = "int x;");
    REFUSED(extra = "int x;");
    REFUSED(flags = 8);
}

TEST(operator_builtins)
{
    int count = 0;
    for (int op = 0; op < CLF_OP_COUNT; ++op)
        for (int type = 0; type < CLF_BFLOAT16; ++type) { /* which has finish */
            const clf_operator *builtin = clf_builtin((clf_op)op, (clf_type)type);
            ck_assert_int_eq(!builtin, op >= CLF_AND && type >= CLF_HALF);
            if (!builtin)
                continue;
            ++count;
            clf_operator_copy copy;
            ck_assert_int_eq(clf_operator_take(builtin, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
            ck_assert(copy.value.count == 1 && copy.value.field[0].type == (clf_type)type);
            ck_assert_str_eq(copy.value.field[0].name, "v");
            ck_assert_ptr_nonnull(strstr(copy.source, copy.combine));
            ck_assert_ptr_nonnull(strstr(copy.source, copy.neutral));
            ck_assert_ptr_nonnull(strstr(copy.combine, clf_op_name((clf_op)op)));
            const bool in_order = op == CLF_PRODUCT && type >= CLF_HALF;
            ck_assert_uint_eq(copy.flags, in_order ? 0 : CLF_COMMUTATIVE);
            clf_operator_free(&copy);
        }
    ck_assert_int_eq(count, 4 * 11 + 3 * 8);
    ck_assert_ptr_null(clf_builtin(CLF_OP_COUNT, CLF_INT));
    ck_assert_ptr_null(clf_builtin((clf_op)-1, CLF_INT));
    ck_assert_ptr_null(clf_builtin(CLF_SUM, CLF_TYPE_COUNT));
    ck_assert_ptr_null(clf_op_name(CLF_OP_COUNT));
}

/* Loops of the data's length, but not words that only look so. */
TEST(loops_found)
{
    static const char *const with[] = {"int f(int x) { while (x) x >>= 1; return x; }",
                                       "int f(int x) { for( ; x; --x); }", "void f(void) { again: goto again; }"};
    static const char *const without[] = {"", "/* while */ int meanwhile(int x); // goto", "char *s = \"while (1)\";",
                                          "void f(void) { for (int k = 0; k < 4; ++k) g(k); }"};
    for (size_t i = 0; i < CLF_COUNT(with); ++i)
        ck_assert(clf_source_loops(with[i]));
    for (size_t i = 0; i < CLF_COUNT(without); ++i)
        ck_assert(!clf_source_loops(without[i]));
}

/* ---- sha256.c ------------------------------------------------------------------------------------------ */

static void expect_digest(const char *text, size_t repeats, const char *hexadecimal)
{
    clf_sha256 hash;
    unsigned char digest[32];
    char found[65];
    clf_sha256_init(&hash);
    for (size_t i = 0; i < repeats; ++i)
        clf_sha256_update(&hash, text, strlen(text));
    clf_sha256_final(&hash, digest);
    for (int i = 0; i < 32; ++i)
        snprintf(found + 2 * i, 3, "%02x", digest[i]);
    ck_assert_str_eq(found, hexadecimal);
}

/* The examples of FIPS 180-4. */
TEST(sha256_vectors)
{
    expect_digest("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_digest("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect_digest("aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* However the bytes arrive, and wherever the padding falls. */
TEST(sha256_pieces)
{
    static const unsigned char zeros[200];
    for (size_t bytes = 0; bytes <= sizeof zeros; ++bytes) {
        clf_sha256 whole, pieces;
        unsigned char a[32], b[32];
        clf_sha256_init(&whole);
        clf_sha256_init(&pieces);
        clf_sha256_update(&whole, zeros, bytes);
        for (size_t done = 0; done < bytes; done += 7)
            clf_sha256_update(&pieces, zeros, bytes - done < 7 ? bytes - done : 7);
        clf_sha256_final(&whole, a);
        clf_sha256_final(&pieces, b);
        ck_assert_mem_eq(a, b, 32);
    }
}

Suite *base_suite(void)
{
    Suite *suite = suite_create("base");
    TCase *cases = tcase_create("base");
    rig_add(cases, (const rig_test[]){{status_texts, 1}, {status_errors, 1}, {status_lock, 1}, {text_grows, 1},
            {text_fails_once, 1}, {text_lists, 1}, {fields_layout, 1}, {fields_every_type, 1},
            {fields_bad, (int)CLF_COUNT(bad_fields)}, {operator_copies, 1}, {operator_refuses, 1},
            {operator_builtins, 1}, {loops_found, 1}, {sha256_vectors, 1}, {sha256_pieces, 1}, {NULL, 0}});
    suite_add_tcase(suite, cases);
    return suite;
}
