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
 * Accuracy: the arguments of logarithms are 1 + e^-|u| or a sum whose largest
 * term is 1, so nothing overflows or cancels [D24 Definition E.1].  Squares and
 * absolute values [D24 Definition E.2] are exact integers before rounding.
 */
#include "loss.h"

#include <math.h>

/*
 * Rounded to the nearest, cut at FIXED_MAX; unit < 2^127.  |y - p| <= 2^63, so
 * the square is below 2^127.
 */
int64_t
loss_error(int64_t y, int64_t p, u128 unit, bool squared)
{
	i128 d = (i128)y - p;
	u128 size = (u128)(squared ? d * d : d < 0 ? -d : d);
	u128 q = (size + unit / 2) / unit;

	return q > (u128)FIXED_MAX ? FIXED_MAX : (int64_t)q;
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
	return steps < (double)FIXED_MAX ? (int64_t)steps : FIXED_MAX;
}

/* log(1 + e^u) */
static double
softplus(double u)
{
	return (u > 0 ? u : 0) + log1p(exp(-fabs(u)));
}

/* [D24 Definition E.1] */
bool
loss_binary(int64_t label, int64_t z, int cell_digits, int digits,
    int64_t *loss)
{
	double u = real(z, cell_digits);

	if (label != 0 && label != fixed_pow10(cell_digits))
		return false;
	*loss = on_grid(softplus(label == 0 ? u : -u), digits);
	return true;
}

/* log(sum of e^z_j) - z_label [D24 Definition E.1] */
bool
loss_classes(int64_t label, const int64_t *z, size_t m, int cell_digits,
    int digits, int64_t *loss)
{
	int64_t one = fixed_pow10(cell_digits), top = z[0];
	double sum = 0, below;

	if (label < 0 || label % one != 0 || (uint64_t)(label / one) >= m)
		return false;
	for (size_t j = 1; j < m; j++)
		top = z[j] > top ? z[j] : top;
	for (size_t j = 0; j < m; j++)
		sum += exp(real(z[j], cell_digits) - real(top, cell_digits));
	below = real(top, cell_digits) - real(z[label / one], cell_digits);
	*loss = on_grid(below + log(sum), digits);
	return true;
}

bool
loss_wrong(int64_t label, const int64_t *z, size_t m, int cell_digits,
    int64_t *wrong)
{
	int64_t one = fixed_pow10(cell_digits);
	size_t classes = m == 1 ? 2 : m, best = m == 1 && z[0] > 0;

	if (label < 0 || label % one != 0 || (uint64_t)(label / one) >= classes)
		return false;
	for (size_t j = 1; j < m; j++)
		if (z[j] > z[best])
			best = j;
	*wrong = (uint64_t)(label / one) != best;
	return true;
}

/* [D24 Lemma E.9] the label's logit at lo, the rest at hi. */
int64_t
loss_classes_most(int64_t lo, int64_t hi, size_t m, int cell_digits,
    int digits)
{
	double gap = real(hi, cell_digits) - real(lo, cell_digits);

	return on_grid(gap + log((double)(m - 1) + exp(-gap)), digits);
}

int64_t
loss_binary_most(int64_t lo, int64_t hi, int cell_digits, int digits)
{
	double low = softplus(-real(lo, cell_digits));
	double high = softplus(real(hi, cell_digits));

	return on_grid(low > high ? low : high, digits);
}
