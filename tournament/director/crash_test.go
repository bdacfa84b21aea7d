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

// crash is the panic value of a dying process.
type crash struct{ step string }

// program is the course of an evening.
type program struct {
	settings tournament.Settings
	players  int
	byHand   [2]int // round and board that the arbiter decides
	verdict  string
	ends     func(g Opening, nth int) []int // final ranks of the nth game of a pairing; nil is void
	games    int                            // how many are opened in all
}

// league has five players, rounds coming by themselves, a void game, a result by hand.
var league = program{
	settings: automatic(), players: 5, byHand: [2]int{2, 1}, verdict: "1/2-1/2",
	games: 11, // five rounds of two games, and a void game
	ends: func(g Opening, nth int) []int {
		switch {
		case g.Round == 3 && g.Board == 1 && nth == 1:
			return nil
		case g.Round%2 == 1:
			return []int{1, 2}
		}
		return []int{2, 1}
	},
}

// cup is a knock-out of six with a match for the third place: drawn and void games, a match that takes all its games,
// and a semi-final decided by hand.
var cup = program{
	settings: cupSettings(true), players: 6, byHand: [2]int{2, 2}, verdict: "0-1",
	games: (5 + 1) + (3 + 1) + 2,
	ends: func(g Opening, nth int) []int {
		switch {
		case g.Round == 1 && g.Board == 1 && nth < 5:
			return []int{1, 1}
		case g.Round == 2 && g.Board == 1 && nth < 3:
			return nil
		}
		return []int{2, 1}
	},
}

// clubNight plays a whole evening and can be killed at any step. All it knows of the evening it reads from what is
// stored, as a client does that comes back after an outage.
type clubNight struct {
	program
	t       testing.TB
	m       *memory
	ids     *counter
	d       *Director
	steps   int
	dies    func(step int) bool
	crashes []string
}

func newClub(t testing.TB, p program, dies func(step int) bool) *clubNight {
	c := &clubNight{program: p, t: t, m: newMemory(), ids: &counter{}, dies: dies}
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

// evening goes on, from restart to restart, until nothing is left to do.
func (c *clubNight) evening() {
	for !c.act(c.next) {
		if len(c.crashes) > 2000 {
			c.t.Fatal("the evening never ends")
		}
	}
}

// act carries out an act; if the process dies, another process starts on the same data and tries again, and may die
// too.
func (c *clubNight) act(do func() (done bool)) (done bool) {
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
func (c *clubNight) ok(err error) {
	if err != nil && !errors.Is(err, tournament.ErrState) {
		c.t.Helper()
		c.t.Fatalf("after %v: %v", c.crashes, err)
	}
}

// next does the next thing that an organiser or a player would do.
func (c *clubNight) next() (done bool) {
	ctx := context.Background()
	var t *tournament.Tournament
	for id := range c.m.stored {
		t = load(c.t, c.m, id)
	}
	switch {
	case t == nil:
		_, err := c.d.Create(ctx, "", c.settings, "ada")
		c.ok(err)
	case t.Status == tournament.Draft && len(t.Entries) < c.players:
		n := len(t.Entries) + 1
		e := tournament.Entry{Name: fmt.Sprint("P", n), Members: []string{fmt.Sprint("p", n)}, Rating: float64(2000 - n)}
		_, _, err := c.d.AddEntry(ctx, t.ID, e, organiser)
		c.ok(err)
	case t.Status == tournament.Draft:
		_, err := c.d.Do(ctx, t.ID, Start, organiser)
		c.ok(err)
	case len(t.Rounds) == 0:
		_, err := c.d.Do(ctx, t.ID, NextRound, organiser)
		c.ok(err)
	case c.m.cursor < int64(len(c.m.outbox)):
		_, err := c.d.CatchUp(ctx)
		c.ok(err)
	case c.decideByHand(t):
	case len(c.m.running()) > 0:
		c.play(c.m.running()[0])
	case t.Status == tournament.Running:
		_, err := c.d.Do(ctx, t.ID, Finish, organiser)
		c.ok(err)
	default:
		return true
	}
	return false
}

// decideByHand has the arbiter decide a board, once.
func (c *clubNight) decideByHand(t *tournament.Tournament) bool {
	round, board := c.byHand[0], c.byHand[1]
	p, err := t.Pairing(round, board)
	if err != nil || p.Result != nil {
		return false
	}
	v, _ := tournament.ParseVerdict(c.verdict)
	_, err = c.d.Do(context.Background(), t.ID, SetResult(round, board, v, "by the clock"), Order{By: "arbiter"})
	c.ok(err)
	return true
}

// play ends a game.
func (c *clubNight) play(g Opening) {
	p, err := load(c.t, c.m, g.TournamentID).Pairing(g.Round, g.Board)
	c.ok(err)
	c.m.end(c.t, g.GameID, c.ends(g, p.Games)...)
}

// outcome is everything that no crash may change: all but ids, versions and times.
func (c *clubNight) outcome() string {
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
			rename(p.Seats, name)
			for g := range p.Earlier {
				p.Earlier[g].ID = ""
				rename(p.Earlier[g].Seats, name)
			}
		}
	}
	t.ID = ""
	t.Version = 0
	t.PublicVersion = 0
	raw, err := json.Marshal([]any{t, c.m.history[stored.ID]})
	if err != nil {
		c.t.Fatal(err)
	}
	return string(raw)
}

func rename(ids []string, name map[string]string) {
	for i, id := range ids {
		ids[i] = name[id]
	}
}

// check holds what must hold after the evening: every game belongs to a pairing, and none is left running.
func (c *clubNight) check(want string) {
	c.t.Helper()
	if got := c.outcome(); got != want {
		c.t.Fatalf("after %v the evening ended differently:\ngot  %s\nwant %s", c.crashes, got, want)
	}
	if n := len(c.m.games); n != c.games {
		c.t.Fatalf("after %v: %d games were opened, want %d", c.crashes, n, c.games)
	}
	if n := len(c.m.running()); n != 0 {
		c.t.Fatalf("after %v: %d games are left running", c.crashes, n)
	}
}

func never(int) bool { return false }

// TestCrashAtEveryStep kills the process once before and after every single write.
func TestCrashAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("crashes hundreds of times; TestCrashAgainAndAgain does at random")
	}
	for _, p := range []program{league, cup} {
		whole := newClub(t, p, never)
		whole.evening()
		want := whole.outcome()
		whole.check(want)
		for at := 1; at <= whole.steps; at++ {
			c := newClub(t, p, func(step int) bool { return step == at })
			c.evening()
			c.check(want)
			if len(c.crashes) != 1 {
				t.Fatalf("crashed %d times at step %d, want once", len(c.crashes), at)
			}
		}
		t.Logf("%s: %d steps", p.settings.Format, whole.steps)
	}
}

// TestCrashAgainAndAgain kills the process and its successor at random steps.
func TestCrashAgainAndAgain(t *testing.T) {
	for _, p := range []program{league, cup} {
		whole := newClub(t, p, never)
		whole.evening()
		want := whole.outcome()
		rapid.Check(t, func(rt *rapid.T) {
			deaths := make(map[int]bool)
			for _, at := range rapid.SliceOfN(rapid.IntRange(1, 2*whole.steps), 1, 40).Draw(rt, "deaths") {
				deaths[at] = true
			}
			c := newClub(t, p, func(step int) bool { return deaths[step] })
			c.evening()
			c.check(want)
		})
	}
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
	answered, err := d.Do(ctx, tm.ID, NextRound, organiser)
	if err != nil {
		t.Fatal(err)
	}
	m.see(t, answered)
	if _, err := d.Do(ctx, tm.ID, NextRound, organiser); !errors.Is(err, tournament.ErrState) {
		t.Errorf("a second call: %v, want ErrState", err)
	}
	if _, err := d.CatchUp(ctx); err == nil || len(m.running()) != 0 {
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
	if _, err := d.Do(ctx, tm.ID, NextRound, organiser); err == nil {
		t.Fatal("the lost answer was not reported")
	}
	catch(t, d)
	if len(m.running()) != 2 {
		t.Errorf("%d games, want the two of the stored round", len(m.running()))
	}
	if _, err := d.Do(ctx, tm.ID, NextRound, organiser); !errors.Is(err, tournament.ErrState) || len(m.running()) != 2 {
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
	if _, err := d.CatchUp(ctx); err == nil {
		t.Fatal("the lost answer was not reported")
	}
	m.step = func(string) error { return nil }
	catch(t, d)
	if games := m.running(); len(games) != 1 || games[0].Players[0] != "p2" {
		t.Errorf("running %+v, want the second game of the pairing", games)
	}
}
