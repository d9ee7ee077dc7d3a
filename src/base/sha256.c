/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 (FIPS 180-4), for cache keys and for noticing damaged cache files. Written for clarity: a program
 * text is hashed in well under a millisecond.
 *
 * Invariant: block[0 .. bytes % 64) holds what no complete block has absorbed yet.
 */
#include "base/base.h"

#include <string.h>

/* The first 32 fractional bits of the cube roots of the first 64 primes. */
static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned right)
{
    return x >> right | x << (32 - right);
}

static uint32_t load_big_endian(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_big_endian(unsigned char *p, uint32_t x)
{
    for (int i = 0; i < 4; ++i)
        p[i] = (unsigned char)(x >> (24 - 8 * i));
}

/* The message schedule: 16 words of the block, 48 mixed from earlier ones. */
static void schedule(const unsigned char block[64], uint32_t w[64])
{
    for (int i = 0; i < 16; ++i)
        w[i] = load_big_endian(block + 4 * i);
    for (int i = 16; i < 64; ++i) {
        const uint32_t x = w[i - 15], y = w[i - 2];
        const uint32_t s0 = rotate(x, 7) ^ rotate(x, 18) ^ x >> 3;
        const uint32_t s1 = rotate(y, 17) ^ rotate(y, 19) ^ y >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

static void absorb(uint32_t state[8], const unsigned char block[64])
{
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6],
                    h = state[7]; /* no array: they stay in registers */
    schedule(block, w);
    for (int i = 0; i < 64; ++i) {
        const uint32_t sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25), choice = (e & f) ^ (~e & g);
        const uint32_t sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22), majority = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t t1 = h + sum1 + choice + round_constants[i] + w[i];
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + sum0 + majority;
    }
    const uint32_t result[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i)
        state[i] += result[i];
}

void clf_sha256_init(clf_sha256 *hash)
{
    /* The first 32 fractional bits of the square roots of the first 8 primes. */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->bytes = 0;
}

void clf_sha256_update(clf_sha256 *hash, const void *data, size_t bytes)
{
    const unsigned char *next = data;
    while (bytes != 0) {
        const size_t used = hash->bytes % 64;
        const size_t take = bytes < 64 - used ? bytes : 64 - used;
        memcpy(hash->block + used, next, take);
        hash->bytes += take;
        next += take;
        bytes -= take;
        if (used + take == 64)
            absorb(hash->state, hash->block);
    }
}

void clf_sha256_final(clf_sha256 *hash, unsigned char digest[32])
{
    static const unsigned char padding[64] = {0x80};
    const uint64_t bits = hash->bytes * 8;
    unsigned char length[8];
    store_big_endian(length, (uint32_t)(bits >> 32));
    store_big_endian(length + 4, (uint32_t)bits);
    clf_sha256_update(hash, padding, 1 + (119 - hash->bytes % 64) % 64);
    clf_sha256_update(hash, length, sizeof length);
    for (int i = 0; i < 8; ++i)
        store_big_endian(digest + 4 * i, hash->state[i]);
}
