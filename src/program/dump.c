/* SPDX-License-Identifier: MIT */
/*
 * Programs as text, for bug reports and for compilers that have no device here: one file per program, NAME.cl,
 * where NAME is a hash of options and source. The first line is a comment with the options. It is written before the
 * program is built, so a compiler that ends the process leaves its cause behind.
 *
 * What cannot be written is left out: no call fails for that.
 */
#include "program/program.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 8 /* of the hash */ };

static void name_of(const char *source, const char *options, char name[2 * NAME_BYTES + 1])
{
    unsigned char key[32];
    clf_sha256 hash;
    clf_sha256_init(&hash);
    clf_sha256_update(&hash, options, strlen(options) + 1);
    clf_sha256_update(&hash, source, strlen(source));
    clf_sha256_final(&hash, key);
    for (int i = 0; i < NAME_BYTES; ++i)
        snprintf(name + 2 * i, 3, "%02x", key[i]);
}

void clf_dump(const char *directory, const char *source, const char *options)
{
    clf_text path = {0};
    char name[2 * NAME_BYTES + 1];
    if (!directory || directory[0] == '\0')
        return;
    name_of(source, options, name);
    clf_text_format(&path, "%s/%s.cl", directory, name);
    FILE *file = path.failed ? NULL : fopen(path.data, "wb");
    if (file) {
        (void)fprintf(file, "// options: %s\n", options); /* a dump that cannot be written is none */
        (void)fputs(source, file);
        (void)fclose(file);
    }
    clf_text_free(&path);
}
