package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"quatuor/engine/sentence"
	"quatuor/engine/table"
)

// Games tests how games are stored, step by step.
func Games(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"what is created comes back", createAndLoad},
		{"every field comes back", everyField},
		{"creating again changes nothing", createTwice},
		{"a new game comes with its first step", beginGame},
		{"a step adds its lines and moves the row", appendStep},
		{"a step on another version is refused", appendStale},
		{"of many on one version one wins", appendRace},
		{"a refusal harms no other step", appendBesideRefusals},
		{"a finished game takes no more", appendAfterEnd},
		{"a step that does not fit is refused", appendNonsense},
		{"an ended context does not hide a commit", appendCancelled},
		{"what was acknowledged survives a restart", appendAndReopen},
		{"what seats add to a seed survives restarts", nonces},
		{"invitations are limited", invitations},
		{"of many invitations at once as many as allowed are stored", invitationRace},
		{"open games are listed and limited", openGames},
		{"games to one player that were not played are limited", unplayed},
		{"the last seat is taken once", seatRace},
		{"quotas", quotas},
		{"of many challenges at once as many as allowed begin", func(t *testing.T, p Ports) { challengeRace(t, p) }},
		{"running games are armed", armed},
		{"overdue games are found", overdue},
		{"the latest heartbeat counts", heartbeats},
		{"games are read without their logs", rows},
		{"outages are kept until they are dropped", outages},
	})
}

func createAndLoad(t *testing.T, p Ports) {
	full := newGame(t, "full", "ann", "bob")
	secret := newGame(t, "secret", "ann", "")
	secret.Variant = "quiwin/duel"
	secret.SeedHex = strings.Repeat("ab", 32)
	secret.Options = nil
	secret.Lag = false
	must(t, p.Games.Create(t.Context(), []table.Game{full, secret}))
	loaded(t, p, full)
	loaded(t, p, secret)
	_, _, err := p.Games.Load(t.Context(), "nobody's")
	refused(t, "an unknown game", err, table.ErrNotFound)
}

// beginGame stores games with their first step: all of it or, where the id is there already, nothing.
func beginGame(t *testing.T, p Ports) {
	g := newGame(t, "g", "ann", "bob")
	g.Status = table.Running
	g.StartedAt = 7
	g.Version = 1
	step := table.Step{Game: &g, Lines: []table.Line{{N: 1, Kind: table.LineStart, At: 7, By: "ann"}}}
	must(t, p.Games.Begin(t.Context(), step))
	loaded(t, p, g, step.Lines...)
	again := g
	again.Version, again.Plies = 2, 1
	twice := table.Step{Game: &again, Lines: []table.Line{step.Lines[0], {N: 2, Kind: table.LineMove, Seat: 1}}}
	refused(t, "an id that exists", p.Games.Begin(t.Context(), twice), table.ErrConflict)
	loaded(t, p, g, step.Lines...)
	if err := p.Games.Begin(t.Context(), table.Step{Game: &again, Lines: twice.Lines[:1]}); err == nil {
		t.Error("a step that does not lead to the game's version is stored")
	}
	list, _, err := p.Games.List(t.Context(), table.Filter{Player: "bob"}, 10, "")
	must(t, err)
	if len(list) != 1 {
		t.Errorf("%d games are listed for a player", len(list))
	}
}

// everyField sets whatever a game and a line have, so that a field which is added and not stored shows.
func everyField(t *testing.T, p Ports) {
	var g table.Game
	fill(t, &g)
	g.Tournament.ID = create(t, p, "t").ID
	g.Status, g.Clock = table.Running, newGame(t, "").Clock
	must(t, p.Games.Create(t.Context(), []table.Game{g}))
	g.Uses = nil // its quotas are not read back
	got, _, err := p.Games.Load(t.Context(), g.ID)
	must(t, err)
	sameGame(t, got, g)

	s := move(newGame(t, "g", "ann", "bob"), "a1-a5")
	s.From, s.Game.Version = 0, 1
	s.Lines = []table.Line{{}}
	fill(t, &s.Lines[0])
	s.Lines[0].N = 1
	must(t, p.Games.Create(t.Context(), []table.Game{newGame(t, "g", "ann", "bob")}))
	must(t, p.Games.Append(t.Context(), s))
	loaded(t, p, *s.Game, s.Lines...)
}

func createTwice(t *testing.T, p Ports) {
	g := do(t, p, newGame(t, "g", "ann", "bob"), start)
	again := newGame(t, "g", "cid", "dan")
	again.CreatedAt = 5000
	other := newGame(t, "h", "cid", "dan")
	must(t, p.Games.Create(t.Context(), []table.Game{again, other, other}))
	loaded(t, p, g, start(newGame(t, "g")).Lines...)
	loaded(t, p, other)
	page, _, err := p.Games.List(t.Context(), table.Filter{Player: "cid"}, 10, "")
	must(t, err)
	equal(t, "games of a player who came too late", ids(page), []string{"h"})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := p.Games.Create(t.Context(), []table.Game{newGame(t, "i", "ann", "bob")}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	loaded(t, p, newGame(t, "i", "ann", "bob"))
}

func appendStep(t *testing.T, p Ports) {
	g := newGame(t, "g", "ann", "bob")
	must(t, p.Games.Create(t.Context(), []table.Game{g}))
	var log []table.Line
	for _, make := range []func(table.Game) table.Step{
		start,
		func(g table.Game) table.Step { return move(g, "a1-a5") },
		func(g table.Game) table.Step { return move(g, "b1-b5") },
		func(g table.Game) table.Step {
			return step(g, func(g *table.Game) { g.Status, g.Deadline = table.Paused, 0 }, table.Line{
				Kind: table.LinePause, Text: "arbiter adjourned: x", Said: sentence.New("adjourned: %s", "x").Stored(),
			})
		},
		func(g table.Game) table.Step {
			return step(g, func(g *table.Game) { g.Status, g.Offer = table.Running, 2 }, table.Line{Kind: table.LineResume})
		},
		func(g table.Game) table.Step { return finish(g, 9000) },
	} {
		s := make(g)
		must(t, p.Games.Append(t.Context(), s))
		g, log = *s.Game, append(log, s.Lines...)
		loaded(t, p, g, log...)
	}
	several := newGame(t, "several", "ann", "bob")
	must(t, p.Games.Create(t.Context(), []table.Game{several}))
	both := start(several)
	second := move(*both.Game, "a1-a5")
	both.Game, both.Lines = second.Game, append(both.Lines, second.Lines...)
	must(t, p.Games.Append(t.Context(), both))
	loaded(t, p, *both.Game, both.Lines...)
}

func appendStale(t *testing.T, p Ports) {
	g := do(t, p, newGame(t, "g", "ann", "bob"), start)
	s := move(g, "a1-a5")
	must(t, p.Games.Append(t.Context(), s))
	refused(t, "the same step again", p.Games.Append(t.Context(), s), table.ErrConflict)
	early := move(*s.Game, "b1-b5")
	early.From = 7
	early.Game.Version = 8
	early.Lines[0].N = 8
	refused(t, "a step from the future", p.Games.Append(t.Context(), early), table.ErrConflict)
	refused(t, "a step of no game", p.Games.Append(t.Context(), start(newGame(t, "nobody's"))), table.ErrConflict)
	loaded(t, p, *s.Game, append(start(newGame(t, "g")).Lines, s.Lines...)...)
}

func appendRace(t *testing.T, p Ports) {
	g := do(t, p, newGame(t, "g", "ann", "bob"), start)
	log := start(newGame(t, "g")).Lines
	for round := range 5 {
		var wins, conflicts int
		var mu sync.Mutex
		var won table.Step
		var group sync.WaitGroup
		for i := range 16 {
			group.Go(func() {
				s := move(g, fmt.Sprintf("%d by %d", round, i))
				err := p.Games.Append(t.Context(), s)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					wins, won = wins+1, s
				case errors.Is(err, table.ErrConflict):
					conflicts++
				default:
					t.Error(err)
				}
			})
		}
		group.Wait()
		if wins != 1 || conflicts != 15 {
			t.Fatalf("%d steps won and %d met a conflict, want 1 and 15", wins, conflicts)
		}
		g, log = *won.Game, append(log, won.Lines...)
	}
	loaded(t, p, g, log...)
}

func appendBesideRefusals(t *testing.T, p Ports) {
	const many = 64
	games := make([]table.Game, many)
	for i := range games {
		games[i] = do(t, p, newGame(t, fmt.Sprintf("g%02d", i), "ann", "bob"), start)
	}
	var group sync.WaitGroup
	for i, g := range games {
		group.Go(func() {
			if err := p.Games.Append(t.Context(), move(g, "good")); err != nil {
				t.Errorf("game %d: %v", i, err)
			}
		})
		group.Go(func() {
			s := move(g, "stale")
			s.From = 0
			s.Game.Version = 1
			s.Lines[0].N = 1
			refused(t, "a stale step", p.Games.Append(t.Context(), s), table.ErrConflict)
		})
		group.Go(func() {
			bad := newGame(t, fmt.Sprintf("bad%02d", i), "ann", "bob")
			bad.Tournament = &table.Place{ID: "there is none"}
			if err := p.Games.Create(t.Context(), []table.Game{bad}); err == nil {
				t.Error("a game of a tournament that is not there was created")
			}
		})
	}
	group.Wait()
	for _, g := range games {
		loaded(t, p, *move(g, "good").Game, append(start(newGame(t, g.ID)).Lines, move(g, "good").Lines...)...)
	}
}

func appendAfterEnd(t *testing.T, p Ports) {
	g := do(t, p, newGame(t, "g", "ann", "bob"), start, func(g table.Game) table.Step { return finish(g, 9000) })
	more := move(g, "late")
	more.Game.Status = table.Running
	refused(t, "a move after the end", p.Games.Append(t.Context(), more), table.ErrConflict)
	refused(t, "a second end", p.Games.Append(t.Context(), finish(g, 9001)), table.ErrConflict)
	got, _, err := p.Games.Load(t.Context(), "g")
	must(t, err)
	sameGame(t, got, g)
	got, lines, err := p.Games.LoadSince(t.Context(), "g", g.Version-1)
	must(t, err)
	sameGame(t, got, g)
	if len(lines) != 1 || lines[0].N != g.Version {
		t.Errorf("since version %d there are %+v", g.Version-1, lines)
	}
	_, lines, err = p.Games.LoadSince(t.Context(), "g", g.Version)
	must(t, err)
	equal(t, "lines since the last version", len(lines), 0)
	_, _, err = p.Games.LoadSince(t.Context(), "nobody's", 1)
	refused(t, "what is new of no game", err, table.ErrNotFound)
}

func appendNonsense(t *testing.T, p Ports) {
	g := do(t, p, newGame(t, "g", "ann", "bob"), start)
	gap := move(g, "a1-a5")
	gap.Lines[0].N++
	empty := move(g, "a1-a5")
	empty.Lines = nil
	endless := finish(g, 9000)
	endless.Game.Outcome = nil
	unknown := finish(g, 9000)
	unknown.Game.Variant = "chess/blindfold"
	for what, s := range map[string]table.Step{"gap": gap, "no lines": empty, "no outcome": endless, "variant": unknown} {
		if err := p.Games.Append(t.Context(), s); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
	loaded(t, p, g, start(newGame(t, "g")).Lines...)
}

// appendCancelled ends contexts while steps are on their way: an answer of nil means stored, any other not stored.
func appendCancelled(t *testing.T, p Ports) {
	const many = 100
	var games [many]table.Game
	for i := range games {
		games[i] = do(t, p, newGame(t, fmt.Sprintf("g%02d", i), "ann", "bob"), start)
	}
	var answers [many]error
	var group sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for i, g := range games {
		group.Go(func() {
			answers[i] = p.Games.Append(ctx, move(g, "a1-a5"))
			if i == many/2 {
				cancel()
			}
		})
	}
	group.Wait()
	cancel()
	for i, g := range games {
		stored, _, err := p.Games.Load(t.Context(), g.ID)
		must(t, err)
		if moved := stored.Version == 2; moved != (answers[i] == nil) {
			t.Errorf("game %d: stored: %t, answer: %v", i, moved, answers[i])
		}
	}
	if err := p.Games.Append(ctx, move(games[0], "too late")); err == nil {
		t.Error("a step with an ended context was accepted twice")
	}
}

func appendAndReopen(t *testing.T, p Ports) {
	g := do(t, p, newGame(t, "g", "ann", "bob"), start, func(g table.Game) table.Step { return move(g, "a1-a5") })
	first := newGame(t, "g", "ann", "bob")
	log := append(start(first).Lines, move(*start(first).Game, "a1-a5").Lines...)
	loaded(t, p.Reopen(t), g, log...)
}

func overdue(t *testing.T, p Ports) {
	with := func(deadline int64, status table.Status) func(table.Game) table.Step {
		return func(g table.Game) table.Step {
			return step(g, func(g *table.Game) { g.Status, g.Deadline = status, deadline }, table.Line{Kind: table.LineResume})
		}
	}
	for id, s := range map[string]func(table.Game) table.Step{
		"early": with(4000, table.Running), "earlier": with(3000, table.Running), "due": with(5000, table.Running),
		"none": with(0, table.Running), "paused": with(2000, table.Paused), "waits for nonces": with(4500, table.Waiting),
		"waits": with(0, table.Waiting),
	} {
		do(t, p, newGame(t, id, "ann", "bob"), start, s)
	}
	do(t, p, newGame(t, "over", "ann", "bob"), start, func(g table.Game) table.Step { return finish(g, 1000) })
	must(t, p.Games.Watch(t.Context(), nil))
	for _, c := range []struct {
		before int64
		limit  int
		want   []table.Armed
	}{
		{5000, 10, []table.Armed{{ID: "earlier", Deadline: 3000}, {ID: "early", Deadline: 4000}, {ID: "waits for nonces", Deadline: 4500}}},
		{5001, 2, []table.Armed{{ID: "earlier", Deadline: 3000}, {ID: "early", Deadline: 4000}}},
		{5001, 10, []table.Armed{
			{ID: "earlier", Deadline: 3000}, {ID: "early", Deadline: 4000}, {ID: "waits for nonces", Deadline: 4500}, {ID: "due", Deadline: 5000},
		}},
	} {
		got, err := p.Games.Overdue(t.Context(), c.before, c.limit)
		must(t, err)
		equal(t, fmt.Sprintf("overdue before %d", c.before), got, c.want)
	}
	version, err := p.Games.Version(t.Context(), "paused")
	must(t, err)
	equal(t, "version", version, 2)
	_, err = p.Games.Version(t.Context(), "nobody's")
	refused(t, "the version of an unknown game", err, table.ErrNotFound)
}

func armed(t *testing.T, p Ports) {
	do(t, p, newGame(t, "waiting", "ann", "bob"), func(g table.Game) table.Step {
		return step(g, func(g *table.Game) { g.Deadline = 0 }, table.Line{Kind: table.LineSet})
	})
	do(t, p, newGame(t, "waits for nonces", "ann", "bob"), func(g table.Game) table.Step {
		return step(g, func(g *table.Game) { g.Deadline = 600_000 }, table.Line{Kind: table.LineCommitment})
	})
	do(t, p, newGame(t, "running", "ann", "bob"), start)
	do(t, p, newGame(t, "untimed", "ann", "bob"), func(g table.Game) table.Step {
		s := start(g)
		s.Game.Deadline = 0
		return s
	})
	do(t, p, newGame(t, "over", "ann", "bob"), start, func(g table.Game) table.Step { return finish(g, 9000) })
	list, err := p.Games.Armed(t.Context(), nil)
	must(t, err)
	got := map[string]int64{}
	for _, a := range list {
		got[a.ID] = a.Deadline
	}
	equal(t, "armed games", got, map[string]int64{"running": 302_000, "untimed": 0, "waits for nonces": 600_000})
}

func heartbeats(t *testing.T, p Ports) {
	last := func(want int64) {
		t.Helper()
		got, err := p.Games.LastBeat(t.Context())
		must(t, err)
		equal(t, "last heartbeat", got, want)
	}
	last(0)
	must(t, p.Games.Beat(t.Context(), "one", 1000))
	must(t, p.Games.Beat(t.Context(), "two", 3000))
	must(t, p.Games.Beat(t.Context(), "one", 2000))
	last(3000)
	must(t, p.Games.Beat(t.Context(), "one", 4000))
	last(4000)
}

func rows(t *testing.T, p Ports) {
	none, err := p.Games.LastEntry(t.Context())
	must(t, err)
	equal(t, "the latest time without games", none, int64(0))
	fresh := newGame(t, "fresh", "ann", "bob")
	do(t, p, fresh)
	running := do(t, p, newGame(t, "running", "ann", "bob"), start)
	_, lines, err := p.Games.Load(t.Context(), "running")
	must(t, err)
	got, err := p.Games.Rows(t.Context(), []string{"running", "nobody's", "fresh"})
	must(t, err)
	slices.SortFunc(got, func(a, b table.Row) int { return strings.Compare(a.Game.ID, b.Game.ID) })
	if len(got) != 2 {
		t.Fatalf("%d rows, want 2", len(got))
	}
	sameGame(t, got[0].Game, fresh)
	sameGame(t, got[1].Game, running)
	equal(t, "times of the last lines", []int64{got[0].LastAt, got[1].LastAt}, []int64{0, lines[len(lines)-1].At})
	latest, err := p.Games.LastEntry(t.Context())
	must(t, err)
	equal(t, "the latest time of the open games", latest, lines[len(lines)-1].At)
}

func outages(t *testing.T, p Ports) {
	noted := func(want ...table.Outage) {
		t.Helper()
		got, err := p.Games.Outages(t.Context())
		must(t, err)
		equal(t, "outages", got, want)
	}
	one, two, three := table.Outage{From: 5, To: 30}, table.Outage{From: 5, To: 20}, table.Outage{From: 40, To: 50}
	for _, o := range []table.Outage{three, one, two, one} {
		must(t, p.Games.NoteOutage(t.Context(), o))
	}
	noted(two, one, three)
	must(t, p.Games.DropOutages(t.Context(), []table.Outage{one, two, {From: 1, To: 2}}))
	noted(three)
	must(t, p.Games.DropOutages(t.Context(), []table.Outage{three}))
	noted([]table.Outage{}...)
}

func ids(games []table.Game) []string {
	list := []string{}
	for _, g := range games {
		list = append(list, g.ID)
	}
	return list
}
