/* synth: options and reading. */
#include "synth.h"

#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

#define MOST_SAMPLE ((uint64_t)1 << 32)

static void
take_mechanism(struct synth *s, const char *arg)
{
	if (strcmp(arg, "permute-and-flip") == 0)
		s->kind = SELECT_FLIP;
	else if (strcmp(arg, "exponential") == 0)
		s->kind = SELECT_EXPONENTIAL;
	else
		die(STATUS_USAGE, "--mechanism '%s' is not permute-and-flip "
		    "or exponential", arg);
}

static void
take_start(struct synth *s, const char *arg)
{
	if (strcmp(arg, "hist") == 0 || strcmp(arg, "histogram") == 0)
		s->start = SYNTH_HISTOGRAM;
	else if (strcmp(arg, "marginals") == 0)
		s->start = SYNTH_MARGINALS;
	else if (strcmp(arg, "tree") == 0)
		s->start = SYNTH_TREE;
	else if (strcmp(arg, "uniform") == 0)
		s->start = SYNTH_UNIFORM;
	else if (strcmp(arg, "best") == 0)
		s->start = SYNTH_BEST;
	else
		die(STATUS_USAGE, "--start '%s' is not best, hist, marginals, "
		    "tree or uniform", arg);
}

static struct rational
below_one(const char *name, const char *arg)
{
	struct rational x = opts_positive(name, arg);

	if (x.num >= x.den)
		die(STATUS_USAGE, "%s '%s' is not between 0 and 1", name, arg);
	return x;
}

void
synth_take(struct synth *s, int code)
{
	switch (code) {
	case OPT_TOTAL:
		s->given_total = true;
		s->total = opts_count("--total", optarg, 0,
		    UNIVERSE_RECORDS);
		break;
	case OPT_ALPHA:
		s->has_alpha = true;
		s->alpha = below_one("--alpha", optarg);
		break;
	case OPT_RECORDS:
		s->records = opts_count("--records", optarg, 1, 1000000);
		break;
	case OPT_BETA:
		s->beta = below_one("--beta", optarg);
		break;
	case OPT_LIMIT:
		s->limit = rational_real(opts_positive("--limit", optarg));
		break;
	case 'T':
		s->rounds = opts_count("-T", optarg, 1, 1000000);
		break;
	case OPT_AVERAGE: s->average = true; break;
	case OPT_LAST: s->last = true; break;
	case OPT_REPLAY: s->replay = true; break;
	case OPT_PAPER: s->paper = true; break;
	case OPT_START: take_start(s, optarg); break;
	case OPT_MECHANISM: take_mechanism(s, optarg); break;
	case OPT_SAMPLE:
		s->sample = opts_count("--sample", optarg, 1, MOST_SAMPLE);
		break;
	default:
		if (!universe_take(&s->u, code))
			opts_take(&s->opts, code);
	}
}

/*
 * [KPAK20 Algorithm 2] as it stands is rounds from equal counts, each
 * measurement used once, and their mean, which leaves out the last.
 */
static void
check_rounds(struct synth *s)
{
	bool asked = s->paper || s->average || s->last || s->rounds > 0;

	if (s->average && s->last)
		die(STATUS_USAGE, "--average and --last exclude each other");
	if (s->paper && (s->last || s->replay))
		die(STATUS_USAGE, "--paper is the mean of the rounds, each "
		    "measurement used once: no --last or --replay with it");
	if (s->paper && s->rounds == 1)
		die(STATUS_USAGE, "--paper leaves the last round out of the "
		    "mean: with -T 1 it would write equal counts for the whole "
		    "budget (give 2 rounds or more)");
	if (asked && s->start == SYNTH_HISTOGRAM)
		die(STATUS_USAGE, "--start hist spends the whole budget on "
		    "the counts of all cells: there are no rounds");
	if (asked && s->start == SYNTH_MARGINALS)
		die(STATUS_USAGE, "--start marginals spends the whole budget "
		    "on counts of marginals: there are no rounds");
	if (asked && s->start == SYNTH_TREE)
		die(STATUS_USAGE, "--start tree spends the whole budget on "
		    "counts of intervals: there are no rounds");
	if (asked)
		s->start = SYNTH_UNIFORM;
	s->replay = !s->paper;
}

void
synth_check(struct synth *s)
{
	struct opts *o = &s->opts;
	struct report *r = &s->report;

	universe_neighbors(o);
	r->opts = o;
	r->digits = -1;
	opts_check(o);
	if ((o->format == FORMAT_JSON || o->format == FORMAT_TSV) &&
	    !o->explain)
		die(STATUS_USAGE, "the output is always CSV: no -f %s",
		    o->format == FORMAT_JSON ? "json" : "tsv");
	s->u.o = o;
	s->u.public_only = o->explain;
	s->u.keep = true;
	if (s->u.metric == NULL)
		s->u.metric = "discrete";
	universe_check(&s->u);
	check_rounds(s);
	r->has_eps = o->has_eps;
	r->eps = o->eps;
	r->metric = s->u.metric;
	report_note(r, "metric", "%s", s->u.metric);
	report_note(r, "budget", "E d(i,j) for a record moved from element i "
	    "to element j; n, the number of records, is public");
	report_note(r, "c", "of each query: max |q_i - q_j| / (E d(i,j)) over "
	    "elements i, j");
	if (o->explain)
		report_explain(r);
}

void
synth_open(struct synth *s)
{
	if (!s->opts.check)
		release_prepare(&s->out, &s->report);
	universe_open(&s->u);
	for (size_t i = 0; i < s->u.of_kept && s->sample == 0; i++) {
		size_t at = s->u.all - s->u.counted - s->u.of_kept + i;

		if (strcmp(table_name(s->u.table, s->u.cols[at]), "count") ==
		    0)
			die(STATUS_INPUT, "a column of the universe is named "
			    "count, as the one to write (name others by -c)");
	}
	universe_read(&s->u);
	universe_queries(&s->u, WORKLOAD_MOST);
	opts_rng(&s->opts, &s->rng);
}

void
synth_count(struct synth *s)
{
	u128 sum = 0;

	universe_count(&s->u);
	if (s->opts.check)
		exit(s->u.problems > 0 ? STATUS_INPUT : STATUS_OK);
	for (size_t i = 0; i < s->u.n; i++)
		sum += s->u.count[i];
	if (s->given_total && sum != s->total)
		die(STATUS_INPUT, "the counts do not add up to --total %llu",
		    (unsigned long long)s->total);
	s->total = (uint64_t)sum;
}

bool
synth_coarser(struct synth *s, int64_t *most)
{
	*most /= 10;
	if (*most < 100)
		return false;
	universe_queries(&s->u, *most);
	return true;
}
