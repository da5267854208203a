/*
 * The options of laplace under random command lines, as in opts.c.  What an
 * operation does with them it does together with its data, so the checks up
 * to there are what is run.
 */
#include "command.h"
#include "laplace/lap.h"

static const struct tool fuzz = { .name = "fuzz", .synopsis = "", .rows = {
	{ 's', "sensitivity", "S", "" },
	{ OPT_KEYS, "keys", "FILE", "" },
	{ OPT_BINS, "bins", "A:B:W", "" },
	{ OPT_SIZE, "size", "N", "" },
	{ OPT_ESTIMATE, "estimate", NULL, "" },
} };

static void
try_lap(int which)
{
	static struct lap l;
	int c;

	(void)which;
	l = (struct lap){ .opts = OPTS_INIT(&fuzz), .out = RELEASE_INIT };
	parsed = &l.opts;
	while ((c = opts_next(&l.opts, argc, argv)) != -1)
		if (!shown(c) && c != OPT_CHECK)	/* reads, and ends */
			lap_take(&l, c);
	lap_check(&l);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	command(data, size, try_lap);
	return 0;
}
