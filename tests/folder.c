/* SPDX-License-Identifier: MIT */
#include "folder.h"

#include "harness.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/clfold-test-XXXXXX";

const char *folder_open(void)
{
    strcpy(directory + sizeof directory - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    return directory;
}

size_t folder_each(void (*visit)(const char *path))
{
    size_t count = 0;
    DIR *files = opendir(directory);
    ck_assert_ptr_nonnull(files);
    for (const struct dirent *entry; (entry = readdir(files));) {
        char path[sizeof directory + sizeof entry->d_name];
        if (entry->d_name[0] == '.')
            continue;
        ++count;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (visit)
            visit(path);
    }
    closedir(files);
    return count;
}

static void remove_file(const char *path)
{
    remove(path);
}

void folder_empty(void)
{
    folder_each(remove_file);
}

void folder_close(void)
{
    folder_empty();
    rmdir(directory);
}

void folder_flip_last_bit(const char *path)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    fseek(file, -1, SEEK_END);
    const int last = fgetc(file);
    fseek(file, -1, SEEK_END);
    fputc(last ^ 1, file);
    fclose(file);
}
