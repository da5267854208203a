/* records_value: the command of sp-exec on every subset, preprocessed. */
#include <stdlib.h>

#include "exec.h"
#include "records.h"
#include "tool/err.h"

/* A number of the command clamped to its --range, if there is one. */
static int64_t
clamp(const struct sp *sp, size_t part, int64_t x)
{
	const struct range *r = opts_range(&sp->opts, part);
	int64_t lo = -FIXED_MAX, hi = FIXED_MAX;

	if (r != NULL && rational_grid(r->lo, sp->digits,
	    FIXED_NEAREST, &lo) && rational_grid(r->hi, sp->digits,
	    FIXED_NEAREST, &hi))
		return fixed_clamp(x, lo, hi);
	return x;
}

/* [CD20 Algorithm 1] [CD20 Definition 8.2] */
int64_t *
records_value(const struct records *r)
{
	const struct sp *sp = r->sp;
	size_t all = ((size_t)1 << r->n) - 1, p, s;
	int64_t *value = err_alloc(NULL, sp->parts, sizeof(*value));
	int64_t *f[2] = { NULL, NULL };
	char **argv = err_alloc(NULL, sp->opts.noperands + 1, sizeof(*argv));
	struct exec e = { argv, { r->head.buf, r->head.len }, r->line,
	    r->number, r->n, sp->opts.threads, sp->parts, sp->digits,
	    sp->opts.non_private };

	for (s = 0; s < sp->opts.noperands; s++)
		argv[s] = sp->opts.operands[s];
	argv[s] = NULL;
	for (p = 0; p < sp->parts; p++) {
		f[p] = err_alloc(NULL, all + 1, sizeof(**f));
		f[p][0] = sp->center[p];
	}
	exec_subsets(&e, f);
	for (p = 0; p < sp->parts; p++)
		for (s = 1; s <= all; s++)
			f[p][s] = clamp(sp, p, f[p][s]);
	if (sp->parts == 1)
		subsets_value(f[0], r->sens, r->n);
	else
		subsets_joint(f[0], f[1], r->sens, r->n);
	for (p = 0; p < sp->parts; p++) {
		value[p] = f[p][all];
		free(f[p]);
	}
	free(argv);
	return value;
}
