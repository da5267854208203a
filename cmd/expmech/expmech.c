/* expmech: private choice of a candidate by score. */
#include "choice.h"

static const struct tool tool = {
	.name = "expmech",
	.synopsis = "-e E -s S [option ...] < CANDIDATE,SCORE\n"
	    "       expmech -e E --keys FILE [option ...] < CSV\n"
"  the best of public candidates\n"
"example: expmech -e 0.5 -c region --keys regions.txt people.csv",
	.ask = "--keys",
	.rows = {
		{ 's', "sensitivity", "S", "most one record may move a score" },
		{ 'k', "draws", "K",
		    "draw K without replacement, each for E/K", OPEN },
		{ OPT_MONOTONIC, "monotonic", NULL,
		    "scores move one way only: no factor 2" },
		{ OPT_MECHANISM, "mechanism", "M",
		    "permute-and-flip (default), exponential", OPEN },
		{ OPT_KEYS, "keys", "FILE",
		    "public candidates, scored by count", OPEN },
		{ OPT_SCALE, "scale", "C",
		    "weight exp(E u / 2C), for a d_X budget" },
	},
	.without = { 'g', OPT_GROUPS, OPT_OTHERS, OPT_WITHIN, OPT_INTERVAL,
	    OPT_MAX_GROUPS },
};

int
main(int argc, char **argv)
{
	static struct choice e = { .opts = OPTS_INIT(&tool),
	    .out = RELEASE_INIT, .k = 1, .kind = SELECT_FLIP };
	struct run r = { RUN_OF(e), .in = &e.in, .steps = &choice_steps };

	return run(&r, argc, argv);
}
