/*
 * plan_vanilla: the plain Laplace mechanism's scale, for comparison.
 */
#include "plan.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "upward.h"

/* The queries that vary, n x k, and the worth of a step in each. */
struct varying {
	const struct metric *m;
	size_t n, k;
	int64_t *q;
	int *digits;
	double *step;
};

/* An element with its sum |q_ki - mid_k|, and the order by sums. */
struct reach {
	double far;
	size_t i;
};

static int
by_reach(const void *a, const void *b)
{
	const struct reach *x = a, *y = b;

	if (x->far != y->far)
		return x->far > y->far ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

/* The middle between a query's smallest and largest coefficient. */
static double
middle(const struct varying *p, size_t k)
{
	int64_t lo = p->q[k], hi = p->q[k];

	for (size_t i = 1; i < p->n; i++) {
		int64_t v = p->q[i * p->k + k];

		lo = v < lo ? v : lo;
		hi = v > hi ? v : hi;
	}
	return (double)lo / 2 + (double)hi / 2;
}

static struct reach *
reaches(const struct varying *p)
{
	struct reach *r = err_alloc(NULL, p->n, sizeof(*r));

	for (size_t i = 0; i < p->n; i++)
		r[i] = (struct reach){ 0, i };
	for (size_t k = 0; k < p->k; k++) {
		double mid = middle(p, k);

		for (size_t i = 0; i < p->n; i++)
			r[i].far += p->step[k] *
			    fabs((double)p->q[i * p->k + k] - mid);
	}
	qsort(r, p->n, sizeof(*r), by_reach);
	return r;
}

/* Are neighbors only records that come or go? */
static bool
star(const struct metric *m)
{
	return m->away > 0 && m->kind == METRIC_EDGES && m->edges == 0;
}

static double
far_apart(const struct varying *p, size_t i, size_t j)
{
	double sum = 0;

	for (size_t k = 0; k < p->k; k++)
		sum += p->step[k] * fabs((double)(p->q[i * p->k + k] -
		    (j == SLOPE_ABSENT ? 0 : p->q[j * p->k + k])));
	return sum;
}

/*
 * [KPAK20 Definition 3] max_ij sum_k |q_ki - q_kj| in units of 1, over all
 * pairs: elements far from the middle first, until no two can be farther.
 */
static bool
widest(const struct varying *p, struct pair *at)
{
	struct reach *r = reaches(p);
	double best = 0, far, reach;

	*at = (struct pair){ 0, 0 };
	for (size_t i = 0; p->m->away > 0 && i < p->n; i++) {
		far = far_apart(p, i, SLOPE_ABSENT);
		if (far > best) {
			best = far;
			*at = (struct pair){ i, SLOPE_ABSENT };
		}
	}
	for (size_t i = 0; i < p->n && !star(p->m); i++)
		for (size_t j = i + 1; j < p->n; j++) {
			reach = (r[i].far + r[j].far) * (1 + 1e-12);
			if (reach <= best * (1 + 3e-12))
				break;
			far = far_apart(p, r[i].i, r[j].i);
			if (far > best) {
				best = far;
				*at = (struct pair){ r[i].i, r[j].i };
			}
		}
	free(r);
	return best > 0;
}

/* The exact difference of two elements over the queries. */
static bool
difference(const struct varying *p, struct pair at, struct rational *sum)
{
	struct rational one;

	*sum = (struct rational){ 0, 1 };
	for (size_t k = 0; k < p->k; k++) {
		i128 d = (i128)p->q[at.i * p->k + k] -
		    (at.j == SLOPE_ABSENT ? 0 : p->q[at.j * p->k + k]);

		if (!rational_make(&one, d < 0 ? -d : d,
		    fixed_pow10(p->digits[k])) ||
		    !rational_add(sum, *sum, one))
			return false;
	}
	return true;
}

static bool
gather(const struct workload *w, struct varying *p)
{
	size_t to = 0;

	for (size_t k = 0; k < w->k; k++)
		p->k += !plan_public(p->m, w, k);
	if (p->k == 0)
		return false;
	p->q = err_alloc(NULL, p->n, p->k * sizeof(*p->q));
	p->digits = err_alloc(NULL, p->k, sizeof(*p->digits));
	p->step = err_alloc(NULL, p->k, sizeof(*p->step));
	for (size_t k = 0; k < w->k; k++) {
		if (plan_public(p->m, w, k))
			continue;
		p->digits[to] = workload_digits(w, k);
		p->step[to] = 1 / (double)fixed_pow10(p->digits[to]);
		workload_row(w, k, p->q + to++, p->k);
	}
	return true;
}

/*
 * Prefixes alone, or ranges alone: s prefixes tell elements s apart from each
 * other, and s (n + 1 - s) ranges do.  Every prefix has the first element, and
 * s (n + 1 - s) ranges have number s; the absent element is in none.
 */
static bool
generated(const struct metric *m, const struct workload *w,
    struct rational *sum)
{
	enum workload_kind kind;
	i128 line = (i128)workload_line(w), s = line - (m->away == 0);

	if (w->blocks != 1 || w->n < 2)
		return false;
	kind = w->block[0].kind;
	if (kind == WORKLOAD_RANGE) {
		s = (line + 1) / 2;
		s *= line + 1 - s;
	}
	return (kind == WORKLOAD_RANGE || kind == WORKLOAD_PREFIX) &&
	    rational_make(sum, s, 1);
}

bool
plan_vanilla(const struct metric *m, const struct workload *w,
    struct rational eps, struct rational *c)
{
	struct varying p = { .m = m, .n = w->n };
	struct rational d;
	struct pair at;
	bool ok;

	ok = metric_nearest(m, 1, &d) && (generated(m, w, c) ||
	    (gather(w, &p) && widest(&p, &at) && difference(&p, at, c))) &&
	    upward_div(c, *c, d) &&
	    upward_div(c, *c, eps);
	free(p.q);
	free(p.digits);
	free(p.step);
	return ok;
}
