/*
 * meter: the lines of the build that writes its draws down.
 *
 * METER_OUT names the file to which lines are added, METER_PAST such a file of
 * another run:
 * then draw i has the outcome of draw i there.  METER_SEED is the seed of all
 * coins, and METER_SKIP the numbers of the records that the other input has
 * and this one has not, as `3,4,': coins belong to a record, a person or the
 * time after a draw, so that neighbors have equal coins; with METER_FREE not to
 * the last, as for users.  A line:
 *
 *     KIND KEY OUTCOME SCALE SCALE | NAME+COUNT*COPIES:NUMBER ...
 *
 * `laplace': NUMBER gets noise of the scale that was drawn with.  `choose':
 * COUNT candidates from NAME on, 2^COPIES each, have the gap or loss NUMBER, in
 * the scale.  `told': a
 * value that is told with the odds e^SCALE.  `split': is NUMBER with noise of
 * the scale above 0?  `sparse': a search among outputs
 * NAME with the queries NUMBER, with the scale of the threshold, and epsilon of
 * each coin.  `keep': a record, or not, with the chance SCALE.  `box': number
 * NAME of a draw of K-norm noise, the number of records last where it is
 * counted, with the outcome times COUNT = m and the scale of the radius; COPIES
 * is 1 for counted draws, 2 for replaced records; a second place has the sides,
 * down + up, and the bound that cuts the box, or 0.  A line with too many
 * candidates to be written is `beyond'.  The line `unpaid' says that a record
 * was read while the file METER_LEDGER had no METER_LABEL.  With METER_DIE the
 * program is killed where it would draw.
 */
#include "random/meter.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random/knorm.h"
#include "random/personal.h"
#include "random/select_runs.h"

#define MANY 100000	/* candidates of a far run */

static FILE *out, *past;
static uint64_t state, seed, records, draws, coins;
static struct scale drew = { 0, 1 };	/* by the last draw, not yet told */
static char key[64];		/* of the next draw; "" for a number */

static void
open_all(void)
{
	const char *name = getenv("METER_OUT"), *from = getenv("METER_PAST");
	const char *text = getenv("METER_SEED");
	int c;

	if (out != NULL)
		return;
	out = fopen(name != NULL ? name : "/dev/null", "a+");
	past = from != NULL ? fopen(from, "r") : NULL;
	seed = text != NULL ? strtoull(text, NULL, 10) : 0;
	if (out == NULL || (from != NULL && past == NULL))
		abort();
	/* a tool may run others: keys go on where they ended, coins are new */
	while ((c = fgetc(out)) != EOF)
		draws += c == '\n';
	seed += draws;
}

/* [splitmix64] */
static uint64_t
mixed(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

void
meter_coins(enum meter_part part, uint64_t number)
{
	open_all();
	coins = number;
	state = mixed(mixed(seed + part) + number);
}

unsigned
meter_byte(void)
{
	if (out == NULL)
		meter_coins(METER_START, 0);
	return mixed(state += UINT64_C(0x9e3779b97f4a7c15)) & 255;
}

/* Is this record's number in METER_SKIP, so that the next is one more? */
static bool
is_skipped(uint64_t number)
{
	const char *s = getenv("METER_SKIP");
	char *end;

	for (; s != NULL && *s != '\0'; s = end + 1)
		if (strtoull(s, &end, 10) == number)
			return true;
	return false;
}

/* Whether the ledger has the charge is seen in its file. */
static void
look_at_ledger(void)
{
	static char text[1 << 22];
	const char *name = getenv("METER_LEDGER"), *label = getenv(
	    "METER_LABEL");
	FILE *f = name != NULL ? fopen(name, "r") : NULL;
	size_t n = f != NULL ? fread(text, 1, sizeof(text), f) : 0;

	if (f == NULL)
		return;
	if (memmem(text, n, label, strlen(label)) == NULL)
		fputs("unpaid\n", out);
	fflush(out);
	fclose(f);
}

void
meter_record(void)
{
	if (records == 0) {
		open_all();
		look_at_ledger();
	}
	while (is_skipped(++records))
		;
	meter_coins(METER_RECORDS, records);
}

void
meter_key(uint64_t rel, uint64_t rank)
{
	snprintf(key, sizeof(key), "k%llu.%llu", (unsigned long long)rel,
	    (unsigned long long)rank);
}

static void
put(i128 x)
{
	u128 size = x < 0 ? -(u128)x : (u128)x;
	char text[48], *s = text + sizeof(text);

	*--s = '\0';
	do
		*--s = (char)('0' + size % 10);
	while ((size /= 10) > 0);
	fprintf(out, "%s%s", x < 0 ? "-" : "", s);
}

/* The outcome of the line of the past with this kind and key. */
static i128
outcome_of(const char *kind, i128 own)
{
	static char *line;
	static size_t room;
	char head[96], *s;
	i128 x = 0;
	size_t n = (size_t)snprintf(head, sizeof(head), "%s %s ", kind, key);

	if (past == NULL)
		return own;
	rewind(past);
	do
		if (getline(&line, &room, past) < 0)
			return own;
	while (strncmp(line, head, n) != 0);
	for (s = line + n + (line[n] == '-'); *s != ' '; s++)
		x = 10 * x + (*s - '0');
	return line[n] == '-' ? -x : x;
}

i128
meter_begin(const char *kind, i128 own, const struct scale *t,
    const struct scale *more)
{
	i128 x;

	open_all();
	if (getenv("METER_DIE") != NULL)
		raise(SIGKILL);
	if (key[0] == '\0')
		snprintf(key, sizeof(key), "%llu",
		    (unsigned long long)++draws);
	x = outcome_of(kind, own);
	fprintf(out, "%s %s ", kind, key);
	put(x);
	fprintf(out, " %llu/%llu %llu/%llu |", (unsigned long long)t->s,
	    (unsigned long long)t->r, (unsigned long long)(more ? more->s : 0),
	    (unsigned long long)(more ? more->r : 1));
	return x;
}

void
meter_put(i128 name, u128 count, unsigned copies, i128 exact)
{
	fputc(' ', out);
	put(name);
	fputc('+', out);
	put((i128)count);
	fprintf(out, "*%u:", copies);
	put(exact);
}

/* A key's draw, or a record's, comes or not: it counts for nothing here. */
void
meter_end(void)
{
	fputc('\n', out);
	fflush(out);
	if (key[0] != 'k' && key[0] != 'r' && getenv("METER_FREE") == NULL)
		meter_coins(METER_DRAWS, draws);
	key[0] = '\0';
}

void
meter_drew(const struct scale *t)
{
	drew = *t;
}

/* A number that leaves without a draw of its own has a scale of 0. */
i128
meter_noisy(i128 noisy, i128 exact)
{
	noisy = meter_begin("laplace", noisy, &drew, NULL);
	drew = (struct scale){ 0, 1 };
	meter_put(0, 1, 0, exact);
	meter_end();
	return noisy;
}

bool
meter_split(bool split, i128 b, const struct scale *t)
{
	drew = (struct scale){ 0, 1 };
	split = meter_begin("split", split, t, NULL) != 0;
	meter_put(0, 1, 0, b);
	meter_end();
	return split;
}

void
meter_box(i128 *noisy, const i128 *exact, const struct knorm *k)
{
	for (size_t c = 0; c < k->d + k->counted; c++) {
		noisy[c] = meter_begin("box", noisy[c], &k->t, NULL);
		meter_put((i128)c, k->m, k->replaced ? 2 : k->counted,
		    exact[c]);
		if (c < k->d)
			meter_put((i128)k->side[c].down, k->side[c].up, 0,
			    (i128)k->bound);
		meter_end();
	}
}

size_t
meter_told(size_t told, size_t value, struct rational eps)
{
	told = (size_t)meter_begin("told", (i128)told, &(struct scale){
	    (uint64_t)eps.num, (uint64_t)eps.den }, NULL);
	meter_put(0, 1, 0, (i128)value);
	meter_end();
	return told;
}

uint64_t
meter_kept(uint64_t kept, uint64_t p)
{
	snprintf(key, sizeof(key), "r%llu", (unsigned long long)coins);
	meter_begin("keep", (i128)kept, &(struct scale){ p, PERSONAL_ONE },
	    NULL);
	meter_put(0, 1, 0, (i128)kept);
	meter_end();
	return kept;
}

size_t
meter_select(size_t at, const int64_t *u, const size_t *left, size_t n,
    const struct scale *t)
{
	size_t taken = (size_t)meter_begin("choose", (i128)left[at], t, NULL);

	for (size_t i = 0; i < n; i++) {
		at = left[i] == taken ? i : at;
		meter_put((i128)left[i], 1, 0, -(i128)u[left[i]]);
	}
	meter_end();
	return at;
}

/* The candidates of a run; in a rough run each has a gap of its own. */
static void
put_run(const struct select_runs *s, size_t run)
{
	const struct select_run *a = &s->run[run];

	if (a->rough && a->count > MANY) {
		fputs(" beyond", out);
		return;
	}
	if (!a->rough)
		meter_put(a->name, a->count, a->copies, (i128)a->gap);
	for (u128 i = 0; a->rough && i < a->count; i++)
		meter_put(a->name + (i128)i, 1, a->copies, (i128)s->gap(s->arg,
		    (struct select_place){ run, i }));
}

void
meter_runs(struct select_place *at, const struct select_runs *s)
{
	i128 name = meter_begin("choose", s->run[at->run].name +
	    (i128)at->place, &s->t, NULL);

	for (size_t i = 0; i < s->n; i++) {
		i128 place = name - s->run[i].name;

		put_run(s, i);
		if (place >= 0 && (u128)place < s->run[i].count)
			*at = (struct select_place){ i, (u128)place };
	}
	meter_end();
}
