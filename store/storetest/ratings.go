package storetest

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
)

// Ratings tests the outbox as the ledger sees it, and the ledger's writes.
func Ratings(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"the outbox tells of every game once", outboxRows},
		{"the outbox is numbered as it is committed", outboxOrder},
		{"rows come back to the last bit", ratingRoundTrip},
		{"a moved cursor refuses", recordBehind},
		{"of many who record one game one does", recordRace},
		{"given ratings count before the first game", given},
		{"all rows are read in pages", pastPages},
		{"a draft puts all in the place of what was", draft},
		{"a draft that fails leaves everything", draftFails},
		{"a stopped reading stops", stopReading},
	})
}

func outboxRows(t *testing.T, p Ports) {
	create(t, p, "t")
	teams := newGame(t, "teams", "ann", "bob", "cid", "dan")
	teams.Variant = "quixo/teams"
	teams.Seats = 4
	teams.Controls = []string{"60", "60", "60", "60"}
	teams.Tournament = &table.Place{ID: "t", Round: 1, Board: 2}
	do(t, p, teams, start, func(g table.Game) table.Step {
		s := finish(g, 9000)
		s.Game.Outcome = &engine.Outcome{Ranks: []int{2, 1, 2, 1}, Reason: engine.ReasonTime}
		s.Moved, s.Fewest = s.Moved.With(1).With(4), 3
		return s
	})
	void := newGame(t, "void", "ann", "")
	void.Rated = false
	do(t, p, void, start, func(g table.Game) table.Step {
		s := finish(g, 9001)
		s.Game.Outcome = &engine.Outcome{Reason: engine.ReasonReplay}
		return s
	})
	do(t, p, newGame(t, "going on", "ann", "bob"), start)
	do(t, p, newGame(t, "aborted", "ann", "bob"), start, func(g table.Game) table.Step { return abort(g, 9002) })
	want := []ledger.Finished{
		{
			Seq: 1, GameID: "teams", Variant: "quixo/teams", List: ledger.ListID("quixo", "bullet"), Rated: true,
			Players: []string{"ann", "bob", "cid", "dan"}, Sides: []int{1, 2, 1, 2}, Ranks: []int{2, 1, 2, 1},
			Reason: "time", Plies: 1, Moved: []bool{true, false, false, true}, FinishedAt: 9000,
			Fewest: 3, Tournament: true,
		},
		{
			Seq: 2, GameID: "void", Variant: "quixo/duel", List: ledger.ListID("quixo", "blitz"),
			Players: []string{"ann", ""}, Sides: []int{1, 2}, Reason: "replay", Plies: 1, Moved: []bool{false, false},
			FinishedAt: 9001,
		},
		{
			Seq: 3, GameID: "aborted", Variant: "quixo/duel", List: ledger.ListID("quixo", "blitz"), Rated: true,
			Players: []string{"ann", "bob"}, Sides: []int{1, 2}, Reason: "abort", Moved: []bool{false, false}, FinishedAt: 9002,
		},
	}
	cursor, games, err := p.Ratings.Pending(t.Context(), 10)
	must(t, err)
	equal(t, "pending", games, want)
	equal(t, "cursor", cursor, 0)
	must(t, p.Ratings.Record(t.Context(), 0, 2, nil))
	cursor, games, err = p.Ratings.Pending(t.Context(), 10)
	must(t, err)
	equal(t, "pending later", games, want[2:])
	equal(t, "cursor later", cursor, 2)
	read, end := eachFinished(t, p, 0)
	equal(t, "up to the cursor", read, want[:2])
	equal(t, "its end", end, 2)
	read, _ = eachFinished(t, p, 1)
	equal(t, "after the first", read, want[1:2])
}

// outboxOrder ends many games at once while a consumer follows: it must see every number, in order, without a gap.
func outboxOrder(t *testing.T, p Ports) {
	const many = 60
	games := make([]table.Game, many)
	for i := range games {
		games[i] = do(t, p, newGame(t, fmt.Sprintf("g%02d", i), "ann", "bob"), start)
	}
	var group sync.WaitGroup
	for _, g := range games {
		group.Go(func() {
			if err := p.Games.Append(t.Context(), finish(g, 9000)); err != nil {
				t.Error(err)
			}
		})
	}
	seen := map[string]bool{}
	for next := int64(1); next <= many && !t.Failed(); {
		cursor, fresh, err := p.Ratings.Pending(t.Context(), 7)
		must(t, err)
		for _, f := range fresh {
			if f.Seq != next || seen[f.GameID] {
				t.Fatalf("game %s has number %d, want %d and a game not seen before", f.GameID, f.Seq, next)
			}
			seen[f.GameID] = true
			next++
		}
		if len(fresh) > 0 {
			must(t, p.Ratings.Record(t.Context(), cursor, next-1, nil))
		}
	}
	group.Wait()
	equal(t, "games seen", len(seen), many)
}

// recordable finishes games and returns for each the rows of its two players, without current ratings that fit.
func recordable(t *testing.T, p Ports, count int) [][]ledger.Row {
	t.Helper()
	rows := make([][]ledger.Row, count)
	for i := range rows {
		id := fmt.Sprintf("g%02d", i)
		finished(t, p, id, "", 0, 0)
		for s, player := range []string{"ann", "bob"} {
			rows[i] = append(rows[i], ledger.Row{
				GameID: id, List: "quixo-blitz", PlayerID: player, Seat: s + 1, Seq: int64(i + 1), System: "elo-club",
				Before: 1500 + float64(i), After: 1500 + float64(i+s)/3, Change: float64(i+s)/3 - float64(i),
				GamesAfter: i + 1, K: 20, At: int64(9000 + i),
			})
		}
	}
	return rows
}

func ratingRoundTrip(t *testing.T, p Ports) {
	finished(t, p, "g1", "", 0, 0)
	finished(t, p, "g2", "", 0, 0)
	var first, second ledger.Row
	fill(t, &first)
	fill(t, &second)
	first.GameID = "g1"
	first.Seq = 1
	first.Seat = 1
	second.GameID = "g1"
	second.Seq = 1
	second.Seat = 2
	second.PlayerID = "other"
	first.Before = 0.1 + 0.2
	first.After = math.Nextafter(1500, 2000)
	first.Change = -math.SmallestNonzeroFloat64
	second.Expected = 1.0 / 3
	second.Score = 0
	second.K = 1e-300
	second.Reached = false
	must(t, p.Ratings.Record(t.Context(), 0, 1, []ledger.Row{second, first}))
	equal(t, "rows", allRows(t, p), []ledger.Row{first, second})
	rows, err := p.Ratings.Changes(t.Context(), "g1")
	must(t, err)
	equal(t, "changes of the game", rows, []ledger.Row{first, second})
	rows, err = p.Ratings.History(t.Context(), first.List, first.PlayerID)
	must(t, err)
	equal(t, "history of the player", rows, []ledger.Row{first})
	current, err := p.Ratings.Current(t.Context(), first.List, []string{first.PlayerID, "unknown"})
	must(t, err)
	equal(t, "current", current, map[string]rating.Rating{first.PlayerID: first.Rating()})
	recorded, err := p.Ratings.Recorded(t.Context(), []string{"g1", "g2", "unknown"})
	must(t, err)
	equal(t, "recorded", recorded, map[string]bool{"g1": true})
	rows, err = p.Ratings.Changes(t.Context(), "g2")
	must(t, err)
	equal(t, "changes of a game without rows", len(rows), 0)
}

func recordBehind(t *testing.T, p Ports) {
	rows := recordable(t, p, 3)
	must(t, p.Ratings.Record(t.Context(), 0, 1, rows[0]))
	refused(t, "again", p.Ratings.Record(t.Context(), 0, 1, rows[0]), ledger.ErrBehind)
	refused(t, "from ahead", p.Ratings.Record(t.Context(), 2, 3, rows[2]), ledger.ErrBehind)
	refused(t, "a row that exists", p.Ratings.Record(t.Context(), 1, 2, append(rows[1], rows[0][0])), ledger.ErrBehind)
	equal(t, "rows after that", allRows(t, p), rows[0])
	must(t, p.Ratings.Record(t.Context(), 1, 2, rows[1]))
	equal(t, "rows at the end", allRows(t, p), append(rows[0], rows[1]...))
	lists, err := p.Ratings.Lists(t.Context())
	must(t, err)
	equal(t, "lists", lists, []ledger.ListSummary{{List: "quixo-blitz", Players: 2, Games: 2, LastAt: 9001}})
}

func recordRace(t *testing.T, p Ports) {
	rows := recordable(t, p, 1)
	race(t, 16, ledger.ErrBehind, func(int) error { return p.Ratings.Record(t.Context(), 0, 1, rows[0]) })
	equal(t, "rows", allRows(t, p), rows[0])
}

func given(t *testing.T, p Ports) {
	rows := recordable(t, p, 2)
	must(t, p.Players.CreatePlayer(t.Context(),
		club.Player{ID: "ann", Rating: map[string]float64{"quixo-blitz": 1800.25, "quits-rapid": 1700}},
		club.Player{ID: "bob", Rating: map[string]float64{}}, club.Player{ID: "cid"},
	))
	now := func(list string, want map[string]rating.Rating) {
		t.Helper()
		got, err := p.Ratings.Current(t.Context(), list, []string{"ann", "bob", "cid"})
		must(t, err)
		equal(t, "current in "+list, got, want)
	}
	now("quixo-blitz", map[string]rating.Rating{"ann": {Value: 1800.25}})
	got := map[string]rating.Rating{}
	must(t, p.Ratings.Look(t.Context(), func(past ledger.Past) error {
		return past.Given(t.Context(), func(list, player string, r rating.Rating) error {
			got[list+" "+player] = r
			return nil
		})
	}))
	equal(t, "given", got, map[string]rating.Rating{"quixo-blitz ann": {Value: 1800.25}, "quits-rapid ann": {Value: 1700}})
	must(t, p.Ratings.Record(t.Context(), 0, 2, append(rows[1], rows[0]...))) // in any order
	now("quixo-blitz", map[string]rating.Rating{"ann": rows[1][0].Rating(), "bob": rows[1][1].Rating()})
	now("quits-rapid", map[string]rating.Rating{"ann": {Value: 1700}})
	now("quivive-rapid", map[string]rating.Rating{})
}
