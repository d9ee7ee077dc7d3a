/* SPDX-License-Identifier: MIT */
/*
 * engine: a variant with its parameters, compiled for an operator when it is first needed.
 */
#include "core/core.h"

#include <stdlib.h>

/* ---- Compiling --------------------------------------------------------------------------------------- */

/*
 * Is no vector of 128 bytes, nor an odd gap before the end of a tuple that moves as an integer; and are gaps in kernels
 * for CPUs, where structs stay in memory, of 1, 2 or 4 bytes?
 */
static bool fill_words(const clf_fields *fields, bool cpu)
{
    bool words = true;
    for (cl_uint i = 0; i < fields->count; ++i) {
        const clf_field *const field = &fields->field[i];
        const bool last = i + 1 == fields->count, moves = fields->bytes == 4 || fields->bytes == 8;
        const cl_uint gap = (last ? fields->bytes : field[1].offset) - field->offset - field->bytes;
        words = words && field->bytes < 128 && (gap % 2 == 0 || last || !moves) && (!cpu || !(gap & (gap - 1)));
    }
    return words;
}

/*
 * Optimised, others become integers of 24, 48 or 56 bits, or vectors of 32, and keys of 128 bits vectors of one ulong:
 * there the driver's next compiler ends the process (driver_bugs.txt). So it does over floats that are exchanged. Locks
 * (cell_wide.cl) of work-items that do not vote have no end there, for one waits for another of its warp.
 */
static bool may_be_optimised(const clf_engine *engine)
{
    const clf_operator_copy *const op = engine->op;
    const bool cpu = clf_engine_is_cpu(engine),
               real = clf_fields_use(&op->value, CLF_FLOAT) && !clf_extremes_are_coded(op);
    const bool waits = engine->context->facts.lane_width == 1 && clf_parameter_get(&engine->parameters, "locks", 0) > 0;
    return !waits && !(engine->variant->exchanges && real) && op->key_bytes <= sizeof(cl_ulong) &&
           fill_words(&op->input, cpu) && fill_words(&op->value, cpu) && fill_words(&op->extra, cpu) &&
           fill_words(&op->captured, cpu) && fill_words(&op->result, cpu);
}

/* The program, with the message of a failure in words of clf_operator. */
static clf_status compile(const clf_engine *engine, cl_program *program, clf_error *error)
{
    const clf_operator_copy *const op = engine->op;
    clf_text source = {0}, options = {0};
    const clf_entry entry = {engine->variant->file, engine->variant->kernels, engine->arrays,
                             engine->variant->numbers, engine->primitive->write, engine->variant->first};
    clf_status status = clf_source_write(&source, op, clf_parameter_get(&engine->parameters, "rounds", 1), &entry);
    clf_engine_options(&options, engine);
    if (status == CLF_SUCCESS && options.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS)
        status = clf_compile(&engine->context->compiler, source.data, options.data, may_be_optimised(engine), program,
                             error);
    else
        clf_fail(error, status, "the source of variant \"%s\" could not be written", engine->variant->name);
    if (status == CLF_E_OPERATOR && op->source)
        status = clf_function_blame(op, status, error);
    clf_text_free(&source);
    clf_text_free(&options);
    return status;
}

/* Of threads that compile the same engine at a time, the first to come back gives it its program. */
static void take_program(clf_engine *engine, cl_program program)
{
    clf_lock_acquire(&engine->lock);
    const bool first = !engine->program;
    if (first) {
        engine->program = program;
        for (size_t i = 0; engine->variant->kernels[i]; ++i) {
            engine->kernels[i].program = program;
            engine->kernels[i].name = engine->variant->kernels[i];
        }
    }
    clf_lock_release(&engine->lock);
    if (!first)
        clReleaseProgram(program);
}

clf_status clf_engine_compile(clf_engine *engine, clf_error *error)
{
    cl_program program;
    if (atomic_load_explicit(&engine->compiled, memory_order_acquire))
        return CLF_SUCCESS;
    CLF_TRY(compile(engine, &program, error));
    take_program(engine, program);
    atomic_store_explicit(&engine->compiled, true, memory_order_release);
    return CLF_SUCCESS;
}

void clf_engine_free(clf_engine *engine)
{
    if (!engine)
        return;
    for (size_t i = 0; i < CLF_MAX_KERNELS; ++i)
        clf_kernel_pool_free(&engine->kernels[i]);
    if (engine->program)
        clReleaseProgram(engine->program);
    free(engine);
}

/* Of every word of a message a half is tag, and several words make pairs: cl/group/message.cl. */
static cl_uint slot_bytes(cl_uint value)
{
    return value == 4 ? 8 : (value + 7) / 8 * 16;
}

static void count_arguments(clf_engine *engine)
{
    const clf_primitive *const primitive = engine->primitive;
    engine->arrays = primitive->arrays_of ? primitive->arrays_of(engine->op) : primitive->arrays;
    for (const clf_named_array *array = engine->arrays; array && array->name; ++array)
        ++engine->array_count;
    for (const char *const *number = engine->variant->numbers; number && *number; ++number)
        ++engine->number_count;
}

clf_status clf_engine_create(clf_plan *plan, cl_uint role, const clf_variant *variant, const clf_parameters *asked,
                             clf_error *error)
{
    clf_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    plan->engine[role] = engine;
    engine->context = plan->context;
    engine->primitive = plan->primitive;
    engine->variant = variant;
    engine->op = &plan->op;
    engine->flags = plan->flags;
    CLF_TRY(clf_engine_tune(engine, role, asked, error));
    engine->group = clf_parameter_get(&engine->parameters, "group", 1);
    engine->tile = engine->group * clf_parameter_get(&engine->parameters, "items", 1);
    const cl_uint words = plan->primitive->state_words;
    engine->state_bytes = 4 * (words ? words : clf_operator_words(&plan->op) + plan->primitive->more_words);
    engine->slot_bytes = slot_bytes(engine->state_bytes);
    count_arguments(engine);
    return CLF_SUCCESS;
}
