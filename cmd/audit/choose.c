/*
 * choose: the events that best tell two samples of outputs apart.
 *
 * The choice does not bear on the result's confidence: events chosen from the
 * first halves are tested on the second halves.
 */
#include "event.h"

#include <math.h>
#include <stdlib.h>

#include "number/sort.h"
#include "tool/err.h"

#define CUTS 64		/* thresholds for a feature */
#define COMMON 256	/* a feature's common values, at most */

/* A feature in the choosing samples, sorted; NANs are only counted. */
struct sorted {
	double *x;
	size_t n, all;
};

struct chooser {
	struct sorted side[2];
	double alpha, z;
	struct pick *choice;	/* left over right; right over left */
};

/* An end of Wilson's interval for k hits in n: quick, and about right. */
static double
wilson(double k, double n, double z)
{
	return (k + z * z / 2 + z * sqrt(k * (n - k) / n + z * z / 4)) /
	    (n + z * z);
}

static double
guess_loss(const struct chooser *j, size_t more, size_t less)
{
	double n = (double)j->side->all, lo, hi;

	if (more == 0)
		return 0;
	lo = wilson((double)more, n, -j->z);
	hi = -log(j->alpha) / n;
	if (less > 0)
		hi = wilson((double)less, n, j->z);
	return lo > 0 && hi < 1 ? log(lo / hi) : 0;
}

/* Keeps the best two. */
static void
choose_offer(struct pick *c, const struct event *e, double score)
{
	int at = AUDIT_TESTS - 1;

	if (!(score > c->score[at]))
		return;
	if (score > c->score[0]) {
		c->score[at] = c->score[0];
		c->event[at] = c->event[0];
		at = 0;
	}
	c->score[at] = score;
	c->event[at] = *e;
}

static size_t
hits(const struct sorted *s, const struct event *e)
{
	size_t upto = sort_count(s->x, s->n, e->at, true);
	size_t below = sort_count(s->x, s->n, e->at, false);
	const size_t count[] = { [EVENT_AT_MOST] = upto,
	    [EVENT_AT_LEAST] = s->n - below, [EVENT_EQUAL] = upto - below,
	    [EVENT_MISSING] = s->all - s->n };

	return count[e->kind];
}

/* Scores an event on the choosing samples, in two directions. */
static void
try_event(struct chooser *j, enum event_kind kind, int feature, double at)
{
	struct event e = { kind, feature, at };
	size_t l = hits(&j->side[0], &e), r = hits(&j->side[1], &e);

	choose_offer(&j->choice[0], &e, guess_loss(j, l, r));
	choose_offer(&j->choice[1], &e, guess_loss(j, r, l));
}

/* Events on values that many samples of a side have. */
static void
try_common(struct chooser *j, int feature, const struct sorted *s)
{
	for (size_t i = 0, len; i < s->n; i += len) {
		len = sort_count(s->x, s->n, s->x[i], true) - i;
		if (len > 1 && len * COMMON >= s->n)
			try_event(j, EVENT_EQUAL, feature, s->x[i]);
	}
}

/*
 * Thresholds at even quantiles of a side and, towards the two ends, ever rarer
 * thresholds.
 */
static void
try_cuts(struct chooser *j, int feature, const struct sorted *s)
{
	double last = (double)NAN, at;

	for (size_t i = 0; i < CUTS; i++) {
		at = s->x[(s->n - 1) * i / (CUTS - 1)];
		if (at > last || at < last || isnan(last)) {
			try_event(j, EVENT_AT_MOST, feature, at);
			try_event(j, EVENT_AT_LEAST, feature, at);
		}
		last = at;
	}
	for (size_t tail = s->n / CUTS; tail > 1; tail /= 2) {
		try_event(j, EVENT_AT_MOST, feature, s->x[tail]);
		try_event(j, EVENT_AT_LEAST, feature, s->x[s->n - 1 - tail]);
	}
}

static void
try_feature(struct chooser *j, int f)
{
	try_event(j, EVENT_MISSING, f, 0);
	for (int k = 0; k < 2; k++)
		try_common(j, f, &j->side[k]);
	for (int k = 0; k < 2; k++)
		if (f != F_TEXT && j->side[k].n > 0)
			try_cuts(j, f, &j->side[k]);
}

void
audit_choose(struct side side[2], double alpha, struct pick choice[2])
{
	size_t half = side->n / 2;
	struct chooser j = { .alpha = alpha, .z = sqrt(-2 * log(alpha)),
	    .choice = choice };

	choice[0] = (struct pick){ .score = { 0 } };
	choice[1] = choice[0];
	for (int k = 0; k < 2; k++)
		j.side[k].x = err_alloc(NULL, half, sizeof(*j.side->x));
	for (int f = 0; f < AUDIT_FEATURES; f++) {
		if (side[0].col[f] == NULL && side[1].col[f] == NULL)
			continue;
		for (int k = 0; k < 2; k++) {
			struct sorted *s = &j.side[k];

			s->all = half;
			s->n = side_values(&side[k], f, half, s->x);
			qsort(s->x, s->n, sizeof(*s->x), sort_rising);
		}
		try_feature(&j, f);
	}
	free(j.side[0].x);
	free(j.side[1].x);
}
