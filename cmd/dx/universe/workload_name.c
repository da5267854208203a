/* workload_name: what queries are called. */
#include "workload.h"

#include <string.h>

#include "workload_impl.h"

/* Decimal digits of x at p; returns their end. */
static char *
number(char *p, size_t x)
{
	char tmp[24], *t = tmp;

	do
		*t++ = (char)('0' + x % 10);
	while ((x /= 10) != 0);
	while (t > tmp)
		*p++ = *--t;
	*p = '\0';
	return p;
}

const char *
workload_name(const struct workload *w, size_t k, char *buf, size_t *sample)
{
	const struct block *b = workload_find(w, &k);
	size_t first, last;

	*sample = w->n;
	switch (b->kind) {
	case WORKLOAD_PREFIX:
		number(stpcpy(buf, "prefix "), k + 1);
		break;
	case WORKLOAD_RANGE:
		workload_bounds(w->n, k, &first, &last);
		number(stpcpy(number(stpcpy(buf, "range "), first + 1), "-"),
		    last + 1);
		break;
	case WORKLOAD_MARGINAL:
		*sample = b->sample[k];
		return b->name;
	case WORKLOAD_DENSE:
		return b->name;
	}
	return buf;
}
