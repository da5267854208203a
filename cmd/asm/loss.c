/*
 * loss: the loss of a model's prediction for a record, on the grid.
 *
 * Privacy needs a loss that depends on the record alone, and integers for every
 * later sum and comparison.  Any function from a record to an integer will do,
 * so cross-entropies may use floating point inside: the C library's exp and
 * log, right or wrong, return one number for the record in every data set.  A
 * sum of floating-point losses would not do: the rounding would depend on more
 * than one record.
 *
 * Accuracy: logarithms are of 1 + s, s the sum of the other terms where the
 * largest is 1, so nothing overflows or cancels [D24 Definition E.1].  Squares
 * and absolute values [D24 Definition E.2] are exact integers before rounding.
 */
#include "loss.h"

#include <math.h>

#include "asm/size/code.h"

/* size / unit to the nearest, cut at FIXED_MAX; both below 2^127. */
static int64_t
in_units(u128 size, u128 unit)
{
	u128 q = (size + unit / 2) / unit;

	return (int64_t)FIXED_LEAST(q, (u128)FIXED_MAX);
}

/* |y - p| <= 2^63, so the square is below 2^127. */
int64_t
loss_square(int64_t y, int64_t p, u128 unit)
{
	i128 d = (i128)y - p;

	return in_units((u128)(d * d), unit);
}

int64_t
loss_code(int64_t y, int64_t p)
{
	i128 d = (i128)y - p;

	return code_of((u128)(d * d), false);
}

int64_t
loss_absolute(int64_t y, int64_t p, u128 unit)
{
	i128 d = (i128)y - p;

	return in_units((u128)FIXED_MOST(d, -d), unit);
}

static double
real(int64_t x, int digits)
{
	return (double)x / (double)fixed_pow10(digits);
}

static int64_t
on_grid(double x, int digits)
{
	double steps = floor(x * (double)fixed_pow10(digits) + 0.5);

	if (!(steps > 0))
		return 0;
	if (steps >= (double)FIXED_MAX)
		return FIXED_MAX;
	return (int64_t)steps;
}

/* The logit of class j; a single logit is that of class 1, beside 0. */
static int64_t
logit(const int64_t *z, size_t m, size_t j)
{
	if (m > 1)
		return z[j];
	return j > 0 ? z[0] : 0;
}

static size_t
class_count(size_t m)
{
	return FIXED_MOST(m, 2);
}

/* The label's class, and the likeliest; false for a label that is no class. */
static bool
classify(int64_t label, const int64_t *z, size_t m, int cell_digits,
    size_t *own, size_t *best)
{
	int64_t one = fixed_pow10(cell_digits);
	size_t classes = class_count(m);

	*own = (size_t)(label / one);
	*best = 0;
	for (size_t j = 1; j < classes; j++)
		if (logit(z, m, j) > logit(z, m, *best))
			*best = j;
	return label >= 0 && label % one == 0 && *own < classes;
}

/* log(sum of e^z_j) - z_label [D24 Definition E.1] */
bool
loss_classes(int64_t label, const int64_t *z, size_t m, int cell_digits,
    int digits, int64_t *loss)
{
	double sum = 0, top;
	size_t own, best;

	if (!classify(label, z, m, cell_digits, &own, &best))
		return false;
	top = real(logit(z, m, best), cell_digits);
	for (size_t j = 0; j < class_count(m); j++)
		if (j != best)
			sum += exp(real(logit(z, m, j), cell_digits) - top);
	*loss = on_grid(top - real(logit(z, m, own), cell_digits) +
	    log1p(sum), digits);
	return true;
}

bool
loss_wrong(int64_t label, const int64_t *z, size_t m, int cell_digits,
    int64_t *wrong)
{
	size_t own, best;

	if (!classify(label, z, m, cell_digits, &own, &best))
		return false;
	*wrong = own != best;
	return true;
}

/*
 * [D24 Lemma E.9] The label's logit at lo, the rest at hi; the two logits of a
 * single one are 0 and an end.
 */
int64_t
loss_classes_most(int64_t lo, int64_t hi, size_t m, int cell_digits, int digits)
{
	double gap = real(FIXED_MOST(-lo, hi), cell_digits);
	double others = (double)(class_count(m) - 2);

	if (m > 1)
		gap = real(hi, cell_digits) - real(lo, cell_digits);
	return on_grid(gap + log1p(others + exp(-gap)), digits);
}
