/* people: what is handed over for a person is a function of its rows alone. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/ids.h"
#include "input/people.h"

#include "../house/step.h"

#define PEOPLE 4
#define ROWS 3
#define GIVEN 1024
#define SETS 14000	/* data sets of a test */

struct given {
	size_t group;
	int64_t x;
	uint64_t w;
};

/* What was handed over, and the same by the definitions. */
struct list {
	struct given at[GIVEN];
	size_t n;
};

/* Rows of each person; a value below 0 is a bad row. */
struct world {
	int64_t x[PEOPLE][ROWS];
	size_t group[PEOPLE][ROWS];
	uint64_t w[PEOPLE][ROWS];
	size_t rows[PEOPLE];
};

static void
give(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct list *l = arg;

	cr_assert(l->n < GIVEN);
	l->at[l->n++] = (struct given){ group, x == NULL ? -1 : x[0], w };
}

static int
by_all(const void *a, const void *b)
{
	const struct given *g = a, *h = b;

	if (g->group != h->group)
		return g->group < h->group ? -1 : 1;
	if (g->x != h->x)
		return g->x < h->x ? -1 : 1;
	return (g->w > h->w) - (g->w < h->w);
}

static bool
equal(struct list *a, struct list *b)
{
	qsort(a->at, a->n, sizeof(a->at[0]), by_all);
	qsort(b->at, b->n, sizeof(b->at[0]), by_all);
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (by_all(&a->at[i], &b->at[i]) != 0)
			return false;
	return true;
}

/* Up to three rows of each, of values 0 to 2 and weights 1 to `most'. */
static void
draw_world(struct world *v, struct rng *rng, size_t groups, uint64_t most)
{
	for (size_t i = 0; i < PEOPLE; i++) {
		v->rows[i] = rng_below(rng, ROWS + 1);
		for (size_t r = 0; r < ROWS; r++) {
			v->x[i][r] = (int64_t)rng_below(rng, 3);
			v->group[i][r] = rng_below(rng, groups);
			v->w[i][r] = 1 + rng_below(rng, most);
		}
	}
}

static struct people_rule
rule_of(enum per per, struct rng *rng, struct list *l)
{
	return (struct people_rule){ .per = per, .k = 1, .threads = 1,
	    .whole = per == PER_SHARE ? PER_WHOLE : 1, .most = 2,
	    .groups = true, .weighted = true, .rng = rng,
	    .give = give, .arg = l };
}

static struct label
id(char *buf, size_t person)
{
	/* of all lengths: near, at the limit, far, and empty */
	static const char *const words[] = { "", "ab", "fifteen bytes..",
	    "a text that needs room of its own" };

	strcpy(buf, words[person % 4]);
	return (struct label){ buf, strlen(buf) };
}

/* Hands in all rows in a shuffled order; leaves out one person. */
static void
hand_in(const struct world *v, struct people_rule rule, size_t out,
    struct rng *order)
{
	size_t who[PEOPLE * ROWS], row[PEOPLE * ROWS], n = 0;
	struct people *p = people_new(&rule);
	char buf[64];

	for (size_t i = 0; i < PEOPLE; i++)
		for (size_t r = 0; i != out && r < v->rows[i]; r++) {
			size_t at = rng_below(order, n + 1);

			who[n] = who[at];
			row[n++] = row[at];
			who[at] = i;
			row[at] = r;
		}
	for (size_t i = 0; i < n; i++) {
		const int64_t *x = &v->x[who[i]][row[i]];
		struct people_row r = { v->group[who[i]][row[i]],
		    *x < 0 ? NULL : x, v->w[who[i]][row[i]] };

		people_add(p, NULL, id(buf, who[i]), &r);
	}
	people_end(p);
	people_free(p);
}

/* The aggregate of some rows, by its definition; -1: too many rows. */
static int64_t
aggregate(enum per per, const int64_t *x, const uint64_t *w, size_t n)
{
	i128 sum = 0, all = 0, value;
	int64_t min = x[0], max = x[0];

	for (size_t i = 0; i < n; i++) {
		sum += (i128)x[i] * (i128)w[i];
		all += (i128)w[i];
		min = x[i] < min ? x[i] : min;
		max = x[i] > max ? x[i] : max;
	}
	if (all >= INT64_MAX)
		return -1;
	value = per == PER_SUM ? sum : per == PER_COUNT ? all :
	    per == PER_MIN ? min : per == PER_MAX ? max :
	    (2 * sum + all) / (2 * all);
	return value > FIXED_MAX ? FIXED_MAX : (int64_t)value;
}

/* Good rows of a person in a group, and their weight. */
static u128
select_rows(const struct world *v, size_t i, size_t group, int64_t *x,
    uint64_t *w, size_t *n)
{
	u128 all = 0;

	*n = 0;
	for (size_t r = 0; r < v->rows[i]; r++)
		if (v->group[i][r] == group && v->x[i][r] >= 0) {
			x[*n] = v->x[i][r];
			w[(*n)++] = v->w[i][r];
			all += v->w[i][r];
		}
	return all;
}

/* The group of most rows, the first of equal ones, and its rows' aggregate. */
static void
define_one(const struct world *v, enum per per, size_t i, struct list *l)
{
	int64_t x[ROWS], value = -1;
	uint64_t w[ROWS];
	size_t n, group = 9;
	u128 all, best = 0;

	for (size_t r = 0; r < v->rows[i]; r++)
		group = v->group[i][r] < group ? v->group[i][r] : group;
	for (size_t g = 0; g < 3; g++) {
		all = select_rows(v, i, g, x, w, &n);
		if (all <= best)
			continue;
		best = all;
		value = aggregate(per, x, w, n);
		group = g;
	}
	if (v->rows[i] > 0)
		give(l, group, &value, 1);
}

/* Are the records of all people, read either way, those of the definition? */
static void
defined(const struct world *v, enum per per, bool groups, struct rng *rng,
    size_t d)
{
	struct list got = { .n = 0 }, want = { .n = 0 };
	struct people_rule rule = rule_of(per, rng, &got);

	rule.groups = groups;
	hand_in(v, rule, PEOPLE, rng);
	for (size_t i = 0; i < PEOPLE; i++)
		define_one(v, per, i, &want);
	cr_assert(equal(&got, &want), "data set %zu, per %d, groups %d", d,
	    per, groups);
}

/* Of any number of rows one is drawn, from 2^63 - 1 on none. */
static void
check_any(const struct world *v, struct rng *rng)
{
	struct list got = { .n = 0 };
	size_t none = 0;

	hand_in(v, rule_of(PER_ANY, rng, &got), PEOPLE, rng);
	for (size_t i = 0; i < PEOPLE; i++) {
		u128 all = 0;

		for (size_t r = 0; r < v->rows[i]; r++)
			all += v->w[i][r];
		none += all >= INT64_MAX;
	}
	for (size_t j = 0; j < got.n; j++)
		none -= got.at[j].x == -1;
	cr_assert_eq(none, 0);
}

static const enum per per[] = { PER_SUM, PER_MEAN, PER_COUNT, PER_MIN,
    PER_MAX };

/*
 * Four people with up to three rows of three values, in a random order of rows:
 * one record for each person, by the definition, which looks at this person
 * only.  Neighbours differ in that record.
 */
Test(people, each_person_is_one_record_of_its_own_rows)
{
	struct rng rng;
	struct world v;

	rng_seeded(&rng, 1, "people");
	for (size_t d = 0; d < SETS / STEP; d++) {
		draw_world(&v, &rng, 1 + d % 3, 1 + d % 4);
		if (d % 7 == 0)
			v.x[d % 4][d % 3] = -1;
		defined(&v, per[d % 5], d % 3 > 0, &rng, d);
	}
}

/*
 * Numbers and weights of all sizes, folded as they come and by groups; from
 * 2^63 - 1 on rows are as good as none, in any order.
 */
Test(people, sums_of_any_size_are_exact)
{
	struct rng rng;
	struct world v;

	rng_seeded(&rng, 12, "people");
	for (size_t d = 0; d < 12000; d += STEP) {
		draw_world(&v, &rng, 1, (uint64_t)1 << d % 64);
		for (size_t i = 0; i < PEOPLE; i++)
			for (size_t r = 0; r < v.rows[i]; r++)
				v.x[i][r] *= FIXED_MAX / 2 >> d / 64 % 62;
		defined(&v, per[d % 5], false, &rng, d);
		defined(&v, per[d % 5], true, &rng, d);
		check_any(&v, &rng);
	}
}

/* What was handed over of one person, whose values are 10 i to 10 i + 9. */
static struct list
of_person(const struct list *l, size_t i)
{
	struct list own = { .n = 0 };

	for (size_t j = 0; j < l->n; j++)
		if (l->at[j].x / 10 == (int64_t)i)
			own.at[own.n++] = l->at[j];
	return own;
}

/* By their values, of which person i has 10 i to 10 i + 9. */
static void
tell_apart(struct world *v, int64_t by)
{
	for (size_t i = 0; i < PEOPLE; i++)
		for (size_t r = 0; r < ROWS; r++)
			v->x[i][r] += by * (int64_t)i;
}

/* Weight of a person's rows, of those like record g alone where it is one. */
static uint64_t
weight_of(const struct world *v, size_t i, const struct given *g)
{
	uint64_t all = 0;

	for (size_t r = 0; r < v->rows[i]; r++)
		if (g == NULL || (v->x[i][r] == g->x &&
		    v->group[i][r] == g->group))
			all += v->w[i][r];
	return all;
}

/* What a share must be: W w / T up to less than one, and W in all. */
static void
check_shares(const struct world *v, const struct list *l)
{
	for (size_t i = 0; i < PEOPLE; i++) {
		struct list own = of_person(l, i);
		uint64_t sum = 0, all = weight_of(v, i, NULL);

		for (size_t j = 0; j < own.n; j++) {
			const struct given *g = &own.at[j];
			bool found = false;

			sum += g->w;
			for (size_t r = 0; r < v->rows[i]; r++)
				found = found || (v->x[i][r] == g->x &&
				    v->group[i][r] == g->group &&
				    g->w * all + all > PER_WHOLE *
				    v->w[i][r] && g->w * all < PER_WHOLE *
				    v->w[i][r] + all);
			cr_assert(found, "%llu of %llu is no row's share",
			    (unsigned long long)g->w, (unsigned long long)all);
		}
		cr_assert_eq(sum, v->rows[i] > 0 ? PER_WHOLE : 0);
	}
}

/*
 * The shares of a person add up to W exactly, no order of the rows enters, and
 * without another person they are the same.
 */
Test(people, shares_add_up_and_depend_on_nobody_else)
{
	struct rng rng;
	struct world v;

	rng_seeded(&rng, 2, "people");
	for (size_t d = 0; d < SETS / STEP; d++) {
		struct list got = { .n = 0 }, again = got, without = got;
		size_t out = d % PEOPLE, kept = 0;
		struct people_rule rule;

		draw_world(&v, &rng, 1 + d % 3, 1 + d % 4);
		tell_apart(&v, 10);
		rule = rule_of(PER_SHARE, &rng, &got);
		rule.groups = d % 3 > 0;
		rule.weighted = d % 4 > 0;
		hand_in(&v, rule, PEOPLE, &rng);
		check_shares(&v, &got);
		rule.arg = &again;
		hand_in(&v, rule, PEOPLE, &rng);
		cr_assert(equal(&got, &again), "data set %zu", d);
		rule.arg = &without;
		hand_in(&v, rule, out, &rng);
		for (size_t j = 0; j < got.n; j++)
			if (got.at[j].x / 10 != (int64_t)out)
				got.at[kept++] = got.at[j];
		got.n = kept;
		cr_assert(equal(&got, &without), "data set %zu", d);
	}
}

/*
 * --max-rows: whoever else is there and however the rows stand, two units of a
 * person's own weight are kept, or all there is, with and without weights.
 */
Test(people, kept_rows_are_two_of_the_persons_own)
{
	struct rng order, rng;
	struct world v;

	rng_seeded(&order, 3, "people");
	rng_seeded(&rng, 3, "key");
	for (size_t d = 0; d < SETS / STEP; d++) {
		struct list got = { .n = 0 };
		struct people_rule rule = rule_of(PER_ROWS, &rng, &got);

		draw_world(&v, &order, 1 + d % 3, 1 + d % 2 * (d % 4));
		rule.groups = d % 3 > 0;
		rule.weighted = d % 2 == 1;
		tell_apart(&v, 10);
		hand_in(&v, rule, d % 5, &order);
		for (size_t i = 0; i < PEOPLE; i++) {
			struct list own = of_person(&got, i);
			uint64_t all, sum = 0;

			all = i == d % 5 ? 0 : weight_of(&v, i, NULL);
			for (size_t j = 0; j < own.n; j++) {
				cr_assert_leq(own.at[j].w, weight_of(&v, i,
				    &own.at[j]), "data set %zu", d);
				sum += own.at[j].w;
			}
			cr_assert_eq(sum, all < 2 ? all : 2, "data set %zu, "
			    "person %zu keeps %d of %d", d, i, (int)sum,
			    (int)all);
		}
	}
}

/* Of many people: all that is handed over, in order; and of each the rows. */
struct many {
	uint64_t mix;
	uint64_t weight[40009], rows[40009];
};

static void
mix(void *arg, uint64_t group, const int64_t *x, uint64_t w)
{
	struct many *m = arg;
	uint64_t value = x == NULL ? 0 : (uint64_t)*x;

	m->mix = (m->mix ^ group ^ value << 8 ^ w << 32) * 1099511628211u;
	m->weight[value / 1000] += w;
}

/* Rows of who from 1000 who on, in two piles where there are threads. */
static void
hand_in_many(enum per how, bool groups, unsigned threads, struct many *m)
{
	struct rng rng;
	struct people_rule rule = { .per = how, .k = 1, .threads = threads,
	    .whole = how == PER_SHARE ? PER_WHOLE : 1, .most = 9,
	    .groups = groups, .rng = &rng,
	    .give = mix, .arg = m };
	struct pile pile[2] = { { .n = 0 }, { .n = 0 } };
	struct people *p;
	char text[40];

	memset(m, 0, sizeof(*m));
	rng_seeded(&rng, 11, "people");
	p = people_new(&rule);
	for (int64_t i = 0; i < 300000; i++) {
		size_t who = (size_t)(i * 7919 % 40009);
		int64_t x = 1000 * (int64_t)who + i * i % 997;
		struct label id = { text, (size_t)sprintf(text, who % 5 > 0 ?
		    "%zu" : "a longer name: %zu", who) };
		bool other = threads > 1 && i / 1000 % 2 > 0;

		m->rows[who]++;
		people_add(p, threads == 1 ? NULL : &pile[other], id,
		    &(struct people_row){ (size_t)i % 3, &x, 1 });
		if (threads > 1 && i % 1000 == 999)
			people_put(p, &pile[other]);
	}
	cr_assert_eq(people_end(p)->people, 40009);
	people_free(p);
	pile_free(&pile[0]);
	pile_free(&pile[1]);
}

/* Everybody is there with rows of its own, and the threads do not show. */
Test(people, many_have_their_own_rows_whatever_the_number_of_threads)
{
	static const enum per rule[] = { PER_MEAN, PER_MAX, PER_ANY, PER_SHARE,
	    PER_ROWS };
	static struct many one, more;

	for (size_t i = 0; i < 2 * 5; i++) {
		enum per how = rule[i / 2];

		hand_in_many(how, i % 2, 1, &one);
		hand_in_many(how, i % 2, 3, &more);
		cr_assert_eq(one.mix, more.mix, "per %d", how);
		for (size_t who = 0; who < 40009; who++)
			cr_assert_eq(one.weight[who], how == PER_SHARE ?
			    PER_WHOLE : how == PER_ROWS ? one.rows[who] : 1,
			    "per %d, person %zu", how, who);
	}
}

static void
count_one(void *arg, uint64_t group, const int64_t *x, uint64_t w)
{
	double *count = arg;

	(void)group;
	count[*x] += (double)w;
}

/*
 * 30,000 people of three rows each: how often each row is handed over, whose
 * chance is want; chi squared of it below 27.6 (1e-6).
 */
static void
check_law(struct people_rule rule, bool apart, const uint64_t w[3],
    const double want[3])
{
	enum { PEOPLE_DRAWN = 30000 };
	double chi = 0, count[3] = { 0 };
	struct people *p;
	char text[16];

	rule.arg = count;
	p = people_new(&rule);
	for (int i = 0; i < 3 * PEOPLE_DRAWN; i++) {
		struct label id = { text, (size_t)sprintf(text, "%d", i / 3) };
		int64_t x = i % 3;

		people_add(p, NULL, id, &(struct people_row){ apart ?
		    (uint64_t)x : 0, &x, w[x] });
	}
	people_end(p);
	people_free(p);
	for (int i = 0; i < 3; i++)
		chi += pow(count[i] - PEOPLE_DRAWN * want[i], 2) /
		    (PEOPLE_DRAWN * want[i]);
	cr_assert(chi < 27.6, "per %d: chi squared %g", rule.per, chi);
}

/* By weight, each row alike, and two of three groups whatever is in them. */
Test(people, rows_and_groups_are_drawn_by_their_chances)
{
	static const uint64_t one[] = { 1, 1, 1 }, rising[] = { 1, 2, 3 };
	static const double third[] = { 1 / 3., 1 / 3., 1 / 3. };
	struct rng rng;
	struct people_rule rule = rule_of(PER_ANY, &rng, NULL);

	rng_seeded(&rng, 4, "people");
	rule.give = count_one;
	check_law(rule, false, rising, (double[]){ 1 / 6., 2 / 6., 3 / 6. });
	rule.groups = false;
	check_law(rule, false, rising, (double[]){ 1 / 6., 2 / 6., 3 / 6. });
	rule.per = PER_ROWS;
	rule.most = 1;
	check_law(rule, false, one, third);
	rule.per = PER_MAX;
	rule.groups = true;
	rule.kept = 2;
	check_law(rule, true, rising, (double[]){ 2 / 3., 2 / 3., 2 / 3. });
}

/* Among so many some agree in the bits of the hash that the table keeps. */
Test(people, ids_are_compared_in_full)
{
	static struct many all;
	struct rng rng;
	struct people_rule rule = { .threads = 1, .whole = 1, .rng = &rng,
	    .give = mix, .arg = &all };
	struct people *p;
	char buf[64];

	rng_seeded(&rng, 5, "people");
	for (int kept = 0; kept < 2; kept++) {
		rule.per = kept ? PER_SHARE : PER_COUNT;
		p = people_new(&rule);
		for (int i = 0; i < 400000; i++) {
			sprintf(buf, i % 3 == 0 ? "%d" : i % 3 == 1 ?
			    "resident%d" : "%d and more text", i);
			people_add(p, NULL, (struct label){ buf, strlen(buf) },
			    &(struct people_row){ 0, NULL, 0 });
		}
		cr_assert_eq(people_end(p)->people, 400000);
		people_free(p);
	}
	cr_assert_eq(all.weight[0], 800000);
}

/* And of long ones all bytes, even if two hashes were the same. */
Test(people, long_ids_are_compared_in_full)
{
	struct label text[] = { { "a text of two words", 19 },
	    { "a text of two swords", 20 }, { "a text of our words", 19 } };
	struct ids ids;
	uint32_t number[3];

	ids_open(&ids, (uint64_t[]){ 1, 2 }, sizeof(struct id));
	for (size_t round = 0; round < 2; round++)
		for (size_t i = 0; i < 3; i++) {
			struct id id = ids_make(&ids, text[i]);
			struct id same = ids_make(&ids, text[0]);
			uint32_t found;

			id.word[0] = same.word[0];
			found = ids_find(&ids, &id, id_hash(&ids, &same),
			    text[i]);
			cr_assert(round == 0 || found == number[i]);
			number[i] = found;
		}
	cr_assert(number[0] != number[1] && number[1] != number[2] &&
	    number[0] != number[2]);
	ids_close(&ids);
}

/* Who knew a table's key could choose names that all have one place. */
Test(people, each_table_of_ids_has_a_key_of_its_own)
{
	struct ids a, b;

	ids_open_public(&a);
	ids_open_public(&b);
	cr_assert(a.key[0] != b.key[0] && a.key[1] != b.key[1]);
	ids_close(&a);
	ids_close(&b);
}

#define TIMES 200

/* Brings equal records together, and adds their weights. */
static void
gather(struct list *l)
{
	size_t n = 0;

	qsort(l->at, l->n, sizeof(l->at[0]), by_all);
	for (size_t i = 0; i < l->n; i++)
		if (n > 0 && l->at[n - 1].group == l->at[i].group &&
		    l->at[n - 1].x == l->at[i].x)
			l->at[n - 1].w += l->at[i].w;
		else
			l->at[n++] = l->at[i];
	l->n = n;
}

/* Each row comes as often as it weighs, in turns, or once with its weight. */
static void
hand_in_turns(const struct world *v, struct people_rule rule)
{
	uint64_t turns = rule.weighted ? 1 : TIMES;
	struct people *p = people_new(&rule);
	char buf[64];

	for (uint64_t t = 0; t < turns; t++)
		for (size_t i = 0; i < PEOPLE * ROWS; i++) {
			size_t who = i % PEOPLE, r = i / PEOPLE;
			struct people_row row = { v->group[who][r],
			    &v->x[who][r], v->w[who][r], v->w[who][r] };

			if (r >= v->rows[who] || t >= row.w)
				continue;
			if (!rule.weighted)
				row.w = 1;
			if (row.x[0] == -1)
				row.x = NULL;
			people_add(p, NULL, id(buf, who), &row);
		}
	people_end(p);
	people_free(p);
}

/*
 * Rows that come many times merge, and are as good as a row with a weight: in
 * sums that no 64 bits hold, in draws, in several groups, with parts, with bad
 * rows among them.
 */
Test(people, rows_that_merge_are_as_good_as_their_weight)
{
	static const int64_t far[] = { 1, FIXED_MAX, -FIXED_MAX + 2 };
	static struct list got, want;
	struct rng order, rng;
	struct world v;

	rng_seeded(&order, 1, "merge");
	for (size_t d = 0; d < SETS / 4 / STEP; d++) {
		struct people_rule rule = rule_of(PER_SUM + d % 8, &rng, &got);

		draw_world(&v, &order, 1 + d % 3, TIMES);
		for (size_t i = 0; i < PEOPLE * ROWS && d % 5 == 0; i++)
			v.x[i % PEOPLE][i / PEOPLE] = far[i * d % 3];
		if (d % 3 == 0)
			v.x[d % 4][d % 3] = -1;
		rule.kept = d / 8 % 3;
		rule.groups = d / 24 % 4 > 0;
		rule.owned = rule.groups && d % 11 == 0;
		for (int weighted = 0; weighted < 2; weighted++) {
			rng_seeded(&rng, d, "people");
			rule.weighted = weighted;
			rule.arg = weighted ? &want : &got;
			((struct list *)rule.arg)->n = 0;
			hand_in_turns(&v, rule);
			for (size_t i = 0; i < got.n && !weighted &&
			    rule.per == PER_ROWS && !rule.owned; i++)
				cr_assert_eq(got.at[i].w, 1);
			gather(rule.arg);
		}
		cr_assert(equal(&got, &want), "data set %zu", d);
	}
}
