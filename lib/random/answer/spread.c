/*
 * spread: how far a sum of noises and errors may be off.
 *
 * A sum S of symmetric variables has a characteristic function f, the product
 * of theirs, e^(-normal^2 u^2/2) for a normal one, hence [Davies 1973] for a
 * period T
 *
 *	P[|S| > x] = 1 - (2/pi) sum_k sin(u_k x) f(u_k) / (k + 1/2)
 *
 * with u_k = 2 pi (k + 1/2)/T, up to P[|S| > T - x].
 *
 * A part R V, V = sum_{j <= n} a_j U_j, g the shape of R.  E e^(i u R V) is the
 * mean of prod_j sin(a_j u R) / (a_j u R), and the product of sines is a sum of
 * waves: the real part of i^-n 2^(1-n) e^(i u c R) times the signs' product,
 * over the c = a_1 +- a_2 +- ... for all signs.  As
 *
 *	E[R^-n e^(i v R)] = (1 - i v)^-(g - n) / ((g - 1) ... (g - n)),
 *
 * every wave has the size (1 + v^2)^-((g - n)/2) and the angle (g - n) atan v.
 * The waves nearly cancel where an a_j is small beside the largest:
 * SPREAD_LEAST.
 *
 * Terms left out.  The sum of the sizes, over what divides the waves, bounds
 * the part's f, and falls at least as u^-n.  With one wave v^-(g - 1) in place
 * of its size is a bound, too, and the part falls as u^-g.  So beyond u the
 * product F of these bounds falls as u^-m, m all parts' powers together, and
 * the sum of F(u_k) / (k + 1/2) is at most F(u)/m: (2/pi) of this is added to
 * the chance, and P[|S| > T - x], too.
 *
 * A Laplace noise of scale a is its own bound, 1 / (1 + a^2 u^2), and falls as
 * u^-m with m = 2 a^2 u^2 / (1 + a^2 u^2), a power that grows with u.
 *
 * For that one |V| <= A = sum_j a_j and, whatever V is, E e^(t R V) is at most
 * that of V = +-A, ((1 - t A)^-g + (1 + t A)^-g) / 2 for t A < 1 (e^(t x) is
 * convex); and with the product G(t) of these P[|S| > y] <= 2 G(t) e^(t^2
 * normal^2/2 - t y) [Chernoff].
 */
#include "spread.h"

#include <math.h>

#define TERMS 8192		/* in the series, at most */
#define FEW 512				/* where accuracy costs nothing */
#define PI 3.14159265358979323846
#define PART 1e-8		/* of alpha, for each of two errors */
#define LEFT 3e-4		/* for terms left out, if there are many */
#define ROUNDING 1e-11		/* in floating-point sums */
#define NEAR 1e-8		/* accuracy enough for a quantile */

/* The characteristic function of a part at u, and its bound. */
static double
spread_waves(const struct spread_part *b, double u, double *bound)
{
	double p = b->shape - (double)b->n, by = 0.5, sum = 0;

	*bound = 0;
	for (size_t j = 0; j < b->n; j++)
		by *= (b->shape - (double)j - 1) * 2 * b->a[j] * u;
	for (unsigned signs = 0; signs < 1U << b->n; signs += 2) {
		double v = 0, sign = 1, size;

		for (size_t j = 0; j < b->n; j++) {
			double minus = signs >> j & 1;

			v += b->a[j] * u * (1 - 2 * minus);
			sign *= 1 - 2 * minus;
		}
		size = pow(1 + v * v, -p / 2) / by;
		sum += sign * size * cos(p * atan(v) - (double)b->n * PI / 2);
		*bound += b->n > 1 ? size : pow(v, -p) / by;
	}
	return sum;
}

/* f(u), and a bound for what is left of the terms beyond u. */
static double
spread_at(const struct spread *s, double u, double *left)
{
	double logs = -s->normal * s->normal * u * u / 2, fall = 0, bound;
	double f = exp(logs);

	for (size_t i = 0; i < s->n; i++) {
		const struct spread_part *b = &s->part[i];
		double v = b->a[0] * u, one = 1 / (1 + v * v);
		double power = 2 * v * v * one;

		bound = one;
		if (b->n > 1 || b->shape > 2) {
			one = spread_waves(b, u, &bound);
			power = b->n > 1 ? (double)b->n : b->shape;
		}
		f *= pow(one, b->times);
		logs += b->times * log(bound);
		fall += b->times * power;
	}
	*left = exp(logs) * 2 / (PI * fall);
	return f;
}

static double
spread_most(const struct spread_part *b)
{
	double sum = 0;

	for (size_t j = 0; j < b->n; j++)
		sum += b->a[j];
	return sum;
}

/* A bound y with P[|S| > y] <= p; t is tried in parts of its limit. */
static double
spread_bound(const struct spread *s, double p)
{
	double limit = 0, best = HUGE_VAL;

	for (size_t i = 0; i < s->n; i++)
		limit = fmax(limit, spread_most(&s->part[i]));
	for (double t = 0.9; t > 1e-9; t *= 0.8) {
		double normal = t / limit * s->normal;
		double y = log(2 / p) + normal * normal / 2;

		for (size_t i = 0; i < s->n; i++) {
			const struct spread_part *b = &s->part[i];
			double x = t / limit * spread_most(b);

			y += b->times * (log1p(pow((1 - x) / (1 + x),
			    b->shape)) - log(2) - b->shape * log1p(-x));
		}
		if (y / t * limit > best)
			break;		/* the quotient has one least value */
		best = y / t * limit;
	}
	return best;
}

/* The terms f(u_k) / (k + 1/2), how many, and a bound for the rest. */
struct series {
	double f[TERMS];
	size_t n;
	double period, left;
};

static void
spread_fill(struct series *f, const struct spread *s, double alpha)
{
	double least = PART;

	f->left = 1;
	for (f->n = 0; f->n < TERMS && f->left > alpha * least; f->n++) {
		double place = (double)f->n + 0.5;

		if (f->n == FEW)
			least = LEFT;
		f->f[f->n] = spread_at(s, 2 * PI * place / f->period,
		    &f->left) / place;
	}
}

/* P[|S| > x] without the errors; the sines by angle sums. */
static double
spread_tail(const struct series *f, double x)
{
	double step = 2 * PI * x / f->period, sum = 0;
	double sine = sin(step / 2), cosine = cos(step / 2);
	double by_sine = sin(step), by_cosine = cos(step);

	for (size_t k = 0; k < f->n; k++) {
		double next = sine * by_cosine + cosine * by_sine;

		sum += f->f[k] * sine;
		cosine = cosine * by_cosine - sine * by_sine;
		sine = next;
	}
	return 1 - 2 / PI * sum;
}

/*
 * Where the chance falls to goal, between 0 and hi.  Its logarithm is nearly a
 * line, so lines through both ends come near in few steps [Dowell and Jarratt
 * 1971]; an end that stays has half its height in the next.
 */
static double
spread_solve(const struct series *f, double hi, double goal)
{
	double lo = 0, above = -log(goal), below = -1;
	int side = 0;

	while (hi - lo > hi * NEAR) {
		double x = hi - below * (hi - lo) / (below - above);
		double tail;

		x = fmin(fmax(x, lo + hi * NEAR / 2), hi - hi * NEAR / 2);
		tail = log(fmax(spread_tail(f, x), goal / 4) / goal);
		if (tail > 0) {
			lo = x;
			above = tail;
			below /= side > 0 ? 2 : 1;
			side = 1;
		} else {
			hi = x;
			below = tail;
			above /= side < 0 ? 2 : 1;
			side = -1;
		}
	}
	return hi;
}

double
spread_reach(struct spread s, double alpha)
{
	double hi = spread_bound(&s, alpha);
	struct series f;

	if (s.n == 1 && s.part->shape <= 2 && s.part->times <= 1 &&
	    s.normal <= 0)
		return -s.part->a[0] * log(alpha) * (1 + NEAR);
	f.period = hi + spread_bound(&s, alpha * PART);
	spread_fill(&f, &s, alpha);
	if (f.left + ROUNDING >= alpha * (1 - PART))
		return hi;
	return spread_solve(&f, hi, alpha * (1 - PART) - f.left - ROUNDING);
}
