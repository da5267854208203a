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
#include <unistd.h>

#include "gate.h"
#include "ledger/ledger_chain.h"
#include "words.h"

#define SILENCE 60	/* seconds that an asker may take to say the words */
#define PATIENCE 3600	/* and a tool to answer, or the longest pace */

static const struct tool tool = {
	.name = "dp-gate",
	.synopsis = "POLICY [WORD ...]\n"
"  WORD      a tool and its options, or show; without WORD the line in\n"
"            SSH_ORIGINAL_COMMAND, or one of standard input\n"
"  answers people who may ask and may not see the data\n"
"example: dp-gate /etc/dputils/anne.policy laplace count -e 0.1",
	.only = { 'h', 'V' },
};

static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGPIPE };
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

/* --- the answer ---------------------------------------------------------- */

/* What the tool printed, unless it died or did not get all of the data. */
static int
tell(const struct outcome *a)
{
	struct label bytes;

	if (a->status == GATE_HALF)
		err_die(STATUS_INPUT,
		    "the data could not be read, or not in time");
	if (a->status == GATE_DIED)
		err_die(STATUS_INPUT, "the tool died");
	answered = true;
	bytes = gate_bytes(a->err);
	(void)!write(STDERR_FILENO, bytes.text, bytes.len);
	bytes = gate_bytes(a->out);
	text_output(bytes.text, bytes.len);
	return a->status;
}

/*
 * Open entries are looked for while nobody else asks for the account: of many
 * questions at once a single one may find a way to kill its tool.
 */
static int
answer(const struct policy *p)
{
	struct request r = gate_ask(p, asked);
	struct ledger *turn;
	struct outcome a;

	text_room();
	/* the turn before the tool and the asker who reads have an hour, too */
	alarm(2 * PATIENCE);
	if (!r.charges)
		a = gate_run(p, r.argv, r.sent, PATIENCE);
	else {
		turn = gate_turn(p);
		gate_refuse_open(p);
		if (p->line[POLICY_WITNESS] != NULL)
			witness_check(turn, p->line[POLICY_WITNESS]);
		a = gate_run(p, r.argv, r.sent, p->pace > 0 ?
		    (time_t)p->pace : PATIENCE);
		gate_remember(p, turn);
		gate_pace(p, a.begun);
		if (a.status != STATUS_OK && a.status != GATE_HALF)
			gate_refuse_open(p);
		ledger_close(turn);
	}
	return tell(&a);
}

int
main(int argc, char **argv)
{
	static struct opts o = OPTS_INIT(&tool);
	static struct policy p;
	struct text out = TEXT_INIT;
	sigset_t none;
	int c, ours = argc > 2 && argv[1][0] != '-' ? 2 : argc;

	/* an asker leaves no descriptor behind, whatever started us */
	if (syscall(SYS_close_range, 3u, ~0u, 0u) != 0)
		err_sys("close_range");
	/* the words after the policy are the asker's */
	while ((c = opts_next(&o, ours, argv)) != -1)
		opts_take(&o, c);
	if (o.noperands != 1)
		err_die(STATUS_USAGE, "no policy given (see dp-gate --help)");
	/* an asker who hangs up at a terminal leaves no charge open */
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	/* whatever started us chose none of the others */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	openlog("dp-gate", LOG_PID, LOG_AUTH);
	atexit(log_refusal);
	gate_limits();
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
