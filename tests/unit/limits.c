/* limits: whose control group is it? */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gate/gate.h"

/* Only root can give a folder away; for others all is root's or their own. */
Test(limits, a_group_of_somebody_else_is_foreign)
{
	char folder[] = "/tmp/limits.XXXXXX", path[64];
	bool root = geteuid() == 0;

	cr_assert_neq(mkdtemp(folder), NULL);
	for (int i = 1; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%.*s", folder, 2 * i, "/a/b/c");
		cr_assert_eq(mkdir(path, 0700), 0);
	}
	cr_assert_not(gate_foreign(folder, (char[]){ "/a/b/c" }));
	snprintf(path, sizeof(path), "%s/a/b", folder);
	cr_assert(!root || chown(path, 65534, 65534) == 0);
	cr_assert_eq(gate_foreign(folder, (char[]){ "/a/b/c" }), root);
	cr_assert_eq(gate_foreign(folder, (char[]){ "/a/b" }), root);
	cr_assert_not(gate_foreign(folder, (char[]){ "/a" }));
	cr_assert_not(gate_foreign(folder, (char[]){ "/none" }));
}
