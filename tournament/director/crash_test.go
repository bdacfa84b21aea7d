package director

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"quatuor/tournament"
)

// crash is what a process that dies panics with.
type crash struct{ step string }

// club plays a whole evening and can be killed at any step: five players, three rounds to be watched closely, rounds
// coming by themselves, a void game, a result by hand. All it knows of the evening it reads from what is stored, as a
// client does that comes back after an outage.
type club struct {
	t       testing.TB
	m       *memory
	ids     *counter
	d       *Director
	steps   int
	dies    func(step int) bool
	crashes []string
}

func newClub(t testing.TB, dies func(step int) bool) *club {
	c := &club{t: t, m: newMemory(), ids: &counter{}, dies: dies}
	c.m.step = func(name string) error {
		c.steps++
		if c.dies(c.steps) {
			panic(crash{name})
		}
		return nil
	}
	c.d = newDirector(c.m, c.ids)
	return c
}

// evening goes on, from restart to restart, until there is nothing left to do.
func (c *club) evening() {
	for !c.act(c.next) {
		if len(c.crashes) > 2000 {
			c.t.Fatal("the evening never ends")
		}
	}
}

// act does one thing; if the process dies, another one is started on the same data, and that may die too.
func (c *club) act(do func() (done bool)) (done bool) {
	defer func() {
		left := recover()
		if left == nil {
			return
		}
		dead, ok := left.(crash)
		if !ok {
			panic(left)
		}
		c.crashes = append(c.crashes, dead.step)
		c.d = newDirector(c.m, c.ids)
		c.act(func() bool {
			c.ok(c.d.Resume(context.Background()))
			return false
		})
		done = false
	}()
	return do()
}

// ok takes no error but that of a command that had been carried out before the process died.
func (c *club) ok(err error) {
	if err != nil && !errors.Is(err, tournament.ErrState) {
		c.t.Helper()
		c.t.Fatalf("after %v: %v", c.crashes, err)
	}
}

const clubPlayers = 5

// next does the next thing that an organiser or a player would do.
func (c *club) next() (done bool) {
	ctx := context.Background()
	var t *tournament.Tournament
	for id := range c.m.stored {
		t = load(c.t, c.m, id)
	}
	switch {
	case t == nil:
		_, err := c.d.Create(ctx, "", automatic(), "ada")
		c.ok(err)
	case t.Status == tournament.Draft && len(t.Entries) < clubPlayers:
		n := len(t.Entries) + 1
		e := tournament.Entry{Name: fmt.Sprint("P", n), Members: []string{fmt.Sprint("p", n)}, Rating: float64(2000 - n)}
		_, _, err := c.d.AddEntry(ctx, t.ID, e, organiser)
		c.ok(err)
	case t.Status == tournament.Draft:
		_, err := c.d.Start(ctx, t.ID, organiser)
		c.ok(err)
	case len(t.Rounds) == 0:
		_, err := c.d.NextRound(ctx, t.ID, organiser)
		c.ok(err)
	case c.m.cursor < int64(len(c.m.outbox)):
		_, err := c.d.Catch(ctx)
		c.ok(err)
	case c.byHand(t):
	case len(c.m.running()) > 0:
		c.play(c.m.running()[0])
	case t.Status == tournament.Running:
		_, err := c.d.Finish(ctx, t.ID, organiser)
		c.ok(err)
	default:
		return true
	}
	return false
}

// byHand has the arbiter decide the first board of round 2, once.
func (c *club) byHand(t *tournament.Tournament) bool {
	p, err := t.Pairing(2, 1)
	if err != nil || p.Result != nil {
		return false
	}
	v, _ := tournament.ParseVerdict("1/2-1/2")
	_, err = c.d.SetResult(context.Background(), t.ID, 2, 1, v, "by the clock", Order{By: "arbiter"})
	c.ok(err)
	return true
}

// play ends a game: the first one of round 3's first board is void, else White wins in odd rounds and Black in even.
func (c *club) play(g Opening) {
	p, err := load(c.t, c.m, g.TournamentID).Pairing(g.Round, g.Board)
	c.ok(err)
	switch {
	case g.Round == 3 && g.Board == 1 && p.Games == 1:
		c.m.end(c.t, g.GameID)
	case g.Round%2 == 1:
		c.m.end(c.t, g.GameID, 1, 2)
	default:
		c.m.end(c.t, g.GameID, 2, 1)
	}
}

// outcome is what must be the same however often the process died: everything but ids, versions and when.
func (c *club) outcome() string {
	var stored *tournament.Tournament
	for _, stored = range c.m.stored {
	}
	t := clone(stored)
	name := make(map[string]string)
	for i := range t.Entries {
		name[t.Entries[i].ID] = t.Entries[i].Name
		t.Entries[i].ID = ""
	}
	for r := range t.Rounds {
		for i := range t.Rounds[r].Pairings {
			p := &t.Rounds[r].Pairings[i]
			p.GameID = ""
			for s, id := range p.Seats {
				p.Seats[s] = name[id]
			}
		}
	}
	t.ID, t.Version = "", 0
	raw, err := json.Marshal([]any{t, c.m.history[stored.ID]})
	if err != nil {
		c.t.Fatal(err)
	}
	return string(raw)
}

// check holds what must hold after the evening: every game belongs to a pairing, and none is left running.
func (c *club) check(want string) {
	c.t.Helper()
	if got := c.outcome(); got != want {
		c.t.Fatalf("after %v the evening ended differently:\ngot  %s\nwant %s", c.crashes, got, want)
	}
	// Five rounds of two games, and one that was void.
	if n := len(c.m.games); n != 11 {
		c.t.Fatalf("after %v: %d games were opened, want 11", c.crashes, n)
	}
	if n := len(c.m.running()); n != 0 {
		c.t.Fatalf("after %v: %d games are left running", c.crashes, n)
	}
}

func never(int) bool { return false }

// TestCrashAtEveryStep kills the process once before and after every single write.
func TestCrashAtEveryStep(t *testing.T) {
	whole := newClub(t, never)
	whole.evening()
	want := whole.outcome()
	whole.check(want)
	for at := 1; at <= whole.steps; at++ {
		c := newClub(t, func(step int) bool { return step == at })
		c.evening()
		c.check(want)
		if len(c.crashes) != 1 {
			t.Fatalf("crashed %d times at step %d, want once", len(c.crashes), at)
		}
	}
	t.Logf("%d steps", whole.steps)
}

// TestCrashAgainAndAgain kills the process, and the one after it, at random.
func TestCrashAgainAndAgain(t *testing.T) {
	whole := newClub(t, never)
	whole.evening()
	want := whole.outcome()
	rapid.Check(t, func(rt *rapid.T) {
		deaths := make(map[int]bool)
		for _, at := range rapid.SliceOfN(rapid.IntRange(1, 2*whole.steps), 1, 40).Draw(rt, "deaths") {
			deaths[at] = true
		}
		c := newClub(t, func(step int) bool { return deaths[step] })
		c.evening()
		c.check(want)
	})
}

// TestGamesThatCannotBeOpened are opened as soon as they can be.
func TestGamesThatCannotBeOpened(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 4)
	broken := true
	m.step = func(name string) error {
		if broken && name == "open" {
			return errors.New("no space left")
		}
		return nil
	}
	answered, err := d.NextRound(ctx, tm.ID, organiser)
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, answered)
	if _, err := d.NextRound(ctx, tm.ID, organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a second call: %v, want ErrState", err)
	}
	if _, err := d.Catch(ctx); err == nil || len(m.running()) != 0 {
		t.Errorf("still broken: %v, %d games", err, len(m.running()))
	}
	broken = false
	catch(t, d)
	games := m.running()
	if len(games) != 2 || games[0].GameID != answered.Rounds[0].Pairings[0].GameID {
		t.Errorf("games %+v, want the two of the round", games)
	}
}

// TestLostAnswer: the store kept a round, but its answer was lost on the way.
func TestLostAnswer(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	tm := started(t, d, duelSettings(), 4)
	lost := errors.New("connection reset")
	m.step = func(name string) error {
		if name == "save done" && lost != nil {
			err := lost
			lost = nil
			return err
		}
		return nil
	}
	if _, err := d.NextRound(ctx, tm.ID, organiser); err == nil {
		t.Fatal("the lost answer was not reported")
	}
	catch(t, d)
	if len(m.running()) != 2 {
		t.Errorf("%d games, want the two of the stored round", len(m.running()))
	}
	if _, err := d.NextRound(ctx, tm.ID, organiser); !errors.Is(err, tournament.ErrState) || len(m.running()) != 2 {
		t.Errorf("the command repeated: %v, %d games", err, len(m.running()))
	}
}

// TestLostAnswerToASettlement: the store kept that a game was void, but its answer was lost.
func TestLostAnswerToASettlement(t *testing.T) {
	ctx, m := context.Background(), newMemory()
	d := newDirector(m, &counter{})
	inFirstRound(t, d, duelSettings(), 2)
	m.end(t, m.running()[0].GameID)
	m.step = func(name string) error {
		if name == "settle done" {
			return errors.New("connection reset")
		}
		return nil
	}
	if _, err := d.Catch(ctx); err == nil {
		t.Fatal("the lost answer was not reported")
	}
	m.step = func(string) error { return nil }
	catch(t, d)
	if games := m.running(); len(games) != 1 || games[0].Players[0] != "p2" {
		t.Errorf("running %+v, want the second game of the pairing", games)
	}
}
