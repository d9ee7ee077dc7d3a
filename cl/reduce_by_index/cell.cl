/* SPDX-License-Identifier: MIT */
/*
 * cell: a value as one word of 32 or 64 bits, its fields side by side. So the work-items of one group, or of many, can
 * combine their values with it by atomics.
 *
 *   CLF_CELL_BYTES            4, or 8, which needs 64-bit atomics
 *   clf_cell_pack, _unpack
 *   clf_cell_add_local        *cell = combine(*cell, v), in local memory
 *   clf_cell_add_global       in global memory
 *
 * If the device has atomics for the operator, CLF_NATIVE is their name, and CLF_NATIVE_TYPE their type
 * (index_text.c). The bits of a cell beyond a narrow field are then undefined.
 *
 * With CLF_LOCKS values are wider, and there is nothing here (cell_wide.cl).
 *
 * needs: entry, a->tables
 * provides: clf_cell, clf_cell_*, CLF_CELL_BYTES, entry
 */
#include "device/lane.cl"
#include "reduce_by_index/code.cl"

#if !CLF_LOCKS
#if CLF_VALUE_BYTES <= 4
#define CLF_CELL_BYTES 4
typedef uint clf_cell;
#define clf_cell_exchange atomic_xchg
#define clf_cell_increase atomic_add
#else
#define CLF_CELL_BYTES 8
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
typedef ulong clf_cell;
#define clf_cell_exchange atom_xchg
#define clf_cell_increase atom_add
#endif

/* ---- Packing -------------------------------------------------------------------------------------------- */

/* Field f begins at byte CLF_CELL_AT_f: each enumerator is one more than that before it. */
#define CLF_CELL_PLACE(f, type, move, bytes, name) CLF_CELL_AT_##f, CLF_CELL_END_##f = CLF_CELL_AT_##f + bytes - 1,
enum { CLF_VALUE_FIELDS(CLF_CELL_PLACE) };

#define CLF_CELL_PACK(f, type, move, bytes, name) cell |= (clf_cell)as_##move(v.name) << (8 * CLF_CELL_AT_##f);
static inline clf_cell clf_cell_pack(clf_value v)
{
    clf_cell cell = 0;
    CLF_VALUE_FIELDS(CLF_CELL_PACK)
    return cell;
}

#define CLF_CELL_UNPACK(f, type, move, bytes, name) v.name = as_##type((move)(cell >> (8 * CLF_CELL_AT_##f)));
static inline clf_value clf_cell_unpack(clf_cell cell)
{
    clf_value v;
    CLF_VALUE_FIELDS(CLF_CELL_UNPACK)
    return v;
}

/* ---- Updates -------------------------------------------------------------------------------------------- */

#define CLF_X_SPACE __local
#define CLF_X_ADD clf_cell_add_local
#include "reduce_by_index/cell_template.cl"

#if defined(CLF_REAL_SUM) && CLF_ATOMICS == 3
static inline void clf_cell_add_global(volatile __global clf_cell *cell, clf_value v, bool wanted)
{
    if (wanted && clf_cell_pack(v) != clf_cell_pack(clf_neutral())) /* a sum of -0, or a NaN's bits, would change */
#if CLF_CELL_BYTES == 4
        asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(cell), "f"(as_float(clf_cell_pack(v)))
                     : "memory");
#else
        asm volatile("red.relaxed.gpu.global.add.f64 [%0], %1;" ::"l"(cell), "d"(as_double(clf_cell_pack(v)))
                     : "memory");
#endif
}
#else
#define CLF_X_SPACE __global
#define CLF_X_ADD clf_cell_add_global
#include "reduce_by_index/cell_template.cl"
#endif

/* ---- Tables --------------------------------------------------------------------------------------------- */

/* Where entry i is. */
#ifndef CLF_ENTRY_PLACE
#define CLF_ENTRY_PLACE(a, i) (i)
#endif

static inline clf_value clf_entry_read(const clf_arguments *a, ulong i)
{
    return clf_cell_unpack(((__global const clf_cell *)a->tables)[CLF_ENTRY_PLACE(a, i)]);
}

static inline void clf_entry_write(const clf_arguments *a, ulong i, clf_value v)
{
    ((__global clf_cell *)a->tables)[i] = clf_cell_pack(v);
}
#endif
