package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"quatuor/store/internal/sqlite"
)

// BackupDir copies the database in a data directory, as of a single moment, to a new file, while a server may go on
// working. The file appears once it is whole and on the disk. It holds all secrets and is readable to this user alone.
// PostgreSQL has pg_dump instead.
func BackupDir(ctx context.Context, dir, path string) error {
	if err := backUp(ctx, filepath.Join(dir, databaseFile), path); err != nil {
		return fmt.Errorf("store: back up: %w", err)
	}
	return nil
}

// DatabaseFile returns the path of the database in a data directory.
func DatabaseFile(dir string) string { return filepath.Join(dir, databaseFile) }

// RemoveAbandonedBackups removes the remains of interrupted backups in a directory.
func RemoveAbandonedBackups(dir string) error { return sqlite.RemoveUnclaimed(dir, backupPrefix) }

// backupPrefix begins the name of a backup that is being written, which its process has claimed.
const backupPrefix = ".quatuor-backup-"

func backUp(ctx context.Context, source, path string) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already; a backup goes to a new file", path)
	}
	f, err := copyInto(ctx, source, filepath.Dir(path))
	if err != nil {
		return err
	}
	// Windows renames no file that is open.
	if err := errors.Join(f.Close(), os.Rename(f.Name(), path)); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return sqlite.SyncDir(filepath.Dir(path))
}

// copyInto copies a database to a temporary file in a folder, which is open, claimed and on the disk.
func copyInto(ctx context.Context, source, folder string) (f *os.File, err error) {
	if _, err := os.Stat(source); err != nil {
		return nil, fmt.Errorf("there is no database: %w", err)
	}
	if err := sqlite.RemoveUnclaimed(folder, backupPrefix); err != nil {
		return nil, err
	}
	if f, err = os.CreateTemp(folder, backupPrefix+"*"); err != nil { // for this user alone
		return nil, err
	}
	if err = sqlite.Claim(f); err == nil {
		err = sqlite.VacuumInto(ctx, source, f.Name())
	}
	if err == nil {
		err = addChecksum(f)
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// BackupTo is BackupDir to a stream, by way of a temporary file in the data directory. It returns how many bytes were
// written; after an error these are no backup.
func BackupTo(ctx context.Context, dir string, to io.Writer) (n int64, err error) {
	f, err := copyInto(ctx, filepath.Join(dir, databaseFile), dir)
	if err != nil {
		return 0, fmt.Errorf("store: back up: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, fmt.Errorf("store: back up: %w", err)
	}
	if n, err = io.Copy(to, f); err != nil {
		return n, fmt.Errorf("store: back up: %w", err)
	}
	return n, nil
}

// Checksummed reports whether this is a backup that was restored with a checksum, and it was right. Earlier versions wrote
// none.
func (s *Store) Checksummed() bool { return s.checksummed }

// ErrOccupied refuses to restore over an installation.
var ErrOccupied = errors.New("it holds an installation already")

// stagingName is the folder within the data directory where a backup is made ready.
const stagingName = "restoring"

// Restore puts a backup in the place of the database of a data directory that no server works on. The backup is copied
// beside the database first, brought up to date and checked; check may look at it as it likes, and its error stops
// everything. Only then it takes the database's place, atomically, so that whatever happens the directory holds all of
// the old or all of the new. A directory that holds an installation is refused with ErrOccupied unless replace is set;
// the old database is then kept in a folder of its own there, and its path is returned.
func Restore(ctx context.Context, backup, dir string, replace bool, check func(*Store) error) (kept string, err error) {
	in, err := os.Open(backup)
	if err != nil {
		return "", fmt.Errorf("store: restore: %w", err)
	}
	defer in.Close()
	return RestoreFrom(ctx, in, backup, dir, replace, check)
}

// RestoreFrom is Restore from a stream; its errors call the backup by a name.
func RestoreFrom(
	ctx context.Context, backup io.Reader, name, dir string, replace bool, check func(*Store) error,
) (kept string, err error) {
	lock, err := sqlite.LockDir(dir, lockName)
	if err != nil {
		return "", fmt.Errorf("store: restore: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	kept, err = restoreInto(ctx, backup, name, dir, replace, check)
	if err != nil {
		return "", fmt.Errorf("store: restore: %w", err)
	}
	return kept, nil
}

func restoreInto(
	ctx context.Context, backup io.Reader, name, dir string, replace bool, check func(*Store) error,
) (kept string, err error) {
	present, err := installed(dir)
	if err != nil {
		return "", err
	}
	if len(present) > 0 && !replace {
		return "", fmt.Errorf("%s: %w", dir, ErrOccupied)
	}
	staging := filepath.Join(dir, stagingName)
	if err := os.RemoveAll(staging); err != nil { // the remains of an interrupted restore
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging)) }()
	if err := stage(ctx, backup, name, staging, check); err != nil {
		return "", err
	}
	if len(present) > 0 {
		if kept, err = keepOld(ctx, dir, present); err != nil {
			return "", fmt.Errorf("keep the old database: %w", err)
		}
	}
	// From here on the staged file is on the disk, and the removal of the old database's log is on the disk as well:
	// whether or not the new name gets there, a database never meets a log that is not its own.
	if err := os.Rename(filepath.Join(staging, databaseFile), filepath.Join(dir, databaseFile)); err != nil {
		return "", err
	}
	return kept, sqlite.SyncDir(dir)
}

// installed lists the files of a database that are in a directory. A log without its database counts: it may be all
// that is left of it, and a new database must not find it.
func installed(dir string) (present []string, err error) {
	for _, suffix := range []string{"", sqlite.LogSuffix, sqlite.IndexSuffix} {
		_, err := os.Lstat(filepath.Join(dir, databaseFile+suffix))
		switch {
		case err == nil:
			present = append(present, databaseFile+suffix)
		case !errors.Is(err, os.ErrNotExist):
			return nil, err
		}
	}
	return present, nil
}

// stage makes a folder with the backup as its database: migrated, checked, on the disk, and in a single file.
func stage(ctx context.Context, backup io.Reader, name, dir string, check func(*Store) error) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	database := filepath.Join(dir, databaseFile)
	if err := writeFile(backup, database); err != nil {
		return err
	}
	summed, err := takeChecksum(database)
	if err == nil {
		err = holdsDatabase(ctx, database)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s, err := Open(ctx, Config{Dir: dir, staged: true})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s.checksummed = summed
	err = errors.Join(check(s), s.Close())
	if err != nil {
		return err
	}
	return sqlite.FoldLog(ctx, database)
}

// holdsDatabase refuses files that were never a database of ours, before anything is migrated in them.
func holdsDatabase(ctx context.Context, path string) error {
	db := sqlite.OpenPlain(path)
	defer db.Close()
	if _, err := db.ExecContext(ctx, "SELECT count(*) FROM goose_db_version, games"); err != nil {
		return fmt.Errorf("this is no backup of quatuor, or it is damaged: %w", err)
	}
	return nil
}

// keepOld links the files of the old database into a folder of its own, and takes its log away from beside it. An
// interruption at any point, even by a power cut, leaves the old database whole, so the order of the steps matters:
//
//  1. The log is folded into the database file, and that is synced: the file alone is the whole database.
//  2. What there is gets a second name in the folder, and the folder and its own name are synced.
//  3. The log loses its name beside the database, and that is synced, before the new database takes the old name.
//
// Where the database is too damaged to fold its log in, both are kept unchanged; a cut after step 3 then leaves the
// damaged file alone in the old place, and all there was in the folder.
func keepOld(ctx context.Context, dir string, present []string) (folder string, err error) {
	if slices.Contains(present, databaseFile) {
		if err := sqlite.FoldLog(ctx, filepath.Join(dir, databaseFile)); err != nil && !sqlite.Damaged(err) {
			return "", err
		}
	}
	if present, err = installed(dir); err != nil { // the log may be gone
		return "", err
	}
	folder = filepath.Join(dir, "replaced-"+time.Now().UTC().Format("20060102T150405.000Z"))
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	for _, name := range present {
		if name == databaseFile+sqlite.IndexSuffix { // SQLite recreates it
			continue
		}
		if err := os.Link(filepath.Join(dir, name), filepath.Join(folder, name)); err != nil {
			return "", err
		}
	}
	if err := errors.Join(sqlite.SyncDir(folder), sqlite.SyncDir(dir)); err != nil {
		return "", err
	}
	for _, name := range present {
		if name == databaseFile {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return "", err
		}
	}
	return folder, sqlite.SyncDir(dir)
}

func writeFile(from io.Reader, to string) error {
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, from)
	return errors.Join(err, out.Close())
}

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
