/*
 * rng: random bytes, uniform integers and rational Bernoulli draws.
 *
 * Guarantee: given uniform independent bytes, rng_below and rng_bernoulli have
 * exactly the stated laws.  Bytes are the unit because the kernel's bytes are
 * the whole cost: a Bernoulli draw takes 1.004 on average, where a word would
 * take eight.
 *
 * A source's bytes are taken RNG_BUFFER at a time.  No second source and no
 * generator of ours stand in between: without entropy nothing is released.  A
 * process that forks after its first draw must call rng_wipe in the child, or
 * parent and child would use the bytes twice.
 *
 * Hazard: 256 n leaves 63 bits for d >= 2^55 and is then taken in 128.
 */
#include "rng.h"

#include "number/hash.h"

static void
refill_from(struct rng *r)
{
	r->fill(r->buf, RNG_BUFFER);
}

/* Low byte first on every machine, so that a seed means one stream. */
static void
refill_seeded(struct rng *r)
{
	for (size_t i = 0; i < RNG_BUFFER; i += sizeof(uint64_t)) {
		uint64_t word = fixed_low_first(pcg_next(&r->pcg));

		memcpy(r->buf + i, &word, sizeof(word));
	}
}

/* A wiped seeded stream has no state: any further draw is a mistake. */
static void
refill_wiped(struct rng *r)
{
	(void)r;
	__builtin_trap();
}

void
rng_from(struct rng *r, void (*fill)(void *buf, size_t n))
{
	*r = (struct rng){ .refill = refill_from, .fill = fill,
		.next = RNG_BUFFER };
}

/* The name selects the stream: two tools with one seed share no noise. */
void
rng_seeded(struct rng *r, uint64_t seed, const char *name)
{
	*r = (struct rng){ .refill = refill_seeded, .next = RNG_BUFFER };
	pcg_seed(&r->pcg, seed, hash_bytes(name, strlen(name)));
}

void
rng_ready(struct rng *r)
{
	r->refill(r);
	r->next = 0;
}

/* A compiler that leaves out what nobody reads cannot know who reads this. */
void
rng_wipe(struct rng *r)
{
	memset(r->buf, 0, sizeof(r->buf));
	memset(&r->pcg, 0, sizeof(r->pcg));
	__asm__ volatile ("" : : "r" (r) : "memory");
	r->next = RNG_BUFFER;
	if (r->refill == refill_seeded)
		r->refill = refill_wiped;
}

/* The next n <= 8 bytes as a number, low byte first, with random bits above. */
static uint64_t
rng_bytes(struct rng *r, size_t n)
{
	uint64_t x = 0;

	if (rng_peek(r, &x)) {
		r->next += n;
		rng_taken(r);
		return x;
	}
	for (size_t i = 0; i < n; i++)
		x |= (uint64_t)rng_byte(r) << 8 * i;
	return x;
}

/*
 * Rejection from the smallest power of two above n: below two tries on average.
 */
uint64_t
rng_below(struct rng *r, uint64_t n)
{
	int bits = n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
	uint64_t x;

	if (bits == 0)
		return 0;
	do {
		x = rng_bytes(r, ((size_t)bits + 7) / 8);
		x &= UINT64_MAX >> (64 - bits);
	} while (x >= n);
	return x;
}

u128
rng_below_wide(struct rng *r, u128 n)
{
	u128 x;

	if (n >> 63 == 0)
		return rng_below(r, (uint64_t)n);
	do {
		x = rng_below(r, (uint64_t)(n >> 63) + 1);
		x = x << 63 | rng_below(r, (uint64_t)1 << 63);
	} while (x >= n);
	return x;
}

/*
 * W uniform on [0, 1) is compared with n/d digit by digit in base 256, and the
 * first difference decides.  The digit of n/d is the q with 0 <= 256 n - q d <
 * d, the digit of W is c, and left = 256 n - c d is at least d for c < q,
 * negative for c > q, and for c = q the numerator for the next digit.  When n/d
 * has no digits left and none differed, W >= n/d.  n < d throughout, so |left|
 * < 2^71.
 */
bool
rng_bernoulli(struct rng *r, uint64_t n, uint64_t d)
{
	i128 left;

	if (n >= d)
		return true;
	while (n != 0) {
		left = ((i128)n << 8) - (i128)rng_byte(r) * d;
		if (left < 0 || left >= d)
			return left > 0;
		n = (uint64_t)left;
	}
	return false;
}
