/* SPDX-License-Identifier: MIT */
/*
 * keys: what programs that sort know of keys, and of their order.
 */
#include "primitives/primitives.h"

/* Its type, how its bits are ordered, and those of infinity. */
void clf_key_write(clf_text *t, const clf_operator_copy *op)
{
    static const char *const move[] = {[1] = "(uint)as_uchar", [2] = "(uint)as_ushort", [4] = "as_uint",
                                       [8] = "as_ulong", [16] = "" /* a ulong2 */};
    static const char *const infinity[] = {[2] = "0x7c00u", [4] = "0x7f800000u", [8] = "0x7ff0000000000000ul"};
    const cl_uint bytes = op->key_bytes;
    const bool real = clf_type_is_real(op->key_type), brief = op->key_type == CLF_BFLOAT16;
    clf_text_format(t,
                    "#define CLF_KEY_TYPE %s\n#define CLF_KEY_BYTES %u\n#define CLF_KEY_KIND %d\n"
                    "#define CLF_KEY_AS(x) %s(x)\n#define CLF_KEY_IS_VALUE %d\n",
                    clf_function_type(op, CLF_FUNCTION_KEY), bytes, real ? 2 : clf_type_is_signed(op->key_type),
                    move[bytes], !op->key && op->value.count == 1 && bytes <= 8);
    if (real)
        clf_text_format(t, "#define CLF_KEY_INFINITY %s\n", brief ? "0x7f80u" : infinity[bytes]);
    if (!op->key)
        clf_text_format(t, "#define CLF_KEY_FIELD %s\n", op->value.field[0].name);
}

/* cl/digit/order.cl */
void clf_define_order(const clf_engine *engine, clf_text *options)
{
    const int descending = engine->flags & CLF_DESCENDING ? 1 : 0, total = engine->flags & CLF_TOTAL_ORDER ? 2 : 0;
    clf_text_format(options, " -D CLF_ORDER=%d", descending + total);
}
