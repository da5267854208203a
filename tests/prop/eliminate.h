/*
 * eliminate: linear equations of a small universe, by the book, beside which
 * the fits of strategies stand.
 */
#ifndef ELIMINATE_H
#define ELIMINATE_H

#include <math.h>
#include <stddef.h>

#define CELLS 40	/* elements of a small universe at most */

/* Solves a x = b for k unknowns in place, by elimination with pivots. */
static inline void
eliminate(double a[CELLS][2 * CELLS], size_t k, size_t columns)
{
	for (size_t p = 0; p < k; p++) {
		size_t best = p;

		for (size_t i = p; i < k; i++)
			if (fabs(a[i][p]) > fabs(a[best][p]))
				best = i;
		for (size_t j = 0; j < columns; j++) {
			double t = a[p][j];

			a[p][j] = a[best][j];
			a[best][j] = t;
		}
		for (size_t i = 0; i < k; i++) {
			double f = a[i][p] / a[p][p];

			for (size_t j = p; i != p && j < columns; j++)
				a[i][j] -= f * a[p][j];
		}
	}
	for (size_t p = 0; p < k; p++)
		for (size_t j = columns; j-- > p;)
			a[p][j] /= a[p][p];
}

#endif
