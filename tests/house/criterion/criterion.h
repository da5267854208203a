/*
 * What our tests use of Criterion, for platforms that have no Criterion: musl,
 * s390x and emulators, in which its workers cannot start.  `make CRITERION=`
 * puts this folder first in the path of headers.
 *
 * Each test runs in a child, in the order of their names.  Options of the
 * program: --tap=FILE, --filter=SUITE::NAME (a shell pattern); --jobs N is
 * read over.
 */
#ifndef BARE_CRITERION_H
#define BARE_CRITERION_H

#include <sys/wait.h>

#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bare_options {
	int exit_code, signal;
};

struct bare_test {
	const char *suite, *name;
	void (*run)(void);
	struct bare_options expected;
	struct bare_test *next;
};

/* Weak, so that every source has them and the program keeps one. */
__attribute__((weak)) struct bare_test *bare_tests;
__attribute__((weak)) int bare_failures;

#define Test(suite_, name_, ...) \
	static void suite_##_##name_##_run(void); \
	static struct bare_test suite_##_##name_##_test = { #suite_, #name_, \
	    suite_##_##name_##_run, { __VA_ARGS__ }, NULL }; \
	__attribute__((constructor)) static void \
	suite_##_##name_##_add(void) { bare_add(&suite_##_##name_##_test); } \
	static void suite_##_##name_##_run(void)

__attribute__((weak)) void
bare_add(struct bare_test *t)
{
	struct bare_test **at = &bare_tests;
	int order;

	for (; *at != NULL; at = &(*at)->next) {
		order = strcmp(t->suite, (*at)->suite);
		if (order < 0 || (order == 0 && strcmp(t->name,
		    (*at)->name) < 0))
			break;
	}
	t->next = *at;
	*at = t;
}

__attribute__((weak, format(printf, 4, 5))) void
bare_failed(const char *file, int line, const char *text,
    const char *format, ...)
{
	va_list args;

	bare_failures++;
	fprintf(stderr, "%s:%d: %s ", file, line, text);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/* A format without arguments may be empty. */
#pragma GCC diagnostic ignored "-Wformat-zero-length"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define BARE_EXPECT(good, text, ...) \
	((good) ? (void)0 : \
	    bare_failed(__FILE__, __LINE__, text, "" __VA_ARGS__))
#define BARE_ASSERT(good, text, ...) \
	((good) ? (void)0 : \
	    (bare_failed(__FILE__, __LINE__, text, "" __VA_ARGS__), exit(1)))
#define BARE_NEAR(a, b, d) ((a) - (b) <= (d) && (b) - (a) <= (d))

#define cr_log_info(...) ((void)fprintf(stderr, __VA_ARGS__))
#define cr_assert_fail(...) BARE_ASSERT(0, "reached", __VA_ARGS__)
#define cr_assert(a, ...) BARE_ASSERT(a, #a, __VA_ARGS__)
#define cr_assert_not(a, ...) BARE_ASSERT(!(a), "not " #a, __VA_ARGS__)
#define cr_assert_null(a, ...) BARE_ASSERT((a) == NULL, #a, __VA_ARGS__)
#define cr_assert_not_null(a, ...) BARE_ASSERT((a) != NULL, #a, __VA_ARGS__)
#define cr_assert_eq(a, b, ...) \
	BARE_ASSERT((a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_assert_neq(a, b, ...) \
	BARE_ASSERT((a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_assert_lt(a, b, ...) \
	BARE_ASSERT((a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_assert_leq(a, b, ...) \
	BARE_ASSERT((a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_assert_gt(a, b, ...) \
	BARE_ASSERT((a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_assert_geq(a, b, ...) \
	BARE_ASSERT((a) >= (b), #a " >= " #b, __VA_ARGS__)
#define cr_assert_str_eq(a, b, ...) \
	BARE_ASSERT(strcmp(a, b) == 0, #a " is " #b, __VA_ARGS__)
#define cr_assert_arr_eq(a, b, n, ...) \
	BARE_ASSERT(memcmp(a, b, n) == 0, #a " is " #b, __VA_ARGS__)
#define cr_assert_float_eq(a, b, d, ...) \
	BARE_ASSERT(BARE_NEAR(a, b, d), #a " is about " #b, __VA_ARGS__)
#define cr_expect(a, ...) BARE_EXPECT(a, #a, __VA_ARGS__)
#define cr_expect_not(a, ...) BARE_EXPECT(!(a), "not " #a, __VA_ARGS__)
#define cr_expect_null(a, ...) BARE_EXPECT((a) == NULL, #a, __VA_ARGS__)
#define cr_expect_eq(a, b, ...) \
	BARE_EXPECT((a) == (b), #a " == " #b, __VA_ARGS__)
#define cr_expect_neq(a, b, ...) \
	BARE_EXPECT((a) != (b), #a " != " #b, __VA_ARGS__)
#define cr_expect_lt(a, b, ...) \
	BARE_EXPECT((a) < (b), #a " < " #b, __VA_ARGS__)
#define cr_expect_leq(a, b, ...) \
	BARE_EXPECT((a) <= (b), #a " <= " #b, __VA_ARGS__)
#define cr_expect_gt(a, b, ...) \
	BARE_EXPECT((a) > (b), #a " > " #b, __VA_ARGS__)
#define cr_expect_geq(a, b, ...) \
	BARE_EXPECT((a) >= (b), #a " >= " #b, __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...) \
	BARE_EXPECT(strcmp(a, b) == 0, #a " is " #b, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, n, ...) \
	BARE_EXPECT(memcmp(a, b, n) == 0, #a " is " #b, __VA_ARGS__)
#define cr_expect_float_eq(a, b, d, ...) \
	BARE_EXPECT(BARE_NEAR(a, b, d), #a " is about " #b, __VA_ARGS__)

/* Whether a test ends as it should. */
__attribute__((weak)) int
bare_passes(const struct bare_test *t)
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		t->run();
		exit(bare_failures > 0 ? 1 : 0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 0;
	return WIFSIGNALED(status) ? WTERMSIG(status) == t->expected.signal :
	    t->expected.signal == 0 && WIFEXITED(status) &&
	    WEXITSTATUS(status) == t->expected.exit_code;
}

__attribute__((weak)) int
main(int argc, char **argv)
{
	const char *filter = "*";
	const struct bare_test *t;
	char name[512];
	FILE *tap = stdout;
	int failed = 0, i, passes;

	for (i = 1; i < argc; i++)
		if (strncmp(argv[i], "--tap=", 6) == 0)
			tap = fopen(argv[i] + 6, "w");
		else if (strncmp(argv[i], "--filter=", 9) == 0)
			filter = argv[i] + 9;
	if (tap == NULL)
		return 2;
	for (t = bare_tests; t != NULL; t = t->next) {
		snprintf(name, sizeof(name), "%s::%s", t->suite, t->name);
		if (fnmatch(filter, name, 0) != 0)
			continue;
		passes = bare_passes(t);
		failed += !passes;
		fprintf(tap, "%s - %s\n", passes ? "ok" : "not ok", name);
	}
	return failed > 0 ? 1 : 0;
}

#endif
