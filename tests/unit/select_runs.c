/* select_runs: the coins of halvings, by every byte that may decide. */
/* With its coins, which are its own. */
#include "../../lib/random/select_runs.c"

#include "script.h"

#include <criterion/criterion.h>
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
