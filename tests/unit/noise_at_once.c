/*
 * noise: coins that are judged several at a time are the coins one by one.
 *
 * With fewer than eight bytes left in its buffer a sampler takes them byte by
 * byte, the way whose law tests/unit/noise.c bounds; with eight or more it
 * judges several at once.  Both must decide alike and take as many bytes.
 */
#include "random/noise.h"
#include "script.h"

#include <criterion/criterion.h>
#include <string.h>

#define LAST 7		/* so many bytes are left to the slow way */
#define WHOLE 8		/* and so many are judged at once */

typedef bool coin(struct rng *, u128, uint64_t);

/* Bytes about the digits of 1/2 to 1/9, and the ends. */
static const unsigned char edges[] = {
	0, 27, 28, 29, 31, 32, 35, 36, 37, 41, 42, 43, 50, 51, 52, 63, 64, 84,
	85, 86, 127, 128, 129, 170, 171, 254, 255,
};

static void
refill_never(struct rng *r)
{
	script_refill(r);
}

/* What f decides and takes of the bytes at `from`; -1 where they run out. */
static int
outcome(coin *f, u128 n, uint64_t d, const unsigned char *bytes, size_t from)
{
	static struct rng r;
	bool yes;

	r.refill = refill_never;
	r.next = from;
	memset(r.buf, 170, sizeof(r.buf));
	memcpy(r.buf + from, bytes, LAST);
	if (setjmp(script_end) != 0)
		return -1;
	yes = f(&r, n, d);
	return (int)(r.next - from) * 2 + yes;
}

/* Strings on which f at once and noise_bern_exp one by one differ. */
static unsigned
differences(coin *f, u128 n, uint64_t d, unsigned tries, unsigned *seen)
{
	struct rng random;
	unsigned char bytes[LAST];
	unsigned wrong = 0, i, j;
	int slow;

	rng_seeded(&random, 1, "at once");
	for (i = 0; i < tries; i++) {
		for (j = 0; j < LAST; j++)
			bytes[j] = rng_byte(&random) & 1 ?
			    (unsigned char)rng_byte(&random) :
			    edges[rng_below(&random, sizeof(edges))];
		slow = outcome(noise_bern_exp, n, d, bytes, RNG_BUFFER - LAST);
		if (slow < 0)
			continue;
		(*seen)++;
		wrong += outcome(f, n, d, bytes, 8) != slow;
	}
	return wrong;
}

/* Twin: the law of another number. */
static bool
other_twin(struct rng *r, u128 n, uint64_t d)
{
	return noise_bern_exp(r, n + 1, d);
}

/* [CKS20 Alg 1] */
Test(noise_at_once, decides_and_takes_what_coin_by_coin_does)
{
	static const uint64_t x[][2] = {
		{ 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 5 }, { 2, 3 }, { 1, 255 },
		{ 1, 256 }, { 255, 256 }, { 85, 256 }, { 1000, 1001 },
		{ 1, 1000003 }, { 999999, 1000003 }, { 7, 5 }, { 10, 3 },
		{ ((uint64_t)1 << 54) + 12345, ((uint64_t)1 << 55) - 1 },
		{ ((uint64_t)1 << 54) + 12345, (uint64_t)1 << 55 },
		{ ((uint64_t)1 << 55) + 12345, ((uint64_t)1 << 56) - 1 },
		{ ((uint64_t)1 << 56) - 9, ((uint64_t)1 << 56) - 1 },
		{ ((uint64_t)1 << 62) + 1, ((uint64_t)1 << 63) - 1 },
	};
	unsigned seen = 0;
	size_t i;

	for (i = 0; i < sizeof(x) / sizeof(*x); i++)
		cr_assert_eq(differences(noise_bern_exp, x[i][0], x[i][1],
		    40000, &seen), 0, "%zu", i);
	cr_assert_gt(seen, 500000);
	cr_assert_gt(differences(other_twin, 1, 255, 40000, &seen), 0);
}

/* What the slow way gets after its last bytes. */
static unsigned char last;

static void
refill_last(struct rng *r)
{
	if (last == 255)
		script_refill(r);
	memset(r->buf, 255, sizeof(r->buf));
	r->buf[0] = last;
	r->next = 0;
	last = 255;
}

/* The same as outcome for exp(-1) and eight bytes, one by one. */
static int
one_by_one(const unsigned char *bytes)
{
	static struct rng r;
	size_t begin = RNG_BUFFER - LAST;
	bool yes;

	r.refill = refill_last;
	r.next = begin;
	memcpy(r.buf + begin, bytes, LAST);
	last = bytes[LAST];
	yes = noise_bern_exp(&r, 1, 1);
	return (int)(r.next + (r.next < begin ? LAST : -begin)) * 2 + yes;
}

/* What bytes of which the last decides in the end do, judged at once. */
static int
at_once(const unsigned char *bytes)
{
	static struct rng r;
	bool yes;

	r.refill = refill_never;
	r.next = 8;
	memset(r.buf, 255, sizeof(r.buf));
	memcpy(r.buf + 8, bytes, WHOLE);
	yes = noise_bern_exp(&r, 1, 1);
	return (int)(r.next - 8) * 2 + yes;
}

/* Round k + 2, which one string in (k + 1)! reaches, by every byte. */
Test(noise_at_once, every_byte_of_the_late_rounds)
{
	unsigned char bytes[WHOLE];

	for (size_t k = 0; k < WHOLE; k++)
		for (unsigned c = 0; c < 255; c++) {
			memset(bytes, 0, k);
			memset(bytes + k, 254, WHOLE - k);
			bytes[k] = (unsigned char)c;
			cr_assert_eq(at_once(bytes), one_by_one(bytes),
			    "%zu %u", k, c);
		}
}
