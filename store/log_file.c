// SQLite writes its log a page at a time, and each with two system calls: one for the page's head and one for the page.
// Here a file system of SQLite's gathers what is added to a log and hands it to the system at once, with the end of the
// transaction. Everything else goes to SQLite's own file system as it is.
//
// What is held back is never part of the log for anybody: readers and copiers, of this process and of others, read the
// log up to where SQLite's index says that the last transaction ended, and the index is moved after the page with the
// mark of the end is written, and synced. Whatever comes between (a reading of the log by the writer, its length, a
// sync) writes out first what is held back. An error of that is the error of the call that needed it, and the
// transaction fails with it as it does when a write fails.

#include "log_file.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// What of SQLite is used here. Its driver brings the library, and keeps the header to itself.
typedef struct file file;
typedef struct vfs vfs;
typedef long long int64;

// methods is sqlite3_io_methods up to its first version: a log needs no more.
typedef struct {
	int version;
	int (*close)(file *);
	int (*read)(file *, void *, int, int64);
	int (*write)(file *, const void *, int, int64);
	int (*truncate)(file *, int64);
	int (*sync)(file *, int);
	int (*size)(file *, int64 *);
	int (*lock)(file *, int);
	int (*unlock)(file *, int);
	int (*check_lock)(file *, int *);
	int (*control)(file *, int, void *);
	int (*sector_size)(file *);
	int (*characteristics)(file *);
} methods;

struct file { const methods *methods; };

// vfs is sqlite3_vfs of version 3; what is not needed here is not named.
struct vfs {
	int version, file_size, longest_path;
	vfs *next;
	const char *name;
	void *data;
	int (*open)(vfs *, const char *, file *, int, int *);
	void (*others[15])(void);
};

vfs *sqlite3_vfs_find(const char *);
int sqlite3_vfs_register(vfs *, int);

enum {
	OK = 0, ERROR = 1, NOMEM = 7,
	OPEN_LOG = 0x80000,
	HEAD = 24,            // bytes before each page
	END_MARK = 4,         // where in them there are four bytes that are not 0 at the end of a transaction
	ROOM = (1 << 17) - 1, // bytes, about thirty pages; SQLite's own file takes no more at once
};

// gathered is a log. SQLite's own file stands behind it in the same piece of memory.
typedef struct {
	file base;
	unsigned char *held; // what is not written yet
	int length;          // of it
	int64 offset;        // where it belongs
	int ending;          // the last head was that of the last page of a transaction
} gathered;

enum { OWN = (sizeof(gathered) + 15) / 16 * 16 };

static file *own(file *f) { return (file *)((char *)f + OWN); }

// flush writes what is held back. If that fails it is let go: the transaction fails, and SQLite writes anew from where
// the last one ended.
static int flush(gathered *g) {
	int length = g->length;
	g->length = 0;
	return length == 0 ? OK : own(&g->base)->methods->write(own(&g->base), g->held, length, g->offset);
}

static int log_close(file *f) {
	gathered *g = (gathered *)f;
	int code = flush(g);
	int closed = own(f)->methods->close(own(f));
	free(g->held);
	return code != OK ? code : closed;
}

static int log_read(file *f, void *into, int length, int64 offset) {
	int code = flush((gathered *)f);
	return code != OK ? code : own(f)->methods->read(own(f), into, length, offset);
}

// hold adds to what is held back, which it writes first if there is no room or the new does not follow it.
static int hold(gathered *g, const void *from, int length, int64 offset) {
	if (g->length > 0 && (offset != g->offset + g->length || length > ROOM - g->length)) {
		int code = flush(g);
		if (code != OK) return code;
	}
	if (length > ROOM) return own(&g->base)->methods->write(own(&g->base), from, length, offset);
	if (g->length == 0) g->offset = offset;
	memcpy(g->held + g->length, from, length);
	g->length += length;
	return OK;
}

static int ends(const unsigned char *head) {
	return head[END_MARK] | head[END_MARK + 1] | head[END_MARK + 2] | head[END_MARK + 3];
}

// log_write holds back all but the end of a transaction: with its last page all is written, whether a sync follows or
// not. A last head that begins a piece may be one that is written again without its page, so it is not held back.
static int log_write(file *f, const void *from, int length, int64 offset) {
	gathered *g = (gathered *)f;
	int was_ending = g->ending;
	g->ending = length == HEAD && ends(from);
	if (g->ending && g->length == 0) return own(f)->methods->write(own(f), from, length, offset);
	int code = hold(g, from, length, offset);
	return code == OK && was_ending ? flush(g) : code;
}

static int log_truncate(file *f, int64 size) {
	int code = flush((gathered *)f);
	return code != OK ? code : own(f)->methods->truncate(own(f), size);
}

static int log_sync(file *f, int flags) {
	int code = flush((gathered *)f);
	return code != OK ? code : own(f)->methods->sync(own(f), flags);
}

static int log_size(file *f, int64 *size) {
	int code = flush((gathered *)f);
	return code != OK ? code : own(f)->methods->size(own(f), size);
}

static int log_lock(file *f, int kind) { return own(f)->methods->lock(own(f), kind); }
static int log_unlock(file *f, int kind) { return own(f)->methods->unlock(own(f), kind); }
static int log_check_lock(file *f, int *held) { return own(f)->methods->check_lock(own(f), held); }
static int log_control(file *f, int code, void *arg) { return own(f)->methods->control(own(f), code, arg); }
static int log_sector_size(file *f) { return own(f)->methods->sector_size(own(f)); }
static int log_characteristics(file *f) { return own(f)->methods->characteristics(own(f)); }

static const methods log_methods = {
	1, log_close, log_read, log_write, log_truncate, log_sync, log_size, log_lock, log_unlock, log_check_lock,
	log_control, log_sector_size, log_characteristics,
};

static vfs *system_vfs;
static vfs gathering_vfs;

static int open_log(vfs *v, const char *name, file *f, int flags, int *given) {
	if (!(flags & OPEN_LOG)) return system_vfs->open(system_vfs, name, f, flags, given);
	gathered *g = (gathered *)f;
	memset(g, 0, sizeof *g);
	own(f)->methods = 0;
	int code = system_vfs->open(system_vfs, name, own(f), flags, given);
	if (code != OK) {
		if (own(f)->methods) own(f)->methods->close(own(f)); // as SQLite would
		return code;
	}
	g->held = malloc(ROOM);
	if (!g->held) {
		own(f)->methods->close(own(f));
		return NOMEM;
	}
	g->base.methods = &log_methods;
	return OK;
}

int add_log_vfs(void) {
	system_vfs = sqlite3_vfs_find(0);
	if (!system_vfs || system_vfs->version < 3) return ERROR;
	gathering_vfs = *system_vfs;
	gathering_vfs.version = 3;
	gathering_vfs.file_size += OWN;
	gathering_vfs.next = 0;
	gathering_vfs.name = LOG_VFS;
	gathering_vfs.open = open_log;
	return sqlite3_vfs_register(&gathering_vfs, 0);
}
