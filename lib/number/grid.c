/* grid: the public decimal grid of a release. */
#include "grid.h"

static void
at_least(struct grid *g, int digits)
{
	if (g->digits >= 0 && g->digits < digits)
		g->digits = digits;
}

void
grid_limit(struct grid *g, struct rational limit, uint64_t parts)
{
	struct rational step;
	int k;

	/* 10^-k <= limit / parts, as parts 10^-k <= limit */
	for (k = 0; k <= FIXED_DIGITS; k++)
		if (rational_make(&step, (i128)parts, fixed_pow10(k)) &&
		    rational_cmp(step, limit) <= 0)
			break;
	if (k > FIXED_DIGITS)
		g->digits = -1;
	at_least(g, k);
}

void
grid_hold(struct grid *g, struct rational x)
{
	at_least(g, rational_digits(x));
}
