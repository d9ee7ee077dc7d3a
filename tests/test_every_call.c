/* SPDX-License-Identifier: MIT */
/* What holds for the calls of all primitives: those of suite `injection` (injection.c). */
#include "injection.h"

/* ---- Images -------------------------------------------------------------------------------------------- */

static cl_mem make_image(void)
{
    enum { WIDTH = 2048, HEIGHT = 8 /* more bytes than any array of the world has */ };
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT32};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    cl_int status;
    cl_mem image = clCreateImage(the_rig()->cl, CL_MEM_READ_WRITE, &format, &shape, NULL, &status);
    assert_ok(status);
    layer_add(LAYER_BUFFER, 1); /* which the layer sees released */
    return image;
}

/* The call with an image for one of its arrays: refused before any command, if it has the array. */
static bool refuses_image(const subject *s, clf_plan *plan, const world *w, clf_array *array, cl_mem image,
                          rig_told *told)
{
    const place on = {.queue = the_rig()->queue};
    const clf_array kept = *array;
    const unsigned long before = layer_commands();
    *told = (rig_told){0};
    array->buffer = image;
    const clf_status status = s->call(w, plan, &on);
    *array = kept;
    if (status == CLF_SUCCESS)
        return false;
    assert_status(status, CLF_E_BUFFER);
    ck_assert_msg(strstr(told->sentence, ".buffer is an image or a pipe, not a buffer") != NULL, "%s: \"%s\"", s->name,
                  told->sentence);
    ck_assert_uint_eq(layer_commands(), before);
    return true;
}

static bool refuses_scratch(const subject *s, clf_plan *plan, const world *w, cl_mem image)
{
    const clf_array scratch = {image, 0};
    const place on = {.queue = the_rig()->queue, .scratch = &scratch};
    const clf_status status = s->call(w, plan, &on);
    ck_assert_msg(status == CLF_SUCCESS || status == CLF_E_BUFFER, "%s: %s", s->name, clf_status_text(status));
    return status != CLF_SUCCESS;
}

START_TEST(images_are_refused)
{
    const subject *const s = &subjects[_i];
    rig_told told = {0};
    cl_bool has_images = CL_FALSE;
    world w;
    assert_ok(clGetDeviceInfo(the_rig()->device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL));
    if (!has_images || !s->expected)
        return;
    const clf_context_options options = {.size = sizeof options, .notify = rig_listen, .user = &told};
    clf_context *context;
    clf_plan *plan;
    cl_ulong bytes = 0;
    assert_ok(clf_context_create(the_rig()->cl, the_rig()->device, &options, &context, NULL));
    assert_ok(s->plan(context, &plan, NULL));
    world_open(&w);
    const cl_mem image = make_image();
    int refused = 0;
    clf_array *const arrays[] = {&w.in, &w.out, &w.lengths, &w.flags, &w.count};
    for (size_t i = 0; i < COUNT(arrays); i++)
        refused += refuses_image(s, plan, &w, arrays[i], image, &told);
    ck_assert_msg(refused >= 1, "%s takes images", s->name);
    if (s->scratch)
        assert_ok(s->scratch(plan, &bytes));
    const bool needs_it = bytes > 0 && strcmp(s->name, "adjacent difference") != 0; /* that only does in place */
    ck_assert(refuses_scratch(s, plan, &w, image) || !needs_it);
    assert_ok(clFinish(the_rig()->queue));
    clReleaseMemObject(image);
    world_close(&w);
    clf_plan_release(plan);
    clf_context_release(context);
}
END_TEST

void add_every_call_tests(TCase *tests)
{
    tcase_add_loop_test(tests, images_are_refused, 0, subject_count);
}
