package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/ledger"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/scoring"
	"quatuor/tournament/standings"
)

// Hall tests games on boards in the hall, and their ratings.
func Hall(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"a result in the hall leaves a game", hallGame},
		{"a correction takes the place of the first result", hallCorrection},
		{"a record in the hall is played", hallRecorded},
		{"ratings follow whatever happens in the hall", hallRatings},
		{"of many who correct ratings one does", rewriteRace},
		{"any system, and marked players", ratingSystems},
		{"partners in the hall share a result", hallTeams},
	})
}

// noTables has no games on the server.
type noTables struct{}

func (noTables) Open(context.Context, []director.Opening) error                  { return nil }
func (noTables) Begun(context.Context, string) (bool, error)                     { return false, nil }
func (noTables) Pause(_ context.Context, _, _ string, _ sentence.Sentence) error { return nil }
func (noTables) Abort(_ context.Context, _ string, _ sentence.Sentence) error    { return nil }
func (noTables) variant(string, map[string]string) (tournament.Shape, error) {
	return tournament.Shape{Min: 2, Max: 2, Members: 1}, nil
}

// hallClub directs tournaments in the hall.
type hallClub struct {
	*director.Director
	p  Ports
	id string
	at int64
}

var byArbiter = director.Order{By: "olga"}

// newHallClub starts a rated round-robin of these players in the hall and publishes its first round.
func newHallClub(t *testing.T, p Ports, id string, players ...string) *hallClub {
	t.Helper()
	c := &hallClub{p: p, id: id, at: 10_000}
	n := 0
	c.Director = director.New(director.Config{
		Store: p.Tournaments, Tables: noTables{}, Variant: noTables{}.variant,
		TimeControl: func(text string) (string, error) { return text, nil },
		Now:         func() time.Time { c.at++; return time.UnixMilli(c.at) },
		NewID:       func() string { n++; return fmt.Sprint(id, "-", n) },
	})
	_, err := c.Create(t.Context(), id, tournament.Settings{
		Name: id, Variant: "quixo/duel", Format: tournament.RoundRobin, TimeControl: "300+3", Rated: true,
		Venue:     tournament.InHall,
		TieBreaks: standings.Default(tournament.RoundRobin),
	}, "olga")
	must(t, err)
	for _, player := range players {
		_, _, err := c.AddEntry(t.Context(), id, tournament.Entry{Name: player, Members: []string{player}}, byArbiter)
		must(t, err)
	}
	_, err = c.Do(t.Context(), id, director.Start, byArbiter)
	must(t, err)
	_, err = c.Do(t.Context(), id, director.NextRound, byArbiter)
	must(t, err)
	return c
}

func (c *hallClub) enter(t *testing.T, board int, result string) tournament.Pairing {
	t.Helper()
	v, err := tournament.ParseVerdict(result)
	must(t, err)
	_, err = c.Do(t.Context(), c.id, director.SetResult(1, board, v, ""), byArbiter)
	must(t, err)
	return c.board(t, board)
}

func (c *hallClub) board(t *testing.T, board int) tournament.Pairing {
	t.Helper()
	p, err := load(t, c.p, c.id).Pairing(1, board)
	must(t, err)
	return p
}

func catchUp(t *testing.T, p Ports) {
	t.Helper()
	_, err := ledger.New(p.Ratings, elo.Club{}).CatchUp(t.Context())
	must(t, err)
}

func verified(t *testing.T, p Ports) {
	t.Helper()
	report, err := ledger.New(p.Ratings, elo.Club{}).Verify(t.Context())
	must(t, err)
	if !report.OK() {
		t.Errorf("verified: %+v", report)
	}
}

func hallGame(t *testing.T, p Ports) {
	c := newHallClub(t, p, "t", "ann", "bob", "cid", "dan")
	_, _, err := p.Games.Load(t.Context(), c.board(t, 1).HallGame)
	refused(t, "before there is a result", err, table.ErrNotFound)
	board := c.enter(t, 1, "0-1")
	game, lines, err := p.Games.Load(t.Context(), board.HallGame)
	must(t, err)
	if faults := table.Audit(game, lines); faults != nil {
		t.Errorf("the game: %v", faults)
	}
	players := load(t, p, "t").Players(board)
	equal(t, "players", game.Players, players)
	equal(t, "ranks", game.Outcome.Ranks, []int{2, 1})
	equal(t, "hall, rated, over", []bool{game.Hall, game.Rated, game.Status.Over()}, []bool{true, true, true})
	list, _, err := p.Games.List(t.Context(), table.Filter{Player: players[0]}, 10, "")
	must(t, err)
	equal(t, "games of a player", len(list), 1)
	pending, err := p.Tournaments.Pending(t.Context(), 10)
	must(t, err)
	equal(t, "results for tournaments", len(pending), 0)
	catchUp(t, p)
	rows, err := p.Ratings.Changes(t.Context(), board.HallGame)
	must(t, err)
	equal(t, "rating rows", len(rows), 2)
	equal(t, "the loser's rating", rows[0].After, 1480)
	c.enter(t, 2, "+--")
	_, _, err = p.Games.Load(t.Context(), c.board(t, 2).HallGame)
	refused(t, "a forfeit", err, table.ErrNotFound)
	verified(t, p)
}

func hallCorrection(t *testing.T, p Ports) {
	c := newHallClub(t, p, "t", "ann", "bob", "cid", "dan")
	one := c.enter(t, 1, "1-0")
	c.enter(t, 2, "1-0")
	catchUp(t, p)
	c.enter(t, 1, "0-1")
	catchUp(t, p)
	rows := allRows(t, p)
	if len(rows) != 4 || rows[0].GameID != one.HallGame || rows[0].After != 1480 || rows[0].Seq != 1 || rows[2].Seq != 2 {
		t.Errorf("after the correction: %+v", rows)
	}
	_, err := c.Do(t.Context(), "t", director.ClearResult(1, 1, "wrong board"), byArbiter)
	must(t, err)
	catchUp(t, p)
	equal(t, "rows without it", len(allRows(t, p)), 2)
	current, err := p.Ratings.Current(t.Context(), "quixo-blitz", []string{rows[0].PlayerID})
	must(t, err)
	equal(t, "current rating of one without games", len(current), 0)
	lists, err := p.Ratings.Lists(t.Context())
	must(t, err)
	equal(t, "games in the list", lists[0].Games, 1)
	verified(t, p)
	acts, err := c.Acts(t.Context(), "t")
	must(t, err)
	_, err = c.Undo(t.Context(), "t", c.Undoable(load(t, p, "t"), acts), byArbiter)
	must(t, err)
	catchUp(t, p)
	equal(t, "rows when it is back", allRows(t, p), rows)
	var gone []ledger.Finished
	must(t, p.Ratings.Between(t.Context(), 2, 5, func(f ledger.Finished) error {
		gone = append(gone, f)
		return nil
	}))
	if len(gone) != 3 || gone[0].Corrects != 1 || gone[1].Ranks != nil || gone[2].Ranks == nil {
		t.Errorf("corrections: %+v", gone)
	}
	verified(t, p)
	_, err = ledger.New(p.Ratings, elo.Club{}).Recompute(t.Context())
	must(t, err)
	equal(t, "rows when all is recomputed", allRows(t, p), rows)
}

func hallRecorded(t *testing.T, p Ports) {
	c := newHallClub(t, p, "t", "ann", "bob")
	board := c.enter(t, 1, "1-0")
	catchUp(t, p)
	v := load(t, p, "t")
	next, err := scoring.SetRecord(v, 1, 1, "[Variant \"quixo/duel\"]\n[Result \"1,2\"]\n\nc1-c5 a1-a5 2:!resignation 1,2\n")
	must(t, err)
	next.Version++
	next.Delta.Acts = []tournament.Act{{Version: next.Version, Kind: tournament.ActRecord, By: "olga", At: 20_000}}
	must(t, p.Tournaments.Save(t.Context(), next.Tournament, v.Version, next.Delta))
	game, lines, err := p.Games.Load(t.Context(), board.HallGame)
	must(t, err)
	equal(t, "plies", game.Plies, 2)
	equal(t, "reason", game.Outcome.Reason, engine.ReasonResignation)
	equal(t, "finished", game.FinishedAt < 20_000, true)
	if faults := table.Audit(game, lines); faults != nil {
		t.Errorf("the game: %v", faults)
	}
	cursor, pending, err := p.Ratings.Pending(t.Context(), 10)
	must(t, err)
	equal(t, "a record is no correction", []int64{cursor, int64(len(pending))}, []int64{1, 0})
	c.enter(t, 1, "0-1")
	game, _, err = p.Games.Load(t.Context(), board.HallGame)
	must(t, err)
	equal(t, "plies without the record", game.Plies, 0)
	refused(t, "no such record", errOf(p.Tournaments.HallRecord(t.Context(), "t", "none")), tournament.ErrNotFound)
}

func errOf[T any](_ T, err error) error { return err }

// hallRatings throws results, corrections, removals, steps back and games on the server at a store: the ratings are
// those of the final results in order of first finish, and so is the list of any moment for the games until then.
func hallRatings(t *testing.T, p Ports) {
	runs := 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		id := fmt.Sprint("t", runs)
		players := []string{id + "a", id + "b", id + "c", id + "d"}
		c := newHallClub(t, p, id, players...)
		m := hallModel{T: rt, c: c, server: map[string][]string{}}
		look(t, p, func(past ledger.Past) error { m.start = past.Cursor(); return nil })
		for range rapid.IntRange(1, 10).Draw(rt, "steps") {
			m.step(t)
			if rapid.Bool().Draw(rt, "catch up") {
				catchUp(t, p)
			}
		}
		catchUp(t, p)
		for player, want := range m.ratings(t, m.order) {
			got, err := p.Ratings.Current(t.Context(), "quixo-blitz", []string{player})
			if err != nil || got[player] != want {
				rt.Errorf("%s has %+v (%v), want %+v", player, got[player], err, want)
			}
		}
		m.past(t, players)
	})
	verified(t, p)
	recomputedIsServed(t, p)
}

// recomputedIsServed removes everything that the ledger has written while games came in, and computes it again.
func recomputedIsServed(t *testing.T, p Ports) {
	t.Helper()
	served := allRows(t, p)
	var lists []ledger.Sum
	must(t, p.Ratings.Renew(t.Context(), func(d ledger.Draft) error {
		standings, err := d.Standings(t.Context(), "", "", nil)
		must(t, err)
		lists, err = d.Sums(t.Context())
		must(t, err)
		return errors.Join(d.SetRows(t.Context(), served, nil), d.SetStandings(t.Context(), standings, nil),
			d.SetSums(t.Context(), nil))
	}))
	report, err := ledger.New(p.Ratings, elo.Club{}).Recompute(t.Context())
	must(t, err)
	equal(t, "rows that were written", []int{report.Stored, report.Wrong, report.Sums}, []int{0, len(served), len(lists)})
	equal(t, "rows as recomputed", allRows(t, p), served)
	verified(t, p)
}

// hallModel follows the events of a tournament in the hall.
type hallModel struct {
	*rapid.T
	c      *hallClub
	start  int64               // the place in the outbox before the first of its games
	order  []string            // ids of games by their first finish
	server map[string][]string // winner and loser of games on the server
}

func (m *hallModel) step(t *testing.T) {
	ctx, board := t.Context(), rapid.IntRange(1, 2).Draw(m.T, "board")
	var err error
	switch rapid.SampledFrom([]string{"result", "result", "result", "clear", "undo", "game", "hall", "server", "again"}).
		Draw(m.T, "what") {
	case "result":
		v, _ := tournament.ParseVerdict(rapid.SampledFrom([]string{"1-0", "0-1", "1/2-1/2", "+--", "---"}).
			Draw(m.T, "result"))
		v.Adjudicated = !v.Forfeit && rapid.IntRange(0, 3).Draw(m.T, "adjudicated") == 0
		if rapid.IntRange(0, 2).Draw(m.T, "switched") == 0 {
			rated := rapid.Bool().Draw(m.T, "rated")
			v.Rated = &rated
		}
		_, err = m.c.Do(ctx, m.c.id, director.SetResult(1, board, v, "why"), byArbiter)
	case "clear":
		_, err = m.c.Do(ctx, m.c.id, director.ClearResult(1, board, ""), byArbiter)
	case "again":
		_, err = m.c.Do(ctx, m.c.id, director.PlayAgain(1, board, "by order"), byArbiter)
	case "hall":
		_, err = m.c.Do(ctx, m.c.id, director.SetVenue(1, board, tournament.InHall, ""), byArbiter)
	case "server":
		_, err = m.c.Do(ctx, m.c.id, director.SetVenue(1, board, tournament.OnServer, ""), byArbiter)
	case "undo":
		acts, actsErr := m.c.Acts(ctx, m.c.id)
		must(t, actsErr)
		if last := m.c.Undoable(load(t, m.c.p, m.c.id), acts); last > 0 && acts[len(acts)-1].Kind != tournament.ActPair {
			_, err = m.c.Undo(ctx, m.c.id, last, byArbiter)
		}
	case "game":
		m.play(t)
	}
	if err != nil && !errors.Is(err, tournament.ErrState) && !errors.Is(err, tournament.ErrInvalid) {
		m.Fatal(err)
	}
	m.note(t)
}

// play ends a game on the server.
func (m *hallModel) play(t *testing.T) {
	m.c.at++
	id, at := fmt.Sprint(m.c.id, " server ", len(m.order)), m.c.at
	pair := rapid.Permutation([]string{m.c.id + "a", m.c.id + "b", m.c.id + "c", m.c.id + "d"}).Draw(m.T, "players")[:2]
	do(t, m.c.p, newGame(t, id, pair...), start, func(g table.Game) table.Step {
		s := finish(g, at)
		s.Moved = s.Moved.With(1).With(2)
		return s
	})
	m.server[id], m.order = pair, append(m.order, id)
}

// note notes games that have finished for the first time.
func (m *hallModel) note(t *testing.T) {
	for _, p := range load(t, m.c.p, m.c.id).Rounds[0].Pairings {
		if r := p.Result; p.HallGame != "" && r != nil && !r.Forfeit && !slices.Contains(m.order, p.HallGame) {
			m.order = append(m.order, p.HallGame)
		}
	}
}

// past compares the list at each moment, before and after every game, with a computation from the games until then.
func (m *hallModel) past(t *testing.T, players []string) {
	at := map[string]int64{}
	games, _ := eachFinished(t, m.c.p, m.start)
	for _, f := range games {
		at[f.GameID] = f.FinishedAt
	}
	for _, last := range m.order {
		for before := at[last]; before <= at[last]+1; before++ {
			until := slices.DeleteFunc(slices.Clone(m.order), func(id string) bool { return at[id] >= before })
			got := map[string]rating.Rating{}
			list, next, err := m.c.p.Ratings.AsOf(t.Context(), "quixo-blitz", 0, before, 10_000, "")
			if err != nil || next != "" {
				m.Fatalf("the list before %d: %v, then %q", before, err, next)
			}
			for _, r := range list {
				if slices.Contains(players, r.PlayerID) {
					got[r.PlayerID] = r.Rating
				}
			}
			if want := m.ratings(t, until); !maps.Equal(got, want) {
				m.Errorf("before %d, after the games %v: %+v, want %+v", before, until, got, want)
			}
		}
	}
}

// ratings computes the players' ratings from the present results of games.
func (m *hallModel) ratings(t *testing.T, games []string) map[string]rating.Rating {
	tm := load(t, m.c.p, m.c.id)
	now := map[string]rating.Rating{}
	for _, id := range games {
		players, ranks, inHall := m.server[id], []int{1, 2}, 0
		for _, p := range tm.Rounds[0].Pairings {
			if p.HallGame == id && p.Result != nil && p.Result.Rated {
				players, ranks, inHall = tm.Players(p), p.Result.Ranks, 1
			}
		}
		seats := make([]rating.Seat, len(players))
		for i, player := range players {
			if _, known := now[player]; !known {
				now[player] = elo.Club{}.Start()
			}
			seats[i] = rating.Seat{Rating: now[player], Side: i + 1, Rank: ranks[i]}
		}
		if len(seats) == 0 {
			continue // not rated any more
		}
		changes, err := elo.Club{}.Update(seats)
		must(t, err)
		for i, player := range players {
			after := changes[i].After
			after.FromTournaments = now[player].FromTournaments + inHall
			now[player] = after
		}
	}
	return now
}

func rewriteRace(t *testing.T, p Ports) {
	rows := recordable(t, p, 3)
	must(t, p.Ratings.Record(t.Context(), 0, 2, append(rows[0], rows[1]...)))
	anew := append(slices.Clone(rows[1]), rows[2]...)
	race(t, 8, ledger.ErrBehind, func(int) error {
		return p.Ratings.Rewrite(t.Context(), 2, 3, 2, []string{"quixo-blitz"}, anew)
	})
	equal(t, "rows", allRows(t, p), slices.Concat(rows[0], rows[1], rows[2]))
	before, err := p.Ratings.Before(t.Context(), 2, "quixo-blitz", []string{"ann", "bob", "cid"})
	must(t, err)
	equal(t, "before the second", before, map[string]rating.Rating{"ann": rows[0][0].Rating(), "bob": rows[0][1].Rating()})
}

func hallTeams(t *testing.T, p Ports) {
	v := create(t, p, "t")
	v.Variant = "quixo/teams"
	v.TimeControl = "none"
	v.Status = tournament.Running
	v.Rated = true
	v.Venue = tournament.InHall
	e := []tournament.Entry{
		{ID: "e1", Number: 1, Members: []string{"ann", "bob"}}, {ID: "e2", Number: 2, Members: []string{"cid", "dan"}},
	}
	v.Entries = e
	won := tournament.Pairing{Board: 1, Seats: []string{"e2", "e1"}, Venue: tournament.InHall, HallGame: "h1"}
	won.Result = &tournament.Result{
		Ranks: []int{2, 1}, Points: []tournament.Points{0, 10}, Source: tournament.ByArbiter, Rated: true,
	}
	save(t, p, v, tournament.Delta{
		Entries: e, Rounds: []tournament.Round{{Number: 1, Status: tournament.Complete, Pairings: []tournament.Pairing{won}}},
	})
	_, pending, err := p.Ratings.Pending(t.Context(), 10)
	must(t, err)
	if len(pending) != 1 {
		t.Fatalf("pending: %+v", pending)
	}
	got := pending[0]
	equal(t, "players", got.Players, []string{"cid", "ann", "dan", "bob"})
	equal(t, "sides", got.Sides, []int{1, 2, 1, 2})
	equal(t, "ranks", got.Ranks, []int{2, 1, 2, 1})
	equal(t, "moved", got.Moved, []bool{true, true, true, true})
	catchUp(t, p)
	equal(t, "rows", len(allRows(t, p)), 4)
}
