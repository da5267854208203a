/*
 * audit: from two samples of outputs to a lower bound on epsilon.
 *
 * The runs are split.  On the first halves every candidate event is scored by
 * about the bound it would give; the best are fixed, TESTS in each direction:
 * two about single features and one about each learned score (those are
 * learned on the first quarters and their thresholds chosen on the second).
 * On the second halves, which had no part in that choice, each test compares
 * a lower bound of one probability with an upper bound of the other, each
 * wrong with probability at most error / (4 TESTS): by the union bound all
 * 2 TESTS comparisons hold at once with probability at least 1 - error.
 *
 * What is assumed: runs are independent and alike.  Outputs that depend on
 * the time of day, or on earlier runs, are outside the guarantee.
 */
#include "audit.h"

#include <math.h>
#include <stdlib.h>

#include "audit_event.h"
#include "err.h"

enum slot { SLOT_BEST, SLOT_SECOND, SLOT_JOINT, SLOT_WORDS, TESTS };

#define CUTS 64		/* thresholds of one feature */
#define COMMON 16	/* most frequent values of one feature */

/* The best events of one direction. */
struct choice {
	struct event event[TESTS];
	double score[TESTS];
};

/* One feature of the samples that choose, sorted; NANs are counted only. */
struct sorted {
	double *x;
	size_t n, all;
};

struct judge {
	struct side left, right;	/* first halves, then second halves */
	struct sorted l, r;
	double alpha, z;
	struct choice choice[2];	/* left over right; right over left */
};

static double
ratio(uint64_t more, uint64_t less, size_t n, double alpha)
{
	if (more == 0)
		return 0;
	return log(audit_lower(more, n, alpha) / audit_upper(less, n, alpha));
}

/* One end of Wilson's interval for k hits in n: quick, and about right. */
static double
wilson(double k, double n, double z)
{
	return (k + z * z / 2 + z * sqrt(k * (n - k) / n + z * z / 4)) /
	    (n + z * z);
}

static double
guess(const struct judge *j, uint64_t more, uint64_t less)
{
	double n = (double)j->l.all, lo, hi;

	if (more == 0)
		return 0;
	lo = wilson((double)more, n, -j->z);
	hi = less > 0 ? wilson((double)less, n, j->z) : -log(j->alpha) / n;
	return lo > 0 && hi < 1 ? log(lo / hi) : 0;
}

static void
offer(struct choice *c, const struct event *e, double score)
{
	int at = e->feature == F_JOINT ? SLOT_JOINT :
	    e->feature == F_WORDS ? SLOT_WORDS : SLOT_SECOND;

	if (!(score > c->score[at]))
		return;
	if (at == SLOT_SECOND && score > c->score[SLOT_BEST]) {
		c->score[at] = c->score[SLOT_BEST];
		c->event[at] = c->event[SLOT_BEST];
		at = SLOT_BEST;
	}
	c->score[at] = score;
	c->event[at] = *e;
}

/* How many of the sorted values are below x, or at most x. */
static size_t
below(const struct sorted *s, double x, bool equal)
{
	size_t lo = 0, hi = s->n, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->x[mid] < x || (equal && !(s->x[mid] > x)))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static uint64_t
hits(const struct sorted *s, const struct event *e)
{
	switch (e->kind) {
	case EVENT_AT_MOST:
		return below(s, e->at, true);
	case EVENT_AT_LEAST:
		return s->n - below(s, e->at, false);
	case EVENT_EQUAL:
		return below(s, e->at, true) - below(s, e->at, false);
	default:
		return s->all - s->n;
	}
}

/* Scores an event on the samples that choose, in both directions. */
static void
try_event(struct judge *j, enum event_kind kind, int feature, double at)
{
	struct event e = { kind, feature, at };
	uint64_t l = hits(&j->l, &e), r = hits(&j->r, &e);

	offer(&j->choice[0], &e, guess(j, l, r));
	offer(&j->choice[1], &e, guess(j, r, l));
}

static int
order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
sort_side(struct sorted *s, const struct side *side, int feature, size_t from,
    size_t to)
{
	const double *x = side->col[feature];
	size_t i;

	s->n = 0;
	s->all = to - from;
	for (i = from; x != NULL && i < to; i++)
		if (!isnan(x[i]))
			s->x[s->n++] = x[i];
	qsort(s->x, s->n, sizeof(*s->x), order);
}

/* Events on the most frequent values of one side. */
static void
try_common(struct judge *j, int feature, const struct sorted *s)
{
	double value[COMMON];
	size_t size[COMMON] = { 0 }, i, len;
	int at;

	for (i = 0; i < s->n; i += len) {
		len = below(s, s->x[i], true) - i;
		at = COMMON - 1;
		if (len < 2 || len <= size[at])
			continue;
		for (; at > 0 && len > size[at - 1]; at--) {
			size[at] = size[at - 1];
			value[at] = value[at - 1];
		}
		size[at] = len;
		value[at] = s->x[i];
	}
	for (at = 0; at < COMMON && size[at] > 0; at++)
		try_event(j, EVENT_EQUAL, feature, value[at]);
}

/*
 * Thresholds at even quantiles of one side and, towards both ends, ever rarer
 * ones.
 */
static void
try_cuts(struct judge *j, int feature, const struct sorted *s)
{
	size_t i, tail;
	double last = NAN, at;

	for (i = 0; i < CUTS; i++) {
		at = s->x[(s->n - 1) * i / (CUTS - 1)];
		if (at > last || at < last || isnan(last)) {
			try_event(j, EVENT_AT_MOST, feature, at);
			try_event(j, EVENT_AT_LEAST, feature, at);
		}
		last = at;
	}
	for (tail = s->n / CUTS; tail > 1; tail /= 2) {
		try_event(j, EVENT_AT_MOST, feature, s->x[tail]);
		try_event(j, EVENT_AT_LEAST, feature, s->x[s->n - 1 - tail]);
	}
}

static void
try_feature(struct judge *j, int f)
{
	size_t half = j->left.n / 2;
	size_t from = f == F_JOINT || f == F_WORDS ? half / 2 : 0;

	if (j->left.col[f] == NULL && j->right.col[f] == NULL)
		return;
	sort_side(&j->l, &j->left, f, from, half);
	sort_side(&j->r, &j->right, f, from, half);
	try_event(j, EVENT_MISSING, f, 0);
	try_common(j, f, &j->l);
	try_common(j, f, &j->r);
	if (f != F_TEXT && j->l.n > 0)
		try_cuts(j, f, &j->l);
	if (f != F_TEXT && j->r.n > 0)
		try_cuts(j, f, &j->r);
}

static void
search(struct judge *j)
{
	size_t half = j->left.n / 2;
	int f;

	j->l.x = err_alloc(NULL, half, sizeof(*j->l.x));
	j->r.x = err_alloc(NULL, half, sizeof(*j->r.x));
	audit_learn(&j->left, &j->right, half / 2);
	for (f = 0; f < AUDIT_FEATURES; f++)
		try_feature(j, f);
	free(j->l.x);
	free(j->r.x);
}

/* One test on the second halves. */
static void
test(const struct judge *j, int direction, const struct event *e,
    struct verdict *v)
{
	size_t n = j->left.n, half = n / 2;
	uint64_t l = event_count(e, &j->left, half, n);
	uint64_t r = event_count(e, &j->right, half, n);
	double b = direction == 0 ? ratio(l, r, n - half, j->alpha) :
	    ratio(r, l, n - half, j->alpha);

	if (!(b > v->bound))
		return;
	v->bound = b;
	v->swapped = direction == 1;
	v->left = l;
	v->right = r;
	event_words(v->event, e, &j->left, &j->right);
}

void
audit_judge(const struct sample *left, const struct sample *right, size_t n,
    double error, struct verdict *v)
{
	struct judge j = { .alpha = error / (4 * TESTS) };
	int d, i;

	j.z = sqrt(-2 * log(j.alpha));
	side_make(&j.left, left, n);
	side_make(&j.right, right, n);
	search(&j);
	*v = (struct verdict){ .event = "none", .runs = n - n / 2 };
	for (d = 0; d < 2; d++)
		for (i = 0; i < TESTS; i++)
			if (j.choice[d].score[i] > 0)
				test(&j, d, &j.choice[d].event[i], v);
	side_free(&j.left);
	side_free(&j.right);
}
