/*
 * pairs: a family of small neighbouring inputs.
 *
 * Most mechanisms are least private at the ends of the range and with few
 * records, so the family is: no record, or a few equal to either end or the
 * middle, or half of them at each end; and one record more (add-remove) or
 * one that goes from one end or the middle to another end (swap).
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pairs.h"
#include "tool/err.h"

/* Values a record may have. */
struct ends {
	const char *lo, *mid, *hi;
};

static const char *
base_value(const struct ends *e, int kind, int i)
{
	const char *const v[] = { e->lo, e->mid, e->hi };

	return kind < 3 ? v[kind] : i % 2 == 0 ? e->lo : e->hi;
}

/* size records of a kind, then the last one unless it is NULL. */
static void
write_file(const char *path, const char *column, const struct ends *e,
    int kind, int size, const char *last)
{
	FILE *f = fopen(path, "w");

	if (f == NULL)
		diesys(STATUS_INPUT, "%s", path);
	fprintf(f, "%s\n", column);
	for (int i = 0; i < size; i++)
		fprintf(f, "%s\n", base_value(e, kind, i));
	if (last != NULL)
		fprintf(f, "%s\n", last);
	if (fclose(f) != 0)
		diesys(STATUS_INPUT, "%s", path);
}

/* The pairs that stand on disk; a process makes one family. */
static char *folder;
static struct {
	struct neighbors_pair pair[AUDIT_PAIRS];
	size_t n;
} family;

/* Only what a signal handler may call. */
static void
wipe(void)
{
	for (size_t i = 0; i < family.n; i++) {
		unlink(family.pair[i].left);
		unlink(family.pair[i].right);
	}
	if (folder != NULL)
		rmdir(folder);
}

static atomic_bool ending;

void
audit_pairs_hold(void)
{
	while (ending)
		pause();
}

/* Leaves nothing behind; then the signal does what it does. */
static void
end_by(int sig)
{
	ending = true;
	wipe();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* A signal that the caller has switched off, as nohup does, stays so. */
static void
catch_signals(void)
{
	static const int end[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = end_by }, old;

	for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++) {
		sigaddset(&act.sa_mask, end[i]);
		if (sigaction(end[i], NULL, &old) == 0 &&
		    old.sa_handler != SIG_IGN)
			sigaction(end[i], &act, NULL);
	}
}

void
audit_pairs_remove(void)
{
	wipe();
	for (size_t i = 0; i < family.n; i++) {
		free(family.pair[i].left);
		free(family.pair[i].right);
	}
	family.n = 0;
	free(folder);
	folder = NULL;
}

/* The handler sees a pair only when both of its names are there. */
static char *
path_in(size_t n, const char *side)
{
	size_t size = strlen(folder) + 32;
	char *path = err_alloc(NULL, size, 1);

	snprintf(path, size, "%s/%zu.%s", folder, n, side);
	return path;
}

/* A new folder for the files. */
static void
make_folder(void)
{
	const char *top = getenv("TMPDIR");
	size_t size;

	if (top == NULL || top[0] == '\0')
		top = "/tmp";
	size = strlen(top) + sizeof("/dp-audit.XXXXXX");
	folder = err_alloc(NULL, size, 1);
	snprintf(folder, size, "%s/dp-audit.XXXXXX", top);
	catch_signals();
	if (mkdtemp(folder) == NULL)
		diesys(STATUS_INPUT, "a folder in %s", top);
	atexit(audit_pairs_remove);
}

static void
add_pair(const char *column, const struct ends *e, int kind, int size,
    const char *const *last, bool swap)
{
	static const char *const kinds[] = { "at the low end", "in the middle",
	    "at the high end", "at both ends" };
	struct neighbors_pair *p = &family.pair[family.n];

	p->left = path_in(family.n, "left");
	p->right = path_in(family.n, "right");
	snprintf(p->words, sizeof(p->words), "%d records %s and one of %.30s "
	    "or %.30s", size, kinds[kind], last[0], swap ? last[1] : "none");
	family.n++;
	write_file(p->left, column, e, kind, size, last[0]);
	write_file(p->right, column, e, kind, size, last[1]);
}

size_t
audit_pairs(struct neighbors_pair **pair, const char *column, const char *lo,
    const char *mid, const char *hi, bool swap)
{
	static const int sizes[] = { 0, 1, 2, 5, 20 };
	const struct ends e = { lo, mid, hi };
	/* the records that come, or change: left and right of each */
	const char *const last[2][3][2] = {
		{ { lo, NULL }, { mid, NULL }, { hi, NULL } },
		{ { lo, hi }, { mid, hi }, { lo, mid } }
	};

	make_folder();
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (int kind = 0; kind < (sizes[s] == 0 ? 1 : 4); kind++)
			for (size_t i = 0; i < 3; i++)
				add_pair(column, &e, kind, sizes[s],
				    last[swap][i], swap);
	*pair = family.pair;
	return family.n;
}
