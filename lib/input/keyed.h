/*
 * keyed: a hash of bytes under a secret key, SipHash-2-4 (Aumasson, Bernstein
 * 2012).  Who does not know the key cannot choose inputs that collide.
 */
#ifndef KEYED_H
#define KEYED_H

#include <stddef.h>
#include <stdint.h>

struct keyed {
	uint64_t key[2];
};

uint64_t keyed_hash(const struct keyed *k, const void *bytes, size_t n);

#endif
