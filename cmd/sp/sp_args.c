/* sp_args: S and the centers, from -s and -m or from a range and a size. */
#include "sp.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

/* CENTER, or A,B where the tool releases pairs. */
static void
take_center(struct sp *sp, const char *arg)
{
	const char *comma = sp->may_pair ? strchr(arg, ',') : NULL;
	char *first;

	sp->has_center = true;
	sp->parts = 1;
	if (comma == NULL) {
		sp->center_arg[0] = opts_rational("--center", arg);
		return;
	}
	first = err_alloc(NULL, (size_t)(comma - arg) + 1, 1);
	memcpy(first, arg, (size_t)(comma - arg));
	first[comma - arg] = '\0';
	sp->center_arg[0] = opts_rational("--center", first);
	sp->center_arg[1] = opts_rational("--center", comma + 1);
	sp->parts = 2;
	free(first);
}

void
sp_take(struct sp *sp, int code)
{
	switch (code) {
	case 's':
		sp->sens_arg = opts_positive("--sensitivity", optarg);
		sp->has_sens = true;
		break;
	case 'm':
		take_center(sp, optarg);
		break;
	case OPT_SIZE:
		sp->size = opts_count("--size", optarg, 1,
		    (uint64_t)INTAKE_WEIGHT);
		break;
	case OPT_SENS_COLUMN:
		sp->sens_column = optarg;
		break;
	case OPT_EPS_COLUMN:
		sp->eps_column = optarg;
		break;
	case OPT_LEVEL:
		sp->level_arg = opts_epsilon("--epsilon-level", optarg);
		sp->has_level = true;
		break;
	default:
		opts_take(&sp->opts, code);
	}
}

/*
 * S = (B - A)/N, or its square over N; center = (A + B)/2.  Two ranges stand
 * for a pair, whose S is the sum of both.
 */
static void
from_size(struct sp *sp)
{
	struct rational n, two, width, sum = { 0, 1 };
	size_t c;
	bool ok;

	if (sp->opts.nranges == 0)
		die(STATUS_USAGE, "--size needs --range");
	if (sp->has_sens || sp->has_center)
		die(STATUS_USAGE, "--size sets the sensitivity and center: "
		    "no -s or -m with it");
	sp->parts = sp->opts.nranges;
	ok = rational_make(&n, (i128)sp->size, 1) && rational_make(&two, 2, 1);
	for (c = 0; c < sp->parts; c++) {
		const struct range *r = opts_range(&sp->opts, c);

		ok = ok && rational_sub(&width, r->hi, r->lo) &&
		    rational_add(&sum, sum, width) &&
		    rational_add(&sp->center_arg[c], r->lo, r->hi) &&
		    rational_div(&sp->center_arg[c], sp->center_arg[c], two);
	}
	ok = ok && rational_div(&sp->sens_arg, sum, n) &&
	    (!sp->squared || rational_mul(&sp->sens_arg, sp->sens_arg, sum));
	if (!ok)
		die(STATUS_USAGE, "--range and --size: too many digits");
}

void
sp_arguments(struct sp *sp)
{
	if (sp->opts.noperands > 0 && !sp->command)
		die(STATUS_USAGE, "unexpected operand '%s' (the data come on "
		    "standard input)", sp->opts.operands[0]);
	if (sp->opts.nranges > (sp->may_pair ? 2 : 1))
		die(STATUS_USAGE, "more ranges than %s",
		    sp->may_pair ? "two numbers take" : "one column takes");
	if (sp->size > 0)
		from_size(sp);
	else if (!sp->has_sens)
		die(STATUS_USAGE, "no sensitivity given (-s S, or --range "
		    "with --size)");
	else if (!sp->has_center && !sp->squared)
		die(STATUS_USAGE, "no center given (-m CENTER, or --range "
		    "with --size)");
	if (sp->parts == 0)
		sp->parts = 1;
	if (sp->opts.nranges > sp->parts)
		die(STATUS_USAGE, "two ranges need two centers (-m A,B)");
}
