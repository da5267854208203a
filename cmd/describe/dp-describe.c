/*
 * dp-describe: a first look at every column, for one charge.
 *
 * Why it is private: each piece is a release of another tool of this family,
 * for the same neighbors, of the same input, and the shares of E add up to E at
 * most (pieces_divide).  All of E is charged before a byte after the header is
 * read.  What is refused is refused before: every piece is tried on the header
 * alone, where only public facts are known.  What is printed is made of the
 * answers of the pieces, and of public facts.  A piece takes no ledger: it is
 * paid for here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe.h"
#include "run/complete.h"
#include "tool/burden.h"
#include "tool/err.h"
#include "tool/host.h"

#define HEAD 65600	/* bytes of a first line, which no header has */

enum { OPT_DRAFT = OPT_OWN };

static const struct tool tool = {
	.name = "dp-describe",
	.synopsis = "-e E [--schema FILE] [option ...] < CSV\n"
	    "       dp-describe --draft < CSV > SCHEMA\n"
"  a first look at every column: means, quartiles, shares, counts\n"
"example: dp-describe -e 1 --schema people.schema.json people.csv",
	.ask = "",
	.rows = {
		{ 'c', "columns", "COL[,COL...]",
		    "these alone; default: all of the schema", OPEN },
		{ OPT_DRAFT, "draft", NULL,
		    "print a schema to begin with; not private" },
	},
	.only = { 'e', 'd', 'f', 'v', 'h', 'V', OPT_SCHEMA, OPT_PEOPLE,
	    OPT_LEDGER, OPT_DATASET, OPT_ACCOUNT, OPT_RELEASE_ID, OPT_LABEL,
	    OPT_LIMITS, OPT_EXPLAIN, OPT_CHECK, OPT_SEED },
};

static void
describe_take(void *arg, int code)
{
	struct describe *d = arg;

	if (code == OPT_DRAFT)
		d->draft = true;
	else
		opts_take(&d->opts, code);
}

/* --- the input ------------------------------------------------------------ */

/* A pipe is kept, as the pieces read the input one after another. */
static void
describe_input(struct describe *d)
{
	struct stat s;

	d->kept = -1;
	d->start = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (d->opts.explain || (fstat(STDIN_FILENO, &s) == 0 &&
	    S_ISREG(s.st_mode)))
		return;
	if (d->opts.limits.ns > 0)
		err_die(STATUS_USAGE, "behind dp-gate dp-describe reads a file "
		    "(policy: data), and nothing that comes by a pipe");
	d->start = 0;
	d->kept = host_file();
	if (d->kept < 0)
		err_sys("memory");
}

/* The first line, as a file; a pipe's first bytes are kept. */
static int
describe_head(struct describe *d)
{
	struct text head = TEXT_INIT;
	char byte = ' ';
	ssize_t got = 1;

	while (d->opts.header != HEADER_NONE && head.len < HEAD &&
	    byte != '\n' && byte != '\r' &&
	    (got = text_some(STDIN_FILENO, &byte, 1)) > 0)
		text_bytes(&head, &byte, 1);
	if (got < 0)
		err_sys("%s", opts_input(&d->opts));
	if (d->kept >= 0)
		text_write(d->kept, head.buf, head.len, "memory");
	return text_file(&head, "memory");
}

/* The rest of a pipe. */
static void
describe_keep(struct describe *d)
{
	char buf[65536];
	ssize_t n;

	if (d->kept < 0)
		return;
	while ((n = text_some(STDIN_FILENO, buf, sizeof(buf))) > 0)
		text_write(d->kept, buf, (size_t)n, "memory");
	if (n < 0 || dup2(d->kept, STDIN_FILENO) < 0)
		err_sys("%s", opts_input(&d->opts));
}

/* --- --check -------------------------------------------------------------- */

/* Was this line told of an earlier column?  It is told now. */
static bool
check_told(struct text *told, const char *line)
{
	struct text text = TEXT_INIT;
	bool found;

	text_printf(&text, "\n%s\n", line);
	found = told->len > 0 && strstr(told->buf, text.buf) != NULL;
	if (!found)
		text_add(told, text.buf);
	text_free(&text);
	return found;
}

/* A tool's words, but what is of all columns only once. */
static void
check_tell(const struct piece *p, char *err, struct text *told)
{
	char *line, *words;

	while ((line = text_field(&err, "\n")) != NULL) {
		words = strstr(line, ": ");
		if (words == NULL || (p->n > 0 && strncmp(words,
		    ": records: ", 11) == 0))
			continue;
		if (p->kind == PIECE_KEYS && strncmp(words + 2, "--unit", 6) !=
		    0)
			err_warn("%s%s", p->columns, words);
		else if (!check_told(told, words + 2))
			err_warn("%s", words + 2);
	}
}

/* Every column by the --check of the tool that would describe it. */
static noreturn void
check_all(struct describe *d)
{
	struct text told = TEXT_INIT;
	int status = STATUS_OK, own;
	char *out, *err;

	describe_keep(d);
	for (size_t i = 0; i < d->pieces; i++) {
		const struct piece *p = &d->piece[i];

		/* those of numbers are of the same cells */
		if (p->kind == PIECE_QUARTILES &&
		    !schema_dated(d->column[p->at[0]].field))
			continue;
		own = child_run(d, p, NULL, STDIN_FILENO, &out, &err);
		status = FIXED_MOST(status, own);
		check_tell(p, err, &told);
		free(out);
		free(err);
	}
	for (size_t i = 1; i < d->columns; i++)
		if (d->column[i].n > 0)
			err_warn("column %s: not looked at: %s",
			    d->column[i].name, d->column[i].fact->value);
	exit(status);
}

/* --- before the data ------------------------------------------------------ */

static void
describe_check(void *arg)
{
	struct describe *d = arg;
	struct opts *o = &d->opts;
	struct text text = TEXT_INIT;

	opts_file(o, 0);
	if (d->draft)
		draft_print(o);
	complete_options(o, &(struct operation){ .people = true,
	    .passed = true });
	if (o->schema == NULL)
		err_die(STATUS_USAGE, "no schema given (--schema FILE): it "
		    "says what columns hold; dp-describe --draft FILE prints "
		    "one to begin with");
	opts_check(o);
	unsetenv("DPUTILS_LEDGER");
	text_bytes(&text, o->schema->text.buf, o->schema->text.len);
	d->schema = text_file(&text, "the schema");
	describe_input(d);
	pieces_choose(d);
	if (o->check)
		check_all(d);
}

static void
describe_say(const struct describe *d, FILE *to)
{
	struct text out = TEXT_INIT;

	report_print(&d->report, &out, d->opts.format);
	if (d->opts.format != FORMAT_JSON)
		pieces_say(d, &out);
	if (d->opts.explain) {
		text_output(out.buf, out.len);
		exit(STATUS_OK);
	}
	fwrite(out.buf, 1, out.len, to);
	text_free(&out);
}

static void
describe_plan(void *arg)
{
	struct describe *d = arg;
	struct opts *o = &d->opts;

	d->report = (struct report){ .opts = o, .digits = -1, .eps = o->eps,
	    .mechanism = "releases of other tools, which share epsilon" };
	if (!o->explain)
		return;
	if (o->eps.den == 0)
		d->report.eps = (struct rational){ 1, 1 };
	pieces_try(d, -1);
	describe_say(d, stdout);
}

static void
describe_open(void *arg, struct intake_use *use)
{
	struct describe *d = arg;
	int head = describe_head(d);
	struct burden b = { .columns = 1 };

	(void)use;
	pieces_try(d, head);
	close(head);
	if (d->opts.verbose)
		describe_say(d, stderr);
	for (size_t i = 0; i < d->pieces; i++) {
		b.columns = FIXED_MOST(b.columns, d->piece[i].n);
		b.bytes = FIXED_MOST(b.bytes, burden_quantiles(
		    d->piece[i].eps, 2));
	}
	/* pieces have the gate's hour together, and its processor each */
	b.ns = 40 * d->pieces + 10 * b.columns;
	b.memory = b.labels = 8 * d->bytes;
	burden_bear(&d->opts, &b);
}

/* --- the data ------------------------------------------------------------- */

static void
describe_read(void *arg)
{
	struct describe *d = arg;
	char *err;

	run_pay(d->run);
	describe_keep(d);
	for (size_t i = 0; i < d->pieces; i++) {
		/* fixed words: no piece refuses anything any more */
		if (child_run(d, &d->piece[i], NULL, STDIN_FILENO,
		    &d->piece[i].answer, &err) != STATUS_OK)
			err_die(STATUS_INPUT, "a part could not be finished");
		free(err);
	}
}

static bool
describe_rows(void *arg, uint64_t rel)
{
	struct describe *d = arg;

	(void)rel;
	for (size_t i = 0; i < d->pieces; i++)
		show_take(d, &d->piece[i]);
	show_all(d, &d->out.text);
	return true;
}

static const struct run_steps steps = { .take = describe_take,
	.check = describe_check, .plan = describe_plan, .open = describe_open,
	.read = describe_read, .rows = describe_rows };

int
main(int argc, char **argv)
{
	static struct describe d = { .opts = OPTS_INIT(&tool),
	    .out = RELEASE_INIT };
	struct run r = { RUN_OF(d), .steps = &steps };

	d.run = &r;
	return run(&r, argc, argv);
}
