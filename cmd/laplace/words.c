/*
 * words: an expression's words, counted and put in order.
 *
 * An expression is a row of items: a byte from a class or a word from a group,
 * repeated.  The states are built from the last item to the first.  A state has
 * one successor for each byte.  An expression is refused where two parts could
 * go on with one byte, so every word has one path and counts once.  The number
 * of words from a state is the sum over the successors, plus 1 if a word may
 * end at the state.  A word's rank in byte order adds up, along the path, the
 * earlier words of each state; the inverse takes a rank apart.
 */
#include "pattern.h"

#include <stdlib.h>
#include <string.h>

#include "number/memory.h"

#define NONE 0			/* no state, and no successor */
#define END 1			/* the state after the last item */
#define STATES PATTERN_LONG	/* in an expression, written out */
#define SPECIAL "[](){}|?*+.^$\\"

struct parser {
	const char *p;
	const char *why;
	struct word_state *state;
	size_t states;
};

static bool
fail(struct parser *q, const char *why)
{
	q->why = why;
	return false;
}

static size_t
emit(struct parser *q)
{
	if (q->states == STATES) {
		fail(q, "it is too long when its repetitions are written out");
		return NONE;
	}
	q->state[q->states] = (struct word_state){ 0 };
	return q->states++;
}

/* A backslash and the byte after: \. is a point; \d, a digit, gives byte 0. */
static bool
escape(struct parser *q, unsigned char *byte)
{
	unsigned char c = (unsigned char)*++q->p;

	*byte = c != 'd' ? c : '\0';
	if (c == '\0')
		return fail(q, "nothing follows the backslash");
	if ((c >= 'a' && c <= 'z' && c != 'd') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9'))
		return fail(q, "of letters and digits only d may follow a "
		    "backslash (\\d is [0-9])");
	q->p++;
	return true;
}

/* From state s a byte, or with byte 0 a digit, leads to `next'. */
static void
words_lead(struct word_state *s, unsigned char byte, size_t next)
{
	unsigned char last = byte != '\0' ? byte : '9';

	for (int b = byte != '\0' ? byte : '0'; b <= last; b++)
		s->next[b] = (uint16_t)next;
}

/* A class's byte, or an escape. */
static bool
member(struct parser *q, unsigned char *byte)
{
	*byte = (unsigned char)*q->p;
	if (*byte == '\0')
		return fail(q, "a class lacks its ]");
	if (*byte >= 0x80)
		return fail(q, "a class holds ASCII characters only: write "
		    "(a|b) with others");
	if (*byte == '\\')
		return escape(q, byte);
	q->p++;
	return true;
}

/* [a-z0-9_] */
static bool
class(struct parser *q, struct word_state *s, size_t next)
{
	unsigned char from, to;

	q->p++;
	if (*q->p == '^' || *q->p == ']')
		return fail(q, "a class lists its characters: [^...] and [] "
		    "are none (\\^ and \\] are characters)");
	while (*q->p != ']') {
		if (!member(q, &from))
			return false;
		words_lead(s, from, next);
		if (*q->p != '-' || q->p[1] == ']')
			continue;
		q->p++;
		if (!member(q, &to))
			return false;
		if (from == '\0' || from > to)
			return fail(q, "a range of characters goes from the "
			    "lower to the higher");
		for (; from < to; from++)
			words_lead(s, from + 1, next);
	}
	q->p++;
	return true;
}

static bool
words_number(struct parser *q, size_t *x)
{
	size_t n;

	for (*x = n = 0; q->p[n] >= '0' && q->p[n] <= '9' && n < 5; n++)
		*x = *x * 10 + (size_t)(q->p[n] - '0');
	q->p += n;
	return n > 0 && n < 5;
}

/* {m}, {m,n} or ?; once without. */
static bool
repetition(struct parser *q, size_t *least, size_t *most)
{
	*least = *most = 1;
	if (*q->p == '?') {
		*least = 0;
		q->p++;
	}
	if (*q->p != '{')
		return true;
	q->p++;
	if (!words_number(q, least))
		return fail(q, "a repetition is {m} or {m,n}");
	*most = *least;
	if (*q->p == ',') {
		q->p++;
		if (!words_number(q, most))
			return fail(q, "a repetition {m,n} needs its most: a "
			    "universe is finite");
	}
	if (*q->p != '}' || *most < *least || *most == 0)
		return fail(q, "a repetition is {m} or {m,n}, n at least m "
		    "and 1");
	q->p++;
	return true;
}

/* Refuses a character that means nothing here. */
static bool
misplaced(struct parser *q, char c)
{
	if (c == '*' || c == '+')
		return fail(q, "a universe is finite: write {0,9} or {1,9}, "
		    "with its most, for * and +");
	if (c == '|')
		return fail(q, "alternatives stand in parentheses: (a|b)");
	if (c == ')')
		return fail(q, "a ) has no (");
	return fail(q, "this character stands for itself after a backslash "
	    "only; any character of a set is [a-z0-9]");
}

/* --- the states, from the last one to the first --------------------------- */

/* From `at' a word may go on as from `other', too. */
static bool
merge(struct parser *q, size_t at, size_t other)
{
	struct word_state *to = &q->state[at];
	const struct word_state *from = &q->state[other];

	for (size_t b = 0; b < 256; b++) {
		if (from->next[b] == NONE)
			continue;
		if (to->next[b] != NONE)
			return fail(q, "a word could be made in two ways: one "
			    "of two parts that begin alike could come here");
		to->next[b] = from->next[b];
	}
	if (to->accepts && from->accepts)
		return fail(q, "a word could be made in two ways");
	to->accepts |= from->accepts;
	return true;
}

/* Counts a state's words; the successors have been counted. */
static bool
words_count(struct parser *q, size_t at)
{
	struct word_state *s = &q->state[at];
	uint64_t total = s->accepts;

	for (size_t b = 0; b < 256; b++) {
		s->before[b] = total;
		if (s->next[b] != NONE)
			total += q->state[s->next[b]].before[256];
		if (total >= PATTERN_KEYS)
			return fail(q, PATTERN_LARGE);
	}
	s->before[256] = total;
	return true;
}

/* A word of a group, up to | or ), from state `at' on; marks the last state. */
static bool
word(struct parser *q, size_t at)
{
	const char *start = q->p;

	while (*q->p != '|' && *q->p != ')') {
		unsigned char byte = (unsigned char)*q->p;
		size_t to;

		if (byte == '\0')
			return fail(q, "a ( lacks its )");
		if (byte == '\\' ? q->p[1] == 'd' :
		    strchr(SPECIAL, byte) != NULL)
			return fail(q, "parentheses hold single words, as in "
			    "(north|south): classes and repetitions stand "
			    "outside of them");
		if (byte != '\\')
			q->p++;
		else if (!escape(q, &byte))
			return false;
		to = q->state[at].next[byte];
		if (to == NONE && (to = emit(q)) == NONE)
			return false;
		q->state[at].next[byte] = (uint16_t)to;
		at = to;
	}
	if (q->p == start)
		return fail(q, "a word in parentheses is empty: ? behind them "
		    "says that there may be none");
	if (q->state[at].accepts)
		return fail(q, "a word could be made in two ways");
	return q->state[at].accepts = true;
}

/*
 * (north|south) before the next state: words that begin alike share states, and
 * a marked state goes on as the next.  A state has a smaller number than its
 * successors.
 */
static size_t
group(struct parser *q, size_t next)
{
	size_t first = emit(q);

	if (first == NONE)
		return NONE;
	do {
		q->p++;
		if (!word(q, first))
			return NONE;
	} while (*q->p == '|');
	q->p++;
	for (size_t at = q->states; at-- > first;) {
		bool last = q->state[at].accepts;

		q->state[at].accepts = false;
		if ((last && !merge(q, at, next)) || !words_count(q, at))
			return NONE;
	}
	return first;
}

/* The state where a group, a class or a character stands before the next. */
static size_t
once(struct parser *q, size_t next)
{
	unsigned char c = (unsigned char)*q->p;
	bool fine = true;
	size_t at;

	if (c == '(')
		return group(q, next);
	if (c != '[' && c != '\\' && strchr(SPECIAL, c) != NULL) {
		misplaced(q, *q->p);
		return NONE;
	}
	if ((at = emit(q)) == NONE)
		return NONE;
	if (c == '[')
		return class(q, &q->state[at], next) ? at : NONE;
	if (c == '\\')
		fine = escape(q, &c);
	else
		q->p++;
	words_lead(&q->state[at], c, next);
	return fine ? at : NONE;
}

/*
 * The state for the rest of the expression.  x{1,3} is x(x(x)?)?: the word may
 * end before each x but the first.  An item is looked at once, for its end, and
 * again for each time that it may come.
 */
static size_t
rest(struct parser *q)
{
	const char *start = q->p;
	size_t states = q->states, least, most, next, follow;

	if (*start == '\0')
		return END;
	if (once(q, END) == NONE || !repetition(q, &least, &most))
		return NONE;
	q->states = states;
	next = follow = rest(q);
	for (size_t i = most; follow != NONE && i-- > 0;) {
		size_t at;

		q->p = start;
		at = once(q, next);
		q->p = start;
		if (at == NONE || (i >= least && !merge(q, at, follow)) ||
		    !words_count(q, at))
			return NONE;
		next = at;
	}
	return next;
}

bool
words_parse(struct pattern *p, const char *text, struct pattern_error *error)
{
	struct parser q = { .p = text, .states = END };
	size_t start = NONE;

	q.state = err_alloc(NULL, STATES, sizeof(*q.state));
	q.state[emit(&q)].accepts = true;
	if ((strlen(text) < PATTERN_LONG || fail(&q, "it is too long")) &&
	    words_count(&q, END))
		start = rest(&q);
	if (start == NONE) {
		*error = (struct pattern_error){ q.why, (size_t)(q.p - text) };
		free(q.state);
		return false;
	}
	p->state = q.state;
	p->state[0] = p->state[start];
	p->keys = p->state[0].before[256];
	return true;
}

uint64_t
words_rank(const struct word_state *state, const char *text, size_t len)
{
	const struct word_state *s = state;
	uint64_t rank = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char b = (unsigned char)text[i];

		if (s->before[b + 1] == s->before[b])
			return PATTERN_NONE;
		rank += s->before[b];
		s = &state[s->next[b]];
	}
	return s->accepts ? rank : PATTERN_NONE;
}

size_t
words_key(const struct word_state *state, uint64_t rank, char *buf)
{
	const struct word_state *s = state;
	size_t n = 0;
	unsigned b;

	while (rank >= s->accepts) {
		for (b = 255; s->before[b] > rank ||
		    s->before[b + 1] == s->before[b]; b--)
			;
		buf[n++] = (char)b;
		rank -= s->before[b];
		s = &state[s->next[b]];
	}
	return n;
}
