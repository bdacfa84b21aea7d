#include "run_script.h"

#include <string.h>

// What of SQLite is used here. Its driver brings the library, and keeps the header to itself.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_value sqlite3_value;
typedef void (*function)(sqlite3_context *, int, sqlite3_value **);
int sqlite3_auto_extension(void (*)(void));
int sqlite3_bind_double(sqlite3_stmt *, int, double);
int sqlite3_bind_int64(sqlite3_stmt *, int, long long);
int sqlite3_bind_null(sqlite3_stmt *, int);
int sqlite3_bind_parameter_count(sqlite3_stmt *);
int sqlite3_bind_text(sqlite3_stmt *, int, const char *, int, void (*)(void *));
int sqlite3_changes(sqlite3 *);
int sqlite3_clear_bindings(sqlite3_stmt *);
int sqlite3_config(int, ...);
sqlite3 *sqlite3_context_db_handle(sqlite3_context *);
int sqlite3_create_function_v2(sqlite3 *, const char *, int, int, void *, function, function, void (*)(sqlite3_context *),
	void (*)(void *));
sqlite3 *sqlite3_db_handle(sqlite3_stmt *);
const char *sqlite3_errmsg(sqlite3 *);
int sqlite3_extended_errcode(sqlite3 *);
int sqlite3_finalize(sqlite3_stmt *);
long long sqlite3_last_insert_rowid(sqlite3 *);
int sqlite3_prepare_v3(sqlite3 *, const char *, int, unsigned int, sqlite3_stmt **, const char **);
int sqlite3_reset(sqlite3_stmt *);
void sqlite3_result_int64(sqlite3_context *, long long);
int sqlite3_step(sqlite3_stmt *);

enum {
	OK = 0, MISUSE = 21, DONE = 101,
	CONFIG_MEMSTATUS = 9,
	UTF8 = 1, DIRECTONLY = 0x80000,
	PREPARE_PERSISTENT = 1,
};

// tell_handle is the SQL function connection_handle().
static void tell_handle(sqlite3_context *c, int count, sqlite3_value **arguments) {
	sqlite3_result_int64(c, (long long)(intptr_t)sqlite3_context_db_handle(c));
}

static int add_functions(sqlite3 *db, char **error, const void *api) {
	return sqlite3_create_function_v2(db, "connection_handle", 0, UTF8 | DIRECTONLY, 0, tell_handle, 0, 0, 0);
}

int configure_sqlite(void) {
	int code = sqlite3_config(CONFIG_MEMSTATUS, 0);
	if (code == OK) code = sqlite3_auto_extension((void (*)(void))add_functions);
	return code;
}

uintptr_t prepare_statement(uintptr_t db, const char *text, int length) {
	sqlite3_stmt *s = 0;
	int code = sqlite3_prepare_v3((sqlite3 *)db, text, length, PREPARE_PERSISTENT, &s, 0);
	return code == OK ? (uintptr_t)s : 0;
}

void drop_statement(uintptr_t statement) { sqlite3_finalize((sqlite3_stmt *)statement); }

const char *last_message(uintptr_t db) { return sqlite3_errmsg((sqlite3 *)db); }

int last_code(uintptr_t db) { return sqlite3_extended_errcode((sqlite3 *)db); }

// take copies a number of so many bytes out of a script and steps over it.
static void take(void *into, const unsigned char **p, size_t size) {
	memcpy(into, *p, size);
	*p += size;
}

// bind_next gives a statement the argument at *p as its nth, unless it takes fewer, and steps over it. Texts stay where
// they are, and run_call lets go of them.
static int bind_next(sqlite3_stmt *s, int n, int places, const unsigned char **p) {
	char kind = (char)*(*p)++;
	long long whole;
	double real;
	uint32_t length;
	const char *text;
	switch (kind) {
	case ARG_NULL:
		return n > places ? OK : sqlite3_bind_null(s, n);
	case ARG_WHOLE:
		take(&whole, p, sizeof whole);
		return n > places ? OK : sqlite3_bind_int64(s, n, whole);
	case ARG_YES: case ARG_NO:
		return n > places ? OK : sqlite3_bind_int64(s, n, kind == ARG_YES);
	case ARG_REAL:
		take(&real, p, sizeof real);
		return n > places ? OK : sqlite3_bind_double(s, n, real);
	case ARG_TEXT:
		take(&length, p, sizeof length);
		text = (const char *)*p;
		*p += length;
		return n > places ? OK : sqlite3_bind_text(s, n, text, (int)length, 0);
	}
	return MISUSE;
}

static int bind_all(sqlite3_stmt *s, const unsigned char **p) {
	int places = sqlite3_bind_parameter_count(s);
	int count = *(*p)++;
	for (int n = 1; n <= count; n++) {
		int code = bind_next(s, n, places, p);
		if (code != OK) return code;
	}
	return OK;
}

int run_plain(uintptr_t statement) {
	int step = sqlite3_step((sqlite3_stmt *)statement);
	int code = sqlite3_reset((sqlite3_stmt *)statement);
	return code == OK && step != DONE ? MISUSE : code; // it gives rows
}

// run_call runs the call at *p and steps over it. Nothing of the script stays with the statement.
static int run_call(sqlite3_stmt *s, const unsigned char **p) {
	int code = bind_all(s, p);
	if (code == OK) code = run_plain((uintptr_t)s);
	sqlite3_clear_bindings(s);
	return code;
}

int run_script(const uintptr_t *statements, const unsigned char *script, size_t length, int64_t *added) {
	const unsigned char *p = script, *end = script + length;
	sqlite3 *db = 0;
	while (p < end) {
		sqlite3_stmt *s = (sqlite3_stmt *)statements[*p++];
		int code = run_call(s, &p);
		if (code != OK) return code;
		if (db == 0) {
			db = sqlite3_db_handle(s);
			if (sqlite3_changes(db) == 0) return NOT_HELD;
		}
	}
	*added = db == 0 ? 0 : sqlite3_last_insert_rowid(db);
	return OK;
}
