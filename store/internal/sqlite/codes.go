package sqlite

import (
	"errors"
	"slices"
)

// Result codes of SQLite (sqlite.org/rescode.html). An extended code has its primary code in the lowest eight bits.
const (
	codePerm       = 3
	codeBusy       = 5
	codeLocked     = 6
	codeNoMem      = 7
	codeReadOnly   = 8
	codeIOErr      = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeProtocol   = 15
	codeConstraint = 19
	codeNotADB     = 26

	codeConstraintPrimaryKey = codeConstraint | 6<<8
	codeConstraintUnique     = codeConstraint | 8<<8
)

// Damaged reports whether a file is damaged, or no database.
func Damaged(err error) bool { return isCode(err, codeCorrupt, codeNotADB) }

// isCode reports whether an error has any of some primary codes of SQLite.
func isCode(err error, codes ...int) bool {
	code, ok := Code(err)
	return ok && slices.Contains(codes, code&0xff)
}

// Duplicate reports whether an error is a duplicate key.
func Duplicate(err error) bool {
	code, _ := Code(err)
	return code == codeConstraintUnique || code == codeConstraintPrimaryKey
}

// Unavailable reports whether an error comes from a disk that is full or does not answer, a file that cannot be written
// now, another process that holds the lock, or a writer that is closed.
func Unavailable(err error) bool {
	return errors.Is(err, ErrClosed) || isCode(err, codeBusy, codeLocked, codeNoMem, codeReadOnly, codeIOErr, codeFull,
		codeCantOpen, codePerm, codeProtocol)
}
