/* synth_mwem: the rounds of mwem on what was read. */
#include <math.h>
#include <stdlib.h>

#include "tool/progress.h"
#include "synth.h"
#include "tool/err.h"

#define REPLAYS 20
#define MOST_ROUNDS 200

/*
 * [KPAK20 Theorem 8] The number of rounds at which the two terms of the error
 * bound, 2n sqrt(log N / T) and 10 c T log |Q|, are equal; between 1 and
 * MOST_ROUNDS.  With replays each measurement is used up and fewer do: the
 * square root in place of the power 2/3, which suits experiments.
 */
static uint64_t
rounds(const struct synth *s)
{
	double n = (double)s->total, k = (double)s->u.w.k + 1, t;
	double c = (double)s->c.num / (double)s->c.den;

	t = n * sqrt(log((double)s->u.n)) / (5 * c * log(k));
	t = ceil(pow(t, s->replay ? 0.5 : 2.0 / 3));
	return !(t >= 1) ? 1 : t > MOST_ROUNDS ? MOST_ROUNDS : (uint64_t)t;
}

/* The grid of the answers, and the two scales on it. */
static void
settle(struct synth *s, struct mwem *a)
{
	int64_t most = WORKLOAD_MOST;

	a->w = &s->u.w;
	a->total = s->total;
	while (!mwem_grid(a))
		if (!synth_coarser(s, &most))
			die(STATUS_INPUT, "the answers do not fit 60 bits");
	synth_scale(s);
	if (s->rounds == 0)
		s->rounds = rounds(s);
	a->rounds = s->rounds;
	if (!synth_steps(s, 2 * s->rounds, a->digits, &a->noise))
		die(STATUS_INPUT, "the scale has too many digits");
	while (!synth_steps(s, (4 * s->rounds) << a->shift, a->digits,
	    &a->pick))
		if (a->shift-- == 0)
			die(STATUS_INPUT, "the scale has too many digits");
}

static void
describe(struct synth *s, const struct mwem *a)
{
	struct report *r = &s->report;

	r->digits = a->digits;
	r->has_scale = true;
	report_scale(r, &a->noise, r->digits);
	r->digits = synth_digits(s);
	report_note(r, "rounds", "%llu", (unsigned long long)s->rounds);
	report_note(r, "queries", "%zu of %zu elements", s->u.w.k, s->u.n);
	/* and what was read, and what will be written */
	report_note(r, "memory", "about %.0f MB", 1 +
	    (mwem_memory(a->w, s->rounds) + 16 * (double)s->u.n *
	    (double)(s->u.all + s->u.of_kept + 4)) / 1e6);
	if (s->opts.verbose)
		report_verbose(r);
}

static void
release(struct synth *s, struct mwem *a, uint64_t rel)
{
	double *y = err_alloc(NULL, s->u.n, sizeof(*y));
	i128 *count = err_alloc(NULL, s->u.n, sizeof(*count));
	size_t t;

	mwem_restart(a);
	for (t = 0; t < a->rounds; t++) {
		progress_show("mwem", ((double)(rel - 1) + (double)t /
		    (double)a->rounds) / (double)s->opts.repeat);
		if (!mwem_round(a, &s->rng))
			die(STATUS_INPUT, "out of memory");
	}
	mwem_result(a, y);
	if (s->sample > 0)
		synth_draws(s, rel, y);
	else {
		synth_round(s, y, count);
		synth_counts(s, rel, count);
	}
	free(count);
	free(y);
}

void
synth_mwem(struct synth *s)
{
	struct mwem a = { .kind = s->kind, .average = !s->last,
	    .replays = s->replay ? REPLAYS : 0,
	    .exact = s->opts.non_private };
	uint64_t rel;

	synth_open(s);
	synth_count(s);
	settle(s, &a);
	describe(s, &a);
	if (!mwem_open(&a, s->u.count))
		die(STATUS_INPUT, "out of memory");
	synth_header(s, s->sample > 0 ? NULL : "count");
	for (rel = 1; rel <= s->opts.repeat; rel++)
		release(s, &a, rel);
	mwem_close(&a);
	synth_end(s);
}
