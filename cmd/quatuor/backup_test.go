package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quatuor/cmd/quatuor/harness"
)

// quatuor runs a command to its end and returns what it printed.
func quatuor(t *testing.T, args ...string) (out string, ok bool) {
	t.Helper()
	raw, err := command(t, args...).CombinedOutput()
	return string(raw), err == nil
}

// mustQuatuor demands that a command succeeds.
func mustQuatuor(t *testing.T, args ...string) string {
	t.Helper()
	out, ok := quatuor(t, args...)
	if !ok {
		t.Fatalf("quatuor %s failed:\n%s", strings.Join(args, " "), out)
	}
	return out
}

// turnByTurn plays moves in turn, each in the next of some games and only after the last was acknowledged. So the
// stored moves are the beginning of the sequence at any moment.
type turnByTurn struct {
	games   []string
	players []harness.Player
	made    atomic.Int64 // moves acknowledged
	enough  chan struct{}
}

func (s *turnByTurn) play(ctx context.Context, t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 5))
	for n := 0; ctx.Err() == nil; n++ {
		game := s.games[n%len(s.games)]
		if err := moveOnce(ctx, game, s.players, chance); err != nil {
			if ctx.Err() == nil {
				t.Error(err)
			}
			return
		}
		if s.made.Add(1) == 60 {
			close(s.enough)
		}
	}
}

// errOver reports that a game takes no more moves.
var errOver = errors.New("the game is over")

// moveOnce makes a random legal move in a game, for the seat on turn.
func moveOnce(ctx context.Context, game string, players []harness.Player, chance *rand.Rand) error {
	var g harness.Game
	if err := players[0].Get(ctx, "/games/"+game, &g); err != nil {
		return err
	}
	if g.Over() {
		return errOver
	}
	seat := g.Awaited[0]
	if err := players[seat-1].Get(ctx, "/games/"+game, &g); err != nil {
		return err
	}
	legal := g.Legal[strconv.Itoa(seat)]
	move := map[string]any{"seat": seat, "turn": g.Turn, "move": legal[chance.IntN(len(legal))]}
	return players[seat-1].Post(ctx, "/games/"+game+"/moves", move, nil)
}

// TestBackupUnderLoad copies and checks the database while moves are made, restores the copy, and finds in it the
// beginning of a sequence of moves: all that were acknowledged before the backup began, and none that came after it.
func TestBackupUnderLoad(t *testing.T) {
	skipInShort(t, "plays for seconds")
	t.Parallel()
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open", "--rate-limit", "0")
	ada, bob := p.Register(t.Context(), "ada", "Ada L."), p.Register(t.Context(), "bob", "Bob M.")
	ctx, stop := context.WithCancel(t.Context())
	var opening sync.Mutex // few games of a pair may wait to be accepted
	open := func(ctx context.Context, variant string) string {
		opening.Lock()
		defer opening.Unlock()
		return openGame(ctx, t, ada, bob, variant)
	}
	var playing sync.WaitGroup
	for worker := range 4 {
		chance := rand.New(rand.NewPCG(1, uint64(worker)))
		playing.Go(func() {
			for ctx.Err() == nil {
				game := open(t.Context(), []string{"quixo/duel", "quits/duel", "quivive/duel", "quiwin/duel"}[worker])
				for err := error(nil); err == nil; err = moveOnce(ctx, game, []harness.Player{ada, bob}, chance) {
				}
			}
		})
	}
	sequence := &turnByTurn{players: []harness.Player{ada, bob}, enough: make(chan struct{})}
	for range 40 { // enough games that none of them ends
		sequence.games = append(sequence.games, open(ctx, "quits/duel"))
	}
	playing.Go(func() { sequence.play(ctx, t) })
	<-sequence.enough
	copied, restored := filepath.Join(t.TempDir(), "backup.db"), filepath.Join(t.TempDir(), "restored")
	before := sequence.made.Load()
	mustQuatuor(t, "backup", "--data", data, copied)
	after := sequence.made.Load() + 1 // a move may have been stored and not yet acknowledged
	if out := mustQuatuor(t, "check", "--data", data); !strings.Contains(out, "everything is as it should be") {
		t.Errorf("beside a running server check says:\n%s", out)
	}
	stop()
	playing.Wait()
	p.Stop()

	mustQuatuor(t, "restore", "--data", restored, copied)
	again := serve(t, restored)
	total := int64(0)
	for i, game := range sequence.games {
		var g harness.FullGame
		if err := again.Client().Get(t.Context(), "/games/"+game, &g); err != nil {
			t.Fatal(err)
		}
		n := int64(len(g.Moves()))
		total += n
		if first := firstMoves(t, again, sequence.games[0]); n != first && n != first-1 || i == 0 && n == 0 {
			t.Errorf("game %d has %d moves and the first %d: this is no moment of the sequence", i, n, first)
		}
	}
	if total < before || total > after {
		t.Errorf("%d moves of the sequence were restored; %d were made before the backup and %d when it had ended", total,
			before, after)
	}
	t.Logf("%d moves of the sequence were restored, %d to %d were possible", total, before, after)
	again.Stop()
	mustQuatuor(t, "check", "--data", restored)
	mustQuatuor(t, "check", "--data", data)
}

func firstMoves(t *testing.T, p *program, game string) int64 {
	t.Helper()
	var g harness.FullGame
	if err := p.Client().Get(t.Context(), "/games/"+game, &g); err != nil {
		t.Fatal(err)
	}
	return int64(len(g.Moves()))
}

// TestRestoreIsKilled kills a restore at moments left to chance. The folder must hold all of the old installation, the
// moves in its log included, or all of the restored installation; and the next restore must succeed.
func TestRestoreIsKilled(t *testing.T) {
	skipInShort(t, "kills ten restores")
	t.Parallel()
	w := newWitness(t)
	copied := filepath.Join(t.TempDir(), "backup.db")
	mustQuatuor(t, "backup", "--data", w.data, copied) // a single game, without a move
	w.mustMove(30)
	w.p.Kill()
	whole := map[string]string{ // by what check counts
		"1 games with 31 lines replayed": "the old installation", "1 games with 1 lines replayed": "the restored one",
	}
	chance := rand.New(rand.NewPCG(4, 4))
	found := map[string]int{}
	for range 10 {
		dir := t.TempDir()
		for _, name := range []string{"quatuor.db", "quatuor.db-wal"} {
			content, err := os.ReadFile(filepath.Join(w.data, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		restoring := command(t, "restore", "--force", "--data", dir, copied)
		if err := restoring.Start(); err != nil {
			t.Fatal(err)
		}
		// a random moment: no event marks it
		<-time.After(time.Duration(chance.IntN(80)) * time.Millisecond)
		_ = restoring.Process.Kill() // unless it has ended
		_ = restoring.Wait()
		out := mustQuatuor(t, "check", "--data", dir)
		state := "neither"
		for says, what := range whole {
			if strings.Contains(out, says) {
				state = what
			}
		}
		if found[state]++; state == "neither" {
			t.Errorf("after a restore that was killed:\n%s", out)
		}
		mustQuatuor(t, "restore", "--force", "--data", dir, copied)
	}
	t.Logf("found %v", found)
}

// TestABackupHoldsTheRulesOfItsRatings: restore writes the ratings.json that a restored database needs.
func TestABackupHoldsTheRulesOfItsRatings(t *testing.T) {
	skipInShort(t, "runs the program seven times")
	data, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	adminByCommand(t, data)
	plain := filepath.Join(t.TempDir(), "plain.db")
	mustQuatuor(t, "backup", "--data", data, plain)
	if out := mustQuatuor(t, "restore", "--data", filepath.Join(t.TempDir(), "plain"), plain); strings.Contains(out,
		"ratings.json") {
		t.Errorf("there is no ratings.json, and it is named:\n%s", out)
	}
	if err := os.WriteFile(filepath.Join(data, "ratings.json"), []byte(`{"lists": [{"list": "*", "system": "glicko2"}]}`),
		0o600); err != nil {
		t.Fatal(err)
	}
	mustQuatuor(t, "ratings", "recompute", "--data", data)
	file := filepath.Join(t.TempDir(), "copy.db")
	mustQuatuor(t, "backup", "--data", data, file)
	if out := mustQuatuor(t, "restore", "--data", other, file); !strings.Contains(out, "are in ratings.json") {
		t.Errorf("it does not say that ratings.json was written:\n%s", out)
	}
	written, err := os.ReadFile(filepath.Join(other, "ratings.json"))
	if err != nil || !strings.Contains(string(written), "glicko2") {
		t.Fatalf("ratings.json is %q, %v", written, err)
	}
	mustQuatuor(t, "ratings", "recompute", "--verify", "--data", other)
	if out := mustQuatuor(t, "restore", "--force", "--data", other, file); strings.Contains(out, "ratings.json") {
		t.Errorf("the file is there:\n%s", out)
	}
}

// TestBackupByPipes: a backup goes through a pipe and comes back, in the words of docs/operating.md; a pipe that breaks
// is an error, at either end, and leaves nothing behind.
func TestBackupByPipes(t *testing.T) {
	skipInShort(t, "runs the program six times")
	data, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	adminByCommand(t, data)
	var written, messages bytes.Buffer
	backup := command(t, "backup", "--data", data, "--to", "-")
	backup.Stdout, backup.Stderr = &written, &messages
	if err := backup.Run(); err != nil || !strings.Contains(messages.String(), "keep it safe") {
		t.Fatalf("%v\n%s", err, &messages)
	}
	restore := func(content []byte) (string, error) {
		c := command(t, "restore", "--data", other, "-")
		c.Stdin = bytes.NewReader(content)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	whole := written.Bytes()
	for cut, why := range map[int]string{
		0: "no backup of quatuor", 10: "no backup of quatuor", 4096: "no backup of quatuor",
		len(whole) / 2: "is damaged", len(whole) - 4096: "is damaged", len(whole) - 1: "is damaged",
	} {
		out, err := restore(whole[:cut])
		if err == nil || strings.Count(strings.TrimSpace(out), "\n") > 0 || !strings.Contains(out, why) {
			t.Errorf("the first %d bytes of %d were restored: %v\n%s", cut, len(whole), err, out)
		}
		if left, _ := filepath.Glob(filepath.Join(other, "*")); len(left) > 1 { // but for the lock
			t.Errorf("that left %v", left)
		}
	}
	if out, err := restore(whole); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	mustQuatuor(t, "check", "--data", other)

	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = reader.Close()
	messages.Reset()
	broken := command(t, "backup", "--data", data, "--to", "-")
	broken.Stdout, broken.Stderr = writer, &messages
	err = broken.Run()
	_ = writer.Close()
	if err == nil || strings.Count(messages.String(), "\n") != 1 || !strings.Contains(messages.String(), "pipe") {
		t.Errorf("into a broken pipe: %v\n%s", err, &messages)
	}
	if left, _ := filepath.Glob(filepath.Join(data, ".quatuor-backup-*")); len(left) != 0 {
		t.Errorf("that left %v", left)
	}
}

// TestTheServicesBackups: the command line lists and tries the backups of the service's folder, and restores a backup.
func TestTheServicesBackups(t *testing.T) {
	skipInShort(t, "runs the program seven times")
	data, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	adminByCommand(t, data)
	if out, ok := quatuor(t, "backup", "drill", "--data", data); ok || !strings.Contains(out, "no backup yet") {
		t.Errorf("a drill without a backup: %s", out)
	}
	folder := filepath.Join(data, "backups")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if out := mustQuatuor(t, "restore", "--list", "--data", data); !strings.Contains(out, "there is no backup in") {
		t.Errorf("an empty list: %s", out)
	}
	file := filepath.Join(folder, "quatuor-20261125T030000.000Z.db")
	mustQuatuor(t, "backup", "--data", data, file)
	if out := mustQuatuor(t, "restore", "--list", "--data", data); !strings.Contains(out, " MiB  "+file) {
		t.Errorf("the list: %s", out)
	}
	if out := mustQuatuor(t, "backup", "drill", "--data", data); !strings.Contains(out, "everything is as it should be") {
		t.Errorf("the drill: %s", out)
	}
	mustQuatuor(t, "restore", "--data", other, file)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, content[:len(content)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if out, ok := quatuor(t, "backup", "drill", "--data", data); ok || !strings.Contains(out, "damaged") {
		t.Errorf("the drill of half a backup: %s", out)
	}
}
