/*
 * words: the words of an expression, counted and put in order.
 *
 * An expression without stars has finitely many words.  It is written out as
 * steps of a nondeterministic automaton, repetitions copied, and then made
 * deterministic by the subset construction.  There every word has one path, so
 * that a word which the expression makes in two ways counts once, and the
 * number of words from a state is one, if it accepts, plus those of its
 * successors.  The rank of a word in the order of bytes adds up, along its
 * path, what stands before it in each state; taking that apart again gives the
 * word of a rank.
 */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX
#define SET (WORDS_STEPS / 64)	/* words of a set of steps */
#define DEPTH 8			/* of parentheses */
#define SPECIAL "[](){}|?*+.^$\\"

enum step_kind { STEP_BYTE, STEP_SPLIT, STEP_END };

/* A byte of a set, then next; or go on at next and at other as well. */
struct step {
	enum step_kind kind;
	uint64_t set[4];
	size_t next, other;
};

struct parser {
	const char *p;
	struct step *step;
	size_t n;
	size_t depth;
	const char *why;
};

static bool
fail(struct parser *q, const char *why)
{
	q->why = why;
	return false;
}

/* One more step, or NONE. */
static size_t
emit(struct parser *q, enum step_kind kind)
{
	if (q->n == WORDS_STEPS) {
		fail(q, "it is too long when its repetitions are written out");
		return NONE;
	}
	q->step[q->n] = (struct step){ .kind = kind, .next = q->n + 1,
	    .other = NONE };
	return q->n++;
}

static void
set_add(uint64_t *set, size_t i)
{
	set[i / 64] |= (uint64_t)1 << i % 64;
}

static bool
set_has(const uint64_t *set, size_t i)
{
	return set[i / 64] >> i % 64 & 1;
}

/* A backslash and what it stands for: \d is a digit, \. a point. */
static bool
escape(struct parser *q, uint64_t *set, unsigned char *byte)
{
	unsigned char c = (unsigned char)*++q->p;

	*byte = c;
	if (c == '\0')
		return fail(q, "nothing follows the backslash");
	if (c == 'd')
		for (int digit = '0'; digit <= '9'; digit++)
			set_add(set, (size_t)digit);
	else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9'))
		return fail(q, "of letters and digits only d may follow a "
		    "backslash (\\d is [0-9])");
	else
		set_add(set, c);
	q->p++;
	return true;
}

/* One byte of a class, or an escape of it. */
static bool
member(struct parser *q, uint64_t *set, unsigned char *byte)
{
	*byte = (unsigned char)*q->p;
	if (*byte == '\0')
		return fail(q, "a class lacks its ]");
	if (*byte >= 0x80)
		return fail(q, "a class holds ASCII characters only: write "
		    "(a|b) with others");
	if (*byte == '\\')
		return escape(q, set, byte);
	set_add(set, *byte);
	q->p++;
	return true;
}

/* [a-z0-9_] */
static bool
class(struct parser *q, uint64_t *set)
{
	unsigned char from, to;

	q->p++;
	if (*q->p == '^' || *q->p == ']')
		return fail(q, "a class lists its characters: [^...] and [] "
		    "are none (\\^ and \\] are characters)");
	while (*q->p != ']') {
		bool digits = q->p[0] == '\\' && q->p[1] == 'd';

		if (!member(q, set, &from))
			return false;
		if (*q->p != '-' || q->p[1] == ']')
			continue;
		q->p++;
		digits = digits || (q->p[0] == '\\' && q->p[1] == 'd');
		if (!member(q, set, &to))
			return false;
		if (digits || from > to)
			return fail(q, "a range of characters goes from the "
			    "lower to the higher");
		for (; from < to; from++)
			set_add(set, from);
	}
	q->p++;
	return true;
}

static bool alternatives(struct parser *q);

static bool
atom(struct parser *q)
{
	unsigned char c = (unsigned char)*q->p;
	size_t at;

	if (c == '(') {
		q->p++;
		if (!alternatives(q))
			return false;
		if (*q->p != ')')
			return fail(q, "a ( lacks its )");
		q->p++;
		return true;
	}
	if (c != '[' && c != '\\' && strchr(SPECIAL, c) != NULL)
		return fail(q, c == '*' || c == '+' ? "a universe is finite: "
		    "write {0,9} or {1,9}, with its most, for * and +" :
		    "this character stands for itself after a backslash only");
	if ((at = emit(q, STEP_BYTE)) == NONE)
		return false;
	if (c == '[')
		return class(q, q->step[at].set);
	if (c == '\\')
		return escape(q, q->step[at].set, &c);
	set_add(q->step[at].set, c);
	q->p++;
	return true;
}

static bool
number(struct parser *q, size_t *x)
{
	size_t n;

	for (*x = n = 0; q->p[n] >= '0' && q->p[n] <= '9' && n < 5; n++)
		*x = *x * 10 + (size_t)(q->p[n] - '0');
	q->p += n;
	return n > 0 && n < 5;
}

/* {m}, {m,n} or ?; without one it is once. */
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
	if (!number(q, least))
		return fail(q, "a repetition is {m} or {m,n}");
	*most = *least;
	if (*q->p == ',') {
		q->p++;
		if (!number(q, most))
			return fail(q, "a repetition {m,n} needs its most: a "
			    "universe is finite");
	}
	if (*q->p != '}' || *most < *least || *most == 0)
		return fail(q, "a repetition is {m} or {m,n}, n at least m "
		    "and 1");
	q->p++;
	return true;
}

/* Sets the ends of a chain of steps, linked by their member other. */
static void
patch(struct parser *q, size_t chain, size_t to)
{
	while (chain != NONE) {
		size_t next = q->step[chain].other;

		q->step[chain].other = to;
		chain = next;
	}
}

/* An atom as often as it says: its text is read again for each copy. */
static bool
item(struct parser *q)
{
	const char *start = q->p, *end;
	size_t n = q->n, least, most, at, chain = NONE;

	if (!atom(q) || !repetition(q, &least, &most))
		return false;
	end = q->p;
	q->n = n;
	for (size_t i = 0; i < most; i++) {
		if (i >= least) {
			if ((at = emit(q, STEP_SPLIT)) == NONE)
				return false;
			q->step[at].other = chain;
			chain = at;
		}
		q->p = start;
		if (!atom(q))
			return false;
	}
	patch(q, chain, q->n);
	q->p = end;
	return true;
}

static bool
alternatives(struct parser *q)
{
	size_t split, jump, chain = NONE;

	if (q->depth++ == DEPTH)
		return fail(q, "parentheses are nested too deeply");
	for (;;) {
		if ((split = emit(q, STEP_SPLIT)) == NONE)
			return false;
		while (*q->p != '\0' && *q->p != '|' && *q->p != ')')
			if (!item(q))
				return false;
		if (*q->p != '|')
			break;
		q->p++;
		if ((jump = emit(q, STEP_SPLIT)) == NONE)
			return false;
		q->step[jump].other = chain;
		chain = jump;
		q->step[split].other = q->n;
	}
	/* a jump goes where the last alternative goes on, and only there */
	for (; chain != NONE; chain = jump) {
		jump = q->step[chain].other;
		q->step[chain].next = q->n;
		q->step[chain].other = NONE;
	}
	q->depth--;
	return true;
}

struct builder {
	const struct step *step;
	struct word_state *state;
	uint64_t (*set)[SET];		/* the steps of each state */
	size_t states;
	const char *why;
};

/* Adds a step and those that follow it without a byte. */
static void
follow(const struct step *step, uint64_t *set, size_t at)
{
	while (at != NONE && !set_has(set, at)) {
		set_add(set, at);
		if (step[at].kind != STEP_SPLIT)
			return;
		follow(step, set, step[at].other);
		at = step[at].next;
	}
}

/* The steps after byte b; false where there are none. */
static bool
move(const struct builder *b, const uint64_t *from, unsigned byte,
    uint64_t *to)
{
	bool any = false;

	memset(to, 0, SET * sizeof(*to));
	for (size_t w = 0; w < SET; w++)
		for (uint64_t bits = from[w]; bits != 0; bits &= bits - 1) {
			size_t i = w * 64 + (size_t)__builtin_ctzll(bits);

			if (b->step[i].kind != STEP_BYTE ||
			    !set_has(b->step[i].set, byte))
				continue;
			follow(b->step, to, b->step[i].next);
			any = true;
		}
	return any;
}

static bool
accepts(const struct builder *b, const uint64_t *set)
{
	for (size_t i = 0; i < WORDS_STEPS; i++)
		if (set_has(set, i) && b->step[i].kind == STEP_END)
			return true;
	return false;
}

/*
 * The state for a set of steps, and all that can follow.  Steps go forward
 * only, so no state follows itself and the recursion ends: each level is one
 * byte of a word.  NONE on failure.
 */
static size_t
build(struct builder *b, const uint64_t *set)
{
	uint64_t to[SET], last[SET] = { 0 }, total;
	size_t at = b->states, child = NONE;
	struct word_state *s;

	for (size_t i = 0; i < b->states; i++)
		if (memcmp(b->set[i], set, sizeof(to)) == 0)
			return i;
	if (at == WORDS_STATES) {
		b->why = "it needs too large an automaton";
		return NONE;
	}
	b->states++;
	memcpy(b->set[at], set, sizeof(to));
	s = &b->state[at];
	s->accepts = accepts(b, set);
	total = s->accepts;
	for (unsigned byte = 0; byte < 256; byte++) {
		s->before[byte] = total;
		if (!move(b, set, byte, to))
			continue;
		if (child == NONE || memcmp(to, last, sizeof(to)) != 0)
			child = build(b, to);
		if (child == NONE)
			return NONE;
		memcpy(last, to, sizeof(to));
		s->next[byte] = (uint16_t)child;
		total += b->state[child].before[256];
		if (total >= WORDS_MOST) {
			b->why = "it has 2^62 keys or more";
			return NONE;
		}
	}
	s->before[256] = total;
	return at;
}

static struct word_state *
automaton(const struct step *step, const char **why)
{
	struct builder b = { .step = step };
	uint64_t start[SET] = { 0 };

	b.state = calloc(WORDS_STATES, sizeof(*b.state));
	b.set = calloc(WORDS_STATES, sizeof(*b.set));
	follow(step, start, 0);
	if (b.state == NULL || b.set == NULL || build(&b, start) != 0) {
		*why = b.why;
		free(b.state);
		b.state = NULL;
	}
	free(b.set);
	return b.state;
}

struct word_state *
words_parse(const char *text, const char **why, size_t *at)
{
	struct parser q = { .p = text };
	struct word_state *state = NULL;

	q.step = calloc(WORDS_STEPS, sizeof(*q.step));
	if (q.step != NULL && alternatives(&q) && (*q.p == '\0' ||
	    fail(&q, "a ) has no (")) && emit(&q, STEP_END) != NONE)
		state = automaton(q.step, &q.why);
	free(q.step);
	*why = q.why;
	*at = (size_t)(q.p - text);
	return state;
}

uint64_t
words_rank(const struct word_state *state, const char *text, size_t len)
{
	const struct word_state *s = state;
	uint64_t rank = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char b = (unsigned char)text[i];

		if (s->before[b + 1] == s->before[b])
			return WORDS_NONE;
		rank += s->before[b];
		s = &state[s->next[b]];
	}
	return s->accepts ? rank : WORDS_NONE;
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
