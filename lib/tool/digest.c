/*
 * digest: SHA-256 over a public file's bytes [FIPS 180-4].
 */
#include "digest.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "err.h"

#define BLOCK 64
#define PIECE ((size_t)256 * BLOCK)	/* read at once */

static uint32_t
turn(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* Round constants: from the cube roots of the first 64 primes. */
static void
constants(uint32_t k[BLOCK])
{
	for (int n = 2, i = 0, d; i < BLOCK; n++) {
		for (d = 2; d < n && n % d > 0; d++)
			;
		if (d == n)
			k[i++] = (uint32_t)(fmod(cbrt(n), 1) * 0x1p32);
	}
}

/* A block spread to 64 words. */
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
	static uint32_t rounds[BLOCK];
	uint32_t w[BLOCK], s[8], one, two;

	if (rounds[0] == 0)
		constants(rounds);
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

/* Behind the last n bytes: a one, zeros, the length in bits; whole blocks. */
static size_t
pad(unsigned char *bytes, size_t n, uint64_t length)
{
	memset(bytes + n, 0, (size_t)2 * BLOCK);
	bytes[n] = 0x80;
	n = (n + 8) / BLOCK * BLOCK + BLOCK;
	for (size_t i = 0; i < 8; i++)
		bytes[n - 1 - i] = (unsigned char)(8 * length >> 8 * i);
	return n;
}

/* The digest of all that is left in a file; returns the number of bytes. */
static uint64_t
digest_rest(FILE *f, char *buf)
{
	uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	unsigned char bytes[PIECE + 2 * BLOCK];
	uint64_t length = 0;
	size_t n, all;

	do {
		n = fread(bytes, 1, PIECE, f);
		length += n;
		all = n;
		if (n < PIECE)
			all = pad(bytes, n, length);
		for (size_t at = 0; at < all; at += BLOCK)
			compress(h, bytes + at);
	} while (n == PIECE);
	for (size_t i = 0; i < 8; i++)
		snprintf(buf + 8 * i, 9, "%08x", h[i]);
	return length;
}

char *
digest_file(const char *name, const char *path, char *buf)
{
	struct stat st;
	FILE *f;

	/* a pipe is refused, and not waited for */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		err_die(STATUS_INPUT, "--%s %s: its contents are compared with "
		    "those of an earlier release, which needs a regular file",
		    name, path);
	f = fopen(path, "rbe");
	if (f == NULL)
		err_sys("--%s %s", name, path);
	digest_rest(f, buf);
	if (ferror(f))
		err_sys("--%s %s", name, path);
	fclose(f);
	return buf;
}

char *
digest_bytes(char *bytes, size_t n, char *buf)
{
	FILE *f = fmemopen(bytes, n, "rb");

	/* without memory for its buffer a stream ends early */
	if (f == NULL || digest_rest(f, buf) != n)
		err_sys("memory");
	fclose(f);
	return buf;
}
