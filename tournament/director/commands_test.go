package director

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/standings"
)

// anySwiss is a Swiss that people do anything with, in any order.
type anySwiss struct {
	*rapid.T
	m  *memory
	d  *Director
	id string

	told    []int64 // public versions that were published
	changes int     // of results, when that was last looked at
}

// TestAnyCommandsOnASwiss throws any commands at a running Swiss: entries that come late, withdraw and come back, byes,
// forbidden pairs, rounds drawn up, changed by hand, published and deleted, results of all kinds, games that end, are
// void or broken off, and steps back. Whatever is accepted is stored as it was answered, every round that the pairing
// system draws up is legal, what is taken back leaves no trace, and at any time the tournament can be played to its
// end.
func TestAnyCommandsOnASwiss(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := swissSettings()
		s.RoundCount = rapid.IntRange(2, 5).Draw(rt, "rounds")
		s.Venue = rapid.SampledFrom([]tournament.Venue{tournament.OnServer, tournament.OnServer, tournament.InHall}).
			Draw(rt, "venue")
		s.Rules.AdjournedDraw = rapid.Bool().Draw(rt, "adjourned games are draws")
		s.Rules.FullPointByes = rapid.Bool().Draw(rt, "full-point byes")
		s.Rules.MissedRounds = rapid.SampledFrom([]tournament.Bye{tournament.ZeroPoint, tournament.HalfPoint}).
			Draw(rt, "missed rounds")
		if rapid.Bool().Draw(rt, "accelerated") {
			s.Rules.Acceleration = tournament.Baku
		}
		m := newMemory()
		c := &anySwiss{T: rt, m: m, d: newDirector(m, &counter{})}
		c.d.Notifier = c
		c.id = started(t, c.d, s, rapid.IntRange(s.RoundCount+2, 11).Draw(rt, "entries")).ID
		for range rapid.IntRange(1, 30).Draw(rt, "commands") {
			c.step()
		}
		c.toTheEnd()
	})
}

func (c *anySwiss) now() *tournament.Tournament {
	t, err := c.m.Load(context.Background(), c.id)
	if err != nil {
		c.Fatal(err)
	}
	return t
}

// step does something, and sometimes takes it back.
func (c *anySwiss) step() {
	before := c.now()
	c.told, c.changes = nil, len(c.m.history[c.id])
	name := rapid.SampledFrom([]string{
		"enter", "withdraw", "reinstate", "byes", "forbid", "rating", "draw", "pair", "pair", "publish", "publish", "edit",
		"edit", "edit", "drop",
		"result", "result", "result", "adjourn", "again", "clear", "hall", "server", "move", "win", "win", "draw game",
		"void", "abort",
	}).Draw(c.T, "command")
	after, err := c.do(name, before)
	if err != nil {
		c.known(name, err)
		if got, want := printed(c.now()), printed(before); got != want {
			c.Fatalf("%s was refused (%v) and changed\n%s\nto\n%s", name, err, want, got)
		}
		return
	}
	if after == nil { // a game did something
		if _, err := c.d.CatchUp(context.Background()); err != nil {
			c.Fatal(err)
		}
		c.check(name)
		c.kept(name, before)
		return
	}
	if printed(c.now()) != printed(after) {
		c.Fatalf("%s: stored is\n%s\nanswered was\n%s", name, printed(c.now()), printed(after))
	}
	c.check(name)
	c.kept(name, before)
	if (name == "draw" || name == "pair") && after.Version > before.Version {
		c.legal(after)
	}
	if after.Version > before.Version && rapid.IntRange(0, 3).Draw(c.T, "take back") == 0 {
		c.takeBack(name, before, after)
	}
}

// known demands an error of a documented kind.
func (c *anySwiss) known(name string, err error) {
	for _, kind := range []error{
		tournament.ErrState, tournament.ErrInvalid, tournament.ErrNotFound,
		tournament.ErrUnpairable,
	} {
		if errors.Is(err, kind) {
			return
		}
	}
	c.Fatalf("%s: an error of no kind: %v", name, err)
}

// do carries out a command; a nil tournament means that a game did something.
func (c *anySwiss) do(name string, t *tournament.Tournament) (*tournament.Tournament, error) {
	ctx := context.Background()
	entry := rapid.SampledFrom(t.Entries).Draw(c.T, "entry")
	switch name {
	case "enter":
		n := len(t.Entries) + 1
		e := tournament.Entry{
			Name: fmt.Sprintf("L%02d", n), Members: []string{fmt.Sprint("l", n)}, Rating: rapid.Float64Range(1900, 2100).
				Draw(c.T, "rating"),
		}
		next, _, err := c.d.AddEntry(ctx, c.id, e, organiser)
		return next, err
	case "withdraw":
		return c.d.Do(ctx, c.id, Withdraw(entry.ID), organiser)
	case "reinstate":
		return c.d.Do(ctx, c.id, Reinstate(entry.ID), organiser)
	case "rating":
		entry.Rating = rapid.Float64Range(1900, 2100).Draw(c.T, "rating")
		return c.d.Do(ctx, c.id, UpdateEntry(entry), organiser)
	case "byes":
		bye := rapid.SampledFrom([]tournament.Bye{tournament.HalfPoint, tournament.ZeroPoint, tournament.FullPoint}).
			Draw(c.T, "bye")
		return c.d.Do(ctx, c.id, RequestByes(entry.ID,
			[]tournament.RequestedBye{{Round: rapid.IntRange(1, t.RoundCount).Draw(c.T, "round"), Bye: bye}}), organiser)
	case "forbid":
		other := rapid.SampledFrom(t.Entries).Draw(c.T, "other")
		return c.d.Do(ctx, c.id, SetForbidden([]tournament.Ban{{Entries: []string{entry.ID, other.ID}}}), organiser)
	case "draw":
		return c.d.Do(ctx, c.id, DrawRound, organiser)
	case "pair":
		return c.d.Do(ctx, c.id, NextRound, organiser)
	case "publish":
		return c.d.Do(ctx, c.id, PublishStarting(0, false), organiser)
	case "drop":
		return c.d.Do(ctx, c.id, DropRound(len(t.Rounds)), organiser)
	case "edit":
		return c.d.Do(ctx, c.id, EditRound(len(t.Rounds), c.edits(t), "by hand"), organiser)
	}
	return c.doAtBoard(name, t)
}

// edits are some changes of the latest round, which may make sense or not.
func (c *anySwiss) edits(t *tournament.Tournament) []tournament.Edit {
	ids := make([]string, len(t.Entries))
	for i, e := range t.Entries {
		ids[i] = e.ID
	}
	out := make([]tournament.Edit, rapid.IntRange(1, 3).Draw(c.T, "edits"))
	for i := range out {
		kind := rapid.SampledFrom([]tournament.EditKind{
			tournament.SwapEntries, tournament.SwapEntries, tournament.Reseat, tournament.Unpair, tournament.Pair,
			tournament.GiveBye,
		}).Draw(c.T, "kind")
		out[i] = tournament.Edit{Kind: kind, Board: rapid.IntRange(1, 5).Draw(c.T, "board")}
		switch kind {
		case tournament.SwapEntries, tournament.Pair:
			out[i].Entries = []string{rapid.SampledFrom(ids).Draw(c.T, "one"), rapid.SampledFrom(ids).Draw(c.T, "two")}
		case tournament.GiveBye:
			out[i].Entries = []string{rapid.SampledFrom(ids).Draw(c.T, "one")}
			out[i].Bye = rapid.SampledFrom([]tournament.Bye{
				tournament.PairingAllocated, tournament.HalfPoint,
				tournament.ZeroPoint,
			}).Draw(c.T, "bye")
		}
	}
	return out
}

// doAtBoard is do for what happens at a board, or in its game.
func (c *anySwiss) doAtBoard(name string, t *tournament.Tournament) (*tournament.Tournament, error) {
	ctx, round, board := context.Background(), rapid.IntRange(1, max(1, len(t.Rounds))).Draw(c.T, "round"),
		rapid.IntRange(1, 5).Draw(c.T, "board")
	switch name {
	case "result":
		text := rapid.SampledFrom([]string{"1-0", "0-1", "1/2-1/2", "+--", "--+", "---"}).Draw(c.T, "result")
		v, err := tournament.ParseVerdict(text)
		if err != nil {
			c.Fatal(err)
		}
		return c.d.Do(ctx, c.id, SetResult(round, board, v, "by hand"), organiser)
	case "clear":
		return c.d.Do(ctx, c.id, ClearResult(round, board, "by mistake"), organiser)
	case "hall", "server":
		return c.d.Do(ctx, c.id, SetVenue(round, board, tournament.Venue(name), "by order"), organiser)
	case "adjourn":
		return c.d.Adjourn(ctx, c.id, round, board, "tomorrow", organiser)
	case "again":
		return c.d.Do(ctx, c.id, PlayAgain(round, board, "by order"), organiser)
	}
	games := c.m.running()
	if len(games) == 0 {
		return nil, tournament.ErrState
	}
	game := rapid.SampledFrom(games).Draw(c.T, "game").GameID
	switch name {
	case "move":
		c.m.games[game].moved = true
	case "win":
		c.m.end(c.T, game, 1, 2)
	case "draw game":
		c.m.end(c.T, game, 1, 1)
	case "void":
		c.m.end(c.T, game)
	default:
		if err := c.m.Abort(ctx, game, sentence.Typed("the power failed")); err != nil {
			return nil, err
		}
	}
	return nil, nil //nolint:nilnil // there is neither: a game has reported, and the outbox is to be read
}

// check holds what is stored to what must always be.
func (c *anySwiss) check(name string) {
	t := c.now()
	open := map[string]bool{}
	for i, r := range t.Rounds {
		seen := map[string]bool{}
		for b, p := range r.Pairings {
			if p.Board != b+1 || (p.Result == nil && r.Status == tournament.Complete) || p.GameID != "" &&
				r.Status == tournament.Paired {
				c.Fatalf("%s: round %d, which is %s, has %+v", name, r.Number, r.Status, p)
			}
			for _, id := range p.Seats {
				if seen[id] {
					c.Fatalf("%s: %s is twice in round %d", name, id, r.Number)
				}
				seen[id] = true
			}
			if p.Result == nil && p.GameID != "" {
				open[p.GameID] = true
			}
		}
		if r.Status == tournament.Paired && i < len(t.Rounds)-1 || r.Number != i+1 {
			c.Fatalf("%s: round %d at place %d is %s", name, r.Number, i+1, r.Status)
		}
		if left := t.Unpaired(r.Number); r.Status != tournament.Paired && len(left) > 0 {
			c.Fatalf("%s: round %d is published without %s", name, r.Number, left[0].Name)
		}
	}
	for _, g := range c.m.running() {
		if !open[g.GameID] {
			c.Fatalf("%s: game %s of round %d is played for nothing", name, g.GameID, g.Round)
		}
	}
	c.checkTable(t)
}

// checkTable adds the standings' points up.
func (c *anySwiss) checkTable(t *tournament.Tournament) {
	n := t.PublishedRounds()
	if n == 0 {
		return
	}
	var given, had tournament.Points
	for _, r := range t.Rounds[:n] {
		for _, p := range r.Pairings {
			if p.Result != nil {
				for _, points := range p.Result.Points {
					given += points
				}
			}
		}
	}
	table, err := standings.After(t, n)
	if err != nil {
		c.Fatal(err)
	}
	for _, row := range table.Rows {
		had += row.Points
	}
	if given != had || len(table.Rows) != len(t.Numbered()) {
		c.Fatalf("results gave %s, and the table of %d has %s", given, len(table.Rows), had)
	}
}

// legal looks at a round that the pairing system has just drawn up.
func (c *anySwiss) legal(t *tournament.Tournament) {
	n := len(t.Rounds)
	for _, w := range c.d.Review(t, n) {
		if w.Breach != pairing.ScoresFar && (w.Breach != pairing.SameColour || n < t.RoundCount) {
			c.Fatalf("the system drew up a round in which %s", w.Text)
		}
	}
	if _, err := c.d.PairedFrom(context.Background(), c.id, n); err != nil {
		c.Fatalf("what round %d was paired from is not there: %v", n, err)
	}
}

// takeBack takes the last act back, if nothing has been built on it, and looks for traces.
func (c *anySwiss) takeBack(name string, before, after *tournament.Tournament) {
	back, err := c.d.Undo(context.Background(), c.id, after.Version, organiser)
	if err != nil {
		c.known("taking back "+name, err)
		if !strings.Contains(err.Error(), "has begun") {
			c.Fatalf("%s cannot be taken back at once: %v", name, err)
		}
		return
	}
	if got, want := printed(back), printed(before); got != want {
		c.Fatalf("%s taken back:\n%s\nbefore:\n%s", name, got, want)
	}
	if _, err := c.d.CatchUp(context.Background()); err != nil {
		c.Fatal(err)
	}
	if got, want := printed(c.now()), printed(before); got != want {
		c.Fatalf("%s taken back, as it is stored:\n%s\nbefore:\n%s", name, got, want)
	}
	c.check("taking back " + name)
	c.kept("taking back "+name, after)
}

// TournamentChanged notes what is published.
func (c *anySwiss) TournamentChanged(t *tournament.Tournament, _ Topic, to Audience) {
	if to == Public {
		c.told = append(c.told, t.PublicVersion)
	}
}

// kept demands that the public has a new version, and that it is published, exactly if it can see a difference.
func (c *anySwiss) kept(name string, before *tournament.Tournament) {
	now := c.now()
	told, changes := c.told, len(c.m.history[c.id])
	c.told = nil
	same := publicText(now) == publicText(before) && changes == c.changes
	c.changes = changes
	if newer := now.PublicVersion > before.PublicVersion; newer == same || newer != (len(told) > 0) {
		c.Fatalf("%s: public version %d follows %d, the public was told of %v; it sees\n%s\nand saw\n%s",
			name, now.PublicVersion, before.PublicVersion, told, publicText(now), publicText(before))
	}
}

// publicText writes down the public view of a tournament. An absent list is written like an empty list.
func publicText(t *tournament.Tournament) string {
	p := t.Public()
	p.Version, p.PublicVersion = 0, 0
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return strings.ReplaceAll(string(text), "null", "[]")
}

// printed writes a tournament without its version and the ids of its games, which a step back replaces.
func printed(t *tournament.Tournament) string {
	p := *t
	p.Version, p.PublicVersion = 0, 0
	p.Rounds = nil
	for _, r := range t.Rounds {
		r.Pairings = slices.Clone(r.Pairings)
		for i := range r.Pairings {
			if r.Pairings[i].GameID != "" {
				r.Pairings[i].GameID = "game"
			}
		}
		p.Rounds = append(p.Rounds, r)
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// toTheEnd plays what is left, by hand, and finishes; a round that cannot be paired may come before.
func (c *anySwiss) toTheEnd() {
	ctx := context.Background()
	for range 20 {
		t := c.now()
		n := len(t.Rounds)
		switch {
		case n > 0 && t.Rounds[n-1].Status == tournament.Paired:
			c.must(c.d.Do(ctx, c.id, EditRound(n, byes(t.Unpaired(n)), ""), organiser))
			c.must(c.d.Do(ctx, c.id, PublishStarting(0, false), organiser))
		case n > 0 && t.Rounds[n-1].Status == tournament.Published:
			for _, p := range t.Rounds[n-1].Pairings {
				if p.Result == nil {
					c.must(c.d.Do(ctx, c.id, SetResult(n, p.Board, tournament.Verdict{Ranks: []int{1, 2}}, ""), organiser))
				}
			}
		case n < t.RoundCount:
			next, err := c.d.Do(ctx, c.id, NextRound, organiser)
			if errors.Is(err, tournament.ErrUnpairable) {
				return
			}
			c.must(next, err)
		default:
			c.decideAdjourned(t)
			c.must(c.d.Do(ctx, c.id, Finish, organiser))
			c.check("finish")
			return
		}
	}
	c.Fatal("it does not come to an end")
}

// decideAdjourned ends the games that were adjourned while others went on.
func (c *anySwiss) decideAdjourned(t *tournament.Tournament) {
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Result == nil && p.Adjourned != "" {
				c.must(c.d.Do(context.Background(), c.id, SetResult(r.Number, p.Board, tournament.Verdict{Ranks: []int{1, 1}}, ""),
					organiser))
			}
		}
	}
}

func (c *anySwiss) must(t *tournament.Tournament, err error) {
	if err != nil {
		c.Fatalf("on the way to the end: %v", err)
	}
	if printed(c.now()) != printed(t) {
		c.Fatalf("stored is\n%s\nanswered was\n%s", printed(c.now()), printed(t))
	}
}

// byes sets a bye for each entry that is left.
func byes(entries []tournament.Entry) []tournament.Edit {
	var out []tournament.Edit
	for _, e := range entries {
		out = append(out, tournament.Edit{Kind: tournament.GiveBye, Entries: []string{e.ID}, Bye: tournament.ZeroPoint})
	}
	return out
}
