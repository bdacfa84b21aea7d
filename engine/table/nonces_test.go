package table

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/sentence"
)

// together opens a game of Qui'win with nonces of its seats.
func (e *evening) together() *Snapshot {
	e.t.Helper()
	games, err := e.Open(e.t.Context(), NewGame{
		Variant: "quiwin/duel", Players: []string{"ada", "bob"}, Controls: []string{"60"}, Rated: true, Start: true,
		Nonces: true,
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return games[0]
}

func (e *evening) commit(id string, seat int8, n chance.Nonce) (*Snapshot, error) {
	return e.CommitNonce(e.t.Context(), e.Arrive(id), Nonce{
		Act: Act{Game: id, Seat: seat, By: "x"}, Commitment: n.Commitment(),
	})
}

func (e *evening) nonce(id string, seat int8, n chance.Nonce) (*Snapshot, error) {
	return e.SendNonce(e.t.Context(), e.Arrive(id), Nonce{Act: Act{Game: id, Seat: seat, By: "x"}, Nonce: n})
}

// undealt demands that no viewer sees anything of a deal.
func undealt(t *testing.T, s *Snapshot) {
	t.Helper()
	for _, v := range []engine.Viewer{{}, engine.ViewerOf(1), engine.ViewerOf(1, 2)} {
		p := s.Project(v)
		if p.View != struct{}{} || p.Position != "" || p.Seed != nil || p.Commitment != "" || len(p.Legal) > 0 ||
			p.Pending.Awaited != nil {
			t.Errorf("%v sees %+v", v, p)
		}
		if c := s.Chance(v); c.Dealt || c.ServerSeed != "" {
			t.Errorf("%v is told %+v", v, c)
		}
	}
	if s.Match != nil || s.Game.Position != "" || s.Game.Awaited != nil || s.Game.Turn != 0 {
		t.Errorf("there is a match: %+v", s.Game)
	}
}

// onlyItsSeatReads checks that seat 1's nonce is hidden from all others while seat 2's is awaited.
func onlyItsSeatReads(t *testing.T, s *Snapshot, nonce string) {
	t.Helper()
	for v, want := range map[engine.Viewer]string{{}: "", engine.ViewerOf(2): "", engine.ViewerOf(1): nonce} {
		if c := s.Chance(v); c.Nonces[0] != want || textOf(s.Log(v), LineNonce) != want ||
			!slices.Equal(c.Awaited, []int8{2}) {
			t.Errorf("%v reads %+v, %+v; want nonce %q", v, c, s.Log(v), want)
		}
	}
}

// TestSeatsMakeTheSeed goes all the way, with a refusal at every step, and restarts on the journal after each.
func TestSeatsMakeTheSeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		journal := newMemory()
		e := start(t, journal)
		again := func() {
			t.Helper()
			e.stop()
			time.Sleep(time.Minute)
			e = start(t, journal)
		}
		one, two, other := chance.Nonce{1}, chance.Nonce{2}, chance.Nonce{3}
		g := e.together()
		id := g.Game.ID
		server := g.Chance(engine.Viewer{}).ServerCommitment
		undealt(t, g)
		must := must(t)
		refused := func(want error) func(*Snapshot, error) {
			return func(_ *Snapshot, err error) {
				t.Helper()
				if !errors.Is(err, want) {
					t.Errorf("%v, want %v", err, want)
				}
			}
		}
		refused(ErrNonceEarly)(e.nonce(id, 1, one))
		must(e.commit(id, 2, two))
		again()
		refused(ErrNonceEarly)(e.nonce(id, 2, two))
		refused(ErrNonceGiven)(e.commit(id, 2, other))
		undealt(t, must(e.commit(id, 2, two)))
		undealt(t, must(e.commit(id, 1, one)))
		refused(ErrNonceOther)(e.nonce(id, 1, other))
		refused(ErrNonceOther)(e.nonce(id, 1, chance.Nonce{}))
		refused(ErrNotStarted)(e.play(id, 1, 1, "o23"))
		refused(ErrNotStarted)(e.play(id, 1, 0, "o23"))
		refused(ErrNotStarted)(e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 1}))
		refused(ErrNotStarted)(e.Offer(t.Context(), e.Arrive(id), Act{Game: id, Seat: 1}))
		refused(ErrNotStarted)(e.Start(t.Context(), e.Arrive(id), "x"))
		must(e.nonce(id, 1, one))
		again()
		s := e.see(id)
		undealt(t, s)
		if must(e.nonce(id, 1, one)).Game.Version != s.Game.Version {
			t.Error("the same nonce again changed something")
		}
		refused(ErrNonceGiven)(e.nonce(id, 1, other))
		spoken := hex.EncodeToString(one[:])
		onlyItsSeatReads(t, s, spoken)
		time.Sleep(9 * time.Minute) // no clock runs, and the time for nonces is not over
		began := e.now()
		s = must(e.nonce(id, 2, two))
		made := chance.GameSeed(seedOf(t, s.Game.SeedHex), []chance.Nonce{one, two})
		if p := s.Project(engine.Viewer{}); s.Game.Status != Running || p.Commitment != made.Commitment() ||
			s.Game.Turn != 1 ||
			s.Game.StartedAt != began || s.Game.Deadline != began+60_000 || p.Seed != nil {
			t.Fatalf("after the last nonce: %+v", s.Game)
		}
		if c := s.Chance(engine.Viewer{}); !c.Dealt || c.Nonces[0] != spoken || c.ServerCommitment != server ||
			c.ServerSeed != "" || c.Awaited != nil {
			t.Errorf("told %+v", c)
		}
		if got := textOf(s.Log(engine.Viewer{}), LineNonce); got != spoken {
			t.Errorf("nonces are public once all are in, not %q", got)
		}
		again()
		if got := e.see(id); got.Match.Setup().Seed.Reveal() != made.Reveal() || got.Match.State().
			Position() != s.Match.State().Position() {
			t.Error("another deal after a restart")
		}
		refused(ErrNonceGiven)(e.nonce(id, 2, other))
		must(e.nonce(id, 2, two))
		s = must(e.Resign(t.Context(), e.Arrive(id), Act{Game: id, Seat: 2}))
		if p, c := s.Project(engine.Viewer{}), s.Chance(engine.Viewer{}); *p.Seed != made.Reveal() || seedOf(t, c.ServerSeed).
			Commitment() != server {
			t.Errorf("at the end %+v, %x", c, p.Seed)
		}
		e.stop()
	})
}

// textOf returns the text of the first line of a kind.
func textOf(lines []Line, kind LineKind) string {
	return lines[slices.IndexFunc(lines, func(l Line) bool { return l.Kind == kind })].Text
}

func seedOf(t *testing.T, text string) engine.Seed {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 32 {
		t.Fatalf("%q is no seed: %v", text, err)
	}
	return engine.NewSeed([32]byte(raw))
}

func TestNoncesOfAGameThatIsBrokenOff(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.together().Game.ID
		one, two := chance.Nonce{1}, chance.Nonce{2}
		for seat, n := range []chance.Nonce{one, two} {
			if _, err := e.commit(id, int8(seat+1), n); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := e.nonce(id, 1, one); err != nil {
			t.Fatal(err)
		}
		s, err := e.Abort(t.Context(), id, "x", sentence.Typed("no more time"))
		if err != nil || s.Game.Status != Aborted {
			t.Fatalf("%v, %v", s, err)
		}
		undealt(t, s)
		if got := s.Log(engine.ViewerOf(2))[2].Text; got != "" {
			t.Errorf("seat 2 reads %q, which it was never to know", got)
		}
		if _, err := e.nonce(id, 2, two); !errors.Is(err, ErrGameOver) {
			t.Errorf("a nonce after that: %v", err)
		}
	})
}

func TestNoncesOfGamesWithout(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.open("quiwin/duel", "60").Game.ID
		if s := e.see(id); s.Chance(engine.ViewerOf(1)) != nil || s.Match.Setup().
			Seed.Commitment() != seedOf(t, s.Game.SeedHex).Commitment() {
			t.Error("the seed is the server's own")
		}
		if _, err := e.commit(id, 1, chance.Nonce{1}); !errors.Is(err, ErrNoNonces) {
			t.Errorf("%v", err)
		}
		_, err := e.Open(t.Context(), NewGame{
			Variant: "quixo/duel", Players: []string{"ada", "bob"}, Controls: []string{"60"}, Nonces: true,
		})
		if !errors.Is(err, ErrSetup) || !strings.Contains(err.Error(), "no chance") {
			t.Errorf("nonces in a game without chance: %v", err)
		}
	})
}

// TestLastNoncesMeet lets another process store the other seat's nonce while the last nonce is judged.
func TestLastNoncesMeet(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.together().Game.ID
		nonces := []chance.Nonce{{1}, {2}}
		for i, n := range nonces {
			if _, err := e.commit(id, int8(i+1), n); err != nil {
				t.Fatal(err)
			}
		}
		other := New(Config{Storage: stored(e.journal)})
		e.journal.before = func(Step) {
			e.journal.before = nil
			n := Nonce{Act: Act{Game: id, Seat: 2}, Nonce: nonces[1]}
			if _, err := other.SendNonce(t.Context(), other.Arrive(id), n); err != nil {
				t.Error(err)
			}
		}
		s, err := e.nonce(id, 1, nonces[0])
		if err != nil || s.Game.Status != Running {
			t.Fatalf("%+v, %v", s, err)
		}
		var kinds []LineKind
		for _, l := range s.Lines {
			kinds = append(kinds, l.Kind)
		}
		if got := fmt.Sprint(kinds); got != "[commitment commitment nonce nonce start]" {
			t.Errorf("log %s", got)
		}
	})
}

// TestAuditOfNonces spoils what the seats had sent.
func TestAuditOfNonces(t *testing.T) {
	bubble(t, func(t *testing.T, e *evening) {
		id := e.together().Game.ID
		nonces := []chance.Nonce{{1}, {2}}
		for i, n := range nonces {
			_, err := e.commit(id, int8(i+1), n)
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, n := range nonces {
			if _, err := e.nonce(id, int8(i+1), n); err != nil {
				t.Fatal(err)
			}
		}
		for says, spoil := range map[string]func(*Game, []Line) []Line{
			"line 3 cannot be carried out: this nonce does not fit the commitment": func(_ *Game, l []Line) []Line { l[2].Text = l[3].Text; return l },
			"line 2 cannot be carried out: this is not your seat":                  func(_ *Game, l []Line) []Line { l[1].Seat = 9; return l },
			"line 1 cannot be carried out: the seats add nothing":                  func(g *Game, l []Line) []Line { g.Nonces = false; return l },
			"line 4 cannot be carried out: the game has not": func(_ *Game, l []Line) []Line {
				return slices.Delete(l, 3, 4)
			},
			"its position is not": func(g *Game, l []Line) []Line { g.SeedHex = strings.Repeat("1", 64); return l },
		} {
			s := e.see(id)
			game, lines := s.Game, slices.Clone(s.Lines)
			lines = spoil(&game, lines)
			if faults := strings.Join(Audit(game, lines), "\n"); !strings.Contains(faults, says) {
				t.Errorf("want %q, got %q", says, faults)
			}
		}
	})
}
