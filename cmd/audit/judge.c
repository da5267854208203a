/*
 * judge: from two samples of outputs to a lower bound on epsilon.
 *
 * The runs are split.  On the first halves every candidate event is scored by
 * about the event's bound; the best events are fixed, TESTS in each direction:
 * each about one feature.  The second halves had no part in the choice.  There
 * each test compares a lower bound for one probability with an upper bound for
 * the other, each bound wrong with probability at most error / (4 TESTS): by
 * the union bound the 2 TESTS comparisons hold together with probability at
 * least 1 - error.
 *
 * Assumption: runs are independent and alike.  Outputs that depend on the time
 * of day, or on earlier runs, are outside the guarantee.
 */

#include <math.h>

#include "event.h"

struct judge {
	struct side side[2];	/* first halves, then second halves */
	double alpha;
	struct pick choice[2];	/* left over right; right over left */
};

double
audit_ratio(uint64_t more, uint64_t less, uint64_t n, double alpha)
{
	if (more == 0)
		return 0;
	return log(audit_lower(more, n, alpha) / audit_upper(less, n, alpha));
}

double
audit_highest(uint64_t n, double alpha)
{
	return audit_ratio(n, 0, n, alpha);
}

/*
 * Everything that a mechanism with loss L prints can be made from the answer to
 * a yes or no question, right with chance p = e^L / (1 + e^L) on either input,
 * so no event tells more than the answer.  The answer's count is about pn on
 * one side and n - pn on the other; p belongs to the least count that refutes
 * the claim.  If only n against 0 refutes, the chance is p^(2n), and p makes
 * this chance one half.
 */
double
audit_detectable(double claim, uint64_t n, double alpha)
{
	uint64_t lo = n / 2, hi = n, mid;
	double p;

	if (!(audit_highest(n, alpha) > claim))
		return HUGE_VAL;
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (audit_ratio(mid, n - mid, n, alpha) > claim)
			hi = mid;
		else
			lo = mid;
	}
	p = exp2(-0.5 / (double)n);
	if (hi < n)
		p = (double)hi / (double)n;
	return log(p / (1 - p));
}

/* A test on the second halves. */
static void
test(const struct judge *j, int direction, const struct event *e,
    struct verdict *v)
{
	size_t n = j->side->n, half = n / 2, hits[2];
	double b;

	for (int s = 0; s < 2; s++)
		hits[s] = event_count(e, &j->side[s], half, n);
	b = audit_ratio(hits[direction], hits[1 - direction], n - half,
	    j->alpha);
	if (!(b > v->bound))
		return;
	v->bound = b;
	v->left = hits[0];
	v->right = hits[1];
	event_words(v->event, e, j->side);
}

void
audit_judge(const struct sample *left, const struct sample *right, size_t n,
    double error, struct verdict *v)
{
	struct judge j = { .alpha = error / (4 * AUDIT_TESTS), .side = {
	    { .sample = left, .n = n }, { .sample = right, .n = n } } };

	sides_make(j.side, n);
	audit_choose(j.side, j.alpha, j.choice);
	*v = (struct verdict){ .event = "none", .runs = n - n / 2,
	    .alpha = j.alpha };
	for (int d = 0; d < 2; d++)
		for (int i = 0; i < AUDIT_TESTS; i++)
			if (j.choice[d].score[i] > 0)
				test(&j, d, &j.choice[d].event[i], v);
	side_free(&j.side[0]);
	side_free(&j.side[1]);
}
