// LOG_VFS is the name of the file system that gathers writes to SQLite's log; see log_file.c.
#define LOG_VFS "gathering"

// add_log_vfs makes LOG_VFS known to SQLite; it gives SQLite's code.
int add_log_vfs(void);
