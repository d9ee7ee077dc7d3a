/* SPDX-License-Identifier: MIT */
/*
 * slab: what a tile kernel holds in local memory, and how large a tile may be for it.
 *
 * Inputs have a region each, from the first to the last moment. Outputs are staged in rounds (cl/chain/scan_tile.cl):
 * in order, as many to a round as its own regions hold, and regions of one round lie over those of the others.
 * The last round may take the inputs' regions as well, row by row, while they are read. A result that `finish` made
 * narrower takes a wider input's, too (cl/memory/tile_narrow_template.cl). Of all ways to deal
 * outputs out like this to so many rounds, the one that takes least memory: so memory, and with it the
 * elements per work-item, go by the largest round and not by the sum of all outputs.
 */
#include "layout/layout.h"

/* ---- Which output is staged when and where ------------------------------------------------------------- */

const clf_field *clf_output_field(const clf_operator_copy *op, cl_uint o)
{
    const clf_fields *const results = clf_operator_results(op);
    return o < results->count ? &results->field[o] : &op->extra.field[o - results->count];
}

const clf_field *clf_staged_field(const clf_operator_copy *op, cl_uint o)
{
    const clf_fields *const staged = clf_operator_staged(op);
    return o < staged->count ? &staged->field[o] : &op->extra.field[o - staged->count];
}

static cl_uint output_count(const clf_operator_copy *op)
{
    return clf_operator_staged(op)->count + op->extra.count;
}

/* Where small elements lie in vectors; arrays do not. */
static cl_uint narrowness(const clf_field *field, cl_uint smallest)
{
    return field->bytes < smallest && !field->is_array ? field->bytes : smallest;
}

static cl_uint output_bytes(const clf_operator_copy *op, cl_uint o)
{
    return clf_staged_field(op, o)->bytes;
}

bool clf_slab_narrows(const clf_operator_copy *op, const clf_field *input, const clf_field *output)
{
    return op->finish && op->called & CLF_FUNCTION_STEPS && !input->is_array && !output->is_array &&
           output->bytes < input->bytes && input->bytes <= 8;
}

/* The input whose region an output may take; of those that nobody has taken one as wide, else a wider one. */
static cl_uint input_for(const clf_operator_copy *op, const clf_field *output, const bool taken[CLF_MAX_FIELDS])
{
    cl_uint wider = op->input.count;
    for (cl_uint i = 0; i < op->input.count; ++i) {
        if (!taken[i] && clf_fields_alike(&op->input.field[i], output))
            return i;
        if (!taken[i] && clf_slab_narrows(op, &op->input.field[i], output))
            wider = i;
    }
    return wider;
}

/* Places the outputs from `first` on in the last round; returns the bytes of own regions, per element. */
static cl_uint place_last(const clf_operator_copy *op, cl_uint first, clf_slab_map *map)
{
    bool taken[CLF_MAX_FIELDS] = {false};
    cl_uint own = 0;
    for (cl_uint o = first; o < output_count(op); ++o) {
        const cl_uint i = input_for(op, clf_staged_field(op, o), taken);
        map->round[o] = map->rounds - 1;
        map->region[o] = i < op->input.count ? i : CLF_REGION_OWN;
        if (i < op->input.count)
            taken[i] = true;
        else
            own += output_bytes(op, o);
    }
    return own;
}

/* Deals the outputs out to at most `rounds` rounds with `room` bytes per element of own regions, if it can. */
static bool deal(const clf_operator_copy *op, cl_uint rounds, cl_uint room, clf_slab_map *map)
{
    cl_uint o = 0;
    for (map->rounds = 1; map->rounds <= rounds; ++map->rounds) {
        cl_uint left = room;
        if (place_last(op, o, map) <= room)
            return true;
        for (; o < output_count(op) && output_bytes(op, o) <= left; ++o) {
            left -= output_bytes(op, o);
            map->round[o] = map->rounds - 1;
            map->region[o] = CLF_REGION_OWN;
        }
    }
    return false;
}

cl_uint clf_slab_deal(const clf_operator_copy *op, cl_uint rounds, clf_slab_map *map)
{
    const cl_uint most = op->place ? 1 : output_count(op); /* all results of an element go to its place together */
    const cl_uint at_most = rounds == 0 ? 1 : rounds < most ? rounds : most;
    cl_uint room = 0;
    while (!deal(op, at_most, room, map))
        ++room;
    return room;
}

/*
 * The fewest rounds in which outputs take at most twice the memory that inputs do, in regions of their own:
 * measured on an H200, more rounds cost what they save. Where none do, as many as are of use.
 */
static cl_uint default_rounds(const clf_operator_copy *op)
{
    const cl_uint most = 2 * clf_fields_sum(&op->input);
    clf_slab_map map;
    cl_uint rounds = 1;
    while (clf_slab_deal(op, rounds, &map) > most && rounds < output_count(op) && !op->place)
        ++rounds;
    return map.rounds;
}

void clf_tile_class(const clf_operator_copy *op, char name[16])
{
    clf_slab_map map;
    clf_fields held = op->input;
    (void)clf_slab_deal(op, default_rounds(op), &map);
    for (cl_uint round = 0; round < map.rounds; ++round) {
        clf_fields fields = op->input;
        for (cl_uint o = 0; o < output_count(op); ++o)
            if (map.round[o] == round && map.region[o] == CLF_REGION_OWN && fields.count < CLF_MAX_FIELDS)
                fields.field[fields.count++] = *clf_staged_field(op, o);
        if (clf_fields_sum(&fields) > clf_fields_sum(&held))
            held = fields;
    }
    clf_type_class(&held, name);
}

/* ---- Bytes --------------------------------------------------------------------------------------------- */

/* Elements per vector, as cl/memory/vector_template.cl has it. */
static cl_uint vector_elements(const clf_field *field, cl_uint items)
{
    cl_uint per = field->is_array ? 1 : 16;
    while (per > 1 && (per * field->bytes > 16 || items % per != 0))
        per /= 2;
    return per;
}

/* A region, with the padding of its rows, in whole words. */
static cl_ulong region_bytes(const clf_field *field, cl_uint group, cl_uint items)
{
    const cl_uint per = vector_elements(field, items);
    return clf_ceiling((cl_ulong)group * ((items / per) | 1) * per * field->bytes, 4) * 4;
}

/* The places of a chunk of each row: CLF_PLACES_STRIDE of cl/chain/scan_tile.cl, and CLF_CHUNK of cl/memory/tile.cl. */
static cl_ulong places_bytes(const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    cl_uint chunk = 16 / clf_smallest_field(op);
    while (chunk > 1 && items % chunk != 0)
        chunk /= 2;
    return op->place ? (cl_ulong)group * (chunk | 1) * 8 : 0;
}

cl_ulong clf_slab_bytes(const clf_operator_copy *op, cl_uint rounds, cl_uint group, cl_uint items)
{
    clf_slab_map map;
    cl_ulong inputs = places_bytes(op, group, items), most = 0;
    (void)clf_slab_deal(op, rounds, &map);
    for (cl_uint i = 0; i < op->input.count; ++i)
        inputs += region_bytes(&op->input.field[i], group, items);
    for (cl_uint round = 0; round < map.rounds; ++round) {
        cl_ulong own = 0;
        for (cl_uint o = 0; o < output_count(op); ++o)
            if (map.round[o] == round && map.region[o] == CLF_REGION_OWN)
                own += region_bytes(clf_staged_field(op, o), group, items);
        most = own > most ? own : most;
    }
    return inputs + most;
}

cl_ulong clf_stretch_bytes(cl_ulong elements, const clf_field *field)
{
    const cl_ulong bytes = field->bytes, lines = field->is_array ? elements / (128 / bytes) : elements * bytes / 128;
    return elements * bytes + lines * (bytes < 4 ? 16 : bytes);
}

cl_ulong clf_tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint rounds, cl_uint group,
                        cl_uint items)
{
    const cl_ulong totals = facts->lane_width > 1 ? 3 * (group / facts->lane_width) : group + group / 7 + 8;
    return clf_slab_bytes(op, rounds, group, items) + (totals + 2) * (op->value.bytes + 16);
}

/* ---- Parameters ---------------------------------------------------------------------------------------- */

/* The results of the largest round. */
static void largest_round(const clf_operator_copy *op, const clf_slab_map *map, clf_fields *largest)
{
    const clf_fields *const results = clf_operator_staged(op);
    *largest = (clf_fields){0};
    for (cl_uint round = 0; round < map->rounds; ++round) {
        clf_fields fields = {0};
        for (cl_uint o = 0; o < results->count; ++o)
            if (map->round[o] == round)
                fields.field[fields.count++] = results->field[o];
        if (clf_fields_sum(&fields) > clf_fields_sum(largest))
            *largest = fields;
    }
}

cl_uint clf_smallest_field(const clf_operator_copy *op)
{
    const clf_fields *const results = clf_operator_results(op);
    cl_uint smallest = op->place ? 8 : 16;
    for (cl_uint i = 0; i < op->input.count; ++i)
        smallest = narrowness(&op->input.field[i], smallest);
    for (cl_uint o = 0; o < output_count(op); ++o)
        smallest = narrowness(clf_staged_field(op, o), smallest);
    for (cl_uint v = 0; v < op->value.count; ++v)
        smallest = narrowness(&op->value.field[v], smallest);
    for (cl_uint r = 0; r < results->count; ++r)
        smallest = narrowness(&results->field[r], smallest);
    return smallest;
}

/* Loops over a work-item's elements are unrolled: with a thousand of LSSP, NVIDIA's compiler takes a minute. */
enum { MOST_UNROLLED = 256, MOST_UNROLLED_BYTES = 1024, MOST_HELD = 832 }; /* the last: bytes of values in registers */

/*
 * The most items that keep within so many bytes of local memory. Odd multiples of 16 bytes of the smallest
 * field, where that is not too much: then rows are whole vectors and need no padding.
 */
static cl_uint items_within(const clf_operator_copy *op, cl_uint rounds, cl_uint group, cl_uint bytes)
{
    for (cl_uint step = 16 / clf_smallest_field(op); step > 0; step /= 2) {
        cl_uint items = step;
        while (items + 2 * step <= MOST_UNROLLED && clf_slab_bytes(op, rounds, group, items + 2 * step) <= bytes &&
               clf_slab_bytes(op, rounds, 1, items + 2 * step) <= MOST_UNROLLED_BYTES &&
               (items + 2 * step) * op->value.bytes <= MOST_HELD)
            items += 2 * step;
        if (clf_slab_bytes(op, rounds, group, items) <= bytes)
            return items;
    }
    return 1;
}

cl_uint clf_tile_model(const clf_facts *facts, const clf_operator_copy *op, cl_uint rounds)
{
    cl_uint k_mem, k_reg;
    clf_slab_map map;
    clf_fields largest;
    (void)clf_slab_deal(op, rounds, &map);
    largest_round(op, &map, &largest);
    clf_model_limits(facts, &k_mem, &k_reg);
    /* Extra outputs wait in registers, too, from the map on. */
    for (cl_uint e = 0; clf_short_of_registers(facts) && e < op->extra.count && largest.count < CLF_MAX_FIELDS; ++e)
        largest.field[largest.count++] = op->extra.field[e];
    return clf_model_items(k_mem, k_reg, &op->value, &largest);
}

cl_uint clf_tile_rounds(const clf_operator_copy *op, const clf_parameters *parameters)
{
    const cl_uint asked = clf_parameter_get(parameters, "rounds", 0);
    return asked > 0 ? asked : default_rounds(op);
}

cl_ulong clf_local_most(const clf_facts *facts)
{
    return facts->local_bytes + facts->local_more;
}

cl_uint clf_least_group(const clf_facts *facts)
{
    return facts->lane_width > 1 ? facts->lane_width : 2;
}

cl_uint clf_usual_group(const clf_facts *facts)
{
    cl_uint group = 256;
    while (group > facts->max_group)
        group /= 2;
    return group;
}

void clf_tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_slab_map map;
    clf_parameter_default(parameters, "group", clf_usual_group(facts));
    const cl_uint group = clf_parameter_get(parameters, "group", 1);
    (void)clf_slab_deal(op, clf_tile_rounds(op, parameters), &map);
    clf_parameter_set(parameters, "rounds", map.rounds); /* as many as are of use */
    const cl_uint local = clf_parameter_get(parameters, "local", 0);
    cl_uint items = local > 0 ? items_within(op, map.rounds, group, local) : clf_tile_model(facts, op, map.rounds);
    const cl_ulong most = local > facts->local_bytes ? clf_local_most(facts) : facts->local_bytes;
    while (items > 1 && clf_tile_local(facts, op, map.rounds, group, items) > most)
        --items;
    clf_parameter_default(parameters, "items", items);
}
