/* SPDX-License-Identifier: MIT */
/*
 * layout: how many elements a tile has, and where its fields lie in local memory.
 */
#ifndef CLF_LAYOUT_H
#define CLF_LAYOUT_H

#include "tuning/tuning.h"

/* ---- model.c: elements per work-item ---------------------------------------------------------------------- */

/*
 * "b4": bytes of the value; of a tuple "b32x8": their sum rounded up to a power of two, and its largest field's.
 */
void clf_type_class(const clf_fields *value, char name[16]);
/*
 * The sequential factor m of Clausen 2021 (chapter 5): elements per work-item that local memory and registers
 * allow. k_mem: local bytes per work-item at the largest group; k_reg: 32-bit registers likewise. `staged`: the
 * fields that are worked on at a time (slab.c): with several rounds those of the largest, not the sum.
 */
cl_uint clf_model_items(cl_uint k_mem, cl_uint k_reg, const clf_fields *value, const clf_fields *staged);
/* Queried k_mem and k_reg of a device (64 registers where the device does not tell). */
void clf_model_limits(const clf_facts *facts, cl_uint *k_mem, cl_uint *k_reg);
/* Is 64 all that a work-item has, however few there are? */
bool clf_short_of_registers(const clf_facts *facts);

/* ---- slab.c: local memory of the tile kernels, and what follows from it -------------------------------- */

/*
 * Tile kernels hold a tile of every input in local memory, each in a region of its own. Outputs are staged there
 * in rounds, each in a region of its own or, in the last round, in that of an input of the same element size. (A
 * result that `finish` made may be narrower than that.)
 */
enum { CLF_REGION_OWN = CLF_MAX_FIELDS };
typedef struct clf_slab_map {
    cl_uint rounds;
    cl_uint round[2 * CLF_MAX_FIELDS];  /* of each output: value fields, then extra fields */
    cl_uint region[2 * CLF_MAX_FIELDS]; /* the input whose region it takes, or CLF_REGION_OWN */
} clf_slab_map;
/*
 * Deals the outputs out to at most `rounds` rounds: fewer, if more would not save memory. Returns the bytes of own
 * regions, per element.
 */
cl_uint clf_slab_deal(const clf_operator_copy *op, cl_uint rounds, clf_slab_map *map);
/* May a result lie in the region of an input, whose elements are wider? */
bool clf_slab_narrows(const clf_operator_copy *op, const clf_field *input, const clf_field *output);
const clf_field *clf_output_field(const clf_operator_copy *op, cl_uint output);
/* The same of what is staged. */
const clf_field *clf_staged_field(const clf_operator_copy *op, cl_uint output);
/* Bytes of the smallest element of inputs and outputs, 16 at most. */
cl_uint clf_smallest_field(const clf_operator_copy *op);
/* Local memory of all regions. */
cl_ulong clf_slab_bytes(const clf_operator_copy *op, cl_uint rounds, cl_uint group, cl_uint items);
/* Local memory of the tile kernels: the regions, and the group scan's and central group's totals. */
cl_ulong clf_tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint rounds, cl_uint group,
                        cl_uint items);
/* Local memory of a stretch (cl/memory/stretch.cl) of elements of `bytes` bytes, with its padding. */
cl_ulong clf_stretch_bytes(cl_ulong elements, const clf_field *field);
/* The elements per work-item of the model, for so many rounds. */
cl_uint clf_tile_model(const clf_facts *facts, const clf_operator_copy *op, cl_uint rounds);
/* Like clf_type_class, of what a tile holds in local memory: the value's class where input and value have one
 * layout. */
void clf_tile_class(const clf_operator_copy *op, char name[16]);
/* Rounds: those asked for, or a default. */
cl_uint clf_tile_rounds(const clf_operator_copy *op, const clf_parameters *parameters);
/* Local memory that there is, which may be more than the device says: for profiles and callers to ask for. */
cl_ulong clf_local_most(const clf_facts *facts);
/* The fewest work-items that a group may have, but for CPU kernels. */
cl_uint clf_least_group(const clf_facts *facts);
/* 256, or what there may be. */
cl_uint clf_usual_group(const clf_facts *facts);
/* For the defaults functions of variants: group, rounds and items of tile kernels. */
void clf_tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);

#endif
