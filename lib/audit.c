/*
 * audit: from two samples of outputs to a lower bound on epsilon.
 *
 * The runs are split.  On the first halves every candidate event is scored by
 * the bound it would give; the best TESTS in each direction are fixed.  On the
 * second halves, which had no part in that choice, each test compares a lower
 * bound of one probability with an upper bound of the other, each wrong with
 * probability at most error / (4 TESTS): by the union bound all 2 TESTS
 * comparisons hold at once with probability at least 1 - error.
 */
#include "audit.h"

#include <math.h>
#include <stdlib.h>

#include "audit_event.h"
#include "err.h"

#define TESTS 2		/* events tested in each direction */
#define CUTS 64		/* thresholds of one feature */
#define COMMON 16	/* most frequent values of one feature */

/* All samples of one side as features. */
struct side {
	struct features *f;
	size_t n;
};

/* The best events of one direction; worst of them last. */
struct choice {
	struct event event[TESTS];
	double score[TESTS];
};

struct judge {
	struct side left, right;	/* first halves, then second halves */
	double alpha;
	struct choice choice[2];	/* left over right; right over left */
};

static double
ratio(uint64_t more, uint64_t less, size_t n, double alpha)
{
	if (more == 0)
		return 0;
	return log(audit_lower(more, n, alpha) / audit_upper(less, n, alpha));
}

static uint64_t
count(const struct side *s, size_t from, size_t to, const struct event *e)
{
	uint64_t k = 0;
	size_t i;

	for (i = from; i < to; i++)
		k += event_holds(e, &s->f[i]);
	return k;
}

static void
offer(struct choice *c, const struct event *e, double score)
{
	int at = TESTS - 1;

	if (!(score > c->score[at]))
		return;
	for (; at > 0 && score > c->score[at - 1]; at--) {
		c->score[at] = c->score[at - 1];
		c->event[at] = c->event[at - 1];
	}
	c->score[at] = score;
	c->event[at] = *e;
}

/* Scores an event on the first halves, in both directions. */
static void
try_event(struct judge *j, enum event_kind kind, int feature, double at)
{
	struct event e = { kind, feature, at };
	size_t half = j->left.n / 2;
	uint64_t l = count(&j->left, 0, half, &e);
	uint64_t r = count(&j->right, 0, half, &e);

	offer(&j->choice[0], &e, ratio(l, r, half, j->alpha));
	offer(&j->choice[1], &e, ratio(r, l, half, j->alpha));
}

static int
order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The feature's values in both first halves, sorted; NANs left out. */
static size_t
pool(const struct judge *j, int feature, double *x)
{
	size_t half = j->left.n / 2, i, n = 0;

	for (i = 0; i < half; i++) {
		if (!isnan(j->left.f[i].f[feature]))
			x[n++] = j->left.f[i].f[feature];
		if (!isnan(j->right.f[i].f[feature]))
			x[n++] = j->right.f[i].f[feature];
	}
	qsort(x, n, sizeof(*x), order);
	return n;
}

/* Length of the run of values equal to x[i]. */
static size_t
run_length(const double *x, size_t i, size_t n)
{
	size_t k = i;

	while (k < n && !(x[k] > x[i]))
		k++;
	return k - i;
}

/* Events on the most frequent values. */
static void
try_common(struct judge *j, int feature, const double *x, size_t n)
{
	double value[COMMON];
	size_t size[COMMON] = { 0 }, i, len;
	int at;

	for (i = 0; i < n; i += len) {
		len = run_length(x, i, n);
		at = COMMON - 1;
		if (len < 2 || len <= size[at])
			continue;
		for (; at > 0 && len > size[at - 1]; at--) {
			size[at] = size[at - 1];
			value[at] = value[at - 1];
		}
		size[at] = len;
		value[at] = x[i];
	}
	for (at = 0; at < COMMON && size[at] > 0; at++)
		try_event(j, EVENT_EQUAL, feature, value[at]);
}

/* Thresholds at even quantiles and, towards both ends, ever rarer ones. */
static void
try_cuts(struct judge *j, int feature, const double *x, size_t n)
{
	size_t i, tail;
	double last = (double)NAN, at;

	for (i = 0; i < CUTS; i++) {
		at = x[(n - 1) * i / (CUTS - 1)];
		if (at > last || at < last || isnan(last)) {
			try_event(j, EVENT_AT_MOST, feature, at);
			try_event(j, EVENT_AT_LEAST, feature, at);
		}
		last = at;
	}
	for (tail = n / CUTS; tail > 1; tail /= 2) {
		try_event(j, EVENT_AT_MOST, feature, x[tail]);
		try_event(j, EVENT_AT_LEAST, feature, x[n - 1 - tail]);
	}
}

static void
search(struct judge *j)
{
	double *x = err_alloc(NULL, 2 * j->left.n, sizeof(*x));
	size_t n;
	int f;

	for (f = 0; f < AUDIT_FEATURES; f++) {
		n = pool(j, f, x);
		if (n == 0)
			continue;
		if (n < 2 * (j->left.n / 2))
			try_event(j, EVENT_MISSING, f, 0);
		try_common(j, f, x, n);
		if (x[0] < x[n - 1])
			try_cuts(j, f, x, n);
	}
	free(x);
}

static struct side
make_side(const struct sample *s, size_t n)
{
	struct side side = { err_alloc(NULL, n, sizeof(*side.f)), n };
	size_t i;

	for (i = 0; i < n; i++)
		features_of(&s[i], &side.f[i]);
	return side;
}

/* The tests on the second halves. */
static void
test(const struct judge *j, struct verdict *v)
{
	size_t n = j->left.n, half = n / 2, rest = n - half;
	int d, i;

	*v = (struct verdict){ .event = "none", .runs = rest };
	for (d = 0; d < 2; d++) {
		for (i = 0; i < TESTS; i++) {
			const struct event *e = &j->choice[d].event[i];
			uint64_t l, r;
			double b;

			if (!(j->choice[d].score[i] > 0))
				continue;
			l = count(&j->left, half, n, e);
			r = count(&j->right, half, n, e);
			b = d == 0 ? ratio(l, r, rest, j->alpha) :
			    ratio(r, l, rest, j->alpha);
			if (!(b > v->bound))
				continue;
			v->bound = b;
			v->swapped = d == 1;
			v->left = l;
			v->right = r;
			event_words(v->event, e);
		}
	}
}

void
audit_judge(const struct sample *left, const struct sample *right, size_t n,
    double error, struct verdict *v)
{
	struct judge j = { make_side(left, n), make_side(right, n),
	    error / (4 * TESTS), { { .score = { 0 } }, { .score = { 0 } } } };

	search(&j);
	test(&j, v);
	free(j.left.f);
	free(j.right.f);
}
