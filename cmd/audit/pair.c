/* pair: a pair of inputs, run and judged. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit.h"
#include "tool/digest.h"
#include "tool/err.h"

static size_t
failures(const struct sample *s, size_t n, int *last)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (s[i].status != 0) {
			*last = s[i].status;
			k++;
		}
	return k;
}

/* A command that never works shows nothing, and least of all privacy. */
static void
refuse_failed(const struct audit_plan *a, const char *input, size_t runs,
    int status)
{
	struct audit_job job = a->job;

	job.input = input;
	audit_words(&job, job.argv);
	err_die(STATUS_INPUT, "nothing to judge: all %zu runs of '%s' failed, "
	    "the last one with status %d", runs, job.argv[0], status);
}

void
audit_pair(const struct audit_plan *a, const char *left, const char *right,
    struct verdict *v)
{
	static const char *const sides[] = { "left", "right" };
	const char *const path[] = { left, right };
	char one[DIGEST_TEXT], other[DIGEST_TEXT];
	struct audit_job job = a->job;
	struct sample *side[2];
	size_t n = a->runs;

	if (strcmp(digest_file("left", left, one), digest_file("right",
	    right, other)) == 0)
		err_warn("--left and --right hold the same: nothing can tell "
		    "them apart, and neighbors differ in one record");
	a->job.watch->total = 2 * n;
	for (int i = 0; i < 2; i++) {
		job.input = path[i];
		job.what = sides[i];
		side[i] = audit_run(&job, n);
	}
	audit_judge(side[0], side[1], n, a->error, v);
	for (int i = 0; i < 2; i++) {
		v->failed[i] = failures(side[i], n, &v->status);
		audit_free(side[i], n);
	}
	if (v->failed[0] + v->failed[1] == 2 * n)
		refuse_failed(a, right, 2 * n, v->status);
}

/* Every run reads the file from the start; a pipe would be empty by then. */
void
audit_input(const char *option, const char *path)
{
	struct stat s;

	if (stat(path, &s) != 0 || access(path, R_OK) != 0)
		err_sys("%s %s", option, path);
	if (!S_ISREG(s.st_mode))
		err_die(STATUS_USAGE, "%s %s is no regular file, and each run "
		    "reads it anew: write it to a file first", option, path);
}
