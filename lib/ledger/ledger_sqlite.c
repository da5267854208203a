/*
 * ledger_sqlite: SQLite, loaded when it is needed.
 *
 * The types of the pointers come from sqlite3.h, so a call is checked by the
 * compiler as if the library were linked.  The name of the library is that
 * of its ABI, which has been the same since 2004.
 */
#include "ledger_sqlite.h"

#ifdef SQLITE_LINKED

#define FILL(name) .name = sqlite3_##name,

const struct sqlite *
ledger_sqlite(void)
{
	static const struct sqlite sqlite = { SQLITE_CALLS(FILL) };

	return &sqlite;
}

#else

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "tool/err.h"

#define SONAME "libsqlite3.so.0"

#ifdef __ELF__
/*
 * What packagers' tools read to find libraries that are loaded at run time:
 * a note of type 0x407c0c0a by "FDO", whose text is JSON.
 */
#define NOTE "[{\"feature\":\"ledger\",\"description\":\"budget ledgers\"," \
	"\"priority\":\"recommended\",\"soname\":[\"" SONAME "\"]}]"

__attribute__((used, section(".note.dlopen"), aligned(4)))
static const struct {
	uint32_t name_size, text_size, type;
	char name[4], text[(sizeof(NOTE) + 3) / 4 * 4];
} note = { 4, sizeof(NOTE), 0x407c0c0a, "FDO", NOTE };
#endif

static void
find(void *library, const char *name, void *pointer)
{
	void *found = dlsym(library, name);

	if (found == NULL)
		die(STATUS_INPUT, "cannot load SQLite: %s has no %s", SONAME,
		    name);
	/* ISO C knows no cast from an object's address to a function's */
	memcpy(pointer, &found, sizeof(found));
}

#define FIND(name) find(library, "sqlite3_" #name, &sqlite.name);

const struct sqlite *
ledger_sqlite(void)
{
	static struct sqlite sqlite;
	const char *reason;
	void *library;

	if (sqlite.step != NULL)
		return &sqlite;
	library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL) {
		reason = dlerror();
		die(STATUS_INPUT, "cannot load SQLite: %s",
		    reason != NULL ? reason : SONAME);
	}
	SQLITE_CALLS(FIND)
	return &sqlite;
}

#endif
