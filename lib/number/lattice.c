/* lattice: equally spaced numbers, and their places. */
#include "lattice.h"

/* Newton's steps double the right bits in an inverse, 3 at first. */
static void
set_step(struct lattice *l, uint64_t step)
{
	uint64_t odd;

	l->step = step;
	l->shift = (unsigned)__builtin_ctzll(step);
	odd = step >> l->shift;
	l->inverse = odd;
	for (int right = 3; right < 64; right *= 2)
		l->inverse *= 2 - odd * l->inverse;
}

bool
lattice_widen(struct lattice *l, const int64_t *x, size_t n, int bits)
{
	struct lattice to = { .inverse = 1 };
	int64_t base = l->places > 0 ? l->lo : x[0], lo = base, hi = base;
	uint64_t most = 0, far;

	if (l->places > 1) {
		to = *l;
		most = UINT64_MAX / to.step;
		hi = lattice_number(l, l->places - 1);
	}
	for (size_t i = 0; i < n; i++) {
		lo = FIXED_LEAST(x[i], lo);
		hi = FIXED_MOST(x[i], hi);
		far = (uint64_t)x[i] - (uint64_t)base;
		if (x[i] < base)
			far = -far;
		if (lattice_steps(&to, far) > most) {
			set_step(&to, (uint64_t)wide_gcd(to.step, far));
			most = UINT64_MAX / to.step;
		}
		if (((uint64_t)hi - (uint64_t)lo) >> bits > to.step - 1)
			return false;
	}
	if (to.step == 0)
		set_step(&to, 1);
	to.lo = lo;
	to.places = (size_t)(((uint64_t)hi - (uint64_t)lo) / to.step) + 1;
	*l = to;
	return true;
}
