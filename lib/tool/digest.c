/*
 * digest: SHA-256 of a public file's bytes [FIPS 180-4].
 */
#include "digest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "err.h"

#define BLOCK 64

/* Constants of the rounds: of the cube roots of the first 64 primes. */
static const uint32_t rounds[BLOCK] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t
turn(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* The 64 words that a block is spread to. */
static void
spread(uint32_t w[BLOCK], const unsigned char *block)
{
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 |
		    (uint32_t)block[4 * i + 1] << 16 |
		    (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < BLOCK; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) +
		    w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
	}
}

static void
compress(uint32_t h[8], const unsigned char *block)
{
	uint32_t w[BLOCK], s[8], one, two;

	spread(w, block);
	memcpy(s, h, sizeof(s));
	for (int i = 0; i < BLOCK; i++) {
		one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^
		    turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
		    rounds[i] + w[i];
		two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
		    ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += one;
		s[0] = one + two;
	}
	for (int i = 0; i < 8; i++)
		h[i] += s[i];
}

/* The last bytes, fewer than a block, a one and the length in bits. */
static void
finish(uint32_t h[8], const unsigned char *rest, uint64_t length)
{
	unsigned char last[2 * BLOCK] = { 0 };
	size_t n = length % BLOCK, end = n < BLOCK - 8 ? BLOCK : 2 * BLOCK;

	memcpy(last, rest, n);
	last[n] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[end - 1 - i] = (unsigned char)(8 * length >> 8 * i);
	compress(h, last);
	if (end > BLOCK)
		compress(h, last + BLOCK);
}

char *
digest_file(const char *name, const char *path, char *buf)
{
	uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	unsigned char bytes[256 * BLOCK];
	uint64_t length = 0;
	struct stat st;
	size_t n, at;
	FILE *f;

	/* a pipe is refused, and not waited for */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		die(STATUS_INPUT, "%s %s: its contents are compared with "
		    "those of an earlier release, which needs a regular file",
		    name, path);
	f = fopen(path, "rbe");
	if (f == NULL)
		diesys(STATUS_INPUT, "%s %s", name, path);
	do {
		n = fread(bytes, 1, sizeof(bytes), f);
		length += n;
		for (at = 0; n - at >= BLOCK; at += BLOCK)
			compress(h, bytes + at);
	} while (n == sizeof(bytes));
	if (ferror(f))
		diesys(STATUS_INPUT, "%s %s", name, path);
	fclose(f);
	finish(h, bytes + at, length);
	for (size_t i = 0; i < 8; i++)
		snprintf(buf + 8 * i, 9, "%08x", h[i]);
	return buf;
}
