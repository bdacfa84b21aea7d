package store

// int sqlite3_config(int, ...);
// static int without_statistics(void) { return sqlite3_config(9, 0); } // SQLITE_CONFIG_MEMSTATUS
import "C"

// SQLite need not count the memory it uses: with every piece that it takes or gives back it would lock a mutex of the
// whole process, which took one part in twenty of the time of a move. It must be told before it is used for the first
// time.
func init() {
	if code := C.without_statistics(); code != 0 {
		panic("store: SQLite was in use before it was configured")
	}
}
