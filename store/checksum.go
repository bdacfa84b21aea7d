package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// A backup ends with a line that holds the SHA-256 of all before it, in hex. SQLite ignores it, for the header of a
// database has its length, and it stays with the backup in whatever way that is copied.
const (
	checksumMark   = "\nquatuor backup sha256 "
	checksumLength = len(checksumMark) + 2*sha256.Size + 1
)

// ErrDamagedBackup is returned for a backup that was changed after it was written.
var ErrDamagedBackup = errors.New("the backup is damaged: its content does not match its checksum; take another one, " +
	"which quatuor restore --list shows, and look after the disk that this one was on")

// addChecksum appends the checksum to a whole backup.
func addChecksum(f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	_, err := fmt.Fprintf(f, "%s%x\n", checksumMark, sum.Sum(nil))
	return err
}

// takeChecksum compares a backup with its checksum, and removes that from the file. It reports whether there was a
// checksum: earlier versions wrote none.
func takeChecksum(path string) (found bool, err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	length := info.Size() - int64(checksumLength)
	line := make([]byte, checksumLength)
	if length > 0 {
		if _, err := f.ReadAt(line, length); err != nil {
			return false, err
		}
	}
	stated, isLine := bytes.CutPrefix(line, []byte(checksumMark))
	if !isLine {
		return false, wholePages(f, info.Size())
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, length)); err != nil {
		return true, err
	}
	if hex.EncodeToString(sum.Sum(nil))+"\n" != string(stated) {
		return true, ErrDamagedBackup
	}
	return true, f.Truncate(length)
}

// The header of a SQLite database: https://www.sqlite.org/fileformat.html#the_database_header.
const (
	sqliteMagic    = "SQLite format 3\x00"
	pageSizeOffset = 16
	largestPage    = 65536 // stored as 1
)

// wholePages returns ErrDamagedBackup for a database with a part of a page at its end: a damaged checksum.
func wholePages(f io.ReaderAt, size int64) error {
	header := make([]byte, pageSizeOffset+2)
	if _, err := f.ReadAt(header, 0); err != nil || string(header[:len(sqliteMagic)]) != sqliteMagic {
		return nil // no database: opening it fails with the reason
	}
	page := int64(binary.BigEndian.Uint16(header[pageSizeOffset:]))
	if page == 1 {
		page = largestPage
	}
	if page == 0 || size%page != 0 {
		return ErrDamagedBackup
	}
	return nil
}
