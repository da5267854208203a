/* hash: FNV-1a, for public bytes: nobody gains by choosing collisions. */
#pragma once

#include "fixed.h"

static inline uint64_t
hash_bytes(const char *s, size_t n)
{
	uint64_t h = 0xcbf29ce484222325U;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3U;
	return h;
}
