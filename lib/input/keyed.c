/* keyed: a hash of bytes under a secret key. */
#include "keyed.h"

#include <endian.h>
#include <string.h>

static inline uint64_t
rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

/* SipRound of the paper's figure 2.1. */
static inline void
mix(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static inline void
take_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v);
	mix(v);
	v[0] ^= word;
}

uint64_t
keyed_hash(const struct keyed *k, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t v[4] = { k->key[0] ^ 0x736f6d6570736575U,
	    k->key[1] ^ 0x646f72616e646f6dU, k->key[0] ^ 0x6c7967656e657261U,
	    k->key[1] ^ 0x7465646279746573U };
	uint64_t word, last = (uint64_t)n << 56;
	size_t i;

	for (; n >= sizeof(word); n -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		take_word(v, le64toh(word));
	}
	for (i = 0; i < n; i++)
		last |= (uint64_t)p[i] << 8 * i;
	take_word(v, last);
	v[2] ^= 0xff;
	for (i = 0; i < 4; i++)
		mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
