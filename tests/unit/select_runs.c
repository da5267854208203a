/* select_runs: the coins of halvings, by every byte that may decide. */
/* With its coins, which are its own. */
#include "../../lib/random/select_runs.c"

#include "script.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* Of 256 last bytes behind `bytes', how many are heads, how many undecided. */
static unsigned
heads_of(const unsigned char *bytes, size_t n, unsigned *undecided)
{
	static struct rng r;
	volatile unsigned yes = 0;

	*undecided = 0;
	for (volatile unsigned c = 0; c < 256; c++) {
		r.refill = script_refill;
		r.next = RNG_BUFFER - n - 1;
		memcpy(r.buf + r.next, bytes, n);
		r.buf[RNG_BUFFER - 1] = (unsigned char)c;
		if (setjmp(script_end) != 0)
			++*undecided;
		else
			yes += excess_coin(&r);
	}
	return yes;
}

/*
 * 1/30, then k from 4 on by fair coins, then 1 - 15/(4 k): to every byte.  The
 * byte of a digit alone may leave the last coin open.
 */
Test(select_runs, the_coin_of_the_excess_byte_by_byte)
{
	unsigned char bytes[40] = { 0 };
	unsigned yes, open;
	struct rng r;

	for (unsigned k = 4; k < 40; k++) {
		yes = heads_of(bytes, k - 2, &open);
		cr_assert(open <= 1 && yes * 4 * k <= 256 * (4 * k - 15) &&
		    256 * (4 * k - 15) <= (yes + open) * 4 * k, "%u", k);
		bytes[k - 3] = 1;
	}
	/* 1/30 is 8 + 136/256 + ... in 256ths; then an even byte, then 1/16 */
	for (unsigned c = 0; c < 2 * 256; c++) {
		r.next = 0;
		memset(r.buf, 0, sizeof(r.buf));
		r.buf[0] = c < 256 ? (unsigned char)c : 8;
		r.buf[c / 256] = (unsigned char)c;
		r.buf[2 + c / 256] = 255;
		cr_assert(c == 8 || c == 256 + 136 || excess_coin(&r) ==
		    (c < 256 ? c < 8 : c < 256 + 136), "%u", c);
	}
}

/* exp(-0.7)/2 by the series: excess coins, and behind each a coin 1/k. */
Test(select_runs, the_coin_of_a_halving_stops_where_its_series_does)
{
	static const struct {
		unsigned char bytes[10];
		unsigned taken;
		bool yes;
	} runs[] = {
		{ { 255 }, 1, true },			/* no excess */
		{ { 0, 0, 255, 255 }, 4, false },	/* one, then not 1/2 */
		{ { 0, 0, 255, 0, 255 }, 5, false },	/* one, then none */
		{ { 0, 0, 255, 0, 0, 0, 255, 86 }, 8, true },	/* not 1/3 */
		{ { 0, 0, 255, 0, 0, 0, 255, 84, 255 }, 9, true },
	};
	struct rng r;

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		memcpy(r.buf, runs[i].bytes, sizeof(runs[i].bytes));
		r.next = 0;
		cr_expect_eq(halving_coin(&r), runs[i].yes, "%zu", i);
		cr_expect_eq(r.next, runs[i].taken, "%zu", i);
	}
}

/* Gaps and scales 2^k times as large have the same coins, by the same bytes. */
Test(select_runs, a_coin_is_the_same_on_every_scale)
{
	for (uint64_t seed = 0; seed < 400; seed++) {
		bool was = false, yes;

		for (int k = 0; k < 59; k++) {
			struct select_run run = { .count = 1,
			    .gap = (u128)(seed % 90) << k };
			struct select_runs s = { .run = &run, .n = 1,
			    .t = { (uint64_t)1 << k, 1 } };
			struct rng r;

			select_runs_init(&s);
			rng_seeded(&r, seed, "scale");
			yes = rest_coin(&s, (struct select_place){ 0 }, &r);
			cr_assert(k == 0 || yes == was, "%d", k);
			was = yes;
			select_runs_free(&s);
		}
	}
}

/* Each copy of a candidate has marks of its own. */
Test(select_runs, every_copy_is_proposed_as_often_as_another)
{
	struct select_run run = { .count = 1, .copies = 2 };
	struct select_runs s = { .run = &run, .n = 1, .t = { 1, 1 } };
	struct walk w = { .s = &s, .b = 1 };
	unsigned seen[4] = { 0 }, all = 0;
	struct mark mark;
	struct rng r;

	select_runs_init(&s);
	while (bits_of(TOTAL(&s)) > scale_bits(&w))
		w.b++;
	rng_seeded(&r, 1, "copies");
	for (int i = 0; i < 100000; i++)
		if (propose(&w, &r, &mark)) {
			seen[mark.copy]++;
			all++;
		}
	cr_assert_gt(all, 1000);
	for (int i = 0; i < 4; i++)
		cr_assert_float_eq(seen[i], all / 4.0, 4 * sqrt(all));
	select_runs_free(&s);
}
