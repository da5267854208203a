/*
 * slope_plane: a second bound for queries that vary like a plane.
 *
 * Where coefficients are nearly linear in two coordinates, boxes of
 * coefficients say little: pairs along the gradient are about as steep.  So q_k
 * = g_k x + e_k with g_k by least squares, and over a pair of boxes
 *
 *	sum_k r_k |g_k D + e| / |D| <= max_D h(D) / |D| + sum_k r_k E_k / d
 *
 * with D in the rectangle of differences, h(D) = sum_k r_k |g_k D|, E_k the
 * rest's widest difference and d the smallest distance.  h is a norm: a
 * direction between unit vectors u and v, an angle a apart, is (s u + t v) with
 * s + t <= 1 / cos(a/2), so h is at most max(h(u), h(v)) / cos(a/2) there; u
 * and v point at the extreme corners.  cos(a/2) = sqrt((1 + u v) / 2) is near 1
 * and loses no digits.
 *
 * Hazards: e is rounded; the error is bounded by the two terms' errors and
 * added to E.  The bound is raised by 2^-44 for the rest of the arithmetic.
 */
#include "slope_plane.h"

#include <math.h>
#include <stdlib.h>

#include "number/memory.h"
#include "slope_tree.h"

#define RAISE (1 + 0x1p-44)

/* Means and sums of squares for coordinates and one query. */
struct fit {
	double x, y, q;
	double xx, xy, yy, xq, yq;
};

static struct fit
moments(const struct slope *s, size_t k)
{
	struct fit f = { 0 };

	for (size_t i = 0; i < s->n; i++) {
		f.x += (double)s->m->x[2 * i] / (double)s->n;
		f.y += (double)s->m->x[2 * i + 1] / (double)s->n;
		f.q += (double)s->q[i * s->k + k] / (double)s->n;
	}
	for (size_t i = 0; i < s->n; i++) {
		double x = (double)s->m->x[2 * i] - f.x;
		double y = (double)s->m->x[2 * i + 1] - f.y;
		double q = (double)s->q[i * s->k + k] - f.q;

		f.xx += x * x;
		f.xy += x * y;
		f.yy += y * y;
		f.xq += x * q;
		f.yq += y * q;
	}
	return f;
}

/* The gradient; any gradient would be right, a bad gradient does not help. */
static void
gradient(const struct slope *s, size_t k, double *g)
{
	struct fit f = moments(s, k);
	double det = f.xx * f.yy - f.xy * f.xy;

	g[0] = (f.yy * f.xq - f.xy * f.yq) / det;
	g[1] = (f.xx * f.yq - f.xy * f.xq) / det;
	if (!isfinite(g[0]) || !isfinite(g[1]))
		g[0] = g[1] = 0;
}

static double
rest_of(const struct slope *s, size_t i, size_t k, double *size)
{
	const double *g = s->grad + 2 * k;
	double q = (double)s->q[i * s->k + k];
	double x = g[0] * (double)s->m->x[2 * i];
	double y = g[1] * (double)s->m->x[2 * i + 1];

	*size = fabs(q) + fabs(x) + fabs(y);
	return q - x - y;
}

static void
rest_bounds(struct slope *s, size_t at, size_t k)
{
	const struct node *d = &s->node[at];
	double *r = s->rest + 2 * (at * s->k + k), e, size, most = 0;

	r[0] = HUGE_VAL;
	r[1] = -HUGE_VAL;
	for (size_t i = d->lo; i < d->hi; i++) {
		e = rest_of(s, s->perm[i], k, &size);
		r[0] = fmin(r[0], e);
		r[1] = fmax(r[1], e);
		most = fmax(most, size);
	}
	r[0] -= most * 0x1p-50;
	r[1] += most * 0x1p-50;
}

/* Is some query's rest much smaller than itself? */
static bool
worthwhile(const struct slope *s)
{
	for (size_t k = 0; k < s->k; k++)
		if (s->rest[2 * k + 1] - s->rest[2 * k] < 0.5 *
		    (double)slope_span(s, 0, 0, k))
			return true;
	return false;
}

void
slope_plane(struct slope *s)
{
	if (s->m->kind != METRIC_EUCLID || s->m->dims != 2 ||
	    s->m->bend == METRIC_BLOWFISH || s->nodes == 0)
		return;
	s->grad = err_alloc(NULL, 2 * s->k, sizeof(*s->grad));
	s->rest = err_alloc(NULL, 2 * s->nodes * s->k, sizeof(*s->rest));
	for (size_t k = 0; k < s->k; k++) {
		gradient(s, k, s->grad + 2 * k);
		for (size_t at = 0; at < s->nodes; at++)
			rest_bounds(s, at, k);
	}
	if (!worthwhile(s)) {
		free(s->grad);
		s->grad = NULL;
	}
}

/* A direction, a unit vector. */
struct way {
	double x, y;
};

static double
norm(const struct slope *s, const double *rate, struct way w)
{
	double sum = 0;
	size_t k;

	for (size_t u = 0; u < s->uses; u++) {
		k = s->use[u];
		sum += rate[k] * fabs(s->grad[2 * k] * w.x +
		    s->grad[2 * k + 1] * w.y);
	}
	return sum;
}

static struct way
unit(double x, double y)
{
	double length = sqrt(x * x + y * y);

	return (struct way){ x / length, y / length };
}

/*
 * The extreme corners of the rectangle of differences between two boxes, seen
 * from the origin; false with the origin inside or an angle of 90 degrees or
 * more.
 */
static bool
cone(const int64_t *a, const int64_t *b, struct way *u, struct way *v)
{
	const double x[2] = { (double)(a[0] - b[1]), (double)(a[1] - b[0]) };
	const double y[2] = { (double)(a[2] - b[3]), (double)(a[3] - b[2]) };
	double ux = x[0], uy = y[0], vx = x[0], vy = y[0];

	if (x[0] <= 0 && x[1] >= 0 && y[0] <= 0 && y[1] >= 0)
		return false;
	for (int i = 1; i < 4; i++) {
		double px = x[i & 1], py = y[i >> 1];

		if (ux * py - uy * px < 0) {
			ux = px;
			uy = py;
		}
		if (vx * py - vy * px > 0) {
			vx = px;
			vy = py;
		}
	}
	*u = unit(ux, uy);
	*v = unit(vx, vy);
	return u->x * v->x + u->y * v->y > 0.1;
}

double
slope_plane_bound(const struct slope *s, const double *rate, size_t a,
    size_t b, double d)
{
	struct way from, to;
	double half, sum = 0;
	size_t k;

	if (!cone(s->box + 4 * a, s->box + 4 * b, &from, &to))
		return HUGE_VAL;
	for (size_t u = 0; u < s->uses; u++) {
		const double *p, *r;

		k = s->use[u];
		p = s->rest + 2 * (a * s->k + k);
		r = s->rest + 2 * (b * s->k + k);
		sum += rate[k] * fmax(p[1] - r[0], r[1] - p[0]);
	}
	half = sqrt((1 + from.x * to.x + from.y * to.y) / 2);
	return (fmax(norm(s, rate, from), norm(s, rate, to)) / half +
	    sum / d) * RAISE;
}
