/*
 * dp-gate: the trusted server of [DMNS06], for people who may ask and may not
 * look: started by a forced command of sshd, a rule of sudo or a service of
 * inetd.  Linux alone has what it asks of the system.
 */
#define _GNU_SOURCE 1
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "gate.h"
#include "words.h"

#define SILENCE 60	/* seconds that an asker may take to say the words */
#define PATIENCE 3600	/* and a tool to answer */
#define TURN 300000	/* ms for others to leave a turn */

static const struct tool tool = {
	.name = "dp-gate",
	.synopsis = "POLICY [WORD ...]\n"
"  WORD      a tool and its options, or show; without WORD the line in\n"
"            SSH_ORIGINAL_COMMAND, or one of standard input\n"
"  answers people who may ask and may not see the data\n"
"example: dp-gate /etc/dputils/anne.policy laplace count -e 0.1",
	.only = { 'h', 'V' },
};

static const int terminal[] = { SIGHUP, SIGINT, SIGQUIT, SIGTSTP };
static struct timespec begun;
static bool answered;
static char **asked;	/* the words, once known */

/* At exit: the system's log gets refusals that are not a tool's. */
static void
log_refusal(void)
{
	static struct text t;

	if (answered)
		return;
	for (; asked != NULL && *asked != NULL; asked++)
		text_printf(&t, " %s", *asked);
	syslog(LOG_AUTH | LOG_NOTICE, "refused:%.*s", (int)t.len, t.buf);
}

char *
gate_path(const char *name)
{
	char *own = realpath("/proc/self/exe", NULL);
	struct text t = TEXT_INIT;

	if (own == NULL)
		err_sys("/proc/self/exe");
	text_printf(&t, "%.*s/%s", (int)(strrchr(own, '/') - own), own, name);
	free(own);
	return text_string(&t);
}

/* --- turns and time ------------------------------------------------------ */

/* A turn among at-once turns, until the ledger is closed. */
static struct ledger *
take_turn(const struct policy *p)
{
	struct ledger *l = ledger_open(p->line[POLICY_LEDGER]);
	int ms = 0;

	do
		for (int64_t i = 1; i <= (int64_t)p->at_once; i++)
			if (ledger_hold(l, -i))
				return l;
	while (ledger_tick(&ms, TURN));
	err_die(STATUS_INPUT, "too many ask at once; try again later");
}

/*
 * Until a multiple of pace seconds after the beginning: a second just begun
 * does not count as passed.
 */
static void
keep_pace(const struct policy *p)
{
	struct timespec now, at = begun;
	time_t pace = (time_t)p->pace, passed;

	if (pace == 0)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	passed = now.tv_sec - begun.tv_sec - (now.tv_nsec < begun.tv_nsec);
	at.tv_sec += (passed / pace + 1) * pace;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

/* --- the answer ---------------------------------------------------------- */

static int
answer(const struct policy *p)
{
	struct request r = gate_ask(p, asked);
	struct ledger *turn;
	struct label bytes;
	struct outcome a;

	text_room();
	alarm(PATIENCE);
	turn = take_turn(p);
	if (r.charges)
		gate_refuse_open(p);
	a = gate_run(p, r.argv, r.sent);
	ledger_close(turn);
	keep_pace(p);
	if (r.charges && a.status != STATUS_OK)
		gate_refuse_open(p);
	if (a.status == GATE_HALF)
		err_die(STATUS_INPUT, "the data could not be read");
	if (a.status == GATE_DIED)
		err_die(STATUS_INPUT, "the tool died");
	answered = true;
	bytes = gate_bytes(a.err);
	(void)!write(STDERR_FILENO, bytes.text, bytes.len);
	bytes = gate_bytes(a.out);
	text_output(bytes.text, bytes.len);
	return a.status;
}

int
main(int argc, char **argv)
{
	static struct opts o = OPTS_INIT(&tool);
	static struct policy p;
	struct text out = TEXT_INIT;
	int c, ours = argc > 2 && argv[1][0] != '-' ? 2 : argc;

	clock_gettime(CLOCK_MONOTONIC, &begun);
	/* an asker leaves no descriptor behind, whatever started us */
	if (syscall(SYS_close_range, 3u, ~0u, 0u) != 0)
		err_sys("close_range");
	/* the words after the policy are the asker's */
	while ((c = opts_next(&o, ours, argv)) != -1)
		opts_take(&o, c);
	if (o.noperands != 1)
		err_die(STATUS_USAGE, "no policy given (see dp-gate --help)");
	/* an asker who hangs up at a terminal leaves no charge open */
	for (size_t i = 0; i < sizeof(terminal) / sizeof(terminal[0]); i++)
		signal(terminal[i], SIG_IGN);
	openlog("dp-gate", LOG_PID, LOG_AUTH);
	atexit(log_refusal);
	policy_read(&p, o.operands[0]);
	alarm(SILENCE);
	asked = words_asked(argv + 2);
	if (strcmp(asked[0], "show") != 0 || asked[1] != NULL)
		return answer(&p);
	answered = true;
	gate_show(&p, &out);
	text_output(out.buf, out.len);
	text_free(&out);
	return STATUS_OK;
}
