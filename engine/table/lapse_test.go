package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine"
	"quatuor/engine/chance"
)

// kindsOf lists the kinds of a log's lines.
func kindsOf(lines []Line) string {
	var kinds []string
	for _, l := range lines {
		kinds = append(kinds, fmt.Sprint(l.Kind))
	}
	return strings.Join(kinds, " ")
}

// TestSeatsThatAddNothing lets the time for what makes the seed pass, with different parts of it missing.
func TestSeatsThatAddNothing(t *testing.T) {
	one, two := chance.Nonce{1}, chance.Nonce{2}
	for _, test := range []struct {
		name    string
		commits []int8
		nonces  []int8 // sent after the time for commitments
		log     string
		status  Status
		parts   []chance.Nonce // that make the seed
	}{
		{"nobody comes", nil, nil, "lapse lapse start", Running, []chance.Nonce{{}, {}}},
		{"one seat takes part", []int8{1}, []int8{1}, "commitment lapse nonce start", Running, []chance.Nonce{one, {}}},
		{"the other seat takes part", []int8{2}, []int8{2}, "commitment lapse nonce start", Running, []chance.Nonce{{}, two}},
		{"one seat is bound and keeps its nonce", []int8{2}, nil, "commitment lapse abort", Aborted, nil},
		{"both are bound and one keeps its nonce", []int8{1, 2}, []int8{1}, "commitment commitment nonce abort", Aborted, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, e *evening) {
				id := e.together().Game.ID
				for _, seat := range test.commits {
					if _, err := e.commit(id, seat, []chance.Nonce{one, two}[seat-1]); err != nil {
						t.Fatal(err)
					}
				}
				opened := e.now()
				time.Sleep(10*time.Minute - time.Millisecond)
				synctest.Wait()
				if len(test.nonces) > 0 && len(test.commits) == 1 {
					time.Sleep(2 * time.Millisecond)
					synctest.Wait()
				}
				for _, seat := range test.nonces {
					if _, err := e.nonce(id, seat, []chance.Nonce{one, two}[seat-1]); err != nil {
						t.Fatal(err)
					}
				}
				before := e.see(id)
				time.Sleep(11 * time.Minute)
				synctest.Wait()
				s := e.see(id)
				if got := kindsOf(s.Lines); !strings.HasPrefix(got, test.log) {
					t.Fatalf("log %s, want %s", got, test.log)
				}
				if test.status == Aborted {
					if s.Game.Status != Aborted || s.Match != nil || before.Game.Status != Waiting {
						t.Errorf("got %+v", s.Game)
					}
					if _, err := e.nonce(id, 2, two); !errors.Is(err, ErrGameOver) {
						t.Errorf("a nonce after the end: %v", err)
					}
					return
				}
				made := chance.GameSeed(seedOf(t, s.Game.SeedHex), test.parts)
				if s.Match == nil || s.Match.Setup().Seed.Reveal() != made.Reveal() {
					t.Errorf("dealt %v from another seed", s.Match != nil)
				}
				if test.nonces == nil && s.Game.StartedAt != opened+nonceTime {
					t.Errorf("the clocks started %d ms after the game was opened", s.Game.StartedAt-opened)
				}
				for seat, part := range test.parts {
					_, err := e.commit(id, int8(seat+1), chance.Nonce{9})
					if want := map[bool]error{true: ErrNonceLate, false: ErrNonceGiven}[part.IsZero()]; !errors.Is(err, want) {
						t.Errorf("seat %d comes late: %v, want %v", seat+1, err, want)
					}
					if c := s.Chance(engine.Viewer{}); c.Lapsed[seat] != part.IsZero() || c.Until != 0 || !c.Dealt {
						t.Errorf("told %+v", c)
					}
				}
			})
		})
	}
}

// TestTimeForNoncesOverAnOutage stops the server while a game waits: the time without it is given to the seats, and
// what they had sent stays.
func TestTimeForNoncesOverAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		id := e.together().Game.ID
		if _, err := e.commit(id, 1, chance.Nonce{1}); err != nil {
			t.Fatal(err)
		}
		until := e.see(id).Chance(engine.Viewer{}).Until
		time.Sleep(6 * time.Minute)
		e.stop()
		time.Sleep(time.Hour)
		e = start(t, journal)
		synctest.Wait()
		s := e.see(id)
		if c := s.Chance(engine.Viewer{}); c.Until != until+time.Hour.Milliseconds() || !slices.Equal(c.Awaited, []int8{2}) {
			t.Errorf("told %+v, want until %d", c, until+time.Hour.Milliseconds())
		}
		time.Sleep(4*time.Minute + time.Second)
		synctest.Wait()
		if got := kindsOf(e.see(id).Lines); got != "commitment outage lapse" {
			t.Errorf("log %s", got)
		}
		e.stop()
		e = start(t, journal)
		if s, err := e.nonce(id, 1, chance.Nonce{1}); err != nil || s.Game.Status != Running {
			t.Errorf("the nonce of the seat that takes part: %+v, %v", s, err)
		}
		e.stop()
	})
}

// TestAuditOfALapse moves the end of a seat's time, and lets a lapse come too late.
func TestAuditOfALapse(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.together().Game.ID
		if _, err := e.commit(id, 1, chance.Nonce{1}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(11 * time.Minute)
		synctest.Wait()
		for says, spoil := range map[string]func([]Line){
			"line 2 cannot be carried out: no time for a commitment": func(l []Line) { l[1].At++ },
			"line 1 cannot be carried out: it comes at":              func(l []Line) { l[0].At += nonceTime + 1 },
			"its deadline is": func(l []Line) { l[1].Kind, l[1].Text = LineCommitment, chance.Nonce{2}.Commitment(); l[1].At-- },
		} {
			s := e.see(id)
			lines := slices.Clone(s.Lines)
			spoil(lines)
			if faults := strings.Join(Audit(s.Game, lines), "\n"); !strings.Contains(faults, says) {
				t.Errorf("want %q, got %q", says, faults)
			}
		}
	})
}
