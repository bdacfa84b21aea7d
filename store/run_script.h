#include <stddef.h>
#include <stdint.h>

// The kinds of argument in a script, as script.go writes them.
enum { ARG_NULL = 'n', ARG_WHOLE = 'i', ARG_REAL = 'r', ARG_TEXT = 't', ARG_YES = 'y', ARG_NO = 'f' };

// NOT_HELD says that the first statement of a script changed nothing. SQLite's own codes are greater than 0.
enum { NOT_HELD = -1 };

// configure_sqlite must run before SQLite is used for the first time. From then on every connection has the SQL function
// connection_handle(), which gives the connection's own address: the driver does not tell it.
int configure_sqlite(void);

// prepare_statement gives 0 if the text is no statement; last_message then says why, as after run_script.
uintptr_t prepare_statement(uintptr_t db, const char *text, int length);
void drop_statement(uintptr_t statement);
const char *last_message(uintptr_t db);

// last_code tells more than the code of run_script, in the bits above the eight of that.
int last_code(uintptr_t db);

// run_plain runs a statement without parameters.
int run_plain(uintptr_t statement);

// run_script runs the calls of a script one after the other and stops at the first that fails, with SQLite's code; or
// after the first of all if it changes nothing, with NOT_HELD. added is the row that was inserted last.
int run_script(const uintptr_t *statements, const unsigned char *script, size_t length, int64_t *added);
