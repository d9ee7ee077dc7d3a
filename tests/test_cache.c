/* SPDX-License-Identifier: MIT */
/*
 * The disk cache: what it returns is what was stored, or nothing; it trusts no file or directory that another
 * user could have written; it leaves other files alone. Each test has a directory of its own.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "primitives/primitives.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const unsigned char key[32] = {0x01, 0xab, 0xff}, other_key[32] = {0x02};
static const char file_of_key[] = "01abff0000000000000000000000000000000000000000000000000000000000.clfold";

static char root[256];  /* the directory of the test */
static char path[1024]; /* result of in() */
static clf_cache cache; /* on root/cache, which is created by the first store */
static char *saved_home, *saved_xdg;

/* root/name */
static const char *in(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", root, name);
    return path;
}

static void restore(const char *name, char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
    free(value);
}

static void set_up(void)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/clfold-test-XXXXXX", temporary ? temporary : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(root));
    saved_home = clf_strdup(getenv("HOME"));
    saved_xdg = clf_strdup(getenv("XDG_CACHE_HOME"));
    clf_cache_open(&cache, in("cache"), true);
}

/* Files of a directory; deletes them if asked to. */
static int count_files(const char *name, bool and_delete)
{
    int count = 0;
    DIR *files = opendir(in(name));
    for (struct dirent *entry = files ? readdir(files) : NULL; entry; entry = readdir(files))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            ++count;
            if (and_delete)
                unlinkat(dirfd(files), entry->d_name, 0);
        }
    if (files)
        closedir(files);
    return count;
}

static void tear_down(void)
{
    static const char *const names[] = {"cache", "a/b/cache", "a/b", "a", "xdg/clfold", "xdg", "."};
    restore("HOME", saved_home);
    restore("XDG_CACHE_HOME", saved_xdg);
    clf_cache_close(&cache);
    for (size_t i = 0; i < CLF_COUNT(names); ++i) {
        count_files(names[i], true);
        rmdir(in(names[i]));
    }
    rmdir(root);
}

static void store(const char *payload)
{
    clf_cache_store(&cache, key, payload, strlen(payload));
}

/* Does a load find this payload (NULL: nothing)? */
static bool finds(const unsigned char *of, const char *payload)
{
    size_t bytes = 0;
    unsigned char *found = clf_cache_load(&cache, of, &bytes);
    const bool hit = found && payload && bytes == strlen(payload) && memcmp(found, payload, bytes) == 0;
    const bool miss = !found && !payload;
    free(found);
    return hit || miss;
}

static const char *cached_file(void)
{
    char name[128];
    snprintf(name, sizeof name, "cache/%s", file_of_key);
    return in(name);
}

TEST(round_trip)
{
    struct stat status;
    ck_assert(finds(key, NULL));
    store("one");
    ck_assert(finds(key, "one") && finds(other_key, NULL));
    store("another");
    ck_assert(finds(key, "another"));
    ck_assert_int_eq(stat(cached_file(), &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0600);
    ck_assert_int_eq(stat(in("cache"), &status), 0);
    ck_assert_int_eq(status.st_mode & 0777, 0700);
    ck_assert_int_eq(count_files("cache", false), 1);
    clf_cache_remove(&cache, key);
    ck_assert(finds(key, NULL));
    ck_assert_int_eq(count_files("cache", false), 0);
    clf_cache_store(&cache, key, "", 0);
    ck_assert_int_eq(count_files("cache", false), 0);
}

/* Any one wrong bit, a byte too few or too many, or the name of another key: a miss, and the file goes. */
TEST(damage)
{
    enum { FILE_BYTES = 84 + 3 };
    for (int i = 0; i < FILE_BYTES + 3; ++i) {
        store("one");
        ck_assert(finds(key, "one"));
        unsigned char bytes[FILE_BYTES + 2];
        FILE *file = fopen(cached_file(), "r+b");
        ck_assert_ptr_nonnull(file);
        ck_assert_uint_eq(fread(bytes, 1, sizeof bytes, file), FILE_BYTES);
        rewind(file);
        if (i < FILE_BYTES) {
            bytes[i] ^= 0x10;
            ck_assert_uint_eq(fwrite(bytes, 1, FILE_BYTES, file), FILE_BYTES);
        } else {
            static const off_t lengths[] = {0, FILE_BYTES - 1, FILE_BYTES + 1};
            ck_assert_int_eq(ftruncate(fileno(file), lengths[i - FILE_BYTES]), 0);
        }
        fclose(file);
        ck_assert_msg(finds(key, NULL), "damage %d", i);
        ck_assert_int_eq(count_files("cache", false), 0);
    }
}

TEST(key_is_checked)
{
    char from[1024];
    clf_cache_store(&cache, other_key, "one", 3);
    snprintf(from, sizeof from, "%s/cache/02%062d.clfold", root, 0);
    ck_assert_int_eq(rename(from, cached_file()), 0);
    ck_assert(finds(key, NULL));
}

TEST(permissions)
{
    store("one");
    ck_assert_int_eq(chmod(in("cache"), 0770), 0);
    ck_assert(finds(key, NULL));
    clf_cache_store(&cache, other_key, "two", 3);
    clf_cache_remove(&cache, key);
    ck_assert_int_eq(count_files("cache", false), 1);
    ck_assert_int_eq(chmod(in("cache"), 0755), 0);
    ck_assert(finds(key, "one"));
    ck_assert_int_eq(chmod(cached_file(), 0620), 0);
    ck_assert(finds(key, NULL));
}

TEST(links_are_refused)
{
    char target[1024];
    store("one");
    snprintf(target, sizeof target, "%s/target", root);
    ck_assert_int_eq(rename(cached_file(), target), 0);
    ck_assert_int_eq(symlink(target, cached_file()), 0);
    ck_assert(finds(key, NULL));
    store("two"); /* replaces the link, not its target */
    ck_assert(finds(key, "two"));
    ck_assert_int_eq(unlink(target), 0);

    clf_cache linked;
    size_t bytes;
    snprintf(target, sizeof target, "%s/cache", root);
    ck_assert_int_eq(symlink(target, in("link")), 0);
    clf_cache_open(&linked, in("link/"), false);
    ck_assert_ptr_null(clf_cache_load(&linked, key, &bytes));
    clf_cache_close(&linked);
}

static bool opens_at(const char *setting, bool driver_caches, const char *expected)
{
    clf_cache opened;
    clf_cache_open(&opened, setting, driver_caches);
    const bool same = !expected ? !opened.path : opened.path && strcmp(opened.path, expected) == 0;
    clf_cache_close(&opened);
    return same;
}

TEST(settings)
{
    setenv("HOME", "/home/of/nobody", 1);
    setenv("XDG_CACHE_HOME", "/xdg", 1);
    ck_assert(opens_at("off", false, NULL) && opens_at("", false, NULL) && opens_at(NULL, true, NULL));
    ck_assert(opens_at("/some/where//", true, "/some/where") && opens_at("/", false, "/"));
    ck_assert(opens_at(NULL, false, "/xdg/clfold"));
    setenv("XDG_CACHE_HOME", "relative", 1);
    ck_assert(opens_at(NULL, false, "/home/of/nobody/.cache/clfold"));
    unsetenv("XDG_CACHE_HOME");
    ck_assert(opens_at(NULL, false, "/home/of/nobody/.cache/clfold"));
    unsetenv("HOME");
    ck_assert(opens_at(NULL, false, NULL));
    clf_cache off = {0};
    size_t bytes;
    clf_cache_store(&off, key, "one", 3);
    clf_cache_remove(&off, key);
    ck_assert_ptr_null(clf_cache_load(&off, key, &bytes));
}

TEST(parents_are_created)
{
    clf_cache deep;
    size_t bytes = 0;
    setenv("XDG_CACHE_HOME", in("xdg"), 1);
    static const char *const names[] = {"a/b/cache", NULL};
    for (size_t i = 0; i < CLF_COUNT(names); ++i) {
        clf_cache_open(&deep, names[i] ? in(names[i]) : NULL, false);
        clf_cache_store(&deep, key, "one", 3);
        unsigned char *found = clf_cache_load(&deep, key, &bytes);
        ck_assert(found && bytes == 3);
        free(found);
        clf_cache_close(&deep);
    }
}

/* A file with a hole, so that it is large and takes no room. */
static void make_large(const char *name, off_t bytes, time_t age)
{
    const struct timespec times[2] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
    const int file = open(in(name), O_WRONLY | O_CREAT, 0600);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(ftruncate(file, bytes), 0);
    ck_assert_int_eq(futimens(file, times), 0);
    close(file);
}

/* Above 256 MiB the oldest files of ours go, leftover temporary ones too; a load makes a file young. */
TEST(size_cap)
{
    char names[3][128];
    const off_t mib = 1 << 20;
    store("one");
    make_large("cache/notes.txt", 500 * mib, 1000);
    for (int i = 0; i < 3; ++i)
        snprintf(names[i], sizeof names[i], "cache/%064d.clfold%s", i, i == 2 ? ".1.2" : "");
    make_large(names[0], 100 * mib, 300);
    make_large(names[1], 100 * mib, 200);
    make_large(names[2], 100 * mib, 100);
    snprintf(names[0], sizeof names[0], "cache/%s", file_of_key);
    make_large(names[0], 84 + 3, 400);
    ck_assert(finds(key, "one"));
    clf_cache_store(&cache, other_key, "two", 3);
    snprintf(names[0], sizeof names[0], "cache/%064d.clfold", 0);
    ck_assert_int_ne(access(in(names[0]), F_OK), 0);
    ck_assert_int_eq(access(in(names[1]), F_OK), 0);
    ck_assert_int_eq(access(in(names[2]), F_OK), 0);
    ck_assert_int_eq(access(in("cache/notes.txt"), F_OK), 0);
    ck_assert(finds(key, "one") && finds(other_key, "two"));
}

/* Temporary names that a dead process left behind are stepped over. */
TEST(leftovers)
{
    char name[160];
    store("one");
    for (int i = 0; i < 3; ++i) {
        snprintf(name, sizeof name, "cache/%s.%ld.%d", file_of_key, (long)getpid(), i);
        make_large(name, 1, 0);
    }
    store("two");
    ck_assert(finds(key, "two"));
    ck_assert_int_eq(count_files("cache", false), 4);
}

enum { PAYLOAD_BYTES = 100000, ROUNDS = 100 };

/* Stores payloads of one repeated byte, which is the argument. */
static void *writer(void *byte)
{
    static _Thread_local unsigned char payload[PAYLOAD_BYTES];
    memset(payload, *(const int *)byte, sizeof payload);
    for (int i = 0; i < ROUNDS; ++i)
        clf_cache_store(&cache, key, payload, sizeof payload);
    return NULL;
}

/* Two writers of one key and a reader: the reader gets a whole payload of one of them, always. */
TEST(atomicity)
{
    pthread_t threads[2];
    int bytes[2] = {'a', 'b'};
    store("first");
    for (int t = 0; t < 2; ++t)
        ck_assert_int_eq(pthread_create(&threads[t], NULL, writer, &bytes[t]), 0);
    for (int i = 0; i < ROUNDS; ++i) {
        size_t length = 0;
        unsigned char *found = clf_cache_load(&cache, key, &length);
        ck_assert_ptr_nonnull(found);
        ck_assert(length == 5 || (length == PAYLOAD_BYTES && memcmp(found, found + 1, length - 1) == 0));
        free(found);
    }
    for (int t = 0; t < 2; ++t)
        pthread_join(threads[t], NULL);
    ck_assert_int_eq(count_files("cache", false), 1);
}

Suite *cache_suite(void)
{
    Suite *suite = suite_create("cache");
    TCase *cases = tcase_create("cache");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    rig_add(cases, (const rig_test[]){{round_trip, 1}, {damage, 1}, {key_is_checked, 1}, {permissions, 1},
            {links_are_refused, 1}, {settings, 1}, {parents_are_created, 1}, {size_cap, 1}, {leftovers, 1},
            {atomicity, 1}, {NULL, 0}});
    suite_add_tcase(suite, cases);
    return suite;
}

#else /* There is no disk cache on Windows. */

Suite *cache_suite(void)
{
    return suite_create("cache");
}

#endif
