/*
 * pairwise_level: released counts of single attributes made one, and the
 * classes that they tell.  Post-processing.
 */
#include <math.h>

#include "dx/synth/counts.h"
#include "dx/synth/pairwise.h"

#define CLASS 1.4	/* of the root of records over E: a class has these */

void
pairwise_level(struct pairwise *w)
{
	for (size_t a = 0; a < w->d; a++)
		counts_look(w->of[a].count, w->of[a].cells, (double)
		    w->of[a].cells * w->of[a].variance, &w->total, &w->slack);
	w->total = fmax(0, w->total);
	for (size_t a = 0; a < w->d; a++)
		counts_project(w->of[a].count, w->of[a].cells, w->total);
}

void
pairwise_merge(struct pairwise *w)
{
	double least = CLASS * sqrt(w->total / rational_real(w->eps)), in, left;

	for (size_t a = 0; a < w->d; a++) {
		w->classes[a] = 1;
		in = 0;
		left = w->total;
		for (size_t v = 0; v < w->values[a]; v++) {
			w->class[a][v] = (uint16_t)(w->classes[a] - 1);
			in += w->of[a].count[v];
			left -= w->of[a].count[v];
			if (in < least || left <= least)
				continue;
			w->classes[a]++;
			in = 0;
		}
	}
}
