/*
 * intake_batch: records that several threads read.
 *
 * Each record goes its usual way through a copy of the intake, which has room
 * of its own for what is found in a record; all else of it is only looked at.
 * Instead of the tool, a batch of numbers takes it in, and the tool gets the
 * batches in the order of the input, in one thread: it cannot see a difference.
 */
#include "intake_batch.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/err.h"

#define LARGE ((off_t)4 << 20)	/* smaller files are not worth a thread */
#define THREADS 8		/* more wait for the one that takes */
#define ROOT "/sys/fs/cgroup"
#define PATH 4096

/* Rows of k numbers, group and weight, or single numbers. */
struct batch {
	struct intake in;	/* the copy; first, as record gets a batch */
	struct intake *whole;
	bool single;
	int64_t *number;
	size_t n;
	size_t room;
	struct arrivals arrivals;	/* with --unit, instead of numbers */
};

/* Room for one more row. */
static __attribute__((noinline)) void
grow(struct batch *b)
{
	b->room += b->room / 4 + 512 * (b->in.k + 2);
	b->number = err_alloc(b->number, b->room, sizeof(*b->number));
}

static void
keep(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct batch *b = arg;
	size_t k = b->in.k, i;
	int64_t *to;

	if (b->room - b->n < k + 2)
		grow(b);
	to = b->number + b->n;
	for (i = 0; i < k; i++)
		to[i] = x[i];
	b->n += k + 2;
	to[k] = (int64_t)group;
	to[k + 1] = (int64_t)w;
}

/* A single number, of the one group and of weight 1. */
static void
keep_one(void *arg, size_t group, const int64_t *x, uint64_t w)
{
	struct batch *b = arg;

	(void)group;
	(void)w;
	if (b->room == b->n)
		grow(b);
	b->number[b->n++] = *x;
}

static void
forget(void *batch)
{
	struct batch *b = batch;

	b->n = 0;
	arrivals_empty(&b->arrivals);
	b->in.total = 0;
	b->in.records = 0;
}

static void
take(void *batch)
{
	struct batch *b = batch;
	struct intake *in = b->whole;
	const int64_t *x = b->number, *end = x + b->n;
	size_t k = in->k;

	if (in->people != NULL)
		people_put(in->people, &b->arrivals);
	for (; b->single && x < end; x++)
		in->take(in->arg, 0, x, 1);
	for (; x < end; x += k + 2)
		in->take(in->arg, (size_t)x[k], x, (uint64_t)x[k + 1]);
	in->total += b->in.total;
	in->records += b->in.records;
	forget(b);
}

/*
 * A control group limits time: quota microseconds in each period.  That of
 * the process and those around it hold; what cannot be read sets no limit.
 *
 * Processors that quota and period stand for, from one up.
 */
static unsigned
limit(unsigned n, long long quota, long long period)
{
	if (quota <= 0 || period <= 0 || quota / period >= n)
		return n;
	return quota < period ? 1 : (unsigned)(quota / period);
}

/* A file of one or two numbers; returns how many could be read. */
static int
numbers(const char *path, long long *a, long long *b)
{
	FILE *f = fopen(path, "re");
	int n;

	if (f == NULL)
		return 0;
	n = fscanf(f, "%lld %lld", a, b);
	fclose(f);
	return n;
}

/* The path of the process below ROOT: what follows 0:: in its list. */
static void
own_group(char path[PATH])
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char line[PATH];

	path[0] = '\0';
	if (f == NULL)
		return;
	while (fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "0::/", 4) == 0) {
			line[strcspn(line, "\n")] = '\0';
			strcpy(path, line + 3);
		}
	fclose(f);
}

static unsigned
limit_of_groups(unsigned n)
{
	char group[PATH], path[PATH + sizeof(ROOT "/cpu.max")];
	long long quota, period;
	char *slash;

	own_group(group);
	do {
		snprintf(path, sizeof(path), ROOT "%s/cpu.max", group);
		if (numbers(path, &quota, &period) == 2)
			n = limit(n, quota, period);
		slash = strrchr(group, '/');
		if (slash != NULL)
			*slash = '\0';
	} while (slash != NULL);
	/* the older kind, as a container sees it */
	if (numbers(ROOT "/cpu/cpu.cfs_quota_us", &quota, &period) == 1 &&
	    numbers(ROOT "/cpu/cpu.cfs_period_us", &period, &period) == 1)
		n = limit(n, quota, period);
	return n;
}

/* Processors at hand, by affinity and control groups; 1 to `most`. */
static unsigned
processors(unsigned most)
{
	cpu_set_t set;
	unsigned n = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		n = (unsigned)CPU_COUNT(&set);
	n = n > most ? most : n;
	return n > 1 ? limit_of_groups(n) : 1;
}

unsigned
batch_threads(const struct intake *in)
{
	if (in->o->threads > 0)
		return in->o->threads;
	return table_left(in->table) < LARGE ? 1 : processors(THREADS);
}

/*
 * Parameters of a record's own and names that the tool looks at are met in
 * order, and so are people of whom one at a time is in memory; under --check
 * and --on-bad fail the number of the record is told.
 */
bool
batch_may(const struct intake *in)
{
	const struct opts *o = in->o;

	return in->threads > 1 && !o->check && !o->unit_sorted &&
	    o->on_bad != ON_BAD_FAIL && in->own_at == 0 && in->texts == 0 &&
	    table_left(in->table) > 0;
}

void
batch_read(struct intake *in, void (*record)(void *in,
    const struct cell *cells, size_t fields))
{
	size_t n = TABLE_BATCHES(in->threads), i;
	struct batch *batch = err_alloc(NULL, n, sizeof(*batch));
	void **each = err_alloc(NULL, n, sizeof(*each));
	struct table_crew crew = { in->threads, each, record, forget,
	    take };

	for (i = 0; i < n; i++) {
		batch[i] = (struct batch){ .in = *in, .whole = in, .single =
		    in->k == 1 && in->o->weight == NULL &&
		    in->o->group == NULL };
		batch[i].in.take = batch[i].single ? keep_one : keep;
		batch[i].in.arg = &batch[i];
		batch[i].in.arrivals = &batch[i].arrivals;
		batch[i].in.x = err_alloc(NULL, in->k, sizeof(*in->x));
		each[i] = &batch[i];
	}
	table_read_pieces(in->table, in->cols, in->all, &crew);
	for (i = 0; i < n; i++) {
		free(batch[i].in.x);
		free(batch[i].number);
		arrivals_free(&batch[i].arrivals);
	}
	free(each);
	free(batch);
}
