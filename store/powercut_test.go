package store

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quatuor/engine/table"
	"quatuor/store/internal/sqlite"
)

// powerCuts is the approximate number of power cuts in each of the tests below.
var powerCuts = flag.Int("power-cuts", map[bool]int{false: 4, true: 200}[os.Getenv("QUATUOR_LONG") != ""],
	"power cuts for each test, about; 0 cuts at every call")

// plantedCuts is the maximum number of cuts within which a planted fault must show; the first cut that shows it is the
// last.
const plantedCuts = 8

// In the environment of a process that is recorded: where it works, and what it restores.
const (
	cutDir    = "QUATUOR_STORE_TEST_CUT_DIR"
	cutBackup = "QUATUOR_STORE_TEST_CUT_BACKUP"
)

// record runs a test of this program in a process of its own under strace and reads what it did to the files in a
// folder.
func record(t *testing.T, base, test string, env ...string) func(deaf func(path string, dir bool) bool) *trace {
	t.Helper()
	if testing.Short() {
		t.Skip("power cuts belong to the full run: leave out -short")
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		if os.Getenv("QUATUOR_REQUIRE_STRACE") != "" {
			t.Fatal("strace is not installed, and QUATUOR_REQUIRE_STRACE demands it")
		}
		t.Skip("a power cut is reconstructed from recorded system calls, and strace, which records them, is not installed")
	}
	before := filepath.Join(t.TempDir(), "before")
	if err := os.CopyFS(before, os.DirFS(base)); err != nil {
		t.Fatal(err)
	}
	output := filepath.Join(t.TempDir(), "calls")
	child := exec.Command(strace, "-f", "--seccomp-bpf", "-xx", "-s", "16777216", "-e", "signal=none", "-e", "trace=?"+
		strings.ReplaceAll(tracedCalls, ",", ",?"), "-o", output, os.Args[0], "-test.run=^"+test+"$")
	child.Env = append(os.Environ(), env...)
	if said, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return func(deaf func(path string, dir bool) bool) *trace {
		r := newTrace(t, before)
		r.base = base
		if deaf != nil {
			r.deaf = deaf
		}
		r.read(output)
		if len(r.ops) == 0 || len(r.acks) == 0 {
			t.Fatalf("%d changes and %d answers were recorded: the test shows nothing", len(r.ops), len(r.acks))
		}
		return r
	}
}

// tries calls try with images of the disk after cuts all over the record: with nothing of what need not be on the disk,
// with all of it, with some at random; and where names are among it, with each change alone and with all but each. It
// returns the first error, and how many images there were.
func (r *trace) tries(atMost int, try func(dir string, acks []ack) error) (images int, err error) {
	r.t.Helper()
	dir := filepath.Join(inMemory(r.t), "image")
	chance := rand.New(rand.NewPCG(1, uint64(len(r.ops)))) //nolint:gosec // the same images each time
	for _, cut := range r.cuts(atMost) {
		pending := r.pending(cut)
		acks := r.acks
		for len(acks) > 0 && acks[len(acks)-1].at > cut {
			acks = acks[:len(acks)-1]
		}
		for n, keep := range choices(pending, chance) {
			if err := os.RemoveAll(dir); err != nil {
				return images, err
			}
			if err := r.image(dir, cut, keep); err != nil {
				return images, err
			}
			images++
			if err := try(dir, acks); err != nil {
				return images, fmt.Errorf("a cut at call %d, choice %d, %d changes not synced: %w", cut, n, len(pending), err)
			}
		}
	}
	return images, nil
}

// inMemory returns a folder for images, on a file system in memory if possible: they are many and short-lived.
func inMemory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "quatuor-power-cuts-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// choice is the part of a change that the disk has written: all, none, or some sectors.
type choice func(*op) (whole bool, sectors *rand.Rand)

// choices returns what a disk may have made of pending changes.
func choices(pending []*op, chance *rand.Rand) (list []choice) {
	list = append(list, func(*op) (bool, *rand.Rand) { return false, nil })
	if len(pending) == 0 {
		return list
	}
	names := false
	for _, o := range pending {
		names = names || o.kind == opUnlink || o.kind == opRename
	}
	list = append(list, func(*op) (bool, *rand.Rand) { return true, nil },
		func(*op) (bool, *rand.Rand) { return chance.IntN(2) == 0, chance })
	if !names {
		return list
	}
	const last = 6
	for _, one := range pending[max(0, len(pending)-last):] {
		list = append(list, func(o *op) (bool, *rand.Rand) { return o == one, nil },
			func(o *op) (bool, *rand.Rand) { return o != one, nil })
	}
	return list
}

// cuts chooses the calls after which the power fails: evenly, and at each change of names.
func (r *trace) cuts(atMost int) (list []int) {
	want := map[int]bool{r.last: true}
	step := 1
	if atMost > 0 {
		step = 1 + len(r.ops)/atMost
	}
	for i, o := range r.ops {
		want[o.at] = want[o.at] || i%step == 0 || o.kind == opUnlink || o.kind == opRename
	}
	for _, a := range r.acks {
		want[a.at] = want[a.at] || atMost == 0
	}
	for at := range r.last + 1 {
		if want[at] {
			list = append(list, at)
		}
	}
	return list
}

// linesOf counts the lines of each game in a database file. It is an error if the file is damaged or half of something
// is stored.
func linesOf(path string) (lines map[string]int64, err error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	db := sqlite.OpenPlain(path)
	defer db.Close()
	var report string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&report); err != nil || report != "ok" {
		return nil, fmt.Errorf("integrity check: %s, %w", report, err)
	}
	var tables int
	if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name IN ('games', 'lines', 'live_games')").
		Scan(&tables); err != nil || tables < 3 {
		return nil, err // before the migrations
	}
	rows, err := db.Query("SELECT game_id, version, (SELECT count(*) FROM lines l WHERE l.game_id = " +
		"live_games.game_id) FROM live_games")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	lines = map[string]int64{}
	for rows.Next() {
		var id string
		var version, count int64
		if err := rows.Scan(&id, &version, &count); err != nil {
			return nil, err
		}
		if version != count {
			return nil, fmt.Errorf("game %s has version %d and %d lines", id, version, count)
		}
		lines[id] = count
	}
	return lines, rows.Err()
}

const (
	cutGames = 4
	cutMoves = 30
)

// TestPowerCutWhileAppending cuts the power all over a short life of a database, from before its folder is there to
// after it is closed. Every move that was acknowledged must be there, and nothing by halves.
func TestPowerCutWhileAppending(t *testing.T) {
	if dir := os.Getenv(cutDir); dir != "" {
		appendToTheEnd(t, dir)
		return
	}
	t.Parallel()
	base := t.TempDir()
	dir := filepath.Join("new", "data")
	read := record(t, base, "TestPowerCutWhileAppending", cutDir+"="+filepath.Join(base, dir))
	try := func(image string, acks []ack) error {
		lines, err := linesOf(filepath.Join(image, dir, databaseFile))
		if err != nil {
			return err
		}
		for _, a := range acks {
			var id string
			var version int64
			if n, _ := fmt.Sscanf(a.text, "stored %s %d", &id, &version); n < 2 {
				continue // the test's own output
			}
			if count, ok := lines[id]; !ok || count < version {
				return fmt.Errorf("%d lines of game %s are stored, and %d were acknowledged", count, id, version)
			}
		}
		return nil
	}
	r := read(nil)
	if images, err := r.tries(*powerCuts, try); err != nil {
		t.Error(err)
	} else {
		t.Logf("%d images of the disk after %d changes and %d answers", images, len(r.ops), len(r.acks))
	}
	for name, deaf := range map[string]func(string, bool) bool{
		"no sync of the log": func(path string, _ bool) bool {
			return strings.HasSuffix(path, sqlite.LogSuffix)
		},
		"no sync of the new data folder":  func(path string, dir bool) bool { return dir && path == base },
		"no sync of the database's name":  func(_ string, dir bool) bool { return dir },
		"no sync of the database's pages": func(path string, _ bool) bool { return strings.HasSuffix(path, databaseFile) },
	} {
		if _, err := read(deaf).tries(plantedCuts, try); err == nil {
			t.Errorf("%s: no cut shows this fault", name)
		}
	}
}

// appendToTheEnd plays a few games at the same time and reports what is stored.
func appendToTheEnd(t *testing.T, dir string) {
	s, err := Open(t.Context(), Config{Dir: dir, checkpointAfter: 25})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range cutGames {
		group.Go(func() {
			id := fmt.Sprint("g", i)
			if err := s.Games().Create(t.Context(), []table.Game{{ID: id, Status: table.Running}}); err != nil {
				t.Error(err)
				return
			}
			for v := range int64(cutMoves) {
				if err := s.backend.run(t.Context(), stepBatch(t, id, v)); err != nil {
					t.Error(err)
					return
				}
				fmt.Printf("stored %s %d\n", id, v+1)
			}
		})
	}
	group.Wait()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	fmt.Println("closed")
}

// TestPowerCutWhileRestoring cuts the power all over a restore in the place of a database with a log. The folder must
// hold either the old database with all of its moves or the new database with the old one kept beside it.
func TestPowerCutWhileRestoring(t *testing.T) {
	const before, restored = 200, 40
	if dir := os.Getenv(cutDir); dir != "" {
		if _, err := Restore(t.Context(), os.Getenv(cutBackup), dir, true,
			func(s *Store) error { return s.Ready(context.Background()) }); err != nil {
			t.Fatal(err)
		}
		fmt.Println("restored")
		return
	}
	t.Parallel()
	copied := backup(t, played(t, restored))
	base := t.TempDir()
	running := played(t, before)
	for _, suffix := range []string{"", sqlite.LogSuffix} {
		content, err := os.ReadFile(filepath.Join(running.dir, databaseFile+suffix)) // as a crash would leave it
		if err != nil || len(content) == 0 {
			t.Fatalf("%d bytes, error %v", len(content), err)
		}
		if err := os.WriteFile(filepath.Join(base, databaseFile+suffix), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := record(t, base, "TestPowerCutWhileRestoring", cutDir+"="+base, cutBackup+"="+copied)
	try := func(image string, acks []ack) error {
		said := false
		for _, a := range acks {
			said = said || strings.HasPrefix(a.text, "restored")
		}
		lines, err := linesOf(filepath.Join(image, databaseFile))
		switch {
		case err != nil:
			return err
		case lines["g"] == before && !said:
			return nil
		case lines["g"] != restored:
			return fmt.Errorf("%d lines, want %d or %d; acknowledged: %v", lines["g"], before, restored, said)
		}
		kept, _ := filepath.Glob(filepath.Join(image, "replaced-*"))
		if len(kept) != 1 {
			return fmt.Errorf("%d folders with what was replaced", len(kept))
		}
		if lines, err = linesOf(filepath.Join(kept[0], databaseFile)); err != nil || lines["g"] != before {
			return fmt.Errorf("what was replaced is kept with %d lines, want %d; %w", lines["g"], before, err)
		}
		return nil
	}
	r := read(nil)
	if images, err := r.tries(*powerCuts, try); err != nil {
		t.Error(err)
	} else {
		t.Logf("%d images of the disk after %d changes", images, len(r.ops))
	}
	for name, deaf := range map[string]func(string, bool) bool{
		"no sync of the data folder": func(path string, _ bool) bool { return path == base },
		"no sync of the new file":    func(path string, _ bool) bool { return strings.Contains(path, stagingName) },
	} {
		if _, err := read(deaf).tries(plantedCuts, try); err == nil {
			t.Errorf("%s: no cut shows this fault", name)
		}
	}
}
