/* SPDX-License-Identifier: MIT */
/*
 * kernel_template: the kernel CLF_KERNEL, which makes its arguments, in the order in which src/core/launch.c sets
 * them, the struct that CLF_KERNEL_body of the algorithm gets. Included by entry.cl once per kernel; leaves CLF_KERNEL
 * undefined.
 *
 * needs: CLF_KERNEL
 * provides: nothing
 */
#define CLF_KERNEL_INPUT(f, type, move, bytes, name) __global const type *in##f,
#define CLF_KERNEL_SECOND_INPUT(f, type, move, bytes, name) __global const type *second_in##f,
#define CLF_KERNEL_CAPTURED(f, type, move, bytes, name) __global const type *captured##f,
#define CLF_KERNEL_OUTPUT(f, type, move, bytes, name) __global type *out##f,
#define CLF_KERNEL_SECOND_OUTPUT(f, type, move, bytes, name) __global type *second##f,
#define CLF_KERNEL_THIRD_OUTPUT(f, type, move, bytes, name) __global type *third##f,
#define CLF_KERNEL_EXTRA(f, type, move, bytes, name) __global type *extra##f,
#define CLF_KERNEL_INITIAL(f, type, move, bytes, name) type initial##f,
#define CLF_KERNEL_ARRAY(type, name) __global type *name,

__kernel CLF_PIN_GROUP CLF_PIN_LANES void CLF_KERNEL(
    CLF_INPUT_FIELDS(CLF_KERNEL_INPUT)
    CLF_SECOND_INPUT_FIELDS(CLF_KERNEL_SECOND_INPUT)
    CLF_CAPTURED_FIELDS(CLF_KERNEL_CAPTURED)
    CLF_RESULT_FIELDS(CLF_KERNEL_OUTPUT)
    CLF_SECOND_VALUE_FIELDS(CLF_KERNEL_SECOND_OUTPUT)
    CLF_THIRD_VALUE_FIELDS(CLF_KERNEL_THIRD_OUTPUT)
    CLF_EXTRA_FIELDS(CLF_KERNEL_EXTRA)
    CLF_KERNEL_ARRAY(uchar, scratch)
    CLF_WHERE_GIVEN(CLF_KERNEL_ARRAY(const uchar, given))
    CLF_MORE_ARRAYS(CLF_KERNEL_ARRAY)
    CLF_VALUE_FIELDS(CLF_KERNEL_INITIAL) clf_scalars n)
{
    __local CLF_PASTE(CLF_KERNEL, _storage) storage;
    clf_arguments a;

#define CLF_KERNEL_SET_INPUT(f, type, move, bytes, name) a.in.p##f = in##f + n.at[f];
#define CLF_KERNEL_SET_SECOND_INPUT(f, type, move, bytes, name) \
    a.second_in.p##f = second_in##f + n.at[CLF_AT_SECOND_IN + f];
#define CLF_KERNEL_SET_CAPTURED(f, type, move, bytes, name) a.captured.name = captured##f + n.at[CLF_AT_CAPTURED + f];
#define CLF_KERNEL_SET_OUTPUT(f, type, move, bytes, name) a.out.p##f = out##f + n.at[CLF_AT_OUT + f];
#define CLF_KERNEL_SET_SECOND(f, type, move, bytes, name) a.second.p##f = second##f + n.at[CLF_AT_SECOND + f];
#define CLF_KERNEL_SET_THIRD(f, type, move, bytes, name) \
    a.third.p##f = third##f + n.at[CLF_AT_SECOND + CLF_VALUE_COUNT + f];
#define CLF_KERNEL_SET_EXTRA(f, type, move, bytes, name) a.out.e##f = extra##f + n.at[CLF_AT_EXTRA + f];
#define CLF_KERNEL_SET_INITIAL(f, type, move, bytes, name) a.initial.name = initial##f;
#define CLF_KERNEL_SET_ARRAY(type, name) a.name = name + n.at[CLF_AT_##name];
#define CLF_KERNEL_SET_NUMBER(name) a.name = n.name;
    CLF_INPUT_FIELDS(CLF_KERNEL_SET_INPUT)
    CLF_SECOND_INPUT_FIELDS(CLF_KERNEL_SET_SECOND_INPUT)
    CLF_CAPTURED_FIELDS(CLF_KERNEL_SET_CAPTURED)
    CLF_RESULT_FIELDS(CLF_KERNEL_SET_OUTPUT)
    CLF_SECOND_VALUE_FIELDS(CLF_KERNEL_SET_SECOND)
    CLF_THIRD_VALUE_FIELDS(CLF_KERNEL_SET_THIRD)
    CLF_EXTRA_FIELDS(CLF_KERNEL_SET_EXTRA)
    CLF_VALUE_FIELDS(CLF_KERNEL_SET_INITIAL)
    a.count = n.count;
    a.size = CLF_SIZE ? CLF_SIZE : n.size;
    a.scratch = scratch + n.at[CLF_AT_SCRATCH];
    a.epoch = n.epoch;
    a.ticket = n.ticket;
    a.flags = n.flags;
    CLF_WHERE_PLACED(ulong placed = 0; a.room = n.room; a.placed = &placed;)
    CLF_MORE_ARRAYS(CLF_KERNEL_SET_ARRAY)
    CLF_MORE_NUMBERS(CLF_KERNEL_SET_NUMBER)
    a.bound = a.count;
    CLF_WHERE_GIVEN(clf_given_take(&a, given + n.at[CLF_AT_GIVEN]);)
#define CLF_KERNEL_LAST_INPUT(f, type, move, bytes, name) a.in.p##f += last;
#define CLF_KERNEL_LAST_OUTPUT(f, type, move, bytes, name) a.out.p##f += last;
#define CLF_KERNEL_LAST_EXTRA(f, type, move, bytes, name) a.out.e##f += last;
    CLF_WHERE_REVERSED(const ulong last = a.count * a.size - 1;
                       CLF_INPUT_FIELDS(CLF_KERNEL_LAST_INPUT)
                       CLF_PLACED_OR(, CLF_RESULT_FIELDS(CLF_KERNEL_LAST_OUTPUT))
                       CLF_EXTRA_FIELDS(CLF_KERNEL_LAST_EXTRA))
#if CLF_CAPTURED_COUNT
    a.captured.clf_size = CLF_LENGTH(&a);
    a.captured.clf_bins = CLF_BINS(&a);
#endif
    if (CLF_POCL_PLAIN) /* without optimisation PoCL 6 ends the process where nothing reads or writes local memory */
        (void)*(volatile __local uchar *)&storage;
    CLF_PASTE(CLF_KERNEL, _body)(&a, &storage);
    CLF_WHERE_PLACED(clf_placed_tell(&a);)
}

#undef CLF_KERNEL
