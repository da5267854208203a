/* quotes: what a reader that must make sense of every input passes over. */
#include "quotes.h"

static void
count(struct quotes_count *c, uint64_t line)
{
	if (c->count++ == 0)
		c->line = line;
}

/* A byte of a cell that has no quotes, or the first of any cell. */
static void
plain(struct quotes *q, char c)
{
	if (c == q->delimiter || c == '\n' || c == '\r') {
		q->state = QUOTES_START;
	} else if (c != '"') {
		if (q->state == QUOTES_PLAIN || (c != ' ' && c != '\t'))
			q->state = QUOTES_PLAIN;
	} else if (q->state == QUOTES_START) {
		q->state = QUOTES_INSIDE;
		q->opened = q->line;
		q->long_cell = false;
	} else {
		count(&q->inside, q->line);
	}
}

static void
feed(struct quotes *q, char c)
{
	switch (q->state) {
	case QUOTES_START:
	case QUOTES_PLAIN:
		plain(q, c);
		return;
	case QUOTES_INSIDE:
		if (c == '"')
			q->state = QUOTES_CLOSED;
		else if (c == '\n' && !q->long_cell) {
			q->long_cell = true;
			count(&q->lines, q->opened);
		}
		return;
	case QUOTES_CLOSED:
		if (c == '"') {
			q->state = QUOTES_INSIDE;
		} else if (c == q->delimiter || c == '\n' || c == '\r') {
			q->state = QUOTES_START;
		} else if (c != ' ' && c != '\t') {
			count(&q->after, q->line);
			q->state = QUOTES_INSIDE;
		}
	}
}

void
quotes_feed(struct quotes *q, const char *s, size_t n)
{
	for (; n > 0; n--, s++) {
		feed(q, *s);
		q->line += *s == '\n';
	}
}
