/* SPDX-License-Identifier: MIT */
/*
 * Compiled programs on disk, and what probes found, one file per key:
 *
 *     magic[8]  format[4]  key[32]  payload length[8]  SHA-256 of the payload[32]  payload   (little endian)
 *
 * A cached binary is code that runs with the user's rights, so the directory and every file in it must belong
 * to this user, be writable by nobody else and be no symbolic link; the digest finds damage, not attackers.
 * Nothing falls back to a shared directory such as /tmp, and a set-user-ID process has no cache. Names are
 * relative to one open, checked directory, which nobody can exchange between check and use.
 *
 * Files appear by rename and are never changed, hence no locks: of two writers one wins, and a reader sees a
 * whole file or none. A load refreshes a file's time; a store deletes the oldest files above the size cap.
 */
#define _POSIX_C_SOURCE 200809L
#include "program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef _WIN32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FORMAT = 1,
    KEY_BYTES = 32,
    HEADER_BYTES = 8 + 4 + KEY_BYTES + 8 + 32,
    NAME_LENGTH = 2 * KEY_BYTES + 7, /* of a file name: the key in hexadecimal and ".clfold" */
    NAME_BYTES = NAME_LENGTH + 32,   /* a temporary name has numbers behind it */
};
static const char magic[8] = {'c', 'l', 'f', 'o', 'l', 'd', '\r', '\n'};
static const uint64_t size_cap = (uint64_t)256 << 20;

/* ---- Names and the directory --------------------------------------------------------------------------- */

static char *default_path(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    clf_text path = {0};
    if (cache && cache[0] == '/')
        clf_text_format(&path, "%s/clfold", cache);
    else if (home && home[0] == '/')
        clf_text_format(&path, "%s/.cache/clfold", home);
    if (path.failed)
        clf_text_free(&path);
    return path.data;
}

void clf_cache_open(clf_cache *cache, const char *setting, bool driver_caches)
{
    cache->path = NULL;
    if (getuid() != geteuid() || getgid() != getegid())
        return;
    if (!setting)
        cache->path = driver_caches ? NULL : default_path();
    else if (setting[0] != '\0' && strcmp(setting, "off") != 0)
        cache->path = clf_strdup(setting);
    /* A slash at the end would make the last component followed even if it is a symbolic link. */
    for (size_t n = cache->path ? strlen(cache->path) : 0; n > 1 && cache->path[n - 1] == '/'; --n)
        cache->path[n - 1] = '\0';
}

void clf_cache_close(clf_cache *cache)
{
    free(cache->path);
    cache->path = NULL;
}

static void file_name(const unsigned char key[KEY_BYTES], char name[NAME_BYTES])
{
    for (int i = 0; i < KEY_BYTES; ++i)
        snprintf(name + 2 * i, 3, "%02x", key[i]);
    strcpy(name + 2 * KEY_BYTES, ".clfold");
}

/* Is it a file of ours, complete or temporary? Others are never deleted, nor counted. */
static bool is_our_name(const char *name)
{
    return strspn(name, "0123456789abcdef") == 2 * KEY_BYTES && strncmp(name + 2 * KEY_BYTES, ".clfold", 7) == 0;
}

static bool is_private(const struct stat *status)
{
    return status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Creates the directory with its parents. Failures show when it is opened. */
static void make_directory(const char *path)
{
    char *part = clf_strdup(path);
    for (char *p = part; p && *p != '\0'; ++p)
        if (*p == '/' && p != part) {
            *p = '\0';
            mkdir(part, 0700);
            *p = '/';
        }
    free(part);
    mkdir(path, 0700);
}

/* A descriptor of the directory if it can be trusted, or -1. */
static int open_directory(const char *path)
{
    struct stat status;
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory >= 0 && (fstat(directory, &status) != 0 || !is_private(&status))) {
        close(directory);
        return -1;
    }
    return directory;
}

/* ---- Bytes --------------------------------------------------------------------------------------------- */

static void store_little_endian(unsigned char *p, uint64_t x, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        p[i] = (unsigned char)(x >> (8 * i));
}

static void write_header(unsigned char header[HEADER_BYTES], const unsigned char key[KEY_BYTES], const void *payload,
                         size_t bytes)
{
    clf_sha256 hash;
    memcpy(header, magic, 8);
    store_little_endian(header + 8, FORMAT, 4);
    memcpy(header + 12, key, KEY_BYTES);
    store_little_endian(header + 44, bytes, 8);
    clf_sha256_init(&hash);
    clf_sha256_update(&hash, payload, bytes);
    clf_sha256_final(&hash, header + 52);
}

static bool read_all(int file, unsigned char *data, size_t bytes)
{
    while (bytes != 0) {
        const ssize_t got = read(file, data, bytes);
        if (got > 0) {
            data += got;
            bytes -= (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

static bool write_all(int file, const unsigned char *data, size_t bytes)
{
    while (bytes != 0) {
        const ssize_t put = write(file, data, bytes);
        if (put >= 0) {
            data += put;
            bytes -= (size_t)put;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* ---- Loading ------------------------------------------------------------------------------------------- */

/* The payload of an open file, or NULL if anything about the file is not as it was written. */
static unsigned char *read_file(int file, const unsigned char key[KEY_BYTES], size_t *bytes)
{
    unsigned char header[HEADER_BYTES], expected[HEADER_BYTES];
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || !is_private(&status))
        return NULL;
    if (status.st_size <= HEADER_BYTES || (uint64_t)status.st_size > size_cap)
        return NULL;
    const size_t length = (size_t)status.st_size - HEADER_BYTES;
    unsigned char *payload = malloc(length);
    if (!payload)
        return NULL;
    if (read_all(file, header, HEADER_BYTES) && read_all(file, payload, length)) {
        write_header(expected, key, payload, length);
        if (memcmp(header, expected, HEADER_BYTES) == 0) {
            *bytes = length;
            return payload;
        }
    }
    free(payload);
    return NULL;
}

unsigned char *clf_cache_load(const clf_cache *cache, const unsigned char key[32], size_t *bytes)
{
    const int directory = cache->path ? open_directory(cache->path) : -1;
    if (directory < 0)
        return NULL;
    char name[NAME_BYTES];
    unsigned char *payload = NULL;
    file_name(key, name);
    /* O_NONBLOCK: opening a pipe that somebody put here must not wait. */
    const int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0) {
        payload = read_file(file, key, bytes);
        if (payload)
            futimens(file, NULL);
        else
            unlinkat(directory, name, 0);
        close(file);
    }
    close(directory);
    return payload;
}

/* ---- Storing ------------------------------------------------------------------------------------------- */

/* Bytes of our files, and the name of the oldest one ("" if there is none). */
static uint64_t survey(DIR *files, char oldest[NAME_BYTES])
{
    uint64_t total = 0;
    time_t oldest_time = 0;
    struct stat status;
    oldest[0] = '\0';
    rewinddir(files);
    for (struct dirent *entry = readdir(files); entry; entry = readdir(files)) {
        if (!is_our_name(entry->d_name) || strlen(entry->d_name) >= NAME_BYTES ||
            fstatat(dirfd(files), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        total += (uint64_t)status.st_size;
        if (oldest[0] == '\0' || status.st_mtime < oldest_time) {
            strcpy(oldest, entry->d_name);
            oldest_time = status.st_mtime;
        }
    }
    return total;
}

/* Deletes the oldest files until `bytes` more fit under the cap. */
static void make_room(int directory, uint64_t bytes)
{
    char oldest[NAME_BYTES];
    const int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *files = copy >= 0 ? fdopendir(copy) : NULL;
    if (!files) {
        if (copy >= 0)
            close(copy);
        return;
    }
    while (survey(files, oldest) + bytes > size_cap && oldest[0] != '\0')
        if (unlinkat(directory, oldest, 0) != 0)
            break;
    closedir(files);
}

/* Creates a file that nobody else has: the name holds the process, the number tells its threads apart. */
static int create_temporary(int directory, const unsigned char key[KEY_BYTES], char name[NAME_BYTES])
{
    file_name(key, name);
    for (int number = 0; number < 64; ++number) {
        snprintf(name + NAME_LENGTH, NAME_BYTES - NAME_LENGTH, ".%ld.%d", (long)getpid(), number);
        const int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

static void write_file(int directory, const unsigned char key[KEY_BYTES], const void *payload, size_t bytes)
{
    unsigned char header[HEADER_BYTES];
    char name[NAME_BYTES], temporary[NAME_BYTES];
    file_name(key, name);
    write_header(header, key, payload, bytes);
    const int file = create_temporary(directory, key, temporary);
    if (file < 0)
        return;
    bool written = write_all(file, header, HEADER_BYTES) && write_all(file, payload, bytes);
    written = close(file) == 0 && written;
    if (!written || renameat(directory, temporary, directory, name) != 0)
        unlinkat(directory, temporary, 0);
}

void clf_cache_store(const clf_cache *cache, const unsigned char key[32], const void *payload, size_t bytes)
{
    if (!cache->path || bytes == 0 || bytes > size_cap - HEADER_BYTES)
        return;
    make_directory(cache->path);
    const int directory = open_directory(cache->path);
    if (directory < 0)
        return;
    make_room(directory, bytes + HEADER_BYTES);
    write_file(directory, key, payload, bytes);
    close(directory);
}

void clf_cache_remove(const clf_cache *cache, const unsigned char key[32])
{
    const int directory = cache->path ? open_directory(cache->path) : -1;
    if (directory < 0)
        return;
    char name[NAME_BYTES];
    file_name(key, name);
    unlinkat(directory, name, 0);
    close(directory);
}

#else /* No disk cache on Windows yet: OpenCL drivers there keep their own. */

void clf_cache_open(clf_cache *cache, const char *setting, bool driver_caches)
{
    (void)setting;
    (void)driver_caches;
    cache->path = NULL;
}

void clf_cache_close(clf_cache *cache)
{
    cache->path = NULL;
}

unsigned char *clf_cache_load(const clf_cache *cache, const unsigned char key[32], size_t *bytes)
{
    (void)cache;
    (void)key;
    *bytes = 0;
    return NULL;
}

void clf_cache_store(const clf_cache *cache, const unsigned char key[32], const void *payload, size_t bytes)
{
    (void)cache;
    (void)key;
    (void)payload;
    (void)bytes;
}

void clf_cache_remove(const clf_cache *cache, const unsigned char key[32])
{
    (void)cache;
    (void)key;
}

#endif
