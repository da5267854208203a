/*
 * rng: byte order, and the exact laws of rng_below and rng_bernoulli by
 * playing every byte string of a given length.
 */
#include "random/rng.h"
#include "script.h"
#include "tool/host.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A number drawn byte by byte does not depend on where the buffer ends. */
Test(rng, integers_cross_the_end_of_the_buffer_low_byte_first)
{
	static struct rng r, bytes;
	size_t start, i;

	for (start = 0; start < 20; start++) {
		uint64_t want = 0, skip;

		rng_seeded(&r, 3, "cross");
		rng_seeded(&bytes, 3, "cross");
		for (skip = 0; skip < RNG_BUFFER - start; skip++) {
			rng_byte(&r);
			rng_byte(&bytes);
		}
		do {
			for (want = i = 0; i < 7; i++)
				want |= (uint64_t)rng_byte(&bytes) << 8 * i;
			want &= ((uint64_t)1 << 50) - 1;
		} while (want >= ((uint64_t)1 << 50) - 12345);
		cr_assert_eq(rng_below(&r, ((uint64_t)1 << 50) - 12345), want);
		cr_assert_eq(rng_byte(&r), rng_byte(&bytes));
	}
}

/* Whether all strings of depth bytes give each of 0..n-1 equally often. */
static bool
below_is_flat(unsigned n, size_t depth)
{
	static unsigned count[65536];
	static struct rng r;
	volatile unsigned s;
	unsigned x;

	memset(count, 0, sizeof(count));
	for (s = 0; s < 1u << 8 * depth; s++) {
		script_play(&r, s, depth);
		if (setjmp(script_end) == 0) {
			uint64_t got = rng_below(&r, n);

			cr_assert(got < n);
			count[got]++;
		}
	}
	for (x = 0; x < n; x++)
		if (count[x] != count[0] || count[x] == 0)
			return false;
	return true;
}

Test(rng, below_is_exactly_uniform)
{
	static const unsigned ns[] = { 2, 3, 5, 10, 128, 200, 255, 256, 257,
		1000, 4097, 65535, 65536 };
	size_t i;

	for (i = 0; i < sizeof(ns) / sizeof(*ns); i++)
		cr_assert(below_is_flat(ns[i], ns[i] > 256 ? 2 : 1), "%u",
		    ns[i]);
}

Test(rng, below_one_draws_nothing_and_the_largest_bound_works)
{
	static struct rng r;

	script_play(&r, 0, 0);
	cr_assert_eq(rng_below(&r, 1), 0);
	memset(r.buf, 0xff, sizeof(r.buf));
	r.next = 0;
	memset(r.buf + 16, 0xfe, 8);
	cr_assert_eq(rng_below(&r, UINT64_MAX), UINT64_C(0xfefefefefefefefe));
	cr_assert_eq(r.next, 24);
}

/* Below 2^100 each bit is fair, below 3 * 2^62 each third: to five sigma. */
Test(rng, wide_bounds_are_uniform_in_every_bit)
{
	static struct rng r;
	int ones[100] = { 0 }, third[3] = { 0 };

	rng_seeded(&r, 1, "wide");
	for (int i = 0; i < 4000; i++) {
		u128 x = rng_below_wide(&r, (u128)1 << 100);
		u128 y = rng_below_wide(&r, (u128)3 << 62);

		cr_assert(x >> 100 == 0 && y >> 62 < 3);
		for (int k = 0; k < 100; k++)
			ones[k] += (int)(x >> k & 1);
		third[(int)(y >> 62)]++;
	}
	for (int k = 0; k < 100; k++)
		cr_assert(abs(ones[k] - 2000) < 160, "%d: %d", k, ones[k]);
	for (int k = 0; k < 3; k++)
		cr_assert(abs(third[k] - 1333) < 150, "%d", third[k]);
}

typedef bool coin(struct rng *, uint64_t, uint64_t);

/*
 * Of the 65536 strings of two bytes, t decide for true and u decide nothing:
 * the probability p of true has t <= 65536 p <= t + u, and u <= 1 because
 * only the digits of n/d themselves stay undecided.
 */
static bool
two_bytes_agree(coin *f, uint64_t n, uint64_t d)
{
	static struct rng r;
	volatile unsigned s;
	volatile uint64_t t = 0, u = 0;

	for (s = 0; s < 65536; s++) {
		script_play(&r, s, 2);
		if (setjmp(script_end) != 0)
			u++;
		else if (f(&r, n, d))
			t++;
	}
	n = n > d ? d : n;
	return u <= 1 && (u128)t * d <= (u128)n << 16 &&
	    (u128)n << 16 <= (u128)(t + u) * d;
}

/* rng_bernoulli with c <= q for c < q: at most 1/256 too often true. */
static bool
coin_twin(struct rng *r, uint64_t n, uint64_t d)
{
	if (n >= d)
		return true;
	return rng_byte(r) <= (unsigned)(((u128)n << 8) / d);
}

static const struct {
	uint64_t n, d;
} chances[] = {
	{ 0, 1 }, { 1, 1 }, { 2, 1 }, { 1, 2 }, { 1, 3 }, { 2, 3 },
	{ 1, 255 }, { 1, 256 }, { 1, 257 }, { 255, 256 }, { 1, 65536 },
	{ 65535, 65536 }, { 1, 65537 }, { 12345, 98765 },
	{ ((uint64_t)1 << 54) + 1, ((uint64_t)1 << 55) - 3 },
	{ ((uint64_t)1 << 54) + 1, ((uint64_t)1 << 55) },
	{ ((uint64_t)1 << 54) + 1, ((uint64_t)1 << 55) + 3 },
	{ ((uint64_t)1 << 62) + 1, UINT64_MAX >> 1 },
	{ (UINT64_MAX >> 1) - 1, UINT64_MAX >> 1 },
	{ ((uint64_t)1 << 57) - 9, ((uint64_t)1 << 57) - 1 },
	{ ((uint64_t)1 << 56) - 9, ((uint64_t)1 << 56) - 1 },
	{ ((uint64_t)1 << 55) - 9, ((uint64_t)1 << 55) - 1 },
	{ ((uint64_t)1 << 54) - 9, ((uint64_t)1 << 54) + 1 },
	{ 1, UINT64_MAX >> 1 }, { UINT64_MAX, UINT64_MAX >> 1 },
	{ 0, UINT64_MAX >> 1 },
};

Test(rng, bernoulli_is_exact_to_every_string_of_two_bytes)
{
	size_t i;

	for (i = 0; i < sizeof(chances) / sizeof(*chances); i++)
		cr_assert(two_bytes_agree(rng_bernoulli, chances[i].n,
		    chances[i].d), "%zu", i);
	cr_assert_not(two_bytes_agree(coin_twin, 1, 3));
	cr_assert_not(two_bytes_agree(coin_twin, 1, 256));
}

/* Bytes are what a draw costs, and what keeps a seed's draws in place. */
Test(rng, sure_coins_draw_nothing_and_fair_ones_a_byte)
{
	static struct rng r;
	unsigned c;

	script_play(&r, 0, 0);
	cr_assert(rng_bernoulli(&r, 1, 1) && rng_bernoulli(&r, 8, 5));
	cr_assert(rng_bernoulli(&r, UINT64_MAX, UINT64_MAX >> 1));
	cr_assert_not(rng_bernoulli(&r, 0, 1));
	for (c = 0; c < 256; c++) {
		script_play(&r, c, 1);
		cr_assert_eq(rng_bernoulli(&r, 1, 2), c < 128);
		cr_assert_eq(r.next, RNG_BUFFER);
	}
}

/* Past the first digits: the strings that follow them to their end. */
Test(rng, bernoulli_follows_the_digits_to_the_end)
{
	static struct rng r;
	uint64_t d = (UINT64_MAX >> 1) - 24, n = d / 7 * 3, rest = n;
	size_t i;

	for (i = 0; i < 40; i++) {	/* 40 digits, then one off by one */
		r.buf[i] = (unsigned char)(((u128)rest << 8) / d);
		rest = (uint64_t)(((u128)rest << 8) % d);
	}
	for (i = 0; i < 40; i++) {
		unsigned char q = r.buf[i];

		if (q > 0) {
			r.buf[i] = (unsigned char)(q - 1);
			r.next = 0;
			cr_assert(rng_bernoulli(&r, n, d));
			cr_assert_eq(r.next, i + 1);
		}
		if (q < 255) {
			r.buf[i] = (unsigned char)(q + 1);
			r.next = 0;
			cr_assert_not(rng_bernoulli(&r, n, d));
			cr_assert_eq(r.next, i + 1);
		}
		r.buf[i] = q;
	}
}

Test(rng, wiping_forgets_the_bytes_and_the_state)
{
	static const unsigned char zero[RNG_BUFFER];
	static struct rng r;

	rng_seeded(&r, 1, "wipe");
	rng_byte(&r);
	rng_wipe(&r);
	cr_assert(memcmp(r.buf, zero, sizeof(zero)) == 0);
	cr_assert(r.pcg.state == 0 && r.pcg.inc == 0);
	rng_from(&r, host_random);
	rng_byte(&r);
	rng_wipe(&r);
	cr_assert(memcmp(r.buf, zero, sizeof(zero)) == 0);
	rng_byte(&r);		/* a kernel source goes on, with new bytes */
	cr_assert(memcmp(r.buf, zero, sizeof(zero)) != 0);
}

/* What __builtin_trap() raises. */
#ifdef __aarch64__
#define TRAP_SIGNAL SIGTRAP
#else
#define TRAP_SIGNAL SIGILL
#endif

Test(rng, a_wiped_seeded_stream_gives_nothing_more, .signal = TRAP_SIGNAL)
{
	static struct rng r;

	rng_seeded(&r, 1, "wipe");
	rng_wipe(&r);
	rng_byte(&r);
}
