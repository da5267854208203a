/* synth: options and reading. */
#include "synth.h"

#include <stdio.h>
#include <string.h>

#include "dx/plan/plan.h"
#include "dx/plan/upward.h"
#include "dx/universe/sheet.h"
#include "counts.h"
#include "number/taint.h"
#include "random/meter.h"
#include "release/plan/report.h"
#include "synth_way.h"
#include "tool/err.h"

#define MOST_SAMPLE ((uint64_t)1 << 32)

/*
 * E over share is spent on a hidden n.  Wide intervals inherit the error of n,
 * so prefixes and ranges pay more for n.
 */
static int64_t
share_of_n(const struct synth *s)
{
	const char *w = s->u.workload;

	if (w != NULL && (strcmp(w, "prefix") == 0 || strcmp(w, "range") == 0))
		return 10;
	return 20;
}

void
synth_take(void *arg, int code)
{
	struct synth *s = arg;
	/* as the ways stand, and none: the best */
	static const char *const starts[] = { "tree", "marginals", "hist",
	    "uniform", "map", "best", NULL };

	switch (code) {
	case 'T': s->rounds = opts_count(OPTARG, 1, 1000000); break;
	case OPT_LAST: s->last = true; break;
	case OPT_REPLAY: s->replay = true; break;
	case OPT_START: s->start = ways[opts_choose(OPTARG, starts)]; break;
	case OPT_MECHANISM: s->kind = opts_mechanism(optarg); break;
	case OPT_ZEROS: s->zeros = true; break;
	case OPT_WIDE: s->wide = true; break;
	case OPT_SAMPLE: s->sample = opts_count(OPTARG, 1, MOST_SAMPLE); break;
	case OPT_TOTAL:
		s->given_total = true;
		s->total = opts_count(OPTARG, 0, UNIVERSE_RECORDS);
		break;
	case OPT_ALPHA: s->alpha = opts_part(OPTARG, false); break;
	case OPT_RECORDS: s->records = opts_count(OPTARG, 1, 1000000); break;
	case OPT_BETA: s->beta = opts_part(OPTARG, false); break;
	case OPT_PAPER: s->paper = true; break;
	case OPT_LIMIT: s->limit = rational_real(opts_positive(OPTARG)); break;
	default:
		if (!universe_take(&s->u, code))
			opts_take(&s->opts, code);
	}
}

/* Decides the neighbors, and the part of E left beside n. */
static void
set_neighbors(struct synth *s)
{
	struct opts *o = &s->opts;
	struct rational left = { share_of_n(s) - 1, share_of_n(s) };

	s->u.hidden = universe_hidden(&s->u);
	universe_begin(&s->u, o, o->eps);
	s->eps = (struct rational){ 1, 1 };
	if (o->eps.den > 0)
		s->eps = o->eps;
	if (s->u.hidden && !s->given_total &&
	    !rational_mul(&s->eps, s->eps, left))
		err_die(STATUS_USAGE, "--epsilon has too many digits");
}

static void
note_budget(struct synth *s)
{
	struct report *r = &s->report;
	char total[REPORT_NOTE] = "n, the number of records, is public";
	const char *c = "max |q_i - q_j| / (E d(i,j)) over elements i, j";

	if (s->u.hidden && s->given_total)
		snprintf(total, sizeof(total), "the number of records is "
		    "hidden and taken to be --total");
	else if (s->u.hidden)
		snprintf(total, sizeof(total), "the number of records is "
		    "hidden: %d %% of E releases it with noise",
		    (int)(100 / share_of_n(s)));
	report_note(r, "metric", "%s", s->u.metric);
	report_note(r, "budget", "%s; %s", universe_budget(&s->u), total);
	if (s->u.presence.num > 0)
		c = "the largest of its width / 2ER and |q_i - q_j| / (E "
		    "d(i,j)) over elements i, j, of answers less half the "
		    "width for each record";
	else if (s->u.hidden)
		c = "its width / 2E, of answers less half the width for each "
		    "record";
	report_note(r, "c", "%sof each query: %s", s->paper ? "one for all, "
	    "the largest " : "", c);
}

/* Options alone decide: nothing may end the tool once the records are read. */
static void
check_digits(const struct synth *s)
{
	uint64_t most = s->given_total ? s->total : UNIVERSE_RECORDS;

	if ((i128)most * fixed_pow10(synth_digits(s)) > FIXED_MAX)
		err_die(STATUS_USAGE, "--digits: too many for %llu records, as "
		    "there may be: 6 without --total N",
		    (unsigned long long)most);
}

void
synth_check(void *arg)
{
	struct synth *s = arg;
	struct opts *o = &s->opts;
	struct report *r = &s->report;

	s->u.o = o;
	set_neighbors(s);
	if (o->own_column != NULL)
		s->shift = SYNTH_SHIFT;
	o->op.own_weight = true;
	o->op.parts = (uint64_t)1 << SYNTH_SHIFT;
	r->opts = o;
	r->digits = -1;
	opts_file(o, 0);
	opts_check(o);
	if ((o->format == FORMAT_JSON || o->format == FORMAT_TSV) &&
	    !o->explain)
		err_die(STATUS_USAGE, "the output is always CSV: no -f %s",
		    o->format == FORMAT_JSON ? "json" : "tsv");
	s->u.public_only = o->explain;
	s->u.keep = true;
	if (s->u.metric == NULL)
		s->u.metric = "discrete";
	universe_check(&s->u);
	check_digits(s);
	if (o->own_column != NULL && (s->u.domain == NULL ||
	    !universe_discrete(&s->u)))
		err_die(STATUS_USAGE, "--epsilon-column is for raw records: it "
		    "needs --domain, and no metric but discrete");
	r->eps = o->eps;
	r->metric = s->u.metric;
	r->domain = s->u.domain;
}

/* --explain looks at a public universe first. */
bool
synth_waits(const void *arg)
{
	const struct synth *s = arg;

	return s->opts.explain && s->u.domain != NULL && !synth_is_wide(s);
}

static void
check_names(const struct synth *s)
{
	for (size_t i = 0; i < s->u.kept.n; i++)
		if (strcmp(sheet_name(&s->u.base, s->u.kept.at[i]),
		    "count") == 0)
			err_die(STATUS_INPUT, "a column of the universe is "
			    "named count, as the one to write (name others by "
			    "-c)");
}

void
synth_open(struct synth *s)
{
	universe_open(&s->u);
	if (s->sample == 0)
		check_names(s);
	universe_read(&s->u);
	universe_queries(&s->u, WORKLOAD_MOST);
	universe_bear(&s->u);
}

/*
 * A public total that is not met is told; with a ledger such data become data
 * without records, as those of all neighbours do.
 */
void
synth_count(void *arg)
{
	struct synth *s = arg;
	u128 sum = 0;

	universe_count(&s->u);
	for (size_t i = 0; i < s->u.n; i++)
		sum += s->u.count[i];
	taint_public_if(!s->u.hidden, sum);
	s->n = (uint64_t)sum;
	if (!s->given_total || s->u.hidden || sum == s->total)
		return;
	if (s->opts.charge.ledger == NULL)
		err_die(STATUS_INPUT, "the counts do not add up to --total "
		    "%llu", (unsigned long long)s->total);
	memset(s->u.count, 0, s->u.n * sizeof(*s->u.count));
	s->n = 0;
}

/* The noise of the number of records, from options alone. */
static void
synth_total_scale(const struct synth *s, struct scale *t)
{
	struct rational c = { (i128)share_of_n(s) << s->shift, 1 };

	if (!upward_div(&c, c, synth_presence(s)) ||
	    !upward_div(&c, c, s->opts.eps) || !plan_noise(c, 0, t))
		err_die(STATUS_USAGE, "--epsilon has too many digits");
}

void
synth_plan(void *arg)
{
	struct synth *s = arg;
	struct scale t;

	note_budget(s);
	if (s->u.hidden && !s->given_total && s->opts.eps.den > 0)
		synth_total_scale(s, &t);
}

void
synth_total(struct synth *s)
{
	i128 m = (i128)s->n, one = (i128)1 << s->shift;
	struct scale t;

	if (s->u.hidden && s->given_total)
		return;
	s->variance = 0;
	if (s->u.hidden && !s->opts.non_private) {
		synth_total_scale(s, &t);
		m = METER_NOISY(m + noise_laplace(&s->rng, &t), m, &t);
		s->variance = counts_variance(&t, s->shift);
	}
	m = fixed_div(m, one, FIXED_NEAREST);
	s->total = (uint64_t)fixed_clamp_wide(m, 0, UNIVERSE_RECORDS);
}

struct rng *
synth_noise(struct synth *s)
{
	return s->opts.non_private ? NULL : &s->rng;
}

bool
synth_coarser(struct synth *s, int64_t *most)
{
	*most /= 10;
	if (*most < 100 || !workload_has(&s->u.w, WORKLOAD_DENSE))
		return false;
	universe_queries(&s->u, *most);
	synth_scale(s);
	return true;
}
