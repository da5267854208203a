/*
 * rng: random bytes, uniform integers and rational Bernoulli draws.
 *
 * Guarantee: given uniform independent bytes, rng_below and rng_bernoulli
 * have exactly the laws they state.  Bytes are the unit because those of the
 * kernel are the whole cost: a Bernoulli draw takes 1.004 on average, where a
 * word would take eight.
 *
 * The kernel's bytes are read RNG_BUFFER at a time.  There is no other
 * source to fall back to and no generator of our own in between: without
 * entropy nothing is released.  A process that forks after its first draw
 * must call rng_wipe in the child, or both would use the same bytes.
 *
 * Hazard: 256 n leaves 64 bits for d >= 2^56 and is then taken in 128.
 */
#include "rng.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

/* Requests above 256 bytes may come back short or interrupted. */
static void
refill_kernel(struct rng *r)
{
	size_t have = 0;
	ssize_t got;

	while (have < RNG_BUFFER) {
		got = getrandom(r->buf + have, RNG_BUFFER - have, 0);
		if (got > 0) {
			have += (size_t)got;
		} else if (got == 0 || errno != EINTR) {
			r->fail();
			__builtin_trap();	/* fail must not return */
		}
	}
}

/* Low byte first on every machine, so that a seed means one stream. */
static void
refill_seeded(struct rng *r)
{
	size_t i, j;

	for (i = 0; i < RNG_BUFFER; i += 8) {
		uint64_t word = pcg_next(&r->pcg);

		for (j = 0; j < 8; j++)
			r->buf[i + j] = (unsigned char)(word >> 8 * j);
	}
}

/* A wiped seeded stream has no state: any further draw is a mistake. */
static void
refill_wiped(struct rng *r)
{
	(void)r;
	__builtin_trap();
}

/* 64-bit FNV-1a hash. */
static uint64_t
hash_name(const char *name)
{
	uint64_t h = 0xcbf29ce484222325;

	for (; *name != '\0'; name++)
		h = (h ^ (unsigned char)*name) * 0x100000001b3;
	return h;
}

void
rng_kernel(struct rng *r, void (*fail)(void))
{
	*r = (struct rng){ .refill = refill_kernel, .fail = fail,
		.next = RNG_BUFFER };
}

/* The name selects the stream: two tools with one seed share no noise. */
void
rng_seeded(struct rng *r, uint64_t seed, const char *name)
{
	*r = (struct rng){ .refill = refill_seeded, .next = RNG_BUFFER };
	pcg_seed(&r->pcg, seed, hash_name(name));
}

void
rng_wipe(struct rng *r)
{
	explicit_bzero(r->buf, sizeof(r->buf));
	explicit_bzero(&r->pcg, sizeof(r->pcg));
	r->next = RNG_BUFFER;
	if (r->refill == refill_seeded)
		r->refill = refill_wiped;
}

/*
 * Rejection from the smallest power of two that covers n: below two tries
 * on average.
 */
uint64_t
rng_below(struct rng *r, uint64_t n)
{
	int bits = n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
	uint64_t mask, x;
	int i;

	if (bits == 0)
		return 0;
	mask = UINT64_MAX >> (64 - bits);
	do {
		x = 0;
		for (i = 0; i < bits; i += 8)
			x |= (uint64_t)rng_byte(r) << i;
		x &= mask;
	} while (x >= n);
	return x;
}

/*
 * W uniform on [0, 1) is compared with n/d digit by digit in base 256: q is
 * the next digit of n/d, c that of W, and the first place where they differ
 * decides.  When n/d has no digits left and all were equal, W >= n/d.
 * n < d throughout, so q <= 255 and, for d < 2^63, 256 n < 2^71.
 */
bool
rng_bernoulli(struct rng *r, uint64_t n, uint64_t d)
{
	unsigned c, q;

	if (n >= d)
		return true;
	while (n != 0) {
		if (n >> 56 == 0) {
			q = (unsigned)((n << 8) / d);
			n = (n << 8) % d;
		} else {
			u128 m = (u128)n << 8;

			q = (unsigned)(m / d);
			n = (uint64_t)(m % d);
		}
		c = rng_byte(r);
		if (c != q)
			return c < q;
	}
	return false;
}
