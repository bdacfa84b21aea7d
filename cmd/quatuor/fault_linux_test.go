package main

import (
	"math"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"quatuor/cmd/quatuor/harness"
)

// limitFiles lets the running server write no file beyond a size, as a full disk would; the rest of a disk is full
// for root too. It needs no rights: only the soft limit changes.
func (p *program) limitFiles(size uint64) {
	p.t.Helper()
	limit := syscall.Rlimit{Cur: size, Max: math.MaxUint64}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(p.Cmd.Process.Pid), syscall.RLIMIT_FSIZE,
		uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if errno != 0 {
		p.t.Fatalf("prlimit: %v", errno)
	}
}

// TestFullDisk lets the disk be full for a while. No player loses a game or time by it.
func TestFullDisk(t *testing.T) {
	skipInShort(t, "keeps a disk full for seconds")
	t.Parallel()
	w := newWitness(t)
	w.mustMove(20)
	var hasty harness.Game
	err := w.players[0].Post(t.Context(), "/games", map[string]any{
		"variant": "quixo/duel", "time_control": "2", "start": "now",
		"seats": []map[string]string{{"player_id": w.players[0].ID}, {"player_id": w.players[1].ID}},
	}, &hasty)
	if err != nil {
		t.Fatal(err)
	}
	w.p.limitFiles(16 << 10)
	w.untilRefused()
	w.refusedWhile(3 * time.Second)
	var g harness.FullGame
	see := func() {
		t.Helper()
		if err := w.players[0].Get(t.Context(), "/games/"+hasty.ID, &g); err != nil {
			t.Fatal(err)
		}
	}
	if see(); g.Status != "running" {
		t.Errorf("a game was %s while no move could be stored: %+v", g.Status, g.Outcome)
	}
	w.p.limitFiles(math.MaxUint64)
	w.untilMoved()
	if see(); len(g.Events) < 2 || g.Events[1].Kind != "outage" {
		t.Errorf("the time that the games stood still is not in the record: %+v", g.Events)
	}
	until(t, "afterwards no flag falls", func() bool { see(); return g.Over() })
	w.mustMove(20)
	w.end()
}
