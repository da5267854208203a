/* slope_walk: pairs of nodes, the more promising ones first. */
#include "slope_impl.h"

/* A pair of nodes to enter, with its bound. */
struct step {
	size_t a, b;
	double bound;
};

static void
order(struct step *x, struct step *y)
{
	struct step t = *x;

	if (x->bound < y->bound) {
		*x = *y;
		*y = t;
	}
}

static void
children(const struct walk *w, size_t a, size_t b, struct step *to, size_t *n)
{
	const struct node *p = &w->s->node[a], *r = &w->s->node[b];

	*n = 0;
	if (a == b) {
		to[(*n)++] = (struct step){ p->left, p->left, 0 };
		to[(*n)++] = (struct step){ p->right, p->right, 0 };
		to[(*n)++] = (struct step){ p->left, p->right, 0 };
	} else if (r->left == SLOPE_NONE ||
	    (p->left != SLOPE_NONE && p->hi - p->lo >= r->hi - r->lo)) {
		to[(*n)++] = (struct step){ p->left, b, 0 };
		to[(*n)++] = (struct step){ p->right, b, 0 };
	} else {
		to[(*n)++] = (struct step){ a, r->left, 0 };
		to[(*n)++] = (struct step){ a, r->right, 0 };
	}
}

/* Depth is at most twice the tree's: the recursion is shallow. */
void
slope_walk(const struct walk *w, size_t a, size_t b)
{
	struct step to[3];
	size_t n, i;

	if (w->s->node[a].left == SLOPE_NONE &&
	    w->s->node[b].left == SLOPE_NONE) {
		w->leaf(w->arg, a, b);
		return;
	}
	children(w, a, b, to, &n);
	for (i = 0; i < n; i++)
		to[i].bound = w->enter(w->arg, to[i].a, to[i].b);
	order(&to[0], &to[1]);
	if (n == 3) {
		order(&to[1], &to[2]);
		order(&to[0], &to[1]);
	}
	for (i = 0; i < n; i++)		/* others may have been settled since */
		if (to[i].bound > 0 && (i == 0 ||
		    w->enter(w->arg, to[i].a, to[i].b) > 0))
			slope_walk(w, to[i].a, to[i].b);
}

void
slope_pairs(const struct slope *s, size_t a, size_t b,
    void (*visit)(void *arg, size_t i, size_t j), void *arg)
{
	const struct node *p = &s->node[a], *r = &s->node[b];
	size_t i, j;

	for (i = p->lo; i < p->hi; i++)
		for (j = a == b ? i + 1 : r->lo; j < r->hi; j++)
			visit(arg, s->perm[i], s->perm[j]);
}
