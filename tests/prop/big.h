/* big: natural numbers of up to 6144 bits, for exact comparisons. */
#ifndef BIG_H
#define BIG_H

#include <criterion/criterion.h>
#include <string.h>

#include "number/fixed.h"

#define LIMBS 192

struct big {
	uint32_t at[LIMBS];
	int n;
};

static inline struct big
big_of(u128 x)
{
	struct big b = { .n = 0 };

	for (; x != 0; x >>= 32)
		b.at[b.n++] = (uint32_t)x;
	return b;
}

static inline struct big
big_add(const struct big *a, const struct big *b)
{
	struct big r = { .n = a->n > b->n ? a->n : b->n };
	uint64_t c = 0;

	for (int i = 0; i < r.n; i++) {
		c += (i < a->n ? (uint64_t)a->at[i] : 0) +
		    (i < b->n ? b->at[i] : 0);
		r.at[i] = (uint32_t)c;
		c >>= 32;
	}
	if (c)
		r.at[r.n++] = (uint32_t)c;
	return r;
}

static inline struct big
big_mul(const struct big *a, const struct big *b)
{
	struct big r = { .n = a->n + b->n };

	cr_assert(r.n <= LIMBS);
	memset(r.at, 0, sizeof(r.at));
	for (int i = 0; i < a->n; i++) {
		uint64_t c = 0;

		for (int j = 0; j < b->n || c; j++) {
			c += r.at[i + j] + (uint64_t)a->at[i] *
			    (j < b->n ? b->at[j] : 0);
			r.at[i + j] = (uint32_t)c;
			c >>= 32;
		}
	}
	while (r.n > 0 && r.at[r.n - 1] == 0)
		r.n--;
	return r;
}

static inline struct big
big_times(const struct big *a, u128 x)
{
	struct big b = big_of(x);

	return big_mul(a, &b);
}

static inline int
big_cmp(const struct big *a, const struct big *b)
{
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (int i = a->n; i-- > 0;)
		if (a->at[i] != b->at[i])
			return a->at[i] < b->at[i] ? -1 : 1;
	return 0;
}

/* a - b, or 0 where b is larger. */
static inline struct big
big_sub(const struct big *a, const struct big *b)
{
	struct big r = *a;
	int64_t c = 0;

	if (big_cmp(a, b) <= 0)
		return big_of(0);
	for (int i = 0; i < a->n; i++) {
		c += (int64_t)a->at[i] - (i < b->n ? b->at[i] : 0);
		r.at[i] = (uint32_t)c;
		c >>= 32;
	}
	while (r.n > 0 && r.at[r.n - 1] == 0)
		r.n--;
	return r;
}

#endif
