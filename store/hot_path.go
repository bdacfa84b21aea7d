package store

// #include <stdlib.h>
// #include "run_script.h"
// #cgo noescape run_script
import "C"

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/mattn/go-sqlite3"
)

// SQLite need not count the memory it uses: with every piece that it takes or gives back it would lock a mutex of the
// whole process, which took one part in twenty of the time of a move. It must be told before it is used for the first
// time.
func init() {
	if code := C.configure_sqlite(); code != 0 {
		panic("store: SQLite cannot be configured, or was in use before")
	}
}

// hotPath is the statements of scripts, prepared on the writer's connection. The driver would cross over to C for each
// argument, which took longer than the statements themselves: a script crosses once.
type hotPath struct {
	conn       *sqlite3.SQLiteConn // that they are prepared on
	handle     C.uintptr_t         // the connection's address
	statements [statementCount]C.uintptr_t
	added      C.int64_t
}

// use prepares the statements, unless they are on this connection.
func (h *hotPath) use(conn *sqlite3.SQLiteConn) error {
	if h.conn == conn {
		return nil
	}
	h.close()
	handle, err := handleOf(conn)
	if err != nil {
		return fmt.Errorf("find the connection: %w", err)
	}
	h.handle = C.uintptr_t(handle)
	for id, text := range statementTexts {
		if h.statements[id] = h.prepare(text); h.statements[id] == 0 {
			err := errors.New(C.GoString(C.last_message(h.handle)))
			h.close()
			return fmt.Errorf("prepare %q: %w", text, err)
		}
	}
	h.conn = conn
	return nil
}

// handleOf asks a connection for its address.
func handleOf(conn *sqlite3.SQLiteConn) (int64, error) {
	rows, err := conn.QueryContext(context.Background(), "SELECT connection_handle()", nil)
	if err != nil {
		return 0, err
	}
	answer := make([]driver.Value, 1)
	err = errors.Join(rows.Next(answer), rows.Close())
	handle, _ := answer[0].(int64)
	return handle, err
}

// prepare gives 0 if the text is no statement. SQLite numbers parameters by ?n; $n would be names to it.
func (h *hotPath) prepare(text string) C.uintptr_t {
	text = strings.ReplaceAll(text, "$", "?")
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	return C.prepare_statement(h.handle, c, C.int(len(text)))
}

// run carries out a script within the transaction that is open. It gives the script's refusal, with nothing changed, if
// its first statement changes nothing.
func (h *hotPath) run(s *script) error {
	code := C.run_script(&h.statements[0], (*C.uchar)(&s.text[0]), C.size_t(len(s.text)), &h.added)
	switch {
	case code == C.NOT_HELD:
		return s.refusal
	case code != 0:
		return h.failure(code)
	}
	s.added = int64(h.added)
	return nil
}

// plain runs a statement without parameters.
func (h *hotPath) plain(id statementID) error {
	if code := C.run_plain(h.statements[id]); code != 0 {
		return h.failure(code)
	}
	return nil
}

// failure is the error that stands behind SQLite's code.
func (h *hotPath) failure(code C.int) error {
	return fmt.Errorf("%s: %w", C.GoString(C.last_message(h.handle)), sqlite3.Error{
		Code: sqlite3.ErrNo(code & 0xff), ExtendedCode: sqlite3.ErrNoExtended(C.last_code(h.handle)),
	})
}

func (h *hotPath) close() {
	for _, s := range h.statements {
		if s != 0 {
			C.drop_statement(s)
		}
	}
	*h = hotPath{}
}
