/* SPDX-License-Identifier: MIT */
/* What CLFOLD_PROFILE names may be no file: a pipe is not waited for, and what has no end is not read. */
#include "folder.h"
#include "harness.h"

#include <stdio.h>
#include <sys/stat.h>

TEST(no_regular_file)
{
    static const char *const names[] = {"/dev/zero", "/"};
    rig_told told = {0};
    char path[300];
    clf_context *context = NULL;
    const clf_context_options options = {.size = sizeof options, .notify = rig_listen, .user = &told};
    snprintf(path, sizeof path, "%s/pipe", folder_open());
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    setenv("CLFOLD_PROFILE", _i < 2 ? names[_i] : path, 1);
    const clf_status status = clf_context_create(the_rig()->cl, the_rig()->device, &options, &context, NULL);
    unsetenv("CLFOLD_PROFILE");
    assert_ok(status);
    ck_assert_msg(strstr(told.sentence, ": it is no regular file"), "'%s'", told.sentence);
    assert_ok(clf_context_release(context));
    folder_close();
}

RIG_PART(add_profile_pipe_tests, {no_regular_file, 3})
